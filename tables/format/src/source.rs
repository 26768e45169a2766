//! The sources of a table's bytes.

use std::fmt;
use std::io;

/// Bytes that can be read from any offset.
pub trait Source {
    /// The number of bytes.
    fn total(&self) -> u64;

    /// `len` bytes from an offset: in place, or read into `buffer`.
    ///
    /// # Errors
    ///
    /// They are not there, or the system cannot read them.
    fn read<'a>(&'a self, offset: u64, len: usize, buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]>;

    /// These bytes, if they are mapped and nobody changes them.
    #[inline]
    fn in_memory(&self, _offset: u64, _len: usize) -> Option<&[u8]> {
        None
    }

    /// Has the processor load the bytes at an offset, without waiting for them, if they are mapped.
    #[inline]
    fn prefetch(&self, _offset: u64) {}

    /// Whether bytes are copied from memory when they are read. Then two small parts are read sooner than a large one.
    #[inline]
    fn copies(&self) -> bool {
        false
    }

    /// Whether others may change the bytes without anybody's notice. Then every read is compared.
    #[inline]
    fn may_change(&self) -> bool {
        false
    }

    /// Advises the system that these bytes will be read. The call does not wait for them, and may do nothing.
    fn advise(&self, _offset: u64, _len: u64) {}

    /// Whether the bytes are what they were when they were opened, as far as the source can tell. Asked when a use of
    /// them has failed.
    ///
    /// # Errors
    ///
    /// The system cannot tell.
    #[inline]
    fn is_unchanged(&self) -> io::Result<bool> {
        Ok(true)
    }

    /// Whether the source checks the bytes before it gives them. Then the checksums in the file are neither read nor
    /// compared.
    fn checks_its_bytes(&self) -> bool {
        false
    }
}

/// Has the processor load the bytes at an address, without waiting for them.
#[inline]
#[allow(unsafe_code)]
pub(super) fn prefetch(_address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch has no effect that a program can see, whatever the address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(_address.cast());
    }
}

/// A source that any thread may read, whatever it reads from.
pub trait SharedSource: Source + fmt::Debug + Send + Sync {}

impl<S: Source + fmt::Debug + Send + Sync> SharedSource for S {}

impl<B: AsRef<[u8]>> Source for B {
    #[inline]
    fn total(&self) -> u64 {
        self.as_ref().len() as u64
    }

    #[inline]
    fn read<'a>(&'a self, offset: u64, len: usize, _: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        let start = usize::try_from(offset).map_err(|_| io::ErrorKind::UnexpectedEof)?;
        let end = start.checked_add(len).ok_or(io::ErrorKind::UnexpectedEof)?;
        self.as_ref().get(start..end).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }
}
