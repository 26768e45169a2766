//! Whole materials against the prober, random positions, and the numbers of the findings.
#![allow(clippy::unwrap_used)]

#[path = "../../../tests/suite/common.rs"]
mod common;

mod findings;
mod materials;
mod random_positions;
