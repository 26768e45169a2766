//! A side that files omit, derived from the positions that its moves lead to.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::error::{NoValue, NotListed, TableError};
use super::lead_slabs::{LeadSlab, LeadSlabs, Rank};
use super::side::{ReadCost, SideReader, SideSource};
use super::slab_cache::SharedSlab;
use super::tablebase::Tablebase;
use crate::format::{AnyValue, TableId};
use crate::index::{Layout, SlabPart, Stripes};
use crate::material::{Material, Oriented};
use crate::minimax::{After, SlabMinimax, minimax};
use crate::value::{MovesLeft, TableValue};
use makruk_rules::{Color, CountingRules, Position};

/// No legal position, or no move: less than every rank.
const NONE: Rank = 0;

/// One side of a material under a metric, as the best of its moves.
pub(super) struct DerivedSide<V> {
    id: TableId,
    side: Color,
    /// The values of the codes.
    values: Vec<V>,
    /// The values that moves of the side may have, from the worst to the best, and the code of each, if the table lists
    /// it.
    ranked: Vec<(V, Option<u16>)>,
    /// The rules of counts, if the metric knows counts.
    rules: Option<CountingRules>,
    /// The file, for errors to name.
    path: PathBuf,
    stripes: Stripes,
    /// Whole slabs at a time; `None` if the side can take the last piece, so that slabs are derived one
    /// position at a time.
    minimax: Option<SlabMinimax>,
    /// The side that quiet moves lead to.
    quiet: Lead<V>,
    /// The sides that exits lead to, two bare kings left out, in the order of [`SlabMinimax::exits`].
    exits: Vec<Lead<V>>,
    /// The tablebase's, with slabs of these sides among others.
    slabs: Arc<LeadSlabs>,
}

/// A side that moves lead to.
struct Lead<V> {
    reader: Arc<dyn SideReader<V>>,
    turn: Color,
    stripes: Stripes,
    /// By code, the rank of a move to a position with that code.
    ranks: Vec<Rank>,
    /// Its number, in the keys of its slabs.
    number: u64,
}

/// The number of the next lead.
static NEXT_LEAD: AtomicU64 = AtomicU64::new(0);

impl<V: TableValue + Into<AnyValue> + Ord> DerivedSide<V> {
    /// The side of a table, derived from the other side and those that exits lead to. If the values that the table
    /// lists for it are given, any other is an error.
    pub(super) fn new(
        tablebase: &Tablebase,
        id: TableId,
        side: Color,
        listed: Option<Vec<V>>,
    ) -> Result<DerivedSide<V>, TableError>
    where
        Tablebase: SideSource<V>,
    {
        let (path, rules) = (tablebase.path_of(id), tablebase.rules_of(id.metric));
        let layout = Layout::new(id.material);
        let bare_kings = || TableError::Misuse { id, path: path.clone(), source: NoValue::BareKings.into() };
        let stripes = Stripes::of_last_axis(layout.clone()).ok_or_else(bare_kings)?;
        // The side to move of a material, with the values of moves that lead there; some begin a count.
        let lead = |stripes: Stripes, turn: Color, begun: Option<MovesLeft>| -> Result<_, TableError> {
            let source: &dyn SideSource<V> = tablebase;
            let reader = source.side(TableId::of(stripes.layout().material(), id.metric), turn)?;
            let outcomes: Vec<V> = reader.values().iter().map(|value| value.before_move(begun)).collect();
            let number = NEXT_LEAD.fetch_add(1, Ordering::Relaxed);
            Ok((Lead { reader, turn, stripes, ranks: Vec::new(), number }, outcomes))
        };
        let mut leads = vec![lead(stripes.clone(), !side, None)?];
        for exit in id.material.exits(side) {
            if let Some(stripes) = Stripes::of_last_axis(Layout::new(exit.child.material)) {
                leads.push(lead(stripes, exit.turn(), rules.and_then(|rules| MovesLeft::begun_by(&exit, rules)))?);
            }
        }
        let mut possible: Vec<V> = leads.iter().flat_map(|(_, outcomes)| outcomes.iter().copied()).collect();
        possible.extend([V::DRAW, V::MATED]);
        possible.sort_unstable();
        possible.dedup();
        let values = listed.unwrap_or_else(|| possible.clone());
        let code = |value| values.iter().position(|&listed| listed == value).map(|at| at as u16);
        let ranked: Vec<(V, Option<u16>)> = possible.into_iter().map(|value| (value, code(value))).collect();
        let mut leads = leads.into_iter().map(|(lead, outcomes)| Lead {
            ranks: outcomes.into_iter().map(|value| rank(&ranked, value)).collect(),
            ..lead
        });
        let quiet = leads.next().ok_or_else(bare_kings)?;
        let exits = leads.collect();
        let minimax = SlabMinimax::new(&layout, side);
        let (rules, slabs) = (rules.cloned(), Arc::clone(tablebase.lead_slabs()));
        Ok(DerivedSide { id, side, values, ranked, rules, path, stripes, minimax, quiet, exits, slabs })
    }

    /// The code of a derived value.
    fn code(&self, rank: Rank) -> Result<u16, TableError> {
        let (value, code) = self.ranked[usize::from(rank) - 1];
        code.ok_or_else(|| {
            let source = NotListed { side: self.side, value: value.into() }.into();
            TableError::Corrupt { id: self.id, path: self.path.clone(), source }
        })
    }

    #[cold]
    fn no_place(&self, position: &Position) -> TableError {
        let source = NoValue::NoPlace { side: self.side, position: format!("{position:?}") }.into();
        TableError::Misuse { id: self.id, path: self.path.clone(), source }
    }

    /// The value of a position of the side, and its code.
    fn value_and_code(&self, position: &Position) -> Result<(V, u16), TableError> {
        let value = minimax(position, self.rules.as_ref(), |after| {
            let material = Material::of(after.board())?.material;
            match self.leads().find(|lead| lead.stripes.layout().material() == material) {
                Some(lead) => lead.reader.value(after),
                None => Err(self.no_place(after)),
            }
        })?;
        Ok((value, self.code(rank(&self.ranked, value))?))
    }

    /// The codes of a slab, or of a part of it.
    fn codes(&self, slab: usize, part: Option<SlabPart>, codes: &mut Vec<u16>) -> Result<(), TableError> {
        codes.clear();
        codes.resize(self.stripes.layout().slab_len() as usize, 0);
        match &self.minimax {
            Some(minimax) => self.slab_at_once(minimax, slab, part, codes),
            None => self.slab_by_positions(slab, part, codes),
        }
    }

    /// The codes of a slab by whole slabs.
    fn slab_at_once(
        &self,
        minimax: &SlabMinimax,
        slab: usize,
        part: Option<SlabPart>,
        codes: &mut [u16],
    ) -> Result<(), TableError> {
        let in_part = part.and_then(|part| minimax.in_part(part));
        let minimax = in_part.as_ref().unwrap_or(minimax);
        let mut best = vec![NONE; codes.len()];
        minimax.slab(slab, &mut best, |after, slab, part| match after {
            After::Quiet => self.quiet.slab(&self.slabs, slab, part),
            After::Exit(at) => self.exits[at].slab(&self.slabs, slab, part),
        })?;
        let (mated, drawn) = (rank(&self.ranked, V::MATED), rank(&self.ranked, V::DRAW));
        self.each_legal(slab, part, |offset| {
            let rank = match best[offset] {
                NONE if minimax.is_mate(slab, offset) => mated,
                NONE => drawn,
                rank => rank,
            };
            codes[offset] = self.code(rank)?;
            Ok(())
        })
    }

    /// The codes of a slab one position at a time.
    fn slab_by_positions(&self, slab: usize, part: Option<SlabPart>, codes: &mut [u16]) -> Result<(), TableError> {
        let layout = self.stripes.layout();
        let start = slab as u64 * layout.slab_len();
        self.each_legal(slab, part, |offset| {
            if let Some(position) = layout.position_at(self.side, start + offset as u64) {
                codes[offset] = self.value_and_code(&position)?.1;
            }
            Ok(())
        })
    }

    /// Calls `visit` with each legal position of a slab, or of a part of it, up to the first error.
    fn each_legal(
        &self,
        slab: usize,
        part: Option<SlabPart>,
        mut visit: impl FnMut(usize) -> Result<(), TableError>,
    ) -> Result<(), TableError> {
        let mut result = Ok(());
        self.stripes.for_each_legal(slab, part, self.side, |offset| {
            if result.is_ok() {
                result = visit(offset);
            }
        });
        result
    }
}

/// The rank of a value that moves may have.
fn rank<V: Ord>(ranked: &[(V, Option<u16>)], value: V) -> Rank {
    ranked.binary_search_by(|(known, _)| known.cmp(&value)).map_or(NONE, |at| at as Rank + 1)
}

impl<V: TableValue + Into<AnyValue> + Ord> SideReader<V> for DerivedSide<V> {
    fn values(&self) -> &[V] {
        &self.values
    }

    fn slab(&self, slab: usize, codes: &mut Vec<u16>) -> Result<(), TableError> {
        self.codes(slab, None, codes)
    }

    fn part(&self, slab: usize, part: SlabPart, codes: &mut Vec<u16>) -> Result<(), TableError> {
        self.codes(slab, Some(part), codes)
    }

    fn has_cheap_parts(&self, _: usize) -> bool {
        true
    }

    fn value(&self, position: &Position) -> Result<V, TableError> {
        let Oriented { material, orientation } = Material::of(position.board())?;
        if material != self.id.material || orientation.color(position.turn()) != self.side {
            return Err(self.no_place(position));
        }
        Ok(self.value_and_code(position)?.0)
    }

    fn read_cost(&self) -> ReadCost {
        ReadCost::Derive
    }
}

impl<V> DerivedSide<V> {
    /// The sides that moves lead to.
    fn leads(&self) -> impl Iterator<Item = &Lead<V>> {
        std::iter::once(&self.quiet).chain(&self.exits)
    }
}

impl<V> Lead<V> {
    /// The ranks of moves that lead to the positions of a slab, or of a part of it at least.
    fn slab(&self, slabs: &LeadSlabs, slab: usize, part: Option<SlabPart>) -> Result<SharedSlab<Rank>, TableError> {
        // Where a part costs as much as the slab, the slab serves other parts, too.
        let part = part.filter(|part| self.reader.has_cheap_parts(part.axis));
        let key = LeadSlab { lead: self.number, slab, part };
        slabs.get(key, self.stripes.layout().slab_len(), || {
            let mut codes = Vec::new();
            match part {
                Some(part) => self.reader.part(slab, part, &mut codes)?,
                None => self.reader.slab(slab, &mut codes)?,
            }
            let mut cells = vec![NONE; codes.len()];
            let fill = |offset: usize| cells[offset] = self.ranks[usize::from(codes[offset])];
            self.stripes.for_each_legal(slab, part, self.turn, fill);
            Ok(cells)
        })
    }
}

impl<V> Drop for DerivedSide<V> {
    fn drop(&mut self) {
        let is_own = |key: &LeadSlab| self.leads().any(|lead| lead.number == key.lead);
        self.slabs.drop_slabs(is_own);
    }
}

impl<V> fmt::Debug for DerivedSide<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DerivedSide").field("id", &self.id).field("side", &self.side).finish_non_exhaustive()
    }
}

/// The cache size in bytes beyond which deriving a side gets no faster, if the tablebase may [take
/// it](super::TablebaseBuilder::derived_bytes). The sides that it is derived from have their own.
pub fn derived_side_bytes(material: Material, side: Color) -> u64 {
    let usual = |material: Material| {
        let layout = Layout::new(material);
        LeadSlabs::usual_bytes(layout.slab_len(), layout.slabs())
    };
    let by_slabs = SlabMinimax::takes(material, side);
    let exits = material.exits(side).filter(|_| by_slabs).map(|exit| usual(exit.child.material));
    usual(material) + exits.sum::<u64>()
}
