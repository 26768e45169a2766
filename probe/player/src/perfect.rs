//! Perfect play by the tables.

use std::cmp::{Ordering, Reverse};

use makruk_tables::format::Value;
use makruk_tables::rules::{Fen, Move};

use super::Control;
use super::evaluate::material;
use super::score::{Score, table_value};
use makruk_probe::judge::{moves_in, plies};
use makruk_probe::policy::Share;
use makruk_probe::{Category, Policy, ProbeError, Prober, RankedMove, Step, ValueSource, Walk};

/// The longest line that is shown, in plies.
const MAX_LINE: usize = 80;

/// Who plays by the tables.
pub(super) struct Perfect<'a, S> {
    pub(super) prober: &'a Prober<S>,
    pub(super) use_count: bool,
    pub(super) control: &'a Control,
}

/// How hard a move makes it for the opponent to keep a draw.
struct Difficulty {
    share: Share,
    /// Men left to who makes the move, after the reply that takes the most among those that keep the draw.
    material: i32,
}

impl<S: ValueSource> Perfect<'_, S> {
    /// The moves of a position, the one to make first; only those named, if any are. The winner goes by the prober's order;
    /// so does the loser, who has no move that keeps a draw. Among moves that draw, by the count or without, come first
    /// those which leave the opponent the smallest share of replies that draw as well.
    pub(super) fn choices(&self, fen: &Fen, only: &[Move]) -> Result<Vec<RankedMove>, ProbeError> {
        let mut moves = self.ranked(fen)?;
        if !only.is_empty() {
            moves.retain(|ranked| only.contains(&ranked.mv));
        }
        let Some(&first) = moves.first() else { return Ok(moves) };
        let drawn = if self.use_count { first.category.is_drawn() } else { first.dtm == Value::Draw };
        if drawn {
            let keeping = moves.iter().take_while(|mv| self.keeps(&first, mv)).count();
            let rest = moves.split_off(keeping);
            moves = self.hardest_first(fen, moves)?;
            moves.extend(rest);
        }
        Ok(moves)
    }

    /// The moves in the prober's order, or by DTM alone where the count is not used.
    fn ranked(&self, fen: &Fen) -> Result<Vec<RankedMove>, ProbeError> {
        let mut moves = self.prober.moves(fen)?;
        if !self.use_count {
            moves.sort_by_key(|mv| match mv.dtm {
                Value::Win(plies) => (0, i32::from(plies)),
                Value::Draw => (1, 0),
                Value::Loss(plies) => (2, -i32::from(plies)),
            });
        }
        Ok(moves)
    }

    /// Is a move worth as much as the best?
    fn keeps(&self, best: &RankedMove, mv: &RankedMove) -> bool {
        if self.use_count {
            mv.category == best.category
        } else {
            std::mem::discriminant(&mv.dtm) == std::mem::discriminant(&best.dtm)
        }
    }

    fn hardest_first(&self, fen: &Fen, moves: Vec<RankedMove>) -> Result<Vec<RankedMove>, ProbeError> {
        let mut judged = Vec::with_capacity(moves.len());
        let mut left = moves.into_iter();
        for mv in left.by_ref() {
            judged.push((self.difficulty(fen, mv.mv)?, mv));
            // Whoever is in a hurry takes the best of those that were looked at.
            if self.control.is_over() {
                break;
            }
        }
        judged.sort_by(|(a, _), (b, _)| a.compare(b));
        Ok(judged.into_iter().map(|(_, mv)| mv).chain(left).collect())
    }

    fn difficulty(&self, fen: &Fen, mv: Move) -> Result<Difficulty, ProbeError> {
        let mover = fen.position.turn();
        let after = fen.play(self.prober.rules(), mv);
        let replies = self.ranked(&after)?;
        let keeping = replies.first().map_or(0, |best| replies.iter().filter(|mv| self.keeps(best, mv)).count());
        let share = if replies.is_empty() {
            Share { keeping: 1, all: 1 }
        } else {
            Share { keeping: keeping as u32, all: replies.len() as u32 }
        };
        let left = |reply: &RankedMove| material(after.position.play(reply.mv).board(), mover);
        let least = replies.iter().take(keeping).map(left).min();
        Ok(Difficulty { share, material: least.unwrap_or_else(|| material(after.position.board(), mover)) })
    }

    /// A line that begins with a move: best play by both, as far as somebody wins.
    pub(super) fn line(&self, fen: &Fen, first: Move) -> Result<Vec<Move>, ProbeError> {
        let after = fen.play(self.prober.rules(), first);
        let mut line = vec![first];
        if self.use_count {
            let mut walk = Walk::new(self.prober, &after, Policy::Safest, MAX_LINE - 1);
            while let Step::Move(next) = walk.step(self.prober)? {
                line.push(next.ranked.mv);
                if self.control.is_over() {
                    break;
                }
            }
        } else {
            let mut now = after.clone();
            while line.len() < MAX_LINE && !self.control.is_over() {
                let Some(next) = self.ranked(&now)?.into_iter().next().filter(|next| next.dtm != Value::Draw) else {
                    break;
                };
                line.push(next.mv);
                now = now.play(self.prober.rules(), next.mv);
            }
        }
        if line.len() == 1 {
            // A draw has no best line, but whoever ponders wants to know a reply.
            line.extend(self.ranked(&after)?.first().map(|reply| reply.mv));
        }
        Ok(line)
    }

    /// A move's score. Mate in so many moves is said only where it is certain: against a bare king, in one move, and where
    /// no count is used.
    pub(super) fn score(&self, fen: &Fen, mv: &RankedMove) -> Score {
        let mate = |winner: i32| plies(mv.dtm).map(|plies| Score::Mate(winner * moves_in(plies) as i32));
        let after = fen.position.play(mv.mv);
        let bare = |color| after.board().is_bare(color);
        let (mover, opponent) = (fen.position.turn(), after.turn());
        let certain = |loser, at_once| !self.use_count || bare(loser) || mv.dtm == at_once;
        let found = match (self.use_count, mv.category, mv.dtm) {
            (true, Category::Win, _) | (false, _, Value::Win(_)) if certain(opponent, Value::Win(1)) => mate(1),
            (true, Category::Loss, _) | (false, _, Value::Loss(_)) if certain(mover, Value::Loss(2)) => {
                // The mover's own move is no move of the winner.
                plies(mv.dtm).map(|plies| Score::Mate(-i32::from(plies / 2)))
            }
            _ => None,
        };
        found.unwrap_or_else(|| Score::Centipawns(table_value(mv.category, mv.distances(), true)))
    }
}

impl Difficulty {
    /// The harder for the opponent, the less.
    fn compare(&self, other: &Difficulty) -> Ordering {
        if self.share.is_less(&other.share) {
            Ordering::Less
        } else if other.share.is_less(&self.share) {
            Ordering::Greater
        } else {
            Reverse(self.material).cmp(&Reverse(other.material))
        }
    }
}
