//! The JSON of the lists that the page shows: materials, and count saves of one.

use makruk_research::ExampleSave;
use makruk_tables::format::MaterialTotals;
use makruk_tables::material::Material;
use serde::Serialize;

use crate::status::view::build_command;

/// Materials by number of men, then by name.
#[derive(Debug, Serialize)]
pub(crate) struct MaterialsJson {
    pub(crate) materials: Vec<MaterialJson>,
}

/// A material, with or without tables.
#[derive(Debug, Serialize)]
pub(crate) struct MaterialJson {
    material: String,
    men: usize,
    /// The command that builds its tables, if they are missing.
    command: Option<String>,
    /// The totals of its tables, if they are present.
    totals: Option<MaterialTotalsJson>,
}

/// The totals of a material's tables, both sides to move taken together.
#[derive(Debug, Serialize)]
struct MaterialTotalsJson {
    bytes: u64,
    white_wins: u64,
    black_wins: u64,
    draws: u64,
    /// Wins within the count, if it begins now.
    within_count: u64,
    /// The longest distance to mate without a count, in moves.
    mate_moves: u16,
    /// The longest distance to the conversion that the count allows, in moves.
    conversion_moves: u16,
}

impl MaterialJson {
    pub(crate) fn new(material: Material, totals: Option<&MaterialTotals>) -> MaterialJson {
        let json = |totals: &MaterialTotals| MaterialTotalsJson {
            bytes: totals.bytes,
            white_wins: totals.white,
            black_wins: totals.black,
            draws: totals.drawn,
            within_count: totals.within_count,
            mate_moves: totals.longest_mate,
            conversion_moves: totals.longest_conversion,
        };
        MaterialJson {
            material: material.to_string(),
            men: material.men(),
            command: totals.is_none().then(|| build_command(material)),
            totals: totals.map(json),
        }
    }
}

/// Some count saves of a material.
#[derive(Debug, Serialize)]
pub(crate) struct SavesJson {
    material: String,
    saves: Vec<SaveJson>,
}

/// A count save.
#[derive(Debug, Serialize)]
struct SaveJson {
    fen: String,
    /// The number of moves that draw.
    drawing_moves: usize,
    /// The number of legal moves.
    legal_moves: usize,
    /// Whether one of the drawing moves is a sacrifice.
    sacrifice: bool,
}

impl SavesJson {
    pub(crate) fn new(material: Material, found: &[ExampleSave]) -> SavesJson {
        let json = |found: &ExampleSave| SaveJson {
            fen: found.fen.to_string(),
            drawing_moves: found.drawing,
            legal_moves: found.legal,
            sacrifice: found.offers || found.abandons,
        };
        SavesJson { material: material.to_string(), saves: found.iter().map(json).collect() }
    }
}
