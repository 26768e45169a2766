//! Exit seeds: the positions that captures and promotions into other materials decide.
//!
//! A cell in which a man of the moving side shares a square with an enemy man is not a position. The solver lets it
//! stand for the position after that capture: the taken man's axis points at the square on which he was taken. Likewise
//! a cell in which a pawn is on its promotion rank stands for the position after the promotion. If the pawn shares that
//! square with an enemy man, it is the position after a capture that promotes. So the set of positions that moves lead
//! into holds exits in those cells, and the kernels need no code for them. The tables of the children decide these
//! cells: each slab has, for every attacker and distance, a list of the cells that are decided for him at it. A cell is
//! decided for one attacker at most.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrayvec::ArrayVec;
use makruk_format::FormatError;
use makruk_format::index::{ExitMap, Layout, MAX_AXES, Pair, Region, SlabMap, SlabPart, Symmetry};
use makruk_rules::{Bitboard, Color, CountingRules, Piece, Square};
use makruk_tables::material::{Exit, Material};
use makruk_tables::tablebase::{SideReader, SideSource, TableId};
use makruk_tables::value::{Metric, MovesLeft, TableValue, Value};

use crate::error::BuildError;
use crate::parallel::try_map;
use crate::progress::Progress;
use crate::solve::bitset::Seed;
use crate::solve::geometry::Geometry;
use crate::solve::kernel::{Kernel, widest};
use crate::solve::legality::{ExitMen, RowLegality};
use crate::solve::work_store::{Blob, WorkStore};

/// For whom an exit is decided, and in how many of his moves: twice these, and one more if Black attacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Decision(u16);

impl Decision {
    /// Not decided. No distance is as large: moves have two plies, and plies fit as many bits.
    const NONE: Decision = Decision(u16::MAX);

    fn of(attacker: Color, moves: u16) -> Decision {
        Decision(2 * moves + u16::from(attacker == Color::Black))
    }

    fn attacker(self) -> Color {
        if self.0.is_multiple_of(2) { Color::White } else { Color::Black }
    }

    fn moves(self) -> u16 {
        self.0 / 2
    }
}

/// The exits of a slab that are decided: for each decision that occurs, ascending, the cells in the slab.
type SlabSeeds = Vec<(Decision, Blob)>;

/// Sorts a slab's cells by their decisions.
fn by_decision(found: &[(Decision, u32)], store: &WorkStore) -> Result<SlabSeeds, FormatError> {
    let mut counts: Vec<usize> = Vec::new();
    for &(Decision(number), _) in found {
        let number = usize::from(number);
        if counts.len() <= number {
            counts.resize(number + 1, 0);
        }
        counts[number] += 1;
    }
    let mut cells: Vec<Vec<u8>> = counts.into_iter().map(|count| Vec::with_capacity(4 * count)).collect();
    for &(Decision(number), cell) in found {
        cells[usize::from(number)].extend_from_slice(&cell.to_le_bytes());
    }
    let decided = (0u16..).zip(cells).filter(|(_, cells)| !cells.is_empty());
    decided.map(|(number, cells)| Ok((Decision(number), store.keep(cells)?))).collect()
}

/// The exits of a material by one side that are decided, slab by slab.
#[derive(Debug)]
pub(crate) struct ExitSeeds {
    store: WorkStore,
    slabs: Vec<SlabSeeds>,
}

/// The bytes of an exit found, with its decision.
pub(crate) const DECIDED_BYTES: u64 = size_of::<(Decision, u32)>() as u64;

/// The bytes that each position of a child's slab takes: its code, then its decision.
pub(crate) const CHILD_CELL_BYTES: u64 = 2 * size_of::<u16>() as u64;

impl ExitSeeds {
    /// The bytes of a seed: its bit's number in the slab.
    pub(crate) const SEED_BYTES: u64 = size_of::<Seed>() as u64;

    /// The cells of a slab that are decided for an attacker in exactly `moves` moves, in place or through `buffer`.
    pub(crate) fn at<'a>(
        &'a self,
        slab: usize,
        (attacker, moves): (Color, u16),
        buffer: &'a mut Vec<u8>,
    ) -> Result<&'a [Seed], FormatError> {
        let seeds = &self.slabs[slab];
        let wanted = Decision::of(attacker, moves);
        let Ok(found) = seeds.binary_search_by_key(&wanted, |&(decision, _)| decision) else { return Ok(&[]) };
        Ok(self.store.read(&seeds[found].1, buffer)?.as_chunks().0)
    }

    /// An attacker's largest distance in moves; 0 if nothing is decided for him.
    pub(crate) fn longest(&self, attacker: Color) -> u16 {
        let last = |seeds: &SlabSeeds| {
            let of_attacker = seeds.iter().rev().find(|(decision, _)| decision.attacker() == attacker);
            of_attacker.map_or(0, |(decision, _)| decision.moves())
        };
        self.slabs.iter().map(last).max().unwrap_or(0)
    }
}

/// An exit to a material that has a table.
struct TableExit {
    exit: Exit,
    layout: Layout,
    /// The place of each cell of the child in the file's order.
    offsets: Vec<u32>,
    /// The men that make it: of like men, each one.
    men: Vec<(ExitMen, ManShifts)>,
}

/// For each man of the parent, the shift of its square in the child's cell; the taken man has none.
type ManShifts = ArrayVec<Option<u32>, MAX_AXES>;

impl TableExit {
    /// The exits that `mover` can make from a material. Two bare kings have no table.
    fn all(geometry: &Geometry, mover: Color) -> Vec<TableExit> {
        let exits = geometry.layout().material().exits(mover);
        exits
            .filter(|exit| exit.child.material != Material::BARE_KINGS)
            .map(|exit| TableExit::new(geometry, exit))
            .collect()
    }

    fn new(geometry: &Geometry, exit: Exit) -> TableExit {
        let layout = Layout::new(exit.child.material);
        let map = ExitMap { layout: &layout, orientation: exit.child.orientation };
        let last = layout.men().count() - 1;
        let shifts = |men: ExitMen| {
            let places = map.men(geometry.men(), men.taken, men.promoted);
            (men, places.iter().map(|place| place.map(|place| 6 * (last - place) as u32)).collect())
        };
        let men = ExitMen::of(geometry, &exit).into_iter().map(shifts).collect();
        TableExit { offsets: cell_offsets(&layout), men, layout, exit }
    }

    /// The map into the child's slab that places of the kings lead to.
    fn slab_after(&self, kings: Pair) -> SlabMap<'_> {
        let map = ExitMap { layout: &self.layout, orientation: self.exit.child.orientation };
        map.slab(kings).expect("a slab's kings are apart")
    }
}

/// The place of each cell of a child's slab in the file's order. Cells are as the solver lays them out: an axis of 64
/// squares for each man. Cells in which like men share a square or a pawn is where none may stand have no place.
fn cell_offsets(layout: &Layout) -> Vec<u32> {
    let men: ArrayVec<Piece, MAX_AXES> = layout.men().collect();
    (0..1u64 << (6 * men.len()))
        .map(|cell| {
            let square = |axis| Square::new((cell >> (6 * (men.len() - 1 - axis)) & 63) as u8);
            let squares: ArrayVec<Square, MAX_AXES> = (0..men.len()).map(square).collect();
            let shared = (1..men.len()).any(|b| (0..b).any(|a| men[a] == men[b] && squares[a] == squares[b]));
            let outside = squares.iter().zip(&men).any(|(&square, &piece)| !Region::of(piece).contains(square));
            if shared || outside { u32::MAX } else { layout.offset(&squares) as u32 }
        })
        .collect()
}

/// An exit that leads to a child in which something is decided.
struct ChildLookup<'a> {
    exit: &'a TableExit,
    /// The child's side to move.
    reader: Arc<dyn SideReader>,
    by_code: Vec<Decision>,
}

impl<'a> ChildLookup<'a> {
    fn new(
        exit: &'a TableExit,
        rule: ExitRule<'_>,
        children: &dyn SideSource,
    ) -> Result<Option<ChildLookup<'a>>, BuildError> {
        let reader = children.side(TableId::of(exit.exit.child.material, rule.metric), exit.exit.turn())?;
        let by_code: Vec<Decision> = reader.values().iter().map(|&value| rule.decision(&exit.exit, value)).collect();
        let decides = by_code.iter().any(|&decision| decision != Decision::NONE);
        Ok(decides.then_some(ChildLookup { exit, reader, by_code }))
    }
}

/// The slab of a child that was read last. Several slabs of the parent may lead to it, if the child has more
/// symmetries.
struct LastSlab<'a> {
    lookup: &'a ChildLookup<'a>,
    slab: Option<usize>,
    /// By the child's offset.
    codes: Vec<u16>,
}

impl<'a> LastSlab<'a> {
    fn none(lookup: &'a ChildLookup<'a>) -> LastSlab<'a> {
        LastSlab { lookup, slab: None, codes: Vec::new() }
    }

    /// Reads the child's slab for these king squares, unless it is the one read last. If the exit promotes, reads only
    /// the part that some placement in `all` needs. `None` if no cell is decided.
    fn read(&mut self, kings: Pair, all: &[Pair]) -> Result<Option<ChildSlab<'_>>, BuildError> {
        let ChildLookup { exit: table_exit, reader, by_code } = self.lookup;
        let TableExit { exit, layout, men, .. } = table_exit;
        let map = table_exit.slab_after(kings);
        let (slab, part) = (map.slab, map.promotion_part(exit));
        if self.slab != Some(slab) {
            match part {
                Some(part) => {
                    let here = all.iter().map(|&kings| table_exit.slab_after(kings)).filter(|map| map.slab == slab);
                    let parts = here.filter_map(|map| map.promotion_part(exit));
                    let squares = parts.fold(part.squares, |squares, part| squares | part.squares);
                    reader.part(slab, SlabPart { squares, ..part }, &mut self.codes)?;
                }
                None => reader.slab(slab, &mut self.codes)?,
            }
            self.slab = Some(slab);
        }
        let decides = |codes: &[u16]| codes.iter().any(|&code| by_code[usize::from(code)] != Decision::NONE);
        let decides_any = match part {
            Some(part) => part.offsets(layout).into_iter().any(|range| decides(&self.codes[range])),
            None => decides(&self.codes),
        };
        if !decides_any {
            return Ok(None);
        }
        let squares: [Square; 64] = std::array::from_fn(|n| map.square(Square::new(n as u8)));
        let part = |shift: &Option<u32>| {
            shift.map_or([0; 64], |shift| std::array::from_fn(|n| u32::from(squares[n].number()) << shift))
        };
        let men = men.iter().map(|(men, shifts)| (*men, shifts.iter().map(part).collect())).collect();
        Ok(Some(ChildSlab { codes: &self.codes, lookup: self.lookup, men }))
    }
}

/// A child's slab, for one slab of the parent.
struct ChildSlab<'a> {
    /// By the child's offset.
    codes: &'a [u16],
    lookup: &'a ChildLookup<'a>,
    /// The men of each exit; for each man of the parent, each square's part of the child's cell.
    men: Vec<(ExitMen, ArrayVec<[u32; 64], MAX_AXES>)>,
}

impl ChildSlab<'_> {
    /// The decision of a cell of the child, like men distinguished.
    #[inline(always)]
    fn decision(&self, cell: u32) -> Decision {
        let offset = self.lookup.exit.offsets[cell as usize];
        self.codes.get(offset as usize).map_or(Decision::NONE, |&code| self.lookup.by_code[usize::from(code)])
    }
}

/// The rule by which a child's value decides an exit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExitRule<'a> {
    /// The metric that is solved.
    pub metric: Metric,
    /// The rules of the count that an exit begins.
    pub rules: &'a CountingRules,
}

impl ExitRule<'_> {
    /// The decision of an exit to a position with this value. If the attacker makes the exit, that move is not among
    /// those of the decision.
    fn decision(&self, exit: &Exit, after: Value) -> Decision {
        // DTM knows no count.
        let begun = MovesLeft::begun_by(exit, self.rules).filter(|_| self.metric != Metric::Dtm);
        match after.before_move(begun) {
            Value::Win(plies) => Decision::of(exit.mover, plies / 2),
            Value::Loss(plies) => Decision::of(!exit.mover, plies / 2),
            Value::Draw => Decision::NONE,
        }
    }
}

/// The slabs that a material's exits are found in at a time: those that lead to one slab of the largest child, which is
/// read once for all of them. If that side of the child is derived, its moves lead to slabs in which the mover's king
/// stands still. So groups with his king on one square follow each other, or on its images by the child's symmetries.
fn groups(geometry: &Geometry, lookups: &[ChildLookup<'_>]) -> Vec<Vec<usize>> {
    let largest =
        lookups.iter().map(|lookup| lookup.exit).max_by_key(|exit| exit.layout.positions().iter().sum::<u64>());
    let mut groups: BTreeMap<(Option<Square>, usize), Vec<usize>> = BTreeMap::new();
    for slab in 0..geometry.slabs() {
        let group = match largest {
            Some(exit) => {
                let child = exit.slab_after(geometry.layout().kings().pair(slab)).slab;
                let still = exit.layout.kings().pair(child)[!exit.exit.turn()];
                let images = Symmetry::of(exit.exit.child.material).transforms().map(|symmetry| symmetry.square(still));
                (images.min(), child)
            }
            None => (None, slab),
        };
        groups.entry(group).or_default().push(slab);
    }
    groups.into_values().collect()
}

/// The number of groups of slabs after which a pass asks whether to continue.
const BATCH_GROUPS: usize = 32;

/// All exits by `mover` that are decided, slab by slab.
pub(crate) fn exit_seeds<const W: usize>(
    geometry: &Geometry,
    mover: Color,
    rule: ExitRule<'_>,
    children: &dyn SideSource,
    store: WorkStore,
    progress: &dyn Progress,
) -> Result<ExitSeeds, BuildError> {
    let exits = TableExit::all(geometry, mover);
    let lookups = exits.iter().map(|exit| ChildLookup::new(exit, rule, children));
    let lookups: Vec<ChildLookup<'_>> = lookups.filter_map(Result::transpose).collect::<Result<_, _>>()?;
    let mut slabs: Vec<SlabSeeds> = (0..geometry.slabs()).map(|_| SlabSeeds::new()).collect();
    let mut done = 0;
    for batch in groups(geometry, &lookups).chunks(BATCH_GROUPS) {
        progress.check()?;
        progress.exits(rule.metric, mover, done, geometry.slabs() as u64);
        let seeds = |group: &Vec<usize>| -> Result<Vec<SlabSeeds>, BuildError> {
            let all: Vec<Pair> = group.iter().map(|&slab| geometry.layout().kings().pair(slab)).collect();
            let mut last: Vec<LastSlab<'_>> = lookups.iter().map(LastSlab::none).collect();
            let seeds = |(&slab, &kings): (&usize, &Pair)| {
                let read = last.iter_mut().map(|last| last.read(kings, &all));
                let children: Vec<ChildSlab<'_>> = read.filter_map(Result::transpose).collect::<Result<_, _>>()?;
                let found = widest(SlabExits::<W> { geometry, slab, mover, children: &children });
                Ok(by_decision(&found, &store)?)
            };
            group.iter().zip(&all).map(seeds).collect()
        };
        for (group, found) in batch.iter().zip(try_map(batch, seeds)?) {
            for (&slab, found) in group.iter().zip(found) {
                slabs[slab] = found;
                done += 1;
            }
        }
    }
    Ok(ExitSeeds { store, slabs })
}

/// The exits of one slab.
struct SlabExits<'a, const W: usize> {
    geometry: &'a Geometry,
    slab: usize,
    mover: Color,
    children: &'a [ChildSlab<'a>],
}

impl<const W: usize> Kernel for SlabExits<'_, W> {
    type Output = Vec<(Decision, u32)>;

    #[inline(always)]
    fn run(self) -> Vec<(Decision, u32)> {
        let SlabExits { geometry, slab, mover, children } = self;
        let mut found = Vec::new();
        if children.is_empty() {
            return found;
        }
        let last = geometry.men().len() - 1;
        for row in 0..geometry.rows() {
            let men = geometry.row_men(slab, row);
            if geometry.is_void(&men) {
                continue;
            }
            let legality = RowLegality::<W>::new(geometry, &men);
            for child in children {
                for (exit, parts) in &child.men {
                    let cells = legality.exits(mover, *exit);
                    let outer: u32 = men.outer.iter().zip(parts).map(|(square, part)| part[square.index()]).sum();
                    for (w, &word) in cells.iter().enumerate() {
                        let base = outer + if W == 64 { parts[last - 1][w] } else { 0 };
                        for bit in Bitboard(word) {
                            let decision = child.decision(base + parts[last][bit.index()]);
                            if decision != Decision::NONE {
                                found.push((decision, ((row * W + w) * 64 + bit.index()) as u32));
                            }
                        }
                    }
                }
            }
        }
        found
    }
}
