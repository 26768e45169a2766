//! The frequencies by which one side's codes are told.

use super::ans::{Share, TOTAL};
use super::context::{CONTEXTS, ESCAPE, Known, SYMBOLS};

/// The most clusters of contexts.
pub(super) const MAX_CLUSTERS: usize = 256;
/// The most buckets of codes.
pub(super) const MAX_BUCKETS: usize = 64;

/// What is wrong with a stored model: which part, where in it, what it may hold and what it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::format) struct ModelError {
    pub(in crate::format) field: &'static str,
    pub(in crate::format) at: usize,
    pub(in crate::format) expected: String,
    pub(in crate::format) found: String,
}

/// How the symbols of a cluster share the numbers below [`TOTAL`]: where each begins, and the end.
pub(super) type Cluster = [u16; SYMBOLS + 1];

/// One side's model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::format) struct Model {
    /// The code that is a candidate everywhere.
    pub(super) usual: u16,
    /// The bucket of each code.
    buckets: Vec<u8>,
    bucket_count: usize,
    /// The cluster of each context and bucket.
    clusters_of: Vec<u8>,
    clusters: Vec<Cluster>,
    /// The frequencies of codes that no candidate is: where each begins, and the end.
    codes: Vec<u16>,
    /// The code whose share each number is in.
    code_at: Vec<u16>,
}

/// Begins of shares from frequencies.
pub(super) fn cumulate(frequencies: impl IntoIterator<Item = u16>) -> Vec<u16> {
    let mut sum = 0;
    let mut begins = vec![0];
    for frequency in frequencies {
        sum += frequency;
        begins.push(sum);
    }
    begins
}

impl Model {
    /// A model from its parts: the first code of each bucket but the first, the cluster of each context (by bucket, then
    /// context), frequencies.
    pub(super) fn new(
        usual: u16,
        bounds: &[u16],
        clusters_of: Vec<u8>,
        clusters: Vec<Cluster>,
        frequencies: &[u16],
    ) -> Model {
        let buckets = (0..frequencies.len())
            .map(|code| bounds.partition_point(|&bound| usize::from(bound) <= code) as u8)
            .collect();
        let codes = cumulate(frequencies.iter().copied());
        let code_at = (0u16..)
            .zip(frequencies)
            .flat_map(|(code, &frequency)| std::iter::repeat_n(code, usize::from(frequency)))
            .collect();
        Model { usual, buckets, bucket_count: bounds.len() + 1, clusters_of, clusters, codes, code_at }
    }

    /// The bucket of a code; the first for what is none.
    #[inline(always)]
    pub(super) fn bucket(&self, code: u16) -> usize {
        usize::from(self.buckets.get(usize::from(code)).copied().unwrap_or(0))
    }

    /// The cluster of what is known.
    #[inline(always)]
    pub(super) fn cluster(&self, known: &Known) -> &Cluster {
        let at = self.bucket(known.nearest) * CONTEXTS + known.context;
        &self.clusters[usize::from(self.clusters_of[at])]
    }

    /// The share of a symbol.
    #[inline(always)]
    pub(super) fn share(cluster: &Cluster, symbol: usize) -> Share {
        Share { start: cluster[symbol], frequency: cluster[symbol + 1] - cluster[symbol] }
    }

    /// The share of a code that no candidate was.
    #[inline]
    pub(super) fn code_share(&self, code: u16) -> Share {
        let code = usize::from(code);
        Share { start: self.codes[code], frequency: self.codes[code + 1] - self.codes[code] }
    }

    /// The code whose share holds a number below [`TOTAL`].
    #[inline]
    pub(super) fn code_at(&self, slot: u16) -> u16 {
        self.code_at[usize::from(slot)]
    }

    /// The bytes in the file.
    pub(in crate::format) fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.usual.to_le_bytes());
        out.push((self.bucket_count - 1) as u8);
        out.push((self.clusters.len() - 1) as u8);
        for (code, pair) in (1u16..).zip(self.buckets.windows(2)) {
            if pair[0] != pair[1] {
                out.extend_from_slice(&code.to_le_bytes());
            }
        }
        let frequencies = |out: &mut Vec<u8>, begins: &[u16]| {
            begins.windows(2).for_each(|two| out.extend_from_slice(&(two[1] - two[0]).to_le_bytes()));
        };
        self.clusters.iter().for_each(|cluster| frequencies(out, cluster));
        frequencies(out, &self.codes);
        for run in self.clusters_of.chunk_by(|a, b| a == b) {
            let mut len = run.len();
            while len > 0 {
                let part = len.min(256);
                out.push(run[0]);
                out.push((part - 1) as u8);
                len -= part;
            }
        }
    }

    /// Reads a model for so many values. The bytes must be used up.
    pub(in crate::format) fn read(bytes: &[u8], values: usize) -> Result<Model, ModelError> {
        let mut reader = Reader { bytes, at: 0 };
        let usual = reader.u16("usual code")?;
        if usize::from(usual) >= values {
            return Err(reader.wrong("usual code", 2, format!("below {values}"), usual));
        }
        let bucket_count = usize::from(reader.u8("buckets")?) + 1;
        if bucket_count > MAX_BUCKETS.min(values) {
            return Err(reader.wrong("buckets", 1, format!("up to {}", MAX_BUCKETS.min(values)), bucket_count));
        }
        let clusters = usize::from(reader.u8("clusters")?) + 1;
        let mut bounds = Vec::new();
        for _ in 1..bucket_count {
            let bound = reader.u16("bucket")?;
            let above = bounds.last().copied().unwrap_or(0);
            if bound <= above || usize::from(bound) >= values {
                return Err(reader.wrong("bucket", 2, format!("above {above}, below {values}"), bound));
            }
            bounds.push(bound);
        }
        let mut read = Vec::new();
        for _ in 0..clusters {
            let begins = cumulate(reader.frequencies("symbols", SYMBOLS)?);
            let mut cluster = [0; SYMBOLS + 1];
            cluster.copy_from_slice(&begins);
            read.push(cluster);
        }
        let codes = reader.frequencies("codes", values)?;
        let mut clusters_of = Vec::with_capacity(bucket_count * CONTEXTS);
        while clusters_of.len() < bucket_count * CONTEXTS {
            let cluster = reader.u8("cluster of a context")?;
            if usize::from(cluster) >= clusters {
                return Err(reader.wrong("cluster of a context", 1, format!("below {clusters}"), cluster));
            }
            let run = usize::from(reader.u8("run of contexts")?) + 1;
            let left = bucket_count * CONTEXTS - clusters_of.len();
            if run > left {
                return Err(reader.wrong("run of contexts", 1, format!("up to {left}"), run));
            }
            clusters_of.extend(std::iter::repeat_n(cluster, run));
        }
        if reader.at != bytes.len() {
            return Err(reader.wrong("end", 0, bytes.len().to_string(), reader.at));
        }
        Ok(Model::new(usual, &bounds, clusters_of, read, &codes))
    }
}

/// Reads a model's bytes one after the other.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
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

    /// So many frequencies of 1 or more that add up to [`TOTAL`].
    fn frequencies(&mut self, field: &'static str, count: usize) -> Result<Vec<u16>, ModelError> {
        let start = self.at;
        let all = (0..count).map(|_| self.u16(field)).collect::<Result<Vec<_>, _>>()?;
        let sum: u64 = all.iter().copied().map(u64::from).sum();
        if all.contains(&0) || sum != u64::from(TOTAL) {
            let back = self.at - start;
            return Err(self.wrong(
                field,
                back,
                format!("frequencies from 1, {TOTAL} in all"),
                format!("{sum} in all"),
            ));
        }
        Ok(all)
    }
}

/// The symbol of a cluster whose share holds a number.
#[inline(always)]
pub(super) fn symbol_at(cluster: &Cluster, slot: u16) -> usize {
    let mut symbol = 0;
    while symbol < ESCAPE && cluster[symbol + 1] <= slot {
        symbol += 1;
    }
    symbol
}
