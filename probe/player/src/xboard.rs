//! The XBoard protocol, also called CECP, in its second version.

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use makruk_rules::{Color, Move, Reading};

use super::clock::Clock;
use super::listener::{Event, listen};
use super::output::Output;
use super::settings::{HASH, MULTI_PV, OVERHEAD, PATH, Spin, USE_COUNT};
use super::thinking::Thinking;
use super::{Decision, Game, Info, Limits, NAME, Outcome, Player, Report, Settings};

/// Speaks the XBoard protocol until `quit` or the input's end.
///
/// # Errors
///
/// If the input cannot be read.
pub fn xboard<R, W>(input: R, output: W, settings: Settings) -> io::Result<()>
where
    R: BufRead + Send + 'static,
    W: Write + Send + 'static,
{
    let (sender, events) = channel();
    listen(input, sender.clone())?;
    XBoardSession::new(Output::new(output), settings, sender).run(&events)
}

/// The side that makes the moves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// The other program, both sides.
    Force,
    /// This program, one side.
    Play(Color),
    /// Neither program: positions are analysed.
    Analyse,
}

/// The purpose of a thought.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Move,
    Analysis,
    Hint,
}

struct XBoardThought {
    number: u64,
    purpose: Purpose,
    thinking: Thinking,
}

struct XBoardSession<W> {
    out: Output<W>,
    events: Sender<Event>,
    settings: Settings,
    player: Option<Arc<Player>>,
    game: Game,
    mode: Mode,
    clock: Clock,
    /// Whether lines are shown.
    post: bool,
    thought: Option<XBoardThought>,
    thoughts: u64,
    ended: bool,
}

/// Whether to continue.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Listen,
    Quit,
}

impl<W: Write + Send + 'static> XBoardSession<W> {
    fn new(out: Output<W>, settings: Settings, events: Sender<Event>) -> XBoardSession<W> {
        XBoardSession {
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
                    if self.react(line.trim()) == Next::Quit {
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

    fn react(&mut self, line: &str) -> Next {
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match command {
            "" | "xboard" | "accepted" | "random" | "hard" | "easy" | "computer" | "name" | "rating" | "ics" | "bk"
            | "cores" | "otim" | "nps" | "white" | "black" | "rejected" => {}
            "protover" => self.introduce(),
            "quit" => return Next::Quit,
            "ping" => self.out.send(format_args!("pong {rest}")),
            "new" => self.restart(Game::start(), Mode::Play(Color::Black)),
            "variant" if rest == "makruk" => {}
            "variant" => self.error("unsupported variant", rest),
            "setboard" => self.set_board(rest),
            "force" | "result" | "exit" => self.rest(Mode::Force),
            "go" => {
                self.rest(Mode::Play(self.turn()));
                self.think(Purpose::Move);
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
            // Moves come bare where `usermove` was not accepted.
            _ if rest.is_empty() && Move::from_uci(&self.game.now().position, command).is_ok() => {
                self.user_move(command);
            }
            _ => self.error("unknown command", line),
        }
        Next::Listen
    }

    fn introduce(&self) {
        self.out.send("feature done=0");
        self.out.send(format_args!("feature myname=\"{NAME}\" variants=\"makruk\" egt=\"makruk\""));
        self.out
            .send("feature ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=1 sigint=0 sigterm=0 reuse=1");
        self.out.send("feature analyze=1 colors=0 ics=0 name=0 pause=0 nps=0 debug=1 memory=1 smp=0 exclude=0");
        self.out.send(format_args!("feature option=\"{PATH} -string \""));
        self.out.send(format_args!("feature option=\"{USE_COUNT} -check 1\""));
        for Spin { name, default, least, most } in [MULTI_PV, OVERHEAD] {
            self.out.send(format_args!("feature option=\"{name} -spin {default} {least} {most}\""));
        }
        self.out.send("feature done=1");
    }

    fn restart(&mut self, game: Game, mode: Mode) {
        self.abandon();
        self.game = game;
        self.mode = mode;
        self.ended = false;
        self.clock.depth = None;
        // The folders may have changed since.
        self.player.take_if(|player| !player.is_current(&self.settings));
    }

    fn set_board(&mut self, fen: &str) {
        match Reading::parse(fen) {
            Ok(reading) => {
                self.abandon();
                reading.notes.iter().for_each(|note| self.out.send(format_args!("# note: {note}")));
                self.game = Game::new(reading.fen);
                self.ended = false;
                self.analyse_again();
            }
            Err(error) => self.out.send(format_args!("tellusererror Illegal position: {error}")),
        }
    }

    /// Stops thinking, and waits in another mode.
    fn rest(&mut self, mode: Mode) {
        self.abandon();
        self.mode = mode;
    }

    fn user_move(&mut self, text: &str) {
        let mv = match Move::from_uci(&self.game.now().position, text) {
            Ok(mv) => mv,
            Err(error) => return self.out.send(format_args!("Illegal move ({error}): {text}")),
        };
        self.abandon();
        self.clock.moved(self.turn());
        self.game.play(mv);
        match self.mode {
            Mode::Play(side) if side == self.turn() => {
                if !self.claim() {
                    self.think(Purpose::Move);
                }
            }
            Mode::Play(_) | Mode::Force => {}
            Mode::Analyse => self.analyse_again(),
        }
    }

    fn take_back(&mut self, moves: usize) {
        self.abandon();
        self.game.take_back(moves);
        self.ended = false;
        self.analyse_again();
    }

    fn analyse_again(&mut self) {
        if self.mode == Mode::Analyse {
            self.think(Purpose::Analysis);
        }
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
        let report = move |info| match info {
            Info::Report(report) if shown => out.send(line(&report)),
            Info::Remark(text) if shown => out.send(format_args!("# {text}")),
            _ => {}
        };
        // The session may have ended before, by `quit`.
        let decided = move |decision| drop(events.send(Event::Decided(number, decision)));
        match Thinking::begin(self.player(), self.game.clone(), limits, report, decided) {
            Ok(thinking) => self.thought = Some(XBoardThought { number, purpose, thinking }),
            Err(error) => {
                self.out.send(format_args!("# cannot start a thread to search: {error}"));
                let best = self.game.now().position.legal_moves().first().copied();
                self.act(purpose, best);
            }
        }
    }

    fn decided(&mut self, number: u64, decision: Decision) {
        // An abandoned thought decides nothing.
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
                self.out.send(format_args!("move {mv}"));
                self.claim();
            }
            (Purpose::Move, None) => {
                self.claim();
            }
            (Purpose::Hint, Some(mv)) => self.out.send(format_args!("Hint: {mv}")),
            (Purpose::Hint, None) | (Purpose::Analysis, _) => {}
        }
    }

    /// Claims the result, once, if the game has ended. True if there is no move to make.
    fn claim(&mut self) -> bool {
        let Some(outcome) = self.game.outcome(self.settings.count_mode()) else { return false };
        let over = !self.game.now().position.has_legal_move();
        if !std::mem::replace(&mut self.ended, true) {
            // XBoard knows no count: a claim of a draw by it would be a false claim, and lose the game. If the other
            // side agrees to the offer, the game is drawn, and if not, it continues.
            self.out.send(match outcome {
                Outcome::Mate(Color::White) => "1-0 {White mates}",
                Outcome::Mate(Color::Black) => "0-1 {Black mates}",
                Outcome::Stalemate => "1/2-1/2 {Stalemate}",
                Outcome::CountExpired | Outcome::Dead | Outcome::Repetition => "offer draw",
            });
        }
        over
    }

    /// Agrees to a draw unless it is better off.
    fn consider_draw(&mut self) {
        let mover_is_us = matches!(self.mode, Mode::Play(side) if side == self.turn());
        let wins = self.player().is_better(&self.game, mover_is_us);
        if wins == Some(false) {
            self.out.send("offer draw");
        }
    }

    fn status(&self) {
        if let Some(thought) = self.thought.as_ref().filter(|thought| thought.purpose == Purpose::Analysis) {
            let centiseconds = thought.thinking.elapsed().as_millis() / 10;
            self.out.send(format_args!("stat01: {centiseconds} 0 0 0 0"));
        }
    }

    fn set_option(&mut self, name: &str, value: &str) {
        match self.settings.set(name, value) {
            Ok(()) => self.player = None,
            Err(error) => self.error("bad option", &error.to_string()),
        }
        // A thought under way keeps its tables; analysis begins again.
        self.analyse_again();
    }

    fn player(&mut self) -> Arc<Player> {
        let settings = &self.settings;
        let player = self.player.get_or_insert_with(|| Arc::new(Player::new(settings.clone())));
        Arc::clone(player)
    }

    /// Ends a thought without use for its decision.
    fn abandon(&mut self) {
        if let Some(thought) = self.thought.take() {
            thought.thinking.stop();
        }
    }

    fn turn(&self) -> Color {
        self.game.now().position.turn()
    }

    fn error(&self, error: &str, detail: &str) {
        let detail: String = detail.chars().take(200).collect();
        self.out.send(format_args!("Error ({error}): {detail}"));
    }
}

/// Depth in plies, score in hundredths of a pawn, time in hundredths of a second, positions, moves.
fn line(report: &Report) -> String {
    let line: Vec<String> = report.line.iter().map(Move::to_string).collect();
    let centiseconds = report.elapsed.as_millis() / 10;
    format!("{} {} {centiseconds} {} {}", report.depth, report.score.xboard(), report.nodes, line.join(" "))
}
