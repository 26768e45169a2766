//! The XBoard protocol, also called CECP, in its second version.

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use makruk_tables::rules::{Color, Fen, FenError, Move};

use super::clock::Clock;
use super::output::Output;
use super::settings::{HASH, MULTI_PV, OVERHEAD, PATH, Spin, USE_COUNT};
use super::thinking::Thinking;
use super::{Decision, Game, Limits, MAX_COMMAND_BYTES, NAME, Outcome, Player, Report, Settings, Told};

/// Speaks the XBoard protocol until `quit` or the input's end.
///
/// # Errors
///
/// If the input can't be read.
pub fn xboard<R, W>(input: R, output: W, settings: Settings) -> io::Result<()>
where
    R: BufRead + Send + 'static,
    W: Write + Send + 'static,
{
    let (sender, events) = channel();
    let lines = sender.clone();
    // It ends with the input, or with the process.
    std::thread::Builder::new().name("listening".to_owned()).spawn(move || listen(input, &lines))?;
    Session::new(Output::new(output), settings, sender).run(&events)
}

/// What happens.
enum Event {
    Command(String),
    /// A thought has come to its end; which one, by number.
    Decided(u64, Decision),
    End(io::Result<()>),
}

fn listen(input: impl BufRead, events: &Sender<Event>) {
    let mut end = Ok(());
    for line in crate::lines(input, MAX_COMMAND_BYTES) {
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
    // Nobody listens any more after `quit`.
    let _ = events.send(Event::End(end));
}

/// Who makes the moves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// The other program, for both sides.
    Force,
    /// This one, for a side.
    Play(Color),
    /// Nobody: positions are looked at.
    Analyse,
}

/// What a thought is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Move,
    Analysis,
    Hint,
}

struct Thought {
    number: u64,
    purpose: Purpose,
    thinking: Thinking,
}

struct Session<W> {
    out: Output<W>,
    events: Sender<Event>,
    settings: Settings,
    player: Option<Arc<Player>>,
    game: Game,
    mode: Mode,
    clock: Clock,
    /// Are lines shown?
    post: bool,
    thought: Option<Thought>,
    thoughts: u64,
    ended: bool,
}

/// Whether to go on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Listen,
    Quit,
}

impl<W: Write + Send + 'static> Session<W> {
    fn new(out: Output<W>, settings: Settings, events: Sender<Event>) -> Session<W> {
        Session {
            out,
            events,
            settings,
            player: None,
            game: Game::start(),
            mode: Mode::Play(Color::Black),
            clock: Clock::default(),
            post: false,
            thought: None,
            thoughts: 0,
            ended: false,
        }
    }

    fn run(mut self, events: &Receiver<Event>) -> io::Result<()> {
        while let Ok(event) = events.recv() {
            match event {
                Event::Command(line) => {
                    if self.obey(line.trim()) == Next::Quit {
                        break;
                    }
                }
                Event::Decided(number, decision) => self.decided(number, decision),
                Event::End(end) => {
                    self.abandon();
                    return end;
                }
            }
        }
        self.abandon();
        Ok(())
    }

    fn obey(&mut self, line: &str) -> Next {
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match command {
            "" | "xboard" | "accepted" | "random" | "hard" | "easy" | "computer" | "name" | "rating" | "ics" | "bk"
            | "cores" | "otim" | "nps" | "white" | "black" => {}
            "rejected" => {}
            "protover" => self.introduce(),
            "quit" => return Next::Quit,
            "ping" => self.out.say(format_args!("pong {rest}")),
            "new" => self.restart(Game::start(), Mode::Play(Color::Black)),
            "variant" if rest == "makruk" => {}
            "variant" => self.error("unsupported variant", rest),
            "setboard" => self.set_board(rest),
            "force" => self.rest(Mode::Force),
            "result" => self.rest(Mode::Force),
            "go" => {
                self.rest(Mode::Play(self.turn()));
                self.play();
            }
            "playother" => self.rest(Mode::Play(!self.turn())),
            "usermove" => self.user_move(rest),
            "?" => {
                if let Some(thought) = self.thought.as_ref().filter(|thought| thought.purpose == Purpose::Move) {
                    thought.thinking.hurry();
                }
            }
            "undo" => self.take_back(1),
            "remove" => self.take_back(2),
            "level" | "st" | "sd" | "time" => {
                if self.clock.set(command, rest).is_none() {
                    self.error("bad number", line);
                }
            }
            "post" => self.post = true,
            "nopost" => self.post = false,
            "draw" => self.consider_draw(),
            "hint" => self.think(Purpose::Hint),
            "analyze" => {
                self.abandon();
                self.mode = Mode::Analyse;
                self.think(Purpose::Analysis);
            }
            "exit" => self.rest(Mode::Force),
            "." => self.status(),
            "memory" => self.set_option(HASH.name, rest),
            "egtpath" => match rest.split_once(char::is_whitespace) {
                Some(("makruk", path)) => self.set_option(PATH, path.trim()),
                _ => self.error("unknown tables", rest),
            },
            "option" => {
                let (name, value) = rest.split_once('=').unwrap_or((rest, ""));
                self.set_option(name, value);
            }
            // Moves come as they are where `usermove` was not accepted.
            _ if rest.is_empty() && Move::from_uci(&self.game.now().position, command).is_ok() => {
                self.user_move(command);
            }
            _ => self.error("unknown command", line),
        }
        Next::Listen
    }

    fn introduce(&self) {
        self.out.say("feature done=0");
        self.out.say(format_args!("feature myname=\"{NAME}\" variants=\"makruk\" egt=\"makruk\""));
        self.out.say("feature ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=1 sigint=0 sigterm=0 reuse=1");
        self.out.say("feature analyze=1 colors=0 ics=0 name=0 pause=0 nps=0 debug=1 memory=1 smp=0 exclude=0");
        self.out.say(format_args!("feature option=\"{PATH} -string \""));
        self.out.say(format_args!("feature option=\"{USE_COUNT} -check 1\""));
        for Spin { name, default, least, most } in [MULTI_PV, OVERHEAD] {
            self.out.say(format_args!("feature option=\"{name} -spin {default} {least} {most}\""));
        }
        self.out.say("feature done=1");
    }

    fn restart(&mut self, game: Game, mode: Mode) {
        self.abandon();
        self.game = game;
        self.mode = mode;
        self.ended = false;
        self.clock.depth = None;
        // Tables may have come since.
        self.player.take_if(|player| !player.is_current(&self.settings));
    }

    fn set_board(&mut self, fen: &str) {
        match read_board(fen) {
            Ok(fen) => {
                self.abandon();
                self.game = Game::new(fen);
                self.ended = false;
                self.look_again();
            }
            Err(error) => self.out.say(format_args!("tellusererror Illegal position: {error}")),
        }
    }

    /// Thinks no more, and waits in another mode.
    fn rest(&mut self, mode: Mode) {
        self.abandon();
        self.mode = mode;
    }

    fn user_move(&mut self, text: &str) {
        let mv = match Move::from_uci(&self.game.now().position, text) {
            Ok(mv) => mv,
            Err(error) => return self.out.say(format_args!("Illegal move ({error}): {text}")),
        };
        self.abandon();
        self.clock.moved(self.turn());
        self.game.play(mv);
        match self.mode {
            Mode::Play(side) if side == self.turn() => {
                if !self.claim() {
                    self.play();
                }
            }
            Mode::Play(_) | Mode::Force => {}
            Mode::Analyse => self.look_again(),
        }
    }

    fn take_back(&mut self, moves: usize) {
        self.abandon();
        self.game.take_back(moves);
        self.ended = false;
        self.look_again();
    }

    fn look_again(&mut self) {
        if self.mode == Mode::Analyse {
            self.think(Purpose::Analysis);
        }
    }

    fn play(&mut self) {
        self.think(Purpose::Move);
    }

    fn think(&mut self, purpose: Purpose) {
        self.abandon();
        let limits = match purpose {
            Purpose::Move => self.clock.limits(self.turn()),
            Purpose::Analysis => Limits { hold: true, ..Limits::default() },
            Purpose::Hint => Limits { time: Some(Duration::from_millis(500)), ..Limits::default() },
        };
        self.thoughts += 1;
        let number = self.thoughts;
        let shown = match purpose {
            Purpose::Move => self.post,
            Purpose::Analysis => true,
            Purpose::Hint => false,
        };
        let (out, events) = (self.out.clone(), self.events.clone());
        let tell = move |it| match it {
            Told::Report(report) if shown => out.say(line(&report)),
            Told::Remark(text) if shown => out.say(format_args!("# {text}")),
            _ => {}
        };
        // Nobody listens any more after `quit`.
        let decided = move |decision| drop(events.send(Event::Decided(number, decision)));
        match Thinking::begin(self.player(), self.game.clone(), limits, tell, decided) {
            Ok(thinking) => self.thought = Some(Thought { number, purpose, thinking }),
            Err(error) => {
                self.out.say(format_args!("# no thread to think with: {error}"));
                let best = self.game.now().position.legal_moves().first().copied();
                self.act(purpose, best);
            }
        }
    }

    fn decided(&mut self, number: u64, decision: Decision) {
        // What was abandoned decides nothing.
        if let Some(thought) = self.thought.take_if(|thought| thought.number == number) {
            thought.thinking.finish();
            self.act(thought.purpose, decision.best);
        }
    }

    fn act(&mut self, purpose: Purpose, best: Option<Move>) {
        match (purpose, best) {
            (Purpose::Move, Some(mv)) => {
                self.clock.moved(self.turn());
                self.game.play(mv);
                self.out.say(format_args!("move {mv}"));
                self.claim();
            }
            (Purpose::Move, None) => {
                self.claim();
            }
            (Purpose::Hint, Some(mv)) => self.out.say(format_args!("Hint: {mv}")),
            (Purpose::Hint, None) | (Purpose::Analysis, _) => {}
        }
    }

    /// Says how the game has ended, once, if it has. True if there is no move to make.
    fn claim(&mut self) -> bool {
        let Some(outcome) = self.game.outcome(self.settings.use_count) else { return false };
        let over = !self.game.now().position.has_legal_move();
        if !std::mem::replace(&mut self.ended, true) {
            // XBoard knows no count: to claim a draw by it would be a false claim, and lose the game. Where the other agrees,
            // the game is drawn, and where not, it goes on.
            self.out.say(match outcome {
                Outcome::Mate(Color::White) => "1-0 {White mates}",
                Outcome::Mate(Color::Black) => "0-1 {Black mates}",
                Outcome::Stalemate => "1/2-1/2 {Stalemate}",
                Outcome::CountExpired | Outcome::BareKings => "offer draw",
            });
        }
        over
    }

    /// Takes a draw where nothing is to be had.
    fn consider_draw(&mut self) {
        let mover_is_us = matches!(self.mode, Mode::Play(side) if side == self.turn());
        let wins = self.player().is_better(self.game.now(), mover_is_us);
        if wins == Some(false) {
            self.out.say("offer draw");
        }
    }

    fn status(&self) {
        if let Some(thought) = self.thought.as_ref().filter(|thought| thought.purpose == Purpose::Analysis) {
            let centiseconds = thought.thinking.elapsed().as_millis() / 10;
            self.out.say(format_args!("stat01: {centiseconds} 0 0 0 0"));
        }
    }

    fn set_option(&mut self, name: &str, value: &str) {
        match self.settings.set(name, value) {
            Ok(()) => self.player = None,
            Err(error) => self.error("bad option", &error.to_string()),
        }
        // A thought under way goes on with what it has; analysis begins anew.
        if self.mode == Mode::Analyse {
            self.look_again();
        }
    }

    fn player(&mut self) -> Arc<Player> {
        let settings = &self.settings;
        let player = self.player.get_or_insert_with(|| Arc::new(Player::new(settings.clone())));
        Arc::clone(player)
    }

    /// Ends a thought that leads to nothing.
    fn abandon(&mut self) {
        if let Some(thought) = self.thought.take() {
            thought.thinking.stop();
        }
    }

    fn turn(&self) -> Color {
        self.game.now().position.turn()
    }

    fn error(&self, what: &str, detail: &str) {
        let detail: String = detail.chars().take(200).collect();
        self.out.say(format_args!("Error ({what}): {detail}"));
    }
}

/// Reads a position. XBoard writes Makruk's without the third and fourth field, `board side 0 1`: that is no count of one ply.
fn read_board(text: &str) -> Result<Fen, FenError> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match fields[..] {
        [board, side, ply, fullmove] if is_number(ply) && is_number(fullmove) => {
            Fen::parse(&format!("{board} {side} - - 0 {fullmove}"))
        }
        _ => Fen::parse(text),
    }
}

/// Depth in plies, score in hundredths of a pawn, time in hundredths of a second, positions, moves.
fn line(report: &Report) -> String {
    let line: Vec<String> = report.line.iter().map(Move::to_string).collect();
    let centiseconds = report.elapsed.as_millis() / 10;
    format!("{} {} {centiseconds} {} {}", report.depth, report.score.xboard(), report.nodes, line.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_as_xboard_writes_them() {
        let read = |text: &str| read_board(text).map(|fen| fen.to_string());
        let board = "8/8/8/8/8/4s1k1/4R3/K7";
        assert_eq!(read(&format!("{board} w 0 1")), Ok(format!("{board} w - - 0 1")));
        assert_eq!(read(&format!("{board} b 7 12")), Ok(format!("{board} b - - 0 12")));
        assert_eq!(read(&format!("{board} w - - 0 1")), Ok(format!("{board} w - - 0 1")));
        assert_eq!(read(&format!("{board} w - 128 4 1")), Ok(format!("{board} w - 128 4 1")));
        assert!(read(&format!("{board} w 0 x")).is_err() && read("").is_err());
    }
}
