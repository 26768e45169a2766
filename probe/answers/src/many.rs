//! Questions about many positions: those of a list, and those of games.

use makruk_probe::{Attempt, Prober, ValueSource};
use makruk_rules::{Game, Games, PgnError, Reading};

use crate::asking::{Work, questions};
use crate::parts::Parts;
use crate::question::{Analyse, Batch};
use crate::review::Review;
use crate::single::probed;
use crate::{BatchItem, Door, Field, GamePosition, GamesAnswer, Reason, Refusal, Step};

/// The positions without moves that a step of a batch answers: to look at the clock takes longer than some probes.
const POSITIONS_PER_STEP: usize = 32;

/// The question of many positions, each with its moves if the flag beside it says so.
#[derive(Debug)]
pub struct Positions(pub Vec<(Field<Reading>, bool)>);

/// The question of one game, which has this number: of many, each may be written out before the next one is read.
#[derive(Debug)]
pub struct AnalyseGame {
    /// The number of the game, from 1.
    pub number: usize,
    /// The game.
    pub game: Result<Game, PgnError>,
    /// Whether board's honour is counted only if the text has the count.
    pub unclaimed: bool,
}

questions! {
    Positions => Vec<BatchItem>, BatchWork, BatchWork::new;
    Batch => Vec<BatchItem>, BatchWork, |Batch { fens, moves }: Batch, door| {
        BatchWork::new(Positions(fens.into_iter().map(|fen| (fen, moves)).collect()), door)
    };
    Analyse => GamesAnswer, GamesWork, |Analyse { pgn, from, unclaimed }, _| {
        Ok(GamesWork { first: 1, unclaimed, state: GamesState::Text(pgn, from) })
    };
    AnalyseGame => GamesAnswer, GamesWork, |AnalyseGame { number, game, unclaimed }, _| {
        Ok(GamesWork { first: number, unclaimed, state: GamesState::Game(Box::new(Some(game))) })
    };
}

/// A batch of positions, some of which have their answers.
#[derive(Debug)]
pub struct BatchWork {
    questions: Vec<(Field<Reading>, bool)>,
    items: Parts<BatchItem>,
}

impl BatchWork {
    fn new(Positions(questions): Positions, door: Door) -> Result<BatchWork, Box<Refusal>> {
        check_positions("fens", "the batch has", questions.len(), door)?;
        Ok(BatchWork { items: Parts::new(questions.len()), questions })
    }
}

impl Work for BatchWork {
    type Answer = Vec<BatchItem>;

    fn go_on(&mut self, prober: &impl Attempt, door: Door, _: &dyn Fn() -> bool) -> Step<Vec<BatchItem>> {
        for _ in 0..POSITIONS_PER_STEP {
            let mut has_moves = false;
            let step = self.items.go_on(|at| {
                let (fen, moves) = &self.questions[at];
                has_moves = *moves;
                prober.attempt(|prober| batch_item(prober, fen, *moves, door))
            });
            if has_moves || !matches!(step, Step::More) {
                return step;
            }
        }
        Step::More
    }

    fn rewind(&mut self) {
        self.items.rewind();
    }
}

fn batch_item<S: ValueSource>(prober: &Prober<S>, fen: &Field<Reading>, moves: bool, door: Door) -> BatchItem {
    let answer = |reading: Reading| {
        probed(prober, &reading, moves, door.remedy)
            .map_err(|error| Box::new(Refusal::of(error, door.remedy).about(&reading.fen)))
    };
    match fen.clone().read(door).and_then(answer) {
        Ok(position) => BatchItem::Judged(Box::new(position)),
        Err(refusal) => BatchItem::Refused(refusal),
    }
}

/// Games, some positions of which have their answers.
#[derive(Debug)]
pub struct GamesWork {
    /// The number of the first game.
    first: usize,
    unclaimed: bool,
    state: GamesState,
}

#[derive(Debug)]
enum GamesState {
    Text(String, Option<Reading>),
    Game(Box<Option<Result<Game, PgnError>>>),
    Read { games: Vec<Result<Review, PgnError>>, plan: Vec<(usize, usize)>, positions: Parts<Option<GamePosition>> },
}

impl Work for GamesWork {
    type Answer = GamesAnswer;

    fn go_on(&mut self, prober: &impl Attempt, door: Door, _: &dyn Fn() -> bool) -> Step<GamesAnswer> {
        let unclaimed = self.unclaimed;
        let read = match &mut self.state {
            GamesState::Text(pgn, from) => {
                let games = Games::parse_from(pgn, from.clone());
                prober.attempt(|prober| GamesState::read(prober, games, unclaimed, door))
            }
            GamesState::Game(game) => {
                prober.attempt(|prober| GamesState::read(prober, game.take().into_iter(), unclaimed, door))
            }
            GamesState::Read { games, plan, positions } => {
                let step = positions.go_on(|at| {
                    let (game, ply) = plan[at];
                    let review = games[game].as_ref().ok();
                    prober.attempt(|prober| review.map(|review| review.position(prober, ply, door.remedy)))
                });
                return step.map(|positions| GamesAnswer::new(self.first, games, positions));
            }
        };
        match read {
            Some(Ok(read)) => self.state = read,
            Some(Err(refusal)) => return Step::Refused(refusal),
            None => return Step::Wants,
        }
        Step::More
    }

    fn rewind(&mut self) {
        if let GamesState::Read { positions, .. } = &mut self.state {
            positions.rewind();
        }
    }
}

impl GamesState {
    fn read<S: ValueSource>(
        prober: &Prober<S>,
        read: impl Iterator<Item = Result<Game, PgnError>>,
        unclaimed: bool,
        door: Door,
    ) -> Result<GamesState, Box<Refusal>> {
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
        Ok(GamesState::Read { positions: Parts::new(plan.len()), games, plan })
    }
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
