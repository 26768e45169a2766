//! The worth of whole slabs.

use makruk_tables::format::{Metric, MovesLeft, Storage};
use makruk_tables::index::{Layout, Stripes};
use makruk_tables::material::Material;
use makruk_tables::rules::{ByColor, Color, CountingRules, Fen};
use makruk_tables::sweep::{After, SharedSlab, SlabCache, Sweep};

use super::distances::Distances;
use super::{Cell, SlabSource};
use makruk_probe::open_table::OpenTable;
use makruk_probe::{ProbeError, Prober, TableError, Tables};

/// What the cells of a set's slabs are worth if the count begins now, whichever tables say it.
#[derive(Debug)]
pub struct Cells {
    layout: Layout,
    /// The slabs' boards, by which legal positions are told.
    boards: Stripes,
    left: MovesLeft,
    sides: ByColor<Origin>,
    /// Whether there is a light table.
    has_light: bool,
    /// What was read for the sake of the other side's moves.
    kept: ByColor<SlabCache<Cell>>,
}

/// Where a side's worth comes from.
#[derive(Debug)]
enum Origin {
    /// The light table.
    Light,
    /// The tables of distances.
    Distances,
    /// What its moves lead to.
    Moves(Box<Moves>),
    /// Each position is asked for by itself.
    Probes,
}

/// The moves of a side, and what its captures lead to.
#[derive(Debug)]
struct Moves {
    sweep: Sweep,
    /// By capture.
    children: Vec<Cells>,
}

impl Moves {
    fn open<S: SlabSource>(prober: &Prober<S>, sweep: Sweep) -> Result<Moves, ProbeError> {
        let children = sweep.captures().iter().map(|capture| Cells::open(prober, capture.boards().layout().material()));
        Ok(Moves { children: children.collect::<Result<_, _>>()?, sweep })
    }
}

impl Cells {
    /// Those of a set: from its light table or, where that has nothing, from the distances.
    ///
    /// # Errors
    ///
    /// If a table is damaged, or neither the light table nor those of distances are there.
    pub fn open<S: SlabSource>(prober: &Prober<S>, set: Material) -> Result<Cells, ProbeError> {
        let layout = Layout::new(set);
        let Some(boards) = Stripes::of_last_axis(layout.clone()) else {
            let source = "two bare kings have no table".into();
            return Err(TableError::Corrupt { material: set, metric: Metric::Wdl, source }.into());
        };
        let mut cells = Cells {
            boards,
            left: MovesLeft::of(set, prober.rules()),
            sides: ByColor { white: Origin::Probes, black: Origin::Probes },
            has_light: false,
            kept: ByColor::from_fn(|_| SlabCache::new(layout.slab_len())),
            layout,
        };
        if let Some(tables) = prober.source().tables() {
            for side in Color::ALL {
                cells.sides[side] = cells.readable(tables, prober.rules(), side)?;
            }
            for side in Color::ALL {
                if cells.follows(tables, prober.rules(), side)?
                    && let Some(sweep) = Sweep::new(&cells.layout, side)
                {
                    cells.sides[side] = Origin::Moves(Box::new(Moves::open(prober, sweep)?));
                }
            }
        }
        Ok(cells)
    }

    /// Where a side can be read from.
    fn readable(&mut self, tables: &Tables, rules: &CountingRules, side: Color) -> Result<Origin, ProbeError> {
        let set = self.layout.material();
        let light = light(tables, set, rules)?;
        self.has_light = light.is_some();
        if light.is_some_and(|light| light.storage(side) != Storage::Absent) {
            return Ok(Origin::Light);
        }
        match Distances::open(tables, set, rules) {
            Ok(distances) if distances.store(side) => Ok(Origin::Distances),
            Ok(_) => Ok(Origin::Probes),
            // What the light table leaves out follows from what it has.
            Err(TableError::Missing { .. }) if self.has_light => Ok(Origin::Probes),
            Err(error) => Err(error.into()),
        }
    }

    /// Whether a side that can't be read follows from the other.
    fn follows(&self, tables: &Tables, rules: &CountingRules, side: Color) -> Result<bool, ProbeError> {
        let set = self.layout.material();
        let is_read = |side: Color| matches!(self.sides[side], Origin::Light | Origin::Distances);
        if is_read(side) || !is_read(!side) || !set.is_armed() {
            return Ok(false);
        }
        if self.has_light {
            // It would not be left out there otherwise.
            return Ok(true);
        }
        let events = tables.table(set, Metric::Dtz, rules)?;
        Ok(self.left.follow(set, events.values(side)))
    }

    /// The order of the set's positions.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The cells of a slab, by offset. Those that a slab holds twice are told twice.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged.
    pub fn slab<S: SlabSource>(
        &self,
        prober: &Prober<S>,
        side: Color,
        slab: usize,
        cells: &mut Vec<Cell>,
    ) -> Result<(), ProbeError> {
        cells.clear();
        cells.resize(self.layout.slab_len() as usize, Cell::Nothing);
        match (&self.sides[side], prober.source().tables()) {
            (Origin::Light, Some(tables)) => self.slab_of_light(tables, prober.rules(), side, slab, cells),
            (Origin::Distances, Some(tables)) => self.slab_of_distances(tables, prober.rules(), side, slab, cells),
            (Origin::Moves(moves), _) => self.slab_of_moves(prober, moves, side, slab, cells),
            _ => self.slab_of_probes(prober, side, slab, cells),
        }
    }

    /// What a slab is worth to the side whose moves lead there, `side` being then to move.
    pub(super) fn after<S: SlabSource>(
        &self,
        prober: &Prober<S>,
        side: Color,
        slab: usize,
    ) -> Result<SharedSlab<Cell>, ProbeError> {
        self.kept[side].get(slab, || {
            let mut cells = Vec::new();
            self.slab(prober, side, slab, &mut cells)?;
            cells.iter_mut().for_each(|cell| *cell = cell.before());
            Ok(cells)
        })
    }

    fn slab_of_light(
        &self,
        tables: &Tables,
        rules: &CountingRules,
        side: Color,
        slab: usize,
        cells: &mut [Cell],
    ) -> Result<(), ProbeError> {
        let set = self.layout.material();
        let light = tables.table(set, Metric::Wdl, rules)?;
        let worth: Vec<Cell> = light.values(side).entries().iter().map(|&(value, _)| Cell::of_light(value)).collect();
        let mut codes = Vec::new();
        light.slab_codes(side, slab, &mut codes).map_err(|source| tables.table_error(set, Metric::Wdl, source))?;
        self.boards.for_each_legal(slab, side, |offset| {
            if let (Some(cell), Some(&code)) = (cells.get_mut(offset), codes.get(offset)) {
                *cell = worth.get(usize::from(code)).copied().unwrap_or_default();
            }
        });
        Ok(())
    }

    fn slab_of_distances(
        &self,
        tables: &Tables,
        rules: &CountingRules,
        side: Color,
        slab: usize,
        cells: &mut [Cell],
    ) -> Result<(), ProbeError> {
        let distances = Distances::open(tables, self.layout.material(), rules)?.slab(side, slab)?;
        self.boards.for_each_legal(slab, side, |offset| {
            let (dtm, dtz) = distances.at(offset);
            cells[offset] = Cell::of_light(self.left.wdl(dtm, dtz));
        });
        Ok(())
    }

    fn slab_of_moves<S: SlabSource>(
        &self,
        prober: &Prober<S>,
        Moves { sweep, children }: &Moves,
        side: Color,
        slab: usize,
        cells: &mut [Cell],
    ) -> Result<(), ProbeError> {
        let mut best = vec![Cell::Nothing; cells.len()];
        sweep.slab(slab, &mut best, |after, slab| match after {
            After::Quiet => self.after(prober, !side, slab),
            After::Capture(at) => children[at].after(prober, sweep.captures()[at].turn(), slab),
        })?;
        self.boards.for_each_legal(slab, side, |offset| {
            cells[offset] = match best[offset] {
                Cell::Nothing if sweep.is_mate(slab, offset) => Cell::Loss,
                Cell::Nothing => Cell::Draw,
                best => best,
            };
        });
        Ok(())
    }

    fn slab_of_probes<S: SlabSource>(
        &self,
        prober: &Prober<S>,
        side: Color,
        slab: usize,
        cells: &mut [Cell],
    ) -> Result<(), ProbeError> {
        let start = slab as u64 * self.layout.slab_len();
        for (offset, cell) in cells.iter_mut().enumerate() {
            if let Some(position) = self.layout.position_at(side, start + offset as u64) {
                if self.has_light {
                    *cell = Cell::of_light(prober.value(&position, Metric::Wdl)?);
                    continue;
                }
                let distances = prober.probe(&Fen::new(position, None))?.distances();
                *cell = Cell::of_light(self.left.wdl(distances.dtm, distances.dtz));
            }
        }
        Ok(())
    }
}

/// A set's light table, if it is there.
fn light<'a>(tables: &'a Tables, set: Material, rules: &CountingRules) -> Result<Option<&'a OpenTable>, TableError> {
    match tables.table(set, Metric::Wdl, rules) {
        Ok(table) => Ok(Some(table)),
        Err(TableError::Missing { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
