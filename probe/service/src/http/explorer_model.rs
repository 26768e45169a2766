//! The JSON of the page's addresses: the fields of the other JSON, and more.

use makruk_tables::format::MaterialTotals;
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, Count, CountingRules, Fen, Game, IllegalPosition, Illegality, Move, PgnError};
use serde::Serialize;

use crate::http::game_error::GameErrorJson;
use crate::status::view::{ErrorPlace, build_command};
use makruk_probe::json::{
    ExploredMoveJson, JudgedMoveJson, LegalMoveJson, LineMoveJson, MistakeJson, MoveJson, PositionJson, SacrificeJson,
};
use makruk_probe::{JudgedMove, Mistake, RankedMove, Sacrifice, Verdict};
use makruk_research::ExampleSave;

/// Everything that the page shows of a position.
#[derive(Debug, Serialize)]
pub(crate) struct ExploredJson {
    /// The verdict, or the FEN and the side alone.
    #[serde(flatten)]
    position: PositionPart,
    /// Whether the side to move is in check.
    check: bool,
    /// The side that counts; `null` if neither side wins.
    counts: Option<&'static str>,
    /// Whether the count of the FEN is the winner's, who may stop it: the verdict is that for a count that begins now.
    count_stopped: bool,
    /// The count that would begin with the defender's next move; `null` with pawns or two bare kings.
    begins: Option<BeginsJson>,
    /// The reason why the position or its moves have no verdict.
    #[serde(flatten)]
    unjudged: Option<UnjudgedJson>,
    moves: Vec<ExploredMove>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum PositionPart {
    Judged(Box<PositionJson>),
    Unjudged { fen: String, side: &'static str },
}

/// A count that begins.
#[derive(Debug, Serialize)]
struct BeginsJson {
    limit: u32,
    ply: u32,
    /// The side that counts if its king is bare; `null` if either side may become the defender.
    counts: Option<&'static str>,
}

/// The reason why there is no verdict.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct UnjudgedJson {
    pub(crate) error: String,
    pub(crate) reason: String,
    /// The command that builds the missing or damaged table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) command: Option<String>,
    #[serde(flatten)]
    pub(crate) place: ErrorPlace,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum ExploredMove {
    Judged(Box<ExploredMoveJson>),
    Legal(UnjudgedMoveJson),
}

/// A legal move without a verdict, and the position after it.
#[derive(Debug, Serialize)]
struct UnjudgedMoveJson {
    #[serde(flatten)]
    mv: LegalMoveJson,
    fen: String,
}

impl ExploredJson {
    /// A position without a verdict.
    pub(crate) fn new(rules: &CountingRules, fen: &Fen) -> ExploredJson {
        let (board, turn) = (fen.position.board(), fen.position.turn());
        let begins = |count: Count| BeginsJson {
            limit: count.limit(),
            ply: count.ply(),
            counts: Color::ALL.into_iter().find(|&color| board.is_bare(color)).map(Color::name),
        };
        ExploredJson {
            position: PositionPart::Unjudged { fen: fen.to_string(), side: turn.name() },
            check: fen.position.is_check(),
            begins: rules.start(board, turn).map(begins),
            unjudged: None,
            moves: Vec::new(),
            counts: None,
            count_stopped: false,
        }
    }

    /// The same with the side that counts.
    pub(crate) fn counted_by(self, side: Option<Color>, is_stopped: bool) -> ExploredJson {
        ExploredJson { counts: side.map(Color::name), count_stopped: is_stopped, ..self }
    }

    pub(crate) fn judged(self, fen: &Fen, verdict: &Verdict) -> ExploredJson {
        ExploredJson { position: PositionPart::Judged(Box::new(PositionJson::new(fen, verdict, None))), ..self }
    }

    pub(crate) fn failed(self, why: &UnjudgedJson) -> ExploredJson {
        ExploredJson { unjudged: Some(why.clone()), ..self }
    }

    /// The same with ranked moves of `root`, whose count is resolved.
    pub(crate) fn with_moves(
        self,
        rules: &CountingRules,
        root: &Fen,
        moves: &[RankedMove],
        mistake: impl Fn(&RankedMove) -> Option<Mistake>,
        sacrifices: &[Sacrifice],
    ) -> ExploredJson {
        let json = |mv: &RankedMove| {
            let sacrifice = sacrifices.iter().find(|sacrifice| sacrifice.mv == mv.mv);
            ExploredMove::Judged(Box::new(ExploredMoveJson {
                mv: LineMoveJson {
                    mv: MoveJson::new(&root.position, mv),
                    attacker_moves_left: mv.attacker_moves_left(),
                    fen: root.play(rules, mv.mv).to_string(),
                },
                mistake: MistakeJson::new(mistake(mv)),
                sacrifice: sacrifice.map(|sacrifice| SacrificeJson::new(&root.position, sacrifice)),
            }))
        };
        ExploredJson { moves: moves.iter().map(json).collect(), ..self }
    }

    pub(crate) fn with_legal_moves(self, rules: &CountingRules, root: &Fen) -> ExploredJson {
        let json = |mv: Move| {
            let fen = root.play(rules, mv).to_string();
            ExploredMove::Legal(UnjudgedMoveJson { mv: LegalMoveJson::new(&root.position, mv), fen })
        };
        ExploredJson { moves: root.position.legal_moves().into_iter().map(json).collect(), ..self }
    }
}

/// An illegal position, and every rule that it breaks.
#[derive(Debug, Serialize)]
pub(crate) struct IllegalJson {
    fen: String,
    error: String,
    reason: &'static str,
    problems: Vec<ProblemJson>,
}

/// A rule that a position breaks.
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
    pub(crate) fn new(text: &str, illegal: &IllegalPosition) -> IllegalJson {
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
pub(crate) struct GamesJson {
    pub(crate) games: Vec<GameJson>,
}

/// A game, or the reason why it cannot be read.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum GameJson {
    Read {
        /// The number of the game, from 1.
        game: usize,
        /// Pairs of a name and a value, in order.
        tags: Vec<(String, String)>,
        result: String,
        positions: Vec<GamePositionJson>,
    },
    Failed(GameErrorJson),
}

impl GameJson {
    pub(crate) fn new(number: usize, game: &Game, positions: Vec<GamePositionJson>) -> GameJson {
        GameJson::Read { game: number, tags: game.tags.clone(), result: game.result.to_string(), positions }
    }

    pub(crate) fn failed(number: usize, error: &PgnError) -> GameJson {
        GameJson::Failed(GameErrorJson::new(number, error))
    }
}

/// A position of a game, with or without a verdict.
#[derive(Debug, Serialize)]
pub(crate) struct GamePositionJson {
    /// Plies before the position.
    ply: usize,
    /// The number of times that the position has occurred in the game; the third time draws the game.
    occurrence: u32,
    #[serde(flatten)]
    position: PositionPart,
    #[serde(flatten)]
    unjudged: Option<UnjudgedJson>,
    /// The move that was played; `null` in the last position.
    played: Option<PlayedInGame>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum PlayedInGame {
    Judged(JudgedMoveJson),
    Legal { uci: String, san: String },
}

impl GamePositionJson {
    pub(crate) fn new(
        ply: usize,
        occurrence: u32,
        fen: &Fen,
        mv: Option<Move>,
        outcome: Result<(Verdict, Option<JudgedMove>), UnjudgedJson>,
    ) -> GamePositionJson {
        let legal = || mv.map(|mv| PlayedInGame::Legal { uci: mv.to_string(), san: mv.to_san(&fen.position) });
        let (position, played, unjudged) = match outcome {
            Ok((verdict, played)) => {
                let played = played.map(|played| PlayedInGame::Judged(JudgedMoveJson::new(&played)));
                (PositionPart::Judged(Box::new(PositionJson::new(fen, &verdict, None))), played.or_else(legal), None)
            }
            Err(why) => {
                let position = PositionPart::Unjudged { fen: fen.to_string(), side: fen.position.turn().name() };
                (position, legal(), Some(why))
            }
        };
        GamePositionJson { ply, occurrence, position, unjudged, played }
    }
}

/// Materials by number of men, then by name.
#[derive(Debug, Serialize)]
pub(crate) struct MaterialsJson {
    pub(crate) sets: Vec<MaterialJson>,
}

/// A material, with or without tables.
#[derive(Debug, Serialize)]
pub(crate) struct MaterialJson {
    material: String,
    men: usize,
    /// The command that builds its tables, if they are missing.
    command: Option<String>,
    /// The totals of its tables, if they are present.
    totals: Option<MaterialTotalsJson>,
}

/// The totals of a material's tables, both sides to move taken together.
#[derive(Debug, Serialize)]
struct MaterialTotalsJson {
    bytes: u64,
    white_wins: u64,
    black_wins: u64,
    draws: u64,
    /// Wins within the count, if it begins now.
    within_count: u64,
    /// The longest distance to mate without a count, in moves.
    mate_moves: u16,
    /// The longest distance to the conversion that the count allows, in moves.
    event_moves: u16,
}

impl MaterialJson {
    pub(crate) fn new(material: Material, totals: Option<&MaterialTotals>) -> MaterialJson {
        let json = |totals: &MaterialTotals| MaterialTotalsJson {
            bytes: totals.bytes,
            white_wins: totals.white,
            black_wins: totals.black,
            draws: totals.drawn,
            within_count: totals.within_count,
            mate_moves: totals.longest_mate,
            event_moves: totals.longest_conversion,
        };
        MaterialJson {
            material: material.to_string(),
            men: material.men(),
            command: totals.is_none().then(|| build_command(material)),
            totals: totals.map(json),
        }
    }
}

/// Some count saves of a material.
#[derive(Debug, Serialize)]
pub(crate) struct SavesJson {
    material: String,
    saves: Vec<SaveJson>,
}

/// A count save.
#[derive(Debug, Serialize)]
struct SaveJson {
    fen: String,
    /// The number of moves that draw.
    drawing_moves: usize,
    /// The number of legal moves.
    legal_moves: usize,
    /// Whether one of the drawing moves is a sacrifice.
    sacrifice: bool,
}

impl SavesJson {
    pub(crate) fn new(material: Material, found: &[ExampleSave]) -> SavesJson {
        let json = |found: &ExampleSave| SaveJson {
            fen: found.fen.to_string(),
            drawing_moves: found.drawing,
            legal_moves: found.legal,
            sacrifice: found.offers || found.abandons,
        };
        SavesJson { material: material.to_string(), saves: found.iter().map(json).collect() }
    }
}
