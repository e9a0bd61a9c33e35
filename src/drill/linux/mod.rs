//! Isolation on Linux.
//!
//! The drill (`isolator`) starts this very program again, which becomes the inside (`inside`). The two talk
//! over a Unix socket (`control`, `messages`). In namespaces the inside is two processes: the first unshares
//! and has its user ids mapped from outside; the second is the first process of the new process namespace,
//! arranges mounts (`mounts`, `sockets`) and the loopback device (`loopback`), and keeps the command
//! (`keeper`): when it ends, the kernel ends all that the command left behind. Under Landlock (`landlocked`)
//! the inside is one process, which kills what is left. A seccomp filter (`filter`) belongs to both.
//!
//! What `allow` names is listened for inside and connected to from outside (`forward`): the listening socket
//! is made inside and handed out, so that the drill itself never enters a namespace.

mod control;
mod filter;
mod forward;
mod inside;
mod isolator;
mod keeper;
mod landlocked;
mod loopback;
mod messages;
mod mounts;
mod namespaces;
mod privileges;
mod probe;
mod reach;
mod signals;
mod sockets;
mod words;

pub(super) use inside::inside;
pub(super) use isolator::Isolator;
