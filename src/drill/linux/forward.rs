//! What is let through: connections that come in inside and are made anew outside.

use std::{
    io::{self, ErrorKind, Read, Write},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

/// How long a connection outside may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// From one look for a new connection to the next.
const PAUSE: Duration = Duration::from_millis(10);

/// Forwarding at work. It takes no new connections when it is dropped; those that there are end with the
/// processes inside.
#[derive(Debug)]
pub(super) struct Forward {
    is_over: Arc<AtomicBool>,
}

impl Forward {
    /// Takes what comes through the listener, which is in another network namespace, to an address here.
    pub(super) fn start(listener: TcpListener, to: SocketAddr) -> io::Result<Self> {
        listener.set_nonblocking(true)?;
        let is_over = Arc::new(AtomicBool::new(false));
        let over = Arc::clone(&is_over);
        thread::Builder::new().name("forward".to_owned()).spawn(move || {
            while !over.load(Ordering::SeqCst) {
                match listener.accept() {
                    Ok((inner, _)) => {
                        thread::spawn(move || {
                            // A server that is not there: the connection closes, as it does with a proxy.
                            let _ = join(inner, to);
                        });
                    }
                    Err(_) => thread::sleep(PAUSE),
                }
            }
        })?;
        Ok(Self { is_over })
    }
}

impl Drop for Forward {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
    }
}

fn join(inner: TcpStream, to: SocketAddr) -> io::Result<()> {
    inner.set_nonblocking(false)?;
    let outer = TcpStream::connect_timeout(&to, PATIENCE)?;
    inner.set_nodelay(true)?;
    outer.set_nodelay(true)?;
    let (from_inner, to_outer) = (inner.try_clone()?, outer.try_clone()?);
    let upwards = thread::spawn(move || copy(from_inner, to_outer));
    copy(outer, inner);
    // The other direction ends when the peer inside is gone, at the latest.
    let _ = upwards.join();
    Ok(())
}

/// Copies until the sender is done, and tells the receiver.
fn copy(mut from: TcpStream, mut to: TcpStream) {
    let mut bytes = [0; 16 * 1024];
    loop {
        match from.read(&mut bytes) {
            Ok(0) => break,
            Ok(read) => {
                if to.write_all(bytes.get(..read).unwrap_or_default()).is_err() {
                    break;
                }
            }
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            // Broken, not done: the other side is to see that as well, both ways.
            Err(_) => {
                let _ = to.shutdown(Shutdown::Both);
                break;
            }
        }
    }
    let _ = to.shutdown(Shutdown::Write);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_directions_and_their_ends_come_through() {
        let server = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = server.local_addr().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let _forward = Forward::start(listener, address).unwrap();
        client.write_all(b"question").unwrap();
        client.shutdown(Shutdown::Write).unwrap();
        let (mut peer, _) = server.accept().unwrap();
        let mut heard = String::new();
        peer.read_to_string(&mut heard).unwrap();
        peer.write_all(b"answer").unwrap();
        drop(peer);
        let mut said = String::new();
        client.read_to_string(&mut said).unwrap();
        assert_eq!((heard.as_str(), said.as_str()), ("question", "answer"));
    }
}
