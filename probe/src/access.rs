//! How table files are read.

/// How table files are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Access {
    /// Through a map of the file: the quickest. A file cut short while it is mapped ends the process.
    #[default]
    Mapped,
    /// Through a map, and the file's state is asked for after every use: a file that is changed in place is damaged from then
    /// on, and one cut short as well, if the process survives that.
    Watched,
    /// By positional reads. A file cut short is an error.
    Positional,
}
