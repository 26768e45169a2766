//! Clusters of contexts: contexts with similar symbols share a distribution.

use super::ans::SYMBOL_BITS;
use super::context::SYMBOLS;
use super::model::{Cluster, MAX_CLUSTERS, cumulate};
use super::sample::{Costs, SymbolCounts, frequencies, likeliest};

/// The rounds in which each context moves to the cluster that suits it best.
const ROUNDS: usize = 8;

/// A context with fewer symbols than one in so many of the sample is in the cluster of the one before it.
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
    /// Puts the contexts with these counts into at most `most` clusters.
    pub(super) fn of(counts: &[SymbolCounts], most: usize, costs: &Costs) -> Clustering {
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
            assign(&mut contexts, &distributions, costs);
        }
        let cluster_of = fill(&contexts, counts.len());
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

/// Moves each context to the cluster in which its symbols cost least; the first of several.
fn assign(contexts: &mut [ContextStats], distributions: &[Vec<u16>], costs: &Costs) {
    // By symbol, then cluster: the loop over all clusters becomes vector instructions.
    let of_symbol = |symbol: usize| distributions.iter().map(|of| costs.of(of[symbol], SYMBOL_BITS) as u32).collect();
    let symbol_costs: [Vec<u32>; SYMBOLS] = std::array::from_fn(of_symbol);
    let mut sums = vec![0; distributions.len()];
    for stats in contexts {
        sums.fill(0);
        for (&count, costs) in stats.counts.iter().zip(&symbol_costs).filter(|&(&count, _)| count > 0) {
            sums.iter_mut().zip(costs).for_each(|(sum, &cost)| *sum += u64::from(count) * u64::from(cost));
        }
        let (_, cluster) = sums.iter().copied().zip(0usize..).min().unwrap_or_default();
        stats.cluster = cluster as u8;
    }
}

/// The cluster of each of `count` contexts. A context that occurs too seldom is in the cluster of the one before it,
/// which makes long runs.
fn fill(contexts: &[ContextStats], count: usize) -> Vec<u8> {
    let mut cluster_of = vec![None; count];
    for stats in contexts {
        cluster_of[stats.context] = Some(stats.cluster);
    }
    let mut last = cluster_of.iter().flatten().next().copied().unwrap_or(0);
    cluster_of
        .into_iter()
        .map(|cluster| {
            last = cluster.unwrap_or(last);
            last
        })
        .collect()
}

#[cfg(test)]
mod tests {
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
        let found = Clustering::of(&contexts, 2, &Costs::new());
        assert_eq!(found.clusters.len(), 2);
        let of = &found.cluster_of;
        assert_eq!((of[1], of[2]), (of[4], of[5]));
        assert_ne!(of[1], of[2]);
        // Absent contexts follow the one before; before the first there is only the first itself.
        assert_eq!((of[0], of[3], of[6]), (of[1], of[2], of[5]));
    }

    #[test]
    fn more_clusters_never_cost_more() {
        let contexts: Vec<SymbolCounts> =
            (0..200u32).map(|n| counts((n * 7 % 16) as usize, 20 + n * n % 311)).collect();
        let costs = Costs::new();
        let cost = |most| Clustering::of(&contexts, most, &costs).cost;
        let one = cost(1);
        let own: u64 = contexts.iter().map(|counts| costs.of_context(counts)).sum();
        assert!(cost(16) < one && cost(16) >= own, "{} {one} {own}", cost(16));
    }
}
