//! The tables of a material that follow from its distances: WDL and search.

use makruk_tables::format::{FileTable, Listed, Sample, Storage, ValueList};
use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::{ByColor, Color, CountRule, Role, ToMove};
use makruk_tables::tablebase::{SideSource, TableId};
use makruk_tables::value::{Bounds, Distances, Metric, MovesLeft, Score, Wdl};

use crate::built::WrittenTable;
use crate::error::BuildError;
use crate::solve::file_order::Encoder;
use crate::write::{Output, Slabs, Source};

/// Whether the WDL table holds a side. It omits the side if the distances omit it and the WDL values can be derived from the moves.
pub(crate) fn stores(dtm: &FileTable, conversions: &ValueList, left: MovesLeft, layout: &Layout, side: Color) -> bool {
    dtm.storage(side) != Storage::Absent || !left.follow(layout.material(), conversions.values())
}

/// The solutions of a material that are still in memory.
#[derive(Clone, Copy, Default)]
pub(crate) struct JustSolved<'a> {
    pub mates: Option<&'a Encoder<'a>>,
    pub conversions: Option<&'a Encoder<'a>>,
}

/// The tables of distances of a material, from which other tables follow.
struct DistanceTables<'a> {
    output: &'a Output<'a>,
    dtm: FileTable,
    dtz: Option<FileTable>,
    left: MovesLeft,
}

impl<'a> DistanceTables<'a> {
    /// The tables of a material that are in the folder.
    fn open(output: &'a Output<'a>) -> Result<DistanceTables<'a>, BuildError> {
        let Output { folder, layout, options, .. } = *output;
        let material = layout.material();
        let open = |metric| folder.open(TableId { material, metric });
        let dtm = open(Metric::Dtm)?;
        let dtz = if material.has_dtz() { Some(open(Metric::Dtz)?) } else { None };
        Ok(DistanceTables { output, dtm, dtz, left: MovesLeft::of(material, &options.rules) })
    }

    fn mates(&self, side: Color) -> &ValueList {
        &self.dtm.spec().values[side]
    }

    fn conversions(&self, side: Color) -> &ValueList {
        &self.dtz.as_ref().unwrap_or(&self.dtm).spec().values[side]
    }

    /// Writes the table with these values. `code` gives the code of a position from its score. Solutions in memory are used
    /// instead of the folder's tables.
    fn write<V: Listed>(
        &self,
        metric: Metric,
        stored: ByColor<bool>,
        values: ByColor<ValueList<V>>,
        code: impl Fn(&ValueList<V>, Score) -> Option<u16>,
        solved: JustSolved<'_>,
        children: &dyn SideSource,
    ) -> Result<WrittenTable, BuildError> {
        let codes = ByColor::from_fn(|side| {
            // A pair of distances that no position has may have no code.
            let code = |distances: Distances| code(&values[side], distances.into()).unwrap_or(0);
            let row = |dtm| self.conversions(side).values().map(move |dtz| Distances { dtm, dtz });
            self.mates(side).values().flat_map(row).map(code).collect()
        });
        let spec = self.output.spec(metric, stored, values);
        let DistanceTables { output, dtm, dtz, .. } = self;
        let slabs = DistanceSlabs { layout: output.layout, dtm, dtz: dtz.as_ref(), solved, children, codes };
        output.write_slabs(spec, None, &slabs)
    }
}

/// Writes the WDL table of a material whose tables of distances are in the folder. Solutions in memory are used instead of them.
pub(crate) fn write_wdl(
    output: &Output<'_>,
    solved: JustSolved<'_>,
    children: &dyn SideSource,
) -> Result<WrittenTable, BuildError> {
    let tables = DistanceTables::open(output)?;
    let left = tables.left;
    let list = |side| ValueList::<Wdl>::of_distances(left, tables.mates(side), tables.conversions(side));
    let values = ByColor { white: list(Color::White)?, black: list(Color::Black)? };
    let stored = ByColor::from_fn(|side| stores(&tables.dtm, tables.conversions(side), left, output.layout, side));
    let code = |list: &ValueList<Wdl>, score| list.code(left.wdl(score));
    tables.write(Metric::Wdl, stored, values, code, solved, children)
}

/// Writes the search table of a material, as [`write_wdl`] does. Any side may be omitted, because its bounds can always be
/// derived from its moves, also where a capture changes the count.
pub(crate) fn write_search(
    output: &Output<'_>,
    solved: JustSolved<'_>,
    children: &dyn SideSource,
) -> Result<WrittenTable, BuildError> {
    let tables = DistanceTables::open(output)?;
    let ends = ByColor::from_fn(|attacker| {
        let wins = tables.conversions(attacker).max_win_plies();
        let losses = tables.conversions(!attacker).max_loss_plies();
        let longest = wins.max(losses).div_ceil(2);
        class_ends(output.layout.material(), longest, tables.left)
    });
    let list = |side: Color| {
        let (dtm, dtz) = (tables.mates(side), tables.conversions(side));
        ValueList::<Bounds>::of_distances(&ends[side], &ends[!side], dtm, dtz)
    };
    let values = ByColor { white: list(Color::White)?, black: list(Color::Black)? };
    let stored = output.options.stored.of_search(output.layout.material());
    tables.write(Metric::Search, stored, values, ValueList::class, solved, children)
}

/// The number of equal parts into which a search table's classes cut the moves. A win often has time, or is short of it, by a
/// few moves: narrow classes decide more counts, and take more bytes. Against a bare king counts run out, so that they help
/// most. If both sides are armed, they help where the longest way is above twice the limit, and where White alone has a rook, so that
/// a short win lasts while the count runs down: games reach such materials with mets, which pawns become, and their tables are small.
/// With a pawn no count runs, and the category needs no distance. Tables of few men are small in any case. `tables/NOTES.md` has the
/// trials.
fn parts(material: Material, moves: u16, longest: u16) -> u16 {
    let rooks = |side| material.side(side).count(Role::Rook);
    let has_rook_and_mets = rooks(Color::White) == 1
        && material.side(Color::White).roles().all(|role| matches!(role, Role::Rook | Role::Met));
    match (material.count_rule(), material.men()) {
        (CountRule::None, _) => 1,
        (CountRule::Board, ..=4) => moves.div_ceil(4).max(2),
        (CountRule::Board, _) if longest > 128 || has_rook_and_mets && rooks(Color::Black) == 0 => 4,
        (CountRule::Board, _) => 2,
        (CountRule::Pieces, ..=4) => moves.div_ceil(2).max(10),
        (CountRule::Pieces, _) => moves.div_ceil(4).max(4),
    }
}

/// The most moves of each class of a material's search table, ascending, for an attacker whose longest way takes `longest` moves.
///
/// A class decides every count except those that leave a number of moves strictly between its ends. The bounds cut into equal
/// parts the moves of the longest way or, if these are fewer, the moves that a count leaves when it begins. The moves that a
/// count leaves when it begins are bounds, too, so that a class decides every position without a count. A range that is derived
/// from captures need not: the classes of the other material end where its own count begins.
fn class_ends(material: Material, longest: u16, left: MovesLeft) -> Vec<u16> {
    let capped = |moves: Option<u32>| moves.map_or(longest, |moves| longest.min(moves.try_into().unwrap_or(u16::MAX)));
    let (attacker, defender) = (capped(left.moves(ToMove::Attacker)), capped(left.moves(ToMove::Defender)));
    let parts = u32::from(parts(material, defender, longest));
    let part = |part: u32| (u32::from(defender) * part).div_ceil(parts) as u16;
    let mut ends: Vec<u16> = (1..=parts).map(part).chain([attacker, longest]).filter(|&end| end > 0).collect();
    ends.sort_unstable();
    ends.dedup();
    ends
}

/// The sources of distances, and the code of each pair of distances.
struct DistanceSlabs<'a> {
    layout: &'a Layout,
    dtm: &'a FileTable,
    dtz: Option<&'a FileTable>,
    solved: JustSolved<'a>,
    children: &'a dyn SideSource,
    /// By DTM code, then DTZ code.
    codes: ByColor<Vec<u16>>,
}

impl Slabs for DistanceSlabs<'_> {
    fn slab(&self, side: Color, slab: usize) -> Result<Sample, BuildError> {
        let DistanceSlabs { dtm, dtz, solved: JustSolved { mates, conversions }, .. } = *self;
        let is_solved = mates.is_some() && (dtz.is_none() || conversions.is_some());
        if dtm.storage(side) == Storage::Absent && !is_solved {
            return self.derived(side, slab);
        }
        let (first, second) = match dtz {
            Some(dtz) if mates.is_none() && conversions.is_none() && dtz.header().reference().is_some() => {
                let (mut first, mut second) = (Vec::new(), Vec::new());
                dtz.slab_code_pairs(side, slab, &mut first, &mut second)?;
                (first, Some(second))
            }
            _ => {
                let conversions = dtz.map(|dtz| Source::new(dtz, conversions).slab(side, slab)).transpose()?;
                (Source::new(dtm, mates).slab(side, slab)?, conversions)
            }
        };
        Ok(self.sample(side, slab, &first, second.as_ref().unwrap_or(&first)))
    }
}

impl DistanceSlabs<'_> {
    /// A slab of a side that the tables of distances omit.
    fn derived(&self, side: Color, slab: usize) -> Result<Sample, BuildError> {
        let read = |metric| {
            let mut codes = Vec::new();
            let id = TableId { material: self.layout.material(), metric };
            self.children.side(id, side)?.slab(slab, &mut codes)?;
            Ok::<_, BuildError>(codes)
        };
        let mates = read(Metric::Dtm)?;
        let conversions = if self.dtz.is_some() { read(Metric::Dtz)? } else { mates.clone() };
        Ok(self.sample(side, slab, &mates, &conversions))
    }

    /// The sample of a slab, from the codes of its distances.
    fn sample(&self, side: Color, slab: usize, mates: &[u16], conversions: &[u16]) -> Sample {
        let codes = &self.codes[side];
        let row = codes.len() / self.dtm.spec().values[side].len();
        let code = |(&mate, &conversion)| codes[usize::from(mate) * row + usize::from(conversion)];
        Sample { slab, codes: mates.iter().zip(conversions).map(code).collect(), reference: None }
    }
}

#[cfg(test)]
mod tests {
    use makruk_tables::rules::CountingRules;

    use super::*;

    #[test]
    fn classes_end_where_counts_begin() {
        let ends = |material: &str, longest| {
            let material = material.parse().unwrap();
            class_ends(material, longest, MovesLeft::of(material, &CountingRules::MAKRUK))
        };
        // 13 moves with the defender to move, 14 with the attacker.
        assert_eq!(ends("KRvK", 16), [2, 3, 4, 6, 7, 8, 10, 11, 12, 13, 14, 16]);
        assert_eq!(ends("KRvK", 4), [1, 2, 3, 4]);
        assert_eq!(ends("KRSMvK", 9), [3, 5, 7, 9]);
        assert_eq!(ends("KNMMvK", 44), [4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44]);
        assert_eq!(ends("KSMvKM", 145), [16, 32, 48, 64, 65, 145]);
        assert_eq!(ends("KSMvKR", 99), [32, 64, 65, 99]);
        assert_eq!(ends("KRNvKS", 37), [19, 37]);
        assert_eq!(ends("KRMvKS", 38), [10, 19, 29, 38]);
        assert_eq!(ends("KRMvKR", 24), [12, 24]);
        assert_eq!(ends("KRvKS", 37), [4, 8, 12, 15, 19, 23, 26, 30, 34, 37]);
        assert_eq!(ends("KNvKN", 0), [0; 0]);
        assert_eq!(ends("KRPvKR", 70), [70]);
    }
}
