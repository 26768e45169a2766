//! The number of a material's saves.

use makruk_probe::{ProbeError, Prober, ValueSource};
use makruk_rules::Color;
use makruk_tables::material::Material;
use makruk_tables::tablebase::TableId;
use makruk_tables::value::{Metric, MovesLeft, Value};
use serde::Serialize;

use crate::sample::SaveSample;
use crate::stats::tablebase;

/// The numbers of a material's count saves.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SaveStatistics"))]
pub struct SaveTotals {
    /// The canonical name of the material. White below is its first side.
    pub material: Material,
    /// With White to move.
    pub white: SideSaves,
    /// With Black to move.
    pub black: SideSaves,
    /// The properties of a sample, if one was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<SaveSample>,
}

/// Numbers of positions with one side to move, if the count begins now.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SideSaves {
    /// Won by the side to move, without the count.
    pub win: u64,
    /// Won also with the count.
    pub win_within_count: u64,
    /// Drawn without the count.
    pub draw: u64,
    /// Lost by the side to move, without the count.
    pub loss: u64,
    /// Lost also with the count.
    pub loss_within_count: u64,
    /// Lost without the count and drawn with it: count saves.
    pub saves: u64,
}

impl SaveTotals {
    /// Reads the numbers, and takes a sample of at most `most` saves, unless it is 0.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged.
    pub fn read<S: ValueSource>(
        prober: &Prober<S>,
        material: Material,
        most: u64,
        goes_on: impl FnMut() -> bool,
    ) -> Result<SaveTotals, ProbeError> {
        let open = |metric| {
            tablebase(prober, material)?.table::<Value>(TableId::of(material, metric)).map_err(ProbeError::from)
        };
        let (dtm, counting) = (open(Metric::Dtm)?, open(Metric::Dtz)?);
        let left = MovesLeft::of(material, prober.rules());
        let side = |color| {
            let values = &dtm.spec().values[color];
            let (win_within_count, within) = counting.spec().values[color].within_count(left);
            let (loss, loss_within_count) = (values.lost(), within.min(values.lost()));
            let saves = loss - loss_within_count;
            SideSaves { win: values.won(), win_within_count, draw: values.drawn(), loss, loss_within_count, saves }
        };
        let (white, black) = (side(Color::White), side(Color::Black));
        let sides = [(Color::White, &white), (Color::Black, &black)].into_iter().filter(|(_, side)| side.saves > 0);
        let sides: Vec<Color> = sides.map(|(color, _)| color).collect();
        let sample = (most > 0).then(|| SaveSample::of(prober, material, &sides, most, goes_on)).transpose()?;
        Ok(SaveTotals { material, white, black, sample })
    }
}
