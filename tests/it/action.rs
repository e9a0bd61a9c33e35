//! The GitHub action: its shell steps run as a runner runs them, by environment and files alone.

use std::{fs, process::Command};

use super::workspace::{Workspace, project, write};

const MANIFEST: &str = "[package]\nname = \"dock\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
const RULES: &str = "[[lease]]\nname = \"dock\"\nmodules = [\"dock::lease\"]\n";
const CLEAN: &str = "pub fn holds(epoch: u64, fence: u64) -> bool {\n    epoch >= fence\n}\n";
const OFFENDS: &str = "pub fn fence(node: &str) -> bool {\n    std::process::Command::new(node).status().is_ok()\n}\n";

#[derive(Debug)]
struct Ran {
    status: i32,
    stdout: String,
    outputs: String,
    summary: String,
}

fn dock(lease: &str, rules: &str) -> Workspace {
    Workspace::with([("Cargo.toml", MANIFEST), ("src/lib.rs", "pub mod lease;\n"), ("src/lease.rs", lease)])
        .file("lease-guard.toml", rules)
}

fn step(workspace: &Workspace, script: &str, inputs: &[(&str, &str)]) -> Ran {
    let folder = workspace.path();
    let (output, summary) = (folder.join("github-output"), folder.join("github-summary"));
    for file in [&output, &summary] {
        fs::write(file, "").unwrap();
    }
    let mut command = Command::new("bash");
    command.arg(project().join("action").join(script)).current_dir(&folder);
    command.env_clear();
    for name in ["PATH", "HOME", "CARGO_HOME", "RUSTUP_HOME"] {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    command.env("GITHUB_ACTIONS", "true").env("GITHUB_ACTION_PATH", project());
    command.env("GITHUB_OUTPUT", &output).env("GITHUB_STEP_SUMMARY", &summary);
    command.env("LEASE_GUARD_BINARY", env!("CARGO_BIN_EXE_cargo-lease-guard"));
    command.envs(inputs.iter().copied());
    let ran = command.output().expect("bash runs");
    Ran {
        status: ran.status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&ran.stdout).into_owned(),
        outputs: fs::read_to_string(output).unwrap(),
        summary: fs::read_to_string(summary).unwrap(),
    }
}

#[test]
fn an_offence_fails_the_step_with_an_annotation_a_summary_and_outputs() {
    let workspace = dock(OFFENDS, RULES);
    let ran = step(&workspace, "check.sh", &[("LEASE_GUARD_SARIF", "lease-guard.sarif")]);
    assert_eq!(ran.status, 1, "{}", ran.stdout);
    assert!(ran.stdout.contains("::error ") && ran.stdout.contains("file=src/lease.rs,line=2"), "{}", ran.stdout);
    assert_eq!(ran.outputs, "verdict=offends\nfindings=1\nsarif=lease-guard.sarif\n");
    assert!(ran.summary.contains("raw-transport"), "{}", ran.summary);
    let sarif = fs::read_to_string(workspace.path().join("lease-guard.sarif")).unwrap();
    let sarif: serde_json::Value = serde_json::from_str(&sarif).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
}

#[test]
fn a_clean_workspace_passes_and_one_without_rules_cannot_be_checked() {
    let ran = step(&dock(CLEAN, RULES), "check.sh", &[]);
    assert_eq!((ran.status, ran.outputs.as_str()), (0, "verdict=clean\nfindings=0\nsarif=\n"), "{}", ran.stdout);
    let ran = step(&dock(CLEAN, "[forbid]\n"), "check.sh", &[("LEASE_GUARD_FAIL_ON", "never")]);
    assert_eq!(ran.status, 2, "what could not be checked fails whatever was asked: {}", ran.stdout);
    assert!(ran.outputs.starts_with("verdict=cannot-check\n"), "{}", ran.outputs);
}

#[test]
fn asked_never_to_fail_it_only_reports() {
    let ran = step(&dock(OFFENDS, RULES), "check.sh", &[("LEASE_GUARD_FAIL_ON", "never")]);
    assert_eq!(ran.status, 0);
    assert!(ran.outputs.starts_with("verdict=offends\n"));
}

#[test]
fn hostile_inputs_are_values_and_never_code() {
    let workspace = dock(CLEAN, RULES);
    let hostile = "x\"; touch planted; $(touch planted) `touch planted`\nverdict=clean";
    for input in [
        "LEASE_GUARD_MANIFEST_PATH",
        "LEASE_GUARD_RULES",
        "LEASE_GUARD_LEASE",
        "LEASE_GUARD_NO_DEPS",
        "LEASE_GUARD_FAIL_ON",
    ] {
        let ran = step(&workspace, "check.sh", &[(input, hostile)]);
        assert_eq!(ran.status, 2, "{input}: {}", ran.stdout);
        assert!(!workspace.path().join("planted").exists(), "{input} was run");
    }
    let ran = step(&workspace, "check.sh", &[("LEASE_GUARD_SARIF", hostile)]);
    assert!(!workspace.path().join("planted").exists());
    assert_eq!(ran.outputs.lines().filter(|line| line.starts_with("verdict=")).count(), 1, "{}", ran.outputs);
}

#[test]
fn a_binary_that_is_not_there_is_refused() {
    let given = [("LEASE_GUARD_BINARY", "/nowhere/cargo-lease-guard")];
    let workspace = dock(CLEAN, RULES);
    let ran = step(&workspace, "plan.sh", &given);
    assert!(ran.status == 0 && ran.outputs.starts_with("how=given\n"), "{}{}", ran.stdout, ran.outputs);
    let ran = step(&workspace, "install.sh", &[given[0], ("LEASE_GUARD_HOW", "given"), ("LEASE_GUARD_ROOT", "root")]);
    assert_eq!(ran.status, 2);
    assert!(ran.stdout.starts_with("::error::"), "{}", ran.stdout);
}

#[test]
fn a_binary_that_is_there_is_taken() {
    let binary = env!("CARGO_BIN_EXE_cargo-lease-guard");
    let inputs = [("LEASE_GUARD_BINARY", binary), ("LEASE_GUARD_HOW", "given"), ("LEASE_GUARD_ROOT", "root")];
    let ran = step(&dock(CLEAN, RULES), "install.sh", &inputs);
    assert_eq!((ran.status, ran.outputs), (0, format!("binary={binary}\n")), "{}", ran.stdout);
}

const BASE: &str = "https://github.invalid/o/r/releases/download/v1";
const LINUX: [(&str, &str); 2] = [("RUNNER_OS", "Linux"), ("RUNNER_ARCH", "X64")];
const ARCHIVE: &str = "cargo-lease-guard-x86_64-unknown-linux-musl.tar.gz";

/// The action as a release tags it, its archive, and programs that stand in for the network and for cargo.
struct Release {
    folder: Workspace,
}

impl Release {
    fn new() -> Self {
        let action = Workspace::empty();
        for entry in fs::read_dir(project().join("action")).unwrap() {
            let entry = entry.unwrap();
            write(&action.path().join("action").join(entry.file_name()), fs::read(entry.path()).unwrap());
        }
        for file in ["Cargo.toml", "Cargo.lock", "src/lib.rs", "rules/a.toml"] {
            write(&action.path().join(file), file);
        }
        write(&action.path().join("packed/cargo-lease-guard"), "#!/bin/sh\necho prebuilt\n");
        let release = Self { folder: action };
        let packed = format!(
            "chmod +x packed/cargo-lease-guard && tar -czf {ARCHIVE} -C packed . && sha256sum -- *.tar.gz > SHA256SUMS"
        );
        release.shell(&packed);
        release.shell(&format!("bash action/release.sh {BASE} SHA256SUMS"));
        // curl finds nothing but the archive; cargo builds a script.
        release.program("curl", &format!(
            "for last; do :; done\n[ \"$last\" = {BASE}/{ARCHIVE} ] || exit 22\nwhile [ \"$1\" != --output ]; do shift; done\ncp {}/{ARCHIVE} \"$2\"\n",
            release.path()
        ));
        release.program("cargo", "while [ \"$1\" != --root ]; do shift; done\nmkdir -p \"$2/bin\"\nprintf '#!/bin/sh\\necho built\\n' > \"$2/bin/cargo-lease-guard\"\nchmod +x \"$2/bin/cargo-lease-guard\"\n");
        release
    }

    fn path(&self) -> String {
        self.folder.path().to_str().unwrap().to_owned()
    }

    fn program(&self, name: &str, text: &str) {
        write(&self.folder.path().join("programs").join(name), format!("#!/bin/sh\n{text}"));
        self.shell(&format!("chmod +x programs/{name}"));
    }

    fn shell(&self, line: &str) {
        let said = Command::new("bash").args(["-euc", line]).current_dir(self.folder.path()).output().unwrap();
        assert!(said.status.success(), "{line}: {said:?}");
    }

    /// plan.sh and install.sh on this machine, and what the installed binary says.
    fn installed(&self, machine: &[(&str, &str)]) -> (Ran, Result<String, Ran>) {
        let workspace = dock(CLEAN, RULES);
        let (path, root) = (self.path(), self.folder.path().join("runner"));
        let programs = format!("{path}/programs:{}", std::env::var("PATH").unwrap());
        let mut inputs = vec![
            ("GITHUB_ACTION_PATH", path.as_str()),
            ("RUNNER_TEMP", root.to_str().unwrap()),
            ("PATH", &programs),
            ("LEASE_GUARD_BINARY", ""),
        ];
        inputs.extend(machine);
        let plan = step(&workspace, "plan.sh", &inputs);
        assert_eq!(plan.status, 0, "{}", plan.stdout);
        let output = |name: &str| {
            plan.outputs.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('=')).unwrap().to_owned()
        };
        let (how, root) = (output("how"), output("root"));
        inputs.extend([("LEASE_GUARD_HOW", how.as_str()), ("LEASE_GUARD_ROOT", &root)]);
        let ran = step(&workspace, "install.sh", &inputs);
        if ran.status != 0 {
            return (plan, Err(ran));
        }
        let binary = ran.outputs.trim().strip_prefix("binary=").unwrap();
        let said = Command::new(binary).output().unwrap();
        (plan, Ok(ran.stdout + &String::from_utf8(said.stdout).unwrap()))
    }
}

#[test]
fn a_release_is_downloaded_where_its_digest_is_the_one_that_the_commit_pins() {
    let (plan, said) = Release::new().installed(&LINUX);
    assert!(plan.outputs.starts_with("how=download\n"), "{}", plan.outputs);
    assert_eq!(said.unwrap(), "prebuilt\n");
}

#[test]
fn another_archive_than_the_pinned_one_is_refused_and_nothing_of_it_is_unpacked() {
    let release = Release::new();
    release.shell(&format!("printf x >> {ARCHIVE}"));
    let (_, said) = release.installed(&LINUX);
    let ran = said.expect_err("it is refused");
    assert_eq!(ran.status, 2);
    assert!(ran.stdout.starts_with("::error::") && ran.stdout.contains("digest"), "{}", ran.stdout);
    assert!(!release.folder.path().join("runner/lease-guard/bin/cargo-lease-guard").exists());
}

#[test]
fn without_a_prebuilt_binary_it_is_built_once_for_the_same_sources() {
    let release = Release::new();
    let key = |plan: &Ran| plan.outputs.lines().find(|line| line.starts_with("key=")).unwrap().to_owned();
    // No archive for such a machine.
    let (plan, said) = release.installed(&[("RUNNER_OS", "Linux"), ("RUNNER_ARCH", "ARM")]);
    assert!(plan.outputs.starts_with("how=build\n"), "{}", plan.outputs);
    assert_eq!(said.unwrap(), "built\n");
    // No release: the commit is one of the main branch.
    release.shell("rm action/release.txt");
    let (plan, said) = release.installed(&LINUX);
    assert!(plan.outputs.starts_with("how=build\n") && key(&plan).len() > 70, "{}", plan.outputs);
    assert_eq!(said.unwrap(), "built\n");
    // What the cache brought is not built again; the key follows the sources.
    release.program("cargo", "exit 1\n");
    let (again, said) = release.installed(&LINUX);
    assert_eq!(said.unwrap(), "built\n");
    assert_eq!(key(&again), key(&plan));
    release.shell("echo >> src/lib.rs");
    assert_ne!(key(&release.installed(&LINUX).0), key(&plan));
}

#[test]
fn a_download_that_fails_is_told_and_the_binary_is_built() {
    let release = Release::new();
    release.program("curl", "exit 6\n");
    let (_, said) = release.installed(&LINUX);
    let said = said.unwrap();
    assert!(said.starts_with("::warning::") && said.ends_with("built\n"), "{said}");
}

#[test]
fn only_digests_of_archives_are_pinned() {
    let release = Release::new();
    let line = format!("{}  {ARCHIVE}", "a".repeat(64));
    for (base, sums, accepted) in [
        (BASE, line.clone(), true),
        ("http://github.invalid/r", line.clone(), false),
        (BASE, String::new(), false),
        (BASE, format!("{line}\n{}  ../../x.tar.gz", "b".repeat(64)), false),
        (BASE, line.replacen("aa", "g", 1), false),
    ] {
        write(&release.folder.path().join("sums"), format!("{sums}\n").trim_start());
        let said =
            Command::new("bash").args(["action/release.sh", base, "sums"]).current_dir(release.folder.path()).output();
        assert_eq!(said.unwrap().status.success(), accepted, "{base} {sums}");
    }
}

#[test]
fn what_a_release_packs_is_what_it_installs() {
    let release = Release::new();
    for file in ["LICENSE-APACHE", "LICENSE-MIT", "README.md"] {
        write(&release.folder.path().join(file), file);
    }
    release.program(
        "cargo",
        "while [ \"$1\" != --target ]; do shift; done\nmkdir -p target/$2/dist\ncp packed/cargo-lease-guard target/$2/dist\n",
    );
    let path = "PATH=$PWD/programs:$PATH";
    let target = ARCHIVE.trim_start_matches("cargo-lease-guard-").trim_end_matches(".tar.gz");
    release.shell(&format!("unset CARGO_TARGET_DIR; {path} bash action/archive.sh {target} dist && cp dist/{ARCHIVE} . && sha256sum -- *.tar.gz > SHA256SUMS"));
    release.shell(&format!("bash action/release.sh {BASE} SHA256SUMS"));
    let (plan, said) = release.installed(&LINUX);
    assert!(plan.outputs.starts_with("how=download\n"), "{}", plan.outputs);
    assert_eq!(said.unwrap(), "prebuilt\n");
    assert!(release.folder.path().join("runner/lease-guard/bin/LICENSE-MIT").is_file());
}
