//! A side that a file leaves out, worked out slab by slab.

use makruk_tables::format::{Metric, Value};
use makruk_tables::index::{Layout, Stripes};
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, CountingRules};
use makruk_tables::successors::{Score, metric_for};
use makruk_tables::sweep::{After, SharedSlab, SlabCache, Sweep};

use crate::captures::left_after_baring;
use crate::child::Children;
use crate::error::BuildError;

/// One side of a set under a metric of distances, as the best of its moves.
pub(crate) struct LeftOut {
    sweep: Sweep,
    /// Where quiet moves lead.
    quiet: Leads,
    /// Where captures lead, in the order of the sweep's.
    captures: Vec<Leads>,
    /// The values that the side has, ascending.
    values: Vec<Value>,
}

/// The slabs of a side that moves lead to.
struct Leads {
    metric: Metric,
    turn: Color,
    boards: Stripes,
    /// By code: what a move is worth that leads there.
    worth: Vec<Score>,
    kept: SlabCache<Score>,
}

impl LeftOut {
    /// A side of a set; `None` if it cannot be swept. `tables` have the other side, and what captures lead to.
    pub(crate) fn new(
        tables: &dyn Children,
        layout: &Layout,
        metric: Metric,
        side: Color,
        rules: &CountingRules,
    ) -> Result<Option<LeftOut>, BuildError> {
        if metric == Metric::Wdl {
            return Ok(None);
        }
        let Some(sweep) = Sweep::new(layout, side) else { return Ok(None) };
        let set = layout.material();
        let captures = sweep.captures().iter().map(|capture| {
            let mut leads = Leads::new(tables, capture.boards(), metric, capture.turn())?;
            if metric == Metric::Dtz
                && let Some(left) = left_after_baring(set, capture.captured(), rules)
            {
                leads.worth.iter_mut().for_each(|worth| *worth = worth.if_within(left));
            }
            Ok(leads)
        });
        let captures = captures.collect::<Result<_, BuildError>>()?;
        let quiet = Leads::new(tables, sweep.boards(), metric, !side)?;
        let values = tables.values(set, metric, side)?;
        Ok(Some(LeftOut { sweep, quiet, captures, values }))
    }

    /// The most memory that working out a side of a set takes, in bytes.
    pub(crate) fn memory(set: Material, side: Color) -> u64 {
        let layout = Layout::new(set);
        let kept = |layout: &Layout| SlabCache::<Score>::most_bytes(layout.slab_len(), layout.slabs());
        let captures = Sweep::new(&layout, side)
            .map_or(0, |sweep| sweep.captures().iter().map(|capture| kept(capture.boards().layout())).sum());
        kept(&layout) + captures
    }

    /// The codes of a slab. Those of what is no legal position mean nothing.
    pub(crate) fn read_slab(&self, tables: &dyn Children, slab: usize, codes: &mut Vec<u16>) -> Result<(), BuildError> {
        let boards = self.sweep.boards();
        let mut best = vec![Score::NONE; boards.layout().slab_len() as usize];
        self.sweep.slab(slab, &mut best, |after, slab| match after {
            After::Quiet => self.quiet.slab(tables, slab),
            After::Capture(at) => self.captures[at].slab(tables, slab),
        })?;
        codes.clear();
        codes.resize(best.len(), 0);
        // Neighbours are mostly worth the same.
        let mut last = (Score::NONE, 0);
        boards.for_each_legal(slab, self.sweep.mover(), |offset| {
            let worth = match best[offset] {
                Score::NONE if self.sweep.is_mate(slab, offset) => Score::MATED,
                Score::NONE => Score::DRAW,
                worth => worth,
            };
            if last.0 != worth {
                last = (worth, self.values.binary_search(&worth.value()).unwrap_or(0) as u16);
            }
            codes[offset] = last.1;
        });
        Ok(())
    }
}

impl Leads {
    fn new(tables: &dyn Children, boards: &Stripes, metric: Metric, turn: Color) -> Result<Leads, BuildError> {
        let set = boards.layout().material();
        let metric = metric_for(set, metric);
        let worth = tables.values(set, metric, turn)?.into_iter().map(Score::before).collect();
        let kept = SlabCache::new(boards.layout().slab_len());
        Ok(Leads { metric, turn, boards: boards.clone(), worth, kept })
    }

    /// What each cell of a slab is worth to the side that moves there.
    fn slab(&self, tables: &dyn Children, slab: usize) -> Result<SharedSlab<Score>, BuildError> {
        self.kept.get(slab, || {
            let mut codes = Vec::new();
            tables.read_slab(self.boards.layout().material(), self.metric, self.turn, slab, &mut codes)?;
            let mut cells = vec![Score::NONE; codes.len()];
            self.boards
                .for_each_legal(slab, self.turn, |offset| cells[offset] = self.worth[usize::from(codes[offset])]);
            Ok(cells)
        })
    }
}
