//! Tables that are in no folder.

use std::fmt;
use std::io;

use makruk_format::{SharedSource, Storage, TableId};
use makruk_rules::{Color, Square};

/// A place of tables other than folders: a web server, memory. It need not have the bytes of a table when they are
/// read. A read of bytes that it lacks fails with [`WouldBlock`](io::ErrorKind::WouldBlock), and the store remembers
/// that they are wanted. The same question is asked again when it has them
/// ([`TableError::wants_bytes`](super::TableError::wants_bytes)).
pub trait TableStore: fmt::Debug + Send + Sync {
    /// The bytes of a table.
    ///
    /// # Errors
    ///
    /// [`NotFound`](io::ErrorKind::NotFound) if there is no such table, `WouldBlock` if bytes are wanted.
    fn open(&self, id: TableId) -> io::Result<Box<dyn SharedSource>>;

    /// How a side of a table is stored, as far as that is known without opening it.
    fn storage(&self, id: TableId, side: Color) -> Option<Storage>;

    /// Tells the store that the value of a position will be read whose men are on these squares of a slab.
    fn want(&self, id: TableId, side: Color, slab: usize, squares: &[Square]);
}
