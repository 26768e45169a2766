//! Maps of files that others may modify.

use std::ffi::c_void;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use memmap2::{MmapOptions, MmapRaw};

use super::file_state::FileState;
use super::positional::PositionalFile;
use super::source::{Source, prefetch};
use super::truncation::TruncationHandler;
use super::watched_range::WatchedRange;

/// A file that others may modify or cut short in place. Its readers compare what they read; the file's state says why
/// bytes are not as they were. A map keeps no file open, since systems allow fewer open files than there are tables.
#[derive(Debug)]
pub(super) struct WatchedFile {
    bytes: Bytes,
    path: PathBuf,
    state: FileState,
}

/// The bytes: mapped, or read by position where there is no handler of SIGBUS, no place for a watched range, or no map.
#[derive(Debug)]
enum Bytes {
    Map(WatchedMap),
    File(PositionalFile),
}

impl WatchedFile {
    pub(super) fn new(file: File, path: &Path, handler: Option<TruncationHandler>) -> io::Result<WatchedFile> {
        // Before the map, so that no change goes unnoticed.
        let state = FileState::of(&file.metadata()?);
        let bytes = match handler.and_then(|_| WatchedMap::new(&file)) {
            Some(map) => Bytes::Map(map),
            None => Bytes::File(PositionalFile::new(file, path)?),
        };
        Ok(WatchedFile { bytes, path: path.to_owned(), state })
    }
}

impl Source for WatchedFile {
    fn total(&self) -> u64 {
        match &self.bytes {
            Bytes::Map(map) => map.bytes.len() as u64,
            Bytes::File(file) => file.total(),
        }
    }

    #[inline]
    fn read<'a>(&'a self, offset: u64, len: usize, buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        match &self.bytes {
            Bytes::Map(map) => map.copy(offset, len, buffer),
            Bytes::File(file) => file.read(offset, len, buffer),
        }
    }

    #[inline]
    fn prefetch(&self, offset: u64) {
        if let Bytes::Map(map) = &self.bytes {
            prefetch(map.bytes.as_ptr().wrapping_add(offset as usize));
        }
    }

    #[inline]
    fn copies(&self) -> bool {
        matches!(self.bytes, Bytes::Map(_))
    }

    /// A program that writes through a map of its own need not change the time of modification.
    #[inline]
    fn may_change(&self) -> bool {
        true
    }

    fn advise(&self, offset: u64, len: u64) {
        #[cfg(unix)]
        if let (Bytes::Map(map), Ok(offset), Ok(len)) = (&self.bytes, usize::try_from(offset), usize::try_from(len))
            && offset.checked_add(len).is_some_and(|end| end <= map.bytes.len())
        {
            // Advice that is not taken changes nothing.
            let _ = map.bytes.advise_range(memmap2::Advice::WillNeed, offset, len);
        }
        #[cfg(not(unix))]
        let _ = (offset, len);
    }

    fn is_unchanged(&self) -> io::Result<bool> {
        // A file that is gone was replaced, too.
        if !self.state.is_still(|| std::fs::metadata(&self.path).map(|found| FileState::of(&found)).ok()) {
            return Ok(false);
        }
        match &self.bytes {
            Bytes::Map(map) if map.range.has_lost_page() => {
                Err(io::Error::other("a page of the file could not be read"))
            }
            _ => Ok(true),
        }
    }
}

/// A map whose range is registered, so that a page that is lost reads as zeros. No reference to its bytes is made,
/// since others may modify the file: they are copied.
#[derive(Debug)]
struct WatchedMap {
    // It is dropped before the map is.
    range: WatchedRange,
    bytes: MmapRaw,
}

impl WatchedMap {
    /// The map of a file; `None` if the system or the registry of ranges has no room for it.
    fn new(file: &File) -> Option<WatchedMap> {
        let bytes = MmapOptions::new().map_raw_read_only(file).ok()?;
        let start = bytes.as_ptr() as usize;
        Some(WatchedMap { range: WatchedRange::register(start..start + bytes.len())?, bytes })
    }

    /// Copies `len` bytes from an offset.
    #[inline]
    #[allow(unsafe_code)]
    fn copy<'a>(&self, offset: u64, len: usize, buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        let start = usize::try_from(offset).map_err(|_| io::ErrorKind::UnexpectedEof)?;
        if start.checked_add(len).is_none_or(|end| end > self.bytes.len()) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if buffer.len() < len {
            buffer.resize(len, 0);
        }
        let copy = &mut buffer[..len];
        // SAFETY: the bytes up to `start + len` are within the map, which lives as long as `self`. Its pages can be
        // read: one that is lost is replaced by zeros. Others may write them meanwhile, as no code of Rust reads them.
        unsafe {
            let memcpy = (&raw const COPY).read_volatile();
            memcpy(copy.as_mut_ptr().cast(), self.bytes.as_ptr().add(start).cast(), len);
        }
        Ok(copy)
    }
}

/// The system's copy, which the compiler does not know as such: it reads from the map for the copy, and never again.
#[allow(unsafe_code)]
static COPY: unsafe extern "C" fn(*mut c_void, *const c_void, usize) -> *mut c_void = {
    unsafe extern "C" {
        fn memcpy(to: *mut c_void, from: *const c_void, len: usize) -> *mut c_void;
    }
    memcpy
};

#[cfg(test)]
mod tests {
    use std::io::Write;

    use tempfile::NamedTempFile;

    use super::super::truncation::survive_truncated_tables;
    use super::super::watched_range::note_lost_page;
    use std::time::SystemTime;

    use super::*;

    fn watched(len: usize, handler: Option<TruncationHandler>) -> (NamedTempFile, WatchedFile) {
        let mut file = NamedTempFile::new().unwrap();
        file.write_all(&(0..len).map(|at| (at * 7) as u8).collect::<Vec<_>>()).unwrap();
        let watched = WatchedFile::new(file.reopen().unwrap(), file.path(), handler).unwrap();
        (file, watched)
    }

    #[test]
    fn any_part_of_a_map_is_copied() {
        let (_file, file) = watched(300, survive_truncated_tables().ok());
        let mut buffer = Vec::new();
        for (offset, len) in (0..40).flat_map(|offset| [0, 1, 7, 8, 9, 100, 257].map(|len| (offset, len))) {
            let expected: Vec<u8> = (offset..offset + len).map(|at| (at * 7) as u8).collect();
            assert_eq!(file.read(offset as u64, len, &mut buffer).unwrap(), expected);
        }
        for (offset, len) in [(300, 1), (0, 301), (u64::MAX, 2)] {
            assert!(file.read(offset, len, &mut buffer).is_err());
        }
    }

    #[test]
    fn without_a_handler_a_file_is_read_by_position() {
        let (named, file) = watched(10, None);
        assert!(matches!(file.bytes, Bytes::File(_)) && file.is_unchanged().unwrap());
        named.as_file().set_modified(SystemTime::UNIX_EPOCH).unwrap();
        assert!(!file.is_unchanged().unwrap());
    }

    #[cfg(unix)]
    #[test]
    fn a_file_of_the_same_length_and_time_is_another() {
        let [(old, file), (new, _)] = [(); 2].map(|()| watched(10, survive_truncated_tables().ok()));
        new.as_file().set_modified(old.as_file().metadata().unwrap().modified().unwrap()).unwrap();
        assert!(file.is_unchanged().unwrap());
        std::fs::rename(new.path(), old.path()).unwrap();
        assert!(!file.is_unchanged().unwrap());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_lost_page_fails_its_map_and_no_other() {
        let [(_lost, lost), (_other, other)] = [(); 2].map(|()| watched(1 << 14, survive_truncated_tables().ok()));
        assert!(lost.is_unchanged().unwrap());
        let Bytes::Map(map) = &lost.bytes else { panic!("the file is not mapped") };
        assert!(note_lost_page(map.bytes.as_ptr() as usize + 4096));
        assert!(lost.is_unchanged().is_err());
        assert!(other.is_unchanged().unwrap());
    }
}
