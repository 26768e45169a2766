//! Range asymmetric numeral systems: symbols in a growing integer.
//!
//! The integer starts at 0, and while it is small nothing is written: a block in which every symbol is the likeliest of
//! its distribution takes no byte. The encoder moves the integer's lowest byte out when it would grow beyond 32 bits;
//! the decoder takes the bytes in the reverse order.

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

/// The number of blocks that are encoded at a time. Each symbol's division waits for the one before it in its block;
/// those of other blocks fill the time.
pub(super) const LANES: usize = 2;

/// Encodes some blocks at a time.
#[derive(Debug, Default)]
pub(super) struct Encoder {
    lanes: [Lane; LANES],
}

/// A block that is encoded.
#[derive(Debug, Default)]
pub(super) struct Lane {
    /// Its symbols.
    pub(super) symbols: Vec<Interval>,
    /// Its bytes so far, in the reverse order.
    bytes: Vec<u8>,
}

impl Encoder {
    /// The blocks, without symbols.
    pub(super) fn begin(&mut self) -> &mut [Lane; LANES] {
        self.lanes.iter_mut().for_each(|lane| lane.symbols.clear());
        &mut self.lanes
    }

    /// Appends for each block the bytes that decode to its symbols, and returns their numbers.
    pub(super) fn encode(&mut self, out: &mut Vec<u8>) -> [u16; LANES] {
        let fewest = self.lanes.iter().map(|lane| lane.symbols.len()).min().unwrap_or(0);
        let [a, b] = &mut self.lanes;
        let mut states = [0; LANES];
        let last = |lane: &Lane| lane.symbols.len() - fewest;
        let (of_a, of_b) = (a.symbols.split_at(last(a)), b.symbols.split_at(last(b)));
        for (x, y) in of_a.1.iter().rev().zip(of_b.1.iter().rev()) {
            states[0] = added(states[0], *x, &mut a.bytes);
            states[1] = added(states[1], *y, &mut b.bytes);
        }
        for (state, (symbols, bytes)) in states.iter_mut().zip([(of_a.0, &mut a.bytes), (of_b.0, &mut b.bytes)]) {
            for interval in symbols.iter().rev() {
                *state = added(*state, *interval, bytes);
            }
            while *state > 0 {
                bytes.push(*state as u8);
                *state >>= 8;
            }
        }
        self.lanes.each_mut().map(|lane| {
            out.extend(lane.bytes.iter().rev());
            let len = lane.bytes.len();
            lane.bytes.clear();
            len as u16
        })
    }
}

/// The state with a further symbol.
#[inline(always)]
fn added(mut state: u32, interval: Interval, bytes: &mut Vec<u8>) -> u32 {
    let frequency = u32::from(interval.frequency);
    while u64::from(state) >= u64::from(frequency) << (32 - interval.bits) {
        bytes.push(state as u8);
        state >>= 8;
    }
    ((state / frequency) << interval.bits) + state % frequency + u32::from(interval.start)
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

    /// Whether the bytes are used up, as after the last symbol of an intact block.
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
        encoder.begin()[1].symbols.extend(symbols);
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
                    lane.symbols.extend(text.iter().map(|&symbol| distribution[symbol]));
                    let before = alone.len();
                    encode(&lane.symbols, &mut alone);
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
            let mut decoder = Decoder::new(&bytes[1..]);
            for &(kind, symbol) in &text {
                let slot = decoder.slot(distributions[kind][0].bits);
                let found = distributions[kind].iter().position(|interval| slot - interval.start.min(slot) < interval.frequency && slot >= interval.start);
                prop_assert_eq!(found, Some(symbol));
                decoder.take(distributions[kind][symbol]);
            }
            prop_assert!(decoder.is_done());
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
    fn the_likeliest_symbols_take_no_bytes() {
        let distribution = intervals(&[4000, 96]);
        let mut bytes = Vec::new();
        encode(&[distribution[0]; 1000], &mut bytes);
        assert!(bytes.is_empty());
        encode(&[distribution[0], distribution[1], distribution[0]], &mut bytes);
        assert_eq!(bytes.len(), 2);
    }
}
