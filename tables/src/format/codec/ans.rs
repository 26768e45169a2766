//! Range asymmetric numeral systems: symbols in a growing integer.
//!
//! The integer starts at 0, and while it is small nothing is written: a block in which every symbol is the likeliest of its
//! distribution takes no byte. The encoder moves the integer's lowest byte out when it would grow beyond 32 bits; the decoder
//! takes the bytes in the reverse order.

/// The frequencies of a distribution add up to 2 to this power.
pub(super) const FREQUENCY_BITS: u32 = 12;

/// The sum of the frequencies of a distribution.
pub(super) const TOTAL: u32 = 1 << FREQUENCY_BITS;

/// The most values of a side: each needs its own frequency.
pub const MAX_VALUES: usize = 1 << (FREQUENCY_BITS - 1);

/// The decoder takes another byte, if there is one, while its state is below this.
const LOWEST: u32 = 1 << 24;

/// A symbol's part of its distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    /// The sum of the frequencies of the symbols before this one.
    pub(super) start: u16,
    /// The symbol's frequency, 1 or more.
    pub(super) frequency: u16,
}

/// For each frequency f, 2^63 / f rounded down, plus 1. Each step of the encoder depends on the one before, and a division
/// would take most of its time; it multiplies by these instead.
static RECIPROCALS: [u64; TOTAL as usize + 1] = {
    let mut reciprocals = [0; TOTAL as usize + 1];
    let mut f = 1;
    while f <= TOTAL as usize {
        reciprocals[f] = (1 << 63) / f as u64 + 1;
        f += 1;
    }
    reciprocals
};

/// `state / frequency`. The reciprocal is too large by at most 1, which adds less than 1 / frequency to the quotient, since
/// the state is below 2^32 and the frequency at most [`TOTAL`].
#[inline(always)]
fn divide(state: u32, frequency: u16) -> u32 {
    ((u128::from(state) * 2 * u128::from(RECIPROCALS[usize::from(frequency)])) >> 64) as u32
}

/// Appends the bytes that decode to these symbols.
pub(super) fn encode(symbols: &[Interval], out: &mut Vec<u8>) {
    let begin = out.len();
    let mut state = 0u32;
    for interval in symbols.iter().rev() {
        let frequency = u32::from(interval.frequency);
        while u64::from(state) >= u64::from(frequency) << (32 - FREQUENCY_BITS) {
            out.push(state as u8);
            state >>= 8;
        }
        // The quotient becomes the high part, the remainder plus the start the low part.
        state = state + divide(state, interval.frequency) * (TOTAL - frequency) + u32::from(interval.start);
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

    /// The number below [`TOTAL`] whose interval is the next symbol's.
    #[inline(always)]
    pub(super) fn slot(&self) -> u16 {
        (self.state & (TOTAL - 1)) as u16
    }

    /// Takes the symbol of this interval, which contains [`Decoder::slot`].
    #[inline(always)]
    pub(super) fn take(&mut self, interval: Interval) {
        let within = (self.state & (TOTAL - 1)).wrapping_sub(u32::from(interval.start));
        self.state = u32::from(interval.frequency).wrapping_mul(self.state >> FREQUENCY_BITS).wrapping_add(within);
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

    proptest! {
        #[test]
        fn multiplying_divides(state: u32, frequency in 1..=TOTAL as u16, near in -2i64..=2) {
            // Multiples, where a quotient that is a little off shows.
            let multiple = (i64::from(state / u32::from(frequency) * u32::from(frequency)) + near)
                .clamp(0, i64::from(u32::MAX)) as u32;
            for state in [state, multiple, 0, u32::MAX] {
                prop_assert_eq!(divide(state, frequency), state / u32::from(frequency));
            }
        }
    }

    fn intervals(frequencies: &[u16]) -> Vec<Interval> {
        let mut start = 0;
        frequencies
            .iter()
            .map(|&frequency| {
                start += frequency;
                Interval { start: start - frequency, frequency }
            })
            .collect()
    }

    proptest! {
        #[test]
        fn symbols_come_back(text in prop::collection::vec((0usize..3, 0usize..5), 0..400)) {
            let distributions = [
                intervals(&[4092, 1, 1, 1, 1]),
                intervals(&[1, 1000, 2000, 94, 1001]),
                intervals(&[819, 819, 819, 819, 820]),
            ];
            let symbols: Vec<Interval> = text.iter().map(|&(kind, symbol)| distributions[kind][symbol]).collect();
            let mut bytes = vec![7];
            encode(&symbols, &mut bytes);
            let mut decoder = Decoder::new(&bytes[1..]);
            for &(kind, symbol) in &text {
                let slot = decoder.slot();
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
                let slot = decoder.slot();
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
