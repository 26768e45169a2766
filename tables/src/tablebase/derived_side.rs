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
use crate::minimax::{Lead, SlabMinimax};
use makruk_format::index::{Layout, SlabPart, Stripes};
use makruk_format::material::Material;
use makruk_format::value::{MovesLeft, TableValue};
use makruk_format::{AnyValue, TableId};
use makruk_rules::Color;

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
    /// The file, for errors to name.
    path: PathBuf,
    stripes: Stripes,
    minimax: SlabMinimax,
    /// The sides that moves lead to, in the order of [`SlabMinimax::leads`].
    leads: Vec<LeadSide<V>>,
    /// The tablebase's, with slabs of these sides among others.
    slabs: Arc<LeadSlabs>,
}

/// A side that moves lead to.
struct LeadSide<V> {
    /// The side's positions and values; `None` for two bare kings, which draw.
    source: Option<(Stripes, Arc<dyn SideReader<V>>)>,
    turn: Color,
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
        let path = tablebase.path_of(id);
        let layout = Layout::new(id.material);
        let (Some(minimax), Some(stripes)) = (SlabMinimax::new(&layout, side), Stripes::of_last_axis(layout)) else {
            return Err(TableError::Misuse { id, path, source: NoValue::BareKings.into() });
        };
        let source: &dyn SideSource<V> = tablebase;
        let rules = tablebase.rules_of(id.metric);
        // The sides that moves lead to, each with the values of these moves.
        let mut sides = Vec::new();
        for Lead { exit, layout } in minimax.leads() {
            let turn = exit.map_or(!side, |exit| exit.turn());
            let Some(stripes) = Stripes::of_last_axis(layout.clone()) else {
                sides.push((None, turn, vec![V::DRAW]));
                continue;
            };
            let reader = source.side(TableId::of(layout.material(), id.metric), turn)?;
            let begun = exit.and_then(|exit| MovesLeft::begun_by(&exit, rules?));
            let values = reader.values().iter().map(|value| value.before_move(begun)).collect();
            sides.push((Some((stripes, reader)), turn, values));
        }
        let mut possible: Vec<V> = sides.iter().flat_map(|(.., values)| values.iter().copied()).collect();
        possible.extend([V::DRAW, V::MATED]);
        possible.sort_unstable();
        possible.dedup();
        let values = listed.unwrap_or_else(|| possible.clone());
        let code = |value| values.iter().position(|&listed| listed == value).map(|at| at as u16);
        let ranked: Vec<(V, Option<u16>)> = possible.into_iter().map(|value| (value, code(value))).collect();
        let leads = sides.into_iter().map(|(source, turn, values)| LeadSide {
            source,
            turn,
            ranks: values.into_iter().map(|value| rank(&ranked, value)).collect(),
            number: NEXT_LEAD.fetch_add(1, Ordering::Relaxed),
        });
        let leads = leads.collect();
        let slabs = Arc::clone(tablebase.lead_slabs());
        Ok(DerivedSide { id, side, values, ranked, path, stripes, minimax, leads, slabs })
    }

    /// The code of a derived value.
    fn code(&self, rank: Rank) -> Result<u16, TableError> {
        let (value, code) = self.ranked[usize::from(rank) - 1];
        code.ok_or_else(|| {
            let source = NotListed { side: self.side, value: value.into() }.into();
            TableError::Corrupt { id: self.id, path: self.path.clone(), source }
        })
    }

    /// The codes of a slab, or of a part of it.
    fn codes(&self, slab: usize, part: Option<SlabPart>, codes: &mut Vec<u16>) -> Result<(), TableError> {
        let in_part = part.and_then(|part| self.minimax.in_part(part));
        let minimax = in_part.as_ref().unwrap_or(&self.minimax);
        let mut best = vec![NONE; self.stripes.layout().slab_len() as usize];
        minimax.slab(slab, &mut best, |lead, slab, part| self.leads[lead].slab(&self.slabs, slab, part))?;
        codes.clear();
        codes.resize(best.len(), 0);
        let (mated, drawn) = (rank(&self.ranked, V::MATED), rank(&self.ranked, V::DRAW));
        let mut result = Ok(());
        self.stripes.for_each_legal(slab, part, self.side, |offset| {
            let rank = match best[offset] {
                NONE if minimax.is_mate(slab, offset) => mated,
                NONE => drawn,
                rank => rank,
            };
            if result.is_ok() {
                result = self.code(rank).map(|code| codes[offset] = code);
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

    fn read_cost(&self) -> ReadCost {
        ReadCost::Derive
    }
}

impl<V> LeadSide<V> {
    /// The ranks of moves that lead to the positions of a slab, or of a part of it at least.
    fn slab(&self, slabs: &LeadSlabs, slab: usize, part: Option<SlabPart>) -> Result<SharedSlab<Rank>, TableError> {
        let Some((stripes, reader)) = &self.source else { return Ok(self.ranks.as_slice().into()) };
        // Where a part costs as much as the slab, the slab serves other parts, too.
        let part = part.filter(|part| reader.has_cheap_parts(part.axis));
        let key = LeadSlab { lead: self.number, slab, part };
        slabs.get(key, stripes.layout().slab_len(), || {
            let mut codes = Vec::new();
            match part {
                Some(part) => reader.part(slab, part, &mut codes)?,
                None => reader.slab(slab, &mut codes)?,
            }
            let mut cells = vec![NONE; codes.len()];
            let fill = |offset: usize| cells[offset] = self.ranks[usize::from(codes[offset])];
            stripes.for_each_legal(slab, part, self.turn, fill);
            Ok(cells)
        })
    }
}

impl<V> Drop for DerivedSide<V> {
    fn drop(&mut self) {
        let is_own = |key: &LeadSlab| self.leads.iter().any(|lead| lead.number == key.lead);
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
    usual(material) + material.exits(side).map(|exit| usual(exit.child.material)).sum::<u64>()
}
