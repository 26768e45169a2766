//! Captures as cells.
//!
//! In the array of a set, a cell in which a man of the moving side shares a square with an enemy man is no position.
//! It is put to use: it stands for the position after that capture, the taken man's axis pointing at the square where it
//! was taken. So a set that a move is pulled into holds its captures in those cells, and the kernels need no code for
//! them. What a capture is worth comes from the child tables, as a list of *events* for each slab: the cells that are
//! decided at a distance.

use makruk_tables::format::{FormatError, Metric, Value};
use makruk_tables::index::{Layout, Pair, Transform};
use makruk_tables::material::Material;
use makruk_tables::rules::{Bitboard, Color, CountingRules, Role, Square};
use rayon::prelude::*;

use crate::child::{Children, cell_offsets};
use crate::error::BuildError;
use crate::geometry::Geometry;
use crate::legality::RowLegality;
use crate::spool::{Chunk, Spool};

/// The capture cells of a slab that are decided: for each distance in moves that occurs, ascending, the cells in the slab,
/// four bytes each.
type SlabEvents = Vec<(u16, Chunk)>;

/// Sorts a slab's cells by distance.
fn by_distance(found: &[(u16, u32)], spool: &Spool) -> Result<SlabEvents, FormatError> {
    let mut cells: Vec<Vec<u8>> = Vec::new();
    for &(moves, cell) in found {
        let moves = usize::from(moves);
        if cells.len() <= moves {
            cells.resize(moves + 1, Vec::new());
        }
        cells[moves].extend_from_slice(&cell.to_le_bytes());
    }
    let decided = (0u16..).zip(cells).filter(|(_, cells)| !cells.is_empty());
    decided.map(|(moves, cells)| Ok((moves, spool.put(cells)?))).collect()
}

/// The capture cells of a set that are decided for an attacker, slab by slab.
#[derive(Debug)]
pub(crate) struct Events {
    spool: Spool,
    slabs: Vec<SlabEvents>,
}

impl Events {
    /// The cells of a slab that are decided in exactly so many moves.
    pub(crate) fn at(&self, slab: usize, moves: u16) -> Result<Vec<u32>, FormatError> {
        let events = &self.slabs[slab];
        let Ok(found) = events.binary_search_by_key(&moves, |&(moves, _)| moves) else { return Ok(Vec::new()) };
        let mut buffer = Vec::new();
        let bytes = self.spool.read(&events[found].1, &mut buffer)?;
        Ok(bytes.as_chunks::<4>().0.iter().map(|&cell| u32::from_le_bytes(cell)).collect())
    }

    /// The largest distance in moves; 0 if nothing is decided.
    pub(crate) fn last(&self) -> u16 {
        self.slabs.iter().filter_map(|events| events.last()).map(|&(moves, _)| moves).max().unwrap_or(0)
    }
}

/// The capture of one man, as seen from the set it is taken in.
pub(crate) struct Capture {
    /// Which man of the parent is taken.
    man: usize,
    /// The set that is left; `None` for two bare kings.
    child: Option<ChildView>,
}

struct ChildView {
    material: Material,
    reversed: bool,
    layout: Layout,
    /// For each man of the parent, the shift of its square in the child's cell; the taken man has none.
    shifts: Vec<Option<u32>>,
    offsets: Vec<u32>,
}

impl Capture {
    /// The captures that `mover` can make in a set.
    pub(crate) fn all(geometry: &Geometry, mover: Color) -> Vec<Capture> {
        let men = geometry.men();
        (0..men.len()).filter(|&man| men[man].color != mover).map(|man| Capture::new(geometry, man)).collect()
    }

    fn new(geometry: &Geometry, man: usize) -> Capture {
        let parent = geometry.layout().material();
        let men = geometry.men();
        let (material, reversed) = parent.without(men[man]).expect("the man is in the set");
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
                let piece = if reversed { piece.twin() } else { piece };
                let axis = (0..child_men.len()).find(|&axis| child_men[axis] == piece && !taken[axis])?;
                taken[axis] = true;
                Some(6 * (child_men.len() - 1 - axis) as u32)
            })
            .collect();
        let offsets = cell_offsets(&layout);
        Capture { man, child: Some(ChildView { material, reversed, layout, shifts, offsets }) }
    }

    /// Which man is taken.
    pub(crate) fn man(&self) -> usize {
        self.man
    }
}

/// A child's slab as one parent slab sees it.
struct ChildSlab<'a> {
    view: &'a ChildView,
    values: Vec<Value>,
    /// Where each square of the parent's slab is in the child's.
    squares: [Square; 64],
}

impl<'a> ChildSlab<'a> {
    /// Reads the slab with the kings of a parent's slab and `turn` to move, in the parent's colours.
    fn read(
        view: &'a ChildView,
        kings: Pair,
        turn: Color,
        metric: Metric,
        children: &dyn Children,
    ) -> Result<ChildSlab<'a>, BuildError> {
        let (kings, turn) = if view.reversed { (kings.swap().map(Square::flip_rank), !turn) } else { (kings, turn) };
        let (slab, transform): (usize, Transform) = view.layout.kings().fold(kings).expect("a slab's kings are apart");
        let squares = std::array::from_fn(|n| {
            let square = Square::new(n as u8);
            transform.square(if view.reversed { square.flip_rank() } else { square })
        });
        let mut values = Vec::new();
        children.read_slab(view.material, metric, turn, slab, &mut values)?;
        Ok(ChildSlab { view, values, squares })
    }

    /// Each square's part of the child's cell for one man of the parent.
    fn parts(&self, man: usize) -> [u32; 64] {
        match self.view.shifts[man] {
            Some(shift) => self.squares.map(|square| u32::from(square.number()) << shift),
            None => [0; 64],
        }
    }
}

/// How a child's value decides a capture cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judge<'a> {
    /// The side that attacks.
    pub attacker: Color,
    /// What is being solved.
    pub metric: Metric,
    /// The rules of the count that a baring capture starts.
    pub rules: &'a CountingRules,
}

impl Judge<'_> {
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
        let bares = parent.side(!mover).without(captured).is_some_and(|men| men.is_bare());
        if self.metric == Metric::Dtm || !bares {
            return Some(moves);
        }
        // The baring capture settles the count at once, if the mate comes within the pieces' honour it starts.
        let left = self.rules.moves_after_baring(parent.men() as u32 - 1, |role| parent.side(mover).count(role));
        (moves == 0 || u32::from(moves) <= left).then_some(0)
    }
}

/// All captures by `mover` that decide for the attacker, slab by slab.
pub(crate) fn events<const W: usize>(
    geometry: &Geometry,
    mover: Color,
    judge: Judge<'_>,
    children: &dyn Children,
    spool: Spool,
) -> Result<Events, BuildError> {
    let parent = geometry.layout().material();
    let captures = Capture::all(geometry, mover);
    let slabs = (0..geometry.slabs())
        .into_par_iter()
        .map(|slab| {
            let kings = geometry.layout().kings().pair(slab);
            let mut found = Vec::new();
            let mut read = Vec::new();
            for capture in &captures {
                // After the capture of his last man the attacker cannot win, and two bare kings draw.
                let Some(view) = &capture.child else { continue };
                if mover != judge.attacker && parent.side(judge.attacker).total() == 1 {
                    continue;
                }
                let child_metric = if view.material.is_armed() { judge.metric } else { Metric::Dtm };
                let child = ChildSlab::read(view, kings, !mover, child_metric, children)?;
                let parts: Vec<_> = (0..geometry.men().len()).map(|man| child.parts(man)).collect();
                read.push((capture, child, parts));
            }
            if read.is_empty() {
                return Ok(SlabEvents::new());
            }
            let last = geometry.men().len() - 1;
            for row in 0..geometry.rows() {
                let men = geometry.row_men(slab, row);
                let legality = RowLegality::<W>::new(geometry, &men);
                for (capture, child, parts) in &read {
                    let role = geometry.men()[capture.man].role;
                    let cells = legality.captures(mover, capture.man);
                    let outer: u32 = men.outer.iter().zip(parts).map(|(square, part)| part[square.index()]).sum();
                    for (w, &word) in cells.iter().enumerate() {
                        let base = outer + if W == 64 { parts[last - 1][w] } else { 0 };
                        for bit in Bitboard(word) {
                            let offset = child.view.offsets[(base + parts[last][bit.index()]) as usize];
                            if let Some(moves) = judge.moves(mover, parent, role, child.values[offset as usize]) {
                                found.push((moves, ((row * W + w) * 64 + bit.index()) as u32));
                            }
                        }
                    }
                }
            }
            Ok(by_distance(&found, &spool)?)
        })
        .collect::<Result<_, BuildError>>()?;
    Ok(Events { spool, slabs })
}
