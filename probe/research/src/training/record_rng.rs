//! The random numbers of one record.

/// Random numbers that depend on a seed, a purpose and a record's number alone, the same in every version: SplitMix64, begun
/// at a mixed state.
#[derive(Clone, Debug)]
pub(super) struct RecordRng(u64);

/// The purpose of a stream of random numbers. Streams of different purposes are independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stream {
    /// The records.
    Records,
    /// The draws from which the shares of the classes are estimated.
    Pilot,
    /// The order of the positions of games.
    Order,
}

const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

impl RecordRng {
    pub(super) fn new(seed: u64, stream: Stream, record: u64) -> RecordRng {
        let purpose = mixed(seed.wrapping_add(STEP.wrapping_mul(1 + stream as u64)));
        RecordRng(mixed(purpose ^ mixed(record)))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mixed(self.0)
    }

    /// A number below a bound that is not 0, each as likely as any other.
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        loop {
            let product = u128::from(self.next()) * u128::from(bound);
            let low = product as u64;
            // The few products that would make some numbers likelier are drawn again.
            if low >= bound || low >= bound.wrapping_neg() % bound {
                return (product >> 64) as u64;
            }
        }
    }

    /// A number from 0 to below 1.
    pub(super) fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

fn mixed(mut state: u64) -> u64 {
    state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_have_numbers_of_their_own_that_never_change() {
        let first = |seed, stream, record| RecordRng::new(seed, stream, record).next();
        let mut found: Vec<u64> = Vec::new();
        for stream in [Stream::Records, Stream::Pilot, Stream::Order] {
            for seed in 0..20 {
                found.extend((0..200).map(|record| first(seed, stream, record)));
            }
        }
        let drawn = found.len();
        found.sort_unstable();
        found.dedup();
        assert_eq!(found.len(), drawn);
        // SplitMix64 from state 0, as its author publishes it.
        let mut known = RecordRng(0);
        assert_eq!([known.next(), known.next()], [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
    }

    #[test]
    fn numbers_below_a_bound_are_equally_likely() {
        for bound in [1, 2, 3, 7, 10] {
            let mut rng = RecordRng::new(1, Stream::Records, bound);
            let mut found = vec![0_u32; bound as usize];
            (0..10_000 * bound).for_each(|_| found[rng.below(bound) as usize] += 1);
            // Five standard deviations.
            assert!(found.iter().all(|&found| found.abs_diff(10_000) < 500), "{bound}: {found:?}");
        }
        let mut rng = RecordRng::new(1, Stream::Pilot, 0);
        let sum: f64 = (0..10_000).map(|_| rng.share()).sum();
        assert!((sum - 5000.0).abs() < 150.0, "{sum}");
        assert!((0..1000).all(|_| rng.below(u64::MAX) < u64::MAX));
    }
}
