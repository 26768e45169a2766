//! The crate `makruk-research`: whole materials against the prober, training sets, and the numbers of the findings.

// Clippy lets tests unwrap, but not the functions that they share.
#![allow(clippy::unwrap_used)]

mod findings;
mod materials;
mod omitted_side;
mod training;
