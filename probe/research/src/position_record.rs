//! The record of a position that a search found, of any kind.

use makruk_probe::{Category, ProbeError, ValueSource};
use makruk_rules::Position;
use makruk_tables::material::Material;
use makruk_tables::value::MovesLeft;
use serde::Serialize;

use crate::analysis::SaveAnalysis;
use crate::kind::PositionKind;
use crate::record::{FoundRecord, SaveDetails, SaveRecord};
use crate::win::{KeepingMove, WinDetails};
use crate::zugzwang::MutualZugzwang;

/// A position of any kind.
pub type PositionRecord = FoundRecord<PositionDetails>;

/// The details of a position, by its kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum PositionDetails {
    /// Of a save.
    Save(SaveDetails),
    /// Of a win.
    Win(WinDetails),
    /// Of a mutual zugzwang.
    Zugzwang(ZugzwangDetails),
}

/// The details of a mutual zugzwang under the count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ZugzwangDetails {
    /// Signed plies to mate, without a count; `null` if neither side forces mate.
    pub dtm: Option<i32>,
    /// Signed plies to the conversion that the count allows; `null` if no conversion can be forced.
    pub dtz: Option<i32>,
    /// The category under the count, for the side to move.
    pub category: Category,
    /// The category for the other side, if it were to move.
    pub opposite: Category,
    /// Whether it is a zugzwang only by the count.
    pub by_count: bool,
    /// Whether the side to move loses, whichever it is.
    pub full: bool,
    /// Whether the side to move is in check.
    pub check: bool,
    /// The number of legal moves.
    pub legal_moves: u32,
    /// The moves that draw, best first.
    pub saving_moves: Vec<KeepingMove>,
}

/// A page of positions.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FoundPage {
    /// The positions in the order of the tables: without details (`brief`), or with those of their kind.
    pub saves: Vec<PositionRecord>,
    /// The cursor from which to continue; `null` at the end.
    pub cursor: Option<String>,
    /// The cells of the tables that were scanned for this page, including cells that are not legal positions.
    pub scanned: u64,
}

impl PositionRecord {
    /// The record with the details of the position's kind.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged.
    pub fn full<S: ValueSource>(found: &SaveAnalysis<'_, S>) -> Result<PositionRecord, ProbeError> {
        let details = match found.kind() {
            PositionKind::Saves => SaveRecord::full(found)?.details.map(PositionDetails::Save),
            PositionKind::Wins => Some(PositionDetails::Win(WinDetails::of(found)?)),
            PositionKind::Zugzwangs => Some(PositionDetails::Zugzwang(ZugzwangDetails::of(found)?)),
        };
        Ok(PositionRecord { details, ..PositionRecord::brief(found) })
    }
}

impl<S: ValueSource> SaveAnalysis<'_, S> {
    /// The zugzwangs of the position's placement, and the category if the other side were to move, to that side; `None`
    /// if the placement is illegal then.
    pub fn zugzwang(&self) -> Result<(MutualZugzwang, Option<Category>), ProbeError> {
        let position = self.position();
        let material = Material::of(position.board())?.material;
        let left = MovesLeft::of(material, self.prober().rules());
        let own = self.distances()?;
        let own = Some(left.category(own.into()));
        let opposite = match Position::new(position.board().clone(), !position.turn()) {
            Ok(opposite) => {
                let distances = self.prober().distances(&opposite)?;
                Some(left.category(distances.into()))
            }
            Err(_) => None,
        };
        Ok((MutualZugzwang::of(own, opposite), opposite))
    }
}

impl ZugzwangDetails {
    /// The details of a mutual zugzwang.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged.
    pub fn of<S: ValueSource>(found: &SaveAnalysis<'_, S>) -> Result<ZugzwangDetails, ProbeError> {
        let (distances, (zugzwang, opposite)) = (found.distances()?, found.zugzwang()?);
        Ok(ZugzwangDetails {
            dtm: distances.dtm.signed_plies(),
            dtz: distances.dtz.signed_plies(),
            category: found.prober().probe(&found.save().fen())?.category,
            // A zugzwang is legal with either side to move.
            opposite: opposite.unwrap_or(Category::Draw),
            by_count: !zugzwang.without_count,
            full: zugzwang.full,
            check: found.position().is_check(),
            legal_moves: found.legal_moves().len() as u32,
            saving_moves: found.keeping_moves()?,
        })
    }
}
