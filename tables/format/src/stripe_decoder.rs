//! The codes of stripes, from blocks.

use arrayvec::ArrayVec;

use super::block_reader::BlockReader;
use super::codec::{Codec, MAX_BLOCK_STRIPES, StripeCodes};
use super::error::Problem;
use super::group::{self, GROUP_BLOCKS};
use super::source::Source;
use crate::index::{FixedSquares, SlabPart, StripeFeatures};
use makruk_rules::{ByColor, Color, Square};

/// The codes of a block's stripes.
pub(super) type Decoded = Vec<StripeCodes>;

/// The part of a block that is to be decoded: its stripes up to one, and some squares of that one.
pub(super) struct Part {
    /// The block's number in its side.
    block: u64,
    features: ArrayVec<StripeFeatures, MAX_BLOCK_STRIPES>,
    /// The squares of the last stripe, as bits.
    squares: u64,
}

impl Part {
    /// Up to a square of a stripe of a slab, both of which exist; the stripe's pieces may be known already.
    fn new(codec: &Codec, slab: usize, stripe: usize, fixed: Option<&FixedSquares>, square: Square) -> Part {
        let kings = codec.stripes.layout().kings().pair(slab);
        let block = stripe / codec.block_stripes;
        let mut features: ArrayVec<StripeFeatures, MAX_BLOCK_STRIPES> =
            (block * codec.block_stripes..stripe).map(|stripe| codec.features(kings, stripe)).collect();
        features.push(match fixed {
            Some(fixed) => codec.stripes.features(kings, fixed, codec.side),
            None => codec.features(kings, stripe),
        });
        Part { block: codec.block_of(slab, stripe), features, squares: u64::MAX >> (63 - square.number()) }
    }

    /// The place of the last stripe among the block's.
    pub(super) fn last(&self) -> usize {
        self.features.len() - 1
    }

    /// Room for its codes.
    fn zeros(&self) -> Decoded {
        vec![[0; 64]; self.features.len()]
    }

    /// Decodes the bytes of its block, given the codes of the reference. Returns whether the bytes were used up.
    #[inline]
    fn decode(&self, codec: &Codec, bytes: &[u8], references: Option<&Decoded>, out: &mut Decoded) -> bool {
        let stripes = out.iter_mut().zip(&self.features).enumerate().map(|(at, (codes, features))| {
            let squares = if at == self.last() { features.legal & self.squares } else { features.legal };
            (*features, squares, references.and_then(|references| references.get(at)), codes)
        });
        codec.decode(bytes, stripes)
    }
}

/// A stripe of a slab that a side has blocks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StripeAddress {
    /// The slab.
    pub slab: usize,
    /// The stripe's number within its slab.
    pub stripe: usize,
}

/// Decodes the blocks of a table.
#[derive(Debug)]
pub(super) struct StripeDecoder<B> {
    blocks: BlockReader<B>,
    codecs: ByColor<Option<Codec>>,
}

impl<B: Source> StripeDecoder<B> {
    pub(super) fn new(blocks: BlockReader<B>, codecs: ByColor<Option<Codec>>) -> StripeDecoder<B> {
        StripeDecoder { blocks, codecs }
    }

    pub(super) fn blocks(&self) -> &BlockReader<B> {
        &self.blocks
    }

    /// The codec of a side; `None` without blocks.
    #[inline]
    pub(super) fn codec(&self, side: Color) -> Option<&Codec> {
        self.codecs[side].as_ref()
    }

    fn stored_codec(&self, side: Color) -> Result<&Codec, Problem> {
        self.codec(side).ok_or(Problem::NotStored { side })
    }

    fn check_slab(codec: &Codec, slab: usize) -> Result<(), Problem> {
        let slabs = codec.stripes.layout().slabs();
        if slab < slabs { Ok(()) } else { Err(Problem::SlabRange { slab, slabs }) }
    }

    /// The part of a block that holds the position with its pieces on these squares, and the fast piece's square. The
    /// block will be decoded, in the table that this one refers to first, if that is given.
    pub(super) fn part_at(
        &self,
        reference: Option<&StripeDecoder<B>>,
        side: Color,
        slab: usize,
        squares: &[Square],
    ) -> Result<(Part, Square), Problem> {
        let codec = self.stored_codec(side)?;
        let place = codec.stripes.stripe_of(squares);
        let (stripe, square, fixed) = place.ok_or(Problem::OtherMen { found: squares.len() })?;
        Self::check_slab(codec, slab)?;
        let block = codec.block_of(slab, stripe);
        for decoder in reference.into_iter().chain([self]) {
            decoder.blocks.prefetch_lengths(side, block);
        }
        Ok((Part::new(codec, slab, stripe, Some(&fixed), square), square))
    }

    /// The part of a block up to a square of a stripe.
    pub(super) fn part_up_to(
        &self,
        side: Color,
        StripeAddress { slab, stripe }: StripeAddress,
        square: Square,
    ) -> Result<Part, Problem> {
        let codec = self.stored_codec(side)?;
        Self::check_slab(codec, slab)?;
        let stripes = codec.stripes.len();
        if stripe >= stripes {
            return Err(Problem::StripeRange { stripe, stripes });
        }
        Ok(Part::new(codec, slab, stripe, None, square))
    }

    /// Decodes a part of a block, given the codes of the reference. The part may have been made by either table. The
    /// block's bytes may be known.
    pub(super) fn decode(
        &self,
        part: &Part,
        side: Color,
        references: Option<&Decoded>,
        bytes: Option<&[u8]>,
    ) -> Result<Decoded, Problem> {
        let codec = self.stored_codec(side)?;
        let mut out = part.zeros();
        let mut decode = |bytes: &[u8]| part.decode(codec, bytes, references, &mut out);
        match bytes {
            Some(bytes) => decode(bytes),
            None => self.blocks.with_block(side, part.block, decode)?,
        };
        Ok(out)
    }

    /// As [`StripeDecoder::decode`], for a table that others refer to: zeros where it has one value.
    pub(super) fn decode_reference(&self, part: &Part, side: Color) -> Result<Decoded, Problem> {
        match self.codec(side) {
            Some(_) => self.decode(part, side, None, None),
            None => Ok(part.zeros()),
        }
    }

    /// The codes of a slab by offset, or of the blocks that a part of it touches, and those of the reference. The codes
    /// of cells that are not legal positions, or not read, are 0. Returns the number of blocks in the slab.
    pub(super) fn decode_slab(
        &self,
        side: Color,
        slab: usize,
        part: Option<SlabPart>,
        reference: Option<&StripeDecoder<B>>,
        codes: &mut Vec<u16>,
        mut reference_codes: Option<&mut Vec<u16>>,
    ) -> Result<u64, Problem> {
        let codec = self.stored_codec(side)?;
        Self::check_slab(codec, slab)?;
        for codes in [Some(&mut *codes), reference_codes.as_deref_mut()].into_iter().flatten() {
            codes.clear();
            codes.resize(codec.stripes.layout().slab_len() as usize, 0);
        }
        let kings = codec.stripes.layout().kings().pair(slab);
        let blocks = codec.slab_blocks();
        let mut fixed_squares = codec.stripes.all_fixed_squares();
        let mut block = 0;
        while block < blocks {
            // The blocks of a group are read together.
            let group = (slab * blocks + block) / GROUP_BLOCKS;
            let end = blocks.min((group + 1) * GROUP_BLOCKS - slab * blocks);
            let first = std::mem::replace(&mut block, end);
            let mut fixed: Vec<FixedSquares> = Vec::new();
            let mut parts: Vec<Part> = Vec::new();
            for block in first..end {
                let stripes = codec.stripes_of_block(block);
                let start = fixed.len();
                fixed.extend(fixed_squares.by_ref().take(stripes.len()));
                let of_block = &fixed[start..];
                if part.is_some_and(|part| of_block.iter().all(|fixed| codec.stripes.squares_in(part, fixed) == 0)) {
                    fixed.truncate(start);
                    continue;
                }
                let features = of_block.iter().map(|fixed| codec.stripes.features(kings, fixed, side)).collect();
                parts.push(Part { block: (slab * blocks + block) as u64, features, squares: !0 });
            }
            if parts.is_empty() {
                continue;
            }
            let references = match reference {
                Some(reference) if reference.codec(side).is_some() => {
                    Some(reference.decode_group(side, group as u64, &parts, None)?)
                }
                Some(_) => Some(parts.iter().map(Part::zeros).collect()),
                None => None,
            };
            let decoded = self.decode_group(side, group as u64, &parts, references.as_deref())?;
            let stripes = parts.iter().flat_map(|part| &part.features).zip(&fixed);
            let reference_stripes = references.iter().flatten().flatten().map(Some).chain(std::iter::repeat(None));
            for ((features, fixed), (own, reference)) in stripes.zip(decoded.iter().flatten().zip(reference_stripes)) {
                let base = if features.legal == 0 { 0 } else { codec.stripes.base_offset(fixed) };
                let mut left = features.legal;
                while left != 0 {
                    let square = left.trailing_zeros() as usize & 63;
                    left &= left - 1;
                    let offset = (base + codec.stripes.square_offset(square)) as usize;
                    codes[offset] = own[square];
                    if let (Some(codes), Some(reference)) = (&mut reference_codes, reference) {
                        codes[offset] = reference[square];
                    }
                }
            }
        }
        Ok(blocks as u64)
    }

    /// Decodes whole blocks of one group, given the codes of the reference.
    fn decode_group(
        &self,
        side: Color,
        group: u64,
        parts: &[Part],
        references: Option<&[Decoded]>,
    ) -> Result<Vec<Decoded>, Problem> {
        let codec = self.stored_codec(side)?;
        self.blocks.with_group(side, group, |bytes| {
            let decode = |(at, part): (usize, &Part)| {
                let bytes = group::block(bytes, side, group, part.block as usize % GROUP_BLOCKS)?;
                let mut out = part.zeros();
                let references = references.and_then(|references| references.get(at));
                let used_up = part.decode(codec, bytes, references, &mut out);
                if used_up { Ok(out) } else { Err(Problem::Block { side, block: part.block }) }
            };
            parts.iter().enumerate().map(decode).collect()
        })
    }
}
