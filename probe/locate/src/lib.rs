//! The table folder and the messages that the programs share: which folder is used by default, and what a user can do about an
//! error. Libraries know neither options nor environment variables nor commands.

mod folder;
mod remedy;

pub use folder::{TABLES_VARIABLE, locate};
pub use remedy::{file_remedy, io_remedy, message, table_remedy};
