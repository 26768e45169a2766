//! Searches for saves, piece by piece, and what saves are like on the whole.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use makruk_tables::format::{Metric, MovesLeft, TableFolder};
use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::{ByColor, Color};
use tokio::sync::OwnedSemaphorePermit;

use super::engine::{Engine, LiveProber};
use super::jobs::{Asker, Held, Wanted};
use super::status::{Failure, Load};
use makruk_probe::ProbeError;
use makruk_research::{Cursor, Filter, Lights, Order, Pick, Sample, SaveRecord, Seeker, Sought};

/// The most sets of one search.
const MOST_SETS: usize = 100;
/// Saves that one job finds.
const SAVES_PER_JOB: usize = 32;
/// How long one job seeks, if it finds nothing.
const SLICE: Duration = Duration::from_millis(200);
/// Saves that are found unless another limit is set.
pub(super) const DEFAULT_SAVES: u64 = 100;

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Asked {
    pub(super) materials: Vec<String>,
    pub(super) filter: String,
    pub(super) cursor: String,
    pub(super) until: String,
    /// 0 is the usual limit.
    pub(super) limit: u64,
    pub(super) side: Option<Color>,
    pub(super) images: bool,
    pub(super) brief: bool,
}

/// A search that is under way.
pub(super) struct Search {
    prober: LiveProber,
    seeker: Seeker,
    pick: Pick,
    brief: bool,
    lights: HashMap<Material, Lights>,
    /// How many more are wanted.
    left: u64,
    first: u64,
    end: u64,
    found: u64,
    /// Its place among the searches.
    _place: OwnedSemaphorePermit,
}

/// What a piece of a search has come to.
pub(super) struct Piece {
    pub(super) saves: Vec<FoundSave>,
    /// Whether there is nothing more, or nothing more is wanted.
    pub(super) is_over: bool,
}

/// A save, and where to go on behind it.
pub(super) struct FoundSave {
    pub(super) record: SaveRecord,
    pub(super) next: Option<Cursor>,
}

/// How many saves a set has.
pub(super) struct SaveCounts {
    pub(super) material: Material,
    pub(super) sides: ByColor<SideSaves>,
    pub(super) sample: Option<Sample>,
}

/// A set with one side to move.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SideSaves {
    pub(super) won: u64,
    pub(super) won_within_count: u64,
    pub(super) drawn: u64,
    pub(super) lost: u64,
    pub(super) lost_within_count: u64,
}

impl SideSaves {
    pub(super) const fn saves(self) -> u64 {
        self.lost - self.lost_within_count
    }
}

impl Search {
    /// Where to go on; `None` at the end.
    pub(super) fn cursor(&self) -> Option<Cursor> {
        let place = self.seeker.place();
        self.seeker.order().cursor(place).filter(|_| place < self.end)
    }

    /// Cells gone through, and those asked for.
    pub(super) fn scanned(&self) -> (u64, u64) {
        (self.seeker.place() - self.first, self.end.saturating_sub(self.first))
    }

    /// Saves found.
    pub(super) const fn found(&self) -> u64 {
        self.found
    }

    /// Goes on for a while. May block on the disk.
    fn go_on(&mut self, wanted: &Wanted) -> Option<Result<Piece, ProbeError>> {
        let begun = Instant::now();
        let mut saves = Vec::new();
        loop {
            if !wanted.is_wanted() {
                return None;
            }
            if self.left == 0 {
                return Some(Ok(Piece { saves, is_over: true }));
            }
            // At least one step, or there would never be any.
            match self.step(&mut saves) {
                Ok(true) => {}
                Ok(false) => return Some(Ok(Piece { saves, is_over: true })),
                Err(error) => return Some(Err(error)),
            }
            if saves.len() >= SAVES_PER_JOB || begun.elapsed() >= SLICE {
                return Some(Ok(Piece { saves, is_over: self.left == 0 }));
            }
        }
    }

    /// One step; false at the end.
    fn step(&mut self, saves: &mut Vec<FoundSave>) -> Result<bool, ProbeError> {
        let found = match self.seeker.step(&self.prober)? {
            Sought::Save(found) => found,
            Sought::Read => return Ok(true),
            Sought::End => return Ok(false),
        };
        let set = found.cursor.material;
        let prober = &self.prober;
        let lights = *self.lights.entry(set).or_insert_with(|| Lights::of(prober, set));
        let brief = self.brief;
        let told = self.pick.look(prober, lights, found, |look| {
            if brief { Ok(SaveRecord::brief(look)) } else { SaveRecord::full(look) }
        })?;
        let next = self.cursor();
        self.left = self.left.saturating_sub(told.len() as u64);
        self.found += told.len() as u64;
        saves.extend(told.into_iter().map(|record| FoundSave { record, next }));
        Ok(true)
    }
}

impl Engine {
    /// Begins a search, which has not looked at anything yet.
    pub(super) fn search(&self, asked: &Asked) -> Result<Search, Failure> {
        let sets = asked.materials.len();
        if sets == 0 || sets > MOST_SETS {
            return Err(Failure::Sets { sets, most: MOST_SETS });
        }
        let mut materials = Vec::new();
        for name in &asked.materials {
            materials.push(set_of(name)?);
        }
        let order = Order::new(materials, asked.side);
        let place = |text: &str, otherwise| -> Result<u64, Failure> {
            if text.is_empty() {
                return Ok(otherwise);
            }
            let cursor: Cursor = text.parse().map_err(|error| Failure::Cursor(format!("{error}")))?;
            let nowhere = || Failure::Cursor(format!("{cursor} is no place of the sets and sides to move asked for"));
            order.place(cursor).ok_or_else(nowhere)
        };
        let (first, end) = (place(&asked.cursor, 0)?, place(&asked.until, order.len())?);
        let filter: Filter = asked.filter.parse().map_err(Failure::Filter)?;
        let place = Arc::clone(&self.searches).try_acquire_owned().map_err(|_| {
            self.metrics.shed(Load::Searches);
            Failure::Overloaded { load: Load::Searches, most: self.limits.searches }
        })?;
        Ok(Search {
            prober: self.live.prober(),
            seeker: Seeker::new(order, first..end.max(first)),
            pick: Pick { filter, images: asked.images },
            brief: asked.brief,
            lights: HashMap::new(),
            left: if asked.limit == 0 { DEFAULT_SAVES } else { asked.limit },
            first,
            end: end.max(first),
            found: 0,
            _place: place,
        })
    }

    /// The next piece of a search.
    pub(super) async fn search_on(
        &self,
        asker: &Asker,
        mut search: Search,
    ) -> Result<((Piece, Search), Held), Failure> {
        let positions = SAVES_PER_JOB.min(self.limits.positions).min(self.limits.connection_positions);
        let work = move |wanted: &Wanted| Some(search.go_on(wanted)?.map(|piece| (piece, search)));
        let (piece, held) = self.jobs.run_when_possible(asker, positions, work).await?;
        Ok((piece?, held))
    }

    /// How many saves a set has and, from up to so many of them, what they are like.
    pub(super) async fn save_statistics(&self, asker: &Asker, set: &str, sample: u32) -> Result<SaveCounts, Failure> {
        let material = set_of(set)?;
        let most = (sample as usize).min(self.limits.batch).min(self.limits.positions);
        let most = most.min(self.limits.connection_positions);
        let (folder, prober) = (self.catalogue.path().to_owned(), self.live.prober());
        // The answer has to be in time too.
        let spare = Duration::from_millis(500).min(asker.time / 4);
        let work = move |wanted: &Wanted| {
            let count = || -> Result<SaveCounts, Failure> {
                let read = |metric: Metric| {
                    let table = TableFolder::open_existing(&folder)
                        .and_then(|folder| folder.open_set(&Layout::new(material), metric));
                    table.map_err(|source| Failure::of_table(material, metric, &folder, source))
                };
                let mates = read(Metric::Dtm)?;
                let events = if material.is_armed() { Some(read(Metric::Dtz)?) } else { None };
                let left = MovesLeft::of(material, prober.rules());
                let sides = ByColor::from_fn(|side| {
                    let values = &mates.spec().values[side];
                    let counted = events.as_ref().map_or(values, |events| &events.spec().values[side]);
                    let (won_within_count, lost_within_count) = counted.within_count(left);
                    SideSaves {
                        won: values.won(),
                        won_within_count,
                        drawn: values.drawn(),
                        lost: values.lost(),
                        lost_within_count: lost_within_count.min(values.lost()),
                    }
                });
                let with_saves: Vec<Color> = Color::ALL.into_iter().filter(|&side| sides[side].saves() > 0).collect();
                let sample = if most == 0 {
                    None
                } else {
                    Some(Sample::of(&prober, material, &with_saves, most as u64, || wanted.has_time(spare))?)
                };
                Ok(SaveCounts { material, sides, sample })
            };
            Some(count())
        };
        let (counts, _) = self.jobs.run(asker, most.max(1), work).await?;
        counts
    }
}

/// The set of a name.
fn set_of(name: &str) -> Result<Material, Failure> {
    match name.parse().map_err(Failure::Material)? {
        Material::BARE_KINGS => Err(Failure::BareKings),
        material => Ok(material),
    }
}
