//! What the rules file says beside its lists, as far as somebody asks about it.

use crate::{
    config::{Exception, Lease, Packs, Rules},
    project::same_name,
};

/// The rules file of the workspace.
#[derive(Clone, Copy, Debug)]
pub(super) struct RulesFile<'a> {
    /// As it is shown.
    pub(super) shown: &'a str,
    /// What it says.
    pub(super) rules: &'a Rules,
    /// The leases that were asked for, by number.
    pub(super) asked: &'a [usize],
}

impl<'a> RulesFile<'a> {
    /// The leases that were asked for.
    pub(super) fn leases(self) -> impl Iterator<Item = &'a Lease> {
        self.asked.iter().filter_map(move |&at| self.rules.leases.get(at))
    }

    /// The exceptions that can speak for one of them.
    pub(super) fn exceptions(self) -> impl Iterator<Item = &'a Exception> {
        self.rules.exceptions.iter().filter(move |exception| {
            let of = exception.lease.as_ref();
            of.is_none_or(|of| self.leases().any(|lease| lease.name.value == of.value))
        })
    }

    /// What it says of a name: declared as a coordinator, brought along by one, forgiven. Sentences.
    pub(super) fn remarks(self, packs: &Packs, name: &str) -> Vec<String> {
        let mut said = Vec::new();
        for lease in self.leases() {
            let of = &lease.name.value;
            match lease.coordinator_line(packs, name).map(|written| written.value.as_str()) {
                Some(written) if same_name(written, name) => {
                    said.push(format!("The lease `{of}` declares it as a coordinator, and so may talk to it."));
                }
                Some(written) => {
                    let with = format!("The lease `{of}` declares `{written}`, with which it comes");
                    said.push(format!("{with}: there it is allowed."));
                }
                None => {}
            }
        }
        for exception in self.exceptions().filter(|exception| same_name(&exception.subject.value, name)) {
            let lease = exception.lease.as_ref().map(|of| format!(" of the lease `{}`", of.value)).unwrap_or_default();
            let file = exception.file.as_ref().map(|of| format!(" in {}", of.value)).unwrap_or_default();
            let until = exception.until.as_ref().map(|day| format!(", until {}", day.value)).unwrap_or_default();
            let what = format!("{}{lease}{file}", exception.lint.value);
            said.push(format!("An exception forgives {what}{until}: {}", exception.reason));
        }
        said
    }
}
