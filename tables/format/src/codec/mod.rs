//! The codec: a slab's codes as blocks of a few stripes each. Each block is decoded alone.
//!
//! - [`ans`]: range asymmetric numeral systems, integers that hold symbols;
//! - [`context`]: the numbers of which contexts are made;
//! - [`seen`]: the codes that were seen before a square's;
//! - [`prediction`]: the prediction of a square's code from these, and the contexts of its symbol;
//! - [`stripe`]: the predictions of a stripe's codes, for readers and for writers;
//! - [`model`]: the frequencies of one side's symbols in each context;
//! - [`train`]: models from sampled slabs, with the statistics of [`sample`] and the clusters of [`clustering`];
//! - [`block`]: stripes to bytes and back.

mod ans;
mod block;
mod clustering;
mod context;
mod model;
mod prediction;
mod sample;
mod seen;
mod stripe;
mod train;

pub(crate) use ans::MAX_VALUES;
pub(super) use block::Codec;
pub use block::{EncodedSlab, SideCodec};
pub(super) use context::StripeCodes;
pub(super) use model::Model;
pub use sample::Sample;
pub(crate) use stripe::MAX_BLOCK_STRIPES;
pub use train::Trainer;
