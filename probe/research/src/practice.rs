//! The endings of games: how often each is reached, won and given away, and by which mistakes.

use std::collections::BTreeMap;
use std::fmt;

use makruk_probe::{
    Analysis, Category, CountedGame, JudgedMove, Mistake, ProbeError, Prober, RankedMove, Reason, ValueSource,
    is_under_pieces_honour,
};
use makruk_rules::{ByColor, Color, Fen, Game, GameResult, Outcome};
use makruk_tables::material::{Material, Oriented};
use makruk_tables::value::Value;
use rayon::prelude::*;

use crate::error::ResearchError;
use crate::named::named;
use crate::progress::Progress;

/// The games that are judged between two reports of progress.
const GAMES_AT_ONCE: usize = 256;

named! {
    /// The cause by which a win or a draw was given away: the first that fits.
    pub enum Cause("a cause") {
        /// The capture of the last man besides the king began a count that is too short.
        TookLastMan = "took_last_man",
        /// A promotion began a count that is too short.
        Promoted = "promoted",
        /// The capture of the last pawn began a count that is too short.
        TookLastPawn = "took_last_pawn",
        /// The move stalemates.
        Stalemated = "stalemated",
        /// Every reply that profits takes a man.
        LeftAMan = "left_a_man",
        /// The win now takes one move more than the running count leaves.
        OneMoveLate = "one_move_late",
        /// The win now takes more moves than the running count leaves, by two or more.
        TooSlow = "too_slow",
        /// The defender can now reach a count that is too short.
        AllowedCount = "allowed_count",
        /// The won position was on the board for the third time.
        Repeated = "repeated",
        /// The game ended by agreement, by resignation or by the flag, in a position that was still won or drawn.
        EndedEarly = "ended_early",
        /// Another cause, or one that the tables do not show.
        Other = "other",
    }
}

impl Cause {
    /// The causes by which a draw can be given away.
    pub const OF_DRAWS: [Cause; 3] = [Cause::LeftAMan, Cause::EndedEarly, Cause::Other];
}

/// An ending: a material and, if the games are those of a player, his side of it. Written with his men first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ending {
    material: Material,
    is_second: bool,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.material.to_string();
        match name.split_once('v').filter(|_| self.is_second) {
            Some((first, second)) => write!(f, "{second}v{first}"),
            None => f.write_str(&name),
        }
    }
}

/// The games that reached an ending. Wins and draws are those of both sides, or of the player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EndingTally {
    /// The games that reached it.
    pub games: u64,
    /// The games in which the tables lack a position of it, or a move that was made there.
    pub unjudged: u64,
    /// The games that reached it in a position that is won under the count.
    pub reached_won: u64,
    /// The games of `reached_won` that the same side won.
    pub won: u64,
    /// The games of `reached_won` without a result.
    pub without_result: u64,
    /// The games that reached it in a drawn position.
    pub reached_drawn: u64,
    /// The wins that were given away in it, by cause.
    pub wins_given: BTreeMap<Cause, u64>,
    /// The draws that were given away in it, by cause.
    pub draws_given: BTreeMap<Cause, u64>,
}

impl EndingTally {
    fn add(&mut self, other: EndingTally) {
        self.games += other.games;
        self.unjudged += other.unjudged;
        self.reached_won += other.reached_won;
        self.won += other.won;
        self.without_result += other.without_result;
        self.reached_drawn += other.reached_drawn;
        for (sums, given) in [(&mut self.wins_given, other.wins_given), (&mut self.draws_given, other.draws_given)] {
            given.into_iter().for_each(|(cause, number)| *sums.entry(cause).or_default() += number);
        }
    }

    /// The names of the columns, the first being that of the ending.
    pub fn columns() -> Vec<String> {
        let fixed = "ending games unjudged reached_won won without_result reached_drawn wins_given".split(' ');
        let wins = Cause::ALL.map(|cause| format!("win_{cause}"));
        let draws = Cause::OF_DRAWS.map(|cause| format!("draw_{cause}"));
        let draws = ["draws_given".to_owned()].into_iter().chain(draws);
        fixed.map(str::to_owned).chain(wins).chain(draws).collect()
    }

    /// The values of the columns after the ending's.
    pub fn values(&self) -> Vec<u64> {
        let EndingTally { games, unjudged, reached_won, won, without_result, reached_drawn, .. } = *self;
        let given = |given: &BTreeMap<Cause, u64>, causes: &[Cause]| {
            let by_cause = causes.iter().map(|cause| given.get(cause).copied().unwrap_or_default());
            [given.values().sum()].into_iter().chain(by_cause).collect::<Vec<u64>>()
        };
        let fixed = vec![games, unjudged, reached_won, won, without_result, reached_drawn];
        [fixed, given(&self.wins_given, &Cause::ALL), given(&self.draws_given, &Cause::OF_DRAWS)].concat()
    }
}

/// The endings of games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Practice {
    /// The games that were counted; with a player, his.
    pub games: u64,
    /// The games that were taken, counted or not.
    pub taken: usize,
    /// The endings.
    pub endings: BTreeMap<Ending, EndingTally>,
}

/// The games that are counted, and the way in which they are judged.
#[derive(Clone, Debug, Default)]
pub struct PracticeSettings {
    /// Count the games of this player alone, and his results and mistakes. Names are compared without regard to case.
    pub player: Option<String>,
    /// Board's honour is counted only if a game's text has the count.
    pub unclaimed: bool,
    /// Threads; all cores if `None`.
    pub threads: Option<usize>,
}

impl Practice {
    /// Judges games. A stop leaves out the games after [`Practice::taken`].
    ///
    /// # Errors
    ///
    /// If a table is damaged, or the threads cannot be started. A table that is missing leaves positions unjudged.
    pub fn of<S: ValueSource + Sync>(
        prober: &Prober<S>,
        games: &[Game],
        settings: &PracticeSettings,
        progress: &mut dyn Progress,
    ) -> Result<Practice, ResearchError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(settings.threads.unwrap_or(0)).build()?;
        let mut practice = Practice::default();
        for some in games.chunks(GAMES_AT_ONCE) {
            if progress.is_stopped() {
                break;
            }
            let of_game = |game: &Game| Practice::of_game(prober, game, settings);
            let found = pool.install(|| {
                some.par_iter().map(of_game).try_reduce(Practice::default, |sum, found| Ok(sum.with(found)))
            })?;
            practice = practice.with(found);
            progress.scanned(practice.taken as u64, games.len() as u64, practice.endings.len() as u64);
        }
        Ok(practice)
    }

    fn with(mut self, other: Practice) -> Practice {
        self.games += other.games;
        self.taken += other.taken;
        for (ending, tally) in other.endings {
            self.endings.entry(ending).or_default().add(tally);
        }
        self
    }

    fn of_game<S: ValueSource>(
        prober: &Prober<S>,
        game: &Game,
        settings: &PracticeSettings,
    ) -> Result<Practice, ProbeError> {
        let is_player = |color: Color| {
            let named = |player: &String| {
                let name = game.tag(if color == Color::White { "White" } else { "Black" });
                name.is_some_and(|name| name.trim().to_lowercase() == player.trim().to_lowercase())
            };
            settings.player.as_ref().is_none_or(named)
        };
        let mut practice = Practice { taken: 1, ..Practice::default() };
        let sides = ByColor::from_fn(is_player);
        if Color::ALL.into_iter().any(|color| sides[color]) {
            practice.games = 1;
            GameWalk::new(prober, game, settings, sides).count(&mut practice.endings)?;
        }
        Ok(practice)
    }
}

/// A game whose endings are counted, until the rules end it.
struct GameWalk<'a, S> {
    prober: &'a Prober<S>,
    game: &'a Game,
    /// The positions before and at the end of the game.
    fens: Vec<Fen>,
    outcome: Option<Outcome>,
    /// The result on the board, or else the written one.
    result: GameResult,
    /// The sides whose results and mistakes are counted.
    sides: ByColor<bool>,
    /// The side after which endings are named; `None` if both sides are counted.
    named_for: Option<Color>,
}

impl<'a, S: ValueSource> GameWalk<'a, S> {
    fn new(prober: &'a Prober<S>, game: &'a Game, settings: &PracticeSettings, sides: ByColor<bool>) -> Self {
        let counted = CountedGame::new(prober, game, settings.unclaimed);
        let outcome = counted.outcome();
        let mut fens = counted.fens;
        fens.truncate(outcome.map_or(usize::MAX, |(ply, _)| ply + 1));
        let named_for = settings.player.as_ref().and_then(|_| Color::ALL.into_iter().find(|&color| sides[color]));
        GameWalk {
            prober,
            game,
            fens,
            outcome: outcome.map(|(_, outcome)| outcome),
            result: outcome.map_or(game.result, |(_, outcome)| outcome.result()),
            sides,
            named_for,
        }
    }

    fn count(&self, endings: &mut BTreeMap<Ending, EndingTally>) -> Result<(), ProbeError> {
        let mut last = None;
        for ply in 0..self.fens.len() {
            let Ok(Oriented { material, orientation }) = Material::of(self.fens[ply].position.board()) else {
                continue;
            };
            if material.men() == 2 {
                continue;
            }
            let is_second = self.named_for.is_some_and(|color| orientation.color(color) == Color::Black);
            let tally = endings.entry(Ending { material, is_second }).or_default();
            let is_first = last.replace(material) != Some(material);
            tally.games += u64::from(is_first);
            // A game is unjudged once, wherever in the ending.
            if !self.judge(ply, is_first, tally)? && tally.unjudged < tally.games {
                tally.unjudged += 1;
            }
        }
        Ok(())
    }

    /// Judges a position and the move that was made there; false if the tables lack one of them.
    fn judge(&self, ply: usize, is_first: bool, tally: &mut EndingTally) -> Result<bool, ProbeError> {
        let Some(analysis) = known(self.prober.analysis(&self.fens[ply]))? else { return Ok(false) };
        let winner = winner(&analysis);
        match winner {
            Some(winner) if is_first && self.sides[winner] => {
                tally.reached_won += 1;
                tally.won += u64::from(self.result == Outcome::Mate(winner).result());
                tally.without_result += u64::from(self.result == GameResult::Unknown);
            }
            None if is_first => tally.reached_drawn += 1,
            _ => {}
        }
        if ply + 1 == self.fens.len() {
            self.judge_end(winner, tally);
            return Ok(true);
        }
        let Some(judged) = known(analysis.judge_move(self.game.moves[ply].mv))?.flatten() else { return Ok(false) };
        if self.sides[self.fens[ply].position.turn()] {
            match judged.mistake {
                Some(Mistake::Win) => *tally.wins_given.entry(self.cause(ply, &judged, true)?).or_default() += 1,
                Some(Mistake::Draw) => *tally.draws_given.entry(self.cause(ply, &judged, false)?).or_default() += 1,
                Some(Mistake::Time { .. }) | None => {}
            }
        }
        Ok(true)
    }

    /// Counts the win or the draw of the last position that the end of the game gave away.
    fn judge_end(&self, winner: Option<Color>, tally: &mut EndingTally) {
        let won_by = Color::ALL.into_iter().find(|&color| self.result == Outcome::Mate(color).result());
        let cause = match self.outcome {
            None if self.result != GameResult::Unknown => Cause::EndedEarly,
            Some(Outcome::Repetition) => Cause::Repeated,
            _ => return,
        };
        match (winner, won_by) {
            (Some(winner), won_by) if won_by != Some(winner) && self.sides[winner] => {
                *tally.wins_given.entry(cause).or_default() += 1;
            }
            (None, Some(won_by)) if self.sides[!won_by] => *tally.draws_given.entry(cause).or_default() += 1,
            _ => {}
        }
    }

    /// The cause of a mistake that gave away a win, or a draw.
    fn cause(&self, ply: usize, judged: &JudgedMove, is_win: bool) -> Result<Cause, ProbeError> {
        let RankedMove { mv, category, dtz, bares_king, begins_count, .. } = judged.ranked;
        let after = &self.fens[ply + 1];
        let is_late = is_win && category == Category::CursedWin;
        if is_late && begins_count {
            return Ok(match (bares_king, mv.promotion) {
                (true, _) => Cause::TookLastMan,
                (false, true) => Cause::Promoted,
                (false, false) => Cause::TookLastPawn,
            });
        }
        if is_win && !after.position.has_legal_move() && !after.position.is_check() {
            return Ok(Cause::Stalemated);
        }
        let Some(replies) = known(self.prober.moves(after))? else { return Ok(Cause::Other) };
        let profits = |reply: &&RankedMove| {
            if is_win { reply.category != Category::Loss } else { reply.category == Category::Win }
        };
        let mut profits = replies.iter().filter(profits);
        if profits.clone().next().is_some() && profits.all(|reply| reply.capture) {
            return Ok(Cause::LeftAMan);
        }
        Ok(match judged.ranked.slack() {
            _ if !is_late => Cause::Other,
            Some(-1) => Cause::OneMoveLate,
            Some(_) => Cause::TooSlow,
            None if dtz == Value::Draw && !is_under_pieces_honour(&after.position) => Cause::AllowedCount,
            None => Cause::Other,
        })
    }
}

/// The side that wins a position under the count.
fn winner<S: ValueSource>(analysis: &Analysis<'_, S>) -> Option<Color> {
    let verdict = analysis.verdict();
    matches!(verdict.category, Category::Win | Category::Loss).then(|| verdict.winner()).flatten()
}

/// The answer of the tables; `None` if they lack the position.
fn known<T>(answer: Result<T, ProbeError>) -> Result<Option<T>, ProbeError> {
    match answer {
        Err(error) if matches!(error.reason(), Reason::MissingTable | Reason::TooManyMen) => Ok(None),
        answer => answer.map(Some),
    }
}
