//! A small search for positions that no table has.

use makruk_tables::format::{Metric, Value};
use makruk_tables::material::Material;
use makruk_tables::rules::{Count, Fen, Move, Position};

use super::evaluate::{evaluate, worth};
use super::hits::CountedTables;
use super::score::{MATE, MATE_BOUND, TABLE_WIN, table_value};
use super::{Control, Game, Limits};
use makruk_probe::judge::plies;
use makruk_probe::{Distances, Inventory, Prober, TableId};

/// The deepest search, in plies.
const MAX_DEPTH: u32 = 64;
/// How far captures are followed beyond the search's depth, in plies.
const MAX_QUIET: i32 = -8;
/// More than any score.
const INFINITE: i32 = MATE + 1;
/// How many positions are looked at between two looks at the clock.
const PATIENCE: u64 = 64;

/// A search under way: alpha-beta, ever deeper, with captures followed to the end and tables asked wherever they know.
pub(super) struct Search<'a> {
    prober: &'a Prober<CountedTables>,
    inventory: &'a Inventory,
    use_count: bool,
    limits: &'a Limits,
    control: &'a Control,
    /// The positions up to the one that is looked at.
    path: Vec<Position>,
    killers: Vec<[Option<Move>; 2]>,
    nodes: u64,
    deepest: u32,
    /// The first iteration is always finished, so that there is a move that is more than legal.
    must_finish: bool,
    aborted: bool,
}

/// What a search has found.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// From the side to move.
    pub(super) value: i32,
    /// The moves; the first is there.
    pub(super) line: Vec<Move>,
    /// How deep, in plies.
    pub(super) depth: u32,
    /// How deep at most.
    pub(super) deepest: u32,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        prober: &'a Prober<CountedTables>,
        inventory: &'a Inventory,
        use_count: bool,
        limits: &'a Limits,
        control: &'a Control,
    ) -> Search<'a> {
        Search {
            prober,
            inventory,
            use_count,
            limits,
            control,
            path: Vec::new(),
            killers: vec![[None; 2]; 2 * MAX_DEPTH as usize],
            nodes: 0,
            deepest: 0,
            must_finish: true,
            aborted: false,
        }
    }

    /// How many positions have been looked at.
    pub(super) const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Searches a game's position, whose moves are given, for the best so many lines. `tell` learns of each line found.
    pub(super) fn run(
        &mut self,
        game: &Game,
        mut moves: Vec<Move>,
        lines: usize,
        mut tell: impl FnMut(&Search<'_>, usize, &Found),
    ) -> Vec<Found> {
        let root = game.now();
        self.path = game.before().cloned().collect();
        self.path.reverse();
        self.path.push(root.position.clone());
        order(&root.position, &mut moves, [None; 2]);
        let mut best: Vec<Found> = Vec::new();
        let most = self.limits.mate.map_or(MAX_DEPTH, |mate| mate.saturating_mul(2));
        for depth in 1..=self.limits.depth.unwrap_or(most).clamp(1, MAX_DEPTH) {
            let mut found: Vec<Found> = Vec::new();
            for number in 0..lines.min(moves.len()) {
                let skip: Vec<Move> = found.iter().filter_map(|found| found.line.first().copied()).collect();
                let Some(line) = self.root(root, &moves, &skip, depth) else { break };
                tell(self, number, &line);
                found.push(line);
            }
            if self.aborted {
                break;
            }
            self.must_finish = false;
            // What was best is looked at first next time.
            moves.sort_by_key(|mv| found.iter().position(|f| f.line.first() == Some(mv)).unwrap_or(usize::MAX));
            best = found;
            let value = best.first().map_or(0, |best| best.value);
            let mate = MATE - value.abs();
            let enough = self.limits.mate.is_some_and(|moves| value > MATE_BOUND && (mate + 1) / 2 <= moves as i32);
            let settled = !self.limits.hold && (moves.len() == 1 || (mate as u32) < depth);
            if enough || settled || self.is_over() {
                break;
            }
        }
        best
    }

    /// The best move but those skipped; `None` if the search was stopped.
    fn root(&mut self, root: &Fen, moves: &[Move], skip: &[Move], depth: u32) -> Option<Found> {
        self.deepest = depth;
        let mut alpha = -INFINITE;
        let mut best = None;
        let mut line = Vec::new();
        for &mv in moves.iter().filter(|mv| !skip.contains(mv)) {
            let after = root.play(self.prober.rules(), mv);
            let value = -self.node(&after, depth as i32 - 1, 1, -INFINITE, -alpha, &mut line);
            if self.aborted {
                return None;
            }
            if value > alpha {
                alpha = value;
                let line = std::iter::once(mv).chain(line.iter().copied()).collect();
                best = Some(Found { value, line, depth, deepest: self.deepest });
            }
        }
        best
    }

    fn node(&mut self, fen: &Fen, depth: i32, ply: u32, mut alpha: i32, beta: i32, line: &mut Vec<Move>) -> i32 {
        line.clear();
        self.nodes += 1;
        self.deepest = self.deepest.max(ply);
        let limited = self.limits.nodes.is_some_and(|most| self.nodes >= most);
        if !self.must_finish && (limited || (self.nodes.is_multiple_of(PATIENCE) && self.is_over())) {
            self.aborted = true;
        }
        if self.aborted {
            return 0;
        }
        let position = &fen.position;
        let mut moves = position.legal_moves();
        let check = position.is_check();
        if moves.is_empty() {
            return if check { ply as i32 - MATE } else { 0 };
        }
        if (self.use_count && fen.count.is_some_and(Count::is_expired)) || self.path.contains(position) {
            return 0;
        }
        if let Some(value) = self.table_value(fen) {
            // Sooner is better.
            return value - value.signum() * ply.min(value.unsigned_abs()) as i32;
        }
        let quiet = depth <= 0;
        if quiet && (!check || depth < MAX_QUIET) || ply + 1 >= 2 * MAX_DEPTH {
            let stand = evaluate(position);
            if stand >= beta || depth < MAX_QUIET || ply + 1 >= 2 * MAX_DEPTH {
                return stand;
            }
            alpha = alpha.max(stand);
            moves.retain(|&mut mv| position.captured(mv).is_some() || mv.promotion);
        }
        order(position, &mut moves, self.killers[ply as usize]);
        let mut best = if quiet && !check { alpha } else { -INFINITE };
        let mut below = Vec::new();
        // A check is looked through, but not for ever.
        let depth = if check && !quiet && ply < 40 { depth } else { depth - 1 };
        self.path.push(position.clone());
        for mv in moves {
            let after = fen.play(self.prober.rules(), mv);
            let value = -self.node(&after, depth, ply + 1, -beta, -alpha, &mut below);
            if self.aborted {
                break;
            }
            best = best.max(value);
            if value > alpha {
                alpha = value;
                line.clear();
                line.push(mv);
                line.append(&mut below);
            }
            if alpha >= beta {
                let killers = &mut self.killers[ply as usize];
                if position.captured(mv).is_none() && killers[0] != Some(mv) {
                    *killers = [Some(mv), killers[0]];
                }
                break;
            }
        }
        self.path.pop();
        best
    }

    /// What the tables say, if they know the position.
    fn table_value(&self, fen: &Fen) -> Option<i32> {
        let board = fen.position.board();
        let material = Material::of(board).ok()?.material;
        if material == Material::BARE_KINGS {
            return Some(0);
        }
        // A table that is not there would be looked for each time.
        if !self.inventory.has(TableId { material, metric: Metric::Dtm }) {
            return None;
        }
        if self.use_count {
            let verdict = self.prober.probe(fen).ok()?;
            return Some(table_value(verdict.category, verdict.distances(), material.is_armed()));
        }
        let distances = Distances::bare(self.prober.value(&fen.position, Metric::Dtm).ok()?);
        let way = i32::from(plies(distances.dtm).unwrap_or(0));
        Some(match distances.dtm {
            Value::Win(_) => TABLE_WIN - way,
            Value::Draw => 0,
            Value::Loss(_) => way - TABLE_WIN,
        })
    }

    fn is_over(&self) -> bool {
        self.control.is_over()
    }
}

/// The likely best first: captures of the dearest by the cheapest, killers, the others.
fn order(position: &Position, moves: &mut [Move], killers: [Option<Move>; 2]) {
    let board = position.board();
    moves.sort_by_cached_key(|&mv| {
        let taken = position.captured(mv).map(|piece| worth(piece.role));
        let by = board.piece_at(mv.from).map_or(0, |piece| worth(piece.role));
        let key = match taken {
            Some(taken) => 10_000 + 8 * taken - by,
            None if mv.promotion => 9_000,
            None if killers.contains(&Some(mv)) => 8_000,
            None => 0,
        };
        -key
    });
}
