//! Tests of the kernels against the rules, move by move.

mod cells;
mod exit_seeds;
mod kernels;
