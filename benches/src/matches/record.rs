//! Games as lines of a file, so that a match can stop and continue.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::game::Effort;
use super::score::MatchScore;
use super::share::GroupedShare;

/// The columns of a file of results.
pub const HEAD: &str = "pair\tgame\tpoints\tending\tplies\tfirst_ms\tsecond_ms\tfirst_nodes\tsecond_nodes\tfirst_hits\t\
                        second_hits\tfirst_moves\tsecond_moves\tfen\tmoves";

/// A game of a match. `first` and `second` are the match's engines; in game 0 of a pair the first engine has the move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// The number of the starting position.
    pub pair: usize,
    /// 0 or 1.
    pub game: usize,
    /// The first engine's half points, 0 to 2.
    pub half_points: u8,
    /// The rule that ended the game.
    pub ending: String,
    /// The engines' efforts.
    pub effort: [Effort; 2],
    /// The starting position.
    pub fen: String,
    /// The moves in UCI notation, separated by spaces.
    pub moves: String,
}

impl GameRecord {
    fn parse(line: &str) -> Option<GameRecord> {
        let fields: Vec<&str> = line.split('\t').collect();
        let number = |at: usize| fields.get(at)?.parse::<u64>().ok();
        let effort = |at: usize| {
            Some(Effort {
                processor_time: Duration::from_millis(number(5 + at)?),
                nodes: number(7 + at)?,
                table_hits: number(9 + at)?,
                moves: number(11 + at)?,
            })
        };
        Some(GameRecord {
            pair: number(0)? as usize,
            game: number(1)? as usize,
            half_points: (2.0 * fields.get(2)?.parse::<f64>().ok()?) as u8,
            ending: (*fields.get(3)?).to_owned(),
            effort: [effort(0)?, effort(1)?],
            fen: (*fields.get(13)?).to_owned(),
            moves: (*fields.get(14)?).to_owned(),
        })
    }

    fn line(&self) -> String {
        let [first, second] = &self.effort;
        let mut line = format!("{}\t{}\t{:.1}", self.pair, self.game, f64::from(self.half_points) / 2.0);
        let plies = self.moves.split_ascii_whitespace().count();
        let _ = write!(line, "\t{}\t{plies}", self.ending);
        for value in [first.processor_time, second.processor_time] {
            let _ = write!(line, "\t{}", value.as_millis());
        }
        let of = |value: fn(&Effort) -> u64| [value(first), value(second)];
        for [first, second] in [of(|effort| effort.nodes), of(|effort| effort.table_hits), of(|effort| effort.moves)] {
            let _ = write!(line, "\t{first}\t{second}");
        }
        let _ = write!(line, "\t{}\t{}", self.fen, self.moves);
        line
    }
}

/// The games of a file of results, by pair and game.
pub struct Results {
    path: PathBuf,
    file: File,
    /// The length of the complete lines, if the last line has no end.
    cut_at: Option<u64>,
    games: BTreeMap<(usize, usize), GameRecord>,
}

impl Results {
    /// Opens or creates a file of results. A last line without an end, of a match that was killed while it wrote, is
    /// not a game; the next one takes its place.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, or is not a file of results.
    pub fn open(path: &Path) -> Result<Results> {
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .with_context(|| format!("cannot open {}", path.display()))?;
        let mut text = String::new();
        file.read_to_string(&mut text).with_context(|| format!("cannot read {}", path.display()))?;
        let complete = text.rfind('\n').map_or(0, |end| end + 1);
        let cut = text.split_off(complete);
        let head = text.lines().next();
        ensure!(
            head.map_or_else(|| HEAD.starts_with(&cut), |head| head == HEAD),
            "{} is not a file of results",
            path.display()
        );
        if head.is_none() {
            file.set_len(0)?;
            file.write_all(format!("{HEAD}\n").as_bytes())?;
        }
        let mut games = BTreeMap::new();
        for line in text.lines().skip(1) {
            let game = GameRecord::parse(line).with_context(|| format!("{}: {line}", path.display()))?;
            games.insert((game.pair, game.game), game);
        }
        let cut_at = (head.is_some() && !cut.is_empty()).then_some(complete as u64);
        Ok(Results { path: path.to_owned(), file, cut_at, games })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a game.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn add(&mut self, game: GameRecord) -> Result<()> {
        if let Some(length) = self.cut_at.take() {
            self.file.set_len(length)?;
        }
        self.file.write_all((game.line() + "\n").as_bytes())?;
        self.games.insert((game.pair, game.game), game);
        Ok(())
    }

    /// A game, if it has been played.
    pub fn game(&self, pair: usize, game: usize) -> Option<&GameRecord> {
        self.games.get(&(pair, game))
    }

    /// Keeps the games that fit, in memory; the file stays as it is.
    pub fn keep(&mut self, fits: impl Fn(&GameRecord) -> bool) {
        self.games.retain(|_, game| fits(game));
    }

    /// All games.
    pub fn games(&self) -> impl Iterator<Item = &GameRecord> {
        self.games.values()
    }

    /// The complete pairs, by points.
    pub fn score(&self) -> MatchScore {
        let mut score = MatchScore::default();
        for (&(pair, game), first) in &self.games {
            if game == 0
                && let Some(second) = self.game(pair, 1)
            {
                score.add([first.half_points, second.half_points]);
            }
        }
        score
    }

    /// The first engine's share of the points in complete pairs. A starting position is a group: its pairs hang
    /// together.
    pub fn share(&self) -> GroupedShare {
        let mut positions: BTreeMap<&str, [f64; 2]> = BTreeMap::new();
        for first in self.games().filter(|game| game.game == 0) {
            let Some(second) = self.game(first.pair, 1) else { continue };
            let [points, games] = positions.entry(&first.fen).or_default();
            *points += f64::from(first.half_points + second.half_points) / 2.0;
            *games += 2.0;
        }
        let mut share = GroupedShare::default();
        positions.into_values().for_each(|[points, games]| share.add(points, games));
        share
    }

    /// The summary: score, Elo, roles, endings, and what each engine spent.
    pub fn summary(&self, names: [&str; 2]) -> String {
        let mut text = String::new();
        let score = self.score();
        let [w0, w1, w2, w3, w4] = score.pairs;
        let _ = writeln!(text, "{} pairs: {w4} of 2, {w3} of 1.5, {w2} of 1, {w1} of 0.5, {w0} of 0", score.count());
        let share = self.share();
        if share.groups() as u64 != score.count() {
            let _ = writeln!(text, "from {} positions", share.groups());
        }
        if let Some(share) = share.estimate() {
            let percent = |value: f64| 100.0 * value;
            let [low, middle, high] = [share.low, share.middle, share.high].map(percent);
            let elo = share.elo();
            let _ = writeln!(text, "{}: {middle:.1}% [{low:.1}, {high:.1}], Elo {elo}", names[0]);
        }
        // Game 0: the first engine has the side that moves.
        for (side, role) in ["side to move", "other side"].into_iter().enumerate() {
            for (engine, name) in names.iter().enumerate() {
                let mut wins = [0u64; 3];
                for game in self.games().filter(|game| game.game == (side + engine) % 2) {
                    let points = if engine == 0 { game.half_points } else { 2 - game.half_points };
                    wins[usize::from(points)] += 1;
                }
                let [losses, draws, wins] = wins;
                let _ = writeln!(text, "{name} as the {role}: +{wins} ={draws} -{losses}");
            }
        }
        let mut endings: BTreeMap<&str, u64> = BTreeMap::new();
        self.games().for_each(|game| *endings.entry(&game.ending).or_default() += 1);
        let endings: Vec<String> = endings.iter().map(|(ending, games)| format!("{games} {ending}")).collect();
        let _ = writeln!(text, "endings: {}", endings.join(", "));
        let games = self.games.len().max(1) as f64;
        for (engine, name) in names.iter().enumerate() {
            let total = |value: fn(&Effort) -> u64| self.games().map(|game| value(&game.effort[engine])).sum::<u64>();
            let seconds = total(|effort| effort.processor_time.as_millis() as u64) as f64 / 1e3;
            let (nodes, moves) = (total(|effort| effort.nodes) as f64, total(|effort| effort.moves) as f64);
            let _ = writeln!(
                text,
                "{name}: {:.2} s of processor time a game, {:.1} ms a move, {:.3} M nodes/s, {:.0} table hits a move",
                seconds / games,
                1e3 * seconds / moves.max(1.0),
                nodes / seconds.max(1e-9) / 1e6,
                total(|effort| effort.table_hits) as f64 / moves.max(1.0),
            );
        }
        text
    }
}
