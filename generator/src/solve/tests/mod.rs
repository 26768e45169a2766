//! Tests of the kernels against the rules, move by move.

mod kernels;
