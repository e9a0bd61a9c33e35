//! The line between outside and inside: messages as JSON behind their length, and descriptors.

use std::{
    io::{self, IoSlice, IoSliceMut, Read as _, Write as _},
    mem::MaybeUninit,
    os::{
        fd::{AsFd, BorrowedFd, OwnedFd},
        unix::net::UnixStream,
    },
    path::Path,
    time::Duration,
};

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
    recvmsg, sendmsg,
};
use serde::{Serialize, de::DeserializeOwned};

/// No message is longer; the longest is a list of sockets.
const LONGEST: usize = 16 * 1024 * 1024;

/// One end of the line.
#[derive(Debug)]
pub(super) struct Control {
    stream: UnixStream,
}

impl From<UnixStream> for Control {
    fn from(stream: UnixStream) -> Self {
        Self { stream }
    }
}

impl Control {
    pub(super) fn connect(path: &Path) -> io::Result<Self> {
        UnixStream::connect(path).map(Self::from)
    }

    pub(super) fn try_clone(&self) -> io::Result<Self> {
        self.stream.try_clone().map(Self::from)
    }

    /// How long to wait for a message; none for ever.
    pub(super) fn patience(&self, limit: Option<Duration>) -> io::Result<()> {
        self.stream.set_read_timeout(limit)
    }

    /// Ends the line for both ends and all their copies.
    pub(super) fn close(&self) {
        let _ = self.stream.shutdown(std::net::Shutdown::Both);
    }

    pub(super) fn send(&mut self, message: &impl Serialize) -> io::Result<()> {
        let text = serde_json::to_vec(message)?;
        let length = u32::try_from(text.len()).map_err(io::Error::other)?;
        self.stream.write_all(&length.to_ne_bytes())?;
        self.stream.write_all(&text)
    }

    /// The next message.
    ///
    /// # Errors
    /// `UnexpectedEof` where the other end is gone.
    pub(super) fn receive<T: DeserializeOwned>(&mut self) -> io::Result<T> {
        let mut length = [0; 4];
        self.stream.read_exact(&mut length)?;
        let length = u32::from_ne_bytes(length) as usize;
        if length > LONGEST {
            return Err(io::Error::other("a message that is too long"));
        }
        let mut text = vec![0; length];
        self.stream.read_exact(&mut text)?;
        Ok(serde_json::from_slice(&text)?)
    }

    /// Hands descriptors over, one a byte.
    pub(super) fn hand_over<'fd>(&self, descriptors: impl IntoIterator<Item = BorrowedFd<'fd>>) -> io::Result<()> {
        for descriptor in descriptors {
            let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
            let mut ancillary = SendAncillaryBuffer::new(&mut space);
            let one = [descriptor];
            if !ancillary.push(SendAncillaryMessage::ScmRights(&one)) {
                return Err(io::Error::other("no room for a descriptor"));
            }
            sendmsg(self.stream.as_fd(), &[IoSlice::new(b"d")], &mut ancillary, SendFlags::NOSIGNAL)?;
        }
        Ok(())
    }

    /// Takes one descriptor that the other end hands over.
    pub(super) fn take(&self) -> io::Result<OwnedFd> {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut ancillary = RecvAncillaryBuffer::new(&mut space);
        let mut byte = [0];
        recvmsg(self.stream.as_fd(), &mut [IoSliceMut::new(&mut byte)], &mut ancillary, RecvFlags::CMSG_CLOEXEC)?;
        let taken = ancillary.drain().find_map(|message| match message {
            RecvAncillaryMessage::ScmRights(mut descriptors) => descriptors.next(),
            _ => None,
        });
        taken.ok_or_else(|| io::Error::other("a descriptor was announced and did not come"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_and_descriptors_keep_their_order() {
        let (near, far) = UnixStream::pair().unwrap();
        let (mut near, mut far) = (Control::from(near), Control::from(far));
        let (mut write, read) = UnixStream::pair().unwrap();
        near.send(&"first").unwrap();
        near.hand_over([read.as_fd(), read.as_fd()]).unwrap();
        near.send(&vec![1, 2, 3]).unwrap();
        assert_eq!(far.receive::<String>().unwrap(), "first");
        let mut taken = [far.take().unwrap(), far.take().unwrap()].map(UnixStream::from);
        assert_eq!(far.receive::<Vec<u8>>().unwrap(), [1, 2, 3]);
        write.write_all(b"x").unwrap();
        let mut byte = [0];
        taken[1].read_exact(&mut byte).unwrap();
        assert_eq!(&byte, b"x");
        drop(near);
        assert_eq!(far.receive::<String>().unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }
}
