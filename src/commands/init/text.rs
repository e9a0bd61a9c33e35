//! The rules file that is written.
//!
//! Two kinds of comment, as in many configuration files: `# ` begins a sentence, `#` without a blank
//! begins a line that holds once the `#` is taken away. A test takes them all away and reads the file.

use super::{
    find::{Found, Unsure},
    lease::{Lease, Named},
};
use crate::base::{is_hidden, visible};

/// Columns of a comment.
const WIDTH: usize = 100;

/// The whole file. Where no lease was found it is a template that needs a hand: it does not hold as
/// it stands.
pub(super) fn text(found: &Found, first_package: &str) -> String {
    let mut file = File::default();
    file.say("Rules for `cargo lease-guard`: which code holds a lease, and what it may talk to.");
    file.say(
        "Written by `cargo lease-guard init`, which looks at names and words. Read it through: from now on it says \
         what holds. `#` and a blank begin a sentence; take a `#` away where none follows, and the line holds.",
    );
    file.blank();
    file.say("Folders outside of the workspace that `mod`, `#[path]` and `include!` may lead to.");
    file.example("source-roots = [\"../shared\"]");
    match found.leases.as_slice() {
        [] => file.template(first_package, &found.unsure),
        leases => {
            for (number, lease) in leases.iter().enumerate() {
                file.lease(lease, number == 0);
            }
            if leases.iter().all(|lease| lease.workloads.is_empty()) {
                file.workload_example();
            }
            file.unsure(&found.unsure);
        }
    }
    file.rest(found.leases.first().map_or(first_package, |lease| &lease.name));
    file.0
}

#[derive(Default)]
struct File(String);

impl File {
    fn line(&mut self, line: &str) {
        self.0.push_str(line.trim_end());
        self.0.push('\n');
    }

    fn blank(&mut self) {
        self.0.push('\n');
    }

    /// A sentence.
    fn say(&mut self, text: &str) {
        self.say_at(0, text);
    }

    /// A sentence at an indent.
    fn say_at(&mut self, indent: usize, text: &str) {
        let lead = format!("{}# ", " ".repeat(indent));
        self.wrapped(&lead, &lead, text);
    }

    /// One of a list.
    fn item(&mut self, text: &str) {
        self.wrapped("#   ", "#       ", text);
    }

    fn wrapped(&mut self, first: &str, further: &str, text: &str) {
        let options = textwrap::Options::new(WIDTH)
            .initial_indent(first)
            .subsequent_indent(further)
            .break_words(false)
            .word_splitter(textwrap::WordSplitter::NoHyphenation);
        for line in textwrap::wrap(&visible(text), options) {
            self.line(&line);
        }
    }

    /// A line that holds once its `#` is taken away.
    fn example(&mut self, line: &str) {
        self.line(&format!("#{line}"));
    }

    fn lease(&mut self, lease: &Lease, first: bool) {
        self.blank();
        self.line("[[lease]]");
        self.line(&format!("name = {}", quoted(&lease.name)));
        if first {
            self.say(
                "The code that acquires, renews, checks and releases it: modules with all below them, types with \
                 their impls, functions, methods; each by its path from the crate's name. It may reach nothing that \
                 is forbidden, by whatever route.",
            );
        }
        self.line("modules = [");
        for code in &lease.code {
            self.say_at(4, &format!("{}: {}", code.file, code.why()));
            self.line(&format!("    {},", quoted(&code.path)));
        }
        self.line("]");
        self.coordinators(lease, first);
        if first {
            self.say("More code of the lease: globs from the workspace root, and whole packages.");
            self.example(&format!("files = [{}]", quoted(&glob(lease))));
            self.example(&format!("packages = [{}]", quoted(&lease.package)));
        }
        self.workloads(lease);
    }

    fn coordinators(&mut self, lease: &Lease, first: bool) {
        if first {
            self.say(
                "What it may talk to: packages (what they pull in is their own business), or the local module that \
                 speaks to the coordinator, such as \"orders::consul\".",
            );
        }
        if lease.coordinators.is_empty() {
            self.say("No package that is known as a coordinator is named by this code.");
            if lease.behind.is_empty() {
                self.example("coordinators = [\"tokio-postgres\"]");
            }
        } else {
            self.line("coordinators = [");
            for named in &lease.coordinators {
                self.say_at(4, &format!("{}, named at {}", named.why, named.place));
                self.line(&format!("    {},", quoted(&named.package)));
            }
            self.line("]");
        }
        if !lease.behind.is_empty() {
            self.say("Named by code that the lease only reaches. If that is how it talks to its coordinator, add it:");
            lease.behind.iter().for_each(|named| self.item(&behind(named)));
            if lease.coordinators.is_empty() {
                let names: Vec<String> = lease.behind.iter().map(|named| quoted(&named.package)).collect();
                self.example(&format!("coordinators = [{}]", names.join(", ")));
            }
        }
    }

    fn workloads(&mut self, lease: &Lease) {
        if lease.workloads.is_empty() {
            return;
        }
        let paths: Vec<String> = lease.workloads.iter().map(|path| quoted(path)).collect();
        self.say(
            "This code takes code from its callers. What of it runs under the lease and is not part of it is a \
             workload: the route is cut there.",
        );
        self.example(&format!("workloads = [{}]", paths.join(", ")));
    }

    /// Where no lease takes code, the key is taught by an example from elsewhere.
    fn workload_example(&mut self) {
        self.say(
            "What runs under the lease and is not part of it: a parameter, field, function or trait method. The \
             route is cut there.",
        );
        self.example("workloads = [\"orders::lease::with_lease::work\"]");
    }

    fn unsure(&mut self, unsure: &[Unsure]) {
        if unsure.is_empty() {
            return;
        }
        self.blank();
        self.say("Perhaps a lease as well; put it under `modules` if it is:");
        for one in unsure {
            self.item(&format!("{} in {}: {}", one.path, one.file, one.why));
        }
    }

    fn template(&mut self, package: &str, unsure: &[Unsure]) {
        self.blank();
        self.line("[[lease]]");
        self.line(&format!("name = {}", quoted(package)));
        self.say(
            "The code that acquires, renews, checks and releases the lease: modules with all below them, types with \
             their impls, functions, methods; each by its path from the crate's name. At least one of `modules`, \
             `files` and `packages` is needed.",
        );
        let path = format!("{}::lease", package.replace('-', "_"));
        self.line(&format!("modules = [{}]", quoted(&path)));
        self.example("files = [\"src/lease/**/*.rs\"]");
        self.example(&format!("packages = [{}]", quoted(package)));
        self.say("What it may talk to: packages, or the local module that speaks to the coordinator.");
        self.line("coordinators = []");
        self.say("What runs under the lease and is not part of it. The route is cut there.");
        self.example(&format!("workloads = [{}]", quoted(&format!("{path}::with_lease::work"))));
        self.unsure(unsure);
    }

    /// What else a rules file can say.
    fn rest(&mut self, lease: &str) {
        self.blank();
        self.say(
            "The lease itself, below its [[lease]]: what makes it safe to write under, where it lives in SQL, and its \
             times. `cargo lease-guard card` asks for all three.",
        );
        self.example("fence-rule = \"A write carries the epoch it was granted; storage refuses any other.\"");
        self.example("[lease.fence]");
        self.example("table = \"worker_leases\"");
        self.example("holder = \"holder\"");
        self.example("epoch = \"epoch\"");
        self.example("expires = \"expires_at\"");
        self.example("protects = [\"orders\"]");
        self.example("[lease.timing]");
        self.example("ttl = \"15s\"");
        self.example("renew-every = \"5s\"");
        self.example("renew-p95 = \"40ms\"");
        self.example("guard = \"100ms\"");
        self.example("clock-skew = { bound = \"200ms\", source = \"chrony\", measured = 2026-11-01 }");
        self.blank();
        self.say("What is forbidden. Without this table it is every pack; `cargo lease-guard rules` lists them.");
        self.example("[forbid]");
        self.example("packs = [\"http-clients\", \"model-clients\", \"inference-runtimes\", \"transports\"]");
        self.say("Packages of your own, by name or glob; fragments of call paths; parts of string literals.");
        self.example("crates = [\"acme-llm\", { name = \"acme-http\", reason = \"wraps reqwest\" }]");
        self.example("calls = [\"advisor.vote\"]");
        self.example("strings = [\"llm.internal.example\"]");
        self.blank();
        self.say("Levels of lints: deny, warn or allow. `cargo lease-guard explain LINT` says what each is for.");
        self.example("[lints]");
        self.example("client-clock = \"deny\"");
        self.blank();
        self.say(
            "A finding that is forgiven, with its reason. It cuts no route: what else lies behind is still reported. \
             `lease`, `file` and `until`, its last day, may be left out.",
        );
        self.example("[[exception]]");
        self.example("lint = \"forbidden-dependency\"");
        self.example("subject = \"hyper\"");
        self.example(&format!("lease = {}", quoted(lease)));
        self.example("file = \"src/metrics/*.rs\"");
        self.example("reason = \"the metrics shim is being moved out\"");
        self.example("until = 2027-01-31");
    }
}

fn behind(named: &Named) -> String {
    format!("{}: {}, at {}", named.package, named.why, named.place)
}

/// A glob over the files of the first module; what a glob would read as a sign stands for any letter.
fn glob(lease: &Lease) -> String {
    let file = lease.code.first().map_or("src/lease.rs", |code| &code.file);
    let plain = |text: &str| text.replace(['*', '?', '[', ']', '{', '}', '\\'], "?");
    file.strip_suffix("/mod.rs").map_or_else(|| plain(file), |folder| format!("{}/**/*.rs", plain(folder)))
}

/// A TOML string on one line, with nothing in it that cannot be seen.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            letter if is_hidden(letter) => out += &format!("\\U{:08X}", u32::from(letter)),
            letter => out.push(letter),
        }
    }
    out + "\""
}
