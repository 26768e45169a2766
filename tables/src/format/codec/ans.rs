//! Range asymmetric numeral systems: symbols in a growing integer.
//!
//! The integer starts at 0, and while it is small nothing is written: a block whose symbols were all the likeliest of their
//! kind takes no byte. The lowest bytes leave it when it would grow beyond 32 bits, and come back in the reverse order.

/// Frequencies of a distribution add up to 2 to this power.
pub(super) const FREQUENCY_BITS: u32 = 12;

/// What frequencies add up to.
pub(super) const TOTAL: u32 = 1 << FREQUENCY_BITS;

/// The most values of a side: each needs a frequency of its own.
pub const MAX_VALUES: usize = 1 << (FREQUENCY_BITS - 1);

/// Below this the decoder takes in another byte, if there is one.
const LOWEST: u32 = 1 << 24;

/// A symbol's part of its distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Share {
    /// The frequencies of the symbols before it.
    pub(super) start: u16,
    /// Its own frequency, 1 or more.
    pub(super) frequency: u16,
}

/// Each step of the encoder waits for the one before, and a division would take most of its time; so it multiplies. For each
/// frequency f, 2^63 / f rounded down, and 1 more.
static RECIPROCALS: [u64; TOTAL as usize + 1] = {
    let mut reciprocals = [0; TOTAL as usize + 1];
    let mut f = 1;
    while f <= TOTAL as usize {
        reciprocals[f] = (1 << 63) / f as u64 + 1;
        f += 1;
    }
    reciprocals
};

/// `state / frequency`: the reciprocal is too large by at most 1, which adds less than 1 / frequency to the quotient, since
/// the state is below 2^32 and the frequency at most [`TOTAL`].
#[inline(always)]
fn divide(state: u32, frequency: u16) -> u32 {
    ((u128::from(state) * 2 * u128::from(RECIPROCALS[usize::from(frequency)])) >> 64) as u32
}

/// Appends the bytes that decode to these symbols.
pub(super) fn encode(symbols: &[Share], out: &mut Vec<u8>) {
    let begin = out.len();
    let mut state = 0u32;
    for share in symbols.iter().rev() {
        let frequency = u32::from(share.frequency);
        while u64::from(state) >= u64::from(frequency) << (32 - FREQUENCY_BITS) {
            out.push(state as u8);
            state >>= 8;
        }
        // The quotient goes up, the remainder and the start below it.
        state = state + divide(state, share.frequency) * (TOTAL - frequency) + u32::from(share.start);
    }
    while state > 0 {
        out.push(state as u8);
        state >>= 8;
    }
    out[begin..].reverse();
}

/// Takes symbols out of the bytes of a block.
#[derive(Debug)]
pub(super) struct Decoder<'a> {
    state: u32,
    bytes: &'a [u8],
}

impl<'a> Decoder<'a> {
    /// Begins a block.
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

    /// Which symbol comes: the one whose share holds this number.
    #[inline(always)]
    pub(super) fn slot(&self) -> u16 {
        (self.state & (TOTAL - 1)) as u16
    }

    /// Goes on behind the symbol of this share, which holds [`Decoder::slot`].
    #[inline(always)]
    pub(super) fn take(&mut self, share: Share) {
        let within = (self.state & (TOTAL - 1)).wrapping_sub(u32::from(share.start));
        self.state = u32::from(share.frequency).wrapping_mul(self.state >> FREQUENCY_BITS).wrapping_add(within);
        while self.state < LOWEST {
            let Some((&byte, rest)) = self.bytes.split_first() else { break };
            self.state = self.state << 8 | u32::from(byte);
            self.bytes = rest;
        }
    }

    /// Is all used up, as after the last symbol of a sound block?
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

    fn shares(frequencies: &[u16]) -> Vec<Share> {
        let mut start = 0;
        frequencies
            .iter()
            .map(|&frequency| {
                start += frequency;
                Share { start: start - frequency, frequency }
            })
            .collect()
    }

    proptest! {
        #[test]
        fn symbols_come_back(text in prop::collection::vec((0usize..3, 0usize..5), 0..400)) {
            let kinds = [
                shares(&[4092, 1, 1, 1, 1]),
                shares(&[1, 1000, 2000, 94, 1001]),
                shares(&[819, 819, 819, 819, 820]),
            ];
            let symbols: Vec<Share> = text.iter().map(|&(kind, symbol)| kinds[kind][symbol]).collect();
            let mut bytes = vec![7];
            encode(&symbols, &mut bytes);
            let mut decoder = Decoder::new(&bytes[1..]);
            for &(kind, symbol) in &text {
                let slot = decoder.slot();
                let found = kinds[kind].iter().position(|share| slot - share.start.min(slot) < share.frequency && slot >= share.start);
                prop_assert_eq!(found, Some(symbol));
                decoder.take(kinds[kind][symbol]);
            }
            prop_assert!(decoder.is_done());
        }

        #[test]
        fn no_bytes_stop_it(bytes in prop::collection::vec(any::<u8>(), 0..50), steps in 0usize..200) {
            let kinds = shares(&[1, 1000, 2000, 94, 1001]);
            let mut decoder = Decoder::new(&bytes);
            for _ in 0..steps {
                let slot = decoder.slot();
                let share = kinds.iter().rev().find(|share| share.start <= slot).unwrap();
                decoder.take(*share);
            }
        }
    }

    #[test]
    fn the_likeliest_take_nothing() {
        let kinds = shares(&[4000, 96]);
        let mut bytes = Vec::new();
        encode(&[kinds[0]; 1000], &mut bytes);
        assert!(bytes.is_empty());
        encode(&[kinds[0], kinds[1], kinds[0]], &mut bytes);
        assert_eq!(bytes.len(), 2);
    }
}
