//! Nothing of the checked workspace is executed, and nothing in it is written but a missing Cargo.lock.
//!
//! Each trap is a program that leaves a mark when it runs. It is first shown to be live, by calling
//! cargo itself in the trapped workspace; then the check runs there, and no mark may appear.
#![cfg(unix)]

use std::{
    collections::BTreeMap,
    fs,
    io::{Read, Write},
    net::TcpListener,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    thread,
};

use walkdir::WalkDir;

use super::{
    fixtures,
    gate::{gate, json, run, scrubbed},
    workspace::{Workspace, write},
};

const MANIFEST: &str = "[package]\nname = \"ferry\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\ntokio-postgres = \"0.7\"\n";

/// A workspace with a dependency from a replaced source, and a program that leaves a mark.
struct Trapped {
    workspace: Workspace,
    outside: Workspace,
}

impl Trapped {
    fn new() -> Self {
        let workspace = fixtures::workspace([
            ("Cargo.toml", MANIFEST),
            (
                "lease-guard.toml",
                "[[lease]]\nname = \"captain\"\nmodules = [\"ferry::watch\"]\ncoordinators = [\"tokio-postgres\"]\n",
            ),
            ("src/lib.rs", "pub mod watch;\n"),
            ("src/watch.rs", "pub fn holder(_: &tokio_postgres::Client) -> u32 {\n    1\n}\n"),
            // Where this folder stands, cargo metadata would keep what it learnt of rustc in it.
            ("target/CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55\n"),
        ]);
        let trapped = Self { workspace, outside: Workspace::empty() };
        // Does what it was called for where it wraps a program, so that cargo goes on.
        trapped.program("trap", "case \"$1\" in */rustc) exec \"$@\";; esac\nexec rustc \"$@\"\n");
        trapped
    }

    fn path(&self) -> PathBuf {
        self.workspace.path()
    }

    fn mark(&self) -> PathBuf {
        self.outside.path().join("mark")
    }

    /// A script outside of the workspace's own tree that leaves the mark and goes on with `then`.
    fn program(&self, name: &str, then: &str) -> PathBuf {
        let path = self.outside.path().join(name);
        write(&path, format!("#!/bin/sh\necho \"$0\" >> '{}'\n{then}", self.mark().display()));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    fn configure(&self, path: &str, text: &str) {
        let path = self.path().join(path);
        let before = fs::read_to_string(&path).unwrap_or_default();
        write(&path, format!("{text}\n{before}"));
    }

    /// Whether cargo itself, called here, springs the trap.
    fn is_live(&self) -> bool {
        let mut cargo = scrubbed("cargo");
        cargo.env_remove("RUSTUP_TOOLCHAIN").args(["metadata", "--format-version", "1"]).current_dir(self.path());
        run(&mut cargo);
        let live = self.mark().exists();
        let _ = fs::remove_file(self.mark());
        let _ = fs::remove_file(self.path().join("Cargo.lock"));
        live
    }

    fn check(&self) {
        let said = run(gate(&self.path()).args(["--format", "json"]).env_remove("RUSTUP_TOOLCHAIN"));
        let mark = fs::read_to_string(self.mark()).unwrap_or_default();
        assert!(mark.is_empty(), "the check ran {mark}{said:?}");
        assert_eq!(said.code, Some(0), "{said:?}");
    }
}

fn trap(path: &str, text: impl Fn(&Path) -> String) {
    let trapped = Trapped::new();
    trapped.configure(path, &text(&trapped.outside.path()));
    assert!(trapped.is_live(), "the trap in {path} is dead, so nothing is tested");
    trapped.check();
}

#[test]
fn no_compiler_of_the_workspace() {
    trap(".cargo/config.toml", |out| format!("[build]\nrustc = \"{}/trap\"", out.display()));
}

#[test]
fn no_wrapper_of_the_compiler() {
    trap(".cargo/config.toml", |out| format!("[build]\nrustc-wrapper = \"{}/trap\"", out.display()));
    trap(".cargo/config.toml", |out| format!("[build]\nrustc-workspace-wrapper = \"{}/trap\"", out.display()));
}

#[test]
fn no_wrapper_of_an_included_configuration() {
    let trapped = Trapped::new();
    trapped.configure(".cargo/config.toml", "include = [\"more.toml\"]");
    let wrapper = format!("[build]\nrustc-wrapper = \"{}/trap\"", trapped.outside.path().display());
    trapped.configure(".cargo/more.toml", &wrapper);
    assert!(trapped.is_live(), "this cargo does not follow `include`, so nothing is tested");
    trapped.check();
}

#[test]
fn no_library_of_the_environment_table() {
    let trapped = Trapped::new();
    let source = format!(
        "#include <stdio.h>\n__attribute__((constructor)) static void mark(void) {{\n    FILE *f = fopen(\"{}\", \"a\");\n    if (f) {{ fputs(\"preload\\n\", f); fclose(f); }}\n}}\n",
        trapped.mark().display()
    );
    let (c, library) = (trapped.outside.path().join("mark.c"), trapped.outside.path().join("mark.so"));
    write(&c, source);
    // rustc links with cc, so it is there wherever these tests were built.
    let built = run(scrubbed("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&c));
    assert_eq!(built.code, Some(0), "{built:?}");
    let key = if cfg!(target_os = "macos") { "DYLD_INSERT_LIBRARIES" } else { "LD_PRELOAD" };
    trapped.configure(
        ".cargo/config.toml",
        &format!("[env]\n{key} = {{ value = \"{}\", force = true }}", library.display()),
    );
    assert!(trapped.is_live(), "the library was not loaded, so nothing is tested");
    trapped.check();
}

#[test]
fn no_toolchain_given_by_a_path() {
    let trapped = Trapped::new();
    for program in ["cargo", "rustc"] {
        trapped.program(&format!("toolchain/bin/{program}"), "exit 1\n");
    }
    let toolchain = format!("[toolchain]\npath = \"{}/toolchain\"", trapped.outside.path().display());
    trapped.configure("rust-toolchain.toml", &toolchain);
    if !trapped.is_live() {
        println!("cargo is not called through rustup here: there is no toolchain file to heed");
        return;
    }
    trapped.check();
}

#[test]
fn no_credential_helper() {
    // A registry that wants to know who asks. Cargo then runs the helper that the workspace names.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (mut stream, mut request) = (stream, [0; 4096]);
            let _ = stream.read(&mut request);
            let _ = stream.write_all(b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        }
    });
    let trapped = Trapped::new();
    let helper = trapped.program("helper", "exit 1\n");
    trapped.configure(
        ".cargo/config.toml",
        &format!(
            "[registries.private]\nindex = \"sparse+http://127.0.0.1:{port}/\"\ncredential-provider = [\"{}\"]",
            helper.display()
        ),
    );
    write(
        &trapped.path().join("Cargo.toml"),
        format!("{MANIFEST}secret = {{ version = \"1\", registry = \"private\" }}\n"),
    );
    assert!(trapped.is_live(), "cargo did not ask the helper, so nothing is tested");
    let said = run(gate(&trapped.path()).env_remove("RUSTUP_TOOLCHAIN"));
    assert!(!trapped.mark().exists(), "the check ran the helper: {said:?}");
    assert_eq!(said.code, Some(2), "{said:?}");
}

#[test]
fn no_build_script_and_no_procedural_macro() {
    let trapped = Trapped::new();
    let mark = trapped.mark().display().to_string();
    let spring = format!("std::fs::write({mark:?}, \"ran\").unwrap();");
    write(&trapped.path().join("build.rs"), format!("fn main() {{ {spring} }}\n"));
    write(
        &trapped.path().join("derive/Cargo.toml"),
        "[package]\nname = \"derive\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[lib]\nproc-macro = true\n",
    );
    write(
        &trapped.path().join("derive/src/lib.rs"),
        format!(
            "extern crate proc_macro;\n#[proc_macro]\npub fn spring(t: proc_macro::TokenStream) -> proc_macro::TokenStream {{ {spring} t }}\n"
        ),
    );
    write(&trapped.path().join("Cargo.toml"), format!("{MANIFEST}derive = {{ path = \"derive\" }}\n"));
    trapped.check();
}

#[test]
fn nothing_is_written_but_a_missing_lock() {
    let trapped = Trapped::new();
    let before = tree(&trapped.path());
    let first = json(&trapped.path());
    assert_eq!(first.code, Some(0), "{first:?}");
    let mut after = tree(&trapped.path());
    let lock = after.remove("Cargo.lock");
    assert!(lock.is_some(), "cargo writes a missing lock; the report must not claim that it did");
    assert_eq!(before, after, "the check wrote into the workspace");
    assert!(first.stdout.contains("Cargo.lock"), "the report does not say that a lock was written: {first:?}");

    let second = json(&trapped.path());
    assert_eq!(tree(&trapped.path()).remove("Cargo.lock"), lock);
    assert!(!second.stdout.contains("Cargo.lock"), "nothing was written this time: {second:?}");
}

fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = WalkDir::new(folder).into_iter().map(Result::unwrap).filter(|entry| entry.file_type().is_file());
    files
        .map(|entry| {
            let path = entry.path().strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
            (path, fs::read(entry.path()).unwrap())
        })
        .collect()
}
