//! What `use std::net::*` and its like bring in.
//!
//! A glob of another crate may bring in any name, so one that is found nowhere else is guessed to come
//! from it. The standard library's globs are too common for that; of its modules only these names are
//! known, and no others. The lists are those of <https://doc.rust-lang.org/std/>, without what says nothing
//! here (constants, errors, iterators of containers). To add a module, add a line.

use super::{Outside, OutsideCrate};

const MODULES: &[(&str, &[&str])] = &[
    ("borrow", &["Borrow", "BorrowMut", "Cow", "ToOwned"]),
    ("cell", &["Cell", "LazyCell", "OnceCell", "Ref", "RefCell", "RefMut"]),
    ("cmp", &["Eq", "Ord", "Ordering", "PartialEq", "PartialOrd", "Reverse", "max", "min"]),
    ("collections", &["BTreeMap", "BTreeSet", "BinaryHeap", "HashMap", "HashSet", "LinkedList", "VecDeque"]),
    ("convert", &["AsMut", "AsRef", "From", "Infallible", "Into", "TryFrom", "TryInto"]),
    ("error", &["Error"]),
    ("fmt", &["Binary", "Debug", "Display", "Formatter", "LowerHex", "Pointer", "UpperHex", "Write"]),
    ("future", &["Future", "IntoFuture", "pending", "poll_fn", "ready"]),
    ("hash", &["BuildHasher", "Hash", "Hasher"]),
    ("io", &["BufRead", "BufReader", "BufWriter", "Read", "Seek", "Write"]),
    ("io::prelude", &["BufRead", "Read", "Seek", "Write"]),
    ("iter", &["Extend", "FromIterator", "IntoIterator", "Iterator", "Product", "Sum", "from_fn", "once", "repeat"]),
    ("net", &["TcpListener", "TcpStream", "ToSocketAddrs", "UdpSocket", "IpAddr", "SocketAddr"]),
    (
        "ops",
        &[
            "Add",
            "AddAssign",
            "BitAnd",
            "BitAndAssign",
            "BitOr",
            "BitOrAssign",
            "BitXor",
            "BitXorAssign",
            "Deref",
            "DerefMut",
            "Div",
            "DivAssign",
            "Drop",
            "Fn",
            "FnMut",
            "FnOnce",
            "Index",
            "IndexMut",
            "Mul",
            "MulAssign",
            "Neg",
            "Not",
            "Rem",
            "RemAssign",
            "Shl",
            "ShlAssign",
            "Shr",
            "ShrAssign",
            "Sub",
            "SubAssign",
        ],
    ),
    ("os::fd", &["AsFd", "AsRawFd", "BorrowedFd", "FromRawFd", "IntoRawFd", "OwnedFd", "RawFd"]),
    ("os::unix::io", &["AsFd", "AsRawFd", "BorrowedFd", "FromRawFd", "IntoRawFd", "OwnedFd", "RawFd"]),
    ("os::unix::net", &["SocketAddr", "UnixDatagram", "UnixListener", "UnixStream"]),
    ("pin", &["Pin"]),
    ("process", &["Child", "ChildStderr", "ChildStdin", "ChildStdout", "Command", "ExitStatus", "Output", "Stdio"]),
    ("rc", &["Rc", "Weak"]),
    ("str", &["FromStr"]),
    ("sync", &["Arc", "Condvar", "LazyLock", "Mutex", "MutexGuard", "OnceLock", "RwLock", "Weak"]),
    ("task", &["Context", "Poll", "Wake", "Waker"]),
    ("thread", &["JoinHandle", "scope", "sleep", "spawn"]),
    ("time", &["Duration", "Instant", "SystemTime", "UNIX_EPOCH"]),
];

/// Whether a module of the standard library, opened by a glob, has this name.
pub(super) fn has(module: &Outside, name: &str) -> bool {
    if module.krate != OutsideCrate::Std {
        return false;
    }
    let path = module.segments.join("::");
    MODULES.iter().any(|(known, names)| *known == path && names.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glob_of_std_brings_in_what_its_module_has_and_nothing_else() {
        let net = Outside::std("std::net");
        assert!(has(&net, "TcpStream"));
        assert!(has(&Outside::std("core::fmt"), "Display"));
        assert!(!has(&net, "Client"));
        assert!(!has(&Outside::std("std::prelude::v1"), "TcpStream"));
    }
}
