//! What a table is to be.

use std::ops::Range;

use thiserror::Error;

use super::error::Problem;
use super::header::{AXES, CRC_BYTES, FIXED_BYTES, GENERATOR, MATERIAL, RULES};
use super::values::{ENTRY_BYTES, ValueList};
use crate::index::{Layout, Symmetry};
use crate::rules::{ByColor, Color};
use crate::value::{Metric, Value};

/// The most positions a side may have: beyond any table, and small enough that no sum over blocks overflows.
pub const MAX_POSITIONS: u64 = 1 << 48;

/// All that is known of a table before its blocks are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// The set's canonical name, such as `KRRvKR`; up to 32 bytes.
    pub material: String,
    /// What the values measure.
    pub metric: Metric,
    /// Which part of the set this is; 0, all of it, is the only one so far.
    pub slice: u16,
    /// The fold of the positions.
    pub symmetry: Symmetry,
    /// The counting rules under which the values hold, such as `makruk`; up to 16 bytes.
    pub rules: String,
    /// The program that made the table, with its version; up to 32 bytes. It must not vary between machines.
    pub generator: String,
    /// Piece letters in the order of the index's axes, the slowest first, upper case for White; up to 16 bytes.
    pub axes: String,
    /// Slabs (king pairs) per side to move.
    pub slabs: u64,
    /// Positions per slab.
    pub slab_len: u64,
    /// Which sides to move have their values in the file. Those of another follow from its moves.
    pub stored: ByColor<bool>,
    /// The values of each side to move, stored or not.
    pub values: ByColor<ValueList>,
}

/// How a side's values are to be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Storage {
    /// Not from the file: they are what the moves of the side make them.
    Absent,
    /// Every position has the one value of the side's list.
    Constant,
    /// From blocks.
    Blocks,
}

/// A table that can't be: what is wrong with a [`Spec`] or with the blocks that follow it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SpecError {
    /// A name is empty, too long or has characters it must not have.
    #[error("{field} is {found:?}: expected {expected}")]
    Text {
        /// The field's name.
        field: &'static str,
        /// What it holds.
        found: String,
        /// What it may hold.
        expected: &'static str,
    },
    /// A number is out of bounds.
    #[error("{field} is {found}: expected {expected}")]
    Number {
        /// The field's name.
        field: &'static str,
        /// What it holds.
        found: u64,
        /// What it may hold.
        expected: &'static str,
    },
    /// A side lists no value, or too many.
    #[error("a side lists {found} values: expected 1 to 2048")]
    ValueCount {
        /// The number of values.
        found: usize,
    },
    /// A value is not above the one before it.
    #[error("value {at}, {value:?}, is not above the one before it")]
    ValueOrder {
        /// The place in the list.
        at: usize,
        /// The value there.
        value: Value,
    },
    /// A win in an even number of plies or a loss in an odd one.
    #[error("value {at} is {value:?}: wins take an odd number of plies, losses an even one")]
    Parity {
        /// The place in the list.
        at: usize,
        /// The value there.
        value: Value,
    },
    /// The histogram's sum passes 2^64.
    #[error("the numbers of positions add up to more than 2^64")]
    Histogram,
    /// A slab came out of order, of the wrong length, or not at all; or a side's codec is missing or none is needed.
    #[error("{side}: expected {expected}, found {found}")]
    Slab {
        /// The side to move.
        side: Color,
        /// What should have come.
        expected: String,
        /// What came.
        found: String,
    },
}

/// Whether `name` has the form of a set's name: `K`, pieces, `v`, `K`, pieces, at most 32 bytes. Not whether it is
/// canonical.
pub fn is_material_name(name: &str) -> bool {
    let side = |text: &str| text.strip_prefix('K').is_some_and(|men| men.bytes().all(|man| b"RNSM".contains(&man)));
    name.len() <= MATERIAL.end - MATERIAL.start
        && name.split_once('v').is_some_and(|(white, black)| side(white) && side(black))
}

impl Spec {
    /// Checks every field.
    ///
    /// # Errors
    ///
    /// The first field that no table can have.
    pub fn check(&self) -> Result<(), SpecError> {
        let text = |field, found: &str, expected, fine: bool| {
            if fine { Ok(()) } else { Err(SpecError::Text { field, found: found.to_owned(), expected }) }
        };
        let number = |field, found, expected, fine: bool| {
            if fine { Ok(()) } else { Err(SpecError::Number { field, found, expected }) }
        };
        let printable = |name: &str, limit: &Range<usize>| {
            !name.is_empty() && name.len() <= limit.len() && name.bytes().all(|byte| (b' '..=b'~').contains(&byte))
        };
        text("material", &self.material, "a set's name such as KRRvKR", is_material_name(&self.material))?;
        text("rules", &self.rules, "1 to 16 printable characters", printable(&self.rules, &RULES))?;
        text("generator", &self.generator, "1 to 32 printable characters", printable(&self.generator, &GENERATOR))?;
        let pieces = self.axes.len() <= AXES.len() && self.axes.bytes().all(|man| b"KRNSMkrnsm".contains(&man));
        text("axes", &self.axes, "up to 16 piece letters", pieces)?;
        number("slice", self.slice.into(), "0", self.slice == 0)?;
        number("slabs", self.slabs, "1 or more", self.slabs > 0)?;
        number("slab_len", self.slab_len, "1 or more", self.slab_len > 0)?;
        let fits = self.slabs.checked_mul(self.slab_len).is_some_and(|positions| positions <= MAX_POSITIONS);
        number("slab_len", self.slab_len, "at most 2^48 positions a side", fits)
    }

    /// Positions per side to move.
    pub const fn positions(&self) -> u64 {
        self.slabs.saturating_mul(self.slab_len)
    }

    /// How the values of a side are to be had.
    pub fn storage(&self, side: Color) -> Storage {
        match (self.values[side].len(), self.stored[side]) {
            (1, _) => Storage::Constant,
            (_, true) => Storage::Blocks,
            (_, false) => Storage::Absent,
        }
    }

    /// Whether positions are numbered as the set's layout numbers them.
    pub(super) fn check_shape(&self, layout: Option<&Layout>) -> Result<(), Problem> {
        let Some(layout) = layout else {
            let expected = "a set with tables".to_owned();
            return Err(Problem::Shape { field: "set", expected, found: self.material.clone() });
        };
        let fields = [
            ("set", layout.material().to_string(), self.material.clone()),
            ("number of slabs", layout.slabs().to_string(), self.slabs.to_string()),
            ("slab length", layout.slab_len().to_string(), self.slab_len.to_string()),
            ("axis order", layout.axis_letters(), self.axes.clone()),
            ("symmetry", format!("{:?}", layout.symmetry()), format!("{:?}", self.symmetry)),
        ];
        match fields.into_iter().find(|(_, expected, found)| expected != found) {
            None => Ok(()),
            Some((field, expected, found)) => Err(Problem::Shape { field, expected, found }),
        }
    }

    /// The file's name: `KRRvKR.dtm`.
    pub fn file_name(&self) -> String {
        format!("{}.{}", self.material, self.metric)
    }

    /// Bytes of the header.
    pub(super) fn header_len(&self) -> usize {
        FIXED_BYTES + (self.values.white.len() + self.values.black.len()) * ENTRY_BYTES + CRC_BYTES
    }
}
