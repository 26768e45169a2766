//! A side that a file leaves out, worked out slab by slab.

use makruk_tables::format::{Metric, Value};
use makruk_tables::index::{Boards, Layout};
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, CountingRules, Role};
use makruk_tables::successors::{Worth, has_table};
use makruk_tables::sweep::{After, Capture, KeptSlabs, SharedSlab, Sweep};

use crate::child::Children;
use crate::error::BuildError;

/// One side of a set under a metric of distances, as the best of its moves.
pub(crate) struct LeftOut {
    sweep: Sweep,
    boards: Boards,
    /// Where quiet moves lead.
    quiet: Leads,
    /// Where captures lead, in the order of the sweep's.
    captures: Vec<Leads>,
    /// The values that the side has, ascending.
    values: Vec<Value>,
}

/// The slabs of a side that moves lead to.
struct Leads {
    set: Material,
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
        let (Some(sweep), Some(boards)) = (Sweep::new(layout, side), last_boards(layout)) else { return Ok(None) };
        if metric == Metric::Wdl {
            return Ok(None);
        }
        let set = layout.material();
        let captures = sweep.captures().iter().map(|capture| {
            let child = capture.child();
            // Where a king is bare DTM serves as DTZ.
            let metric = if has_table(child, metric) { metric } else { Metric::Dtm };
            Leads::new(tables, child, metric, capture.turn())
        });
        let mut captures = captures.collect::<Result<Vec<Leads>, _>>()?;
        if metric == Metric::Dtz {
            for (capture, leads) in sweep.captures().iter().zip(&mut captures) {
                if let Some(left) = left_after_baring(set, capture, rules) {
                    leads.worth.iter_mut().for_each(|worth| *worth = worth.if_within(left));
                }
            }
        }
        let quiet = Leads::new(tables, set, metric, !side)?;
        let values = tables.values(set, metric, side)?;
        Ok(Some(LeftOut { sweep, boards, quiet, captures, values }))
    }

    /// The most memory that working out a side of a set takes, in bytes.
    pub(crate) fn memory(set: Material, side: Color) -> u64 {
        let layout = Layout::new(set);
        let kept = |layout: &Layout| KeptSlabs::<Worth>::most_bytes(layout.slab_len(), layout.slabs());
        let captures = Sweep::new(&layout, side)
            .map_or(0, |sweep| sweep.captures().iter().map(|capture| kept(&Layout::new(capture.child()))).sum());
        kept(&layout) + captures
    }

    /// The codes of a slab. Those of what is no legal position mean nothing.
    pub(crate) fn read_slab(&self, tables: &dyn Children, slab: usize, codes: &mut Vec<u16>) -> Result<(), BuildError> {
        let layout = self.boards.layout();
        let side = self.sweep.mover();
        let mut best = vec![Worth::NONE; layout.slab_len() as usize];
        self.sweep.slab(slab, &mut best, |after, slab| match after {
            After::Quiet => self.quiet.slab(tables, slab),
            After::Capture(at) => self.captures[at].slab(tables, slab),
        })?;
        codes.clear();
        codes.resize(best.len(), 0);
        // Neighbours are mostly worth the same.
        let mut last = (Worth::NONE, 0);
        self.boards.each_legal(slab, side, |offset| {
            let worth = match best[offset] {
                Worth::NONE if layout.board_at(slab, offset as u64).is_some_and(|board| board.is_attacked(side)) => {
                    Worth::MATED
                }
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
    fn new(tables: &dyn Children, set: Material, metric: Metric, turn: Color) -> Result<Leads, BuildError> {
        let layout = Layout::new(set);
        let boards = last_boards(&layout).ok_or(BuildError::MissingChild { child: set, metric })?;
        let worth = tables.values(set, metric, turn)?.into_iter().map(Worth::before).collect();
        Ok(Leads { set, metric, turn, boards, worth, kept: KeptSlabs::new(layout.slab_len()) })
    }

    /// What each cell of a slab is worth to the side that moves there.
    fn slab(&self, tables: &dyn Children, slab: usize) -> Result<SharedSlab<Worth>, BuildError> {
        self.kept.get(slab, || {
            let mut codes = Vec::new();
            tables.read_slab(self.set, self.metric, self.turn, slab, &mut codes)?;
            let mut cells = vec![Worth::NONE; codes.len()];
            self.boards.each_legal(slab, self.turn, |offset| cells[offset] = self.worth[usize::from(codes[offset])]);
            Ok(cells)
        })
    }
}

/// A slab's boards, by which legal positions are told: on the last axis a row is in one place.
fn last_boards(layout: &Layout) -> Option<Boards> {
    Boards::new(layout.clone(), layout.axes().len().checked_sub(1)?)
}

/// The moves that the count leaves which a capture starts, if it bares the opponent.
fn left_after_baring(set: Material, capture: &Capture, rules: &CountingRules) -> Option<u32> {
    let captured = capture.captured();
    set.side(captured.color).without(captured.role).filter(|left| left.is_bare())?;
    let mover = set.side(!captured.color);
    Some(rules.moves_after_baring(set.men() as u32 - 1, |role: Role| mover.count(role)))
}
