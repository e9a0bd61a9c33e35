//! What a person is told once the file is written.

use crate::base::counted;
use std::io;

use super::find::Found;
use crate::commands::page::{Name, Page, column};

/// The widest column of names.
const WIDEST: usize = 26;

pub(super) fn told(found: &Found, file: &str, page: &mut Page<'_>) -> io::Result<()> {
    page.heading_and("Wrote", file)?;
    for lease in &found.leases {
        page.blank()?;
        page.heading_and(&format!("lease {}", lease.name), &format!("in the package {}", lease.package))?;
        for code in &lease.code {
            page.item(&code.path, &format!("{}: {}", code.file, code.why()))?;
        }
        let named = lease.coordinators.iter();
        let named = named.map(|named| (named.package.clone(), format!("{}, at {}", named.why, named.place)));
        let named: Vec<(String, String)> = named.collect();
        match named.len() {
            0 => page.text(2, "It names no package that is known as a coordinator: see the file.")?,
            _ => {
                page.text(2, "It may talk to")?;
                entries(page, named)?;
            }
        }
    }
    for lease in found.leases.iter().filter(|lease| !lease.behind.is_empty()) {
        let names: Vec<&str> = lease.behind.iter().map(|named| named.package.as_str()).collect();
        let names = names.join(", ");
        page.blank()?;
        page.text(0, &format!("Code that {} only reaches names {names}: the file says where.", lease.name))?;
    }
    if !found.unsure.is_empty() {
        page.blank()?;
        page.heading_and("Not sure", "and so left out, in comments")?;
        for one in &found.unsure {
            page.item(&one.path, &format!("{}: {}", one.file, one.why))?;
        }
    }
    page.blank()?;
    page.heading_and("Next", "read the file, then")?;
    let next = [
        ("cargo lease-guard", "checks what these leases reach"),
        ("cargo lease-guard canary", "proves that the rules guard what they say"),
        ("cargo lease-guard tree", "shows what these leases link"),
    ];
    entries(page, next.map(|(command, what)| (command.to_owned(), what.to_owned())).to_vec())?;
    page.text(0, &format!("Looked at {}.", counted(found.files, "file")))
}

fn entries(page: &mut Page<'_>, entries: Vec<(String, String)>) -> io::Result<()> {
    let wide = column(entries.iter().map(|(name, _)| name.as_str()), WIDEST);
    entries.iter().try_for_each(|(name, text)| page.entry(Name { word: name, indent: 2, column: wide }, text))
}
