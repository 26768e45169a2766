//! The statistics of a material's count saves.

use makruk_tables::material::Material;
use makruk_tables::rules::ByColor;

use makruk_research::SaveSample;

/// The statistics of a material's saves.
#[derive(Debug)]
pub(crate) struct SaveCounts {
    pub(crate) material: Material,
    pub(crate) sides: ByColor<SideSaves>,
    pub(crate) sample: Option<SaveSample>,
}

/// Numbers of positions with one side to move.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SideSaves {
    pub(crate) won: u64,
    pub(crate) won_within_count: u64,
    pub(crate) drawn: u64,
    pub(crate) lost: u64,
    pub(crate) lost_within_count: u64,
}

impl SideSaves {
    pub(crate) const fn saves(self) -> u64 {
        self.lost - self.lost_within_count
    }
}
