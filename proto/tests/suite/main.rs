//! The protocol's code and its page are those of the .proto files.

mod generated;
mod page;
