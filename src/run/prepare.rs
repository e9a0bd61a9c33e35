//! The workspace and its rules.

use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};

use crate::{
    base::Files,
    config::{InForce, Packs, Rules, RulesAt, decode, find_at_root},
    finding::{Level, Problem},
    lints::{self, Levels},
    project::{
        Workspace,
        cargo::{CargoOptions, MetadataRun, MetadataText, locate},
    },
};

/// What is asked of a run.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The folder that relative paths start from, absolute.
    pub cwd: Utf8PathBuf,
    /// Cargo's flags.
    pub cargo: CargoOptions,
    /// `--rules`.
    pub rules: Option<Utf8PathBuf>,
    /// `--lease`: the leases to look at; empty for all.
    pub leases: Vec<String>,
    /// `-D`, `-W`, `-A`, in order; lint names as typed.
    pub levels: Vec<(String, Level)>,
    /// `SOURCE_DATE_EPOCH`, as set.
    pub source_date_epoch: Option<String>,
}

/// Everything that a run stands on.
#[derive(Debug)]
pub struct Prepared {
    /// The files that were read.
    pub files: Files,
    /// The packages.
    pub workspace: Workspace,
    /// What cargo metadata wrote.
    pub text: MetadataText,
    /// The flags that it was called with.
    pub cargo: CargoOptions,
    /// The rules.
    pub rules: Rules,
    /// Where they stand.
    pub rules_at: RulesAt,
    /// The packs.
    pub packs: Packs,
    /// What is forbidden.
    pub in_force: InForce,
    /// Levels of lints.
    pub levels: Levels,
    /// The leases to look at, by their number in the rules.
    pub leases: Vec<usize>,
    /// Today in UTC, or the day of `SOURCE_DATE_EPOCH`.
    pub today: jiff::civil::Date,
    /// What every report says.
    pub notes: Vec<String>,
}

impl Prepared {
    /// The same workspace with other texts in some files, and its packages changed by `change`.
    ///
    /// # Errors
    /// Where what was read once cannot be read again.
    pub fn replanted(
        &self,
        texts: BTreeMap<Utf8PathBuf, String>,
        change: impl FnOnce(&mut Workspace),
    ) -> Result<Self, Vec<Problem>> {
        let files =
            texts.into_iter().fold(Files::new(self.files.root()), |files, (path, text)| files.overlaid(&path, text));
        let lints: Vec<&str> = lints::names().collect();
        let rules_file = self.files.get(self.rules_at.file).absolute.clone();
        let unreadable = |error: std::io::Error| {
            let message = format!("`{}` cannot be read again: {error}", self.files.shown(&rules_file));
            vec![Problem { message, place: None, help: String::new() }]
        };
        let rules_at = RulesAt { file: files.load(&rules_file).map_err(unreadable)?, table: self.rules_at.table };
        let rules = decode(&files, rules_at, &lints)?;
        let packs = Packs::embedded()
            .map_err(|error| vec![Problem { message: error.to_string(), place: None, help: String::new() }])?;
        let library_names = |package: &str| packs.library_names(package).first().cloned();
        let mut workspace = Workspace::read(&self.text, &library_names).map_err(|error| vec![error.problem()])?;
        change(&mut workspace);
        let in_force = InForce::new(&rules, &packs);
        Ok(Self {
            files,
            workspace,
            text: self.text.clone(),
            cargo: self.cargo.clone(),
            rules,
            rules_at,
            packs,
            in_force,
            levels: self.levels.clone(),
            leases: self.leases.clone(),
            today: self.today,
            notes: self.notes.clone(),
        })
    }
}

/// A run that could not begin.
#[derive(Debug)]
pub struct Failed {
    /// The files that were read, for quoting.
    pub files: Files,
    /// Why.
    pub problems: Vec<Problem>,
}

/// Finds and reads the rules and the workspace.
///
/// # Errors
/// Everything that keeps the run from beginning, all at once where it can be.
pub fn prepare(request: &Request) -> Result<Prepared, Box<Failed>> {
    let located = match locate(&request.cwd, request.cargo.manifest_path.as_deref()) {
        Ok(located) => located,
        Err(error) => return fail(Files::new(request.cwd.clone()), vec![error.problem()]),
    };
    let running = MetadataRun::start(&located, &request.cargo);
    let files = Files::new(located.root.clone());
    let lints: Vec<&str> = lints::names().collect();
    let chosen = request.rules.as_ref().map(|path| request.cwd.join(path));
    let found = find_at_root(&files, &located.root, chosen.as_deref());
    let likely = found.as_ref().ok().and_then(|found| found.likely());
    let early = likely.map(|at| decode(&files, at, &lints));
    let packs = Packs::embedded();

    let text = running.wait();
    let (found, packs) = match (found, packs) {
        (Ok(found), Ok(packs)) => (found, packs),
        (Err(problems), _) => return fail(files, problems),
        (_, Err(error)) => {
            let message = format!("the packs of this build do not parse: {error}");
            return fail(files, vec![Problem { message, place: None, help: "report it as a bug".to_owned() }]);
        }
    };
    let text = match (text, &early) {
        (Ok(text), _) => text,
        (Err(error), early) => {
            let mut problems = vec![error.problem()];
            if let Some(Err(more)) = early {
                problems.extend(more.iter().cloned());
            }
            return fail(files, problems);
        }
    };
    let library_names = |package: &str| packs.library_names(package).first().cloned();
    let workspace = match Workspace::read(&text, &library_names) {
        Ok(workspace) => workspace,
        Err(error) => return fail(files, vec![error.problem()]),
    };
    let members = workspace.packages.iter().filter(|package| package.member);
    let members: Vec<Utf8PathBuf> =
        members.filter_map(|package| package.manifest.parent().map(Utf8Path::to_owned)).collect();
    let settled = match found.settle(&files, &members) {
        Ok(settled) => settled,
        Err(problems) => return fail(files, problems),
    };
    let decoded = match early.filter(|_| likely == Some(settled.at)) {
        Some(decoded) => decoded,
        None => decode(&files, settled.at, &lints),
    };
    let rules = match decoded {
        Ok(rules) => rules,
        Err(problems) => return fail(files, problems),
    };
    let (leases, levels, today) = match asked(request, &rules) {
        Ok(asked) => asked,
        Err(problems) => return fail(files, problems),
    };
    let mut notes = text.notes.clone();
    notes.extend(settled.notes);
    if !text.has_graph {
        notes.push("the dependency graph was not judged (--no-deps): sources and manifests alone".to_owned());
    }
    let in_force = InForce::new(&rules, &packs);
    let cargo = request.cargo.clone();
    Ok(Prepared {
        files,
        workspace,
        text,
        cargo,
        rules,
        rules_at: settled.at,
        packs,
        in_force,
        levels,
        leases,
        today,
        notes,
    })
}

fn fail<T>(files: Files, problems: Vec<Problem>) -> Result<T, Box<Failed>> {
    Err(Box::new(Failed { files, problems }))
}

/// The leases of these names, by number, all of them where no name is given; and what is wrong with
/// the names.
pub fn leases_named(names: &[String], rules: &Rules) -> (Vec<usize>, Vec<Problem>) {
    if names.is_empty() {
        return ((0..rules.leases.len()).collect(), Vec::new());
    }
    let (mut leases, mut problems) = (BTreeSet::new(), Vec::new());
    for name in names {
        match rules.leases.iter().position(|lease| lease.name.value == *name) {
            Some(at) => drop(leases.insert(at)),
            None => {
                let known: Vec<&str> = rules.leases.iter().map(|lease| lease.name.value.as_str()).collect();
                let message = format!("the rules file has no lease called `{name}`");
                let help = match crate::base::nearest(name, known.iter().copied()) {
                    Some(near) => format!("did you mean `--lease {near}`?"),
                    None => format!("its leases are {}", known.join(", ")),
                };
                problems.push(Problem { message, place: None, help });
            }
        }
    }
    (leases.into_iter().collect(), problems)
}

/// What the flags ask for, checked against the rules.
fn asked(request: &Request, rules: &Rules) -> Result<(Vec<usize>, Levels, jiff::civil::Date), Vec<Problem>> {
    let (leases, mut problems) = leases_named(&request.leases, rules);
    let mut flags = Vec::new();
    for (name, level) in &request.levels {
        match lints::find(name) {
            Ok(lint) => flags.push((lint.name, *level)),
            Err(error) => problems.push(Problem { message: error.to_string(), place: None, help: String::new() }),
        }
    }
    let today = match today(request.source_date_epoch.as_deref()) {
        Ok(today) => today,
        Err(problem) => {
            problems.push(problem);
            jiff::civil::Date::default()
        }
    };
    if !problems.is_empty() {
        return Err(problems);
    }
    let of_rules = rules.lints.iter().map(|line| (line.lint.value.as_str(), line.level));
    Ok((leases, Levels::new(of_rules, flags), today))
}

/// Today in UTC, or the day that `SOURCE_DATE_EPOCH` (seconds since 1970-01-01 UTC) names, as
/// <https://reproducible-builds.org/specs/source-date-epoch/> defines it.
fn today(epoch: Option<&str>) -> Result<jiff::civil::Date, Problem> {
    let now = match epoch {
        None => jiff::Timestamp::now(),
        Some(text) => {
            let seconds = text.trim().parse().ok().and_then(|seconds| jiff::Timestamp::from_second(seconds).ok());
            seconds.ok_or_else(|| Problem {
                message: format!("SOURCE_DATE_EPOCH is `{text}`, which is no number of seconds since 1970"),
                place: None,
                help: "unset it, or set it to a whole number, as in `date +%s`".to_owned(),
            })?
        }
    };
    Ok(jiff::tz::Offset::UTC.to_datetime(now).date())
}
