//! Engines that speak UCI.

use super::{Answer, Answers, Case, Subject, SubjectError};
use crate::conversation::Conversation;

/// A UCI engine with the variant `makruk`.
pub struct UciEngine {
    conversation: Conversation,
    name: String,
}

impl UciEngine {
    /// Starts an engine and sets its options, given as `NAME=VALUE`.
    ///
    /// # Errors
    ///
    /// If the program cannot be started or is not a UCI engine.
    pub fn start(program: &str, arguments: &[String], options: &[String]) -> Result<UciEngine, SubjectError> {
        let mut engine = UciEngine { conversation: Conversation::start(program, arguments)?, name: program.to_owned() };
        engine.conversation.say("uci")?;
        while let Some(line) = engine.conversation.line_before("uciok")? {
            if let Some(name) = line.strip_prefix("id name ") {
                engine.name = format!("{name} (UCI)");
            }
        }
        engine.conversation.say("setoption name UCI_Variant value makruk")?;
        for option in options {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            engine.conversation.say(&format!("setoption name {name} value {value}"))?;
        }
        Ok(engine)
    }
}

impl Subject for UciEngine {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn answer(&mut self, case: &Case) -> Result<Answers, SubjectError> {
        let talk = &mut self.conversation;
        talk.say("ucinewgame")?;
        talk.say(&format!("position fen {} moves {}", case.fen, case.moves.join(" ")))?;
        // Not all engines know `d`; those that do print the FEN before they are ready again.
        talk.say("d")?;
        talk.say("isready")?;
        let mut count = Answer::NotAsked;
        while let Some(line) = talk.line_before("readyok")? {
            if let Some(fen) = line.strip_prefix("Fen: ").or_else(|| line.strip_prefix("info string fen ")) {
                count = Answer::Is(count_of(fen)?);
            }
        }
        let mate = match case.expected_mate() {
            None => Answer::NotAsked,
            Some(_) => {
                talk.say(&format!("go depth {}", case.depth()))?;
                let mut found = None;
                loop {
                    let line = talk.line()?;
                    if line.starts_with("bestmove") {
                        break;
                    }
                    // A side that is mated has no move to search; some engines say so in words.
                    if line == "info string mate" {
                        found = Some(0);
                    }
                    if let Some((_, score)) = line.split_once(" score ").filter(|(_, score)| !score.contains("bound")) {
                        found = score.strip_prefix("mate ").and_then(|moves| moves.split(' ').next()?.parse().ok());
                    }
                }
                Answer::Is(found)
            }
        };
        Ok(Answers { count, mate, repetition: Answer::NotAsked })
    }
}

/// The count of a FEN of six fields, or of five where no count runs.
pub(super) fn count_of(fen: &str) -> Result<Option<(u32, u32)>, SubjectError> {
    let fields: Vec<&str> = fen.split_whitespace().skip(3).collect();
    let number = |text: &&str| text.parse().map_err(|_| SubjectError(format!("a FEN without a count: {fen}")));
    match &fields[..] {
        [] | ["-" | "0", ..] => Ok(None),
        [limit, ply, ..] => Ok(Some((number(limit)?, number(ply)?))),
        [_] => Err(SubjectError(format!("a FEN without a ply: {fen}"))),
    }
}
