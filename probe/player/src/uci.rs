//! The UCI protocol.

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::time::Duration;

use makruk_tables::rules::{Color, Move};

use super::output::Output;
use super::settings::{EMPTY, HASH, MULTI_PV, OVERHEAD, PATH, Spin, THREADS, USE_COUNT};
use super::thinking::Thinking;
use super::{Decision, Game, Limits, MAX_COMMAND_BYTES, NAME, Player, Report, Settings, Told};

/// Speaks UCI until `quit` or the input's end. At its end a search that has a limit is finished first.
///
/// # Errors
///
/// If the input can't be read.
pub fn uci<R: BufRead, W: Write + Send + 'static>(input: R, output: W, settings: Settings) -> io::Result<()> {
    let mut session = Session {
        out: Output::new(output),
        settings,
        player: None,
        game: Some(Game::start()),
        thinking: None,
        infinite: false,
    };
    for line in crate::lines(input, MAX_COMMAND_BYTES) {
        let line = match line {
            Ok(line) => line,
            Err(error) => {
                session.stop();
                return Err(error);
            }
        };
        if session.obey(&line) == Next::Quit {
            session.stop();
            return Ok(());
        }
    }
    session.settle();
    Ok(())
}

/// Whether to go on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Listen,
    Quit,
}

struct Session<W> {
    out: Output<W>,
    settings: Settings,
    /// Made when it is first needed, and anew when the settings change.
    player: Option<Arc<Player>>,
    /// None after a position that could not be read.
    game: Option<Game>,
    thinking: Option<Thinking>,
    /// The search ends only when it is told to.
    infinite: bool,
}

impl<W: Write + Send + 'static> Session<W> {
    fn obey(&mut self, line: &str) -> Next {
        let mut words = line.split_whitespace();
        // What stands before a command that is known is passed over, as the protocol has it.
        while let Some(command) = words.next() {
            match command {
                "uci" => self.introduce(),
                "isready" => {
                    self.player();
                    self.out.say("readyok");
                }
                "debug" | "register" => {}
                "setoption" => self.set_option(words),
                "ucinewgame" => {
                    self.settle();
                    // Tables may have come since.
                    self.player.take_if(|player| !player.is_current(&self.settings));
                    self.game = Some(Game::start());
                }
                "position" => self.position(words),
                "go" => self.go(words),
                "stop" => self.stop(),
                "ponderhit" => {
                    self.infinite = false;
                    if let Some(thinking) = &self.thinking {
                        thinking.release();
                    }
                }
                "d" => self.show(),
                "quit" => return Next::Quit,
                _ => continue,
            }
            return Next::Listen;
        }
        Next::Listen
    }

    fn introduce(&self) {
        let spin = |Spin { name, default, least, most }: Spin| {
            self.out.say(format_args!("option name {name} type spin default {default} min {least} max {most}"));
        };
        self.out.say(format_args!("id name {NAME}"));
        self.out.say("id author the Makruk tablebase authors");
        self.out.say(format_args!("option name {PATH} type string default {EMPTY}"));
        self.out.say(format_args!("option name {USE_COUNT} type check default true"));
        [MULTI_PV, HASH, THREADS, OVERHEAD].into_iter().for_each(spin);
        self.out.say("option name Ponder type check default false");
        self.out.say("option name UCI_AnalyseMode type check default false");
        self.out.say("option name UCI_Variant type combo default makruk var makruk");
        self.out.say("uciok");
    }

    fn set_option<'a>(&mut self, words: impl Iterator<Item = &'a str>) {
        let words: Vec<&str> = words.skip_while(|&word| word == "name").collect();
        let at = words.iter().position(|&word| word == "value").unwrap_or(words.len());
        let (name, value) = (words[..at].join(" "), words.get(at + 1..).unwrap_or_default().join(" "));
        self.settle();
        match self.settings.set(&name, &value) {
            Ok(()) => self.player = None,
            Err(error) => self.remark(error),
        }
    }

    fn position<'a>(&mut self, words: impl Iterator<Item = &'a str>) {
        self.settle();
        let words: Vec<&str> = words.collect();
        let at = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
        let (place, moves) = (&words[..at], words.get(at + 1..).unwrap_or_default());
        let game = match place.split_first() {
            Some((&"startpos", _)) => Game::from_uci(None, moves.iter().copied()),
            Some((&"fen", fields)) => Game::from_uci(Some(&fields.join(" ")), moves.iter().copied()),
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

    fn go<'a>(&mut self, words: impl Iterator<Item = &'a str>) {
        self.settle();
        let Some(game) = self.game.clone() else {
            self.remark("there is no position to think of");
            return self.out.say("bestmove (none)");
        };
        let limits = limits(words, &game);
        self.infinite = limits.hold;
        let (told, decided) = (self.out.clone(), self.out.clone());
        let tell = move |it| match it {
            Told::Report(report) => told.say(info(&report)),
            Told::Remark(text) => told.say(format_args!("info string {text}")),
        };
        let begun = Thinking::begin(self.player(), game.clone(), limits, tell, move |it| decided.say(best(it)));
        match begun {
            Ok(thinking) => self.thinking = Some(thinking),
            Err(error) => {
                self.remark(format_args!("no thread to think with: {error}"));
                let any = game.now().position.legal_moves().first().copied();
                self.out.say(best(Decision { best: any, reply: None }));
            }
        }
    }

    /// Lets a search come to its end, if it has one: scripts send the next position without waiting.
    fn settle(&mut self) {
        match self.thinking.take() {
            Some(thinking) if self.infinite => thinking.stop(),
            Some(thinking) => thinking.finish(),
            None => {}
        }
    }

    /// Ends a search, which says its move.
    fn stop(&mut self) {
        if let Some(thinking) = self.thinking.take() {
            thinking.stop();
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
        self.out.say(format_args!("info string {text}"));
    }
}

fn best(decision: Decision) -> String {
    match (decision.best, decision.reply) {
        (Some(best), Some(reply)) => format!("bestmove {best} ponder {reply}"),
        (Some(best), None) => format!("bestmove {best}"),
        (None, _) => "bestmove (none)".to_owned(),
    }
}

fn info(report: &Report) -> String {
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

/// Reads what follows `go`. A number that can't be read counts as not said.
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
        limits(text.split_whitespace(), &Game::from_uci(Some("8/8/8/8/8/4s1k1/4R3/K7 b"), []).unwrap())
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
                Move::from_uci(
                    &"8/8/8/8/8/4s1k1/4R3/K7 b".parse::<makruk_tables::rules::Fen>().unwrap().position,
                    "e3e2",
                )
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
}
