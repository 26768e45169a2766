//! Capture seeds: the positions that captures into smaller materials decide.
//!
//! A cell in which a man of the moving side shares a square with an enemy man is no position. The solver lets it stand for
//! the position after that capture: the taken man's axis points at the square on which he was taken. So the set of positions
//! that moves lead into holds captures in those cells, and the kernels need no code for them. The tables of the children
//! decide these cells: each slab has, for every distance, a list of the cells that are decided at it.

use std::sync::Arc;

use arrayvec::ArrayVec;
use makruk_tables::format::FormatError;
use makruk_tables::index::{Layout, MAX_AXES, Pair, Transform};
use makruk_tables::material::{Material, Orientation, Oriented};
use makruk_tables::rules::{Bitboard, Color, CountingRules, Piece, Role, Square};
use makruk_tables::tablebase::{SideReader, SideSource, TableId};
use makruk_tables::value::{Metric, MovesLeft, Value};
use pulp::{Arch, WithSimd};
use rayon::prelude::*;

use crate::child::cell_offsets;
use crate::error::BuildError;
use crate::progress::Progress;
use crate::solve::geometry::Geometry;
use crate::solve::legality::RowLegality;
use crate::solve::spill_store::{Blob, SpillStore};

/// The capture cells of a slab that are decided: for each distance in moves that occurs, ascending, the cells in the slab,
/// four bytes each.
type SlabSeeds = Vec<(u16, Blob)>;

/// Sorts a slab's cells by distance.
fn by_distance(found: &[(u16, u32)], store: &SpillStore) -> Result<SlabSeeds, FormatError> {
    let mut counts: Vec<usize> = Vec::new();
    for &(moves, _) in found {
        let moves = usize::from(moves);
        if counts.len() <= moves {
            counts.resize(moves + 1, 0);
        }
        counts[moves] += 1;
    }
    let mut cells: Vec<Vec<u8>> = counts.into_iter().map(|count| Vec::with_capacity(4 * count)).collect();
    for &(moves, cell) in found {
        cells[usize::from(moves)].extend_from_slice(&cell.to_le_bytes());
    }
    let decided = (0u16..).zip(cells).filter(|(_, cells)| !cells.is_empty());
    decided.map(|(moves, cells)| Ok((moves, store.append(cells)?))).collect()
}

/// The capture cells of a material that are decided for an attacker, slab by slab.
#[derive(Debug)]
pub(crate) struct CaptureSeeds {
    store: SpillStore,
    slabs: Vec<SlabSeeds>,
}

/// The bytes of a capture found, with its distance.
pub(crate) const DECIDED_BYTES: u64 = size_of::<(u16, u32)>() as u64;

/// The bytes that each position of a child's slab takes: its code, then the moves that it decides in.
pub(crate) const CHILD_CELL_BYTES: u64 = 2 * size_of::<u16>() as u64;

impl CaptureSeeds {
    /// The bytes of a seed: its bit's number in the slab.
    pub(crate) const SEED_BYTES: u64 = size_of::<u32>() as u64;

    /// The cells of a slab that are decided in exactly so many moves.
    pub(crate) fn at(&self, slab: usize, moves: u16) -> Result<Vec<u32>, FormatError> {
        let seeds = &self.slabs[slab];
        let Ok(found) = seeds.binary_search_by_key(&moves, |&(moves, _)| moves) else { return Ok(Vec::new()) };
        let mut buffer = Vec::new();
        let bytes = self.store.read(&seeds[found].1, &mut buffer)?;
        Ok(bytes.as_chunks::<4>().0.iter().map(|&cell| u32::from_le_bytes(cell)).collect())
    }

    /// The largest distance in moves; 0 if nothing is decided.
    pub(crate) fn longest(&self) -> u16 {
        self.slabs.iter().filter_map(|seeds| seeds.last()).map(|&(moves, _)| moves).max().unwrap_or(0)
    }
}

/// The capture of one man of a material.
pub(crate) struct Capture {
    /// The man of the parent that is taken.
    man: usize,
    /// The material that is left; `None` for two bare kings.
    child: Option<ChildView>,
}

struct ChildView {
    material: Material,
    orientation: Orientation,
    layout: Layout,
    /// For each man of the parent, the shift of its square in the child's cell; the taken man has none.
    shifts: Vec<Option<u32>>,
    offsets: Vec<u32>,
}

impl Capture {
    /// The captures that `mover` can make in a material.
    pub(crate) fn all(geometry: &Geometry, mover: Color) -> Vec<Capture> {
        let men = geometry.men();
        (0..men.len()).filter(|&man| men[man].color != mover).map(|man| Capture::new(geometry, man)).collect()
    }

    fn new(geometry: &Geometry, man: usize) -> Capture {
        let parent = geometry.layout().material();
        let men = geometry.men();
        let Oriented { material, orientation } = parent.without(men[man]).expect("the man is in the material");
        if material == Material::BARE_KINGS {
            return Capture { man, child: None };
        }
        let layout = Layout::new(material);
        let child_men: Vec<_> = layout.men().collect();
        // Each man left goes to the child's first axis of its kind that is not taken yet.
        let mut taken = vec![false; child_men.len()];
        let shifts = men
            .iter()
            .enumerate()
            .map(|(other, &piece)| {
                if other == man {
                    return None;
                }
                let piece = orientation.piece(piece);
                let axis = (0..child_men.len()).find(|&axis| child_men[axis] == piece && !taken[axis])?;
                taken[axis] = true;
                Some(6 * (child_men.len() - 1 - axis) as u32)
            })
            .collect();
        let offsets = cell_offsets(&layout);
        Capture { man, child: Some(ChildView { material, orientation, layout, shifts, offsets }) }
    }

    /// The man that is taken.
    pub(crate) fn man(&self) -> usize {
        self.man
    }
}

/// A capture that leads to a child in which something is decided for the attacker.
struct ChildLookup<'a> {
    man: usize,
    view: &'a ChildView,
    /// The child's side to move.
    reader: Arc<dyn SideReader>,
    /// By the child's code: in how many moves the capture decides, or [`UNDECIDED`].
    by_code: Vec<u16>,
}

impl<'a> ChildLookup<'a> {
    fn new(
        geometry: &Geometry,
        capture: &'a Capture,
        mover: Color,
        rule: CaptureRule<'_>,
        children: &dyn SideSource,
    ) -> Result<Option<ChildLookup<'a>>, BuildError> {
        // Two bare kings draw.
        let Some(view) = &capture.child else { return Ok(None) };
        let (man, captured) = (capture.man, geometry.men()[capture.man]);
        let reader = children.side(TableId::of(view.material, rule.metric), view.orientation.color(!mover))?;
        let parent = geometry.layout().material();
        let decided = |value| rule.moves(mover, parent, captured.role, value).unwrap_or(UNDECIDED);
        let by_code: Vec<u16> = reader.values().iter().map(|&value| decided(value)).collect();
        let decides = by_code.iter().any(|&moves| moves != UNDECIDED);
        Ok(decides.then_some(ChildLookup { man, view, reader, by_code }))
    }
}

/// A child's slab, read for one slab of the parent.
struct ChildSlab {
    /// For each cell of the child, like men told apart: in how many moves it is decided, or [`UNDECIDED`].
    moves: Vec<u16>,
    /// For each man of the parent, each square's part of the child's cell.
    parts: ArrayVec<[u32; 64], MAX_AXES>,
}

/// Not decided for the attacker. No distance is as large: moves have two plies, and plies fit as many bits.
const UNDECIDED: u16 = u16::MAX;

impl ChildSlab {
    /// Reads the slab with the kings of a parent's slab; `None` if the attacker has nothing of any cell.
    fn read(lookup: &ChildLookup<'_>, kings: Pair) -> Result<Option<ChildSlab>, BuildError> {
        let ChildLookup { view, reader, by_code, .. } = lookup;
        let kings = if view.orientation.is_flipped() { kings.swap().map(Square::flip_rank) } else { kings };
        let (slab, transform): (usize, Transform) = view.layout.kings().fold(kings).expect("a slab's kings are apart");
        let mut codes = Vec::new();
        reader.slab(slab, &mut codes)?;
        let by_offset = |offset: u32| codes.get(offset as usize).map_or(UNDECIDED, |&code| by_code[usize::from(code)]);
        let moves: Vec<u16> = view.offsets.iter().map(|&offset| by_offset(offset)).collect();
        if moves.iter().all(|&moves| moves == UNDECIDED) {
            return Ok(None);
        }
        let squares: [Square; 64] = std::array::from_fn(|n| {
            let square = Square::new(n as u8);
            transform.square(view.orientation.square(square))
        });
        let parts = view
            .shifts
            .iter()
            .map(|shift| shift.map_or([0; 64], |shift| squares.map(|square| u32::from(square.number()) << shift)))
            .collect();
        Ok(Some(ChildSlab { moves, parts }))
    }
}

/// The rule by which a child's value decides a capture cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CaptureRule<'a> {
    /// The side that attacks.
    pub attacker: Color,
    /// The metric that is solved.
    pub metric: Metric,
    /// The rules of the count that a baring capture starts.
    pub rules: &'a CountingRules,
}

impl CaptureRule<'_> {
    /// In how many moves a capture by `mover` that leaves a child with this value decides for the attacker; `None` if it
    /// does not. The value is that of the side that did not capture.
    fn moves(&self, mover: Color, parent: Material, captured: Role, value: Value) -> Option<u16> {
        if mover != self.attacker {
            // The attacker is to move and wins on, with at least one man left: a bare king never wins.
            return match value {
                Value::Win(plies) => Some(plies.div_ceil(2)),
                Value::Draw | Value::Loss(_) => None,
            };
        }
        let Value::Loss(plies) = value else { return None };
        let moves = plies / 2;
        match MovesLeft::after_baring(parent, Piece::new(!mover, captured), self.rules) {
            // It settles the count at once, if the mate comes within the pieces' honour it starts.
            Some(left) if self.metric != Metric::Dtm => (moves == 0 || u32::from(moves) <= left).then_some(0),
            _ => Some(moves),
        }
    }
}

/// Slabs between two looks at whether to go on.
const BATCH_SLABS: usize = 64;

/// All captures by `mover` that decide for the attacker, slab by slab.
pub(crate) fn capture_seeds<const W: usize>(
    geometry: &Geometry,
    mover: Color,
    rule: CaptureRule<'_>,
    children: &dyn SideSource,
    store: SpillStore,
    progress: &dyn Progress,
) -> Result<CaptureSeeds, BuildError> {
    let parent = geometry.layout().material();
    // After the capture of his last man the attacker cannot win.
    let is_over = mover != rule.attacker && parent.side(rule.attacker).total() == 1;
    let captures = if is_over { Vec::new() } else { Capture::all(geometry, mover) };
    let lookups = captures.iter().map(|capture| ChildLookup::new(geometry, capture, mover, rule, children));
    let lookups: Vec<ChildLookup<'_>> = lookups.filter_map(Result::transpose).collect::<Result<_, _>>()?;
    let mut slabs = Vec::with_capacity(geometry.slabs());
    while slabs.len() < geometry.slabs() {
        progress.check()?;
        progress.captures(slabs.len() as u64, geometry.slabs() as u64);
        let batch = slabs.len()..geometry.slabs().min(slabs.len() + BATCH_SLABS);
        let seeds = |slab| {
            let kings = geometry.layout().kings().pair(slab);
            let mut read = Vec::new();
            for lookup in &lookups {
                if let Some(child) = ChildSlab::read(lookup, kings)? {
                    read.push((lookup.man, child));
                }
            }
            let found = Arch::new().dispatch(SlabCaptures::<W> { geometry, slab, mover, children: &read });
            Ok(by_distance(&found, &store)?)
        };
        slabs.extend(batch.into_par_iter().map(seeds).collect::<Result<Vec<SlabSeeds>, BuildError>>()?);
    }
    Ok(CaptureSeeds { store, slabs })
}

/// The captures of one slab.
struct SlabCaptures<'a, const W: usize> {
    geometry: &'a Geometry,
    slab: usize,
    mover: Color,
    /// By the man that is taken.
    children: &'a [(usize, ChildSlab)],
}

impl<const W: usize> WithSimd for SlabCaptures<'_, W> {
    /// The decided cells, with the moves.
    type Output = Vec<(u16, u32)>;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) -> Vec<(u16, u32)> {
        let SlabCaptures { geometry, slab, mover, children } = self;
        let mut found = Vec::new();
        if children.is_empty() {
            return found;
        }
        let last = geometry.men().len() - 1;
        for row in 0..geometry.rows() {
            let men = geometry.row_men(slab, row);
            let legality = RowLegality::<W>::new(geometry, &men);
            for (captured, ChildSlab { moves, parts }) in children {
                let cells = legality.captures(mover, *captured);
                let outer: u32 = men.outer.iter().zip(parts).map(|(square, part)| part[square.index()]).sum();
                for (w, &word) in cells.iter().enumerate() {
                    let base = outer + if W == 64 { parts[last - 1][w] } else { 0 };
                    for bit in Bitboard(word) {
                        let moves = moves[(base + parts[last][bit.index()]) as usize];
                        if moves != UNDECIDED {
                            found.push((moves, ((row * W + w) * 64 + bit.index()) as u32));
                        }
                    }
                }
            }
        }
        found
    }
}
