//! `libmakruk_probe`: the prober for programs in C.
//!
//! `README.md`, beside this crate's manifest, has an example and lists all functions and results. `include/makruk_probe.h` is the
//! manual; it is generated from here. Programs in Rust use the crate `makruk-probe` instead.
#![allow(unsafe_code)] // pointers come from C; each use names the caller's promise

mod category;
mod guard;
mod legal_moves;
mod position;
mod probe;
mod result;
mod tables;
#[cfg(test)]
mod tests;
mod version;

pub use legal_moves::makruk_legal_moves;
pub use position::{
    MAKRUK_BLACK, MAKRUK_WHITE, MakrukPosition, makruk_explain_fen, makruk_is_check, makruk_position_from_fen,
    makruk_position_move, makruk_position_play, makruk_position_to_fen,
};
pub use probe::{
    MAKRUK_ANY_COUNT, MAKRUK_IN_MEMORY, MAKRUK_MAX_MOVES, MAKRUK_NO_DISTANCE, MAKRUK_SEARCH_ONLY, MakrukBounds,
    MakrukMove, MakrukRoot, MakrukVerdict, makruk_best_move, makruk_explain, makruk_probe, makruk_probe_category,
    makruk_probe_root, makruk_probe_search, makruk_root_keep_category,
};
pub use result::*;
pub use tables::{
    MAKRUK_HAS_DTM, MAKRUK_HAS_DTZ, MAKRUK_HAS_SEARCH, MAKRUK_HAS_WDL, MAKRUK_POSITIONAL, MAKRUK_STRICT,
    MakrukProgress, MakrukTables, makruk_complete, makruk_free, makruk_has, makruk_largest, makruk_materials,
    makruk_materials_with, makruk_open, makruk_preload,
};
pub use version::{MAKRUK_VERSION_MAJOR, MAKRUK_VERSION_MINOR, makruk_version};
