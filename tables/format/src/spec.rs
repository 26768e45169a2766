//! The description of a table.

use super::listed::Listed;
use super::spec_error::SpecError;
use super::table_id::TableId;
use super::values::ValueList;
use crate::index::{KingPairs, Layout, Symmetry};
use crate::material::Material;
use crate::value::{Metric, Value};
use makruk_rules::{ByColor, Color};

/// The most bytes of the name of the counting rules.
pub(super) const MAX_RULES_BYTES: usize = 16;
/// The most bytes of the generator's name.
pub(super) const MAX_GENERATOR_BYTES: usize = 32;

/// The description of a table, without its blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec<V = Value> {
    /// The material.
    pub material: Material,
    /// The metric of the values.
    pub metric: Metric,
    /// The counting rules under which the values hold, such as `makruk`; up to 16 bytes.
    pub rules: String,
    /// The program that made the table, with its version; up to 32 bytes. It must not vary between machines.
    pub generator: String,
    /// The sides to move that are stored. The values of an omitted side are derived from its moves.
    pub stored: ByColor<bool>,
    /// The values of each side to move, stored or omitted.
    pub values: ByColor<ValueList<V>>,
}

/// The storage of a side's values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Storage {
    /// The side is omitted; its values are derived from its moves.
    #[default]
    Absent,
    /// Every position has the one value of the side's list.
    Constant,
    /// The values are in blocks.
    Blocks,
}

impl<V: Listed> Spec<V> {
    /// Checks the texts, and that a side is stored.
    ///
    /// # Errors
    ///
    /// The first text that no table can have; neither side is stored.
    pub(crate) fn check(&self) -> Result<(), SpecError> {
        let check = |field, found: &str, limit, expected| {
            let printable = found.bytes().all(|byte| (b' '..=b'~').contains(&byte));
            match !found.is_empty() && found.len() <= limit && printable {
                true => Ok(()),
                false => Err(SpecError::Text { field, found: found.to_owned(), expected }),
            }
        };
        check("rules", &self.rules, MAX_RULES_BYTES, "1 to 16 printable characters")?;
        check("generator", &self.generator, MAX_GENERATOR_BYTES, "1 to 32 printable characters")?;
        let is_stored = Color::ALL.into_iter().any(|side| self.storage(side) != Storage::Absent);
        if is_stored { Ok(()) } else { Err(SpecError::NoSide) }
    }

    /// The layout of the positions.
    pub fn layout(&self) -> Layout {
        Layout::new(self.material)
    }

    /// The number of slabs (king pairs) of each side to move.
    pub fn slabs(&self) -> usize {
        KingPairs::of(Symmetry::of(self.material)).len()
    }

    /// The number of offsets in a slab.
    pub fn slab_len(&self) -> u64 {
        self.layout().slab_len()
    }

    /// The number of offsets of each side to move, in all slabs.
    pub fn positions(&self) -> u64 {
        self.slabs() as u64 * self.slab_len()
    }

    /// The storage of a side's values.
    #[inline]
    pub fn storage(&self, side: Color) -> Storage {
        match (self.values[side].len(), self.stored[side]) {
            (1, _) => Storage::Constant,
            (_, true) => Storage::Blocks,
            (_, false) => Storage::Absent,
        }
    }

    /// The identity of the table.
    pub fn id(&self) -> TableId {
        TableId { material: self.material, metric: self.metric }
    }
}
