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

    /// Whether a file is in this state, by `ask`, which asks the system for its state. A number that is another one at
    /// the second time does not count.
    pub(crate) fn is_still(self, ask: impl Fn() -> Option<FileState>) -> bool {
        let (found, again) = (ask(), ask());
        found == Some(self) || found != again && found.map(FileState::without_number) == Some(self.without_number())
    }

    pub(crate) fn len(&self) -> u64 {
        self.len
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_number_that_never_stays_does_not_count() {
        let state = |len, number| FileState { len, modified: None, number: Some((1, number)) };
        let asked = Cell::new(1);
        let other_each_time = |len| Some(state(len, asked.replace(asked.get() + 1)));
        assert!(state(9, 0).is_still(|| other_each_time(9)));
        assert!(!state(9, 0).is_still(|| other_each_time(8)));
        assert!(state(9, 0).is_still(|| Some(state(9, 0))));
        for replaced in [Some(state(9, 1)), Some(state(8, 0)), None] {
            assert!(!state(9, 0).is_still(|| replaced), "{replaced:?}");
        }
    }
}
