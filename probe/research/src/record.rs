//! What is told of a save, in any form.

use serde::Serialize;

use super::{Look, SlabSource};
use makruk_probe::{ProbeError, RankedMove, Sacrifice};

/// A save. Programs match these names; fields may be added, never changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SaveRecord {
    /// The set's canonical name; White of the FEN is its first side.
    pub material: String,
    /// The side to move, which saves itself: `white` or `black`.
    pub side: &'static str,
    /// The position's number in its table.
    pub number: u64,
    /// The position, no count running: it begins with this side's move.
    pub fen: String,
    /// What it takes the tables to tell; absent if that was not wanted.
    #[serde(flatten)]
    pub details: Option<SaveDetails>,
}

/// What the tables tell of a save.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SaveDetails {
    /// Signed plies to mate without a count: negative.
    pub dtm: Option<i32>,
    /// Signed plies to the event that settles the count; `null` where there is none.
    pub dtz: Option<i32>,
    /// Moves that the attacker lacks; `null` where it can't be told.
    pub short_by: Option<u32>,
    /// Does the side to move stand in check?
    pub check: bool,
    /// How many moves are legal.
    pub legal_moves: u32,
    /// The moves that draw, best first: those that put off mate the longest.
    pub saving_moves: Vec<SavingMove>,
}

/// A move that draws.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SavingMove {
    /// UCI notation.
    pub uci: String,
    /// SAN.
    pub san: String,
    /// Signed plies to mate without a count, from the side that moves; `null` if nobody wins any more.
    pub dtm: Option<i32>,
    /// Does it take a man?
    pub capture: bool,
    /// Does it give check?
    pub check: bool,
    /// What it gives up; `null` if nothing.
    pub sacrifice: Option<GivenUp>,
}

/// What a saving move gives up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GivenUp {
    /// The capture that comes closest, in SAN.
    pub capture: String,
    /// The man that is taken: `R`, `N`, `S` or `M`.
    pub given: char,
    /// Is it the last besides the king?
    pub last: bool,
    /// Is it the man that moved? Else another is abandoned.
    pub offered: bool,
    /// The attacker's moves to mate after the capture, no count.
    pub needed: u32,
    /// The attacker's moves that the count leaves then.
    pub left: Option<u32>,
}

impl SaveRecord {
    /// Where the save is found, as a [`Cursor`](super::Cursor) is written: `KRRvKR:black:123456`.
    pub fn cursor(&self) -> String {
        format!("{}:{}:{}", self.material, self.side, self.number)
    }

    /// The place alone: no table is asked.
    pub fn brief<S: SlabSource>(look: &Look<'_, S>) -> SaveRecord {
        let found = look.found();
        SaveRecord {
            material: found.cursor.material.to_string(),
            side: found.cursor.side.name(),
            number: found.cursor.number,
            fen: found.fen().to_string(),
            details: None,
        }
    }

    /// With what the tables tell.
    ///
    /// # Errors
    ///
    /// If a table that has to be asked is missing or damaged.
    pub fn full<S: SlabSource>(look: &Look<'_, S>) -> Result<SaveRecord, ProbeError> {
        let (position, distances) = (look.position(), look.distances()?);
        let sacrifices = look.sacrifices()?;
        let saving = |ranked: RankedMove| {
            let sacrifice = sacrifices.iter().find(|sacrifice| sacrifice.mv == ranked.mv);
            SavingMove {
                uci: ranked.mv.to_string(),
                san: ranked.san(position),
                dtm: ranked.dtm.signed_plies(),
                capture: ranked.capture,
                check: position.play(ranked.mv).is_check(),
                sacrifice: sacrifice.map(|sacrifice| GivenUp::new(look, sacrifice)),
            }
        };
        let details = SaveDetails {
            dtm: distances.dtm.signed_plies(),
            dtz: distances.dtz.signed_plies(),
            short_by: look.short_by()?,
            check: position.is_check(),
            legal_moves: look.legal().len() as u32,
            saving_moves: look.ranked()?.into_iter().map(saving).collect(),
        };
        Ok(SaveRecord { details: Some(details), ..SaveRecord::brief(look) })
    }
}

impl GivenUp {
    fn new<S: SlabSource>(look: &Look<'_, S>, sacrifice: &Sacrifice) -> GivenUp {
        let (role, last) = look.given(sacrifice);
        GivenUp {
            capture: sacrifice.capture.to_san(&look.position().play(sacrifice.mv)),
            given: role.letter(),
            last,
            offered: sacrifice.offered,
            needed: sacrifice.needed,
            left: sacrifice.left,
        }
    }
}

impl SaveDetails {
    /// The saving move that tells most: one that offers a man before one that leaves another, the last man first; without
    /// any, the first.
    pub fn telling(&self) -> Option<&SavingMove> {
        self.saving_moves.iter().min_by_key(|mv| match &mv.sacrifice {
            Some(given) => (0, !given.offered, !given.last),
            None => (1, false, false),
        })
    }
}
