//! Stripes to bytes and back.

use std::ops::Range;

use arrayvec::ArrayVec;

use super::ans::{Addend, CODE_BITS, Decoder, Encoder, LANES, Lane, SYMBOL_BITS};
use super::context::{ESCAPE, SYMBOLS, StripeCodes};
use super::model::{Model, symbol_at};
use super::prediction::{Contexts, Prediction};
use super::seen::History;
use super::stripe::{CodeSource, MAX_BLOCK_STRIPES, PredictedStripe, StripeSymbols, squares_of};
use crate::index::{FixedSquares, Pair, StripeFeatures, Stripes};
use makruk_rules::{Bitboard, Color, Square};

/// One side's stripes and model.
#[derive(Clone, Debug)]
pub(crate) struct Codec {
    pub(crate) stripes: Stripes,
    pub(crate) side: Color,
    pub(crate) block_stripes: usize,
    pub(crate) model: Model,
}

/// A side's model, for writers: encodes slabs as blocks.
#[derive(Clone, Debug)]
pub struct SideCodec {
    pub(crate) codec: Codec,
    bits: Option<u64>,
    /// The symbols of each of the model's clusters, as they are encoded.
    addends: Vec<[Addend; SYMBOLS]>,
}

/// A slab's blocks, end to end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EncodedSlab {
    pub(crate) lens: Vec<u16>,
    pub(crate) bytes: Vec<u8>,
}

impl EncodedSlab {
    /// The bytes of all blocks.
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }
}

impl SideCodec {
    /// A side's model. `bits` are those of the slabs that it was trained on, if it was.
    pub(crate) fn new(codec: Codec, bits: Option<u64>) -> SideCodec {
        let addends = codec.model.clusters().iter();
        let addends =
            addends.map(|cluster| std::array::from_fn(|symbol| Model::interval(cluster, symbol).into())).collect();
        SideCodec { codec, bits, addends }
    }

    /// The bits that the slabs which the model was trained on take in blocks, about; `None` if the model is that of a
    /// file.
    pub fn sample_bits(&self) -> Option<u64> {
        self.bits
    }

    /// Encodes a slab. `codes` are by offset; the codes of illegal positions are ignored. `reference` has the codes of
    /// the same slab in the table that the model was trained with, by offset too; `None` if it was trained without one.
    /// A pure function, for any thread.
    ///
    /// # Panics
    ///
    /// If a code is beyond the value list, or there are fewer codes than the slab has offsets.
    pub fn encode_slab(&self, slab: usize, codes: &[u16], reference: Option<&[u16]>) -> EncodedSlab {
        let codec = &self.codec;
        let kings = codec.stripes.layout().kings().pair(slab);
        // Most tables take less than a bit for each position.
        let mut encoded =
            EncodedSlab { lens: Vec::with_capacity(codec.slab_blocks()), bytes: Vec::with_capacity(codes.len() / 8) };
        let mut encoder = Encoder::default();
        let mut found = [const { ([0; 64], StripeSymbols::EMPTY) }; MAX_BLOCK_STRIPES];
        let mut of_reference = [0; 64];
        let mut stripes = ArrayVec::<BlockStripe, MAX_BLOCK_STRIPES>::new();
        let (mut codes, mut reference) = (NearCodes::new(codes), reference.map(NearCodes::new));
        let mut fixed_squares = codec.stripes.all_fixed_squares();
        // The first of the stripes whose codes were brought together.
        let mut brought = None;
        for first in (0..codec.slab_blocks()).step_by(LANES) {
            let blocks = first..codec.slab_blocks().min(first + LANES);
            for (block, lane) in blocks.clone().zip(encoder.begin()) {
                let range = codec.stripes_of_block(block);
                let are_brought = |first: &usize| {
                    range.end - first <= NEAR_STRIPES && codec.stripes.are_neighbours(&(*first..range.end))
                };
                brought = brought.filter(are_brought);
                if brought.is_none() && codec.has_far_squares() && codec.stripes.are_neighbours(&range) {
                    brought = Some(range.start);
                    codes.bring(codec, range.start);
                    reference.iter_mut().for_each(|reference| reference.bring(codec, range.start));
                }
                let stripe = |(stripe, fixed): (usize, FixedSquares)| {
                    let features = codec.stripes.features(kings, &fixed, codec.side);
                    let near = brought.map(|first| stripe - first);
                    (features.legal != 0).then(|| BlockStripe {
                        features,
                        base: codec.stripes.base_offset(&fixed),
                        near,
                    })
                };
                stripes.clear();
                stripes.extend(range.clone().zip(&mut fixed_squares).filter_map(stripe));
                if codec.is_empty(&stripes, &codes, reference.as_ref()) {
                    continue;
                }
                let mut history = History::EMPTY;
                for (stripe, (of_stripe, found)) in stripes.iter().zip(&mut found) {
                    codes.gather(codec, stripe, of_stripe);
                    let reference = reference.as_ref().map(|reference| {
                        reference.gather(codec, stripe, &mut of_reference);
                        &of_reference
                    });
                    let predicted = codec.predicted(&stripe.features, stripe.features.legal, reference);
                    found.find(&predicted, of_stripe, &mut history);
                }
                let symbols = stripes.iter().map(|stripe| stripe.features.legal).zip(&found);
                let mut symbols: ArrayVec<_, MAX_BLOCK_STRIPES> = symbols.collect();
                // Symbols 0 at the end of a block take no bytes, so they are left out.
                while let Some((squares, (_, found))) = symbols.last_mut() {
                    *squares = found.up_to_last(*squares);
                    if *squares != 0 {
                        break;
                    }
                    symbols.pop();
                }
                for (squares, (of_stripe, found)) in symbols {
                    self.push_symbols(squares, of_stripe, found, lane);
                }
            }
            encoded.lens.extend(&encoder.encode(&mut encoded.bytes)[..blocks.len()]);
        }
        encoded
    }

    /// Appends the symbols of some squares of a stripe, which were found.
    #[inline(always)]
    fn push_symbols(&self, squares: u64, codes: &StripeCodes, found: &StripeSymbols, lane: &mut Lane) {
        let model = &self.codec.model;
        for square in squares_of(squares) {
            let predictor = found.predictors[square];
            let symbol = usize::from(found.symbols[square]);
            lane.push(self.addends[model.cluster_number(predictor, found.contexts(square))][symbol]);
            if symbol == ESCAPE {
                lane.push(model.code_interval(predictor, codes[square]).into());
            }
        }
    }
}

/// A stripe of a block that has legal positions.
struct BlockStripe {
    features: StripeFeatures,
    /// The offset of its entries, the fast piece's square left out.
    base: u64,
    /// Its number among the stripes whose codes are brought together, if it is one of them.
    near: Option<usize>,
}

/// The number of stripes whose codes are brought together. Those of one square fill a line of the cache.
const NEAR_STRIPES: usize = 32;

/// The codes of a slab, and those of some neighbouring stripes brought together.
struct NearCodes<'a> {
    codes: &'a [u16],
    /// By the fast piece's square, by stripe.
    near: [[u16; NEAR_STRIPES]; 64],
}

impl<'a> NearCodes<'a> {
    fn new(codes: &'a [u16]) -> NearCodes<'a> {
        NearCodes { codes, near: [[0; NEAR_STRIPES]; 64] }
    }

    /// Brings the codes of neighbouring stripes together. In the slab, the codes of one square are side by side, but
    /// those of one stripe may be so far apart that caches keep few of them.
    fn bring(&mut self, codec: &Codec, first: usize) {
        let base = codec.stripes.base_offset(&codec.stripes.fixed_squares(first));
        for (square, near) in self.near.iter_mut().enumerate() {
            let codes = self.codes.get((base + codec.stripes.square_offset(square)) as usize..).unwrap_or(&[]);
            match codes.first_chunk() {
                Some(codes) => *near = *codes,
                None => near[..codes.len()].copy_from_slice(codes),
            }
        }
    }

    /// The code of a square of a stripe.
    #[inline(always)]
    fn code(&self, codec: &Codec, stripe: &BlockStripe, square: usize) -> u16 {
        match stripe.near {
            Some(near) => self.near[square][near],
            None => self.codes[(stripe.base + codec.stripes.square_offset(square)) as usize],
        }
    }

    /// Gathers the codes of a stripe's legal squares, zeros elsewhere.
    #[inline(always)]
    fn gather(&self, codec: &Codec, stripe: &BlockStripe, to: &mut StripeCodes) {
        gather(stripe.features.legal, |square| self.code(codec, stripe, square), to);
    }

    /// Whether all legal squares of some stripes have the same code: this one, or any if it is `None`.
    fn are_all(&self, codec: &Codec, stripes: &[BlockStripe], code: Option<u16>) -> bool {
        let squares = |stripe: &BlockStripe| Bitboard(stripe.features.legal).into_iter().map(Square::index);
        let mut codes =
            stripes.iter().flat_map(|stripe| squares(stripe).map(|square| self.code(codec, stripe, square)));
        code.or_else(|| codes.next()).is_none_or(|code| codes.all(|other| other == code))
    }
}

/// Gathers the codes of some squares of a stripe, zeros elsewhere.
#[inline(always)]
pub(super) fn gather(squares: u64, code: impl Fn(usize) -> u16, to: &mut StripeCodes) {
    *to = [0; 64];
    for square in squares_of(squares) {
        to[square] = code(square);
    }
}

/// The number of codes between those of neighbouring squares from which they are far apart.
const FAR: u64 = 1 << 12;

impl Codec {
    /// Whether the codes of a stripe are far apart in a slab.
    fn has_far_squares(&self) -> bool {
        self.stripes.layout().stride(self.stripes.axis()) >= FAR
    }

    /// The number of blocks in a slab.
    pub(crate) fn slab_blocks(&self) -> usize {
        self.stripes.len().div_ceil(self.block_stripes)
    }

    /// The number, within the side, of the block that has a stripe of a slab.
    #[inline]
    pub(crate) fn block_of(&self, slab: usize, stripe: usize) -> u64 {
        (slab * self.slab_blocks() + stripe / self.block_stripes) as u64
    }

    /// The stripes of a block of a slab.
    pub(crate) fn stripes_of_block(&self, block: usize) -> Range<usize> {
        let first = block * self.block_stripes;
        first..self.stripes.len().min(first + self.block_stripes)
    }

    /// Whether a block takes no bytes because all codes are the most frequent one: each is then as predicted, unless
    /// the reference's codes differ and move the neighbours' codes.
    fn is_empty(&self, stripes: &[BlockStripe], codes: &NearCodes<'_>, reference: Option<&NearCodes<'_>>) -> bool {
        codes.are_all(self, stripes, Some(self.model.mode))
            && (!self.model.is_moved || reference.is_none_or(|reference| reference.are_all(self, stripes, None)))
    }

    /// The features of a stripe of a slab with these kings.
    pub(crate) fn features(&self, kings: Pair, stripe: usize) -> StripeFeatures {
        self.stripes.features(kings, &self.stripes.fixed_squares(stripe), self.side)
    }

    /// A stripe whose codes are predicted by the model.
    #[inline(always)]
    fn predicted<'a>(
        &self,
        features: &'a StripeFeatures,
        squares: u64,
        reference: Option<&'a StripeCodes>,
    ) -> PredictedStripe<'a> {
        PredictedStripe { features, squares, mode: self.model.mode, reference, is_moved: self.model.is_moved }
    }

    /// Decodes stripes of a block one after the other, from its first: for each its features, the squares to decode,
    /// the reference's codes and the place for its codes. Returns whether the bytes are used up, as after the last
    /// stripe. If the bytes are not those that were written, codes may be beyond the list; nothing here depends on
    /// them.
    #[inline]
    pub(crate) fn decode<'a>(
        &self,
        bytes: &[u8],
        stripes: impl Iterator<Item = (StripeFeatures, u64, Option<&'a StripeCodes>, &'a mut StripeCodes)>,
    ) -> bool {
        let model = &self.model;
        // Every symbol is 0, and all codes are as predicted.
        if bytes.is_empty() && !model.is_moved {
            stripes.for_each(|(.., codes)| *codes = [model.mode; 64]);
            return true;
        }
        let mut source = CodeDecoder { model, decoder: Decoder::new(bytes) };
        let mut history = History::EMPTY;
        for (features, squares, reference, codes) in stripes {
            self.predicted(&features, squares, reference).read(&mut history, &mut source, codes);
        }
        source.decoder.is_done()
    }
}

/// Decodes the codes of a block.
struct CodeDecoder<'a> {
    model: &'a Model,
    decoder: Decoder<'a>,
}

impl CodeSource for CodeDecoder<'_> {
    #[inline(always)]
    fn code(&mut self, prediction: &Prediction, contexts: Contexts) -> u16 {
        let CodeDecoder { model, decoder } = self;
        // All symbols that follow are 0: the model is not needed.
        if decoder.is_done() {
            return prediction.predictor;
        }
        let number = model.cluster_number(prediction.predictor, contexts);
        let first = model.first_interval(number);
        if decoder.slot(SYMBOL_BITS) < first.frequency {
            decoder.take(first);
            return prediction.predictor;
        }
        let cluster = model.cluster(number);
        let symbol = symbol_at(cluster, decoder.slot(SYMBOL_BITS));
        decoder.take(Model::interval(cluster, symbol));
        if symbol < ESCAPE {
            return prediction.code(symbol);
        }
        let code = model.code_at(prediction.predictor, decoder.slot(CODE_BITS));
        decoder.take(model.code_interval(prediction.predictor, code));
        code
    }
}
