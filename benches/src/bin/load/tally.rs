//! The outcomes of the calls.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::Context;
use hdrhistogram::Histogram;
use tonic::{Code, Status};

/// Calls by outcome, and their times in microseconds.
pub(crate) struct Tally {
    answered: Histogram<u64>,
    shed: Histogram<u64>,
    positions: u64,
    wrong: u64,
    failed: BTreeMap<String, u64>,
}

impl Tally {
    pub(crate) fn new() -> Tally {
        // Up to a minute, to three digits; a longer time counts as a minute.
        let histogram = || Histogram::new_with_bounds(1, 60_000_000, 3).expect("bounds that make sense");
        Tally { answered: histogram(), shed: histogram(), positions: 0, wrong: 0, failed: BTreeMap::new() }
    }

    /// A call has ended, with this number of right answers or a failure.
    pub(crate) fn count(&mut self, outcome: Result<u64, Status>, expected: u64, took: Duration) {
        let micros = took.as_micros() as u64;
        match outcome {
            Ok(right) => {
                self.answered.saturating_record(micros);
                self.positions += right;
                self.wrong += expected - right;
            }
            Err(status) if status.code() == Code::ResourceExhausted => self.shed.saturating_record(micros),
            Err(status) => {
                *self.failed.entry(format!("{:?}: {}", status.code(), status.message())).or_default() += 1;
            }
        }
    }

    pub(crate) fn add(&mut self, other: Tally) -> anyhow::Result<()> {
        self.answered.add(other.answered).context("histograms of one shape")?;
        self.shed.add(other.shed).context("histograms of one shape")?;
        self.positions += other.positions;
        self.wrong += other.wrong;
        other.failed.into_iter().for_each(|(failure, times)| *self.failed.entry(failure).or_default() += times);
        Ok(())
    }

    /// Whether no answer was wrong, and no call failed other than by being shed.
    pub(crate) fn is_clean(&self) -> bool {
        self.wrong == 0 && self.failed.is_empty()
    }

    pub(crate) fn print(&self, took: Duration) {
        let per_second = |count: u64| count as f64 / took.as_secs_f64();
        println!(
            "{:.1} s: {} calls answered ({:.0}/s), {} positions ({:.0}/s), {} shed ({:.0}/s), {} wrong",
            took.as_secs_f64(),
            self.answered.len(),
            per_second(self.answered.len()),
            self.positions,
            per_second(self.positions),
            self.shed.len(),
            per_second(self.shed.len()),
            self.wrong,
        );
        for (name, histogram) in [("answered", &self.answered), ("shed", &self.shed)] {
            if !histogram.is_empty() {
                let at = |quantile| histogram.value_at_quantile(quantile) as f64 / 1000.0;
                println!(
                    "{name}: p50 {:.2} ms, p90 {:.2} ms, p99 {:.2} ms, p99.9 {:.2} ms, longest {:.2} ms",
                    at(0.5),
                    at(0.9),
                    at(0.99),
                    at(0.999),
                    histogram.max() as f64 / 1000.0
                );
            }
        }
        for (failure, times) in &self.failed {
            println!("{times} times {failure}");
        }
    }
}
