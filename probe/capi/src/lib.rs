//! `libmakruk_probe`: the prober for programs in C. `include/makruk_probe.h` is its manual; it is generated from here.
#![allow(unsafe_code)] // pointers come from C; each use names the caller's promise

mod guard;
mod position;
mod probe;
mod result;
mod tables;
#[cfg(test)]
mod tests;

pub use position::{
    MAKRUK_BLACK, MAKRUK_WHITE, MakrukPosition, makruk_position_from_fen, makruk_position_play, makruk_position_to_fen,
};
pub use probe::{
    MAKRUK_MAX_MOVES, MAKRUK_NO_DISTANCE, MakrukMove, MakrukRoot, MakrukVerdict, makruk_best_move, makruk_explain,
    makruk_probe, makruk_probe_category, makruk_probe_root,
};
pub use result::*;
pub use tables::{MakrukTables, makruk_free, makruk_init, makruk_largest, makruk_sets, makruk_version};
