//! Saves of a material that are worth showing, from positions at random.

use std::cmp::Reverse;

use makruk_format::index::Layout;
use makruk_rules::{Color, Fen};
use makruk_tables::material::Material;

use makruk_probe::{Category, ProbeError, Prober, ValueSource};
use serde::Serialize;

/// Positions that are probed, unless [`COMPARED`] saves are found before.
const PROBED: usize = 4000;
/// Positions that are probed where saves are rare, until [`MOST`] are found.
const PROBED_IF_RARE: usize = 300_000;
/// Saves that are compared.
const COMPARED: usize = 120;
/// The most examples that are returned.
const MOST: usize = 6;
/// The random numbers are the same every time.
const SEED: u64 = 64;
/// The number of probes after which the caller is asked again whether to continue.
const PROBES_PER_QUESTION: usize = 16;

/// Some count saves in which few moves draw.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExampleSaves {
    /// The canonical name of the material.
    pub material: Material,
    /// The saves.
    pub saves: Vec<ExampleSave>,
}

/// A count save.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExampleSave {
    /// The position.
    pub fen: Fen,
    /// The number of moves that draw.
    #[serde(rename = "drawing_moves")]
    pub drawing: usize,
    /// The number of legal moves.
    #[serde(rename = "legal_moves")]
    pub legal: usize,
    /// Whether one of the drawing moves is a sacrifice.
    pub sacrifice: bool,
    /// Whether a drawing move offers the man that moves.
    #[serde(skip)]
    pub offers: bool,
    /// Whether a drawing move leaves another man to be taken.
    #[serde(skip)]
    pub abandons: bool,
}

impl ExampleSave {
    /// Probes positions of a material at random, the same every time, and returns at most six saves. Saves in which the
    /// man that moves is offered come first, and among these those in which the fewest moves draw. `None` if `goes_on`
    /// returned false.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged.
    pub fn find<S: ValueSource>(
        prober: &Prober<S>,
        material: Material,
        mut goes_on: impl FnMut() -> bool,
    ) -> Result<Option<Vec<ExampleSave>>, ProbeError> {
        let layout = Layout::new(material);
        let mut random = fastrand::Rng::with_seed(SEED);
        let mut saves: Vec<ExampleSave> = Vec::new();
        for number in 0..PROBED_IF_RARE {
            if number.is_multiple_of(PROBES_PER_QUESTION) && !goes_on() {
                return Ok(None);
            }
            if saves.len() == COMPARED || number >= PROBED && saves.len() >= MOST {
                break;
            }
            let side = Color::ALL[number % 2];
            let cell = random.u64(..layout.positions()[side]);
            if let Some(position) = layout.position_at(side, cell) {
                saves.extend(ExampleSave::of(prober, Fen::new(position, None))?);
            }
        }
        saves.sort_by_key(|save| {
            (!save.offers, save.drawing, !save.abandons, Reverse(save.legal), save.fen.to_string())
        });
        saves.truncate(MOST);
        Ok(Some(saves))
    }

    /// The position, if it is a save in which some move loses.
    fn of<S: ValueSource>(prober: &Prober<S>, fen: Fen) -> Result<Option<ExampleSave>, ProbeError> {
        let analysis = prober.analysis(&fen)?;
        if analysis.verdict().category != Category::BlessedLoss {
            return Ok(None);
        }
        let moves = analysis.moves()?;
        let (drawing, legal) = (moves.iter().filter(|mv| mv.category.is_drawn()).count(), moves.len());
        if drawing == legal {
            return Ok(None);
        }
        let sacrifices = analysis.sacrifices()?;
        let offers = sacrifices.iter().any(|sacrifice| sacrifice.offered);
        let abandons = sacrifices.iter().any(|sacrifice| !sacrifice.offered);
        Ok(Some(ExampleSave { fen, drawing, legal, sacrifice: offers || abandons, offers, abandons }))
    }
}
