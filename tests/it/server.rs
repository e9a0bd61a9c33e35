//! A PostgreSQL server of one's own: a fresh cluster in a temporary folder, on a Unix socket, gone with the value.
//!
//! The programs are looked for in `PG_BIN`, in the folders of Debian's packages, and on the path. Where there are none
//! the tests say that they were left out, and fail instead if `LEASE_GUARD_SERVER` is `required`, as it is in CI.

use std::{
    env, fs,
    io::Write as _,
    os::unix::{fs::chown, process::CommandExt as _},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
};

use tempfile::TempDir;

/// A running server.
pub(crate) struct Server {
    folder: TempDir,
    bin: PathBuf,
}

/// The server refuses to run as root: then it is run as nobody, which every Unix has.
const NOBODY: u32 = 65_534;

impl Server {
    /// Starts one, or tells that there is no PostgreSQL here.
    pub(crate) fn start() -> Option<Self> {
        let Some(bin) = programs() else {
            assert!(
                env::var("LEASE_GUARD_SERVER").as_deref() != Ok("required"),
                "no PostgreSQL server was found: install `postgresql`, or say with PG_BIN where initdb and pg_ctl are"
            );
            println!("left out: no PostgreSQL server here");
            return None;
        };
        let folder = TempDir::with_prefix("lease-guard-pg-").unwrap();
        if is_root() {
            chown(folder.path(), Some(NOBODY), Some(NOBODY)).unwrap();
        }
        let server = Self { folder, bin };
        let data = server.data();
        let data = data.to_str().unwrap();
        server.run("initdb", &["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]);
        let options =
            format!("-k {} -c listen_addresses= -c fsync=off -c timezone=UTC", server.folder.path().display());
        server.run("pg_ctl", &["-D", data, "-l", &format!("{data}.log"), "-o", &options, "-w", "-t", "120", "start"]);
        Some(server)
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.bin.join(program));
        command.env_clear().env("LC_ALL", "C").current_dir(self.folder.path()).stdin(Stdio::null());
        if is_root() {
            command.uid(NOBODY).gid(NOBODY);
        }
        command
    }

    fn run(&self, program: &str, arguments: &[&str]) {
        // What `pg_ctl start` leaves running keeps the pipes open, so that its words go to a file.
        let words = self.folder.path().join("words");
        let file = || fs::File::options().create(true).append(true).open(&words).unwrap();
        let status = self.command(program).args(arguments).stdout(file()).stderr(file()).status().unwrap();
        assert!(status.success(), "{program}: {}", fs::read_to_string(&words).unwrap_or_default());
    }

    /// `psql`, connected, without anybody's settings.
    pub(crate) fn psql(&self) -> Command {
        let mut command = self.command("psql");
        command.arg("-h").arg(self.folder.path()).args(["-U", "postgres", "-d", "postgres", "-XqAt"]);
        command
    }

    /// Runs a script, past its errors, and gives what it wrote to stdout and stderr.
    pub(crate) fn script(&self, sql: &str) -> Output {
        let mut child = self.session();
        let mut stdin = child.stdin.take().unwrap();
        let sql = sql.to_owned();
        // From a thread of its own: a script and its output are longer than what a pipe holds.
        let writer = std::thread::spawn(move || stdin.write_all(sql.as_bytes()));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap().unwrap();
        output
    }

    /// A session that reads statements as they are written to it.
    pub(crate) fn session(&self) -> Child {
        let mut command = self.psql();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// The answer of one query, which must succeed.
    pub(crate) fn ask(&self, sql: &str) -> String {
        let output = self.psql().args(["-v", "ON_ERROR_STOP=1", "-c", sql]).output().unwrap();
        assert!(output.status.success(), "{sql}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let data = self.data();
        // A server that is not there any more needs no stopping.
        let _ = self.command("pg_ctl").arg("-D").arg(data).args(["-m", "immediate", "-w", "stop"]).output();
    }
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n")
}

/// The folder of the newest programs.
fn programs() -> Option<PathBuf> {
    let given = env::var_os("PG_BIN").map(PathBuf::from);
    let mut packaged: Vec<_> = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten().collect();
    packaged.sort_by_key(|entry| std::cmp::Reverse(entry.file_name().to_string_lossy().parse::<u32>().unwrap_or(0)));
    let packaged = packaged.into_iter().map(|entry| entry.path().join("bin"));
    let on_path = env::var_os("PATH").map(|path| env::split_paths(&path).collect::<Vec<_>>()).unwrap_or_default();
    let is_whole = |folder: &Path| ["initdb", "pg_ctl", "postgres", "psql"].iter().all(|p| folder.join(p).is_file());
    given.into_iter().chain(packaged).chain(on_path).find(|folder| is_whole(folder))
}
