//! The answers that a page about endings asks for: all that is shown of a position, and whole games.
//!
//! The service answers `/v1/explore` and `/v1/analyse` with them, and the WebAssembly module gives the same to a page
//! without a server. Both bring their own prober and a function that describes a failure, because only they know what
//! helps.
//!
//! - [`explore`]: a position, its moves, its mistakes and its sacrifices ([`ExploredJson`]);
//! - [`GameReview`]: every position of a game and the move played there ([`GamePositionJson`]);
//! - [`IllegalJson`], [`GameErrorJson`], [`UnjudgedJson`], [`ErrorPlace`]: why there is no answer.

#![forbid(unsafe_code)]

mod error_place;
mod explore;
mod explored_json;
mod game_error;
mod game_json;
mod game_review;
mod illegal_json;
mod unjudged_json;

pub use error_place::ErrorPlace;
pub use explore::{CountsBesideBareKing, bare_side, check_counts, explore};
pub use explored_json::ExploredJson;
pub use game_error::GameErrorJson;
pub use game_json::{GameJson, GamePositionJson, GamesJson};
pub use game_review::GameReview;
pub use illegal_json::IllegalJson;
pub use unjudged_json::UnjudgedJson;
