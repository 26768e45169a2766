//! A side that a file leaves out, worked out slab by slab.

use makruk_tables::format::{Metric, Value};
use makruk_tables::index::{Boards, Layout};
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, CountingRules};
use makruk_tables::successors::{Worth, metric_for};
use makruk_tables::sweep::{After, KeptSlabs, SharedSlab, Sweep};

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
    boards: Boards,
    /// By code: what a move is worth that leads there.
    worth: Vec<Worth>,
    kept: KeptSlabs<Worth>,
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
        let kept = |layout: &Layout| KeptSlabs::<Worth>::most_bytes(layout.slab_len(), layout.slabs());
        let captures = Sweep::new(&layout, side)
            .map_or(0, |sweep| sweep.captures().iter().map(|capture| kept(capture.boards().layout())).sum());
        kept(&layout) + captures
    }

    /// The codes of a slab. Those of what is no legal position mean nothing.
    pub(crate) fn read_slab(&self, tables: &dyn Children, slab: usize, codes: &mut Vec<u16>) -> Result<(), BuildError> {
        let boards = self.sweep.boards();
        let mut best = vec![Worth::NONE; boards.layout().slab_len() as usize];
        self.sweep.slab(slab, &mut best, |after, slab| match after {
            After::Quiet => self.quiet.slab(tables, slab),
            After::Capture(at) => self.captures[at].slab(tables, slab),
        })?;
        codes.clear();
        codes.resize(best.len(), 0);
        // Neighbours are mostly worth the same.
        let mut last = (Worth::NONE, 0);
        boards.each_legal(slab, self.sweep.mover(), |offset| {
            let worth = match best[offset] {
                Worth::NONE if self.sweep.is_mate(slab, offset) => Worth::MATED,
                Worth::NONE => Worth::DRAW,
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
    fn new(tables: &dyn Children, boards: &Boards, metric: Metric, turn: Color) -> Result<Leads, BuildError> {
        let set = boards.layout().material();
        let metric = metric_for(set, metric);
        let worth = tables.values(set, metric, turn)?.into_iter().map(Worth::before).collect();
        let kept = KeptSlabs::new(boards.layout().slab_len());
        Ok(Leads { metric, turn, boards: boards.clone(), worth, kept })
    }

    /// What each cell of a slab is worth to the side that moves there.
    fn slab(&self, tables: &dyn Children, slab: usize) -> Result<SharedSlab<Worth>, BuildError> {
        self.kept.get(slab, || {
            let mut codes = Vec::new();
            tables.read_slab(self.boards.layout().material(), self.metric, self.turn, slab, &mut codes)?;
            let mut cells = vec![Worth::NONE; codes.len()];
            self.boards.each_legal(slab, self.turn, |offset| cells[offset] = self.worth[usize::from(codes[offset])]);
            Ok(cells)
        })
    }
}
