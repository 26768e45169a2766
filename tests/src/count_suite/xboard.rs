//! Engines that speak XBoard's protocol.

use super::{Answer, Answers, Case, Subject, SubjectError};
use crate::conversation::Conversation;

/// Scores from here on are mates: this plus the moves to it.
const MATE: i32 = 100_000;

/// An XBoard engine with the variant `makruk`. It is asked for mates only: the protocol has no words for a count. A
/// position in which the game is over is not asked for, since engines differ in what they reply to `go` there.
pub struct XboardEngine {
    conversation: Conversation,
    name: String,
    pings: u32,
}

impl XboardEngine {
    /// Starts an engine and sets its options, given as `NAME=VALUE`.
    ///
    /// # Errors
    ///
    /// If the program cannot be started or ends.
    pub fn start(program: &str, arguments: &[String], options: &[String]) -> Result<XboardEngine, SubjectError> {
        let conversation = Conversation::start(program, arguments)?;
        let mut engine = XboardEngine { conversation, name: format!("{program} (XBoard)"), pings: 0 };
        engine.conversation.say("xboard")?;
        engine.conversation.say("protover 2")?;
        loop {
            let line = engine.conversation.line()?;
            if let Some((_, rest)) = line.split_once("myname=") {
                let name =
                    rest.strip_prefix('"').map_or_else(|| rest.split(' ').next(), |quoted| quoted.split('"').next());
                engine.name = format!("{} (XBoard)", name.unwrap_or(rest));
            }
            if line.contains("done=1") {
                break;
            }
        }
        for option in options {
            engine.conversation.say(&format!("option {option}"))?;
        }
        Ok(engine)
    }

    /// Waits until the engine has obeyed all commands, and passes its lines on.
    fn wait(&mut self, mut see: impl FnMut(&str)) -> Result<(), SubjectError> {
        self.pings += 1;
        self.conversation.say(&format!("ping {}", self.pings))?;
        let pong = format!("pong {}", self.pings);
        while let Some(line) = self.conversation.line_before(&pong)? {
            see(&line);
        }
        Ok(())
    }
}

impl Subject for XboardEngine {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn answer(&mut self, case: &Case) -> Result<Answers, SubjectError> {
        let is_over = case.left == Some(0) || case.mate == Some(0) || case.drawn == Some(true);
        let mut mate = Answer::NotAsked;
        if case.expected_mate().is_some() && !is_over {
            for command in ["new", "variant makruk", "force", "post"] {
                self.conversation.say(command)?;
            }
            self.conversation.say(&format!("setboard {}", case.fen))?;
            for mv in &case.moves {
                self.conversation.say(&format!("usermove {mv}"))?;
            }
            self.conversation.say(&format!("sd {}", case.depth()))?;
            self.wait(|_| {})?;
            self.conversation.say("go")?;
            let mut found = None;
            loop {
                let line = self.conversation.line()?;
                if line.starts_with("move ") || line.contains('{') || line.starts_with("resign") {
                    break;
                }
                // A line of thought: depth, score, time, nodes, moves.
                let mut numbers = line.split_whitespace().map(str::parse::<i32>);
                if let (Some(Ok(_)), Some(Ok(score)), Some(Ok(_))) = (numbers.next(), numbers.next(), numbers.next()) {
                    found = if score.abs() >= MATE { Some((score.abs() - MATE) * score.signum()) } else { None };
                }
            }
            mate = Answer::Is(found);
        }
        Ok(Answers { count: Answer::NotAsked, mate, repetition: Answer::NotAsked })
    }
}
