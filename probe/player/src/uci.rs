//! The UCI protocol.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use makruk_rules::{Color, Fen, Move, Note, Reading};

use super::listener::{Event, listen};
use super::output::Output;
use super::settings::{EMPTY, HASH, MULTI_PV, OVERHEAD, PATH, Spin, THREADS, USE_COUNT};
use super::thinking::Thinking;
use super::{Decision, Game, GameError, Info, Limits, NAME, Player, Report, Settings};

/// Speaks UCI until `quit` or the end of the input. At the end of the input a search that has a limit is finished
/// first.
///
/// # Errors
///
/// If the input cannot be read.
pub fn uci<R, W>(input: R, output: W, settings: Settings) -> io::Result<()>
where
    R: BufRead + Send + 'static,
    W: Write + Send + 'static,
{
    let (sender, events) = channel();
    listen(input, sender.clone())?;
    Session {
        out: Output::new(output),
        events: sender,
        settings,
        player: None,
        game: Some(Game::start()),
        noted: Vec::new(),
        thought: None,
        thoughts: 0,
        waiting: VecDeque::new(),
    }
    .run(&events)
}

/// A command, in its order of arrival.
enum Command {
    /// A command by name, and its words.
    Line(&'static str, String),
    /// The end of the input.
    End(io::Result<()>),
}

/// The commands. All others are skipped, word by word, as the protocol requires.
const COMMANDS: &str = "uci isready debug register setoption ucinewgame position go stop ponderhit d quit";

/// A search under way.
struct Thought {
    number: u64,
    thinking: Thinking,
    /// It ends only by `stop`, or continues in its own time after `ponderhit`.
    is_held: bool,
}

/// The reaction to a command.
enum Reaction {
    /// The command is done.
    Done,
    /// The command has to wait for the search under way.
    Wait(Command),
    /// The session is over.
    Quit(io::Result<()>),
}

struct Session<W> {
    out: Output<W>,
    events: Sender<Event>,
    settings: Settings,
    /// Made when it is first needed, and again when the settings change.
    player: Option<Arc<Player>>,
    /// `None` after a position that could not be read.
    game: Option<Game>,
    /// The notes on the last position.
    noted: Vec<Note>,
    thought: Option<Thought>,
    thoughts: u64,
    /// Commands that wait for the search under way: scripts send the next position without waiting for the move.
    waiting: VecDeque<Command>,
}

impl<W: Write + Send + 'static> Session<W> {
    fn run(mut self, events: &Receiver<Event>) -> io::Result<()> {
        while let Ok(event) = events.recv() {
            match event {
                Event::Command(line) => self.receive(&line),
                Event::Decided(number, decision) => self.decided(number, decision),
                Event::End(end) => self.waiting.push_back(Command::End(end)),
            }
            if let Some(end) = self.work_off() {
                return end;
            }
        }
        Ok(())
    }

    /// Takes in a line. `stop` and `quit` end the search under way whatever waits before them; they also keep their
    /// place, so that they end the searches that wait as well.
    fn receive(&mut self, line: &str) {
        let mut rest = line.trim();
        while !rest.is_empty() {
            let (word, words) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            if let Some(name) = COMMANDS.split(' ').find(|&name| name == word) {
                if matches!(name, "stop" | "quit") {
                    self.hurry();
                }
                self.waiting.push_back(Command::Line(name, words.to_owned()));
                return;
            }
            rest = words.trim_start();
        }
    }

    /// Executes the commands, up to one that has to wait. Returns the end of the session.
    fn work_off(&mut self) -> Option<io::Result<()>> {
        while let Some(command) = self.waiting.pop_front() {
            match self.react(command) {
                Reaction::Done => {}
                Reaction::Wait(command) => {
                    self.waiting.push_front(command);
                    return None;
                }
                Reaction::Quit(end) => return Some(end),
            }
        }
        None
    }

    fn react(&mut self, command: Command) -> Reaction {
        if self.must_wait(&command) {
            return Reaction::Wait(command);
        }
        let (name, words) = match command {
            Command::Line(name, words) => (name, words),
            Command::End(end) => return Reaction::Quit(end),
        };
        match name {
            "uci" => self.introduce(),
            "isready" => {
                self.player();
                self.out.send("readyok");
            }
            "setoption" => self.set_option(&words),
            "ucinewgame" => {
                // The folders may have changed since.
                self.player.take_if(|player| !player.is_current(&self.settings));
                self.game = Some(Game::start());
            }
            "position" => self.position(&words),
            "go" => self.go(words.split_whitespace()),
            "stop" => self.hurry(),
            "ponderhit" => {
                if let Some(thought) = &mut self.thought {
                    thought.is_held = false;
                    thought.thinking.release();
                }
            }
            "d" => self.show(),
            "quit" => return Reaction::Quit(Ok(())),
            _ => {}
        }
        Reaction::Done
    }

    /// Whether a command has to wait for the search under way. A search without a limit is ended for it.
    fn must_wait(&self, command: &Command) -> bool {
        let Some(thought) = &self.thought else { return false };
        match command {
            Command::Line("quit", _) | Command::End(Err(_)) => thought.thinking.hurry(),
            Command::Line("setoption" | "ucinewgame" | "position" | "go", _) | Command::End(Ok(())) => {
                if thought.is_held {
                    thought.thinking.hurry();
                }
            }
            Command::Line(..) => return false,
        }
        true
    }

    /// Orders the search under way to make its move.
    fn hurry(&self) {
        if let Some(thought) = &self.thought {
            thought.thinking.hurry();
        }
    }

    fn decided(&mut self, number: u64, decision: Decision) {
        if let Some(thought) = self.thought.take_if(|thought| thought.number == number) {
            thought.thinking.finish();
            self.out.send(best(decision));
        }
    }

    fn introduce(&self) {
        let spin = |Spin { name, default, least, most }: Spin| {
            self.out.send(format_args!("option name {name} type spin default {default} min {least} max {most}"));
        };
        self.out.send(format_args!("id name {NAME}"));
        self.out.send("id author the Makruk tablebase authors");
        self.out.send(format_args!("option name {PATH} type string default {EMPTY}"));
        self.out.send(format_args!("option name {USE_COUNT} type check default true"));
        [MULTI_PV, HASH, THREADS, OVERHEAD].into_iter().for_each(spin);
        self.out.send("option name Ponder type check default false");
        self.out.send("option name UCI_AnalyseMode type check default false");
        self.out.send("option name UCI_Variant type combo default makruk var makruk");
        self.out.send("uciok");
    }

    fn set_option(&mut self, text: &str) {
        let (name, value) = option(text);
        match self.settings.set(&name, value) {
            Ok(()) => self.player = None,
            Err(error) => self.remark(error),
        }
    }

    fn position(&mut self, text: &str) {
        let words: Vec<&str> = text.split_whitespace().collect();
        let at = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
        let (place, moves) = (&words[..at], words.get(at + 1..).unwrap_or_default());
        let game = match place.split_first() {
            Some((&"startpos", _)) => Game::from_uci(Fen::start(), moves.iter().copied()),
            Some((&"fen", fields)) => {
                let reading = Reading::parse(&fields.join(" ")).map_err(GameError::from);
                reading.and_then(|reading| {
                    self.note(&reading.notes);
                    Game::from_uci(reading.fen, moves.iter().copied())
                })
            }
            _ => {
                self.remark("position: expected startpos or fen");
                return;
            }
        };
        match game {
            Ok(game) => self.game = Some(game),
            Err(error) => {
                self.game = None;
                self.remark(error);
            }
        }
    }

    /// Says what was dropped from a position or assumed, once: programs send the position again before every move.
    fn note(&mut self, notes: &[Note]) {
        if self.noted != notes {
            notes.iter().for_each(|note| self.remark(format_args!("note: {note}")));
            self.noted = notes.to_vec();
        }
    }

    fn go<'a>(&mut self, words: impl Iterator<Item = &'a str>) {
        let Some(game) = self.game.clone() else {
            self.remark("there is no position to search");
            return self.out.send("bestmove (none)");
        };
        let limits = limits(words, &game);
        let is_held = limits.hold;
        let out = self.out.clone();
        let report = move |info| match info {
            Info::Report(report) => out.send(info_line(&report)),
            Info::Remark(text) => out.send(format_args!("info string {text}")),
        };
        self.thoughts += 1;
        let (number, events) = (self.thoughts, self.events.clone());
        // The session may have ended before, by an error of the input.
        let decided = move |decision| drop(events.send(Event::Decided(number, decision)));
        match Thinking::begin(self.player(), game.clone(), limits, report, decided) {
            Ok(thinking) => self.thought = Some(Thought { number, thinking, is_held }),
            Err(error) => {
                self.remark(format!("cannot start a thread to search: {error}"));
                let any = game.now().position.legal_moves().first().copied();
                self.out.send(best(Decision { best: any, reply: None }));
            }
        }
    }

    fn player(&mut self) -> Arc<Player> {
        if let Some(player) = &self.player {
            return Arc::clone(player);
        }
        let player = Arc::new(Player::new(self.settings.clone()));
        self.remark(player.introduction());
        self.player = Some(Arc::clone(&player));
        player
    }

    /// The position, for people.
    fn show(&self) {
        match &self.game {
            Some(game) => self.remark(format_args!("fen {}", game.now())),
            None => self.remark("no position"),
        }
    }

    fn remark(&self, text: impl std::fmt::Display) {
        self.out.send(format_args!("info string {text}"));
    }
}

/// The name and the value of an option: words up to `value`, and the rest of the line, whose blanks may be those of a
/// path.
fn option(text: &str) -> (String, &str) {
    let mut name = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        rest = after.trim_start();
        match word {
            "value" => break,
            "name" if name.is_empty() => {}
            _ => name.push(word),
        }
    }
    (name.join(" "), rest)
}

fn best(decision: Decision) -> String {
    match (decision.best, decision.reply) {
        (Some(best), Some(reply)) => format!("bestmove {best} ponder {reply}"),
        (Some(best), None) => format!("bestmove {best}"),
        (None, _) => "bestmove (none)".to_owned(),
    }
}

fn info_line(report: &Report) -> String {
    let ms = report.elapsed.as_millis();
    let rate = u128::from(report.nodes) * 1000 / ms.max(1);
    let line: Vec<String> = report.line.iter().map(Move::to_string).collect();
    format!(
        "info depth {} seldepth {} multipv {} score {} nodes {} nps {rate} tbhits {} time {ms} pv {}",
        report.depth,
        report.selective_depth,
        report.multi_pv,
        report.score,
        report.nodes,
        report.table_hits,
        line.join(" ")
    )
}

/// Reads the words after `go`. A number that cannot be read is ignored.
fn limits<'a>(words: impl Iterator<Item = &'a str>, game: &Game) -> Limits {
    let position = &game.now().position;
    let mut limits = Limits::default();
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        if word == "searchmoves" {
            while let Some(mv) = words.peek().and_then(|text| Move::from_uci(position, text).ok()) {
                limits.only.push(mv);
                words.next();
            }
            continue;
        }
        if matches!(word, "ponder" | "infinite") {
            limits.hold = true;
            continue;
        }
        let Some(number) = words.peek().and_then(|text| text.parse::<i64>().ok()) else { continue };
        words.next();
        // Interfaces have been seen to send clocks below zero.
        let number = number.max(0) as u64;
        let small = u32::try_from(number).unwrap_or(u32::MAX);
        let white = position.turn() == Color::White;
        match word {
            "wtime" if white => limits.clock = Some(Duration::from_millis(number)),
            "btime" if !white => limits.clock = Some(Duration::from_millis(number)),
            "winc" if white => limits.increment = Duration::from_millis(number),
            "binc" if !white => limits.increment = Duration::from_millis(number),
            "movestogo" => limits.moves_to_go = Some(small),
            "depth" => limits.depth = Some(small),
            "nodes" => limits.nodes = Some(number),
            "mate" => limits.mate = Some(small),
            "movetime" => limits.time = Some(Duration::from_millis(number)),
            _ => {}
        }
    }
    limits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Limits {
        limits(text.split_whitespace(), &Game::new("8/8/8/8/8/4s1k1/4R3/K7 b".parse().unwrap()))
    }

    #[test]
    fn limits_of_all_kinds() {
        let ms = Duration::from_millis;
        let expected = Limits {
            clock: Some(ms(2000)),
            increment: ms(20),
            moves_to_go: Some(7),
            hold: true,
            only: vec![
                Move::from_uci(&"8/8/8/8/8/4s1k1/4R3/K7 b".parse::<makruk_rules::Fen>().unwrap().position, "e3e2")
                    .unwrap(),
            ],
            ..Limits::default()
        };
        assert_eq!(read("ponder searchmoves e3e2 wtime 1000 btime 2000 winc 10 binc 20 movestogo 7"), expected);
        assert_eq!(read("movetime 30 depth 4 nodes 99").time, Some(ms(30)));
        assert_eq!(read("btime -50").clock, Some(ms(0)));
        assert_eq!(read("infinite what mate x depth"), Limits { hold: true, ..Limits::default() });
        assert_eq!(read("depth 99999999999").depth, Some(u32::MAX));
    }

    #[test]
    fn values_of_options_keep_their_blanks() {
        let path = "/data/my  tables\u{a0}of value/x";
        assert_eq!(option(&format!("name MakrukPath value {path}")), ("MakrukPath".to_owned(), path));
        assert_eq!(option(" name  Use Count   value  false"), ("Use Count".to_owned(), "false"));
        assert_eq!(option("name Clear"), ("Clear".to_owned(), ""));
    }
}
