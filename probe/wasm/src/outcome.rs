//! The outcome of a question, for now or for good.

use makruk_explorer::{ErrorPlace, IllegalJson, UnjudgedJson};
use makruk_probe::ProbeError;
use makruk_remote::Want;
use makruk_tables::rules::Fen;
use serde::Serialize;

use crate::describe::describe;

/// The outcome of a question.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The answer, as JSON.
    Answer(Box<serde_json::value::RawValue>),
    /// There is no answer.
    Refused(Box<RefusalJson>),
    /// Bytes are wanted: the file, where they begin and their number, which is `null` for a whole file.
    Wants(Vec<(String, u64, Option<u64>)>),
    /// A part of the answer is there. The question continues at once.
    Progress {
        /// The parts that are there.
        done: usize,
        /// All parts, as far as they are known.
        of: usize,
    },
}

/// The reason why there is no answer.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum RefusalJson {
    /// The position breaks the rules.
    Illegal(IllegalJson),
    /// Any other reason.
    Other {
        /// The FEN of the question, if it has one.
        #[serde(skip_serializing_if = "Option::is_none")]
        fen: Option<String>,
        /// The reason.
        #[serde(flatten)]
        why: UnjudgedJson,
    },
}

/// A FEN as programs write it; any other text unchanged.
pub(crate) fn normalised(text: &str) -> String {
    Fen::parse(text).map_or_else(|_| text.to_owned(), |fen| fen.to_string())
}

impl Outcome {
    /// An answer.
    pub(crate) fn answer<T: Serialize>(answer: &T) -> Outcome {
        match serde_json::value::to_raw_value(answer) {
            Ok(json) => Outcome::Answer(json),
            // Serialising fails only for maps whose keys are not texts, and no answer has one.
            Err(error) => Outcome::refused("internal", error.to_string()),
        }
    }

    pub(crate) fn wants(wants: &[Want]) -> Outcome {
        Outcome::Wants(wants.iter().map(|want| (want.file.to_string(), want.offset, want.len)).collect())
    }

    /// A refusal of a position.
    pub(crate) fn failed(text: &str, error: ProbeError) -> Outcome {
        Outcome::Refused(Box::new(RefusalJson::Other { fen: Some(normalised(text)), why: describe(error) }))
    }

    /// A refusal of what is asked of a position.
    pub(crate) fn misasked(text: &str, reason: &str, error: String, place: ErrorPlace) -> Outcome {
        let why = UnjudgedJson { error, reason: reason.to_owned(), command: None, place };
        Outcome::Refused(Box::new(RefusalJson::Other { fen: Some(normalised(text)), why }))
    }

    pub(crate) fn illegal(illegal: IllegalJson) -> Outcome {
        Outcome::Refused(Box::new(RefusalJson::Illegal(illegal)))
    }

    /// Any other refusal: its reason in one word, and a sentence.
    pub(crate) fn refused(reason: &str, error: String) -> Outcome {
        let why = UnjudgedJson { error, reason: reason.to_owned(), command: None, place: ErrorPlace::default() };
        Outcome::Refused(Box::new(RefusalJson::Other { fen: None, why }))
    }

    /// The outcome as JSON.
    pub fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }
}
