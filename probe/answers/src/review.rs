//! A game under review.

use makruk_probe::{CountedGame, Prober, ValueSource, is_under_pieces_honour};
use makruk_rules::{Color, CountingRules, Fen, Game, GameNote, GameResult, Outcome, PgnError};

use crate::explored::PositionPart;
use crate::{
    GameAnswer, GamePosition, GameRefusal, GamesAnswer, JudgedMoveAnswer, PlayedMove, PositionAnswer, Refusal, Remedy,
};

/// A game that was read, its positions with their counts, and what is to be noted.
#[derive(Debug)]
pub(crate) struct Review {
    pub(crate) game: Game,
    pub(crate) counted: CountedGame,
    pub(crate) notes: Vec<String>,
}

impl Review {
    /// The review of a game under these rules. Where no count is written, one is supposed that begins with the first
    /// position without pawns; if `is_unclaimed`, board's honour is not.
    pub(crate) fn new<S: ValueSource>(prober: &Prober<S>, game: Game, is_unclaimed: bool) -> Review {
        let rules = prober.rules();
        let counted = CountedGame::new(prober, &game, is_unclaimed);
        let mut review = Review { game, counted, notes: Vec::new() };
        let own = [review.note_on_count(rules, is_unclaimed), review.note_on_end()];
        review.notes = review.game.notes.iter().map(GameNote::to_string).chain(own.into_iter().flatten()).collect();
        review
    }

    /// The position after `ply` plies and the move played there, judged.
    pub(crate) fn position<S: ValueSource>(&self, prober: &Prober<S>, ply: usize, remedy: Remedy) -> GamePosition {
        let (fen, mv) = (&self.counted.fens[ply], self.game.moves.get(ply).map(|played| played.mv));
        let legal = || mv.map(|mv| PlayedMove::Unjudged { mv, san: mv.to_san(&fen.position) });
        let (position, played) = match prober.analysis(fen) {
            Ok(analysis) => {
                let position =
                    PositionPart::Judged(Box::new(PositionAnswer::new(fen.clone(), analysis.verdict().clone())));
                (position, mv.map(|mv| analysis.judge_move(mv)).transpose().map(Option::flatten))
            }
            Err(error) => (PositionPart::Unjudged(fen.clone()), Err(error)),
        };
        let (played, unjudged) = match played {
            Ok(played) => (played.map(|played| PlayedMove::Judged(JudgedMoveAnswer::new(played))), None),
            Err(error) => (None, Some(Refusal::of(error, remedy))),
        };
        let played = played.or_else(legal);
        let unclaimed = &self.counted.unclaimed[ply];
        let unclaimed_fen = (unclaimed != fen).then(|| unclaimed.clone());
        GamePosition { ply, occurrence: self.counted.occurrences[ply], position, unclaimed_fen, unjudged, played }
    }

    /// The note on a count that the text does not have, if moves are judged under it.
    fn note_on_count(&self, rules: &CountingRules, is_unclaimed: bool) -> Option<String> {
        let before_moves = &self.counted.unclaimed[..self.game.moves.len()];
        let start = |fen: &&Fen| rules.start(fen.position.board(), fen.position.turn()).filter(|_| fen.count.is_none());
        let from = before_moves.iter().find(|fen| start(fen).is_some())?;
        let (number, is_bare) = (from.fullmove, is_under_pieces_honour(&from.position));
        Some(match (is_bare, is_unclaimed) {
            (true, _) => format!("no count is written: that of the bare king is supposed to begin at move {number}"),
            (false, false) => format!(
                "no count is written: board's honour is supposed to be counted from move {number} on, and draws only if it was \
                 claimed"
            ),
            (false, true) => format!(
                "board's honour is taken as unclaimed from move {number} on: each verdict is for a count that begins there"
            ),
        })
    }

    /// The note on a result that is not the board's, or on moves after the end; those after a third repetition are in
    /// the summary.
    fn note_on_end(&self) -> Option<String> {
        let result = self.game.result;
        let (ply, outcome) = self.counted.outcome()?;
        let is_result = [GameResult::Unknown, outcome.result()].contains(&result);
        if is_result && (ply == self.game.moves.len() || outcome == Outcome::Repetition) {
            return None;
        }
        let place = match ply.checked_sub(1) {
            None => "at the start".to_owned(),
            Some(before) => {
                let Fen { position, fullmove, .. } = &self.counted.unclaimed[before];
                let dots = if position.turn() == Color::White { "." } else { "..." };
                format!("after {fullmove}{dots} {}", self.game.moves[before].mv.to_san(position))
            }
        };
        let reason = match outcome {
            Outcome::Mate(winner) => format!("{} is mated", !winner),
            Outcome::Stalemate => format!("{} is stalemated", self.counted.unclaimed[ply].position.turn()),
            Outcome::CountExpired => "the count is full".to_owned(),
            Outcome::Dead => "neither side can mate, even if the other helps".to_owned(),
            Outcome::Repetition => "the position is on the board for the third time".to_owned(),
        };
        Some(match is_result {
            true => format!("the game was over {place}: {reason}"),
            false => format!("the result is {result}, but that of the board is {} {place}: {reason}", outcome.result()),
        })
    }
}

impl GamesAnswer {
    /// Games with their positions, those of the first game first.
    pub(crate) fn new(
        first: usize,
        games: &[Result<Review, PgnError>],
        positions: Vec<Option<GamePosition>>,
    ) -> GamesAnswer {
        let mut positions = positions.into_iter().flatten();
        let answer = |(number, game): (usize, &Result<Review, PgnError>)| match game {
            Ok(review) => GameAnswer::Read {
                game: number,
                tags: review.game.tags.clone(),
                result: review.game.result.to_string(),
                positions: positions.by_ref().take(review.counted.fens.len()).collect(),
                notes: review.notes.clone(),
            },
            Err(error) => GameAnswer::Refused(GameRefusal::new(number, error)),
        };
        GamesAnswer { games: (first..).zip(games).map(answer).collect() }
    }
}
