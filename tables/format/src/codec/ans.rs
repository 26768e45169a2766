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

/// Appends the bytes that decode to these symbols.
pub(super) fn encode(symbols: &[Interval], out: &mut Vec<u8>) {
    let begin = out.len();
    let mut state = 0u32;
    for interval in symbols.iter().rev() {
        let frequency = u32::from(interval.frequency);
        while u64::from(state) >= u64::from(frequency) << (32 - interval.bits) {
            out.push(state as u8);
            state >>= 8;
        }
        state = ((state / frequency) << interval.bits) + state % frequency + u32::from(interval.start);
    }
    while state > 0 {
        out.push(state as u8);
        state >>= 8;
    }
    out[begin..].reverse();
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

    proptest! {
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
