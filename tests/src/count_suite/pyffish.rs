//! pyffish, which has positions and games, and no search.

use serde::Deserialize;

use super::uci::count_of;
use super::{Answer, Answers, Case, CaseVerdict, Subject, SubjectError};
use crate::conversation::Conversation;

/// The program that plays the cases.
const PEER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/conformance/count_peer.py");

/// A Python with pyffish.
pub struct Pyffish {
    conversation: Conversation,
    version: String,
}

#[derive(Deserialize)]
struct Hello {
    version: String,
}

#[derive(Deserialize)]
struct Outcome {
    fen: String,
    mated: bool,
    repetition: bool,
}

impl Pyffish {
    /// Starts this Python.
    ///
    /// # Errors
    ///
    /// If it cannot be started or has no pyffish.
    pub fn start(python: &str) -> Result<Pyffish, SubjectError> {
        let mut conversation = Conversation::start(python, &[PEER.to_owned()])?;
        let Hello { version } = parse(&conversation.line()?)?;
        Ok(Pyffish { conversation, version })
    }
}

impl Subject for Pyffish {
    fn name(&self) -> String {
        format!("pyffish {}", self.version)
    }

    fn answer(&mut self, case: &Case) -> Result<Answers, SubjectError> {
        let question = serde_json::json!({ "fen": case.fen, "moves": case.moves });
        self.conversation.say(&question.to_string())?;
        let outcome: Outcome = parse(&self.conversation.line()?)?;
        // Only a mate that is on the board can be asked for.
        let is_over = case.left == Some(0) && case.name.starts_with("mate");
        let mate = if is_over { Answer::Is(outcome.mated.then_some(0)) } else { Answer::NotAsked };
        let repetition = match case.verdict {
            Some(CaseVerdict::Repetition) => Answer::Is(outcome.repetition),
            _ => Answer::NotAsked,
        };
        Ok(Answers { count: Answer::Is(count_of(&outcome.fen)?), mate, repetition })
    }
}

fn parse<'a, T: Deserialize<'a>>(line: &'a str) -> Result<T, SubjectError> {
    serde_json::from_str(line).map_err(|error| SubjectError(format!("{error}: {line:?}")))
}
