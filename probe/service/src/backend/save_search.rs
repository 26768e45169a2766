//! The search for count saves, wins and zugzwangs, piece by piece, and the statistics of count saves.

use std::sync::Arc;
use std::time::{Duration, Instant};

use makruk_answers::{Reason, Refusal};
use makruk_probe::ProbeError;
use makruk_research::{Cursor, Filter, Order, PositionKind, PositionRecord, SaveSelector, SaveTotals};
use makruk_tables::material::Material;
use makruk_tables::rules::Color;
use makruk_tables::tablebase::derived_side_bytes;
use serde::Deserialize;
use tokio::time::timeout_at;

use crate::admission::jobs::{Cost, apart};
use crate::admission::pool::Grant;
use crate::admission::request_context::{CancellationCheck, RequestContext};
use crate::backend::answer_cache::cached;
use crate::backend::backend::Backend;
use crate::backend::statistics::parse_material;
use crate::status::Failure;
use crate::tables::snapshot::SnapshotProber;

/// The memory that open searches may take together for slabs of sides that tables omit, in MiB. A search that may take
/// more has to be the only one; a material of six men takes about two thirds of it.
pub(crate) const SEARCH_MIB: usize = 1 << 10;
/// The most materials of one search.
const MOST_MATERIALS: usize = 100;
/// The most saves that one job finds.
const SAVES_PER_JOB: usize = 32;
/// The most time that one job searches.
const SLICE: Duration = Duration::from_millis(200);

/// The request of a search, as a query of HTTP has it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SaveQuery {
    /// `saves` (the default), `wins` or `zugzwangs`.
    pub(crate) kind: Option<String>,
    /// Names of materials, separated by commas.
    pub(crate) material: String,
    #[serde(default, rename = "where")]
    pub(crate) filter: String,
    #[serde(default)]
    pub(crate) cursor: String,
    #[serde(default)]
    pub(crate) until: String,
    pub(crate) limit: Option<u64>,
    pub(crate) side: Option<String>,
    #[serde(default)]
    pub(crate) images: bool,
    #[serde(default)]
    pub(crate) brief: bool,
}

/// A search under way.
pub(crate) struct SaveSearch {
    prober: SnapshotProber,
    search: makruk_research::SaveSearch,
    brief: bool,
    /// The memory that the search may take.
    _memory: Grant,
}

/// A save, or a position of another kind, and the cursor after it.
pub(crate) struct FoundSave {
    pub(crate) record: PositionRecord,
    pub(crate) next: Option<Cursor>,
}

impl SaveSearch {
    /// The cursor from which to continue; `None` at the end.
    pub(crate) fn cursor(&self) -> Option<Cursor> {
        self.search.cursor()
    }

    /// Cells that were scanned, and cells that were requested.
    pub(crate) fn scanned(&self) -> (u64, u64) {
        self.search.scanned()
    }

    /// The number of saves found so far.
    pub(crate) const fn found(&self) -> u64 {
        self.search.found()
    }

    /// Whether everything is searched, or enough was found.
    pub(crate) const fn is_over(&self) -> bool {
        self.search.is_over()
    }

    /// Searches one piece. May block on the disk.
    fn next_piece(&mut self, check: &CancellationCheck) -> Option<Result<Vec<FoundSave>, ProbeError>> {
        let begun = Instant::now();
        let mut saves = Vec::new();
        loop {
            if check.is_cancelled() {
                return None;
            }
            // At least one step, or the search would never progress.
            if let Err(error) = self.step(&mut saves) {
                return Some(Err(error));
            }
            if self.is_over() || saves.len() >= SAVES_PER_JOB || begun.elapsed() >= SLICE {
                return Some(Ok(saves));
            }
        }
    }

    /// Makes one step, and adds the saves that it finds.
    fn step(&mut self, saves: &mut Vec<FoundSave>) -> Result<(), ProbeError> {
        let brief = self.brief;
        let records = self.search.step(&self.prober, |save| {
            if brief { Ok(PositionRecord::brief(save)) } else { PositionRecord::full(save) }
        })?;
        let next = self.cursor();
        saves.extend(records.into_iter().map(|record| FoundSave { record, next }));
        Ok(())
    }
}

/// The memory that a search may take for derived slabs, in MiB: one material is scanned after the other.
fn memory_mib(materials: &[Material]) -> usize {
    let sides = materials.iter().flat_map(|&material| Color::ALL.map(|side| derived_side_bytes(material, side) >> 20));
    sides.max().unwrap_or(0).clamp(1, SEARCH_MIB as u64) as usize
}

fn bad_cursor(problem: String) -> Failure {
    Refusal::misasked(Reason::BadCursor, "cursor", problem).into()
}

impl Backend {
    /// A search that has scanned nothing yet, and its limit unless the query has one.
    pub(crate) fn search(
        &self,
        context: &RequestContext,
        query: &SaveQuery,
        default_limit: u64,
    ) -> Result<SaveSearch, Failure> {
        let given = query.material.split(',').count();
        if given > MOST_MATERIALS {
            let error = format!("the request names {given} materials: expected 1 to {MOST_MATERIALS}");
            return Err(Refusal::misasked(Reason::BadMaterial, "materials", error).into());
        }
        let materials = query.material.split(',').map(parse_material).collect::<Result<Vec<_>, _>>()?;
        let side = |name: &String| Color::from_name(name).ok_or_else(|| Failure::from(Refusal::of_side(name)));
        let side = query.side.as_ref().map(side).transpose()?;
        let kind = query.kind.as_deref().unwrap_or("saves").parse();
        let kind: PositionKind = kind.map_err(|error| Failure::query(format!("kind: {error}")))?;
        let order = Order::new(materials, side);
        let cursor = |text: &str| -> Result<Option<Cursor>, Failure> {
            let parse = || text.parse().map_err(|error| bad_cursor(format!("{error}")));
            (!text.is_empty()).then(parse).transpose()
        };
        let range = order.places(cursor(&query.cursor)?, cursor(&query.until)?);
        let range = range.map_err(|error| bad_cursor(error.to_string()))?;
        let filter = Filter::parse(kind, &query.filter).map_err(|error| Refusal {
            column: Some(error.column),
            found: Some(error.found.clone()),
            ..Refusal::misasked(Reason::BadFilter, "filter", error.to_string())
        })?;
        let memory = self.pools.search_mib.take(context.holder.as_ref(), memory_mib(&order.materials()))?;
        let selector = SaveSelector::new(filter, query.images).of_kind(kind);
        let limit = query.limit.unwrap_or(default_limit);
        Ok(SaveSearch {
            prober: self.tables.prober(),
            search: makruk_research::SaveSearch::new(order, range, selector, limit),
            brief: query.brief,
            _memory: memory,
        })
    }

    /// The next piece of a search.
    pub(crate) async fn search_on(
        &self,
        context: &RequestContext,
        mut search: SaveSearch,
    ) -> Result<((Vec<FoundSave>, SaveSearch), Grant), Failure> {
        let positions = SAVES_PER_JOB.min(self.limits.positions);
        let work = move |check: &CancellationCheck| Some(search.next_piece(check)?.map(|saves| (saves, search)));
        // Between its pieces, a search waits for its client and has no place.
        let (jobs, searches, context) = (self.jobs.clone(), Arc::clone(&self.pools.searches), context.clone());
        apart(async move {
            let place = timeout_at(context.deadline, searches.wait(context.holder.as_ref(), 1)).await;
            let _place = place.map_err(|_| searches.shed())?;
            let (piece, permits) = jobs.run_when_possible(&context, Cost::scan(positions), work).await?;
            Ok((piece?, permits))
        })
        .await
    }

    /// The statistics of a material's saves, and those of a sample of at most this size.
    pub(crate) async fn save_statistics(&self, name: &str, sample: u32) -> Result<Arc<SaveTotals>, Failure> {
        let material = parse_material(name)?;
        let most = (sample as usize).min(self.limits.batch).min(self.limits.positions);
        let count = self.count_saves(material, most);
        cached(&self.answers.saves, self.generation(), (material, most), count).await
    }

    async fn count_saves(&self, material: Material, most: usize) -> Result<Arc<SaveTotals>, Failure> {
        let context = self.shared_context();
        // The rest of the answer needs time too.
        let spare = Duration::from_millis(500).min(context.time / 4);
        let work = move |prober: &SnapshotProber, check: &CancellationCheck| {
            let goes_on = || check.has_time(spare);
            Some(SaveTotals::read(prober, material, most as u64, goes_on).map(Arc::new))
        };
        let (counts, _) = self.run(&context, Cost::scan(most.max(1)), work).await?;
        Ok(counts?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_searches_of_six_men_are_not_open_at_a_time() {
        let mib = |names: &[&str]| {
            let materials: Vec<Material> = names.iter().map(|name| name.parse().unwrap()).collect();
            memory_mib(&materials)
        };
        assert!(4 * mib(&["KRRvKR", "KNMvKM"]) <= SEARCH_MIB, "of five men, as many as are allowed");
        let six = mib(&["KRvK", "KRSMvKM"]);
        assert!(six <= SEARCH_MIB && 2 * six > SEARCH_MIB, "{six}");
    }
}
