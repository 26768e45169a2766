//! Questions about one position that one step answers.

#[cfg(feature = "server")]
use makruk_probe::Policy;
use makruk_probe::{Attempt, KnownMoves, ProbeError, Prober, ValueSource};
use makruk_rules::{Color, Reading};

use crate::asking::{Work, questions};
use crate::explored::check_counts;
use crate::lichess::LichessPosition;
use crate::question::{Categorise, Explore, Lichess, Probe};
#[cfg(feature = "server")]
use crate::question::{Moves, Play, Study};
use crate::{
    CategoryAnswer, Door, ExploredAnswer, Field, MoveAnswer, PositionAnswer, ProbedAnswer, Refusal, Remedy, Step,
    UnknownMoveAnswer,
};
#[cfg(feature = "server")]
use crate::{LineMoveAnswer, PlayAnswer, StudyAnswer};

/// A question about a position, which is read.
#[derive(Debug)]
pub struct Single<K> {
    reading: Reading,
    kind: K,
}

/// A kind of question about a position.
pub trait Kind: std::fmt::Debug {
    /// The answer.
    type Answer;

    /// The answer.
    ///
    /// # Errors
    ///
    /// If a table is missing or fails.
    fn answer<S: ValueSource>(
        &self,
        prober: &Prober<S>,
        reading: &Reading,
        remedy: Remedy,
    ) -> Result<Self::Answer, ProbeError>;
}

impl<K: Kind> Work for Single<K> {
    type Answer = K::Answer;

    fn go_on(&mut self, prober: &impl Attempt, door: Door, _: &dyn Fn() -> bool) -> Step<K::Answer> {
        match prober.attempt(|prober| self.kind.answer(prober, &self.reading, door.remedy)) {
            Some(Ok(answer)) => Step::Done(answer),
            Some(Err(error)) => Step::Refused(Box::new(Refusal::of(error, door.remedy).about(&self.reading.fen))),
            None => Step::Wants,
        }
    }
}

fn single<K>(fen: Field<Reading>, door: Door, kind: K) -> Result<Single<K>, Box<Refusal>> {
    Ok(Single { reading: fen.read(door)?, kind })
}

questions! {
    Probe => Box<ProbedAnswer>, Single<WithMoves>,
        |Probe { fen, moves }, door| single(fen, door, WithMoves(moves));
    Explore => Box<ExploredAnswer>, Single<WithCounts>, |Explore { fen, counts }: Explore, door| {
        let reading = fen.read(door)?;
        let counts = counts.map(|counts| counts.of(&reading, door)).transpose()?;
        check_counts(&reading.fen, counts)?;
        Ok(Single { reading, kind: WithCounts(counts) })
    };
    Categorise => CategoryAnswer, Single<CategoryAlone>,
        |Categorise { fen }, door| single(fen, door, CategoryAlone);
    Lichess => Box<LichessPosition>, Single<LichessFields>,
        |Lichess { fen }, door| single(fen, door, LichessFields);
    #[cfg(feature = "server")]
    Play => Box<PlayAnswer>, Single<ByPolicy>, |Play { fen, policy }: Play, door| {
        let reading = fen.read(door)?;
        let policy = policy.map_or(Ok(Policy::default()), |policy| policy.of(&reading, door))?;
        Ok(Single { reading, kind: ByPolicy(policy) })
    };
    #[cfg(feature = "server")]
    Moves => Vec<LineMoveAnswer>, Single<MovesAlone>, |Moves { fen }, door| single(fen, door, MovesAlone);
    #[cfg(feature = "server")]
    Study => Box<StudyAnswer>, Single<ForPeople>, |Study { fen }, door| single(fen, door, ForPeople);
}

/// Kinds of questions, each with its answer from a prober, the position as it was read, and the door's remedy.
macro_rules! kinds {
    ($($(#[$feature:meta])? $kind:ident $(($field:ty))? => $answer:ty,
        |$this:pat_param, $prober:ident, $reading:ident, $remedy:pat_param| $found:expr;)*) => {$(
        /// A kind of questions.
        $(#[$feature])?
        #[derive(Debug)]
        pub struct $kind $(($field))?;

        $(#[$feature])?
        impl Kind for $kind {
            type Answer = $answer;

            fn answer<S: ValueSource>(
                &self,
                $prober: &Prober<S>,
                $reading: &Reading,
                $remedy: Remedy,
            ) -> Result<$answer, ProbeError> {
                let $this = self;
                Ok($found)
            }
        }
    )*};
}

kinds! {
    WithMoves(bool) => Box<ProbedAnswer>, |WithMoves(moves), prober, reading, remedy| {
        Box::new(probed(prober, reading, *moves, remedy)?)
    };
    WithCounts(Option<Color>) => Box<ExploredAnswer>, |WithCounts(counts), prober, reading, remedy| {
        Box::new(ExploredAnswer::find(prober, reading, *counts, remedy))
    };
    CategoryAlone => CategoryAnswer, |_, prober, reading, _| CategoryAnswer::find(prober, reading)?;
    LichessFields => Box<LichessPosition>, |_, prober, reading, remedy| {
        Box::new(LichessPosition::find(prober, reading, remedy)?)
    };
    #[cfg(feature = "server")]
    ByPolicy(Policy) => Box<PlayAnswer>, |ByPolicy(policy), prober, reading, remedy| {
        let (fen, position) = (&reading.fen, probed(prober, reading, false, remedy)?.position);
        let made = prober.play(fen, *policy)?.map(|mv| LineMoveAnswer::made(prober, fen, &prober.resolved(fen), mv));
        Box::new(PlayAnswer { position, mv: made })
    };
    #[cfg(feature = "server")]
    MovesAlone => Vec<LineMoveAnswer>, |_, prober, reading, _| {
        let root = prober.resolved(&reading.fen);
        let moves = prober.moves(&root)?;
        moves.into_iter().map(|mv| LineMoveAnswer::made(prober, &reading.fen, &root, mv)).collect()
    };
    #[cfg(feature = "server")]
    ForPeople => Box<StudyAnswer>, |_, prober, reading, remedy| Box::new(StudyAnswer::find(prober, reading, remedy)?);
}

/// The verdict on a position that is read; with `moves`, the moves too.
pub(crate) fn probed<S: ValueSource>(
    prober: &Prober<S>,
    reading: &Reading,
    moves: bool,
    remedy: Remedy,
) -> Result<ProbedAnswer, ProbeError> {
    let fen = &reading.fen;
    if !moves {
        let position = PositionAnswer::read(reading, prober.probe(fen)?);
        return Ok(ProbedAnswer { position, moves: None, unknown_moves: Vec::new() });
    }
    let analysis = prober.analysis(fen)?;
    let KnownMoves { ranked, unknown } = analysis.known_moves();
    let unknown = unknown.into_iter().map(|mv| UnknownMoveAnswer::new(&fen.position, mv, remedy));
    Ok(ProbedAnswer {
        position: PositionAnswer::read(reading, analysis.verdict().clone()),
        moves: Some(ranked.iter().map(|mv| MoveAnswer::new(&fen.position, mv)).collect()),
        unknown_moves: unknown.collect(),
    })
}
