//! Clusters of contexts: contexts with similar symbols share a distribution.

use super::ans::SYMBOL_BITS;
use super::context::SYMBOLS;
use super::model::{Cluster, MAX_CLUSTERS, cumulate};
use super::sample::{Costs, SymbolCounts, frequencies, likeliest};

/// The most rounds in which each context moves to the cluster that suits it best.
const ROUNDS: usize = 8;

/// The clusters are found from contexts that have at least `1 / RARE` of the symbols of the sample.
const RARE: u64 = 1 << 17;

/// The cluster of each context, the clusters, and their cost.
#[derive(Debug)]
pub(super) struct Clustering {
    /// The cluster of each context.
    pub(super) cluster_of: Vec<u8>,
    /// The distribution of each cluster.
    pub(super) clusters: Vec<Cluster>,
    /// The bits that all symbols take, times 2 to the [`COST_FRACTION_BITS`](super::sample::COST_FRACTION_BITS).
    pub(super) cost: u64,
}

/// The statistics of a context that occurs in the sample.
struct ContextStats {
    context: usize,
    counts: SymbolCounts,
    /// The likeliest symbol.
    likeliest: usize,
    /// The likelihood of that symbol, times 2^16.
    likelihood: u64,
    /// The cost with a separate distribution.
    own_cost: u64,
    /// The cluster that the context is in.
    cluster: u8,
}

impl ContextStats {
    /// The statistics of a context; `None` if it does not occur, or less often than `least`.
    fn of(context: usize, counts: &SymbolCounts, least: u64, costs: &Costs) -> Option<ContextStats> {
        let sum = sum(counts);
        let likeliest = likeliest(counts);
        (sum >= least.max(1)).then(|| ContextStats {
            context,
            counts: *counts,
            likeliest,
            likelihood: (u64::from(counts[likeliest]) << 16) / sum,
            own_cost: costs.of_context(counts),
            cluster: 0,
        })
    }
}

/// The number of symbols of a context.
fn sum(counts: &SymbolCounts) -> u64 {
    counts.iter().copied().map(u64::from).sum()
}

impl Clustering {
    /// Puts the contexts with these counts into at most `most` clusters. A context is in another cluster than the one
    /// before it only if that saves more than the cost of a run.
    pub(super) fn of(counts: &[SymbolCounts], most: usize, run_cost: u64, costs: &Costs) -> Clustering {
        let most = most.min(MAX_CLUSTERS);
        let least = counts.iter().map(sum).sum::<u64>() / RARE;
        let mut contexts: Vec<ContextStats> = counts
            .iter()
            .enumerate()
            .filter_map(|(context, counts)| ContextStats::of(context, counts, least, costs))
            .collect();
        seed(&mut contexts, most);
        for _ in 0..ROUNDS {
            let members = contexts.iter().map(|stats| (&stats.counts, stats.cluster));
            let distributions = cluster_frequencies(members, most);
            if !assign(&mut contexts, &distributions, costs) {
                break;
            }
        }
        let members = contexts.iter().map(|stats| (&stats.counts, stats.cluster));
        let distributions = cluster_frequencies(members, most);
        let cluster_of = runs(counts, &distributions, run_cost, costs);
        let members = || counts.iter().zip(cluster_of.iter().copied());
        let distributions = cluster_frequencies(members(), most);
        let of_symbol = |(&count, &frequency): (&u32, &u16)| u64::from(count) * costs.of(frequency, SYMBOL_BITS);
        let of_context = |(counts, cluster): (&SymbolCounts, u8)| -> u64 {
            counts.iter().zip(&distributions[usize::from(cluster)]).map(of_symbol).sum()
        };
        let cost = members().map(of_context).sum();
        let clusters = distributions.iter().map(|frequencies| {
            let mut cluster = [0; SYMBOLS + 1];
            cluster.copy_from_slice(&cumulate(frequencies.iter().copied()));
            cluster
        });
        Clustering { clusters: clusters.collect(), cluster_of, cost }
    }
}

/// Orders the contexts by their likeliest symbol and its likelihood, and cuts them into clusters of equal cost.
fn seed(contexts: &mut [ContextStats], most: usize) {
    contexts.sort_by_key(|stats| (stats.likeliest, stats.likelihood, stats.context));
    let total = contexts.iter().map(|stats| stats.own_cost).sum::<u64>().max(1);
    let mut before = 0u64;
    for stats in contexts {
        let cluster = u128::from(before) * most as u128 / u128::from(total);
        stats.cluster = cluster.min(most as u128 - 1) as u8;
        before += stats.own_cost;
    }
}

/// The frequencies of each cluster's symbols.
fn cluster_frequencies<'a>(contexts: impl Iterator<Item = (&'a SymbolCounts, u8)>, most: usize) -> Vec<Vec<u16>> {
    let mut sums = vec![[0u64; SYMBOLS]; most];
    for (counts, cluster) in contexts {
        for (sum, &count) in sums[usize::from(cluster)].iter_mut().zip(counts) {
            *sum += u64::from(count);
        }
    }
    sums.iter().map(|sums| frequencies(sums, SYMBOL_BITS)).collect()
}

/// The cost of symbols in each of some clusters.
struct ClusterCosts {
    /// By symbol, then cluster: the loop over all clusters becomes vector instructions.
    of_symbol: [Vec<u32>; SYMBOLS],
    sums: Vec<u64>,
}

impl ClusterCosts {
    fn new(distributions: &[Vec<u16>], costs: &Costs) -> ClusterCosts {
        let of_symbol =
            |symbol: usize| distributions.iter().map(|of| costs.of(of[symbol], SYMBOL_BITS) as u32).collect();
        ClusterCosts { of_symbol: std::array::from_fn(of_symbol), sums: vec![0; distributions.len()] }
    }

    /// The cost of these symbols, by cluster.
    fn of(&mut self, counts: &SymbolCounts) -> &[u64] {
        self.sums.fill(0);
        for (&count, costs) in counts.iter().zip(&self.of_symbol).filter(|&(&count, _)| count > 0) {
            self.sums.iter_mut().zip(costs).for_each(|(sum, &cost)| *sum += u64::from(count) * u64::from(cost));
        }
        &self.sums
    }
}

/// The smallest cost, and the first cluster that has it.
fn least(costs: &[u64]) -> (u64, u8) {
    costs.iter().copied().zip(0..=u8::MAX).min().unwrap_or_default()
}

/// Moves each context to the cluster in which its symbols cost least; the first of several. Returns whether any moved.
fn assign(contexts: &mut [ContextStats], distributions: &[Vec<u16>], costs: &Costs) -> bool {
    let mut of_clusters = ClusterCosts::new(distributions, costs);
    contexts.iter_mut().fold(false, |moved, stats| {
        let (_, best) = least(of_clusters.of(&stats.counts));
        moved | (std::mem::replace(&mut stats.cluster, best) != best)
    })
}

/// The clusters of all contexts with which their symbols and the runs of contexts in one cluster cost least together.
fn runs(counts: &[SymbolCounts], distributions: &[Vec<u16>], run_cost: u64, costs: &Costs) -> Vec<u8> {
    let mut of_clusters = ClusterCosts::new(distributions, costs);
    // The least cost of the contexts so far with the last of them in each cluster.
    let mut best = vec![0; distributions.len()];
    // For each context that occurs: the best cluster before it, and into which clusters it is worth going from there.
    let mut steps: Vec<(usize, u8, Vec<bool>)> = Vec::new();
    for (context, counts) in counts.iter().enumerate().filter(|(_, counts)| sum(counts) > 0) {
        let (cost, from) = least(&best);
        let begin = cost + run_cost;
        let begins = best.iter().map(|&stay| begin < stay).collect();
        let own = of_clusters.of(counts);
        best.iter_mut().zip(own).for_each(|(best, own)| *best = begin.min(*best) + own);
        steps.push((context, from, begins));
    }
    let (_, mut cluster) = least(&best);
    let mut cluster_of = vec![0; counts.len()];
    let mut end = counts.len();
    for (context, from, begins) in steps.into_iter().rev() {
        // Contexts that do not occur are in the run before them.
        cluster_of[context..end].fill(cluster);
        end = context;
        if begins[usize::from(cluster)] {
            cluster = from;
        }
    }
    cluster_of[..end].fill(cluster);
    cluster_of
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Counts in which one symbol is most frequent.
    fn counts(symbol: usize, count: u32) -> SymbolCounts {
        let mut counts = [1; SYMBOLS];
        counts[symbol] = count;
        counts
    }

    #[test]
    fn similar_contexts_share_a_cluster() {
        let absent = [0; SYMBOLS];
        let contexts = [absent, counts(0, 500), counts(3, 400), absent, counts(0, 450), counts(3, 390), absent];
        let found = Clustering::of(&contexts, 2, 0, &Costs::new());
        assert_eq!(found.clusters.len(), 2);
        let of = &found.cluster_of;
        assert_eq!((of[1], of[2]), (of[4], of[5]));
        assert_ne!(of[1], of[2]);
        // Absent contexts follow the one before; before the first there is only the first itself.
        assert_eq!((of[0], of[3], of[6]), (of[1], of[2], of[5]));
    }

    proptest! {
        #[test]
        fn no_other_runs_cost_less(
            contexts in prop::array::uniform6(prop::option::of((0..3usize, 1..30u32))),
            run_cost in 0..60_000u64,
        ) {
            let contexts = contexts.map(|context| context.map_or([0; SYMBOLS], |(symbol, count)| counts(symbol, count)));
            let costs = Costs::new();
            let distributions: Vec<Vec<u16>> =
                (0..3).map(|symbol| frequencies(&counts(symbol, 40).map(u64::from), SYMBOL_BITS)).collect();
            let mut of_clusters = ClusterCosts::new(&distributions, &costs);
            let own = contexts.map(|counts| of_clusters.of(&counts).to_vec());
            let cost = |cluster_of: &[u8]| {
                let begun = cluster_of.windows(2).filter(|two| two[0] != two[1]).count() as u64;
                let symbols = own.iter().zip(cluster_of).map(|(own, &cluster)| own[usize::from(cluster)]);
                symbols.sum::<u64>() + begun * run_cost
            };
            let all = (0..729u32).map(|n| [1, 3, 9, 27, 81, 243].map(|power| (n / power % 3) as u8));
            let least = all.map(|cluster_of| cost(&cluster_of)).min();
            prop_assert_eq!(Some(cost(&runs(&contexts, &distributions, run_cost, &costs))), least);
        }
    }

    #[test]
    fn more_clusters_never_cost_more() {
        let contexts: Vec<SymbolCounts> =
            (0..200u32).map(|n| counts((n * 7 % 16) as usize, 20 + n * n % 311)).collect();
        let costs = Costs::new();
        let cost = |most| Clustering::of(&contexts, most, 0, &costs).cost;
        let one = cost(1);
        let own: u64 = contexts.iter().map(|counts| costs.of_context(counts)).sum();
        assert!(cost(16) < one && cost(16) >= own, "{} {one} {own}", cost(16));
    }
}
