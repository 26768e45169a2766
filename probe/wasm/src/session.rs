//! A question under way.

use std::sync::Arc;

use makruk_explorer::{
    ErrorPlace, GameJson, GamePositionJson, GameReview, GamesJson, IllegalJson, check_counts, explore,
};
use makruk_probe::json::{LineJson, LineMoveJson, PositionJson};
use makruk_probe::{LineIter, LineStep, MAX_LINE_PLIES, Policy, ProbeError, Prober};
use makruk_remote::{AskingSource, RemoteStore};
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, Fen, FenError, Game, Games, PgnError, Reading};
use serde::Serialize;

use crate::describe::describe;
use crate::outcome::{Outcome, RefusalJson, normalised};
use crate::question::Question;

/// The number of wanted pieces of files at which a question waits for them before it continues with its next part.
const ENOUGH_WANTS: usize = 192;

/// A question under way. Parts of the answer that are complete stay; the part that wants bytes is asked for again.
#[derive(Debug)]
pub struct Session {
    question: Question,
    parts: Parts,
}

/// The parts of an answer that are complete.
#[derive(Debug)]
enum Parts {
    /// An answer of one part.
    One,
    Line(Option<Box<WalkedLine>>),
    Batch(Vec<Option<BatchItem>>),
    Games(Vec<Result<ReviewedGame, PgnError>>),
}

/// A line as far as it is known.
#[derive(Debug)]
struct WalkedLine {
    json: LineJson,
    rest: LineIter<Arc<AskingSource>>,
}

#[derive(Debug)]
struct ReviewedGame {
    game: Game,
    positions: Vec<Option<GamePositionJson>>,
}

/// One of many positions.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum BatchItem {
    Position(Box<PositionJson>),
    Refused(RefusalJson),
}

/// The category of a position for a count that begins now.
#[derive(Debug, Serialize)]
struct CategoryJson {
    fen: String,
    material: String,
    side: &'static str,
    category: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

impl Session {
    /// Begins a question.
    pub fn new(question: Question) -> Session {
        let parts = match &question {
            Question::Line { .. } => Parts::Line(None),
            Question::Batch { fens, .. } => Parts::Batch(fens.iter().map(|_| None).collect()),
            Question::Analyse { pgn, from } => {
                let reviewed =
                    |game: Game| ReviewedGame { positions: (0..=game.moves.len()).map(|_| None).collect(), game };
                Parts::Games(Games::parse_from(pgn, from.clone()).map(|game| game.map(reviewed)).collect())
            }
            _ => Parts::One,
        };
        Session { question, parts }
    }

    /// Continues as far as the bytes at hand allow.
    pub fn go_on(&mut self, source: &Arc<AskingSource>, store: &RemoteStore) -> Outcome {
        // An earlier question may have left its wants.
        store.take_wants();
        source.take_complete();
        let prober = Prober::new(Arc::clone(source));
        let asked = match (&self.question, &mut self.parts) {
            (Question::Probe { fen, moves }, _) => {
                probe(&prober, fen, *moves).map_or_else(Outcome::from, |json| Outcome::answer(&json))
            }
            (Question::Explore { fen, counts }, _) => explored(&prober, fen, counts.as_deref()),
            (Question::Category { fen }, _) => category(&prober, fen),
            (Question::Line { fen, max_plies, defence }, Parts::Line(line)) => {
                line_on(&prober, fen, (*max_plies, defence.as_deref()), line)
            }
            (Question::Batch { fens, moves }, Parts::Batch(items)) => batch_on(&prober, store, fens, *moves, items),
            (Question::Analyse { .. }, Parts::Games(games)) => games_on(&prober, store, games),
            _ => Outcome::refused("internal", "the question and its answer do not fit".to_owned()),
        };
        if source.take_complete() {
            return asked;
        }
        match store.take_wants().as_slice() {
            [] => Outcome::refused(
                "internal",
                "the question needs more pieces of files than a store can remember".to_owned(),
            ),
            wants => Outcome::wants(wants),
        }
    }
}

impl From<(String, ProbeError)> for Outcome {
    fn from((text, error): (String, ProbeError)) -> Outcome {
        Outcome::failed(&text, error)
    }
}

type Asking = Prober<Arc<AskingSource>>;

fn probe(prober: &Asking, text: &str, with_moves: bool) -> Result<PositionJson, (String, ProbeError)> {
    let probe = || {
        let reading = Reading::parse(text)?;
        let verdict = prober.probe(&reading.fen)?;
        let moves = if with_moves { Some(prober.moves(&reading.fen)?) } else { None };
        Ok(PositionJson::read(&reading, &verdict, moves.as_deref()))
    };
    probe().map_err(|error| (text.to_owned(), error))
}

fn explored(prober: &Asking, text: &str, counts: Option<&str>) -> Outcome {
    let side = |name: &str| Color::ALL.into_iter().find(|side| side.name() == name);
    let counts = match counts.map(|name| side(name).ok_or(name)).transpose() {
        Ok(counts) => counts,
        Err(name) => {
            let given = format!("{:?}", name.chars().take(40).collect::<String>());
            let error = format!("{given} is not a side: expected white or black");
            let place = ErrorPlace { field: Some("side"), found: Some(given), column: None };
            return Outcome::misasked(text, "bad_side", error, place);
        }
    };
    match Reading::parse(text) {
        Ok(reading) => match check_counts(&reading.fen, counts) {
            Ok(()) => Outcome::answer(&explore(prober, &reading, counts, describe)),
            Err(error) => {
                let place = ErrorPlace { field: Some("query"), ..ErrorPlace::default() };
                Outcome::misasked(text, "bad_request", error.to_string(), place)
            }
        },
        Err(FenError::IllegalPosition(illegal)) => Outcome::illegal(IllegalJson::new(text, &illegal)),
        Err(error) => Outcome::failed(text, error.into()),
    }
}

fn category(prober: &Asking, text: &str) -> Outcome {
    let read = || {
        let reading = Reading::parse(text)?;
        let (fen, notes) = (&reading.fen, reading.sentences());
        let material = Material::of(fen.position.board())?.material.to_string();
        // The distances answer where there is no category table.
        let category = match prober.source().category(&fen.position) {
            Ok(category) => category,
            Err(_) => prober.category(&Fen::new(fen.position.clone(), None))?,
        };
        let category = category.name();
        Ok(CategoryJson { fen: fen.to_string(), material, side: fen.position.turn().name(), category, notes })
    };
    read().map_or_else(|error: ProbeError| Outcome::failed(text, error), |json| Outcome::answer(&json))
}

fn line_on(
    prober: &Asking,
    text: &str,
    (max_plies, defence): (usize, Option<&str>),
    line: &mut Option<Box<WalkedLine>>,
) -> Outcome {
    let Some(defence) = defence.map_or(Some(Policy::default()), Policy::from_name) else {
        let expected = "expected fastest, safest, stubborn or tricky";
        return Outcome::refused("bad_policy", format!("there is no such policy: {expected}"));
    };
    let most = if max_plies == 0 { MAX_LINE_PLIES } else { max_plies.min(MAX_LINE_PLIES) };
    let begin = || {
        let root = Reading::parse(text)?;
        let json = LineJson::new(PositionJson::read(&root, &prober.probe(&root.fen)?, None));
        Ok(WalkedLine { json, rest: LineIter::new(prober.clone(), &root.fen, defence, most) })
    };
    let line = match line {
        Some(line) => line,
        None => match begin() {
            Ok(begun) if prober.source().is_complete() => line.insert(Box::new(begun)),
            Ok(_) => return Outcome::Progress { done: 0, of: 0 },
            Err(error) => return Outcome::failed(text, error),
        },
    };
    loop {
        let mut rest = line.rest.clone();
        let step = rest.next();
        // A step whose bytes are wanted is taken again.
        if !prober.source().is_complete() {
            return Outcome::Progress { done: line.json.line.len(), of: most };
        }
        line.rest = rest;
        match step {
            Some(Ok(LineStep::Move(mv))) => line.json.line.push(LineMoveJson::new(&mv)),
            Some(Ok(LineStep::End(end))) => line.json.end = end.name(),
            Some(Err(error)) => return Outcome::failed(text, error),
            None => return Outcome::answer(&line.json),
        }
    }
}

fn batch_on(
    prober: &Asking,
    store: &RemoteStore,
    fens: &[String],
    moves: bool,
    items: &mut [Option<BatchItem>],
) -> Outcome {
    let refused =
        |(text, error): (String, ProbeError)| RefusalJson::Other { fen: Some(normalised(&text)), why: describe(error) };
    let is_whole = ask_parts(prober, store, items.iter_mut().zip(fens), |text| match probe(prober, text, moves) {
        Ok(position) => Some(BatchItem::Position(Box::new(position))),
        Err(failed) => Some(BatchItem::Refused(refused(failed))),
    });
    if is_whole { Outcome::answer(&items) } else { progress(items.iter()) }
}

fn games_on(prober: &Asking, store: &RemoteStore, games: &mut [Result<ReviewedGame, PgnError>]) -> Outcome {
    let mut is_whole = true;
    for ReviewedGame { game, positions } in games.iter_mut().flatten() {
        let review = GameReview::new(prober.rules(), game);
        let parts = positions.iter_mut().zip(0..);
        is_whole &= ask_parts(prober, store, parts, |ply| review.position(prober, ply, describe));
    }
    if !is_whole {
        return progress(games.iter().flatten().flat_map(|game| &game.positions));
    }
    let json = |(at, game): (usize, &mut Result<ReviewedGame, PgnError>)| match game {
        Ok(ReviewedGame { game, positions }) => {
            GameJson::new(at + 1, game, positions.iter_mut().filter_map(Option::take).collect())
        }
        Err(error) => GameJson::failed(at + 1, error),
    };
    Outcome::answer(&GamesJson { games: games.iter_mut().enumerate().map(json).collect() })
}

/// Asks for the parts that are not there yet, until enough bytes are wanted. Returns whether all are there.
fn ask_parts<'a, T: 'a, Q>(
    prober: &Asking,
    store: &RemoteStore,
    parts: impl Iterator<Item = (&'a mut Option<T>, Q)>,
    ask: impl Fn(Q) -> Option<T>,
) -> bool {
    let (source, mut is_whole) = (prober.source(), true);
    for (part, question) in parts.filter(|(part, _)| part.is_none()) {
        if store.want_count() >= ENOUGH_WANTS {
            source.mark_incomplete();
            return false;
        }
        let before = source.take_complete();
        let answer = ask(question);
        if source.is_complete() {
            *part = answer;
        } else {
            is_whole = false;
        }
        if !before {
            source.mark_incomplete();
        }
    }
    is_whole
}

fn progress<'a, T: 'a>(parts: impl Iterator<Item = &'a Option<T>> + Clone) -> Outcome {
    Outcome::Progress { done: parts.clone().filter(|part| part.is_some()).count(), of: parts.count() }
}
