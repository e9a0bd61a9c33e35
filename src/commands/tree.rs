//! `tree`: what a lease links, as `cargo tree` prints it, with what the check makes of it.
//!
//! The tree is that of the builds that link the lease (`project::graph`). It ends where the check
//! ends: at coordinators, for what they pull in is their own business, and at forbidden crates, for
//! what lies behind one is not reported again. It shows what is linked; whether the lease path names
//! it is marked, and what follows from that is for `check` to say.

mod forest;
mod show;

use std::io::Write;

use super::{
    check::{prepared, refuse},
    page::Page,
};
use crate::{
    cli::{Screen, Tree},
    finding::{Problem, Verdict},
    run::on_deep_stack,
};

pub(super) fn tree(tree: &Tree, screen: Screen, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let prepared = match prepared(&tree.scope, &tree.project)? {
        Ok(prepared) => prepared,
        Err(failed) => return refuse(&failed.problems, &failed.files, screen),
    };
    if tree.project.no_deps {
        let problem = Problem {
            message: "a tree is the dependency graph, and `--no-deps` leaves that out".to_owned(),
            place: None,
            help: "leave `--no-deps` out; `cargo lease-guard why` and `map` can do without the graph".to_owned(),
        };
        return refuse(&[problem], &prepared.files, screen);
    }
    let forests = on_deep_stack(|| forest::forests(&prepared)).unwrap_or_else(|problem| Err(vec![problem]));
    match forests {
        Ok(forests) => {
            show::show(&prepared, &forests, &mut Page::new(out))?;
            Ok(Verdict::Clean)
        }
        Err(problems) => refuse(&problems, &prepared.files, screen),
    }
}
