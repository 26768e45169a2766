//! The reason why there is no answer.

use std::fmt::Display;
use std::sync::Arc;

use makruk_format::{FORMAT_VERSION, FormatError};
use makruk_probe::{ProbeError, Reason as Failure, TableError};
use makruk_rules::{Color, FenError, IllegalPosition, Illegality, MOST_METS_AND_PAWNS};
use makruk_tables::material::Material;
use makruk_tables::tablebase::TableId;
use serde::Serialize;

use crate::Reason;

/// The place where questions are asked: its remedies and its limit.
#[derive(Clone, Copy, Debug)]
pub struct Door {
    /// The remedy for a table that fails.
    pub remedy: Remedy,
    /// The most positions of a batch, or of games.
    pub most_positions: usize,
}

/// The remedy for a table that fails, which depends on where the table is.
#[derive(Clone, Copy, Debug)]
pub enum Remedy {
    /// The tables are on a server: its folders are not named, and its log has the cause. The program has a sentence
    /// with the commands that make a material's tables elsewhere.
    Server(fn(Material) -> String),
    /// The tables are files of a site: nobody here can build them.
    Site,
    /// The tables are in a folder of those who ask: the program has a sentence with the file, the cause and what helps.
    Folder(fn(&ProbeError) -> String),
}

/// The reason why there is no answer, or no verdict on a position.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Error"))]
pub struct Refusal {
    /// The position, normalised if it can be parsed, else as given; left out if there is none, or it is said elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// A sentence, for people.
    pub error: String,
    /// The reason, for programs.
    pub reason: Reason,
    /// The line of a list of positions, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(skip))] // the service is given no lists
    pub line: Option<usize>,
    /// The command that builds the table that is missing, damaged or of another version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The field that is wrong: `board`, `side`, `third`, `limit`, `ply` or `fullmove` of the FEN if one of them is,
    /// else the field of the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<&'static str>,
    /// The text that was found there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// The rank of the board that is wrong, 1 to 8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<u8>,
    /// The column of a mistake in a filter, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// Every rule that the position breaks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<Problem>,
    /// Numbers and names for programs.
    #[serde(skip)]
    pub details: Vec<(&'static str, String)>,
    /// The failure of the prober: for a log, and for those who are told more than a sentence.
    #[serde(skip)]
    pub cause: Option<Arc<ProbeError>>,
}

impl Refusal {
    /// A refusal for this reason.
    pub fn new(reason: Reason, error: impl Into<String>) -> Refusal {
        Refusal {
            fen: None,
            error: error.into(),
            reason,
            line: None,
            command: None,
            field: None,
            found: None,
            rank: None,
            column: None,
            problems: Vec::new(),
            details: Vec::new(),
            cause: None,
        }
    }

    /// A mistake in a field of the question.
    pub fn misasked(reason: Reason, field: &'static str, error: impl Into<String>) -> Refusal {
        Refusal { field: Some(field), ..Refusal::new(reason, error) }
    }

    /// A failure of the prober.
    pub fn of(error: ProbeError, remedy: Remedy) -> Refusal {
        let reason = Reason::Probe(error.reason());
        let refusal = match &error {
            ProbeError::Fen(fen) => Refusal {
                field: fen.field().or(Some("fen")),
                found: fen.found(),
                rank: fen.rank(),
                problems: match fen {
                    FenError::IllegalPosition(illegal) => Problem::all(illegal),
                    _ => Vec::new(),
                },
                ..Refusal::new(reason, error.to_string())
            },
            ProbeError::Table(TableError::TooManyMen(_)) => Refusal::misasked(reason, "fen", error.to_string()),
            ProbeError::Table(table) => {
                Refusal { command: command(table, remedy), ..Refusal::new(reason, sentence(table, remedy)) }
            }
        };
        Refusal { cause: Some(Arc::new(error)), ..refusal }.worded(remedy)
    }

    /// The refusal of a text that is not a position.
    pub(crate) fn of_fen(error: FenError, text: &str) -> Refusal {
        Refusal::of(error.into(), Remedy::Site).about(text)
    }

    /// The same in the words of the program that asks, if it has some.
    pub(crate) fn worded(self, remedy: Remedy) -> Refusal {
        match (remedy, &self.cause) {
            (Remedy::Folder(sentence), Some(cause)) => Refusal { error: sentence(cause), ..self },
            _ => self,
        }
    }

    /// The table that fails.
    pub fn table(&self) -> Option<TableId> {
        match self.cause.as_deref() {
            Some(ProbeError::Table(error)) => error.id(),
            _ => None,
        }
    }

    /// A word that is not one of those expected.
    pub(crate) fn of_word(reason: Reason, field: &'static str, word: &str, what: &str) -> Refusal {
        let given = format!("{:?}", word.chars().take(40).collect::<String>());
        Refusal { found: Some(given.clone()), ..Refusal::misasked(reason, field, format!("{given} is not a {what}")) }
    }

    /// The refusal of a question about a position, or about a text that is none.
    #[must_use]
    pub fn about(self, fen: impl Display) -> Refusal {
        Refusal { fen: Some(fen.to_string()).filter(|text| !text.is_empty()), ..self }
    }

    /// The same with one more number or name for programs.
    #[must_use]
    pub fn with(mut self, key: &'static str, value: impl ToString) -> Refusal {
        self.details.push((key, value.to_string()));
        self
    }

    /// The fields of an object within which this is why there is no verdict: its position is said there, and is legal.
    #[cfg(feature = "schema")]
    pub(crate) fn within(schema: &mut schemars::Schema) {
        if let Some(fields) = schema.get_mut("properties").and_then(|fields| fields.as_object_mut()) {
            for name in ["fen", "found", "rank", "column", "problems"] {
                fields.remove(name);
            }
        }
    }

    /// The error of a table that is there and cannot be read, with its file: it is damaged, or not readable now.
    pub fn unread_table(&self) -> Option<String> {
        let error = self.cause.as_ref()?;
        let is_unread = matches!(error.reason(), Failure::CorruptTable | Failure::UnreadableTable | Failure::Internal);
        is_unread.then(|| error.to_string())
    }

    /// The command that builds a material's tables.
    pub fn build_command(material: Material) -> String {
        format!("makruk-gen build {material}")
    }
}

/// The command that makes the table, where a command can.
fn command(error: &TableError, remedy: Remedy) -> Option<String> {
    let is_made = match error {
        TableError::Missing { .. } | TableError::Corrupt { .. } => !matches!(remedy, Remedy::Site),
        TableError::Unsupported { source, .. } => {
            source.downcast_ref().is_some_and(|source: &FormatError| source.kind().is_made_anew())
        }
        TableError::Unreadable { .. } | TableError::Misuse { .. } | TableError::TooManyMen(_) => false,
    };
    error.id().filter(|_| is_made).map(|id| Refusal::build_command(id.material))
}

/// The failure of a table, as those who ask may read it. They have no files that they could mend.
fn sentence(error: &TableError, remedy: Remedy) -> String {
    let build = |id: &TableId| Refusal::build_command(id.material);
    match (remedy, error) {
        (Remedy::Folder(_), _) => String::new(),
        (Remedy::Site, TableError::Missing { id, .. }) => format!("there is no table {id} here"),
        (_, TableError::Unsupported { id, source, .. }) => {
            let source = source.downcast_ref::<FormatError>();
            match (source.and_then(FormatError::other_version), source) {
                (Some(found @ ..FORMAT_VERSION), _) => format!(
                    "the table {id} has another format version: expected {FORMAT_VERSION}, found {found}; `{}` makes \
                     it anew",
                    build(id)
                ),
                (Some(found), _) => format!(
                    "the table {id} has another format version: expected {FORMAT_VERSION}, found {found}; update the \
                     program that reads it"
                ),
                (None, None) => format!("the table {id} here holds for other counting rules"),
                (None, Some(_)) if matches!(remedy, Remedy::Site) => error.to_string(),
                (None, Some(_)) => {
                    format!("the file {id} of the server is not the table that is needed (its log contains the cause)")
                }
            }
        }
        (Remedy::Site, _) | (_, TableError::TooManyMen(_)) => error.to_string(),
        (Remedy::Server(remedy), TableError::Missing { id, .. }) => {
            format!("there is no table {id} here; {}", remedy(id.material))
        }
        (Remedy::Server(_), TableError::Unreadable { id, .. }) => {
            format!("the server cannot read the table {id} (its log contains the cause); try again later")
        }
        (Remedy::Server(_), TableError::Corrupt { id, .. }) => format!(
            "the server's table {id} is damaged (its log contains the place); `{}` makes one elsewhere",
            build(id)
        ),
        (Remedy::Server(_), TableError::Misuse { id, .. }) => {
            format!("the server asked the table {id} for a value that it does not have (its log contains the cause)")
        }
    }
}

/// A rule that a position breaks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "problem", rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "IllegalProblem"))]
pub enum Problem {
    /// A side has no king.
    MissingKing {
        /// The side.
        side: Color,
    },
    /// A side has more men of a kind than there can be.
    TooMany {
        /// The side.
        side: Color,
        /// The kind of man: `king`, `rook`, `knight`, `khon`, `met` or `pawn`.
        role: &'static str,
        /// The number found.
        found: u32,
        /// The most that there can be.
        most: u32,
    },
    /// The kings are on neighbouring squares.
    TouchingKings,
    /// A side is in check with the other side to move.
    OppositeCheck {
        /// The side.
        side: Color,
    },
    /// A side has more mets and pawns together than there can be.
    TooManyMetsAndPawns {
        /// The side.
        side: Color,
        /// The number found.
        found: u32,
        /// The most that there can be.
        most: u8,
    },
    /// A pawn stands where it would have been promoted.
    PawnBeyondPromotion {
        /// The square of the pawn.
        square: String,
    },
    /// A pawn stands behind the rank where pawns begin.
    PawnBehindStart {
        /// The square of the pawn.
        square: String,
    },
}

impl Problem {
    /// The rules that a position breaks.
    fn all(illegal: &IllegalPosition) -> Vec<Problem> {
        let problem = |problem: &Illegality| match *problem {
            Illegality::MissingKing(color) => Problem::MissingKing { side: color },
            Illegality::TooMany(piece, found, most) => {
                Problem::TooMany { side: piece.color, role: piece.role.name(), found, most }
            }
            Illegality::TooManyMetsAndPawns(color, found) => {
                Problem::TooManyMetsAndPawns { side: color, found, most: MOST_METS_AND_PAWNS }
            }
            Illegality::TouchingKings => Problem::TouchingKings,
            Illegality::OppositeCheck(color) => Problem::OppositeCheck { side: color },
            Illegality::PawnBeyondPromotion(square) => Problem::PawnBeyondPromotion { square: square.to_string() },
            Illegality::PawnBehindStart(square) => Problem::PawnBehindStart { square: square.to_string() },
        };
        illegal.reasons.iter().map(problem).collect()
    }
}
