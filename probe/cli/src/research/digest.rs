//! The number of bytes written and their SHA-256.

use std::fmt::Write as _;
use std::io::{self, Write};

use sha2::{Digest, Sha256};

/// Passes bytes on and digests them.
pub(super) struct DigestWriter<W> {
    inner: W,
    sha256: Sha256,
    bytes: u64,
}

/// The length and the digest of a file that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) bytes: u64,
    /// In hexadecimal digits, as `sha256sum` prints it.
    pub(super) sha256: String,
}

impl<W: Write> DigestWriter<W> {
    pub(super) fn new(inner: W) -> DigestWriter<W> {
        DigestWriter { inner, sha256: Sha256::new(), bytes: 0 }
    }

    /// Flushes, and returns what was written with the writer below.
    pub(super) fn finish(mut self) -> io::Result<(W, Written)> {
        self.inner.flush()?;
        let mut sha256 = String::new();
        for byte in self.sha256.finalize() {
            // Writing to a string does not fail.
            let _ = write!(sha256, "{byte:02x}");
        }
        Ok((self.inner, Written { bytes: self.bytes, sha256 }))
    }
}

impl<W: Write> Write for DigestWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.sha256.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
