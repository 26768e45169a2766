//! An engine that searches puzzles, to tell their difficulty.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, anyhow, bail};
use makruk_research::{Difficulty, Progress, Puzzle};

/// A running engine. When dropped, it is ended.
pub(super) struct PuzzleEngine {
    name: String,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl PuzzleEngine {
    /// Starts a program that speaks UCI.
    pub(super) fn start(program: &Path) -> anyhow::Result<PuzzleEngine> {
        let name = program.display().to_string();
        let mut command = Command::new(program);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().with_context(|| format!("--engine: cannot start {name}"))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            bail!("--engine: {name} has no input or no output");
        };
        let mut engine = PuzzleEngine { name, child, input, output: BufReader::new(output) };
        engine.say("uci")?;
        let mut has_makruk = false;
        loop {
            let line = engine.line()?;
            has_makruk |= line.starts_with("option name UCI_Variant ") && line.contains(" makruk");
            if line == "uciok" {
                break;
            }
        }
        if !has_makruk {
            bail!("--engine: {} does not know makruk: expected a UCI option UCI_Variant with it", engine.name);
        }
        engine.say("setoption name UCI_Variant value makruk")?;
        engine.say("setoption name Threads value 1")?;
        Ok(engine)
    }

    /// Searches puzzles with these numbers of nodes, and notes how much of each solution is found.
    pub(super) fn judge(
        &mut self,
        puzzles: &mut [Puzzle],
        nodes: &[u64],
        progress: &mut dyn Progress,
    ) -> anyhow::Result<()> {
        let (all, mut solved) = (puzzles.len() as u64, 0);
        for (at, puzzle) in puzzles.iter_mut().enumerate() {
            if progress.is_stopped() {
                break;
            }
            let found = nodes.iter().map(|&nodes| Ok((nodes, self.moves_found(puzzle, nodes)?)));
            let difficulty = Difficulty { found: found.collect::<anyhow::Result<_>>()? };
            solved += u64::from(difficulty.level(puzzle.moves_to_find()) <= nodes.len());
            puzzle.difficulty = Some(difficulty);
            progress.scanned(at as u64 + 1, all, solved);
        }
        Ok(())
    }

    /// The solver's moves that searches of this size find, up to the first that is not found.
    fn moves_found(&mut self, puzzle: &Puzzle, nodes: u64) -> anyhow::Result<usize> {
        let moves: Vec<String> = puzzle.solution.iter().map(|mv| mv.ranked.mv.to_string()).collect();
        for own in (0..moves.len()).step_by(2) {
            self.say("ucinewgame")?;
            self.say(&format!("position fen {} moves {}", puzzle.fen, moves[..own].join(" ")))?;
            self.say(&format!("go nodes {nodes}"))?;
            let best = loop {
                let line = self.line()?;
                if let Some(best) = line.strip_prefix("bestmove ") {
                    break best.split(' ').next().unwrap_or_default().to_owned();
                }
            };
            if best != moves[own] {
                return Ok(own / 2);
            }
        }
        Ok(moves.len().div_ceil(2))
    }

    fn say(&mut self, line: &str) -> anyhow::Result<()> {
        let sent = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
        // The error of the pipe is not passed on: the program takes it for the end of its own output.
        sent.map_err(|_| anyhow!("--engine: {} has ended: expected an engine that speaks UCI", self.name))
    }

    fn line(&mut self) -> anyhow::Result<String> {
        let mut line = String::new();
        let read = self.output.read_line(&mut line).with_context(|| format!("--engine: cannot read {}", self.name))?;
        if read == 0 {
            bail!("--engine: {} has ended: expected an engine that speaks UCI", self.name);
        }
        Ok(line.trim_end().to_owned())
    }
}

impl Drop for PuzzleEngine {
    fn drop(&mut self) {
        let _ = self.say("quit");
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
