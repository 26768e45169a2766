//! The generator from outside: the bytes and the memory of builds, and the program `makruk-gen`.

mod budget;
mod bytes;
#[cfg(feature = "cli")]
mod manuals;
mod memory;
#[cfg(feature = "cli")]
mod remedies;
mod resume;
#[cfg(feature = "cli")]
mod safety;
