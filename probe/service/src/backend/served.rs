//! Questions and their costs.

use std::time::Duration;

use makruk_answers::{
    Answer, Ask, Batch, BatchItem, Examples, Field, Line, Materials, Play, Positions, Probe, Question, SaveStatistics,
    Statistics, Tables,
};
use makruk_probe::Policy;

use crate::admission::jobs::Cost;
use crate::admission::limits::Limits;
use crate::admission::request_context::RequestContext;
use crate::status::log::log_refusal;

/// Bytes of a game for each of its positions, at least about: the length of the text is known before it is read.
const BYTES_OF_POSITION: usize = 8;

/// A question that the service answers.
pub(crate) trait Served: Ask<Answer: Send, Work: Send> + Send + 'static {
    /// The cost of the answer; of a line, that of its next moves.
    fn cost(&self, limits: &Limits) -> Cost;

    /// Whether it is a line, the moves of which are found by one job after another.
    fn is_line(&self) -> bool {
        false
    }

    /// The time that a sample leaves for the rest of the answer.
    fn spare(&self, _: &RequestContext) -> Duration {
        Duration::ZERO
    }

    /// Writes refusals within the answer to the log.
    fn log(_: &Self::Answer) {}
}

impl Served for Probe {
    fn cost(&self, _: &Limits) -> Cost {
        Cost::probes(1, usize::from(self.moves))
    }
}

impl Served for Play {
    fn cost(&self, _: &Limits) -> Cost {
        if is_tricky(&self.policy) { Cost::batch(1) } else { Cost::probes(1, 1) }
    }
}

impl Served for Line {
    fn cost(&self, _: &Limits) -> Cost {
        // A tricky player also probes the replies to all of its moves.
        if is_tricky(&self.defence) { Cost::scan(1) } else { Cost::batch(1) }
    }

    fn is_line(&self) -> bool {
        true
    }
}

impl Served for Positions {
    fn cost(&self, _: &Limits) -> Cost {
        Cost::probes(self.0.len(), self.0.iter().filter(|(_, with_moves)| *with_moves).count())
    }

    fn log(items: &Vec<BatchItem>) {
        for item in items {
            if let BatchItem::Refused(refusal) = item {
                log_refusal(refusal);
            }
        }
    }
}

impl Served for Batch {
    fn cost(&self, _: &Limits) -> Cost {
        Cost::probes(self.fens.len(), if self.moves { self.fens.len() } else { 0 })
    }

    fn log(items: &Vec<BatchItem>) {
        Positions::log(items);
    }
}

impl Served for SaveStatistics {
    fn cost(&self, _: &Limits) -> Cost {
        Cost::scan((self.sample as usize).max(1))
    }

    fn spare(&self, context: &RequestContext) -> Duration {
        Duration::from_millis(500).min(context.time / 4)
    }
}

/// Questions that each read some tables.
macro_rules! scans {
    ($($question:ident),*) => {$(
        impl Served for $question {
            fn cost(&self, _: &Limits) -> Cost {
                Cost::scan(1)
            }
        }
    )*};
}

scans!(Tables, Materials, Statistics, Examples);

/// Any question of a URL or a body.
impl Served for Question {
    fn cost(&self, limits: &Limits) -> Cost {
        match self {
            Question::Probe(probe) => probe.cost(limits),
            Question::Play(play) => play.cost(limits),
            Question::Line(line) => line.cost(limits),
            Question::Batch(batch) => batch.cost(limits),
            Question::SaveStatistics(totals) => totals.cost(limits),
            Question::Tables(_) | Question::Materials(_) | Question::Statistics(_) | Question::Examples(_) => {
                Cost::scan(1)
            }
            Question::Analyse(games) => Cost::batch((games.pgn.len() / BYTES_OF_POSITION).clamp(1, limits.batch)),
            Question::LichessLine(_) => Cost::batch(1),
            Question::Categorise(_) => Cost::probes(1, 0),
            Question::Explore(_) | Question::Lichess(_) | Question::Moves(_) | Question::Study(_) => Cost::probes(1, 1),
        }
    }

    fn is_line(&self) -> bool {
        matches!(self, Question::Line(_) | Question::LichessLine(_))
    }

    fn log(answer: &Answer) {
        if let Answer::Batch(items) = answer {
            Positions::log(items);
        }
    }
}

fn is_tricky(policy: &Option<Field<Policy>>) -> bool {
    policy.as_ref().and_then(Field::value) == Some(&Policy::Tricky)
}
