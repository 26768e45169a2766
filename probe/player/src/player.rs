//! The player, which finds a move.

use makruk_answers::PositionAnswer;
use makruk_format::TableFolder;
use makruk_probe::{Category, Inventory, ProbeError, Prober, RankedMove};
use makruk_rules::{Fen, Move, printable};
use makruk_tables::material::Material;
use makruk_tables::value::Value;

use super::evaluate::evaluate;
use super::hits::CountedTables;
use super::perfect::Perfect;
use super::search::{Found, Search};
use super::{Control, Game, Info, Limits, Outcome, Report, Score, Settings, sentences};

/// A player with its tables. The listening and the thinking thread share it.
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
    /// The expected answer.
    pub reply: Option<Move>,
}

impl Player {
    /// A player with these settings. The folders are listed now; no table is opened.
    pub fn new(settings: Settings) -> Player {
        let inventory = Inventory::of(settings.folders());
        Player { prober: Prober::new(CountedTables::new(settings.tables())), inventory, settings }
    }

    /// The settings it was made with.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The tables, in a sentence.
    pub fn introduction(&self) -> String {
        let (mut folders, mut problems) = (Vec::new(), String::new());
        for folder in self.settings.folders() {
            match TableFolder::open_existing(&folder) {
                Ok(_) => folders.push(folder.display().to_string()),
                Err(error) => problems += &format!("; {error}"),
            }
        }
        let place = if folders.is_empty() { String::new() } else { format!(" in {}", folders.join(" and ")) };
        let found = match self.inventory.materials().count() {
            0 => format!("no tables{place}: set MakrukPath"),
            1 => format!("1 material of {} men{place}", self.inventory.largest()),
            materials => format!("{materials} materials of up to {} men{place}", self.inventory.largest()),
        };
        printable(&(found + &problems))
    }

    /// Whether the settings and the tables in the folders are still those of the player.
    pub fn is_current(&self, settings: &Settings) -> bool {
        self.settings == *settings && self.inventory == Inventory::of(settings.folders())
    }

    /// Whether the side to move (or, without `mover`, the other) is better off, by the tables, else by its men. `None`
    /// if the game is over.
    pub fn is_better(&self, game: &Game, mover: bool) -> Option<bool> {
        let fen = game.now();
        if !fen.position.has_legal_move() {
            return None;
        }
        if game.outcome(self.settings.count_mode()).is_some() {
            return Some(false);
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
            // The number of men counts as an advantage, their squares do not.
            Err(_) => evaluate(&fen.position) / 80,
        };
        Some(if mover { value > 0 } else { value < 0 })
    }

    /// Finds a move, and reports on it meanwhile. It returns as soon as the move is found, also while the move has to
    /// wait.
    pub fn think(&self, game: &Game, limits: &Limits, control: &Control, mut report: impl FnMut(Info)) -> Decision {
        let fen = game.now();
        let mut moves = fen.position.legal_moves().to_vec();
        if moves.is_empty() {
            let end = match game.outcome(self.settings.count_mode()) {
                Some(Outcome::Mate(_)) => "mate",
                Some(Outcome::CountExpired) => "drawn by the count",
                _ => "stalemate",
            };
            report(Info::Remark(end.to_owned()));
            return Decision::default();
        }
        if moves.iter().any(|mv| limits.only.contains(mv)) {
            moves.retain(|mv| limits.only.contains(mv));
        }
        match self.perfect(fen, &mut moves, control, &mut report) {
            Ok(Some(decision)) => decision,
            Ok(None) => self.search(game, moves, limits, control, report),
            Err(error) => {
                report(Info::Remark(format!("the tables do not judge this position, so it is searched: {error}")));
                self.search(game, moves, limits, control, report)
            }
        }
    }

    /// Decides by the tables among some moves; `None` if they do not know the best one, and `moves` become those of
    /// which the best has to be searched for.
    fn perfect(
        &self,
        fen: &Fen,
        moves: &mut Vec<Move>,
        control: &Control,
        report: &mut impl FnMut(Info),
    ) -> Result<Option<Decision>, ProbeError> {
        let before = self.prober.source().hits();
        let perfect = Perfect::new(&self.prober, self.settings.count_mode(), control, fen, moves)?;
        if perfect.verdict().material != Material::BARE_KINGS {
            let answer = PositionAnswer::new(fen.clone(), perfect.verdict().clone());
            report(Info::Remark(sentences::remark(&answer, self.settings.use_count)));
        }
        if let Some((_, error)) = perfect.unknown().first() {
            let names: Vec<String> = perfect.unknown().iter().map(|(mv, _)| mv.to_string()).collect();
            report(Info::Remark(format!("no value is known of {}: {error}", names.join(" "))));
        }
        let Some(&best) = perfect.choices().first().filter(|_| perfect.is_certain()) else {
            // A move as good as the verdict is not among the known ones.
            if moves.len() == fen.position.legal_moves().len() {
                moves.retain(|mv| perfect.unknown().iter().any(|(unknown, _)| unknown == mv));
            }
            return Ok(None);
        };
        let mut reply = None;
        for (number, mv) in perfect.choices().iter().take(self.settings.multi_pv).enumerate() {
            // The move stands even if a table of the line is missing.
            let line = perfect.line(mv.mv).unwrap_or_else(|_| vec![mv.mv]);
            if number == 0 {
                reply = line.get(1).copied();
            }
            let hits = self.prober.source().hits() - before;
            report(Info::Report(table_report(number, mv, perfect.score(mv), line, hits, control)));
        }
        Ok(Some(Decision { best: Some(best.mv), reply }))
    }

    fn search(
        &self,
        game: &Game,
        moves: Vec<Move>,
        limits: &Limits,
        control: &Control,
        mut report: impl FnMut(Info),
    ) -> Decision {
        let first = moves.first().copied();
        let before = self.prober.source().hits();
        let mut search = Search::new(&self.prober, &self.inventory, self.settings.use_count, limits, control);
        let report_line = |search: &Search<'_>, number: usize, found: &Found| {
            report(Info::Report(Report {
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
        let found = search.run(game, moves, self.settings.multi_pv, report_line);
        let line = found.first().map(|found| found.line.as_slice()).unwrap_or_default();
        Decision { best: line.first().copied().or(first), reply: line.get(1).copied() }
    }
}

fn table_report(number: usize, mv: &RankedMove, score: Score, line: Vec<Move>, hits: u64, control: &Control) -> Report {
    let depth = mv.dtm.plies().map_or(1, u32::from);
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
