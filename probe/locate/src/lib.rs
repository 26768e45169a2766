//! The default folder of the tables, and the sentences about errors, which the programs share. Libraries know neither
//! options nor environment variables nor commands.
//!
//! - [`locate`]: the folder of the tables: the one that is given, else that of [`TABLES_VARIABLE`], else `tables/data`
//!   in the current folder if it exists, else the user's data folder;
//! - [`message`]: an error and its causes in one line;
//! - [`material_notes`]: what is said of materials named in the letters of chess;
//! - [`build_remedy`], [`table_remedy`], [`file_remedy`], [`io_remedy`]: the command or the action that helps, by the
//!   kind of error;
//! - `arguments`, `argument_error` (feature `manuals`): the arguments of a program, and what is said of wrong ones;
//! - `write_manuals` (feature `manuals`): manual pages, and completions for shells.
//!
//! ```
//! use std::path::Path;
//!
//! assert_eq!(makruk_locate::locate(Some(Path::new("/data/makruk"))), Path::new("/data/makruk"));
//! let missing = std::io::Error::from(std::io::ErrorKind::NotFound);
//! assert_eq!(makruk_locate::message(&missing), missing.to_string());
//! ```

#[cfg(feature = "manuals")]
mod arguments;
mod folder;
#[cfg(feature = "manuals")]
mod manuals;
mod material_note;
mod remedy;

#[cfg(feature = "manuals")]
pub use arguments::{argument_error, arguments};
pub use folder::{TABLES_VARIABLE, locate};
#[cfg(feature = "manuals")]
pub use manuals::write_manuals;
pub use material_note::material_notes;
pub use remedy::{build_remedy, file_remedy, io_remedy, message, table_remedy};
