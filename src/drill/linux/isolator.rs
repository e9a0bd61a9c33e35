//! The outside: starts the inside, serves it, and waits for the command.

use std::{
    io,
    net::{SocketAddr, TcpListener, UdpSocket},
    os::{
        linux::net::SocketAddrExt as _,
        unix::net::{self, UnixListener},
    },
    path::{Path, PathBuf},
    process::{Child, Command},
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;

use super::{
    super::{
        BaseUrls, Condition, DrillError, DrillOptions, Ended, Isolation, IsolationKind, isolated::Outcome,
        stand_in::StandIn,
    },
    control::Control,
    forward::Forward,
    inside,
    messages::{Canaries, Plan, Ready, ToInside, ToOutside},
    namespaces,
    reach::Reach,
    signals::{self, Listening},
    sockets,
};

/// How long the inside may take for each thing that it is to do before the command starts.
const PATIENCE: Duration = Duration::from_secs(30);
/// From one look for a signal to the next.
const PAUSE: Duration = Duration::from_millis(20);
/// How long the inside may take to end once the command has.
const FAREWELL: Duration = Duration::from_secs(10);

/// Runs commands isolated, one after the other, all in the same way.
#[derive(Debug)]
pub(in crate::drill) struct Isolator<'a> {
    options: &'a DrillOptions,
    reach: Reach,
    settled: Option<IsolationKind>,
    refused: Vec<(IsolationKind, String)>,
    listening: Listening,
}

/// What came of an attempt.
enum Attempt {
    Done(Outcome),
    /// Nothing was started.
    Refused(String),
}

impl<'a> Isolator<'a> {
    pub(in crate::drill) fn new(options: &'a DrillOptions) -> Result<Self, DrillError> {
        let reach = Reach::resolve(&options.rules.allow)?;
        let listening = Listening::start().map_err(DrillError::system("signals cannot be listened for"))?;
        Ok(Self { options, reach, settled: None, refused: Vec::new(), listening })
    }

    /// What stays reachable, a line each.
    pub(in crate::drill) fn allowed(&self) -> Vec<String> {
        self.reach.lines.clone()
    }

    /// Runs the command in the way that was used before, or else in the strongest that is permitted.
    pub(in crate::drill) fn run(&mut self, condition: Condition, base_urls: &BaseUrls) -> Result<Outcome, DrillError> {
        let asked_for = self.settled.or(self.options.isolation);
        for kind in IsolationKind::ALL.into_iter().filter(|kind| asked_for.is_none_or(|asked| asked == *kind)) {
            match self.attempt(kind, condition, base_urls)? {
                Attempt::Done(outcome) => {
                    self.settled = Some(kind);
                    return Ok(outcome);
                }
                Attempt::Refused(why) => self.refused.push((kind, why)),
            }
        }
        Err(DrillError::CannotIsolate { refused: self.refused.iter().map(|(k, w)| (k.word(), w.clone())).collect() })
    }

    fn attempt(&self, kind: IsolationKind, condition: Condition, base_urls: &BaseUrls) -> Result<Attempt, DrillError> {
        let site = Site::open()?;
        let mut plan = self.plan(condition, &site);
        let own = match condition {
            Condition::Answers(_) if kind == IsolationKind::Landlock => Some(site.stand_in(&mut plan)?),
            _ => None,
        };
        let stage = if kind == IsolationKind::Namespaces { inside::NAMESPACES } else { inside::LANDLOCK };
        let mut inside = Inside(self.start(stage, &site)?);
        let child = &mut inside.0;
        let mut control = site.answer(child)?;
        if kind == IsolationKind::Namespaces {
            match heard(control.receive(), child)? {
                ToOutside::Unshared => {}
                ToOutside::Failed(why) => return Ok(refused(child, why)),
                other => return Err(DrillError::Lost(format!("it said {other:?}"))),
            }
            if let Err(e) = namespaces::map_ids(child) {
                return Ok(refused(child, format!("the user ids of a new namespace cannot be mapped: {e}")));
            }
            tell(&mut control, &ToInside::Mapped)?;
            // A failure to start the first process comes over the old line, which is closed then.
            control = match site.answer(child) {
                Ok(control) => control,
                Err(lost) => match control.receive() {
                    Ok(ToOutside::Failed(why)) => return Ok(refused(child, why)),
                    _ => return Err(lost),
                },
            };
        }
        tell(&mut control, &ToInside::Plan(Box::new(plan.clone())))?;
        let ready = match heard(control.receive(), child)? {
            ToOutside::Ready(ready) => ready,
            ToOutside::Failed(why) => return Ok(refused(child, why)),
            other => return Err(DrillError::Lost(format!("it said {other:?}"))),
        };
        if let Some(address) = site.datagram() {
            return Ok(refused(child, format!("a datagram got through to UDP {address}")));
        }
        let mut listeners = taken(&control, ready.listeners)?;
        let stand_in = if plan.stand_in { listeners.pop() } else { own };
        let forwards = self.reach.tcp.iter().zip(listeners).map(|(to, listener)| Forward::start(listener, *to));
        let forwards = forwards.collect::<io::Result<Vec<_>>>().map_err(DrillError::system("forwarding"))?;
        let (changes, stand_in) = match (condition, stand_in) {
            (Condition::Answers(fault), Some(listener)) => {
                let address = listener.local_addr().map_err(DrillError::system("the stand-in's address"))?;
                let stand_in = StandIn::behind(listener, fault).map_err(DrillError::system("the stand-in"))?;
                (base_urls.leading_to(address), Some(stand_in))
            }
            _ => Default::default(),
        };
        tell(&mut control, &ToInside::Go(changes))?;
        let (ended, signalled) = self.wait(control, child)?;
        drop(forwards);
        let (asked, requests) = stand_in.map(|stand_in| stand_in.asked()).unwrap_or_default();
        let isolation = self.isolation(kind, ready);
        Ok(Attempt::Done(Outcome { ended, asked, requests, signalled, isolation }))
    }

    fn plan(&self, condition: Condition, site: &Site) -> Plan {
        Plan {
            addresses: self.reach.addresses(),
            listen: self.reach.tcp.iter().copied().collect(),
            stand_in: condition != Condition::Unreachable,
            names: self.reach.names.iter().cloned().collect(),
            ports: self.reach.ports().into_iter().collect(),
            stand_in_port: None,
            unix: self.reach.unix.iter().cloned().collect(),
            // The line itself is a socket, too, and nothing that the command may have.
            hide: sockets::known().into_iter().chain([site.line()]).collect(),
            scratch: site.scratch(),
            canaries: site.canaries.clone(),
        }
    }

    fn start(&self, stage: &str, site: &Site) -> Result<Child, DrillError> {
        Command::new(&self.options.helper)
            .arg(inside::WORD)
            .arg(stage)
            .arg(site.line())
            .arg("--")
            .args(&self.options.command)
            .current_dir(&self.options.directory)
            .spawn()
            .map_err(DrillError::system("this program cannot be started a second time"))
    }

    /// Waits for the command's end. Whatever comes of it, nothing is left running inside.
    fn wait(&self, mut control: Control, child: &mut Child) -> Result<(Ended, Option<i32>), DrillError> {
        let ended = self.serve(&mut control, child);
        control.close();
        ended
    }

    /// Hands signals on until the command has ended.
    fn serve(&self, control: &mut Control, child: &mut Child) -> Result<(Ended, Option<i32>), DrillError> {
        let mut reader = control.try_clone().map_err(DrillError::system("the line to the inside"))?;
        reader.patience(None).map_err(DrillError::system("the line to the inside"))?;
        let (send, events) = mpsc::channel();
        thread::spawn(move || {
            // The end of the line is an event as well.
            let _ = send.send(reader.receive::<ToOutside>());
        });
        let began = Instant::now();
        let mut signalled = None;
        let mut is_late = false;
        loop {
            while let Some(signal) = self.listening.next() {
                if signals::ends(signal) {
                    signalled = signalled.or(Some(signal));
                }
                if !signals::came_from_the_terminal(signal) {
                    // Where the inside is gone, its end is the next event.
                    let _ = control.send(&ToInside::Signal(signal));
                }
            }
            if !is_late && began.elapsed() > self.options.limit {
                is_late = true;
                let _ = control.send(&ToInside::End);
            }
            if is_late && began.elapsed() > self.options.limit + FAREWELL {
                control.close();
                farewell(child);
                return Ok((Ended::TimedOut, signalled));
            }
            match events.recv_timeout(PAUSE) {
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(DrillError::Lost(farewell(child))),
                Ok(message) => {
                    let ended = match heard(message, child)? {
                        ToOutside::Ended { .. } if is_late => Ended::TimedOut,
                        ToOutside::Ended { status: Some(status), .. } => Ended::Exit(status),
                        ToOutside::Ended { signal: Some(signal), .. } => Ended::Signal(signal),
                        ToOutside::NotStarted(why) => {
                            farewell(child);
                            let program = self.options.command.first().cloned().unwrap_or_default();
                            return Err(DrillError::NotStarted {
                                program: program.to_string_lossy().into_owned(),
                                why,
                            });
                        }
                        other => return Err(DrillError::Lost(format!("it said {other:?}"))),
                    };
                    farewell(child);
                    return Ok((ended, signalled));
                }
            }
        }
    }

    fn isolation(&self, kind: IsolationKind, ready: Ready) -> Isolation {
        let mut does_not_stop = ready.does_not_stop;
        let inherited = inherited_sockets();
        if !inherited.is_empty() {
            let list = inherited.join(", ");
            does_not_stop.push(format!("sockets that the drill was started with and hands on (descriptors {list})"));
        }
        Isolation { kind, stops: ready.stops, does_not_stop, refused: self.refused.clone() }
    }
}

/// The process inside. It ends with this value: all ways out of a run lead through here.
struct Inside(Child);

impl Drop for Inside {
    fn drop(&mut self) {
        if !matches!(self.0.try_wait(), Ok(Some(_))) {
            farewell(&mut self.0);
        }
    }
}

/// The place of one run: a private folder, with the line to the inside, and the canaries.
struct Site {
    folder: TempDir,
    line: UnixListener,
    canaries: Canaries,
    udp: Vec<UdpSocket>,
    _tcp: Vec<TcpListener>,
    _unix: Vec<UnixListener>,
}

impl Site {
    fn open() -> Result<Self, DrillError> {
        let folder = TempDir::with_prefix("lease-guard-drill-").map_err(DrillError::system("a temporary folder"))?;
        Self::within(folder).map_err(DrillError::system("the drill's own sockets"))
    }

    fn within(folder: TempDir) -> io::Result<Self> {
        std::fs::create_dir(folder.path().join("scratch"))?;
        let line = UnixListener::bind(folder.path().join("line"))?;
        line.set_nonblocking(true)?;
        // IPv6 may be switched off.
        let loopback: [SocketAddr; 2] = [([127, 0, 0, 1], 0).into(), ([0, 0, 0, 0, 0, 0, 0, 1], 0).into()];
        let tcp: Vec<_> = loopback.iter().filter_map(|address| TcpListener::bind(address).ok()).collect();
        let udp: Vec<_> = loopback.iter().filter_map(|address| UdpSocket::bind(address).ok()).collect();
        udp.iter().try_for_each(|socket| socket.set_nonblocking(true))?;
        let canary = folder.path().join("canary");
        let name = canary.display().to_string();
        let unix =
            vec![UnixListener::bind(&canary)?, UnixListener::bind_addr(&net::SocketAddr::from_abstract_name(&name)?)?];
        let canaries = Canaries {
            tcp: tcp.iter().map(TcpListener::local_addr).collect::<Result<_, _>>()?,
            udp: udp.iter().map(UdpSocket::local_addr).collect::<Result<_, _>>()?,
            unix_abstract: vec![name],
            unix_path: vec![canary],
        };
        Ok(Self { folder, line, canaries, udp, _tcp: tcp, _unix: unix })
    }

    fn line(&self) -> PathBuf {
        self.folder.path().join("line")
    }

    fn scratch(&self) -> PathBuf {
        self.folder.path().join("scratch")
    }

    /// A stand-in's listener outside, for an inside that is in no other network.
    fn stand_in(&self, plan: &mut Plan) -> Result<TcpListener, DrillError> {
        let bind = || {
            let listener = TcpListener::bind(("127.0.0.1", 0))?;
            Ok((listener.local_addr()?.port(), listener))
        };
        let (port, listener) = bind().map_err(DrillError::system::<io::Error>("the stand-in"))?;
        plan.stand_in = false;
        plan.stand_in_port = Some(port);
        Ok(listener)
    }

    /// Takes the next call of the inside.
    fn answer(&self, child: &mut Child) -> Result<Control, DrillError> {
        let began = Instant::now();
        loop {
            match self.line.accept() {
                Ok((stream, _)) => {
                    let control = Control::from(stream);
                    control.patience(Some(PATIENCE)).map_err(DrillError::system("the line to the inside"))?;
                    return Ok(control);
                }
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => {}
                Err(e) => return Err(DrillError::system("the line to the inside")(e)),
            }
            if let Ok(Some(status)) = child.try_wait() {
                return Err(DrillError::Lost(status.to_string()));
            }
            if began.elapsed() > PATIENCE {
                return Err(DrillError::Lost("it does not call".to_owned()));
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// The canary that a datagram got through to.
    fn datagram(&self) -> Option<SocketAddr> {
        let got = |socket: &&UdpSocket| socket.recv(&mut [0; 16]).is_ok();
        self.udp.iter().find(got).and_then(|socket| socket.local_addr().ok())
    }
}

fn tell(control: &mut Control, message: &ToInside) -> Result<(), DrillError> {
    control.send(message).map_err(|e| DrillError::Lost(e.to_string()))
}

fn heard(message: io::Result<ToOutside>, child: &mut Child) -> Result<ToOutside, DrillError> {
    message.map_err(|e| DrillError::Lost(format!("{e}; {}", farewell(child))))
}

fn taken(control: &Control, count: usize) -> Result<Vec<TcpListener>, DrillError> {
    let one = |_| control.take().map(TcpListener::from);
    (0..count).map(one).collect::<io::Result<_>>().map_err(|e| DrillError::Lost(e.to_string()))
}

/// Nothing was started.
fn refused(child: &mut Child, why: String) -> Attempt {
    farewell(child);
    Attempt::Refused(why)
}

/// Waits for the inside to end, and makes it end where it does not. Tells how it did.
fn farewell(child: &mut Child) -> String {
    let began = Instant::now();
    while began.elapsed() < FAREWELL {
        match child.try_wait() {
            Ok(Some(status)) => return status.to_string(),
            Ok(None) => thread::sleep(Duration::from_millis(2)),
            Err(e) => return e.to_string(),
        }
    }
    let _ = child.kill();
    let _ = child.wait();
    "it had to be killed".to_owned()
}

/// Descriptors above the standard ones that are sockets and will be handed on.
fn inherited_sockets() -> Vec<String> {
    let folder = Path::new("/proc/self/fd");
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let is_handed_on = |number: &str| {
        // What this program opens itself is closed when another is started: flag 02000000.
        let about = std::fs::read_to_string(format!("/proc/self/fdinfo/{number}")).unwrap_or_default();
        let flags = about.lines().find_map(|line| u32::from_str_radix(line.strip_prefix("flags:")?.trim(), 8).ok());
        flags.is_some_and(|flags| flags & 0o2_000_000 == 0)
    };
    let sockets = entries
        .filter(|entry| std::fs::read_link(entry.path()).is_ok_and(|to| to.to_string_lossy().starts_with("socket:")));
    let numbers = sockets.filter_map(|entry| entry.file_name().into_string().ok());
    let mut inherited: Vec<_> = numbers.filter(|n| n.parse::<u32>().is_ok_and(|n| n > 2) && is_handed_on(n)).collect();
    inherited.sort();
    inherited
}
