//! Answers as text.

use serde::Serialize;

/// An object as one line of JSON.
pub fn json(object: &impl Serialize) -> String {
    // Serialising fails only for maps whose keys are not texts, and no answer has one.
    serde_json::to_string(object).expect("an answer has names as keys")
}
