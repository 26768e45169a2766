//! The record of a save, from which every output format is made.

use makruk_probe::{ProbeError, RankedMove, Sacrifice, SacrificeKind, SlabSource};
use serde::Serialize;

use crate::analysis::SaveAnalysis;

/// A position that a search found. Programs match these names; fields may be added, never changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FoundRecord<D> {
    /// The material's canonical name; White of the FEN is its first side.
    pub material: String,
    /// The side to move: `white` or `black`.
    pub side: &'static str,
    /// The number of the position's cell.
    pub number: u64,
    /// The position without a count; the count begins with the defender's next move.
    pub fen: String,
    /// The details from the tables; absent in a brief record.
    #[serde(flatten)]
    pub details: Option<D>,
}

/// A save. The side to move is the defender.
pub type SaveRecord = FoundRecord<SaveDetails>;

/// The details of a save from the tables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SaveDetails {
    /// Signed plies to mate without a count: negative.
    pub dtm: Option<i32>,
    /// Signed plies to the conversion; `null` if there is none.
    pub dtz: Option<i32>,
    /// The moves that the attacker is short; `null` if unknown.
    pub short_by: Option<u32>,
    /// Whether the side to move is in check.
    pub check: bool,
    /// The number of legal moves.
    pub legal_moves: u32,
    /// The moves that draw, best first: those that delay mate the longest.
    pub saving_moves: Vec<SavingMove>,
}

/// A move that draws.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SavingMove {
    /// UCI notation.
    pub uci: String,
    /// SAN.
    pub san: String,
    /// Signed plies to mate without a count, from the side that moves; `null` if the move draws without the count.
    pub dtm: Option<i32>,
    /// Whether it captures.
    pub capture: bool,
    /// Whether it gives check.
    pub check: bool,
    /// The sacrifice; `null` if the move is none.
    pub sacrifice: Option<SacrificeRecord>,
}

/// The sacrifice of a saving move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SacrificeRecord {
    /// The capture of the man, in SAN; of several the one with the shortest mate.
    pub capture: String,
    /// The man that is captured: `R`, `N`, `S`, `M` or `P`.
    pub given: char,
    /// Whether the man is the defender's last besides the king.
    pub last: bool,
    /// Whether the man is the one that moved. Otherwise another is abandoned.
    pub offered: bool,
    /// The kind of the sacrifice: `offer`, `exchange` or `lost_anyway`.
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
    pub fn brief<S: SlabSource>(found: &SaveAnalysis<'_, S>) -> FoundRecord<D> {
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
    pub fn full<S: SlabSource>(save: &SaveAnalysis<'_, S>) -> Result<SaveRecord, ProbeError> {
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
    fn new<S: SlabSource>(save: &SaveAnalysis<'_, S>, sacrifice: &Sacrifice) -> SacrificeRecord {
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
