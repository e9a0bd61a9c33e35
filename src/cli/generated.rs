//! What is generated from the definition of the command line: completion scripts and manual pages.
//! Both start from [`command`], so that no flag can be missing in them.

use std::io::{self, Write};

use clap::{Command, ValueHint, builder::PossibleValuesParser};
use clap_complete::{Shell, generate};
use clap_mangen::{
    Man,
    roff::{Roff, roman},
};

use super::command;

/// The binary's own name, which is also that of the manual page.
const BINARY: &str = "cargo-lease-guard";

/// What completes `cargo lease-guard` by what completes the binary, where a script can do so without
/// taking cargo's own completion away. zsh needs none: its completion of cargo looks for a function of
/// the name that the generated one has.
const BELOW_CARGO: [(Shell, &str); 2] =
    [(Shell::Bash, include_str!("below_cargo.bash")), (Shell::Fish, include_str!("below_cargo.fish"))];

/// Writes the completion script of a shell. `formats` as for [`command`]; `lints` are the lints' names.
///
/// # Errors
/// Those of the writer.
pub fn completions(
    shell: Shell,
    formats: &[&'static str],
    lints: &[&'static str],
    out: &mut dyn Write,
) -> io::Result<()> {
    let known = PossibleValuesParser::new(lints.iter().copied());
    let command = suggesting(command(formats), &known);
    let mut command = command.mut_subcommands(|sub| suggesting(sub, &known));
    // The generator panics where a writer fails, so it is given one that does not. For bash it writes a hyphen
    // in the name now in one way and now in another, and so is given a name without.
    let name = if shell == Shell::Bash { BINARY.replace('-', "_") } else { BINARY.to_owned() };
    let mut script = Vec::new();
    generate(shell, &mut command, name.clone(), &mut script);
    let script = String::from_utf8_lossy(&script).replace(&format!(" {name}\n"), &format!(" {BINARY}\n"));
    out.write_all(script.as_bytes())?;
    match BELOW_CARGO.iter().find(|(below, _)| *below == shell) {
        Some((_, more)) => write!(out, "\n{more}"),
        None => Ok(()),
    }
}

/// With the names of lints and the flags that take a file. The parser of a run takes any name of a lint, and
/// tells of a slip in its own words.
fn suggesting(command: Command, lints: &PossibleValuesParser) -> Command {
    command.mut_args(|arg| match arg.get_id().as_str() {
        "lint" | "deny" | "warn" | "allow" => arg.value_parser(lints.clone()),
        "rules" | "output" | "manifest_path" => arg.value_hint(ValueHint::FilePath),
        _ => arg,
    })
}

/// Writes the manual page of a subcommand, or that of all. `formats` as for [`command`].
///
/// # Errors
/// Those of the writer; `NotFound` where there is no such subcommand.
pub fn manual(subcommand: Option<&str>, formats: &[&'static str], out: &mut dyn Write) -> io::Result<()> {
    let mut all = command(formats);
    all.build();
    let (page, usage) = match subcommand {
        None => (all, "cargo lease-guard [OPTIONS] [COMMAND]".to_owned()),
        Some(name) => {
            let found = all.find_subcommand(name).ok_or(io::ErrorKind::NotFound)?.clone();
            let operands: String = found
                .get_positionals()
                .map(|operand| format!("{} {operand}", if operand.is_last_set() { " --" } else { "" }))
                .collect();
            (found, format!("cargo lease-guard {name} [OPTIONS]{operands}"))
        }
    };
    let behind = page.get_after_help().map(ToString::to_string).unwrap_or_default();
    let man = Man::new(page.override_usage(usage).subcommand_help_heading("COMMANDS"));
    // The generator leaves an empty date out, and what follows would be taken for one.
    let title = [Some(BINARY), subcommand].into_iter().flatten().collect::<Vec<_>>().join("-").to_uppercase();
    writeln!(out, ".TH \"{title}\" 1 \"\" \"{BINARY} {}\"", env!("CARGO_PKG_VERSION"))?;
    man.render_name_section(out)?;
    man.render_synopsis_section(out)?;
    man.render_description_section(out)?;
    man.render_options_section(out)?;
    if subcommand.is_none() {
        man.render_subcommands_section(out)?;
    }
    // Behind the options stand texts in paragraphs, which the generator would run together.
    sections(&behind).to_writer(out)
}

/// A paragraph that begins with a title (`Examples:`) is a section, its lines as they are; others are notes.
fn sections(text: &str) -> Roff {
    let mut roff = Roff::new();
    let mut in_notes = false;
    for paragraph in text.split("\n\n") {
        match paragraph.split_once(":\n") {
            Some((title, lines)) if !title.contains('\n') => {
                roff.control("SH", [title.to_uppercase().as_str()]).control("nf", []);
                for line in lines.lines() {
                    roff.text([roman(line)]);
                }
                roff.control("fi", []);
                in_notes = false;
            }
            _ => {
                match in_notes {
                    true => roff.control("PP", []),
                    false => roff.control("SH", ["NOTES"]),
                };
                for line in paragraph.lines() {
                    roff.text([roman(line)]);
                }
                in_notes = true;
            }
        }
    }
    roff
}
