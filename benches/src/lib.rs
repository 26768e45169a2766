//! Attacks on a server, which the tests share.

pub mod torture;
