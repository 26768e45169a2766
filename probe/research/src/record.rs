//! The record of a save, from which every output format is made.

use makruk_probe::{ProbeError, RankedMove, Sacrifice, SacrificeKind, ValueSource};
use serde::Serialize;

use crate::analysis::SaveAnalysis;

/// A position that a search found. No count runs: it begins with the next move of the defender.
///
/// Programs match these names; fields may be added, never changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "FoundPosition"))]
pub struct FoundRecord<D> {
    /// The canonical name of the material; White of the FEN is its first side.
    pub material: String,
    /// The side to move.
    #[cfg_attr(feature = "schema", schemars(with = "makruk_rules::Color"))]
    pub side: &'static str,
    /// The number of the position's cell in its table; all images of a position share it.
    pub number: u64,
    /// The position.
    pub fen: String,
    /// The details from the tables; absent in a brief record.
    #[serde(flatten)]
    pub details: Option<D>,
}

/// A save. The side to move is the defender.
pub type SaveRecord = FoundRecord<SaveDetails>;

/// The details of a count save.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SaveDetails {
    /// Signed plies to mate, without a count: negative.
    pub dtm: Option<i32>,
    /// Signed plies to the conversion that the count allows; `null` if no conversion can be forced.
    pub dtz: Option<i32>,
    /// The moves that the attacker lacks; `null` if unknown.
    pub short_by: Option<u32>,
    /// Whether the side to move is in check.
    pub check: bool,
    /// The number of legal moves.
    pub legal_moves: u32,
    /// The moves that draw, the longest DTM first.
    pub saving_moves: Vec<SavingMove>,
}

/// A move that draws.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SavingMove {
    /// UCI notation, such as `e2e3` or, for a promotion, `e5e6m`.
    pub uci: String,
    /// SAN in the letters K R N S M, with + and #, such as `Rxe3+` or `e6=M`.
    pub san: String,
    /// Signed plies to mate without a count, from the side that moves; `null` if the move draws without the count.
    pub dtm: Option<i32>,
    /// Whether the move captures a man.
    pub capture: bool,
    /// Whether the move gives check.
    pub check: bool,
    /// The man that the move gives; `null` if it gives none.
    pub sacrifice: Option<SacrificeRecord>,
}

/// The man that a saving move gives: the capture wins without the count, but not with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SacrificeRecord {
    /// The capture of the man, in SAN; of several the one with the shortest mate.
    pub capture: String,
    /// The man that is captured.
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("enum" = ["R", "N", "S", "M", "P"])))]
    pub given: char,
    /// Whether the man is the defender's last besides the king.
    pub last: bool,
    /// Whether the man is the one that moved. Otherwise another is abandoned.
    pub offered: bool,
    /// The kind of the sacrifice.
    pub kind: SacrificeKind,
    /// The attacker's moves to mate after the capture, without a count.
    pub needed: u32,
    /// The attacker's moves that the count leaves after the capture; `null` if no count runs.
    pub left: Option<u32>,
}

impl<D> FoundRecord<D> {
    /// The position's cell, written as a [`Cursor`](super::Cursor): `KRRvKR:black:123456`.
    pub fn cursor(&self) -> String {
        format!("{}:{}:{}", self.material, self.side, self.number)
    }

    /// The record without details; no table is read.
    pub fn brief<S: ValueSource>(found: &SaveAnalysis<'_, S>) -> FoundRecord<D> {
        let found = found.save();
        FoundRecord {
            material: found.cursor.material.to_string(),
            side: found.cursor.side.name(),
            number: found.cursor.number,
            fen: found.fen().to_string(),
            details: None,
        }
    }
}

impl SaveRecord {
    /// The record with details.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged.
    pub fn full<S: ValueSource>(save: &SaveAnalysis<'_, S>) -> Result<SaveRecord, ProbeError> {
        let (position, distances) = (save.position(), save.distances()?);
        let sacrifices = save.sacrifices()?;
        let saving_move = |ranked: RankedMove| {
            let sacrifice = sacrifices.iter().find(|sacrifice| sacrifice.mv == ranked.mv);
            SavingMove {
                uci: ranked.mv.to_string(),
                san: ranked.san(position),
                dtm: ranked.dtm.signed_plies(),
                capture: ranked.capture,
                check: position.play(ranked.mv).is_check(),
                sacrifice: sacrifice.map(|sacrifice| SacrificeRecord::new(save, sacrifice)),
            }
        };
        let details = SaveDetails {
            dtm: distances.dtm.signed_plies(),
            dtz: distances.dtz.signed_plies(),
            short_by: save.short_by()?,
            check: position.is_check(),
            legal_moves: save.legal_moves().len() as u32,
            saving_moves: save.ranked_saving_moves()?.into_iter().map(saving_move).collect(),
        };
        Ok(SaveRecord { details: Some(details), ..SaveRecord::brief(save) })
    }
}

impl SacrificeRecord {
    fn new<S: ValueSource>(save: &SaveAnalysis<'_, S>, sacrifice: &Sacrifice) -> SacrificeRecord {
        let (role, last) = save.sacrificed(sacrifice);
        SacrificeRecord {
            capture: sacrifice.capture.to_san(&save.position().play(sacrifice.mv)),
            given: role.letter(),
            last,
            offered: sacrifice.offered,
            kind: sacrifice.kind,
            needed: sacrifice.needed,
            left: sacrifice.left,
        }
    }
}

impl SaveDetails {
    /// The saving move that a format with room for one shows: an offered man before an abandoned one, the last man
    /// before others; without a sacrifice, the first move.
    pub fn principal_move(&self) -> Option<&SavingMove> {
        self.saving_moves.iter().min_by_key(|mv| match &mv.sacrifice {
            Some(given) => (0, !given.offered, !given.last),
            None => (1, false, false),
        })
    }
}
