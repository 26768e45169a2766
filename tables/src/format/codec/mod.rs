//! The codec: a slab's codes as blocks of a few boards each, any of which is decoded alone.
//!
//! - [`ans`]: integers that hold symbols, each in as many bits as its frequency deserves;
//! - [`context`]: what is known of a cell from the cells before it, and a symbol's meaning there;
//! - [`model`]: the frequencies of one side, as learned by [`train`];
//! - [`block`]: boards to bytes and back.

mod ans;
mod block;
mod context;
mod model;
mod train;

pub use ans::MAX_VALUES;
pub(super) use block::{BoardCodes, Codec};
pub use block::{EncodedSlab, MAX_BLOCK_BOARDS, SideCodec};
pub(super) use model::Model;
pub use train::{Sample, Trainer};
