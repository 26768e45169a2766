//! The events that a session of either protocol waits for: commands, decisions, the end of the input.

use std::io::{self, BufRead};
use std::sync::mpsc::Sender;

use super::{Decision, MAX_COMMAND_BYTES, lines};

/// Something that a session reacts to.
pub(super) enum Event {
    /// A line of the input.
    Command(String),
    /// The thought of this number has come to its end.
    Decided(u64, Decision),
    /// The input has ended, or cannot be read any further.
    End(io::Result<()>),
}

/// Starts a thread that sends the input's lines as events. It ends with the input, or with the process.
pub(super) fn listen(input: impl BufRead + Send + 'static, events: Sender<Event>) -> io::Result<()> {
    let listen = move || {
        let mut end = Ok(());
        for line in lines(input, MAX_COMMAND_BYTES) {
            let event = match line {
                Ok(line) => Event::Command(line),
                Err(error) => {
                    end = Err(error);
                    break;
                }
            };
            if events.send(event).is_err() {
                return;
            }
        }
        // The session may have ended before, by `quit`.
        let _ = events.send(Event::End(end));
    };
    std::thread::Builder::new().name("listening".to_owned()).spawn(listen).map(drop)
}
