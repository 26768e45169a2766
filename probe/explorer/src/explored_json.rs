//! Everything that a page shows about a position, as JSON.

use makruk_probe::json::{
    ExploredMoveJson, LegalMoveJson, LineMoveJson, MistakeJson, MoveJson, PositionJson, SacrificeJson,
};
use makruk_probe::{Mistake, RankedMove, Sacrifice, Verdict};
use makruk_tables::rules::{Color, Count, CountingRules, Fen, Move, Reading};
use serde::Serialize;

use crate::UnjudgedJson;

/// Everything that the page shows about a position.
#[derive(Debug, Serialize)]
pub struct ExploredJson {
    /// The verdict, or the FEN and the side alone.
    #[serde(flatten)]
    position: PositionPart,
    /// What was dropped from the text of the position or assumed in reading it; left out if there is nothing to say.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
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
pub(crate) enum PositionPart {
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
    pub(crate) fn new(rules: &CountingRules, reading: &Reading) -> ExploredJson {
        let fen = &reading.fen;
        let (board, turn) = (fen.position.board(), fen.position.turn());
        let begins = |count: Count| BeginsJson {
            limit: count.limit(),
            ply: count.ply(),
            counts: Color::ALL.into_iter().find(|&color| board.is_bare(color)).map(Color::name),
        };
        ExploredJson {
            position: PositionPart::Unjudged { fen: fen.to_string(), side: turn.name() },
            notes: reading.sentences(),
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
