//! What the page is told: names are those of the rest of the JSON, with more beside them.

use makruk_tables::format::Summary;
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, Count, CountingRules, Fen, Game, IllegalPosition, Illegality, Move, PgnError};
use serde::Serialize;

use super::saves::Found;
use super::status::build_command;
use makruk_probe::json::{MoveJson, PlayedMoveJson, PositionJson};
use makruk_probe::{Mistake, Played, RankedMove, Sacrifice, Verdict};

/// All there is to show of a position.
#[derive(Debug, Serialize)]
pub(super) struct ExploredJson {
    /// Without a verdict only the FEN and the side.
    #[serde(flatten)]
    position: Position,
    /// Does the side to move stand in check?
    check: bool,
    /// The count that would begin with the loser's next move; `null` with pawns or two bare kings.
    begins: Option<BeginsJson>,
    /// Why there is no verdict, or why the moves have none.
    #[serde(flatten)]
    unjudged: Option<UnjudgedJson>,
    moves: Vec<ExploredMove>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Position {
    Judged(Box<PositionJson>),
    Unjudged { fen: String, side: &'static str },
}

/// A count that begins.
#[derive(Debug, Serialize)]
struct BeginsJson {
    limit: u32,
    ply: u32,
    /// The side that counts if its king is bare; `null` where either may come to.
    counts: Option<&'static str>,
}

/// Why there is no verdict.
#[derive(Clone, Debug, Serialize)]
pub(super) struct UnjudgedJson {
    pub(super) error: String,
    pub(super) reason: String,
    /// What builds the table that is missing or damaged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) command: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum ExploredMove {
    Judged(ExploredMoveJson),
    Legal(LegalMoveJson),
}

/// A legal move that has no verdict.
#[derive(Debug, Serialize)]
struct LegalMoveJson {
    uci: String,
    san: String,
    capture: bool,
    /// The position after it.
    fen: String,
}

/// A move and all that can be said of it.
#[derive(Debug, Serialize)]
struct ExploredMoveJson {
    #[serde(flatten)]
    mv: MoveJson,
    attacker_moves_left: Option<u32>,
    fen: String,
    gave_away: Option<&'static str>,
    lost_moves: Option<u32>,
    /// What it gives up, of a move that saves the draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    sacrifice: Option<SacrificeJson>,
}

/// What a move gives up.
#[derive(Debug, Serialize)]
struct SacrificeJson {
    /// The capture, in SAN.
    capture: String,
    /// Is it the man that moved which is taken? Else one is left behind.
    offered: bool,
    /// The attacker's moves to mate after the capture, and those that the count leaves.
    needed: u32,
    left: Option<u32>,
}

impl ExploredJson {
    /// A position without a verdict.
    pub(super) fn new(rules: &CountingRules, fen: &Fen) -> ExploredJson {
        let (board, turn) = (fen.position.board(), fen.position.turn());
        let begins = |count: Count| BeginsJson {
            limit: count.limit(),
            ply: count.ply(),
            counts: Color::ALL.into_iter().find(|&color| board.is_bare(color)).map(Color::name),
        };
        ExploredJson {
            position: Position::Unjudged { fen: fen.to_string(), side: turn.name() },
            check: fen.position.is_check(),
            begins: rules.start(board, turn).map(begins),
            unjudged: None,
            moves: Vec::new(),
        }
    }

    pub(super) fn judged(self, fen: &Fen, verdict: &Verdict) -> ExploredJson {
        ExploredJson { position: Position::Judged(Box::new(PositionJson::new(fen, verdict, None))), ..self }
    }

    pub(super) fn failed(self, why: &UnjudgedJson) -> ExploredJson {
        ExploredJson { unjudged: Some(why.clone()), ..self }
    }

    /// With ranked moves of `root`, whose count is resolved.
    pub(super) fn with_moves(
        self,
        rules: &CountingRules,
        root: &Fen,
        moves: &[RankedMove],
        mistake: impl Fn(&RankedMove) -> Option<Mistake>,
        sacrifices: &[Sacrifice],
    ) -> ExploredJson {
        let told = |mv: &RankedMove| {
            let (after, mistake) = (root.play(rules, mv.mv), mistake(mv));
            let sacrifice = sacrifices.iter().find(|sacrifice| sacrifice.mv == mv.mv);
            ExploredMove::Judged(ExploredMoveJson {
                mv: MoveJson::new(&root.position, mv),
                attacker_moves_left: mv.attacker_moves_left(),
                gave_away: mistake.map(Mistake::name),
                lost_moves: mistake.and_then(Mistake::lost_moves),
                sacrifice: sacrifice.map(|sacrifice| SacrificeJson {
                    capture: sacrifice.capture.to_san(&after.position),
                    offered: sacrifice.offered,
                    needed: sacrifice.needed,
                    left: sacrifice.left,
                }),
                fen: after.to_string(),
            })
        };
        ExploredJson { moves: moves.iter().map(told).collect(), ..self }
    }

    pub(super) fn with_legal_moves(self, rules: &CountingRules, root: &Fen) -> ExploredJson {
        let told = |mv: Move| {
            ExploredMove::Legal(LegalMoveJson {
                uci: mv.to_string(),
                san: mv.to_san(&root.position),
                capture: root.position.captured(mv).is_some(),
                fen: root.play(rules, mv).to_string(),
            })
        };
        ExploredJson { moves: root.position.legal_moves().into_iter().map(told).collect(), ..self }
    }
}

/// A board that breaks the rules, and each way in which it does.
#[derive(Debug, Serialize)]
pub(super) struct IllegalJson {
    fen: String,
    error: String,
    reason: &'static str,
    problems: Vec<ProblemJson>,
}

/// A way in which a board breaks the rules.
#[derive(Debug, Serialize)]
#[serde(tag = "problem", rename_all = "snake_case")]
enum ProblemJson {
    MissingKing { side: &'static str },
    TooMany { side: &'static str, role: &'static str, found: u32, most: u32 },
    TouchingKings,
    OppositeCheck { side: &'static str },
    PawnBeyondPromotion { square: String },
}

impl IllegalJson {
    pub(super) fn new(text: &str, illegal: &IllegalPosition) -> IllegalJson {
        let problem = |problem: &Illegality| match *problem {
            Illegality::MissingKing(color) => ProblemJson::MissingKing { side: color.name() },
            Illegality::TooMany(piece, found, most) => {
                ProblemJson::TooMany { side: piece.color.name(), role: piece.role.name(), found, most }
            }
            Illegality::TouchingKings => ProblemJson::TouchingKings,
            Illegality::OppositeCheck(color) => ProblemJson::OppositeCheck { side: color.name() },
            Illegality::PawnBeyondPromotion(square) => ProblemJson::PawnBeyondPromotion { square: square.to_string() },
        };
        IllegalJson {
            fen: text.to_owned(),
            error: format!("the position is illegal: {illegal}"),
            reason: "illegal_position",
            problems: illegal.reasons.iter().map(problem).collect(),
        }
    }
}

/// Games, in order.
#[derive(Debug, Serialize)]
pub(super) struct GamesJson {
    pub(super) games: Vec<GameJson>,
}

/// A game, or why it can't be read.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum GameJson {
    Read {
        /// Its number, the first being 1.
        game: usize,
        /// Names and values, in order.
        tags: Vec<(String, String)>,
        result: String,
        positions: Vec<GamePositionJson>,
    },
    Failed {
        game: usize,
        error: String,
        reason: &'static str,
    },
}

impl GameJson {
    pub(super) fn new(number: usize, game: &Game, positions: Vec<GamePositionJson>) -> GameJson {
        GameJson::Read { game: number, tags: game.tags.clone(), result: game.result.to_string(), positions }
    }

    pub(super) fn failed(number: usize, error: &PgnError) -> GameJson {
        GameJson::Failed { game: number, error: error.to_string(), reason: "bad_pgn" }
    }
}

/// A position of a game, covered by the tables or not.
#[derive(Debug, Serialize)]
pub(super) struct GamePositionJson {
    /// Plies played before it.
    ply: usize,
    #[serde(flatten)]
    position: Position,
    #[serde(flatten)]
    unjudged: Option<UnjudgedJson>,
    /// The move played, `null` after the last.
    played: Option<PlayedInGame>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum PlayedInGame {
    Judged(PlayedMoveJson),
    Legal { uci: String, san: String },
}

impl GamePositionJson {
    pub(super) fn new(
        ply: usize,
        fen: &Fen,
        mv: Option<Move>,
        outcome: Result<(Verdict, Option<Played>), UnjudgedJson>,
    ) -> GamePositionJson {
        let legal = || mv.map(|mv| PlayedInGame::Legal { uci: mv.to_string(), san: mv.to_san(&fen.position) });
        let (position, played, unjudged) = match outcome {
            Ok((verdict, played)) => {
                let played = played.map(|played| PlayedInGame::Judged(PlayedMoveJson::new(&fen.position, &played)));
                (Position::Judged(Box::new(PositionJson::new(fen, &verdict, None))), played.or_else(legal), None)
            }
            Err(why) => {
                let position = Position::Unjudged { fen: fen.to_string(), side: fen.position.turn().name() };
                (position, legal(), Some(why))
            }
        };
        GamePositionJson { ply, position, unjudged, played }
    }
}

/// Sets, by the number of men, then by name.
#[derive(Debug, Serialize)]
pub(super) struct SetsJson {
    pub(super) sets: Vec<SetJson>,
}

/// A set, its tables there or not.
#[derive(Debug, Serialize)]
pub(super) struct SetJson {
    material: String,
    men: usize,
    /// What builds it, if it is not there.
    command: Option<String>,
    /// What it comes to, if it is.
    totals: Option<SetTotalsJson>,
}

/// What a set comes to, both sides to move taken together.
#[derive(Debug, Serialize)]
struct SetTotalsJson {
    bytes: u64,
    white_wins: u64,
    black_wins: u64,
    draws: u64,
    /// The wins that the count, begun now, leaves time for.
    within_count: u64,
    /// The longest way to mate without a count, and to the event that settles the count, in moves.
    mate_moves: u16,
    event_moves: u16,
}

impl SetJson {
    pub(super) fn new(material: Material, totals: Option<&Summary>) -> SetJson {
        let told = |totals: &Summary| SetTotalsJson {
            bytes: totals.bytes,
            white_wins: totals.white,
            black_wins: totals.black,
            draws: totals.drawn,
            within_count: totals.within_count,
            mate_moves: totals.longest_mate,
            event_moves: totals.longest_event,
        };
        SetJson {
            material: material.to_string(),
            men: material.men(),
            command: totals.is_none().then(|| build_command(material)),
            totals: totals.map(told),
        }
    }
}

/// Some saves of a set.
#[derive(Debug, Serialize)]
pub(super) struct SavesJson {
    material: String,
    saves: Vec<SaveJson>,
}

/// A save.
#[derive(Debug, Serialize)]
struct SaveJson {
    fen: String,
    /// Moves that keep the draw, and all that are legal.
    drawing_moves: usize,
    legal_moves: usize,
    /// Is a man given up by one of them?
    sacrifice: bool,
}

impl SavesJson {
    pub(super) fn new(material: Material, found: &[Found]) -> SavesJson {
        let told = |found: &Found| SaveJson {
            fen: found.fen.to_string(),
            drawing_moves: found.drawing,
            legal_moves: found.legal,
            sacrifice: found.offers || found.abandons,
        };
        SavesJson { material: material.to_string(), saves: found.iter().map(told).collect() }
    }
}
