//! A side that files omit, derived from the positions that its moves lead to.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use super::error::{Inconsistent, TableError};
use super::side::{ReadCost, SideReader, SideSource};
use super::slab_cache::{SharedSlab, SlabCache};
use crate::format::TableId;
use crate::index::{Layout, Stripes};
use crate::material::{Material, Oriented};
use crate::minimax::{After, SlabMinimax, minimax_dtm, minimax_dtz, minimax_wdl};
use crate::rules::{Color, CountingRules, Position};
use crate::value::{Metric, MovesLeft, Score, Value, Wdl};

/// The table whose side is derived.
pub(super) struct Derivation<'a> {
    pub(super) id: TableId,
    pub(super) side: Color,
    /// The values that the side lists, ascending.
    pub(super) values: Vec<Value>,
    pub(super) rules: &'a CountingRules,
    /// The file, for errors to name.
    pub(super) path: PathBuf,
}

impl Derivation<'_> {
    /// The side, derived from the sides that `source` has: the other side, and those that captures lead to.
    pub(super) fn derive(self, source: &dyn SideSource) -> Result<Arc<dyn SideReader>, TableError> {
        Ok(match self.id.metric {
            // Of a search table that omits the side there are only bounds, which a list of values cannot have.
            Metric::Search => {
                return Err(TableError::Unsupported {
                    id: self.id,
                    path: self.path,
                    source: Inconsistent::OnlyBounds.into(),
                });
            }
            Metric::Dtm | Metric::Dtz => Arc::new(DerivedSide::<Score>::new(self, source)?),
            Metric::Wdl => Arc::new(DerivedSide::<Option<Wdl>>::new(self, source)?),
        })
    }
}

/// The outcome of a position as minimax compares it: the better, the higher.
trait Outcome: Copy + Ord + fmt::Debug + Send + Sync + 'static {
    /// No legal position, or no move: less than every other outcome.
    const NONE: Self;
    const DRAW: Self;
    const MATED: Self;

    /// The outcome of a move, from the value of the position after it; `None` for a value that the metric does not have.
    fn before(after: Value) -> Option<Self>;

    /// The outcome in DTZ of a capture that bares the opponent and leaves this many moves, this being its outcome in DTM.
    #[must_use]
    fn converted(self, moves_left: u32) -> Self;

    /// The value as a table lists it. Not for [`Outcome::NONE`].
    fn value(self) -> Value;
}

impl Outcome for Score {
    const NONE: Score = Score::NONE;
    const DRAW: Score = Score::DRAW;
    const MATED: Score = Score::MATED;

    fn before(after: Value) -> Option<Score> {
        Some(Score::before(after))
    }

    fn converted(self, moves_left: u32) -> Score {
        self.if_within(moves_left)
    }

    fn value(self) -> Value {
        Score::value(self)
    }
}

impl Outcome for Option<Wdl> {
    const NONE: Option<Wdl> = None;
    const DRAW: Option<Wdl> = Some(Wdl::Draw);
    const MATED: Option<Wdl> = Some(Wdl::Loss);

    fn before(after: Value) -> Option<Option<Wdl>> {
        Wdl::from_value(after).map(|wdl| Some(wdl.one_ply_earlier()))
    }

    /// The table that the capture leads to knows the count that the capture starts.
    fn converted(self, _: u32) -> Option<Wdl> {
        self
    }

    fn value(self) -> Value {
        self.unwrap_or(Wdl::Draw).to_value()
    }
}

/// One side of a material under a metric, as the best of its moves.
struct DerivedSide<T> {
    id: TableId,
    side: Color,
    values: Vec<Value>,
    rules: CountingRules,
    path: PathBuf,
    stripes: Stripes,
    /// Whole slabs at a time; `None` if the side has a rook or can take the last piece, so that slabs are derived one
    /// position at a time.
    minimax: Option<SlabMinimax>,
    /// The side that quiet moves lead to.
    quiet: Lead<T>,
    /// The sides that captures lead to, two bare kings left out, in the order of [`SlabMinimax::captures`] if there is a
    /// sweep.
    captures: Vec<Lead<T>>,
}

/// A side that moves lead to.
#[derive(Debug)]
struct Lead<T> {
    material: Material,
    reader: Arc<dyn SideReader>,
    turn: Color,
    stripes: Stripes,
    /// By code, the outcome of a move to a position with that code.
    outcomes: Vec<T>,
    cache: SlabCache<T>,
}

impl<T: Outcome> DerivedSide<T> {
    fn new(derivation: Derivation<'_>, source: &dyn SideSource) -> Result<DerivedSide<T>, TableError> {
        let Derivation { id, side, values, rules, path } = derivation;
        let layout = Layout::new(id.material);
        let bare_kings = || TableError::Corrupt { id, path: path.clone(), source: Inconsistent::BareKings.into() };
        let stripes = Stripes::of_last_axis(layout.clone()).ok_or_else(bare_kings)?;
        let quiet = Lead::new(source, stripes.clone(), id.metric, !side, &path)?;
        let mut captures = Vec::new();
        for axis in layout.axes().iter().filter(|axis| axis.piece.color != side) {
            let Some(Oriented { material, orientation }) = id.material.without(axis.piece) else { continue };
            let Some(stripes) = Stripes::of_last_axis(Layout::new(material)) else { continue };
            let mut lead = Lead::<T>::new(source, stripes, id.metric, orientation.color(axis.piece.color), &path)?;
            if id.metric == Metric::Dtz
                && let Some(left) = MovesLeft::after_baring(id.material, axis.piece, rules)
            {
                lead.outcomes.iter_mut().for_each(|outcome| *outcome = outcome.converted(left));
            }
            captures.push(lead);
        }
        let minimax = SlabMinimax::new(&layout, side);
        Ok(DerivedSide { id, side, values, rules: rules.clone(), path, stripes, minimax, quiet, captures })
    }

    #[cold]
    fn inconsistent(&self, problem: Inconsistent) -> TableError {
        TableError::Corrupt { id: self.id, path: self.path.clone(), source: problem.into() }
    }

    /// The code of a derived value.
    fn code(&self, value: Value) -> Result<u16, TableError> {
        let not_listed = |_| self.inconsistent(Inconsistent::NotListed { side: self.side, value });
        self.values.binary_search(&value).map(|at| at as u16).map_err(not_listed)
    }

    /// The value of the position after a move.
    fn after(&self, after: &Position) -> Result<Value, TableError> {
        let material = Material::of(after.board())?.material;
        let mut leads = std::iter::once(&self.quiet).chain(&self.captures);
        match leads.find(|lead| lead.material == material) {
            Some(lead) => lead.reader.value(after),
            None => Err(self.no_place(after)),
        }
    }

    fn wdl_after(&self, after: &Position) -> Result<Wdl, TableError> {
        let value = self.after(after)?;
        let no_category = || self.inconsistent(Inconsistent::NoCategory { side: self.side, value });
        Wdl::from_value(value).ok_or_else(no_category)
    }

    fn no_place(&self, position: &Position) -> TableError {
        self.inconsistent(Inconsistent::NoPlace { side: self.side, position: format!("{position:?}") })
    }

    /// A slab's codes by whole slabs.
    fn slab_at_once(&self, minimax: &SlabMinimax, slab: usize, codes: &mut [u16]) -> Result<(), TableError> {
        let mut best = vec![T::NONE; codes.len()];
        minimax.slab(slab, &mut best, |after, slab| match after {
            After::Quiet => self.quiet.slab(slab),
            After::Capture(at) => self.captures[at].slab(slab),
        })?;
        // Neighbours mostly have the same value.
        let mut last = None;
        self.each_legal(slab, |offset| {
            let outcome = match best[offset] {
                outcome if outcome != T::NONE => outcome,
                _ if minimax.is_mate(slab, offset) => T::MATED,
                _ => T::DRAW,
            };
            codes[offset] = match last {
                Some((known, code)) if known == outcome => code,
                _ => {
                    let code = self.code(outcome.value())?;
                    last = Some((outcome, code));
                    code
                }
            };
            Ok(())
        })
    }

    /// A slab's codes one position at a time.
    fn slab_by_positions(&self, slab: usize, codes: &mut [u16]) -> Result<(), TableError> {
        let layout = self.stripes.layout();
        let start = slab as u64 * layout.slab_len();
        self.each_legal(slab, |offset| {
            if let Some(position) = layout.position_at(self.side, start + offset as u64) {
                codes[offset] = self.code(self.value(&position)?)?;
            }
            Ok(())
        })
    }

    /// Calls `visit` with each legal position of a slab, up to the first error.
    fn each_legal(
        &self,
        slab: usize,
        mut visit: impl FnMut(usize) -> Result<(), TableError>,
    ) -> Result<(), TableError> {
        let mut result = Ok(());
        self.stripes.for_each_legal(slab, self.side, |offset| {
            if result.is_ok() {
                result = visit(offset);
            }
        });
        result
    }
}

impl<T: Outcome> SideReader for DerivedSide<T> {
    fn values(&self) -> &[Value] {
        &self.values
    }

    fn slab(&self, slab: usize, codes: &mut Vec<u16>) -> Result<(), TableError> {
        codes.clear();
        codes.resize(self.stripes.layout().slab_len() as usize, 0);
        match &self.minimax {
            Some(minimax) => self.slab_at_once(minimax, slab, codes),
            None => self.slab_by_positions(slab, codes),
        }
    }

    fn value(&self, position: &Position) -> Result<Value, TableError> {
        let Oriented { material, orientation } = Material::of(position.board())?;
        if material != self.id.material || orientation.color(position.turn()) != self.side {
            return Err(self.no_place(position));
        }
        let value = match self.id.metric {
            Metric::Dtm => minimax_dtm(position, |after| self.after(after))?,
            Metric::Dtz => minimax_dtz(position, &self.rules, |after, _| self.after(after))?,
            Metric::Wdl => minimax_wdl(position, |after| self.wdl_after(after))?.to_value(),
            Metric::Search => return Err(self.no_place(position)),
        };
        self.code(value)?;
        Ok(value)
    }

    fn read_cost(&self) -> ReadCost {
        ReadCost::Derive
    }
}

impl<T: Outcome> Lead<T> {
    /// The side to move `turn` of a material under a metric, or under DTM where that serves as DTZ.
    fn new(
        source: &dyn SideSource,
        stripes: Stripes,
        metric: Metric,
        turn: Color,
        path: &std::path::Path,
    ) -> Result<Lead<T>, TableError> {
        let material = stripes.layout().material();
        let id = TableId::of(material, metric);
        let reader = source.side(id, turn)?;
        let outcome = |&value: &Value| {
            let source = Inconsistent::NoCategory { side: turn, value };
            T::before(value).ok_or_else(|| TableError::Corrupt { id, path: path.to_owned(), source: source.into() })
        };
        let outcomes = reader.values().iter().map(outcome).collect::<Result<_, _>>()?;
        let cache = SlabCache::new(stripes.layout().slab_len());
        Ok(Lead { material, reader, turn, stripes, outcomes, cache })
    }

    /// The outcomes of moves that lead to a slab's positions.
    fn slab(&self, slab: usize) -> Result<SharedSlab<T>, TableError> {
        self.cache.get(slab, || {
            let mut codes = Vec::new();
            self.reader.slab(slab, &mut codes)?;
            let mut cells = vec![T::NONE; codes.len()];
            self.stripes
                .for_each_legal(slab, self.turn, |offset| cells[offset] = self.outcomes[usize::from(codes[offset])]);
            Ok(cells)
        })
    }
}

impl<T> fmt::Debug for DerivedSide<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DerivedSide").field("id", &self.id).field("side", &self.side).finish_non_exhaustive()
    }
}

/// The most memory that deriving the slabs of a side takes, in bytes; those of sides that it is derived from not counted.
pub fn derived_side_bytes(material: Material, side: Color) -> u64 {
    let layout = Layout::new(material);
    let cached = |layout: &Layout| SlabCache::<Score>::most_bytes(layout.slab_len(), layout.slabs());
    let captures = SlabMinimax::new(&layout, side)
        .map_or(0, |minimax| minimax.captures().iter().map(|capture| cached(capture.boards().layout())).sum());
    cached(&layout) + captures
}
