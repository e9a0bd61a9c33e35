//! Cargo is really called, on workspaces that try to have something run. Each trap is first seen to
//! snap when cargo is called plainly, so that a trap that has gone blunt is noticed.

use std::{
    io::{Read, Write},
    net::TcpListener,
    process::Command,
};

use super::*;
use crate::project::{ProjectError, Workspace, testing::Place};

const MARK: &str = "#!/bin/sh\necho \"$@\" >> {root}/snapped\nexec \"$@\"\n";
const MANIFEST: &str = "[package]\nname = 'w'\nversion = '0.1.0'\nedition = '2021'\n";

fn place() -> Place {
    Place::new(&[("w/Cargo.toml", MANIFEST), ("w/src/lib.rs", ""), ("mark.sh", MARK)])
}

/// Calls cargo as a user would, in the workspace.
fn plainly(place: &Place, variables: &[(&str, &str)]) {
    let mut command = Command::new("cargo");
    command.args(["metadata", "--format-version=1"]).current_dir(place.root.join("w"));
    for name in ["CARGO", "RUSTUP_TOOLCHAIN", "RUSTUP_TOOLCHAIN_SOURCE", "RUSTC", "RUSTC_WRAPPER", "CARGO_NET_OFFLINE"]
    {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied()).output().expect("cargo runs");
}

fn snaps_plainly_and_not_for_us(name: &str, config: &str) {
    for by_include in [false, true] {
        let place = place();
        if by_include {
            place.write("w/.cargo/config.toml", "include = [{ path = 'more/inc.toml', optional = true }]\n");
            place.write("w/.cargo/more/inc.toml", config);
        } else {
            place.write("w/.cargo/config.toml", config);
        }
        let text = place.metadata("w", &CargoOptions::default()).expect("metadata");
        assert!(text.json.contains("\"name\":\"w\""));
        assert!(!place.has("snapped"), "{name} ran (by include: {by_include})");
        plainly(&place, &[]);
        assert!(place.has("snapped"), "the trap {name} is blunt (by include: {by_include})");
    }
}

#[cfg(unix)]
#[test]
fn no_wrapper_and_no_rustc_of_the_workspace_runs() {
    snaps_plainly_and_not_for_us("rustc-wrapper", "[build]\nrustc-wrapper = '{root}/mark.sh'\n");
    snaps_plainly_and_not_for_us("rustc-workspace-wrapper", "[build]\nrustc-workspace-wrapper = '{root}/mark.sh'\n");
    snaps_plainly_and_not_for_us("rustc", "[build]\nrustc = '{root}/mark.sh'\n");
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_is_preloaded() {
    let source = "#[used]\n#[unsafe(link_section = \".init_array\")]\nstatic START: extern \"C\" fn() = {\n\
                  extern \"C\" fn start() { let _ = std::fs::write(env!(\"SNAPPED\"), \"\"); }\nstart };\n";
    let built = Place::new(&[("trap.rs", source)]);
    let library = built.root.join("trap.so");
    for by_include in [false, true] {
        let place = place();
        let status = Command::new("rustc")
            .args([
                "--edition=2024",
                "--crate-type=cdylib",
                "-o",
                library.as_str(),
                built.root.join("trap.rs").as_str(),
            ])
            .env("SNAPPED", place.root.join("snapped"))
            .status();
        assert!(status.is_ok_and(|status| status.success()), "the trap is built");
        let config = format!("[env]\nLD_PRELOAD = {{ value = '{library}', force = true }}\n");
        let file = if by_include { "w/.cargo/inc.toml" } else { "w/.cargo/config.toml" };
        place.write("w/.cargo/config.toml", "include = ['inc.toml']\n");
        place.write(file, &config);
        place.metadata("w", &CargoOptions::default()).expect("metadata");
        assert!(!place.has("snapped"), "the library was loaded (by include: {by_include})");
        plainly(&place, &[]);
        assert!(place.has("snapped"), "the trap is blunt (by include: {by_include})");
    }
}

#[cfg(unix)]
#[test]
fn no_toolchain_of_the_workspace_runs() {
    let place = place();
    place.write("w/rust-toolchain.toml", "[toolchain]\npath = '{root}/tools'\n");
    for tool in ["cargo", "rustc"] {
        place.write("mark.sh", "#!/bin/sh\ntouch {root}/snapped\n");
        std::fs::create_dir_all(place.root.join("tools/bin")).expect("a folder");
        std::fs::copy(place.root.join("mark.sh"), place.root.join("tools/bin").join(tool)).expect("a copy");
    }
    place.metadata("w", &CargoOptions::default()).expect("metadata");
    assert!(!place.has("snapped"));
    // As rustup calls us in such a workspace.
    let tools = place.root.join("tools");
    let called = Place::environment()
        .with("CARGO", Some(tools.join("bin/cargo").as_str()))
        .with("RUSTUP_TOOLCHAIN", Some(tools.as_str()))
        .with("RUSTUP_TOOLCHAIN_SOURCE", Some("toolchain-file"));
    place.metadata_in(called, "w", &CargoOptions::default()).expect("metadata");
    assert!(!place.has("snapped"));
    let rustup = Command::new("rustup").arg("--version").output().is_ok_and(|output| output.status.success());
    if rustup {
        plainly(&place, &[]);
        assert!(place.has("snapped"), "the trap is blunt");
    }
}

#[cfg(unix)]
#[test]
fn no_credential_helper_of_the_workspace_runs() {
    let server = TcpListener::bind("127.0.0.1:0").expect("a port");
    let index = format!("sparse+http://{}/", server.local_addr().expect("an address"));
    std::thread::spawn(move || {
        for stream in server.incoming() {
            let Ok(mut stream) = stream else { return };
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(b"HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
        }
    });
    let helpers = [
        "[registries.ours]\nindex = '{index}'\ncredential-provider = ['{root}/mark.sh']\n",
        "[registries.ours]\nindex = '{index}'\n[registry]\nglobal-credential-providers = ['{root}/mark.sh']\n",
    ];
    for config in helpers {
        for file in ["w/.cargo/config.toml", "w/.cargo/inc.toml"] {
            let place = place();
            place.write(
                "w/Cargo.toml",
                &format!("{MANIFEST}[dependencies]\na = {{ version = '1', registry = 'ours' }}\n"),
            );
            place.write("w/.cargo/config.toml", "include = ['inc.toml']\n");
            place.write(file, &config.replace("{index}", &index));
            let online = Place::environment().with("CARGO_NET_OFFLINE", None);
            let error = place.metadata_in(online, "w", &CargoOptions::default()).expect_err("nobody is let in");
            assert!(error.help().contains("asks for credentials"), "the registry was asked: {error}");
            assert!(!place.has("snapped"), "the helper ran: {file}: {config}");
            plainly(&place, &[]);
            assert!(place.has("snapped"), "the trap is blunt: {file}: {config}");
        }
    }
}

#[test]
fn an_alias_in_front_of_the_command_is_refused() {
    let place = place();
    place.write("w/.cargo/config.toml", "[alias]\nlease-guard = 'version'\n");
    let error = place.metadata("w", &CargoOptions::default()).expect_err("an alias");
    assert!(matches!(error, ProjectError::Alias { .. }), "{error}");
}

#[cfg(unix)]
#[test]
fn a_home_inside_the_repository_is_not_trusted() {
    let place = place();
    place.write("w/.git/HEAD", "");
    place.write("w/Cargo.toml", &format!("{MANIFEST}[dependencies]\na = '1'\n"));
    place.write("w/.cargo/config.toml", &format!("[build]\nrustc-wrapper = '{{root}}/mark.sh'\n{}", Place::VENDORED));
    place.vendor("a", "1.0.0", "");
    std::fs::rename(place.root.join("vendor"), place.root.join("w/vendor")).expect("moved");
    let home = place.root.join("w/.cargo");
    let environment = Place::environment().with("CARGO_HOME", Some(home.as_str()));
    let text = place.metadata_in(environment, "w", &CargoOptions::default()).expect("metadata");
    assert!(text.json.contains("\"name\":\"a\""), "its source replacement holds");
    assert!(!place.has("snapped"));
    plainly(&place, &[("CARGO_HOME", home.as_str())]);
    assert!(place.has("snapped"), "the trap is blunt");
}

#[test]
fn source_replacement_patches_and_registries_still_work() {
    let place = place();
    place.write(
        "w/Cargo.toml",
        &format!("{MANIFEST}[dependencies]\na = '1'\nb = '1'\nc = {{ version = '1', registry = 'ours' }}\n"),
    );
    place.write(
        "w/.cargo/config.toml",
        "[source.crates-io]\nreplace-with = 'vendored'\n[source.vendored]\ndirectory = '../vendor'\n\
         [registries.ours]\nindex = 'sparse+http://127.0.0.1:1/'\n[source.ours]\nregistry = 'sparse+http://127.0.0.1:1/'\n\
         replace-with = 'vendored'\n[patch.crates-io]\nb = { path = '../b' }\n",
    );
    for name in ["a", "c"] {
        place.vendor(name, "1.0.0", "");
    }
    place.write("b/Cargo.toml", "[package]\nname = 'b'\nversion = '1.2.3'\nedition = '2021'\n");
    place.write("b/src/lib.rs", "");
    let (text, workspace) = place.workspace("w");
    let seen: Vec<_> = workspace.packages.iter().map(|p| format!("{} {} {}", p.name, p.version, p.local)).collect();
    assert_eq!(seen, ["a 1.0.0 false", "b 1.2.3 true", "c 1.0.0 false", "w 0.1.0 true"]);
    assert_eq!(text.notes, ["there was no Cargo.lock: cargo wrote one, as it does for every command"]);
    // The lock file holds from now on, and nothing else was written.
    let mut entries: Vec<_> = std::fs::read_dir(place.root.join("w"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
        .collect();
    entries.sort();
    assert_eq!(entries, [".cargo", "Cargo.lock", "Cargo.toml", "src"]);
    assert!(place.metadata("w", &CargoOptions::default()).expect("again").notes.is_empty());
}

#[test]
fn the_target_folder_is_the_one_that_the_workspaces_own_cargo_would_take() {
    let place = place();
    place.write("home/config.toml", "[build]\ntarget-dir = 'of-home'\n");
    let home = place.root.join("home");
    let bare = || {
        let names = ["CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR"];
        names.into_iter().fold(Place::environment(), |environment, name| environment.with(name, None))
    };
    let target = |environment: Environment| {
        let text = place.metadata_in(environment, "w", &CargoOptions::default()).expect("metadata");
        Workspace::read(&text, &|_| None).expect("a workspace").target
    };
    assert_eq!(target(bare()), place.root.join("w/target"));
    let at_home = || bare().with("CARGO_HOME", Some(home.as_str()));
    assert_eq!(target(at_home()), place.root.join("of-home"));
    place.write("w/.cargo/config.toml", "[build]\ntarget-dir = 'of-workspace'\n");
    assert_eq!(target(at_home()), place.root.join("w/of-workspace"));
    let set = at_home().with("CARGO_BUILD_TARGET_DIR", Some("/b")).with("CARGO_TARGET_DIR", Some("/a"));
    assert_eq!(target(set), "/a");
    assert_eq!(target(at_home().with("CARGO_BUILD_TARGET_DIR", Some("/b"))), "/b");
    assert!(!place.has("w/target") && !place.has("w/of-workspace"), "nothing is written there");
}

#[test]
fn a_stale_lock_is_an_error_that_says_what_to_do() {
    let place = place();
    place.metadata("w", &CargoOptions::default()).expect("a lock is written");
    place.write("w/Cargo.toml", &format!("{MANIFEST}[dependencies]\nb = {{ path = '../b' }}\n"));
    place.write("b/Cargo.toml", "[package]\nname = 'b'\nversion = '1.2.3'\nedition = '2021'\n");
    place.write("b/src/lib.rs", "");
    let error = place.metadata("w", &CargoOptions::default()).expect_err("stale");
    assert!(error.to_string().contains("--locked"), "{error}");
    assert!(error.help().contains("cargo update"), "{}", error.help());
}

#[cfg(unix)]
#[test]
fn a_lock_that_cannot_be_written_is_an_error_that_says_what_to_do() {
    let place = place();
    std::os::unix::fs::symlink("/nonexistent/Cargo.lock", place.root.join("w/Cargo.lock")).expect("a link");
    let error = place.metadata("w", &CargoOptions::default()).expect_err("it cannot be written");
    assert!(error.help().contains("read-only"), "{error}\n{}", error.help());
}

#[test]
fn a_broken_manifest_is_named_by_its_path() {
    let place = place();
    place.write("w/Cargo.toml", "[workspace]\nmembers = ['m']\n");
    place.write("w/m/Cargo.toml", "[package\n");
    let error = place.metadata("w", &CargoOptions::default()).expect_err("broken");
    let path = place.root.join("w/m/Cargo.toml");
    assert!(error.to_string().contains(&format!("--> {path}:1:")), "{error}");
}

#[test]
fn what_is_not_cached_is_an_error_that_says_what_to_do() {
    let place = place();
    place.write("w/Cargo.toml", &format!("{MANIFEST}[dependencies]\nno-such-crate-of-ours = '1'\n"));
    let offline = CargoOptions { offline: true, ..CargoOptions::default() };
    let error = place.metadata("w", &offline).expect_err("not cached");
    assert!(error.to_string().contains("no-such-crate-of-ours"), "{error}");
    assert!(error.help().contains("cargo fetch"), "{}", error.help());
}

#[test]
fn a_git_dependency_that_cannot_be_had_leads_to_no_deps() {
    let place = place();
    place.write(
        "w/Cargo.toml",
        &format!("{MANIFEST}[dependencies]\ngone = {{ git = 'file://{{root}}/gone' }}\nb = {{ path = '../b' }}\n"),
    );
    place.write("b/Cargo.toml", "[package]\nname = 'b'\nversion = '1.2.3'\n[dependencies]\nc = { path = '../c' }\n");
    place.write("c/Cargo.toml", "[package]\nname = 'c'\nversion = '1.0.0'\n[lib]\nname = 'sea'\n");
    place.write("b/src/lib.rs", "");
    place.write("c/src/lib.rs", "");
    let error = place.metadata("w", &CargoOptions::default()).expect_err("it is not there");
    assert!(error.help().contains("--no-deps"), "{error}\n{}", error.help());
    let no_deps = CargoOptions { no_deps: true, ..CargoOptions::default() };
    let text = place.metadata("w", &no_deps).expect("no graph is needed");
    let workspace = Workspace::read(&text, &|name| (name == "gone").then(|| "went".into())).expect("read");
    let seen: Vec<_> = workspace.packages.iter().map(|p| (p.name.as_str(), p.local, p.member)).collect();
    assert_eq!(seen, [("b", true, false), ("c", true, false), ("w", true, true)]);
    let names = |package: usize| workspace.packages[package].dependencies.iter().map(|d| d.extern_name.as_str());
    assert!(names(0).eq(["sea"]) && names(2).eq(["b", "went"]), "{workspace:?}");
    assert!(!place.has("w/Cargo.lock"));
}
