//! Lines, and the move of a perfect player.

use makruk_probe::{
    Attempt, LineEnd, LineMove, LineStep, LineWalk, MAX_LINE_PLIES, Policy, ProbeError, Prober, RankedMove, ValueSource,
};
use makruk_rules::{Fen, Reading};
use makruk_tables::value::Distances;
use serde::Serialize;

use crate::asking::{Asking, Work, questions};
use crate::question::Line;
use crate::texts::{about, policy};
use crate::{CountAnswer, Door, MoveAnswer, PositionAnswer, Refusal, Step};

/// A move of a line, and the position after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "LineMove"))]
pub struct LineMoveAnswer {
    /// The move.
    #[serde(flatten)]
    pub mv: MoveAnswer,
    /// The attacker's moves left after the move; `null` if neither side wins without the count, or no count runs then.
    pub attacker_moves_left: Option<u32>,
    /// The position after the move, with the count that runs then.
    pub fen: String,
    /// The position after the move as long as nobody has claimed board's honour; left out unless `fen` has that count
    /// begun.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unclaimed_fen: Option<String>,
    /// The count after it, which the FEN has in JSON.
    #[serde(skip)]
    pub count: CountAnswer,
    /// The distances of the position after it: those that the move's own were found from.
    #[serde(skip)]
    pub after: Distances,
}

impl LineMoveAnswer {
    /// A move made in `root`, which is `fen` with its count resolved.
    pub(crate) fn made<S: ValueSource>(prober: &Prober<S>, fen: &Fen, root: &Fen, mv: RankedMove) -> LineMoveAnswer {
        let made = LineMove::new(prober.rules(), root, mv);
        let unclaimed = fen.unclaimed(&made.after).map(|fen| fen.to_string());
        LineMoveAnswer::new(made, unclaimed)
    }

    /// A move of a line, and the position after it as long as nobody has claimed board's honour, if that is another.
    pub(crate) fn new(LineMove { ranked, san, after }: LineMove, unclaimed_fen: Option<String>) -> LineMoveAnswer {
        let count = CountAnswer::new(&ranked.counting(&after.position));
        LineMoveAnswer {
            mv: MoveAnswer::with_san(&ranked, san),
            attacker_moves_left: count.attacker_moves_left,
            fen: after.to_string(),
            unclaimed_fen,
            count,
            after: ranked.after(),
        }
    }
}

/// The position after a move as long as nobody has claimed board's honour, if that is another; `before` becomes it.
fn unclaimed(before: &mut Fen, after: &Fen) -> Option<String> {
    let unclaimed = before.unclaimed(after);
    *before = unclaimed.as_ref().unwrap_or(after).clone();
    unclaimed.map(|fen| fen.to_string())
}

/// A verdict, and best play to the end of the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Line"))]
pub struct LineAnswer {
    /// The position.
    #[serde(flatten)]
    pub start: PositionAnswer,
    /// The moves. A drawn position has none.
    pub line: Vec<LineMoveAnswer>,
    /// The reason why the line ends.
    pub end: LineEnd,
}

/// A verdict, and the move of a perfect player.
#[cfg(feature = "server")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Play"))]
pub struct PlayAnswer {
    /// The position.
    #[serde(flatten)]
    pub position: PositionAnswer,
    /// The move; `null` if the game is over.
    #[serde(rename = "move")]
    pub mv: Option<LineMoveAnswer>,
}

questions! {
    Line => Box<LineAnswer>, LineWork, |Line { fen, defence, max_plies }: Line, door| {
        let defence = policy(defence.as_deref(), &fen)?;
        about(fen, door, |text, reading| Ok(LineWork::new(text, reading, defence, max_plies)))
    };
}

/// A line under way.
#[derive(Debug)]
pub struct LineWork {
    /// The text of the position, for refusals.
    text: String,
    reading: Reading,
    /// The position reached as long as nobody has claimed board's honour.
    unclaimed: Fen,
    defence: Policy,
    most: usize,
    begun: Option<(Box<LineAnswer>, LineWalk)>,
}

impl LineWork {
    pub(crate) fn new(text: &str, reading: Reading, defence: Policy, max_plies: u32) -> LineWork {
        let most = if max_plies == 0 { MAX_LINE_PLIES } else { MAX_LINE_PLIES.min(max_plies as usize) };
        LineWork { text: text.to_owned(), unclaimed: reading.fen.clone(), reading, defence, most, begun: None }
    }

    /// Finds the verdict on the position or, after that, the next move.
    fn step(&mut self, prober: &impl Attempt) -> Result<Step<Box<LineAnswer>>, ProbeError> {
        let Some((line, steps)) = &mut self.begun else {
            let fen = &self.reading.fen;
            let begun = prober
                .attempt(|prober| (prober.probe(fen), LineWalk::new(prober.rules(), fen, self.defence, self.most)));
            let Some((verdict, steps)) = begun else { return Ok(Step::Wants) };
            let start = PositionAnswer::read(&self.reading, &verdict?);
            let line = LineAnswer { start, line: Vec::new(), end: LineEnd::Truncated };
            self.begun = Some((Box::new(line), steps));
            return Ok(Step::More);
        };
        // A step whose bytes are wanted is taken again.
        let mut rest = steps.clone();
        let Some(step) = prober.attempt(|prober| rest.next(prober)) else { return Ok(Step::Wants) };
        *steps = rest;
        match step.transpose()? {
            Some(LineStep::Move(mv)) => {
                let unclaimed = unclaimed(&mut self.unclaimed, &mv.after);
                line.line.push(LineMoveAnswer::new(mv, unclaimed));
            }
            Some(LineStep::End(end)) => line.end = end,
            None => return Ok(self.begun.take().map_or(Step::Wants, |(line, _)| Step::Done(line))),
        }
        Ok(Step::More)
    }
}

impl<P> Asking<P, Line> {
    /// The line as far as it is known. Its moves may be taken away.
    pub fn line(&mut self) -> Option<&mut LineAnswer> {
        self.work.begun.as_mut().map(|(line, _)| &mut **line)
    }
}

impl Work for LineWork {
    type Answer = Box<LineAnswer>;

    fn go_on(&mut self, prober: &impl Attempt, door: Door, _: &dyn Fn() -> bool) -> Step<Box<LineAnswer>> {
        match self.step(prober) {
            Ok(step) => step,
            Err(error) => Step::Refused(Box::new(Refusal::of(error, door.remedy).about(&self.text))),
        }
    }
}
