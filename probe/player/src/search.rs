//! A small search for positions that no table has.

use makruk_probe::{Category, Distances, Inventory, Prober, TableId, ValueSource};
use makruk_rules::{Fen, Move, Position};
use makruk_tables::material::Material;
use makruk_tables::value::{Metric, Value};

use super::evaluate::{evaluate, worth};
use super::hits::CountedTables;
use super::score::{MATE, MATE_BOUND, TABLE_WIN, table_value};
use super::{Control, Game, Limits};

/// The deepest search, in plies.
const MAX_DEPTH: u32 = 64;
/// The deepest ply of a line, checks and captures beyond the search's depth included.
const MAX_PLY: u32 = 2 * MAX_DEPTH - 1;
/// Plies by which captures are followed beyond the search's depth.
const MAX_CAPTURE_PLIES: i32 = 8;
/// From this ply on a check no longer extends the search.
const MAX_CHECK_PLY: u32 = 40;
/// Greater than every score.
const INFINITE: i32 = MATE + 1;
/// Nodes between two readings of the clock.
const NODES_PER_CLOCK_READING: u64 = 64;
/// The nodes that the first iteration searches even if time is up, so that its move is better than a random legal one.
const FIRST_ITERATION_NODES: u64 = 20_000;

/// A line that a search has found.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// The score from the side to move.
    pub(super) value: i32,
    /// The moves, at least one.
    pub(super) line: Vec<Move>,
    /// The depth searched, in plies.
    pub(super) depth: u32,
    /// The deepest ply reached.
    pub(super) deepest: u32,
}

/// The search was stopped within a node, whose value is unknown. The path is invalid then.
struct Stopped;

/// The window of scores: the score that the side to move has already, and the score from which on the opponent avoids
/// the node.
#[derive(Clone, Copy)]
struct Window {
    alpha: i32,
    beta: i32,
}

impl Window {
    const FULL: Window = Window { alpha: -INFINITE, beta: INFINITE };

    /// The window seen by the opponent.
    const fn flip(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

/// A position that is searched.
#[derive(Clone, Copy)]
struct Node<'a> {
    fen: &'a Fen,
    /// Whether its side to move is in check.
    check: bool,
    /// Plies from the root.
    ply: u32,
    window: Window,
}

/// A search under way: alpha-beta by iterative deepening, with captures followed further and the tables probed at every
/// node.
pub(super) struct Search<'a> {
    prober: &'a Prober<CountedTables>,
    inventory: &'a Inventory,
    use_count: bool,
    limits: &'a Limits,
    control: &'a Control,
    state: SearchState,
}

/// The parts of a search that change from node to node.
struct SearchState {
    /// The positions up to the current node.
    path: Vec<Position>,
    /// By ply, quiet moves that refuted another line.
    killers: Vec<[Option<Move>; 2]>,
    /// By ply, the best line found from there.
    lines: Vec<Vec<Move>>,
    nodes: u64,
    deepest: u32,
    /// Whether this is the first iteration, whose result is needed even if time is up.
    is_first: bool,
}

impl SearchState {
    fn new() -> SearchState {
        SearchState {
            path: Vec::new(),
            killers: vec![[None; 2]; MAX_PLY as usize + 1],
            lines: vec![Vec::new(); MAX_PLY as usize + 2],
            nodes: 0,
            deepest: 0,
            is_first: true,
        }
    }

    /// The line from a ply becomes a move and the line from the next ply.
    fn set_line(&mut self, ply: u32, mv: Move) {
        let (here, below) = self.lines.split_at_mut(ply as usize + 1);
        let (line, rest) = (&mut here[ply as usize], &below[0]);
        line.clear();
        line.push(mv);
        line.extend_from_slice(rest);
    }

    /// A quiet move refuted another line at this ply.
    fn add_killer(&mut self, ply: u32, mv: Move) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }
}

impl<'a> Search<'a> {
    pub(super) fn new(
        prober: &'a Prober<CountedTables>,
        inventory: &'a Inventory,
        use_count: bool,
        limits: &'a Limits,
        control: &'a Control,
    ) -> Search<'a> {
        Search { prober, inventory, use_count, limits, control, state: SearchState::new() }
    }

    /// The number of positions searched.
    pub(super) const fn nodes(&self) -> u64 {
        self.state.nodes
    }

    /// Searches a game's position, whose moves are given, for the best lines, at most this number. `report` is called
    /// with each line found.
    pub(super) fn run(
        &mut self,
        game: &Game,
        mut moves: Vec<Move>,
        lines: usize,
        mut report: impl FnMut(&Search<'_>, usize, &Found),
    ) -> Vec<Found> {
        let root = game.now();
        self.state.path = game.before().cloned().collect();
        self.state.path.reverse();
        self.state.path.push(root.position.clone());
        order(&root.position, &mut moves, [None; 2]);
        let mut best: Vec<Found> = Vec::new();
        for depth in 1..=self.max_depth() {
            let (found, is_whole) = self.iteration(root, &moves, lines, depth, &mut report);
            if is_whole || self.state.is_first {
                best = found;
            }
            self.state.is_first = false;
            // The best moves so far are searched first next time.
            moves.sort_by_key(|mv| best.iter().position(|f| f.line.first() == Some(mv)).unwrap_or(usize::MAX));
            if !is_whole || self.is_enough(&best, moves.len(), depth) || self.control.is_over() {
                break;
            }
        }
        best
    }

    fn max_depth(&self) -> u32 {
        let by_mate = self.limits.mate.map_or(MAX_DEPTH, |mate| mate.saturating_mul(2));
        self.limits.depth.unwrap_or(by_mate).clamp(1, MAX_DEPTH)
    }

    /// The best lines of one depth, and whether the iteration came to its end.
    fn iteration(
        &mut self,
        root: &Fen,
        moves: &[Move],
        lines: usize,
        depth: u32,
        report: &mut impl FnMut(&Search<'_>, usize, &Found),
    ) -> (Vec<Found>, bool) {
        let mut found: Vec<Found> = Vec::new();
        for number in 0..lines.min(moves.len()) {
            let left: Vec<Move> =
                moves.iter().copied().filter(|mv| found.iter().all(|f| f.line.first() != Some(mv))).collect();
            let (line, is_whole) = self.root(root, &left, depth);
            if let Some(line) = line.filter(|_| is_whole || self.state.is_first) {
                report(self, number, &line);
                found.push(line);
            }
            if !is_whole {
                return (found, false);
            }
        }
        (found, true)
    }

    /// The best of these moves, and whether all were searched.
    fn root(&mut self, root: &Fen, moves: &[Move], depth: u32) -> (Option<Found>, bool) {
        self.state.deepest = depth;
        let mut window = Window::FULL;
        let mut best = None;
        for &mv in moves {
            let after = root.play(self.prober.rules(), mv);
            let Ok(value) = self.node(&after, depth as i32 - 1, 1, window.flip()) else { return (best, false) };
            if -value > window.alpha {
                window.alpha = -value;
                self.state.set_line(0, mv);
                let line = self.state.lines[0].clone();
                best = Some(Found { value: -value, line, depth, deepest: self.state.deepest });
            }
        }
        (best, true)
    }

    /// Whether nothing more is to be found.
    fn is_enough(&self, best: &[Found], moves: usize, depth: u32) -> bool {
        let value = best.first().map_or(0, |best| best.value);
        let mate = MATE - value.abs();
        let is_wanted_mate = self.limits.mate.is_some_and(|moves| value > MATE_BOUND && (mate + 1) / 2 <= moves as i32);
        let is_settled = !self.limits.hold && (moves == 1 || (mate as u32) < depth);
        is_wanted_mate || is_settled
    }

    /// The value of a position, from its side to move, searched to a depth in plies. Below depth 0 only captures and
    /// promotions are searched, and every move out of check.
    fn node(&mut self, fen: &Fen, depth: i32, ply: u32, window: Window) -> Result<i32, Stopped> {
        self.enter(ply)?;
        let (moves, check) = (fen.position.legal_moves(), fen.position.is_check());
        if let Some(value) = self.known_value(fen, moves.is_empty(), check, ply) {
            return Ok(value);
        }
        let node = Node { fen, check, ply, window };
        if depth <= 0 || ply >= MAX_PLY {
            return self.quiescence(node, moves.to_vec(), depth);
        }
        // A check extends the search, but not for ever.
        let depth = if check && ply < MAX_CHECK_PLY { depth } else { depth - 1 };
        self.best_of(node, moves.to_vec(), depth, -INFINITE)
    }

    /// The value of a position beyond the search's depth.
    fn quiescence(&mut self, mut node: Node<'_>, mut moves: Vec<Move>, depth: i32) -> Result<i32, Stopped> {
        let is_last = depth < -MAX_CAPTURE_PLIES || node.ply >= MAX_PLY;
        if node.check && !is_last {
            return self.best_of(node, moves, depth - 1, -INFINITE);
        }
        let position = &node.fen.position;
        let stand = evaluate(position);
        if stand >= node.window.beta || is_last {
            return Ok(stand);
        }
        node.window.alpha = node.window.alpha.max(stand);
        moves.retain(|&mv| position.captured(mv).is_some() || mv.promotion);
        self.best_of(node, moves, depth - 1, node.window.alpha)
    }

    /// The best value among moves, at least `best`, each searched to a depth. Keeps the best line.
    fn best_of(&mut self, mut node: Node<'_>, mut moves: Vec<Move>, depth: i32, mut best: i32) -> Result<i32, Stopped> {
        let (fen, ply) = (node.fen, node.ply);
        order(&fen.position, &mut moves, self.state.killers[ply as usize]);
        self.state.path.push(fen.position.clone());
        for mv in moves {
            let after = fen.play(self.prober.rules(), mv);
            let value = -self.node(&after, depth, ply + 1, node.window.flip())?;
            best = best.max(value);
            if value > node.window.alpha {
                node.window.alpha = value;
                self.state.set_line(ply, mv);
            }
            if node.window.alpha >= node.window.beta {
                if fen.position.captured(mv).is_none() {
                    self.state.add_killer(ply, mv);
                }
                break;
            }
        }
        self.state.path.pop();
        Ok(best)
    }

    /// Counts a node, and stops the search when it is time.
    fn enter(&mut self, ply: u32) -> Result<(), Stopped> {
        self.state.lines[ply as usize].clear();
        self.state.nodes += 1;
        self.state.deepest = self.state.deepest.max(ply);
        let must_go_on = self.state.is_first && self.state.nodes < FIRST_ITERATION_NODES;
        let is_limited = self.limits.nodes.is_some_and(|most| self.state.nodes >= most);
        let is_reading = self.state.nodes.is_multiple_of(NODES_PER_CLOCK_READING);
        match !must_go_on && (is_limited || (is_reading && self.control.is_over())) {
            true => Err(Stopped),
            false => Ok(()),
        }
    }

    /// The value of a position that needs no search: the game is over, or a table has it.
    fn known_value(&self, fen: &Fen, is_stuck: bool, check: bool, ply: u32) -> Option<i32> {
        let is_drawn = self.use_count && fen.count.is_some_and(|count| count.draws(is_stuck && check));
        if is_stuck {
            return Some(if check && !is_drawn { ply as i32 - MATE } else { 0 });
        }
        if is_drawn || self.state.path.contains(&fen.position) {
            return Some(0);
        }
        // Sooner is better.
        self.table_value(fen).map(|value| value - value.signum() * ply.min(value.unsigned_abs()) as i32)
    }

    /// The value of a position by the tables, if they have it.
    fn table_value(&self, fen: &Fen) -> Option<i32> {
        let board = fen.position.board();
        let material = Material::of(board).ok()?.material;
        if material == Material::BARE_KINGS {
            return Some(0);
        }
        // A missing table would be looked for at each node.
        let has = |metric| self.inventory.has(TableId { material, metric });
        let has_distances = has(Metric::Dtm);
        if self.use_count && has(Metric::Category) {
            let value = self.category_table_value(fen, material, has_distances);
            if value.is_some() {
                return value;
            }
        }
        if !has_distances {
            return None;
        }
        if self.use_count {
            let verdict = self.prober.probe(fen).ok()?;
            return Some(table_value(verdict.category, verdict.distances(), material.count_rule()));
        }
        let distances = Distances::bare(self.prober.value(&fen.position, Metric::Dtm).ok()?);
        let way = i32::from(distances.dtm.plies().unwrap_or(0));
        Some(match distances.dtm {
            Value::Win(_) => TABLE_WIN - way,
            Value::Draw => 0,
            Value::Loss(_) => way - TABLE_WIN,
        })
    }

    /// The value of a position by its category table alone: one look-up instead of two. A win or a loss is left to the
    /// distances if there are any; without them the most plies that it may take stand for them.
    fn category_table_value(&self, fen: &Fen, material: Material, has_distances: bool) -> Option<i32> {
        let (category, _) = self.prober.decided_category(fen).ok()??;
        let most_plies = || self.prober.source().bounds(&fen.position).ok()?.most_plies();
        let distances = match category {
            Category::Win | Category::Loss if has_distances => return None,
            Category::Win => Distances::bare(Value::Win(most_plies()?)),
            Category::Loss => Distances::bare(Value::Loss(most_plies()?)),
            Category::CursedWin | Category::Draw | Category::BlessedLoss => Distances::DRAW,
        };
        Some(table_value(category, distances, material.count_rule()))
    }
}

/// Sorts moves, the likely best first: captures of the dearest man by the cheapest, killers, the others.
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
