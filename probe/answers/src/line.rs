//! Lines, and the move of a perfect player.

use makruk_probe::{
    Attempt, Counting, LineEnd, LineMove, LineStep, LineWalk, MAX_LINE_PLIES, Policy, ProbeError, Prober, RankedMove,
    ValueSource,
};
use makruk_rules::{Fen, Reading};
use serde::{Serialize, Serializer};

use crate::asking::{Asking, Work, questions};
use crate::question::Line;
use crate::{Door, MoveAnswer, PositionAnswer, Refusal, Step};

/// A move of a line, and the position after it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "LineMove", with = "LineMoveJson<'_>"))]
pub struct LineMoveAnswer {
    /// The move, and the position after it with the count that runs then.
    pub made: LineMove,
    /// The position after it as long as nobody has claimed board's honour, if that is another.
    pub unclaimed: Option<Fen>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "LineMove"))]
struct LineMoveJson<'a> {
    #[serde(flatten)]
    mv: MoveAnswer,
    /// The attacker's moves left after the move; `null` if neither side wins without the count, or no count runs then.
    attacker_moves_left: Option<u32>,
    /// The position after the move, with the count that runs then.
    fen: &'a Fen,
    /// The position after the move as long as nobody has claimed board's honour; left out unless `fen` has that count
    /// begun.
    #[serde(skip_serializing_if = "Option::is_none")]
    unclaimed_fen: Option<&'a Fen>,
}

impl Serialize for LineMoveAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let LineMove { ranked, san, after } = &self.made;
        let (mv, attacker_moves_left) = (MoveAnswer::with_san(ranked, san.clone()), ranked.attacker_moves_left());
        LineMoveJson { mv, attacker_moves_left, fen: after, unclaimed_fen: self.unclaimed.as_ref() }
            .serialize(serializer)
    }
}

impl LineMoveAnswer {
    /// A move made in `root`, which is `fen` with its count resolved.
    pub(crate) fn made<S: ValueSource>(prober: &Prober<S>, fen: &Fen, root: &Fen, mv: RankedMove) -> LineMoveAnswer {
        let made = LineMove::new(prober.rules(), root, mv);
        LineMoveAnswer { unclaimed: fen.unclaimed(&made.after), made }
    }

    /// The count after the move.
    pub fn count(&self) -> Counting {
        self.made.ranked.counting(&self.made.after.position)
    }
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
        let reading = fen.read(door)?;
        let defence = defence.map_or(Ok(Policy::default()), |defence| defence.of(&reading, door))?;
        Ok(LineWork::new(reading, defence, max_plies))
    };
}

/// A line under way.
#[derive(Debug)]
pub struct LineWork {
    reading: Reading,
    /// The position reached as long as nobody has claimed board's honour.
    unclaimed: Fen,
    defence: Policy,
    most: usize,
    begun: Option<(Box<LineAnswer>, LineWalk)>,
}

impl LineWork {
    pub(crate) fn new(reading: Reading, defence: Policy, max_plies: u32) -> LineWork {
        let most = if max_plies == 0 { MAX_LINE_PLIES } else { MAX_LINE_PLIES.min(max_plies as usize) };
        LineWork { unclaimed: reading.fen.clone(), reading, defence, most, begun: None }
    }

    /// Finds the verdict on the position or, after that, the next move.
    fn step(&mut self, prober: &impl Attempt) -> Result<Step<Box<LineAnswer>>, ProbeError> {
        let Some((line, steps)) = &mut self.begun else {
            let fen = &self.reading.fen;
            let begun =
                prober.attempt(|prober| (prober.probe(fen), LineWalk::new(prober, fen, self.defence, self.most)));
            let Some((verdict, steps)) = begun else { return Ok(Step::Wants) };
            let start = PositionAnswer::read(&self.reading, verdict?);
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
                let unclaimed = self.unclaimed.unclaimed(&mv.after);
                self.unclaimed.clone_from(unclaimed.as_ref().unwrap_or(&mv.after));
                line.line.push(LineMoveAnswer { made: mv, unclaimed });
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
            Err(error) => Step::Refused(Box::new(Refusal::of(error, door.remedy).about(&self.reading.fen))),
        }
    }
}
