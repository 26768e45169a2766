//! The search for count saves, wins and zugzwangs, piece by piece.
//!
//! The search keeps a share of the server's memory between its pieces, and continues where another server ended: no
//! `Ask` does. Its filter is read by the kind, its cursors by the order of the materials; until then they are texts.
//! The command line scans by `makruk_research`.

use std::time::{Duration, Instant};

use makruk_answers::{Field, Reason, Refusal};
use makruk_probe::ProbeError;
use makruk_research::{Cursor, Filter, Order, PositionKind, PositionRecord, SaveSelector};
use makruk_rules::Color;
use makruk_tables::material::Material;
use makruk_tables::tablebase::derived_side_bytes;
use serde::{Deserialize, Deserializer};

use crate::admission::jobs::{Cost, Lane, at_once};
use crate::admission::limits::SEARCH_MIB;
use crate::admission::pool::Grant;
use crate::admission::request_context::{CancellationCheck, RequestContext};
use crate::backend::Backend;
use crate::status::Failure;
use crate::tables::snapshot::SnapshotProber;

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
    pub(crate) kind: Option<Field<PositionKind>>,
    /// Names of materials, separated by commas.
    #[serde(deserialize_with = "by_commas")]
    pub(crate) material: Vec<Field<Material>>,
    #[serde(default, rename = "where")]
    pub(crate) filter: String,
    #[serde(default)]
    pub(crate) cursor: String,
    #[serde(default)]
    pub(crate) until: String,
    pub(crate) limit: Option<u64>,
    pub(crate) side: Option<Field<Color>>,
    #[serde(default)]
    pub(crate) images: bool,
    #[serde(default)]
    pub(crate) brief: bool,
}

fn by_commas<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Field<Material>>, D::Error> {
    Ok(String::deserialize(deserializer)?.split(',').map(Field::from).collect())
}

/// A search under way.
pub(crate) struct SaveSearch {
    prober: SnapshotProber,
    pub(crate) search: makruk_research::SaveSearch,
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
    /// Searches one piece. May block on the disk.
    fn next_piece(&mut self, check: &CancellationCheck) -> Option<Result<Vec<FoundSave>, ProbeError>> {
        let (begun, brief) = (Instant::now(), self.brief);
        let mut saves = Vec::new();
        loop {
            if check.is_cancelled() {
                return None;
            }
            // At least one step, or the search would never progress.
            let step = self.search.step(&self.prober, |save| {
                if brief { Ok(PositionRecord::brief(save)) } else { PositionRecord::full(save) }
            });
            let next = self.search.cursor();
            match step {
                Ok(records) => saves.extend(records.into_iter().map(|record| FoundSave { record, next })),
                Err(error) => return Some(Err(error)),
            }
            if self.search.is_over() || saves.len() >= SAVES_PER_JOB || begun.elapsed() >= SLICE {
                return Some(Ok(saves));
            }
        }
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
        query: SaveQuery,
        default_limit: u64,
    ) -> Result<SaveSearch, Failure> {
        let (given, door) = (query.material.len(), self.door());
        if !(1..=MOST_MATERIALS).contains(&given) {
            let error = format!("the request names {given} materials: expected 1 to {MOST_MATERIALS}");
            return Err(Refusal::misasked(Reason::BadMaterial, "materials", error).into());
        }
        let materials =
            query.material.into_iter().map(|material| material.read(door)).collect::<Result<Vec<_>, _>>()?;
        let side = query.side.map(|side| side.read(door)).transpose()?;
        let kind = query.kind.map_or(Ok(PositionKind::Saves), |kind| kind.read(door))?;
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
            prober: self.prober(),
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
        let positions = SAVES_PER_JOB.min(self.pools.limits.positions);
        let work = move |check: &CancellationCheck| Some(search.next_piece(check)?.map(|saves| (saves, search)));
        // Between its pieces, a search waits for its client and has no place.
        let cost = Cost { positions, lane: Lane::Searches };
        let (piece, permits) = self.jobs.run_when_possible(context, cost, at_once(work)).await?;
        Ok((piece?, permits))
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
