//! `markdown`: a page for a step summary or a comment.
//!
//! Whatever came from the workspace is written as text that no Markdown reader takes for markup:
//! all punctuation that could mean something goes out as a character reference. Backticks in our own
//! sentences become code.

use std::{
    fmt::Write as _,
    io::{self, Write},
};

use super::{
    chain, details,
    formats::{Format, Options},
    place::Place,
    summary,
};
use crate::{
    base::{Files, counted, visible},
    finding::{Finding, Problem, Report, Verdict},
};

pub(super) const FORMAT: Format = Format { name: "markdown", about: "a page for a step summary or a comment", render };

/// A step summary larger than 1 MiB is refused as a whole, so the page stops before that.
/// Source: the job summaries section of the GitHub Actions documentation on workflow commands.
const MOST_BYTES: usize = 900_000;

fn render(report: &Report, files: &Files, options: &Options<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "## lease-guard: {}\n", summary::verdict_words(report.verdict()))?;
    writeln!(out, "{}.\n", prose(&summary::verdict_sentence(report)))?;
    for problem in &report.errors {
        writeln!(out, "{}", problem_item(problem, files, options))?;
    }
    if !report.errors.is_empty() {
        writeln!(out)?;
    }
    findings(report, files, options, out)?;
    let remarks = summary::remarks(report, usize::MAX);
    for remark in &remarks {
        writeln!(out, "- {}", prose(remark))?;
    }
    if !remarks.is_empty() {
        writeln!(out)?;
    }
    writeln!(out, "Seen: {}.", prose(&summary::seen_sentence(report)))?;
    if report.verdict() == Verdict::CannotCheck {
        writeln!(out, "\n**This run could not check the workspace. It does not say that the lease path is clean.**")?;
    }
    Ok(())
}

fn findings(report: &Report, files: &Files, options: &Options<'_>, out: &mut dyn Write) -> io::Result<()> {
    if report.findings.is_empty() {
        return Ok(());
    }
    let (mut table, mut below) = (String::new(), String::new());
    let mut shown = 0;
    for finding in &report.findings {
        let (row, more) = (row(finding, files, options), evidence(finding, files, options));
        if table.len() + below.len() + row.len() + more.len() > MOST_BYTES {
            break;
        }
        table += &row;
        below += &more;
        shown += 1;
    }
    writeln!(out, "| level | lint | subject | place | what | lease |\n| --- | --- | --- | --- | --- | --- |\n{table}")?;
    if let more @ 1.. = report.findings.len() - shown {
        writeln!(out, "{} not shown: the page would be too long.\n", counted(more, "further finding"))?;
    }
    write!(out, "{below}")
}

fn row(finding: &Finding, files: &Files, options: &Options<'_>) -> String {
    let place = Place::of(finding.primary, files).within(options.prefix);
    format!(
        "| {} | {} | {} | {} | {} | {} |\n",
        finding.level.word(),
        code(finding.lint),
        code(&finding.subject),
        code(&place.point()),
        prose(&finding.message),
        prose(&finding.lease)
    )
}

/// The route, the chain and the advice, folded away.
fn evidence(finding: &Finding, files: &Files, options: &Options<'_>) -> String {
    let point = |span| code(&Place::of(span, files).within(options.prefix).point());
    let mut out = String::new();
    let mut steps = Vec::new();
    steps.extend(finding.route.iter().map(|hop| format!("{}: {}", point(hop.place), prose(&details::hop(hop)))));
    if !finding.route.is_empty() {
        let label = if finding.label.is_empty() { String::new() } else { format!(": {}", prose(&finding.label)) };
        steps.push(format!("arrives at {}{label}", point(finding.primary)));
    }
    for (number, step) in (1..).zip(steps) {
        let _ = writeln!(out, "{number}. {}", step);
    }
    let mut items: Vec<String> = Vec::new();
    items.extend(
        finding.also.iter().map(|also| format!("{}: {}", point(also.span), prose(details::also_label(&also.label)))),
    );
    if !finding.chain.is_empty() {
        items.push(format!("the dependency chain is {}", code(&chain::line(&finding.chain))));
    }
    items.extend(finding.notes.iter().map(|note| prose(note)));
    if !finding.help.is_empty() {
        items.push(format!("**Help:** {}", prose(&finding.help)));
    }
    if !out.is_empty() && !items.is_empty() {
        out.push('\n');
    }
    for item in items {
        let _ = writeln!(out, "- {item}");
    }
    if out.is_empty() {
        return out;
    }
    let place = point(finding.primary);
    format!(
        "<details><summary>{} {} at {place}</summary>\n\n{out}\n</details>\n\n",
        code(finding.lint),
        code(&finding.subject)
    )
}

fn problem_item(problem: &Problem, files: &Files, options: &Options<'_>) -> String {
    let place = problem.place.map(|span| Place::of(span, files).within(options.prefix).point());
    let place = place.map(|place| format!("{}: ", code(&place))).unwrap_or_default();
    let lines = problem.message.lines().chain(problem.help.lines());
    format!("- {place}{}", lines.map(prose).collect::<Vec<_>>().join("<br>"))
}

/// Text as code, whatever is in it.
fn code(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("<code>{}</code>", escape(text)) }
}

/// A sentence; what stands between two backticks becomes code.
pub(crate) fn prose(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return escape(text);
    }
    parts.iter().enumerate().map(|(at, part)| if at % 2 == 1 { code(part) } else { escape(part) }).collect()
}

/// Text on one line that holds no markup. Letters, digits, spaces and the punctuation that means
/// nothing inside a line stay; `www.` alone would be made a link.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    let mut before = ' ';
    for c in visible(text).chars() {
        let plain = c.is_alphanumeric() || matches!(c, ' ' | ',' | ';' | '(' | ')' | '/' | '-' | '?');
        if plain || !c.is_ascii() || (c == '.' && !matches!(before, 'w' | 'W')) {
            out.push(c);
        } else {
            let _ = write!(out, "&#{};", u32::from(c));
        }
        before = c;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::{FORMAT, prose};

    #[test]
    fn the_page() {
        insta::assert_snapshot!("markdown", sample::printed(&FORMAT, &sample::offending()));
        insta::assert_snapshot!("markdown_clean", sample::printed(&FORMAT, &sample::clean()));
        insta::assert_snapshot!("markdown_cannot_check", sample::printed(&FORMAT, &sample::broken()));
    }

    #[test]
    fn text_is_no_markup() {
        assert_eq!(prose("a `b|c` d"), "a <code>b&#124;c</code> d");
        assert_eq!(prose("odd ` one"), "odd &#96; one");
        assert_eq!(prose("[x](http://y) www.z *b* <i>"), {
            "&#91;x&#93;(http&#58;//y) www&#46;z &#42;b&#42; &#60;i&#62;"
        });
    }

    #[test]
    fn hostile_text_adds_no_tag_no_cell_and_no_line() {
        let tame = sample::printed(&FORMAT, &sample::offending());
        let text = sample::printed(&FORMAT, &sample::hostile());
        sample::assert_no_controls(&text);
        let tags = |text: &str| -> std::collections::BTreeSet<String> {
            text.split('<').skip(1).map(|tag| tag.split('>').next().expect("one part").to_owned()).collect()
        };
        assert!(tags(&text).is_subset(&tags(&(tame + "<br>"))), "{:?}", tags(&text));
        assert_eq!(text.matches("<details>").count(), text.matches("</details>").count());
        let cells = |line: &str| line.matches('|').count();
        assert!(text.lines().all(|line| !line.contains('|') || cells(line) == 7), "{text}");
    }

    #[test]
    fn a_page_is_never_too_long() {
        let mut sample = sample::offending();
        let some = sample.report.findings.clone();
        sample.report.findings = some.into_iter().cycle().take(5000).collect();
        let text = sample::printed(&FORMAT, &sample);
        assert!(text.len() < 1 << 20);
        assert!(text.contains("further findings not shown"));
    }
}
