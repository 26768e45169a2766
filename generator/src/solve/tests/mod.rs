//! Tests of the kernels against the rules, move by move.

mod exit_seeds;
mod kernels;
