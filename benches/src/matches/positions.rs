//! Starting positions: random openings, positions from games of an engine, and a choice among them.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::path::Path;

use anyhow::{Context, Result};
use fastrand::Rng;
use makruk_probe::{Category, Prober};
use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::{Board, Color, Count, CountingRules, Fen};

use super::engine::{EngineCommand, UciEngine};
use super::game::{Player, Score, outcome, play};

/// Reads a file of positions, one a line. Blank lines and comments are skipped.
///
/// # Errors
///
/// If the file cannot be read, or a line is not a position.
pub fn read(path: &Path) -> Result<Vec<Fen>> {
    Ok(read_games(path)?.concat())
}

/// Reads a file of positions, one a line, with an empty line after each game. A file without empty lines is one game.
///
/// # Errors
///
/// As [`read`].
pub fn read_games(path: &Path) -> Result<Vec<Vec<Fen>>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut games = vec![Vec::new()];
    for (line, text) in text.lines().enumerate() {
        match games.last_mut() {
            Some(_) if text.starts_with(['#', ';']) => {}
            Some(game) if !text.trim().is_empty() => {
                game.push(Fen::parse(text).with_context(|| format!("{}, line {}: {text}", path.display(), line + 1))?);
            }
            _ => games.push(Vec::new()),
        }
    }
    games.retain(|game| !game.is_empty());
    Ok(games)
}

/// The position after this number of random moves from the starting array. Moves that end the game are drawn again.
pub fn random_opening(plies: usize, random: &mut Rng) -> Fen {
    loop {
        let mut fen = Fen::start();
        for _ in 0..plies {
            let moves = fen.position.legal_moves();
            if moves.is_empty() {
                break;
            }
            fen = fen.play(&CountingRules::MAKRUK, moves[random.usize(..moves.len())]);
        }
        if outcome(&fen, 1).is_none() {
            return fen;
        }
    }
}

/// Lets an engine play a game against itself from a random opening. Returns the first position with this number of men
/// and, if it has pawns, the first without pawns; fewer if the game ends before.
///
/// # Errors
///
/// If the engine fails.
pub fn harvest(engines: &mut [UciEngine; 2], men: u32, random: &mut Rng) -> Result<Vec<Fen>> {
    let start = random_opening(8, random);
    let mut found: Vec<Fen> = Vec::new();
    let [first, second] = engines;
    play(&start, [first, second], 0, |fen| {
        let board = fen.position.board();
        if board.men() == men && (found.is_empty() || !board.has_pawns()) {
            found.push(fen.clone());
        }
        board.men() >= men && found.last().is_none_or(|fen| fen.position.board().has_pawns())
    })?;
    Ok(found)
}

/// Lets an engine play a game against itself from a random opening. Returns every position with at most this number of
/// men.
///
/// # Errors
///
/// If the engine fails.
pub fn harvest_every(engines: &mut [UciEngine; 2], men: u32, random: &mut Rng) -> Result<Vec<Fen>> {
    let start = random_opening(8, random);
    let mut found = Vec::new();
    let [first, second] = engines;
    play(&start, [first, second], 0, |fen| {
        if fen.position.board().men() <= men {
            found.push(fen.clone());
        }
        true
    })?;
    Ok(found)
}

/// The result of an engine's long look at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// The score is proven, for the side to move: mate, or a win of the tables.
    Won,
    /// The score is not proven, and beyond a pawn for either side.
    Open,
    /// Any other score.
    Other,
}

impl Look {
    /// Lets an engine search a position.
    ///
    /// # Errors
    ///
    /// If the engine fails, or shows no score.
    pub fn at(fen: &Fen, engine: &mut UciEngine) -> Result<Look> {
        engine.new_game(0)?;
        let score = engine.reply(fen, &[])?.score.with_context(|| format!("{fen}: the engine shows no score"))?;
        Ok(match (score.proven(), score) {
            (Some(1..), _) => Look::Won,
            (None, Score::Centipawns(score)) if score.abs() > 100 => Look::Open,
            _ => Look::Other,
        })
    }
}

/// Starts two processes of an engine.
///
/// # Errors
///
/// If they cannot be started.
pub fn start_both(command: &EngineCommand) -> Result<[UciEngine; 2]> {
    Ok([UciEngine::start(command)?, UciEngine::start(command)?])
}

/// The conditions that a chosen position meets.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// The number of men.
    pub men: Option<u32>,
    /// With unpromoted pawns, or without.
    pub pawns: Option<bool>,
    /// The category of the side to move, under the count.
    pub category: Option<Category>,
    /// Only positions in which neither side is bare.
    pub armed: bool,
    /// The men of the side that has fewer, its king included.
    pub smaller_side: Option<u32>,
    /// The plies that a running count leaves.
    pub plies_left: Option<RangeInclusive<u32>>,
}

/// The men of the side that has fewer, its king included.
fn smaller_side(board: &Board) -> u32 {
    Color::ALL.map(|side| board.by_color(side).len()).into_iter().min().unwrap_or(0)
}

/// The plies that a running count leaves.
fn plies_left(fen: &Fen) -> Option<u32> {
    fen.count.map(|count| count.limit().saturating_sub(count.ply()))
}

impl Choice {
    /// Whether a position meets the conditions.
    ///
    /// # Errors
    ///
    /// If its category is asked for and cannot be read.
    pub fn fits(&self, fen: &Fen, prober: Option<&Prober>) -> Result<bool> {
        let board = fen.position.board();
        if self.men.is_some_and(|men| men != board.men())
            || self.pawns.is_some_and(|pawns| pawns != board.has_pawns())
            || self.armed && Color::ALL.iter().any(|&side| board.is_bare(side))
            || self.smaller_side.is_some_and(|men| men != smaller_side(board))
            || self.plies_left.as_ref().is_some_and(|range| !plies_left(fen).is_some_and(|left| range.contains(&left)))
            || outcome(fen, 1).is_some()
        {
            return Ok(false);
        }
        match (self.category, prober) {
            (Some(category), Some(prober)) => Ok(prober.category(fen)? == category),
            _ => Ok(true),
        }
    }
}

/// One position of each game, chosen at random from those that meet the conditions; none of a game without any.
///
/// # Errors
///
/// If a category cannot be read.
pub fn one_a_game(
    games: Vec<Vec<Fen>>,
    choice: &Choice,
    prober: Option<&Prober>,
    random: &mut Rng,
) -> Result<Vec<Fen>> {
    let mut chosen = Vec::new();
    for mut game in games {
        random.shuffle(&mut game);
        for fen in game {
            if choice.fits(&fen, prober)? {
                chosen.push(fen);
                break;
            }
        }
    }
    Ok(chosen)
}

/// The positions that meet the conditions, each once, in random order.
///
/// # Errors
///
/// If a category cannot be read.
pub fn choose(fens: Vec<Fen>, choice: &Choice, prober: Option<&Prober>, random: &mut Rng) -> Result<Vec<Fen>> {
    let mut fens = fens;
    random.shuffle(&mut fens);
    let mut seen = HashSet::new();
    let mut chosen = Vec::new();
    for fen in fens {
        if choice.fits(&fen, prober)? && seen.insert(fen.position.clone()) {
            chosen.push(fen);
        }
    }
    Ok(chosen)
}

/// The kind of a sampled position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// Won by the side to move, with at most this number of moves to spare.
    Won(u32),
    /// A blessed loss of the side to move: the winner is at most this number of moves short.
    Saved(u32),
}

/// Random positions with this number of men, both sides armed, at the edge of board's honour. The winner needs at least
/// six moves to the conversion, and the count leaves a few more or a few fewer.
///
/// # Errors
///
/// If a table cannot be read.
pub fn sample(edge: Edge, men: usize, count: usize, prober: &Prober, random: &mut Rng) -> Result<Vec<Fen>> {
    let limit = 128u32;
    let materials: Vec<Material> = Material::all(men).into_iter().filter(Material::is_armed).collect();
    let mut found = Vec::new();
    while found.len() < count {
        let layout = Layout::new(materials[random.usize(..materials.len())]);
        // Most materials have few such positions, or none: a bounded number of draws, then another material.
        for _ in 0..2000 {
            let side = Color::ALL[random.usize(..2)];
            let Some(position) = layout.position_at(side, random.u64(..layout.positions()[side])) else { continue };
            let position = if random.bool() { position } else { position.color_flipped() };
            let Some(plies) = prober.probe(&Fen::new(position.clone(), None))?.dtz.signed_plies() else { continue };
            let needed = plies.unsigned_abs().div_ceil(2);
            // The attacker's moves left, and the plies on the clock that leave them.
            let clock = match edge {
                Edge::Won(spare) if plies > 0 => (limit + 2).checked_sub(2 * (needed + random.u32(..=spare))),
                Edge::Saved(short) if plies < 0 => limit.checked_sub(2 * needed.saturating_sub(random.u32(1..=short))),
                _ => None,
            };
            let Some(clock) = clock else { continue };
            let fen = Fen::new(position, Some(Count::new(limit, clock)?));
            let category = if plies > 0 { Category::Win } else { Category::BlessedLoss };
            if (6..=60).contains(&needed) && clock <= limit && prober.category(&fen)? == category {
                found.push(fen);
                break;
            }
        }
    }
    Ok(found)
}
