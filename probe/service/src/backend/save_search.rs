//! The search for count saves, wins and zugzwangs, piece by piece, and the statistics of count saves.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use makruk_answers::{Reason, Refusal};
use makruk_probe::{ProbeError, TableId};
use makruk_research::{Cursor, Filter, Order, PositionKind, PositionRecord, SaveSample, SaveSelector};
use makruk_tables::material::Material;
use makruk_tables::rules::Color;
use makruk_tables::tablebase::derived_side_bytes;
use makruk_tables::value::{Metric, MovesLeft};
use serde::Serialize;
use tokio::time::timeout_at;

use crate::admission::jobs::{Cost, apart};
use crate::admission::pool::Grant;
use crate::admission::request_context::{CancellationCheck, RequestContext};
use crate::backend::answer_cache::cached;
use crate::backend::backend::Backend;
use crate::backend::statistics::parse_material;
use crate::status::Failure;
use crate::tables::snapshot::SnapshotProber;
use crate::tables::totals::open;

/// The memory that open searches may take together for slabs of sides that tables omit, in MiB. A search that may take
/// more has to be the only one; a material of six men takes about two thirds of it.
pub(crate) const SEARCH_MIB: usize = 1 << 10;
/// The default limit of a search.
const DEFAULT_SAVES: u64 = 100;
/// The most materials of one search.
const MOST_MATERIALS: usize = 100;
/// The most saves that one job finds.
const SAVES_PER_JOB: usize = 32;
/// The most time that one job searches.
const SLICE: Duration = Duration::from_millis(200);

/// The request of a search.
#[derive(Clone, Debug)]
pub(crate) struct SaveQuery {
    pub(crate) kind: PositionKind,
    pub(crate) materials: Vec<String>,
    pub(crate) filter: String,
    pub(crate) cursor: String,
    pub(crate) until: String,
    /// 0 stands for [`DEFAULT_SAVES`].
    pub(crate) limit: u64,
    pub(crate) side: Option<Color>,
    pub(crate) images: bool,
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
    /// A search that has scanned nothing yet.
    pub(crate) fn search(&self, context: &RequestContext, query: &SaveQuery) -> Result<SaveSearch, Failure> {
        let given = query.materials.len();
        if given == 0 || given > MOST_MATERIALS {
            let error = format!("the request names {given} materials: expected 1 to {MOST_MATERIALS}");
            return Err(Refusal::misasked(Reason::BadMaterial, "materials", error).into());
        }
        let mut materials = Vec::new();
        for name in &query.materials {
            materials.push(parse_material(name)?);
        }
        let order = Order::new(materials, query.side);
        let cursor = |text: &str| -> Result<Option<Cursor>, Failure> {
            let parse = || text.parse().map_err(|error| bad_cursor(format!("{error}")));
            (!text.is_empty()).then(parse).transpose()
        };
        let range = order.places(cursor(&query.cursor)?, cursor(&query.until)?);
        let range = range.map_err(|error| bad_cursor(error.to_string()))?;
        let filter = Filter::parse(query.kind, &query.filter).map_err(|error| Refusal {
            column: Some(error.column),
            found: Some(error.found.clone()),
            ..Refusal::misasked(Reason::BadFilter, "filter", error.to_string())
        })?;
        let memory = self.pools.search_mib.take(context.holder.as_ref(), memory_mib(&order.materials()))?;
        let selector = SaveSelector::new(filter, query.images).of_kind(query.kind);
        let limit = if query.limit == 0 { DEFAULT_SAVES } else { query.limit };
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
    pub(crate) async fn save_statistics(&self, name: &str, sample: u32) -> Result<Arc<SaveCounts>, Failure> {
        let material = parse_material(name)?;
        let most = (sample as usize).min(self.limits.batch).min(self.limits.positions);
        let count = self.count_saves(material, most);
        cached(&self.answers.saves, self.generation(), (material, most), count).await
    }

    async fn count_saves(&self, material: Material, most: usize) -> Result<Arc<SaveCounts>, Failure> {
        let context = self.shared_context();
        let folder = self.monitor.path().to_owned();
        // The rest of the answer needs time too.
        let spare = Duration::from_millis(500).min(context.time / 4);
        let work = move |prober: &SnapshotProber, check: &CancellationCheck| {
            let goes_on = || check.has_time(spare);
            Some(SaveCounts::read(prober, &folder, material, most, goes_on).map(Arc::new))
        };
        let (counts, _) = self.run(&context, Cost::scan(most.max(1)), work).await?;
        Ok(counts?)
    }
}

/// The numbers of a material's count saves.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SaveStatistics"))]
pub(crate) struct SaveCounts {
    /// The canonical name of the material. White below is its first side.
    pub(crate) material: Material,
    /// With White to move.
    pub(crate) white: SideSaves,
    /// With Black to move.
    pub(crate) black: SideSaves,
    /// The properties of a sample, if one was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sample: Option<SampleCounts>,
}

/// Numbers of positions with one side to move, if the count begins now.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct SideSaves {
    /// Won by the side to move, without the count.
    pub(crate) win: u64,
    /// Won also with the count.
    pub(crate) win_within_count: u64,
    /// Drawn without the count.
    pub(crate) draw: u64,
    /// Lost by the side to move, without the count.
    pub(crate) loss: u64,
    /// Lost also with the count.
    pub(crate) loss_within_count: u64,
    /// Lost without the count and drawn with it: count saves.
    pub(crate) saves: u64,
}

/// The properties of a sample of the saves. A position counts once for all its images.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SaveSample"))]
pub(crate) struct SampleCounts {
    /// The number of saves in the sample.
    pub(crate) saves: u64,
    /// Whether the sample contains all saves.
    pub(crate) complete: bool,
    /// Saves with exactly one saving move.
    pub(crate) unique: u64,
    /// Saves with a saving move that is a sacrifice.
    pub(crate) by_sacrifice: u64,
    /// Saves with a saving move that sacrifices the last man.
    pub(crate) by_last_sacrifice: u64,
    /// Numbers of saves by the moves that the attacker lacks.
    pub(crate) short_by: BTreeMap<u32, u64>,
    /// The number of saves for which that is unknown.
    pub(crate) short_by_unknown: u64,
}

impl SaveCounts {
    /// Counts by the headers of the tables, and takes a sample of at most this size, unless it is 0.
    fn read(
        prober: &SnapshotProber,
        folder: &Path,
        material: Material,
        most: usize,
        goes_on: impl FnMut() -> bool,
    ) -> Result<SaveCounts, ProbeError> {
        let dtm = open(folder, TableId { material, metric: Metric::Dtm })?;
        let dtz = material.has_dtz().then(|| open(folder, TableId { material, metric: Metric::Dtz })).transpose()?;
        let left = MovesLeft::of(material, prober.rules());
        let side = |color| {
            let values = &dtm.spec().values[color];
            let counted = dtz.as_ref().map_or(values, |dtz| &dtz.spec().values[color]);
            let (win_within_count, loss_within_count) = counted.within_count(left);
            let (loss, loss_within_count) = (values.lost(), loss_within_count.min(values.lost()));
            let saves = loss - loss_within_count;
            SideSaves { win: values.won(), win_within_count, draw: values.drawn(), loss, loss_within_count, saves }
        };
        let (white, black) = (side(Color::White), side(Color::Black));
        let with_saves =
            [(Color::White, &white), (Color::Black, &black)].into_iter().filter(|(_, side)| side.saves > 0);
        let with_saves: Vec<Color> = with_saves.map(|(color, _)| color).collect();
        let sample = match most {
            0 => None,
            most => Some(SaveSample::of(prober, material, &with_saves, most as u64, goes_on)?.into()),
        };
        Ok(SaveCounts { material, white, black, sample })
    }
}

impl From<SaveSample> for SampleCounts {
    fn from(sample: SaveSample) -> SampleCounts {
        SampleCounts {
            saves: sample.saves,
            complete: sample.complete,
            unique: sample.unique,
            by_sacrifice: sample.by_sacrifice,
            by_last_sacrifice: sample.by_last_sacrifice,
            short_by_unknown: sample.short_by.get(&None).copied().unwrap_or_default(),
            short_by: sample.short_by.into_iter().filter_map(|(moves, saves)| Some((moves?, saves))).collect(),
        }
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
