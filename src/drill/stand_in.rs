//! The stand-in for a provider: a small HTTP server that answers everything with one fault, and remembers
//! that it was asked.

use std::{
    io::{ErrorKind, Read, Write},
    net::{TcpListener, TcpStream},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use super::faults::Fault;

/// The longest head that is read. What is behind it is not looked at.
const LONGEST_HEAD: usize = 16 * 1024;
/// How long a client may take to say what it wants.
const PATIENCE: Duration = Duration::from_secs(5);
/// From one look for a new connection to the next; from one drop of the trickle to the next, ten times that.
const PAUSE: Duration = Duration::from_millis(20);
/// How many requests are remembered by what they asked for; the others are counted.
const REMEMBERED: usize = 16;
/// How many are answered at one time; the others find a connection that is closed.
const AT_ONCE: usize = 64;

/// A stand-in at work. It ends when it is dropped.
#[derive(Debug)]
pub(super) struct StandIn {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    fault: Fault,
    is_over: AtomicBool,
    /// Connections, whether or not anything came through them.
    count: AtomicUsize,
    busy: AtomicUsize,
    asked: Mutex<Vec<String>>,
}

impl StandIn {
    /// Answers whatever comes in through the listener, which may be in another network namespace.
    pub(super) fn behind(listener: TcpListener, fault: Fault) -> std::io::Result<Self> {
        listener.set_nonblocking(true)?;
        let shared = Arc::new(Shared {
            fault,
            is_over: AtomicBool::new(false),
            count: AtomicUsize::new(0),
            busy: AtomicUsize::new(0),
            asked: Mutex::default(),
        });
        let own = Arc::clone(&shared);
        thread::Builder::new().name("stand-in".to_owned()).spawn(move || serve(&listener, &own))?;
        Ok(Self { shared })
    }

    /// How often it was asked, and what for: method and path of the first few.
    pub(super) fn asked(&self) -> (usize, Vec<String>) {
        let asked = self.shared.asked.lock().unwrap_or_else(PoisonError::into_inner).clone();
        (self.shared.count.load(Ordering::SeqCst), asked)
    }
}

impl Drop for StandIn {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::SeqCst);
    }
}

fn serve(listener: &TcpListener, shared: &Arc<Shared>) {
    while !shared.is_over.load(Ordering::SeqCst) {
        match listener.accept() {
            Ok((stream, _)) => {
                shared.count.fetch_add(1, Ordering::SeqCst);
                if shared.busy.fetch_add(1, Ordering::SeqCst) >= AT_ONCE {
                    shared.busy.fetch_sub(1, Ordering::SeqCst);
                    continue;
                }
                let own = Arc::clone(shared);
                thread::spawn(move || {
                    // A client that goes away in the middle was counted all the same.
                    let _ = answer(stream, &own);
                    own.busy.fetch_sub(1, Ordering::SeqCst);
                });
            }
            Err(_) => thread::sleep(PAUSE),
        }
    }
}

fn answer(mut stream: TcpStream, shared: &Shared) -> std::io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let head = head(&mut stream)?;
    let line = head.lines().next().unwrap_or_default();
    let mut words = line.split(' ');
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    {
        let mut asked = shared.asked.lock().unwrap_or_else(PoisonError::into_inner);
        if asked.len() < REMEMBERED {
            asked.push(format!("{method} {path}").chars().take(200).collect());
        }
    }
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let answer = shared.fault.answer(path);
    stream.write_all(&answer.bytes)?;
    while !answer.trickle.is_empty() && !shared.is_over.load(Ordering::SeqCst) {
        thread::sleep(PAUSE * 10);
        stream.write_all(answer.trickle)?;
    }
    // Whatever of the request was not read would turn the close into a reset, and the answer would be lost.
    stream.shutdown(std::net::Shutdown::Write)?;
    drain(&mut stream);
    Ok(())
}

fn head(stream: &mut TcpStream) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    let mut part = [0; 1024];
    while bytes.len() < LONGEST_HEAD && !bytes.windows(4).any(|four| four == b"\r\n\r\n") {
        match stream.read(&mut part) {
            Ok(0) => break,
            Ok(read) => bytes.extend_from_slice(part.get(..read).unwrap_or_default()),
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn drain(stream: &mut TcpStream) {
    let mut part = [0; 4096];
    for _ in 0..1024 {
        if !stream.read(&mut part).is_ok_and(|read| read > 0) {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(fault: Fault, request: &str) -> (String, (usize, Vec<String>)) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let stand_in = StandIn::behind(listener, fault).unwrap();
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut text = vec![0; 32];
        stream.read_exact(&mut text).unwrap();
        if fault != Fault::SlowStream {
            stream.shutdown(std::net::Shutdown::Write).unwrap();
            stream.read_to_end(&mut text).unwrap();
        }
        (String::from_utf8(text).unwrap(), stand_in.asked())
    }

    #[test]
    fn it_answers_and_remembers() {
        let (said, (count, asked)) =
            ask(Fault::Refusal, "POST /v1/chat/completions?x=1 HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\n{}");
        assert!(said.starts_with("HTTP/1.1 200 OK") && said.contains("refusal"), "{said}");
        assert_eq!((count, asked), (1, vec!["POST /v1/chat/completions?x=1".to_owned()]));
    }

    #[test]
    fn a_slow_stream_begins_and_goes_on() {
        let (said, (count, _)) = ask(Fault::SlowStream, "GET / HTTP/1.1\r\n\r\n");
        assert!(said.starts_with("HTTP/1.1 200 OK"), "{said}");
        assert_eq!(count, 1);
    }

    #[test]
    fn a_connection_without_a_word_counts() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let stand_in = StandIn::behind(listener, Fault::Refusal).unwrap();
        drop(TcpStream::connect(address).unwrap());
        while stand_in.asked().0 == 0 {
            thread::sleep(PAUSE);
        }
    }
}
