//! One game, judged by the rules alone: no tables, no evaluation, no agreement.

use std::fmt;
use std::time::Duration;

use anyhow::{Context, Result};
use makruk_tables::rules::{Color, CountingRules, Fen, Move, Repetitions};

/// A game that reaches this number of plies is a draw by length.
pub const MOST_PLIES: usize = 1000;

/// The reply of an engine.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    /// The move in UCI notation.
    pub mv: String,
    /// The nodes of the search.
    pub nodes: u64,
    /// The probes of tables that succeeded.
    pub table_hits: u64,
    /// The last score of the search.
    pub score: Option<Score>,
}

/// A score of the UCI protocol, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Mate in this number of moves, negative if the side to move is mated.
    Mate(i32),
}

impl Score {
    /// Engines show a win that the tables know and whose mate they do not as a score beyond this.
    pub const TABLE_WIN: i32 = 10_000;

    /// Reads a score from the words after `score`.
    pub fn read<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<Score> {
        let kind = words.next()?;
        let number = words.next()?.parse().ok()?;
        match kind {
            "cp" => Some(Score::Centipawns(number)),
            "mate" => Some(Score::Mate(number)),
            _ => None,
        }
    }

    /// The winner if the score is proven: by mate, or by a win of the tables. A score of 0 may be a draw of the tables.
    pub fn proven(self) -> Option<i32> {
        match self {
            Score::Mate(moves) => Some(moves.signum()),
            Score::Centipawns(score) if score.abs() >= Score::TABLE_WIN => Some(score.signum()),
            Score::Centipawns(_) => None,
        }
    }
}

/// One side of a game.
pub trait Player {
    /// A short name.
    fn name(&self) -> &str;
    /// Prepares for another game. A player whose effort varies at random takes its random numbers from the seed.
    ///
    /// # Errors
    ///
    /// If the player has ended.
    fn new_game(&mut self, seed: u64) -> Result<()>;
    /// The move after a position and moves.
    ///
    /// # Errors
    ///
    /// If no move comes in time.
    fn reply(&mut self, start: &Fen, moves: &[String]) -> Result<Reply>;
    /// The processor time used so far.
    ///
    /// # Errors
    ///
    /// If the player has ended.
    fn processor_time(&self) -> Result<Duration>;
}

/// The rule that ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Checkmate.
    Mate,
    /// A draw by the count: no mate came in time.
    Count,
    /// Stalemate.
    Stalemate,
    /// The same position for the third time.
    Repetition,
    /// Two bare kings.
    BareKings,
    /// [`MOST_PLIES`] plies.
    Length,
}

impl Ending {
    /// Every ending.
    pub const ALL: [Ending; 6] =
        [Ending::Mate, Ending::Count, Ending::Stalemate, Ending::Repetition, Ending::BareKings, Ending::Length];

    /// One word.
    pub const fn name(self) -> &'static str {
        match self {
            Ending::Mate => "mate",
            Ending::Count => "count",
            Ending::Stalemate => "stalemate",
            Ending::Repetition => "repetition",
            Ending::BareKings => "bare-kings",
            Ending::Length => "length",
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The side that mated; `None` for a draw.
    pub winner: Option<Color>,
    /// The rule.
    pub ending: Ending,
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// The result.
    pub outcome: Outcome,
    /// The moves in UCI notation.
    pub moves: Vec<String>,
    /// The effort of the player that began, and of the other.
    pub effort: [Effort; 2],
}

/// The effort of a player in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Processor time.
    pub processor_time: Duration,
    /// Nodes of all searches.
    pub nodes: u64,
    /// Probes of tables that succeeded.
    pub table_hits: u64,
    /// Moves made.
    pub moves: u64,
}

/// The outcome if the game is over in this position.
pub fn outcome(fen: &Fen, occurrences: u32) -> Option<Outcome> {
    let position = &fen.position;
    let draw = |ending| Some(Outcome { winner: None, ending });
    let mate = position.is_checkmate();
    if let Some(count) = fen.count
        && count.draws(mate)
    {
        return draw(Ending::Count);
    }
    if mate {
        return Some(Outcome { winner: Some(!position.turn()), ending: Ending::Mate });
    }
    if position.is_stalemate() {
        return draw(Ending::Stalemate);
    }
    if Color::ALL.iter().all(|&side| position.board().is_bare(side)) {
        return draw(Ending::BareKings);
    }
    if occurrences >= makruk_tables::rules::REPETITIONS_TO_DRAW {
        return draw(Ending::Repetition);
    }
    None
}

/// Plays a game. The first player has the move. Both get the seed. `watch` gets every position, and stops the game if
/// it returns `false`.
///
/// # Errors
///
/// If a player ends, answers too late, or makes a move that is not legal; the error names player, position and moves.
pub fn play(
    start: &Fen,
    players: [&mut dyn Player; 2],
    seed: u64,
    mut watch: impl FnMut(&Fen) -> bool,
) -> Result<Option<PlayedGame>> {
    let mut fen = start.clone();
    let mut moves: Vec<String> = Vec::new();
    let mut effort = [Effort::default(); 2];
    let mut repetitions = Repetitions::new();
    let mut begun = [Duration::ZERO; 2];
    for side in 0..2 {
        players[side].new_game(seed)?;
        begun[side] = players[side].processor_time()?;
    }
    loop {
        let over = outcome(&fen, repetitions.record(&fen.position))
            .or((moves.len() >= MOST_PLIES).then_some(Outcome { winner: None, ending: Ending::Length }));
        if let Some(outcome) = over {
            for side in 0..2 {
                effort[side].processor_time = players[side].processor_time()?.saturating_sub(begun[side]);
            }
            return Ok(Some(PlayedGame { outcome, moves, effort }));
        }
        if !watch(&fen) {
            return Ok(None);
        }
        let side = moves.len() % 2;
        let reply = players[side].reply(start, &moves);
        let game = || format!("{} to move in {fen}, from {start} by {}", players[side].name(), moves.join(" "));
        let reply = reply.with_context(game)?;
        let mv = Move::from_uci(&fen.position, &reply.mv).with_context(|| format!("{:?}: {}", reply.mv, game()))?;
        effort[side].nodes += reply.nodes;
        effort[side].table_hits += reply.table_hits;
        effort[side].moves += 1;
        fen = fen.play(&CountingRules::MAKRUK, mv);
        moves.push(reply.mv);
    }
}
