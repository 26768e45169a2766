//! What finds a move.

use makruk_tables::format::Value;
use makruk_tables::material::Material;
use makruk_tables::rules::{Fen, Move};

use super::evaluate::evaluate;
use super::hits::CountedTables;
use super::perfect::Perfect;
use super::search::{Found, Search};
use super::{Control, Game, Limits, Report, Score, Settings, Told, remark};
use makruk_probe::{Category, Inventory, ProbeError, Prober, RankedMove};

/// A player with its tables. Shared by the thread that listens and the one that thinks.
#[derive(Debug)]
pub struct Player {
    prober: Prober<CountedTables>,
    inventory: Inventory,
    settings: Settings,
}

/// The move to make.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Decision {
    /// `None` where there is no legal move.
    pub best: Option<Move>,
    /// What the opponent may answer.
    pub reply: Option<Move>,
}

impl Player {
    /// A player with these settings. What tables there are is looked up now; none is opened.
    pub fn new(settings: Settings) -> Player {
        let inventory = Inventory::of(settings.folders());
        Player { prober: Prober::new(CountedTables::new(settings.tables())), inventory, settings }
    }

    /// The settings it was made with.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What tables there are, in a sentence.
    pub fn introduction(&self) -> String {
        let folders: Vec<String> = self.settings.folders().iter().map(|path| path.display().to_string()).collect();
        let folders = folders.join(" and ");
        match self.inventory.materials().count() {
            0 => format!("no tables in {folders}: set MakrukPath, or make them with `makruk-gen build --men 4`"),
            sets => format!("{sets} sets of up to {} men in {folders}", self.inventory.largest()),
        }
    }

    /// Are its settings these, and its tables those that are there now?
    pub fn is_current(&self, settings: &Settings) -> bool {
        self.settings == *settings && self.inventory == Inventory::of(settings.folders())
    }

    /// Is a side better off, count and all? Without tables, by its men. `None` if the game is over.
    pub fn is_better(&self, fen: &Fen, mover: bool) -> Option<bool> {
        if !fen.position.has_legal_move() {
            return None;
        }
        let value = match self.prober.probe(fen) {
            Ok(verdict) if self.settings.use_count => {
                i32::from(verdict.category == Category::Win) - i32::from(verdict.category == Category::Loss)
            }
            Ok(verdict) => match verdict.dtm {
                Value::Win(_) => 1,
                Value::Draw => 0,
                Value::Loss(_) => -1,
            },
            // A pawn up is not nothing.
            Err(_) => evaluate(&fen.position) / 80,
        };
        Some(if mover { value > 0 } else { value < 0 })
    }

    /// Finds a move, and tells what it sees meanwhile. It returns as soon as it knows, also while the move is held.
    pub fn think(&self, game: &Game, limits: &Limits, control: &Control, mut tell: impl FnMut(Told)) -> Decision {
        let fen = game.now();
        let mut moves = fen.position.legal_moves().to_vec();
        if moves.is_empty() {
            tell(Told::Remark(if fen.position.is_check() { "mate" } else { "stalemate" }.to_owned()));
            return Decision::default();
        }
        if moves.iter().any(|mv| limits.only.contains(mv)) {
            moves.retain(|mv| limits.only.contains(mv));
        }
        match self.perfect(fen, &moves, control, &mut tell) {
            Ok(Some(decision)) => decision,
            Ok(None) => self.search(game, moves, limits, control, tell),
            Err(error) => {
                tell(Told::Remark(format!("no table has this, so it is searched: {error}")));
                self.search(game, moves, limits, control, tell)
            }
        }
    }

    /// Plays by the tables.
    fn perfect(
        &self,
        fen: &Fen,
        only: &[Move],
        control: &Control,
        tell: &mut impl FnMut(Told),
    ) -> Result<Option<Decision>, ProbeError> {
        let material = Material::of(fen.position.board())?.material;
        let before = self.prober.source().hits();
        let use_count = self.settings.use_count;
        let perfect = Perfect { prober: &self.prober, use_count, control };
        let verdict = self.prober.probe(fen)?;
        let choices = perfect.choices(fen, only)?;
        let Some(&best) = choices.first() else { return Ok(None) };
        if material != Material::BARE_KINGS {
            tell(Told::Remark(remark::verdict(fen, &verdict, use_count)));
        }
        let mut reply = None;
        for (number, mv) in choices.iter().take(self.settings.multi_pv).enumerate() {
            // The move stands, whatever becomes of the line.
            let line = perfect.line(fen, mv.mv).unwrap_or_else(|_| vec![mv.mv]);
            if number == 0 {
                reply = line.get(1).copied();
            }
            let hits = self.prober.source().hits() - before;
            tell(Told::Report(table_report(number, mv, perfect.score(fen, mv), line, hits, control)));
        }
        Ok(Some(Decision { best: Some(best.mv), reply }))
    }

    fn search(
        &self,
        game: &Game,
        moves: Vec<Move>,
        limits: &Limits,
        control: &Control,
        mut tell: impl FnMut(Told),
    ) -> Decision {
        let first = moves.first().copied();
        let before = self.prober.source().hits();
        let mut search = Search::new(&self.prober, &self.inventory, self.settings.use_count, limits, control);
        let report = |search: &Search<'_>, number: usize, found: &Found| {
            tell(Told::Report(Report {
                multi_pv: number + 1,
                depth: found.depth,
                selective_depth: found.deepest,
                score: Score::of(found.value),
                nodes: search.nodes(),
                table_hits: self.prober.source().hits() - before,
                elapsed: control.elapsed(),
                line: found.line.clone(),
            }));
        };
        let found = search.run(game, moves, self.settings.multi_pv, report);
        let line = found.first().map(|found| found.line.as_slice()).unwrap_or_default();
        Decision { best: line.first().copied().or(first), reply: line.get(1).copied() }
    }
}

fn table_report(number: usize, mv: &RankedMove, score: Score, line: Vec<Move>, hits: u64, control: &Control) -> Report {
    let depth = makruk_probe::judge::plies(mv.dtm).map_or(1, u32::from);
    Report {
        multi_pv: number + 1,
        depth,
        selective_depth: depth,
        score,
        nodes: hits,
        table_hits: hits,
        elapsed: control.elapsed(),
        line,
    }
}
