//! A conversation with a program, line by line, with a limit on each wait.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::count_suite::SubjectError;

/// The longest wait for a line.
const PATIENCE: Duration = Duration::from_secs(300);

/// A running program. When dropped, it gets the command to quit.
pub(crate) struct Conversation {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Conversation {
    /// Starts a program.
    pub(crate) fn start(program: &str, arguments: &[String]) -> Result<Conversation, SubjectError> {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| SubjectError(format!("cannot start {program}: {error}")))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(SubjectError(format!("{program} has no input or no output")));
        };
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line.trim_end().to_owned()).is_err() {
                    break;
                }
            }
        });
        Ok(Conversation { child, input, lines })
    }

    /// Sends a line.
    pub(crate) fn say(&mut self, line: &str) -> Result<(), SubjectError> {
        let sent = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
        sent.map_err(|error| SubjectError(format!("the program has ended: {error}")))
    }

    /// The next line.
    pub(crate) fn line(&mut self) -> Result<String, SubjectError> {
        let line = self.lines.recv_timeout(PATIENCE);
        line.map_err(|_| SubjectError(format!("no answer within {} s", PATIENCE.as_secs())))
    }

    /// The next line; `None` if it is this last one.
    pub(crate) fn line_before(&mut self, last: &str) -> Result<Option<String>, SubjectError> {
        Ok(Some(self.line()?).filter(|line| line != last))
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        let _ = self.say("quit");
        // A program that hangs must not hang its caller.
        std::thread::sleep(Duration::from_millis(50));
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
