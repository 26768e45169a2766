//! Draws running counts.

use makruk_probe::judge;
use makruk_tables::rules::{Color, Count, CountingRules, MOST_MEN, Piece, Position, Role, ToMove};
use makruk_tables::value::Distances;

use super::record_rng::RecordRng;

/// A count near the boundary leaves the winner at most this number of moves more or fewer than the conversion takes.
const NEAR_MOVES: u32 = 3;

/// The counts that positions are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CountChoice {
    /// None: the FEN has `-`, and the count begins with the defender's next move.
    None,
    /// Every count that can run in the position; counts with the same limit are equally likely.
    Any,
    /// The counts that leave the winner from three moves fewer to three moves more than the conversion takes. If there is no
    /// such count or no conversion, as [`CountChoice::Any`].
    Near,
}

impl CountChoice {
    /// A random count of a position with these distances.
    pub(super) fn draw(
        self,
        rng: &mut RecordRng,
        rules: &CountingRules,
        position: &Position,
        distances: Distances,
    ) -> Option<Count> {
        if self == CountChoice::None {
            return None;
        }
        let run = CountRun::draw(rng, rules, position)?;
        let mover_wins = distances.mover_wins();
        let needed = judge::plies(distances.dtz).map(judge::moves_in);
        if let (CountChoice::Near, Some(mover_wins), Some(needed)) = (self, mover_wins, needed) {
            let is_near = |count: &Count| {
                count.attacker_moves_left(ToMove::attacker_if(mover_wins)).abs_diff(needed) <= NEAR_MOVES
            };
            let near = run.counts().filter(is_near);
            if let Some(last) = (near.clone().count() as u64).checked_sub(1) {
                return near.clone().nth(rng.below(last + 1) as usize);
            }
        }
        run.counts().nth(rng.below(run.len()) as usize)
    }
}

/// The counts of one limit that can run in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CountRun {
    /// In plies.
    limit: u32,
    /// The first PLY.
    first: u32,
    /// The plies between two counts.
    step: u32,
}

/// The roles of the men that a bare king can take while a count runs.
const PIECES: [Role; 4] = [Role::Rook, Role::Knight, Role::Khon, Role::Met];

impl CountRun {
    /// A random limit that a count can have. With both sides armed there is one, and every PLY is possible. A bare king counts
    /// from the capture that bared it, and the attacker's men at that moment set the limit. In half of the draws these are the
    /// men on the board, in the other half there was one more, which the bare king took later.
    fn draw(rng: &mut RecordRng, rules: &CountingRules, position: &Position) -> Option<CountRun> {
        let (board, turn) = (position.board(), position.turn());
        let start = rules.start(board, turn)?;
        let Some(defender) = Color::ALL.into_iter().find(|&color| board.is_bare(color)) else {
            return Some(CountRun { limit: start.limit(), first: start.ply(), step: 1 });
        };
        let now = CountRun { limit: start.limit(), first: start.ply(), step: 2 };
        let taken = PIECES[rng.below(PIECES.len() as u64) as usize];
        let with_taken = CountRun::after_capture(rules, position, defender, taken);
        let run = if rng.below(2) == 0 { now } else { with_taken.unwrap_or(now) };
        (run.first <= run.limit).then_some(run)
    }

    /// The counts after the bare king has taken a man of this role; `None` if the attacker cannot have had it, or if the count
    /// would have run out.
    fn after_capture(rules: &CountingRules, position: &Position, defender: Color, taken: Role) -> Option<CountRun> {
        let board = position.board();
        let most = u32::from(MOST_MEN[taken]);
        let men = |role: Role| board.by_piece(Piece::new(!defender, role)).len() + u32::from(role == taken);
        if men(taken) > most {
            return None;
        }
        let limit = 2 * rules.pieces_limit(men);
        // The count began with all men counted. Since then the bare king took the man and, if it is to move, the attacker moved.
        let first = 2 * (board.men() + 1) + if position.turn() == defender { 2 } else { 1 };
        (first <= limit).then_some(CountRun { limit, first, step: 2 })
    }

    fn len(self) -> u64 {
        u64::from((self.limit - self.first) / self.step) + 1
    }

    fn counts(self) -> impl Iterator<Item = Count> + Clone {
        (self.first..=self.limit).step_by(self.step as usize).filter_map(move |ply| Count::new(self.limit, ply).ok())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use makruk_tables::rules::Fen;
    use makruk_tables::value::Value;

    use super::super::record_rng::Stream;
    use super::*;

    /// How often each count is drawn.
    fn drawn(choice: CountChoice, fen: &str, distances: Distances) -> BTreeMap<(u32, u32), u32> {
        let fen: Fen = fen.parse().unwrap();
        let mut found = BTreeMap::new();
        for record in 0..20_000 {
            let mut rng = RecordRng::new(5, Stream::Records, record);
            let count = choice.draw(&mut rng, &CountingRules::MAKRUK, &fen.position, distances).unwrap();
            *found.entry((count.limit(), count.ply())).or_default() += 1;
        }
        found
    }

    fn limits(drawn: &BTreeMap<(u32, u32), u32>) -> BTreeMap<u32, (u32, u32, u32)> {
        let mut limits: BTreeMap<u32, (u32, u32, u32)> = BTreeMap::new();
        for (&(limit, ply), &times) in drawn {
            let entry = limits.entry(limit).or_insert((ply, ply, 0));
            *entry = (entry.0.min(ply), entry.1.max(ply), entry.2 + times);
        }
        limits
    }

    #[test]
    fn armed_sides_have_every_count_of_the_board() {
        let counts = drawn(CountChoice::Any, "8/8/8/8/8/4s1k1/4R3/K7 w", Distances::DRAW);
        assert_eq!(counts.len(), 129);
        assert_eq!(limits(&counts).keys().collect::<Vec<_>>(), [&128]);
        // 155 are expected of each; five standard deviations.
        assert!(counts.values().all(|&times| times.abs_diff(155) < 63), "{counts:?}");
    }

    #[test]
    fn a_bare_king_counts_from_the_capture_that_bared_it() {
        // Rook v king: limit 16 and from 6 on, the defender to move. With a man more: 8 with two rooks, from 4 men on.
        let counts = limits(&drawn(CountChoice::Any, "8/8/8/3k4/8/8/1R6/K7 b", Distances::DRAW));
        assert_eq!(counts.keys().copied().collect::<Vec<_>>(), [16, 32]);
        assert_eq!((counts[&16].0, counts[&16].1), (10, 16));
        assert_eq!((counts[&32].0, counts[&32].1), (6, 32));
        assert!(counts[&16].2.abs_diff(2500) < 250, "an eighth of the draws: {counts:?}");
        // The attacker to move: odd plies.
        let counts = drawn(CountChoice::Any, "8/8/8/3k4/8/8/1R6/K7 w", Distances::DRAW);
        assert!(counts.keys().all(|(_, ply)| ply % 2 == 1));
        let counts = limits(&counts);
        assert_eq!(((counts[&16].0, counts[&16].1), (counts[&32].0, counts[&32].1)), ((9, 15), (5, 31)));
        // Two rooks and two khons: a third rook or khon there never was.
        let counts = limits(&drawn(CountChoice::Any, "3k4/8/8/8/8/8/RR6/KSS5 b", Distances::DRAW));
        assert_eq!(counts.keys().copied().collect::<Vec<_>>(), [16]);
        assert_eq!((counts[&16].0, counts[&16].1), (12, 16));
    }

    #[test]
    fn counts_near_the_boundary_leave_about_the_moves_that_are_needed() {
        let distances = Distances { dtm: Value::Win(31), dtz: Value::Win(45) };
        let counts = drawn(CountChoice::Near, "8/8/8/8/8/4s1k1/4R3/K7 w", distances);
        let left: Vec<u32> = counts
            .keys()
            .map(|&(limit, ply)| Count::new(limit, ply).unwrap().attacker_moves_left(ToMove::Attacker))
            .collect();
        // 23 moves are needed.
        assert_eq!((left.iter().min(), left.iter().max(), counts.len()), (Some(&20), Some(&26), 14));
        // More moves than any count leaves, and no conversion.
        for distances in [Distances { dtm: Value::Win(301), dtz: Value::Win(301) }, Distances::DRAW] {
            assert_eq!(drawn(CountChoice::Near, "8/8/8/8/8/4s1k1/4R3/K7 w", distances).len(), 129);
        }
    }

    #[test]
    fn positions_without_a_count() {
        let mut rng = RecordRng::new(5, Stream::Records, 0);
        let armed: Fen = "8/8/8/8/8/4s1k1/4R3/K7 w".parse().unwrap();
        let mut draw = |choice: CountChoice, fen: &Fen, rules: &CountingRules| {
            choice.draw(&mut rng, rules, &fen.position, Distances::DRAW)
        };
        assert_eq!(draw(CountChoice::None, &armed, &CountingRules::MAKRUK), None);
        assert_eq!(draw(CountChoice::Any, &armed, &CountingRules::OUK), None);
        // Two rooks and six men more: the count began beyond its limit.
        let full: Fen = "3k4/8/8/8/8/8/RR6/KNNSSMM1 b".parse().unwrap();
        assert_eq!(draw(CountChoice::Any, &full, &CountingRules::MAKRUK), None);
    }
}
