//! A question under way.

use makruk_probe::{Attempt, KnownMoves, Policy, ProbeError, Prober, ValueSource};
use makruk_rules::{Color, Game, Games, PgnError, Reading};

#[cfg(feature = "research")]
use crate::Whole;
use crate::explored::check_counts;
use crate::lichess::{LichessLineAnswer, LichessPosition};
use crate::line::Walk;
use crate::parts::Parts;
#[cfg(feature = "server")]
use crate::question::Play;
use crate::question::{Analyse, Batch, Explore, Line, Probe};
use crate::review::Review;
use crate::{
    Answer, BatchItem, CategoryAnswer, Door, ExploredAnswer, GamePosition, GamesAnswer, LineAnswer, MoveAnswer,
    PositionAnswer, ProbedAnswer, Question, Reason, Refusal, Remedy, Step, UnknownMoveAnswer,
};
#[cfg(feature = "server")]
use crate::{LineMoveAnswer, PlayAnswer, StudyAnswer};

/// The positions without moves that a step of a batch answers: to look at the clock takes longer than some probes.
const POSITIONS_PER_STEP: usize = 32;

/// A question about one position that one step answers.
#[derive(Clone, Copy, Debug)]
enum Single {
    Probe {
        moves: bool,
    },
    Explore {
        counts: Option<Color>,
    },
    #[cfg(feature = "server")]
    Play(Policy),
    #[cfg(feature = "server")]
    Moves,
    #[cfg(feature = "server")]
    Study,
    Category,
    Lichess,
}

/// A question under way. Parts of the answer that are complete stay; the part that wants bytes is asked for again.
#[derive(Debug)]
pub struct Asking<P> {
    prober: P,
    door: Door,
    /// The text of the position, for refusals.
    text: String,
    state: State,
}

#[derive(Debug)]
enum State {
    Single(Reading, Single),
    Line(Box<Walk>),
    LichessLine(Box<Walk>),
    Batch {
        questions: Vec<(String, bool)>,
        items: Parts<BatchItem>,
    },
    Unread(Analyse),
    Games {
        /// The number of the first game.
        first: usize,
        games: Vec<Result<Review, PgnError>>,
        plan: Vec<(usize, usize)>,
        positions: Parts<Option<GamePosition>>,
    },
    #[cfg(feature = "research")]
    Whole(Whole),
}

impl<P: Attempt> Asking<P> {
    /// Begins a question.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is about too many positions.
    pub fn new(question: Question, prober: P, door: Door) -> Result<Asking<P>, Box<Refusal>> {
        let text = question.fen().to_owned();
        let state = match question {
            Question::Batch(Batch { fens, moves }) => {
                let questions = fens.into_iter().map(|fen| (fen, moves)).collect();
                return Asking::of_positions(questions, prober, door);
            }
            Question::Analyse(games) => Ok(State::Unread(games)),
            Question::Probe(Probe { fen, moves }) => single(&fen, door, Single::Probe { moves }),
            Question::Category { fen } => single(&fen, door, Single::Category),
            Question::Explore(explore) => begun_exploring(&explore, door),
            #[cfg(feature = "server")]
            Question::Play(Play { fen, policy: name }) => {
                policy(name.as_deref()).and_then(|policy| single(&fen, door, Single::Play(policy)))
            }
            Question::Line(Line { fen, defence, max_plies }) => policy(defence.as_deref())
                .and_then(|defence| Ok(State::Line(Box::new(Walk::new(read(&fen, door)?, defence, max_plies))))),
            #[cfg(feature = "server")]
            Question::Moves { fen } => single(&fen, door, Single::Moves),
            #[cfg(feature = "server")]
            Question::Study { fen } => single(&fen, door, Single::Study),
            Question::Lichess(lichess) => single(&lichess.fen, door, Single::Lichess),
            Question::LichessLine(lichess) => read(&lichess.fen, door)
                .map(|reading| State::LichessLine(Box::new(Walk::new(reading, Policy::default(), 0)))),
            #[cfg(feature = "research")]
            Question::Whole(whole) => Ok(State::Whole(whole)),
        };
        match state {
            Ok(state) => Ok(Asking { prober, door, text, state }),
            Err(refusal) => Err(Box::new(refusal.about(&text))),
        }
    }

    /// Begins the question of many positions, each with its moves if the flag beside it says so.
    ///
    /// # Errors
    ///
    /// If they are too many.
    pub fn of_positions(questions: Vec<(String, bool)>, prober: P, door: Door) -> Result<Asking<P>, Box<Refusal>> {
        check_positions("fens", "the batch has", questions.len(), door)?;
        let items = Parts::new(questions.len());
        Ok(Asking { prober, door, text: String::new(), state: State::Batch { questions, items } })
    }

    /// The line as far as it is known. Its moves may be taken away.
    pub fn line(&mut self) -> Option<&mut LineAnswer> {
        match &mut self.state {
            State::Line(walk) => walk.line(),
            _ => None,
        }
    }

    /// Begins with the first part that is not there yet: its bytes have come meanwhile.
    pub fn rewind(&mut self) {
        match &mut self.state {
            State::Batch { items, .. } => items.rewind(),
            State::Games { positions, .. } => positions.rewind(),
            _ => {}
        }
    }

    /// Takes all steps.
    fn end(mut self) -> Result<Answer, Box<Refusal>> {
        loop {
            match self.go_on() {
                Step::Done(answer) => return Ok(answer),
                Step::Refused(refusal) => return Err(refusal),
                Step::More => {}
                Step::Wants => {
                    let error = "the tables fetch their bytes, which nobody here does";
                    return Err(Box::new(Refusal::new(Reason::INTERNAL, error)));
                }
            }
        }
    }

    /// Takes a step. There is none after the answer or a refusal.
    pub fn go_on(&mut self) -> Step<Answer> {
        self.go_on_while(&|| true)
    }

    /// Takes a step. That of a question about a whole material takes long: it ends early if `goes_on` returns false,
    /// with a smaller sample or without the answer.
    #[cfg_attr(not(feature = "research"), allow(unused_variables))]
    pub fn go_on_while(&mut self, goes_on: &dyn Fn() -> bool) -> Step<Answer> {
        let Asking { prober, door, text, state } = self;
        let refused = |error| Step::Refused(Box::new(Refusal::of(error, door.remedy).about(text)));
        match state {
            State::Single(reading, single) => match prober.attempt(|prober| answer(prober, reading, *single, *door)) {
                Some(answer) => answer.map_or_else(refused, Step::Done),
                None => Step::Wants,
            },
            State::Line(walk) => match walk.go_on(prober) {
                Ok(step) => step.map(|line| Answer::Line(Box::new(line))),
                Err(error) => refused(error),
            },
            State::LichessLine(walk) => match walk.go_on(prober) {
                Ok(step) => step.map(|line| Answer::LichessLine(Box::new(LichessLineAnswer::new(line)))),
                Err(error) => refused(error),
            },
            State::Batch { questions, items } => {
                for _ in 0..POSITIONS_PER_STEP {
                    let mut has_moves = false;
                    let step = items.go_on(|at| {
                        let (text, moves) = &questions[at];
                        has_moves = *moves;
                        prober.attempt(|prober| batch_item(prober, text, *moves, *door))
                    });
                    if has_moves || !matches!(step, Step::More) {
                        return step.map(Answer::Batch);
                    }
                }
                Step::More
            }
            State::Unread(Analyse { pgn, from, unclaimed }) => {
                let games = Games::parse_from(pgn, from.clone());
                match prober.attempt(|prober| begun_games(prober, 1, games, *unclaimed, *door)) {
                    Some(Ok(games)) => {
                        *state = games;
                        Step::More
                    }
                    Some(Err(refusal)) => Step::Refused(refusal),
                    None => Step::Wants,
                }
            }
            State::Games { first, games, plan, positions } => {
                let step = positions.go_on(|at| {
                    let (game, ply) = plan[at];
                    let review = games[game].as_ref().ok();
                    prober.attempt(|prober| review.map(|review| review.position(prober, ply, door.remedy)))
                });
                step.map(|positions| Answer::Games(GamesAnswer::new(*first, games, positions)))
            }
            #[cfg(feature = "research")]
            State::Whole(whole) => match prober.attempt(|prober| whole.answer(prober, door.remedy, goes_on)) {
                Some(Ok(answer)) => answer.map_or(Step::More, Step::Done),
                Some(Err(refusal)) => Step::Refused(refusal),
                None => Step::Wants,
            },
        }
    }
}

/// Asks the tables of folders a question to its end. It is not generic, so that it is compiled here, where answers are
/// optimized, and not in each program.
///
/// # Errors
///
/// If it has no answer.
pub fn ask(question: Question, prober: Prober, door: Door) -> Result<Answer, Box<Refusal>> {
    Asking::new(question, prober, door)?.end()
}

/// Asks about one game, which has this number: of many, each may be written out before the next one is read. If
/// `unclaimed`, board's honour is counted only if the text has the count.
///
/// # Errors
///
/// If it has too many positions.
pub fn ask_game(
    number: usize,
    game: Result<Game, PgnError>,
    unclaimed: bool,
    prober: Prober,
    door: Door,
) -> Result<Answer, Box<Refusal>> {
    let state = begun_games(&prober, number, [game], unclaimed, door)?;
    Asking { prober, door, text: String::new(), state }.end()
}

fn read(text: &str, door: Door) -> Result<Reading, Box<Refusal>> {
    Reading::parse(text).map_err(|error| Box::new(Refusal::of(error.into(), door.remedy)))
}

fn single(text: &str, door: Door, single: Single) -> Result<State, Box<Refusal>> {
    Ok(State::Single(read(text, door)?, single))
}

fn policy(name: Option<&str>) -> Result<Policy, Box<Refusal>> {
    let Some(name) = name else { return Ok(Policy::default()) };
    Policy::from_name(name).ok_or_else(|| Box::new(Refusal::of_policy(name)))
}

fn begun_exploring(Explore { fen, counts }: &Explore, door: Door) -> Result<State, Box<Refusal>> {
    let side = |name: &String| Color::from_name(name).ok_or_else(|| Box::new(Refusal::of_side(name)));
    let counts = counts.as_ref().map(side).transpose()?;
    let reading = read(fen, door)?;
    check_counts(&reading.fen, counts)?;
    Ok(State::Single(reading, Single::Explore { counts }))
}

/// Refuses more positions than the door takes; `field` is the one that has them, and `found` begins the sentence.
fn check_positions(field: &'static str, found: &str, positions: usize, door: Door) -> Result<(), Box<Refusal>> {
    let most = door.most_positions;
    if positions <= most {
        return Ok(());
    }
    let error = format!("{found} {positions} positions: this server takes at most {most}");
    let refusal = Refusal::misasked(Reason::TooManyPositions, field, error);
    Err(Box::new(refusal.with("positions", positions).with("most", most)))
}

fn begun_games<S: ValueSource>(
    prober: &Prober<S>,
    first: usize,
    read: impl IntoIterator<Item = Result<Game, PgnError>>,
    unclaimed: bool,
    door: Door,
) -> Result<State, Box<Refusal>> {
    let (mut games, mut plan, mut positions) = (Vec::new(), Vec::new(), 0);
    for game in read {
        // A game that cannot be read has an answer too, at least as long as that of a position.
        positions += game.as_ref().map_or(1, |game| game.moves.len() + 1);
        // They may have more: those after this one are not counted.
        check_positions("pgn", "the games have at least", positions, door)?;
        if let Ok(game) = &game {
            plan.extend((0..=game.moves.len()).map(|ply| (games.len(), ply)));
        }
        games.push(game.map(|game| Review::new(prober, game, unclaimed)));
    }
    Ok(State::Games { positions: Parts::new(plan.len()), first, games, plan })
}

/// The verdict on a position that is read; with `moves`, the moves too.
fn probed<S: ValueSource>(
    prober: &Prober<S>,
    reading: &Reading,
    moves: bool,
    remedy: Remedy,
) -> Result<ProbedAnswer, ProbeError> {
    let fen = &reading.fen;
    if !moves {
        let position = PositionAnswer::read(reading, &prober.probe(fen)?);
        return Ok(ProbedAnswer { position, moves: None, unknown_moves: Vec::new() });
    }
    let analysis = prober.analysis(fen)?;
    let KnownMoves { ranked, unknown } = analysis.known_moves();
    let unknown = unknown.into_iter().map(|mv| UnknownMoveAnswer::new(&fen.position, mv, remedy));
    Ok(ProbedAnswer {
        position: PositionAnswer::read(reading, analysis.verdict()),
        moves: Some(ranked.iter().map(|mv| MoveAnswer::new(&fen.position, mv)).collect()),
        unknown_moves: unknown.collect(),
    })
}

fn batch_item<S: ValueSource>(prober: &Prober<S>, text: &str, moves: bool, door: Door) -> BatchItem {
    let probed =
        Reading::parse(text).map_err(ProbeError::from).and_then(|reading| probed(prober, &reading, moves, door.remedy));
    match probed {
        Ok(position) => BatchItem::Position(Box::new(position)),
        Err(error) => BatchItem::Refused(Box::new(Refusal::of(error, door.remedy).about(text))),
    }
}

fn answer<S: ValueSource>(
    prober: &Prober<S>,
    reading: &Reading,
    single: Single,
    door: Door,
) -> Result<Answer, ProbeError> {
    Ok(match single {
        Single::Probe { moves } => Answer::Position(Box::new(probed(prober, reading, moves, door.remedy)?)),
        Single::Explore { counts } => {
            Answer::Explored(Box::new(ExploredAnswer::find(prober, reading, counts, door.remedy)))
        }
        #[cfg(feature = "server")]
        Single::Play(policy) => {
            let (fen, position) = (&reading.fen, probed(prober, reading, false, door.remedy)?.position);
            let made = prober.play(fen, policy)?.map(|mv| LineMoveAnswer::made(prober, fen, &prober.resolved(fen), mv));
            Answer::Play(Box::new(PlayAnswer { position, mv: made }))
        }
        #[cfg(feature = "server")]
        Single::Moves => {
            let root = prober.resolved(&reading.fen);
            let moves = prober.moves(&root)?;
            Answer::Moves(moves.into_iter().map(|mv| LineMoveAnswer::made(prober, &reading.fen, &root, mv)).collect())
        }
        #[cfg(feature = "server")]
        Single::Study => Answer::Study(Box::new(StudyAnswer::find(prober, reading, door.remedy)?)),
        Single::Category => Answer::Category(CategoryAnswer::find(prober, reading)?),
        Single::Lichess => Answer::Lichess(Box::new(LichessPosition::find(prober, reading, door.remedy)?)),
    })
}
