//! The card as one page, for a screen or for paper; nothing in it is loaded or run.

use std::fmt::Write as _;

use super::{Answer, Card, markdown::line};
use crate::report::prose;

const STYLE: &str = include_str!("card.css");

/// Writes the page.
pub fn html(card: &Card) -> String {
    let mut body = String::new();
    for lease in &card.leases {
        let answer = lease.answer();
        // Writing to a String cannot fail.
        let _ = write!(
            body,
            "<section>\n<h1>{} <span class=\"{}\">{}</span></h1>\n<table>\n<thead><tr><th scope=\"col\">answer</th>\
             <th scope=\"col\">question</th><th scope=\"col\">evidence</th></tr></thead>\n<tbody>\n",
            prose(&lease.name),
            class(answer),
            answer.word()
        );
        for row in &lease.rows {
            let evidence: String = row.evidence.iter().map(|evidence| format!("<li>{}</li>", line(evidence))).collect();
            let _ = writeln!(
                body,
                "<tr><td><span class=\"{}\">{}</span></td><th scope=\"row\">{}</th><td><ul>{evidence}</ul></td></tr>",
                class(row.answer),
                row.answer.word(),
                prose(row.question)
            );
        }
        body.push_str("</tbody>\n</table>\n</section>\n");
    }
    let commit = card.commit.as_deref().map_or_else(|| "no commit".to_owned(), |commit| format!("commit {commit}"));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" \
         content=\"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>Lease card</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{body}<footer>cargo lease-guard card, {}, \
         {}</footer>\n</body>\n</html>\n",
        prose(&commit),
        card.today
    )
}

const fn class(answer: Answer) -> &'static str {
    match answer {
        Answer::Go => "go",
        Answer::Look => "look",
        Answer::Stop => "stop",
    }
}
