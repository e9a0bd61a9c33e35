//! Where text goes: to standard output, whose reader may leave early, or to a file.

use std::io::{self, ErrorKind, Write};

use anyhow::Context as _;
use camino::Utf8Path;

use super::check::current_folder;
use crate::{
    base::visible,
    cli::{Screen, Verbosity},
};

/// Writes a text to a file, if one was named (relative to the current folder), and says so on standard error; else to
/// the output.
///
/// # Errors
/// Where it cannot be written.
pub(super) fn deliver(text: &[u8], file: Option<&Utf8Path>, screen: Screen, out: &mut dyn Write) -> anyhow::Result<()> {
    let Some(file) = file else { return Ok(out.write_all(text)?) };
    std::fs::write(current_folder()?.join(file), text).with_context(|| format!("`{file}` could not be written"))?;
    if screen.verbosity != Verbosity::Quiet {
        let mut stderr = anstream::AutoStream::new(io::stderr(), screen.color);
        writeln!(stderr, "wrote {}", visible(file.as_str()))?;
    }
    Ok(())
}

/// Passes everything on until the reader is gone, and swallows the rest: `cargo lease-guard | head`
/// is no failure, and the exit status is still that of the check. Every other error is passed on,
/// since a report that could not be written (a full disk) must not look like a clean one.
#[derive(Debug)]
pub struct Outlet<W> {
    inner: W,
    gone: bool,
}

impl<W: Write> Outlet<W> {
    /// Around a writer.
    pub fn new(inner: W) -> Self {
        Self { inner, gone: false }
    }

    fn quiet<T>(&mut self, result: io::Result<T>, instead: T) -> io::Result<T> {
        match result {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.gone = true;
                Ok(instead)
            }
            other => other,
        }
    }
}

impl<W: Write> Write for Outlet<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.gone {
            return Ok(bytes.len());
        }
        let result = self.inner.write(bytes);
        self.quiet(result, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.gone {
            return Ok(());
        }
        let result = self.inner.flush();
        self.quiet(result, ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Failing(ErrorKind);

    impl Write for Failing {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Err(self.0.into())
        }
    }

    #[test]
    fn a_reader_that_left_is_no_error_and_a_full_disk_is() {
        let mut left = Outlet::new(Failing(ErrorKind::BrokenPipe));
        left.write_all(b"one").unwrap();
        left.write_all(b"two").unwrap();
        left.flush().unwrap();
        assert!(Outlet::new(Failing(ErrorKind::StorageFull)).write_all(b"one").is_err());
    }
}
