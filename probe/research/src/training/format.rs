//! The formats of records.

use std::fmt;
use std::io::Write;

use makruk_probe::json::PositionJson;
use serde::Serialize;

use super::packed_position::packed_record;
use super::{ScoreScale, TrainingPosition};

/// A format of records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TrainingFormat {
    /// A tab-separated table with a header.
    #[default]
    Tsv,
    /// One JSON object per line: the fields of a query, and `move`, `score` and `result`.
    Json,
    /// Blocks of text lines that Fairy-Stockfish's training tools read.
    Plain,
    /// Records of 72 bytes that Fairy-Stockfish's training tools and trainer read. They have no count.
    Bin,
}

/// The header of [`TrainingFormat::Tsv`].
const TSV_HEADER: &str = "fen\tmaterial\tcategory\tdtm\tdtz\tlimit\tply\tmoves_left\tmove\tscore\tresult";
/// No move, as the tools write and read it.
const NO_MOVE: &str = "(none)";

/// A record of [`TrainingFormat::Json`].
#[derive(Serialize)]
struct TrainingJson {
    #[serde(flatten)]
    position: PositionJson,
    /// The best move in UCI notation; `null` if it was not asked for.
    #[serde(rename = "move")]
    best: Option<String>,
    score: i16,
    result: i8,
}

impl TrainingFormat {
    /// Whether records hold the count.
    pub const fn has_count(self) -> bool {
        !matches!(self, TrainingFormat::Bin)
    }

    /// The bytes before the first record.
    pub fn header(self) -> String {
        if self == TrainingFormat::Tsv { format!("{TSV_HEADER}\n") } else { String::new() }
    }

    /// Appends a record.
    pub fn write(self, position: &TrainingPosition, scale: ScoreScale, out: &mut Vec<u8>) {
        let (fen, verdict) = (&position.fen, &position.verdict);
        let (score, result) = (scale.score(verdict), ScoreScale::result(verdict));
        let best = position.best.map(|best| best.mv);
        // Writing to memory does not fail.
        match self {
            TrainingFormat::Tsv => {
                let _ = write!(out, "{fen}\t{}\t{}", verdict.material, verdict.category.name());
                let given = verdict.count.given;
                field(out, verdict.dtm.signed_plies());
                field(out, verdict.dtz.signed_plies());
                field(out, given.map(|count| count.limit()));
                field(out, given.map(|count| count.ply()));
                field(out, verdict.count.attacker_moves_left);
                field(out, best);
                let _ = writeln!(out, "\t{score}\t{result}");
            }
            TrainingFormat::Json => {
                let position = PositionJson::new(fen, verdict, None);
                let record = TrainingJson { position, best: best.map(|mv| mv.to_string()), score, result };
                let _ = serde_json::to_writer(&mut *out, &record);
                out.push(b'\n');
            }
            TrainingFormat::Plain => {
                let _ = write!(out, "fen {fen}\nmove ");
                let _ = match best {
                    Some(mv) => write!(out, "{mv}"),
                    None => out.write_all(NO_MOVE.as_bytes()),
                };
                let _ = write!(out, "\nscore {score}\nply {}\nresult {result}\ne\n", position.plies_before());
            }
            TrainingFormat::Bin => {
                let plies = u16::try_from(position.plies_before()).unwrap_or(u16::MAX);
                out.extend_from_slice(&packed_record(fen, score, best, plies, result));
            }
        }
    }
}

/// A tab and a value, or a tab alone.
fn field(out: &mut Vec<u8>, value: Option<impl fmt::Display>) {
    let _ = match value {
        Some(value) => write!(out, "\t{value}"),
        None => out.write_all(b"\t"),
    };
}
