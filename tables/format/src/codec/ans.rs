//! Range asymmetric numeral systems: symbols in a growing integer.
//!
//! The integer starts at 0, and while it is small nothing is written: a block in which every symbol is the first of its
//! distribution takes no byte. The encoder moves the integer's lowest byte out when it would grow beyond 32 bits;
//! the decoder takes the bytes in the reverse order.

use super::stripe::MAX_BLOCK_STRIPES;

/// The frequencies of a cluster's symbols add up to 2 to this power. A symbol that is nearly certain takes next to
/// nothing.
pub(super) const SYMBOL_BITS: u32 = 14;

/// The frequencies of the codes add up to 2 to this power.
pub(super) const CODE_BITS: u32 = 12;

/// The most values of a side: each needs its own frequency.
pub(crate) const MAX_VALUES: usize = 1 << (CODE_BITS - 1);

/// The decoder takes another byte, if there is one, while its state is below this.
const LOWEST: u32 = 1 << 24;

/// A symbol's part of its distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    /// The sum of the frequencies of the symbols before this one.
    pub(super) start: u16,
    /// The symbol's frequency, 1 or more.
    pub(super) frequency: u16,
    /// The frequencies of the distribution add up to 2 to this power.
    pub(super) bits: u32,
}

/// An interval as a writer adds it to a state: by a multiplication in place of a division.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Addend {
    /// The reciprocal of the frequency, times 2 to the power `32 + bits`, rounded up.
    reciprocal: u64,
    start: u16,
    frequency: u16,
    bits: u32,
}

impl From<Interval> for Addend {
    fn from(Interval { start, frequency, bits }: Interval) -> Addend {
        Addend { reciprocal: (1 << (32 + bits)) / u64::from(frequency) + 1, start, frequency, bits }
    }
}

/// The number of blocks that are encoded at a time. Each symbol waits for the one before it in its block; those of
/// other blocks fill the time.
pub(super) const LANES: usize = 2;

/// The most symbols of a block, each with a code.
const MOST_SYMBOLS: usize = 2 * 64 * MAX_BLOCK_STRIPES;
/// The most bytes of a block: a symbol and a code take 26 bits.
const MOST_BYTES: usize = 2 * MOST_SYMBOLS;

/// Encodes some blocks at a time.
#[derive(Debug, Default)]
pub(super) struct Encoder {
    lanes: [Lane; LANES],
}

/// A block that is encoded.
#[derive(Debug)]
pub(super) struct Lane {
    /// Its symbols so far.
    symbols: Box<[Addend; MOST_SYMBOLS]>,
    len: usize,
    /// Room for its bytes.
    bytes: Box<[u8; MOST_BYTES]>,
}

impl Default for Lane {
    fn default() -> Lane {
        Lane { symbols: Box::new([Addend::default(); _]), len: 0, bytes: Box::new([0; _]) }
    }
}

impl Lane {
    /// Appends a symbol.
    #[inline(always)]
    pub(super) fn push(&mut self, symbol: Addend) {
        self.symbols[self.len] = symbol;
        self.len += 1;
    }
}

/// The state of a block that is encoded, and the place of its first byte so far: the last byte is made first.
#[derive(Clone, Copy)]
struct State {
    state: u32,
    first: usize,
}

impl State {
    #[inline(always)]
    fn put_byte(&mut self, bytes: &mut [u8; MOST_BYTES]) {
        self.first -= 1;
        bytes[self.first] = self.state as u8;
        self.state >>= 8;
    }

    /// Adds a symbol.
    #[inline(always)]
    fn add(&mut self, Addend { reciprocal, start, frequency, bits }: Addend, bytes: &mut [u8; MOST_BYTES]) {
        let frequency = u32::from(frequency);
        while u64::from(self.state) >= u64::from(frequency) << (32 - bits) {
            self.put_byte(bytes);
        }
        // Exact: the state is below the frequency times 2 to the power `32 - bits`, and the frequency at most 2 to the
        // power `bits`.
        let quotient = ((u64::from(self.state) * reciprocal) >> (32 + bits)) as u32;
        self.state += u32::from(start) + quotient * ((1 << bits) - frequency);
    }
}

impl Encoder {
    /// The blocks, without symbols.
    pub(super) fn begin(&mut self) -> &mut [Lane; LANES] {
        self.lanes.iter_mut().for_each(|lane| lane.len = 0);
        &mut self.lanes
    }

    /// Appends for each block the bytes that decode to its symbols, and returns their numbers.
    pub(super) fn encode(&mut self, out: &mut Vec<u8>) -> [u16; LANES] {
        let [a, b] = &mut self.lanes;
        let (of_a, of_b) = (&a.symbols[..a.len], &b.symbols[..b.len]);
        let fewest = of_a.len().min(of_b.len());
        let (of_a, of_b) = (of_a.split_at(of_a.len() - fewest), of_b.split_at(of_b.len() - fewest));
        let [mut x, mut y] = [State { state: 0, first: MOST_BYTES }; LANES];
        for (&of_a, &of_b) in of_a.1.iter().rev().zip(of_b.1.iter().rev()) {
            x.add(of_a, &mut a.bytes);
            y.add(of_b, &mut b.bytes);
        }
        [(x, of_a.0, &mut a.bytes), (y, of_b.0, &mut b.bytes)].map(|(mut state, symbols, bytes)| {
            symbols.iter().rev().for_each(|&symbol| state.add(symbol, bytes));
            while state.state > 0 {
                state.put_byte(bytes);
            }
            out.extend_from_slice(&bytes[state.first..]);
            (MOST_BYTES - state.first) as u16
        })
    }
}

/// Takes symbols from the bytes of a block.
#[derive(Debug)]
pub(super) struct Decoder<'a> {
    state: u32,
    bytes: &'a [u8],
}

impl<'a> Decoder<'a> {
    /// A decoder at the beginning of a block.
    #[inline]
    pub(super) fn new(bytes: &'a [u8]) -> Decoder<'a> {
        let mut decoder = Decoder { state: 0, bytes };
        for _ in 0..4 {
            if let Some((&byte, rest)) = decoder.bytes.split_first() {
                decoder.state = decoder.state << 8 | u32::from(byte);
                decoder.bytes = rest;
            }
        }
        decoder
    }

    /// The number below 2 to the power `bits` whose interval is the next symbol's.
    #[inline(always)]
    pub(super) fn slot(&self, bits: u32) -> u16 {
        (self.state & ((1 << bits) - 1)) as u16
    }

    /// Takes the symbol of this interval, which contains [`Decoder::slot`].
    #[inline(always)]
    pub(super) fn take(&mut self, interval: Interval) {
        let within = u32::from(self.slot(interval.bits)).wrapping_sub(u32::from(interval.start));
        self.state = u32::from(interval.frequency).wrapping_mul(self.state >> interval.bits).wrapping_add(within);
        while self.state < LOWEST {
            let Some((&byte, rest)) = self.bytes.split_first() else { break };
            self.state = self.state << 8 | u32::from(byte);
            self.bytes = rest;
        }
    }

    /// Whether the state is 0 and no byte is left, as after the last symbol of an intact block. Any further symbols are
    /// then the first of their distributions.
    #[inline(always)]
    pub(super) fn is_done(&self) -> bool {
        self.state == 0 && self.bytes.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn intervals(frequencies: &[u16]) -> Vec<Interval> {
        let mut start = 0;
        let bits = frequencies.iter().sum::<u16>().ilog2();
        frequencies
            .iter()
            .map(|&frequency| {
                start += frequency;
                Interval { start: start - frequency, frequency, bits }
            })
            .collect()
    }

    /// The bytes of a block, after others.
    fn encode(symbols: &[Interval], out: &mut Vec<u8>) {
        let mut encoder = Encoder::default();
        let [_, lane] = encoder.begin();
        symbols.iter().for_each(|&symbol| lane.push(symbol.into()));
        assert_eq!(encoder.encode(out)[0], 0);
    }

    proptest! {
        #[test]
        fn blocks_of_any_lengths_are_encoded_as_if_alone(blocks in prop::collection::vec(prop::collection::vec(0usize..5, 0..90), LANES)) {
            let distribution = intervals(&[1, 1000, 2000, 94, 1001]);
            let mut encoder = Encoder::default();
            // Nothing is left of blocks before.
            for _ in 0..2 {
                let (mut together, mut alone, mut lens) = (Vec::new(), Vec::new(), Vec::new());
                for (lane, text) in encoder.begin().iter_mut().zip(&blocks) {
                    let symbols: Vec<Interval> = text.iter().map(|&symbol| distribution[symbol]).collect();
                    symbols.iter().for_each(|&symbol| lane.push(symbol.into()));
                    let before = alone.len();
                    encode(&symbols, &mut alone);
                    lens.push((alone.len() - before) as u16);
                }
                prop_assert_eq!(encoder.encode(&mut together).to_vec(), lens);
                prop_assert_eq!(together, alone);
            }
        }

        #[test]
        fn symbols_come_back(text in prop::collection::vec((0usize..3, 0usize..5), 0..400)) {
            let distributions = [
                intervals(&[4092, 1, 1, 1, 1]),
                intervals(&[1, 1000, 2000, 94, 1001]),
                intervals(&[15_000, 1380, 1, 1, 2]),
            ];
            let symbols: Vec<Interval> = text.iter().map(|&(kind, symbol)| distributions[kind][symbol]).collect();
            let mut bytes = vec![7];
            encode(&symbols, &mut bytes);
            // The first symbols of distributions take no bytes at the end.
            let firsts = || distributions.iter().map(|of| of[0]);
            let mut with_firsts = vec![7];
            encode(&symbols.iter().copied().chain(firsts()).collect::<Vec<_>>(), &mut with_firsts);
            prop_assert_eq!(&with_firsts, &bytes);
            let mut decoder = Decoder::new(&bytes[1..]);
            for &(kind, symbol) in &text {
                let slot = decoder.slot(distributions[kind][0].bits);
                let found = distributions[kind].iter().position(|interval| slot - interval.start.min(slot) < interval.frequency && slot >= interval.start);
                prop_assert_eq!(found, Some(symbol));
                decoder.take(distributions[kind][symbol]);
            }
            for first in firsts() {
                prop_assert!(decoder.is_done() && decoder.slot(first.bits) == 0);
                decoder.take(first);
            }
            prop_assert!(decoder.is_done());
        }

        #[test]
        fn a_reciprocal_divides_exactly(frequency in 1..=1u16 << SYMBOL_BITS, state: u32, largest: bool) {
            let (bits, divisor) = (SYMBOL_BITS, u32::from(frequency));
            let beyond = u64::from(divisor) << (32 - bits);
            let value = if largest { beyond - 1 } else { u64::from(state) % beyond } as u32;
            let start = (1 << bits) - frequency;
            let mut state = State { state: value, first: MOST_BYTES };
            state.add(Interval { start, frequency, bits }.into(), &mut [0; MOST_BYTES]);
            prop_assert_eq!(state.state, ((value / divisor) << bits) + value % divisor + u32::from(start));
        }

        #[test]
        fn any_bytes_decode_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..50), steps in 0usize..200) {
            let distribution = intervals(&[1, 1000, 2000, 94, 1001]);
            let mut decoder = Decoder::new(&bytes);
            for _ in 0..steps {
                let slot = decoder.slot(CODE_BITS);
                let interval = distribution.iter().rev().find(|interval| interval.start <= slot).unwrap();
                decoder.take(*interval);
            }
        }
    }

    #[test]
    fn first_symbols_take_no_bytes() {
        let distribution = intervals(&[4000, 96]);
        let mut bytes = Vec::new();
        encode(&[distribution[0]; 1000], &mut bytes);
        assert!(bytes.is_empty());
        encode(&[distribution[0], distribution[1], distribution[0]], &mut bytes);
        assert_eq!(bytes.len(), 2);
    }
}
