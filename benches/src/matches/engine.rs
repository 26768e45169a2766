//! A UCI engine as a process, whose processor time is measured.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail, ensure};
use fastrand::Rng;
use makruk_tables::rules::Fen;

use super::game::{Player, Reply, Score};

/// Ticks per second in `/proc/PID/stat`; Linux reports this number on every machine.
const TICKS_PER_SECOND: u64 = 100;
/// The time for an engine to start and to read its tables.
const START: Duration = Duration::from_secs(300);

/// How an engine is started.
#[derive(Clone, Debug)]
pub struct EngineCommand {
    /// A short name, for reports.
    pub name: String,
    /// The program.
    pub program: String,
    /// Options, as names and values.
    pub options: Vec<(String, String)>,
    /// The words after `go`, such as `movetime 50`.
    pub go: String,
    /// The longest time that a move may take, by the clock.
    pub move_limit: Duration,
    /// The largest share by which the numbers of `go` vary at random from move to move, so that games differ.
    pub variation: f64,
}

impl EngineCommand {
    /// The words after `go`, with their numbers varied.
    fn varied(&self, random: &mut Rng) -> String {
        let word = |word: &str| match word.parse::<f64>() {
            Ok(number) => format!("{:.0}", number * (1.0 + self.variation * (2.0 * random.f64() - 1.0))),
            Err(_) => word.to_owned(),
        };
        self.go.split(' ').map(word).collect::<Vec<_>>().join(" ")
    }
}

/// A running engine. When dropped, it gets the command to quit.
pub struct UciEngine {
    command: EngineCommand,
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    random: Rng,
}

impl UciEngine {
    /// Starts an engine, sets its options and waits until it is ready.
    ///
    /// # Errors
    ///
    /// If the engine cannot be started, lacks one of the options (`UCI_Variant` among them), or is not ready in time.
    pub fn start(command: &EngineCommand) -> Result<UciEngine> {
        let name = &command.name;
        let mut child = Command::new(&command.program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {name}: {}", command.program))?;
        let input = child.stdin.take().context("a piped input")?;
        let output = child.stdout.take().context("a piped output")?;
        let (sender, lines) = channel();
        // Ends with the engine's output.
        thread::spawn(move || {
            BufReader::new(output).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        let mut engine = UciEngine { command: command.clone(), child, input, lines, random: Rng::with_seed(0) };
        engine.send("uci")?;
        let mut known = Vec::new();
        engine.wait_for("uciok", |line| {
            let option = line.strip_prefix("option name ").and_then(|rest| rest.split(" type ").next());
            known.extend(option.map(str::to_owned));
        })?;
        let variant = ("UCI_Variant".to_owned(), "makruk".to_owned());
        for (option, value) in std::iter::once(&variant).chain(&command.options) {
            ensure!(known.contains(option), "{name} has no option {option}");
            engine.send(&format!("setoption name {option} value {value}"))?;
        }
        engine.send("isready")?;
        engine.wait_for("readyok", |line| {
            if let Some(text) = line.strip_prefix("info string ") {
                eprintln!("{name}: {text}");
            }
        })?;
        Ok(engine)
    }

    /// The processor time used so far, of all threads, in user and system mode.
    ///
    /// # Errors
    ///
    /// If the process has ended.
    pub fn processor_time(&self) -> Result<Duration> {
        let path = format!("/proc/{}/stat", self.child.id());
        let stat = std::fs::read_to_string(&path).with_context(|| format!("cannot read {path}"))?;
        // The name in brackets may contain spaces; user and system time are the fields 14 and 15.
        let (_, fields) = stat.rsplit_once(") ").with_context(|| format!("cannot parse {path}"))?;
        let mut ticks = fields.split(' ').skip(11).map(str::parse::<u64>);
        match (ticks.next(), ticks.next()) {
            (Some(Ok(user)), Some(Ok(system))) => Ok(Duration::from_millis((user + system) * 1000 / TICKS_PER_SECOND)),
            _ => bail!("cannot parse {path}"),
        }
    }

    fn send(&mut self, command: &str) -> Result<()> {
        writeln!(self.input, "{command}")
            .and_then(|()| self.input.flush())
            .with_context(|| format!("{} has ended", self.command.name))
    }

    fn line(&self, deadline: Instant) -> Result<String> {
        let name = &self.command.name;
        self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())).map_err(|error| match error {
            RecvTimeoutError::Timeout => anyhow!("{name} does not answer in time"),
            RecvTimeoutError::Disconnected => anyhow!("{name} has ended"),
        })
    }

    fn wait_for(&self, last: &str, mut see: impl FnMut(&str)) -> Result<()> {
        let deadline = Instant::now() + START;
        loop {
            let line = self.line(deadline)?;
            if line.trim_end() == last {
                return Ok(());
            }
            see(&line);
        }
    }
}

impl Player for UciEngine {
    fn name(&self) -> &str {
        &self.command.name
    }

    fn new_game(&mut self, seed: u64) -> Result<()> {
        self.random = Rng::with_seed(seed);
        self.send("ucinewgame")?;
        self.send("isready")?;
        self.wait_for("readyok", |_| {})
    }

    fn reply(&mut self, start: &Fen, moves: &[String]) -> Result<Reply> {
        let moves = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        self.send(&format!("position fen {start}{moves}"))?;
        let go = self.command.varied(&mut self.random);
        self.send(&format!("go {go}"))?;
        let deadline = Instant::now() + self.command.move_limit;
        let mut reply = Reply::default();
        loop {
            let line = self.line(deadline)?;
            let mut words = line.split_ascii_whitespace();
            match words.next() {
                Some("bestmove") => {
                    words.next().unwrap_or_default().clone_into(&mut reply.mv);
                    return Ok(reply);
                }
                Some("info") => {
                    while let Some(word) = words.next() {
                        let number = match word {
                            "nodes" => &mut reply.nodes,
                            "tbhits" => &mut reply.table_hits,
                            "score" => {
                                reply.score = Score::read(&mut words).or(reply.score);
                                continue;
                            }
                            "string" | "pv" => break,
                            _ => continue,
                        };
                        *number = words.next().and_then(|text| text.parse().ok()).unwrap_or(*number);
                    }
                }
                _ => {}
            }
        }
    }

    fn processor_time(&self) -> Result<Duration> {
        UciEngine::processor_time(self)
    }
}

impl Drop for UciEngine {
    fn drop(&mut self) {
        // An engine that does not quit is ended.
        if self.send("quit").is_err() || self.wait_for("quit", |_| {}).is_err() {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}
