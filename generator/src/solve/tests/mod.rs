//! Tests of the kernels against the rules, move by move.

mod capture_seeds;
mod kernels;
