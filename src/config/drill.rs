//! What can be reached during the failure drill.

use crate::base::{Span, Spanned};

/// `[lease.drill]`.
#[derive(Clone, Debug)]
pub struct Drill {
    /// What stays reachable.
    pub allow: Vec<Spanned<Allowed>>,
    /// The header's place.
    pub span: Span,
}

/// One entry of `allow`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Allowed {
    /// `"postgres: 127.0.0.1:5432"`.
    Tcp {
        /// What it is, for the report.
        label: String,
        /// A host name or an address, without the brackets of IPv6.
        host: String,
        /// The port, not 0.
        port: u16,
    },
    /// `"unix: /run/postgresql"`: a socket or the folder of some.
    Unix {
        /// The absolute path.
        path: String,
    },
}
