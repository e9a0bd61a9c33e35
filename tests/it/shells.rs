//! Completions in the shells themselves, and the manual page before the programs that print it.

use std::{fs, path::PathBuf};

use super::{
    gate::{Said, gate, run, scrubbed},
    tools::{fed, program, script},
    workspace::Workspace,
};

fn completions(shell: &str) -> String {
    let said = run(gate(&Workspace::empty().path()).args(["completions", shell]));
    assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""), "{shell}: {said:?}");
    assert!(!said.stdout.contains('\u{1b}'), "{shell}");
    said.stdout
}

/// The script of a shell in a file, under the name that the shell looks for.
fn in_a_file(shell: &str, name: &str) -> (Workspace, PathBuf) {
    let workspace = Workspace::empty().file(name, completions(shell));
    let path = workspace.path().join(name);
    (workspace, path)
}

/// Where the toolchain keeps cargo's own completions.
fn of_cargo(path: &str) -> Option<PathBuf> {
    let sysroot = run(scrubbed("rustc").args(["--print", "sysroot"]));
    let path = PathBuf::from(sysroot.stdout.trim()).join(path);
    if !path.is_file() {
        println!("{} is not there: cargo's own completion was not looked at", path.display());
    }
    path.is_file().then_some(path)
}

fn ok(said: Said) -> String {
    assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""), "{said:?}");
    said.stdout
}

/// Asks bash as its readline does: the function that `complete` has on record, with the words before it.
const ASK: &str = r#"
ask() {
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE} COMPREPLY=()
    [[ $(complete -p "$1") =~ -F\ ([^ ]+) ]] || echo "nothing completes $1"
    "${BASH_REMATCH[1]}" "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}" || true
    echo "${COMPREPLY[@]}"
}
"#;

#[test]
fn bash_completes_the_binary_and_the_subcommand_of_cargo() {
    let (_workspace, file) = in_a_file("bash", "cargo-lease-guard");
    let Some(mut bash) = program("bash", "bash") else { return };
    let asks = "
        ask cargo-lease-guard expl
        ask cargo-lease-guard explain held
        ask cargo-lease-guard check --manif
        ask cargo-lease-guard check --format sa
        ask cargo-lease-guard -D client-
        ask cargo-lease-guard man can
        ask cargo lease-guard expl
        ask cargo lease-guard check --format sa";
    let expected = "explain\nheld-client\n--manifest-path\nsarif\nclient-clock\ncanary\nexplain\nsarif\n";
    let text = format!("source '{}'\n{ASK}\n{asks}\n", file.display());
    assert_eq!(ok(run(bash.args(["--norc", "-c", &text]))), expected);

    // cargo's own goes on, whether it was there before or is found later, as bash-completion does.
    let later = "_completion_loader() { complete -F _its_own cargo; return 124; }";
    for before in ["complete -F _its_own cargo", later] {
        let text = format!(
            "_its_own() {{ COMPREPLY=(build); }}\n{before}\nsource '{}'\n{ASK}\nask cargo bui\nask cargo lease-guard expl\nask cargo bui\n",
            file.display()
        );
        assert_eq!(ok(run(scrubbed("bash").args(["--norc", "-c", &text]))), "build\nexplain\nbuild\n", "{before}");
    }
}

/// Types a line and TAB into an interactive zsh, and reads the line that comes of it.
const TYPED: &str = r#"
zmodload zsh/zpty
for line in "$@"; do
    zpty typed zsh -f -i
    zpty -w typed "PS1=; fpath=($FOLDERS \$fpath); autoload -Uz compinit; compinit -u -D; setopt no_auto_menu no_list_beep"
    zpty -w typed 'typed() { print -r -- "<""<$BUFFER>"">"; BUFFER=; exit }; zle -N typed; bindkey "^]" typed'
    zpty -w -n typed "$line"$'\t\x1d'
    zpty -r typed out '*<<*>>*'
    out=${out##*<<}
    print -r -- "${out%%>>*}"
    zpty -d typed
done
"#;

#[test]
fn zsh_completes_the_binary_and_the_subcommand_of_cargo() {
    let (workspace, file) = in_a_file("zsh", "_cargo-lease-guard");
    let Some(mut zsh) = program("zsh", "zsh") else { return };
    assert_eq!(ok(run(zsh.arg("-n").arg(&file))), "");
    let mut folders = format!("'{}'", workspace.path().display());
    let mut lines = vec![
        ("cargo-lease-guard expl", "cargo-lease-guard explain "),
        ("cargo-lease-guard explain held", "cargo-lease-guard explain held-client "),
        ("cargo-lease-guard check --manif", "cargo-lease-guard check --manifest-path="),
        ("cargo-lease-guard check --format sa", "cargo-lease-guard check --format sarif "),
    ];
    if let Some(cargo) = of_cargo("share/zsh/site-functions/_cargo") {
        folders += &format!(" '{}'", cargo.parent().unwrap().display());
        lines.push(("cargo lease-guard expl", "cargo lease-guard explain "));
    }
    let mut zsh = scrubbed("zsh");
    zsh.args(["-f", "-c", TYPED, "zsh"]).args(lines.iter().map(|(typed, _)| typed)).env("FOLDERS", folders);
    zsh.env("TERM", "dumb").current_dir(workspace.path());
    let said = ok(run(&mut zsh));
    assert_eq!(said.lines().collect::<Vec<_>>(), lines.iter().map(|(_, line)| *line).collect::<Vec<_>>());
}

#[test]
fn fish_completes_the_binary_and_the_subcommand_of_cargo() {
    let (_workspace, file) = in_a_file("fish", "cargo-lease-guard.fish");
    let Some(mut fish) = program("fish", "fish") else { return };
    let asks = "
        complete -C 'cargo-lease-guard expl'
        complete -C 'cargo-lease-guard check --manif'
        complete -C 'cargo-lease-guard check --format sa'
        complete -C 'cargo lease-guard expl'
        complete -C 'cargo lease-guard check --format sa'";
    let text = ok(run(fish.args(["--no-config", "-c", &format!("source '{}'\n{asks}", file.display())])));
    let first: Vec<&str> = text.lines().filter_map(|line| line.split('\t').next()).collect();
    assert_eq!(first, ["explain", "--manifest-path", "sarif", "explain", "sarif"]);
}

#[test]
fn elvish_completes_the_binary() {
    let Some(mut elvish) = program("elvish", "elvish") else { return };
    // Without a terminal there is no editor to hand the completer to, so it is handed to a stand-in.
    let text = format!(
        "var edit: = (ns [&completion:=(ns [&arg-completer=[&]]) &complex-candidate~={{|stem &display=''| put $stem}}])\n\
         {}\nfor found [($edit:completion:arg-completer[cargo-lease-guard] cargo-lease-guard check '')] {{ echo $found }}\n",
        completions("elvish")
    );
    let said = ok(run(elvish.args(["-norc", "-c", &text])));
    assert!(said.lines().any(|line| line == "--manifest-path"), "{said}");
}

#[test]
fn powershell_is_powershell() {
    let Some(mut parser) = script("powershell.py") else { return };
    let text = completions("powershell");
    assert!(text.contains("'explain'") && text.contains("-CommandName 'cargo-lease-guard'"), "{text}");
    // The grammar does not know a method whose one argument is a block.
    let text = text.replace("$completions.Where{", "$completions | Where-Object {");
    assert_eq!(ok(fed(&mut parser, &text)), "ok\n");
    let broken = fed(&mut script("powershell.py").unwrap(), &text.replace("param(", "param)"));
    assert_eq!(broken.code, Some(1), "the parser looks: {broken:?}");
}

#[test]
fn the_manual_is_printed_without_a_complaint() {
    let nowhere = Workspace::empty();
    let help = run(gate(&nowhere.path()).arg("--help")).stdout;
    let (_, commands) = help.split_once("Commands (default: check):\n").expect("the help lists the commands");
    let commands: Vec<&str> = commands
        .lines()
        .take_while(|line| line.starts_with("  "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|command| *command != "help")
        .collect();
    assert!(commands.len() >= 9 && commands.contains(&"man"), "{commands:?}");
    for page in [None].into_iter().chain(commands.iter().copied().map(Some)) {
        let said = run(gate(&nowhere.path()).arg("man").args(page));
        assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""), "{said:?}");
        let path = nowhere.path().join("page.1");
        fs::write(&path, &said.stdout).unwrap();
        let Some(mut groff) = program("groff", "groff-base") else { return };
        let shown = ok(run(groff.args(["-man", "-ww", "-Tascii", "-P-cbou"]).arg(&path)));
        for section in ["NAME", "SYNOPSIS", "DESCRIPTION"] {
            assert!(shown.contains(section), "{page:?}: {shown}");
        }
        match page {
            None => {
                assert!(shown.contains("EXIT STATUS") && shown.contains("EXAMPLES"), "{shown}");
                let named = |command: &&str| shown.contains(&format!("cargo-lease-guard-{command}(1)"));
                assert!(commands.iter().all(named), "{shown}");
            }
            Some(command) => assert!(shown.contains(&format!("cargo lease-guard {command}")), "{shown}"),
        }
        let Some(mut mandoc) = program("mandoc", "mandoc") else { return };
        let said: Said = run(mandoc.args(["-T", "lint", "-W", "warning"]).arg(&path));
        // A page of a version that has no day yet has no date.
        let complaints: Vec<&str> = said.stdout.lines().filter(|line| !line.contains("missing date")).collect();
        assert!(complaints.is_empty(), "{page:?}: {complaints:?}");
    }
}
