//! What the system says of a file: it tells whether the file was changed or replaced.

use std::fs::Metadata;
use std::time::SystemTime;

/// The length of a file, its time of modification, and its number. Bytes may change while all of them stay as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileState {
    len: u64,
    modified: Option<SystemTime>,
    /// The device and the number of the file there, where the system has them: a file that takes the place of another
    /// may have its length and time.
    number: Option<(u64, u64)>,
}

impl FileState {
    /// The state of a file.
    pub fn of(metadata: &Metadata) -> FileState {
        #[cfg(unix)]
        let number = {
            use std::os::unix::fs::MetadataExt;
            Some((metadata.dev(), metadata.ino()))
        };
        #[cfg(not(unix))]
        let number = None;
        FileState { len: metadata.len(), modified: metadata.modified().ok(), number }
    }

    /// The same without the number: some file systems give a file another one each time that they are asked.
    #[must_use]
    pub fn without_number(self) -> FileState {
        FileState { number: None, ..self }
    }

    pub(crate) fn len(&self) -> u64 {
        self.len
    }
}
