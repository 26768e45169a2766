//! What the tests that cross rooms share.
//!
//! [`reference`] is a slow solver that knows the rules and nothing else, against which the tables are held.

pub mod reference;
