//! The frequencies of one side's symbols in each context.

use super::ans::{CODE_BITS, Interval, SYMBOL_BITS};
use super::context::{CONTEXTS, ESCAPE, SECOND_CONTEXTS, SYMBOLS, THIRD_CONTEXTS};
use super::prediction::Contexts;

/// The most clusters of contexts, of each table.
pub(super) const MAX_CLUSTERS: usize = 256;
/// The most buckets of codes.
pub(super) const MAX_BUCKETS: usize = 64;

/// A stored model that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ModelError {
    /// The part of the model.
    pub(crate) field: &'static str,
    /// The part's offset within the model, in bytes.
    pub(crate) at: usize,
    pub(crate) expected: String,
    pub(crate) found: String,
}

/// The distribution of the symbols in a cluster of contexts: the start of each symbol's interval, and their sum.
pub(super) type Cluster = [u16; SYMBOLS + 1];

/// One side's model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Model {
    /// The side's most frequent code, a candidate everywhere.
    pub(super) mode: u16,
    /// Whether the neighbours' codes are moved with their reference.
    pub(super) is_moved: bool,
    /// The bucket of each code.
    buckets: Vec<u8>,
    tables: Tables,
    clusters: Vec<Cluster>,
    /// The frequency of the first symbol in each cluster, which is often all that is asked for.
    first_frequencies: Vec<u16>,
    /// For each bucket of predictors, the distribution of codes that are not candidates: the start of each code's
    /// interval, and their sum.
    codes: Vec<Vec<u16>>,
}

/// From contexts to clusters, step by step. The first table has a cluster for each bucket and first context. The
/// second has one for each of the first's clusters and second context, and the third likewise.
///
/// Entries of one context lie together, whatever the bucket or cluster: few contexts are frequent, and so few lines of
/// the processor's cache hold what most symbols need. In files it is the other way round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tables {
    cluster_of: [Vec<u8>; 3],
    /// The number of buckets, and of the clusters of the first two tables.
    counts: [usize; 3],
}

impl Tables {
    /// The number of contexts that each table has for what the one before it gives.
    pub(super) const CONTEXTS: [usize; 3] = [CONTEXTS, SECOND_CONTEXTS, THIRD_CONTEXTS];

    /// Tables in the order of files.
    pub(super) fn of_file(cluster_of: &[Vec<u8>; 3], counts: [usize; 3]) -> Tables {
        let of = |table: usize| transposed(&cluster_of[table], Tables::CONTEXTS[table]);
        Tables { cluster_of: std::array::from_fn(of), counts }
    }

    /// A table in the order of files.
    fn in_file(&self, table: usize) -> Vec<u8> {
        transposed(&self.cluster_of[table], self.counts[table])
    }

    /// The cluster of these contexts, in a bucket.
    #[inline(always)]
    fn cluster(&self, bucket: usize, contexts: Contexts) -> usize {
        (0..3).fold(bucket, |before, table| {
            usize::from(self.cluster_of[table][usize::from(contexts[table]) * self.counts[table] + before])
        })
    }
}

/// The columns of a table whose rows have this length, one after the other.
fn transposed(table: &[u8], row: usize) -> Vec<u8> {
    (0..row).flat_map(|column| table[column..].iter().step_by(row).copied()).collect()
}

/// The starts of intervals with these frequencies, and the end of the last.
pub(super) fn cumulate(frequencies: impl IntoIterator<Item = u16>) -> Vec<u16> {
    let mut sum = 0;
    let mut starts = vec![0];
    for frequency in frequencies {
        sum += frequency;
        starts.push(sum);
    }
    starts
}

impl Model {
    /// A model from its parts. `bounds` has the first code of each bucket but the first; `clusters` has the
    /// distributions of the last table's clusters. For each bucket follow the frequencies of codes that are not
    /// candidates.
    pub(super) fn new(
        (mode, is_moved): (u16, bool),
        bounds: &[u16],
        tables: Tables,
        clusters: Vec<Cluster>,
        frequencies: &[Vec<u16>],
    ) -> Model {
        let values = frequencies.first().map_or(0, Vec::len);
        let buckets =
            (0..values).map(|code| bounds.partition_point(|&bound| usize::from(bound) <= code) as u8).collect();
        let codes = frequencies.iter().map(|of| cumulate(of.iter().copied())).collect();
        let first_frequencies = clusters.iter().map(|cluster| cluster[1]).collect();
        Model { mode, is_moved, buckets, tables, clusters, first_frequencies, codes }
    }

    /// The bucket of a code; the first bucket for a number beyond the list.
    #[inline(always)]
    pub(super) fn bucket(&self, code: u16) -> usize {
        usize::from(self.buckets.get(usize::from(code)).copied().unwrap_or(0))
    }

    /// The number of the cluster of some contexts in the bucket of a predictor.
    #[inline(always)]
    pub(super) fn cluster_number(&self, predictor: u16, contexts: Contexts) -> usize {
        self.tables.cluster(self.bucket(predictor), contexts)
    }

    /// The clusters.
    pub(super) fn clusters(&self) -> &[Cluster] {
        &self.clusters
    }

    /// A cluster.
    #[inline(always)]
    pub(super) fn cluster(&self, number: usize) -> &Cluster {
        &self.clusters[number]
    }

    /// The interval of a cluster's first symbol.
    #[inline(always)]
    pub(super) fn first_interval(&self, number: usize) -> Interval {
        Interval { start: 0, frequency: self.first_frequencies[number], bits: SYMBOL_BITS }
    }

    /// The interval of a symbol.
    #[inline(always)]
    pub(super) fn interval(cluster: &Cluster, symbol: usize) -> Interval {
        Interval { start: cluster[symbol], frequency: cluster[symbol + 1] - cluster[symbol], bits: SYMBOL_BITS }
    }

    /// The interval of a code that is not a candidate, in the bucket of a predictor.
    #[inline]
    pub(super) fn code_interval(&self, predictor: u16, code: u16) -> Interval {
        let (codes, code) = (&self.codes[self.bucket(predictor)], usize::from(code));
        Interval { start: codes[code], frequency: codes[code + 1] - codes[code], bits: CODE_BITS }
    }

    /// The code whose interval contains a number, in the bucket of a predictor.
    #[inline]
    pub(super) fn code_at(&self, predictor: u16, slot: u16) -> u16 {
        (self.codes[self.bucket(predictor)].partition_point(|&start| start <= slot) - 1) as u16
    }

    /// Appends the model's bytes.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.mode.to_le_bytes());
        out.push(u8::from(self.is_moved));
        let counts = self.tables.counts.into_iter().chain([self.clusters.len()]);
        out.extend(counts.map(|count| (count - 1) as u8));
        for (code, pair) in (1u16..).zip(self.buckets.windows(2)) {
            if pair[0] != pair[1] {
                out.extend_from_slice(&code.to_le_bytes());
            }
        }
        let frequencies = |out: &mut Vec<u8>, starts: &[u16]| {
            starts.windows(2).for_each(|two| out.extend_from_slice(&(two[1] - two[0]).to_le_bytes()));
        };
        self.clusters.iter().for_each(|cluster| frequencies(out, cluster));
        self.codes.iter().for_each(|codes| frequencies(out, codes));
        for table in (0..3).map(|table| self.tables.in_file(table)) {
            for run in table.chunk_by(|a, b| a == b).flat_map(|run| run.chunks(256)) {
                out.extend([run[0], (run.len() - 1) as u8]);
            }
        }
    }

    /// Reads the model of a side with `values` values. The bytes must be used up.
    pub(crate) fn read(bytes: &[u8], values: usize) -> Result<Model, ModelError> {
        let mut reader = ModelReader { bytes, at: 0 };
        let mode = reader.u16("mode code")?;
        if usize::from(mode) >= values {
            return Err(reader.wrong("mode code", 2, format!("below {values}"), mode));
        }
        let is_moved = reader.u8("moved neighbours")?;
        if is_moved > 1 {
            return Err(reader.wrong("moved neighbours", 1, "0 or 1".to_owned(), is_moved));
        }
        let bucket_count = usize::from(reader.u8("buckets")?) + 1;
        if bucket_count > MAX_BUCKETS.min(values) {
            return Err(reader.wrong("buckets", 1, format!("up to {}", MAX_BUCKETS.min(values)), bucket_count));
        }
        let mut counts = [0; 3];
        for count in &mut counts {
            *count = usize::from(reader.u8("clusters")?) + 1;
        }
        let bounds = reader.bounds(bucket_count, values)?;
        let clusters = (0..counts[2]).map(|_| reader.cluster()).collect::<Result<Vec<_>, _>>()?;
        let codes = (0..bucket_count).map(|_| reader.frequencies("codes", values, CODE_BITS));
        let codes = codes.collect::<Result<Vec<_>, _>>()?;
        let before = [bucket_count, counts[0], counts[1]];
        let mut cluster_of = [const { Vec::new() }; 3];
        for (table, of) in cluster_of.iter_mut().enumerate() {
            *of = reader.runs(before[table] * Tables::CONTEXTS[table], counts[table])?;
        }
        if reader.at != bytes.len() {
            return Err(reader.wrong("end", 0, bytes.len().to_string(), reader.at));
        }
        Ok(Model::new((mode, is_moved == 1), &bounds, Tables::of_file(&cluster_of, before), clusters, &codes))
    }
}

/// Reads a model's bytes one after the other.
struct ModelReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl ModelReader<'_> {
    /// The error of a part that ends here and began `back` bytes before.
    fn wrong(&self, field: &'static str, back: usize, expected: String, found: impl ToString) -> ModelError {
        ModelError { field, at: self.at - back, expected, found: found.to_string() }
    }

    fn u8(&mut self, field: &'static str) -> Result<u8, ModelError> {
        match self.bytes.get(self.at) {
            Some(&byte) => {
                self.at += 1;
                Ok(byte)
            }
            None => Err(self.wrong(field, 0, "more bytes".to_owned(), "the end")),
        }
    }

    fn u16(&mut self, field: &'static str) -> Result<u16, ModelError> {
        Ok(u16::from_le_bytes([self.u8(field)?, self.u8(field)?]))
    }

    /// The first codes of all buckets but the first, ascending.
    fn bounds(&mut self, buckets: usize, values: usize) -> Result<Vec<u16>, ModelError> {
        let mut bounds = Vec::new();
        for _ in 1..buckets {
            let bound = self.u16("bucket")?;
            let above = bounds.last().copied().unwrap_or(0);
            if bound <= above || usize::from(bound) >= values {
                return Err(self.wrong("bucket", 2, format!("above {above}, below {values}"), bound));
            }
            bounds.push(bound);
        }
        Ok(bounds)
    }

    /// The distribution of a cluster's symbols.
    fn cluster(&mut self) -> Result<Cluster, ModelError> {
        let mut cluster = [0; SYMBOLS + 1];
        cluster.copy_from_slice(&cumulate(self.frequencies("symbols", SYMBOLS, SYMBOL_BITS)?));
        Ok(cluster)
    }

    /// The clusters of `contexts` contexts, as runs.
    fn runs(&mut self, contexts: usize, clusters: usize) -> Result<Vec<u8>, ModelError> {
        let mut cluster_of = Vec::with_capacity(contexts);
        while cluster_of.len() < contexts {
            let cluster = self.u8("cluster of a context")?;
            if usize::from(cluster) >= clusters {
                return Err(self.wrong("cluster of a context", 1, format!("below {clusters}"), cluster));
            }
            let run = usize::from(self.u8("run of contexts")?) + 1;
            let left = contexts - cluster_of.len();
            if run > left {
                return Err(self.wrong("run of contexts", 1, format!("up to {left}"), run));
            }
            cluster_of.extend(std::iter::repeat_n(cluster, run));
        }
        Ok(cluster_of)
    }

    /// Frequencies of `count` symbols, each 1 or more, that add up to 2 to the power `bits`.
    fn frequencies(&mut self, field: &'static str, count: usize, bits: u32) -> Result<Vec<u16>, ModelError> {
        let start = self.at;
        let all = (0..count).map(|_| self.u16(field)).collect::<Result<Vec<_>, _>>()?;
        let sum: u64 = all.iter().copied().map(u64::from).sum();
        if all.contains(&0) || sum != 1 << bits {
            let back = self.at - start;
            return Err(self.wrong(
                field,
                back,
                format!("frequencies from 1, {} in all", 1 << bits),
                format!("{sum} in all"),
            ));
        }
        Ok(all)
    }
}

/// The symbol, other than the first, whose interval in a cluster contains a number.
#[inline(always)]
pub(super) fn symbol_at(cluster: &Cluster, slot: u16) -> usize {
    let mut symbol = 1;
    while symbol < ESCAPE && cluster[symbol + 1] <= slot {
        symbol += 1;
    }
    symbol
}
