//! The prober: verdicts and ranked moves from a source of values.

use makruk_rules::{CountingRules, Fen, Move, Position};
use makruk_tables::material::Material;
use makruk_tables::tablebase::{TableError, Tablebase};
use makruk_tables::value::{Metric, MovesLeft, TableValue, Value};

use crate::error::ProbeError;
use crate::judge::{self, Category, Distances};
use crate::ranked_move::{RankedMove, bares_king, rank};
use crate::source::ValueSource;
use crate::verdict::{Counting, Verdict, is_under_pieces_honour, root_count};

/// Gives verdicts on positions. Share one among threads: it has no state but its source's.
///
/// ```no_run
/// use makruk_probe::{Fen, Prober, Tablebase};
///
/// let prober = Prober::new(Tablebase::new("tables/data"));
/// let fen: Fen = "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1".parse()?;
/// let verdict = prober.probe(&fen)?;
/// assert_eq!((verdict.dtm.signed_plies(), verdict.dtz.signed_plies()), (Some(31), Some(45)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Prober<S = Tablebase> {
    source: S,
}

impl<S: ValueSource> Prober<S> {
    /// A prober of a source's positions, under the source's counting rules.
    pub const fn new(source: S) -> Prober<S> {
        Prober { source }
    }

    /// The source of the values.
    pub const fn source(&self) -> &S {
        &self.source
    }

    /// The counting rules.
    pub fn rules(&self) -> &CountingRules {
        self.source.rules()
    }

    /// The value of a position under a distance, from the side to move; no count. Mate, stalemate and two bare kings
    /// need no table; under pieces' honour there is none for DTZ, which is the DTM.
    ///
    /// # Errors
    ///
    /// If the position has too many men, or its table is missing or damaged.
    pub fn value(&self, position: &Position, metric: Metric) -> Result<Value, ProbeError> {
        if position.board().men() == 2 {
            return Ok(Value::Draw);
        }
        let metric = if metric == Metric::Dtz && is_under_pieces_honour(position) { Metric::Dtm } else { metric };
        self.source.value(position, metric).or_else(|error| by_rules(position, error))
    }

    /// Both distances of a position, from the side to move.
    pub fn distances(&self, position: &Position) -> Result<Distances, ProbeError> {
        if position.board().men() == 2 {
            return Ok(Distances::DRAW);
        }
        self.source.distances(position).or_else(|error| by_rules(position, error).map(Distances::bare))
    }

    /// The category of a position under its count: by the category tables if they decide it, else by the distances.
    /// Without a count it is the category for a count that begins now.
    pub fn category(&self, fen: &Fen) -> Result<Category, ProbeError> {
        Ok(self.bounded_category(fen)?.0)
    }

    /// The verdict on a position under its count. A `-` is resolved here: the count begins with the defender's next
    /// move.
    pub fn probe(&self, fen: &Fen) -> Result<Verdict, ProbeError> {
        let material = Material::of(fen.position.board())?.material;
        let distances = self.distances(&fen.position)?;
        let count = Counting::of(self.rules(), fen, distances);
        Ok(Verdict {
            material,
            side: fen.position.turn(),
            category: judge::category(distances, count.running),
            dtm: distances.dtm,
            dtz: distances.dtz,
            count,
            checkmate: distances.dtm == Value::Loss(0),
            stalemate: distances.dtm == Value::Draw && !fen.position.has_legal_move(),
        })
    }

    /// The legal moves with their verdicts, best first. The root's count is resolved once, and carried on by each move.
    ///
    /// # Errors
    ///
    /// As [`Prober::value`], also for the materials that captures and promotions lead to.
    pub fn moves(&self, fen: &Fen) -> Result<Vec<RankedMove>, ProbeError> {
        Material::of(fen.position.board())?;
        let root = self.resolved(fen);
        let moves = root.position.legal_moves();
        let mut ranked = moves.iter().map(|&mv| self.rank_move(&root, mv)).collect::<Result<Vec<RankedMove>, _>>()?;
        rank(&mut ranked);
        Ok(ranked)
    }

    /// The position with its count resolved: a `-` becomes the count that begins with the defender's next move.
    #[must_use]
    pub fn resolved(&self, fen: &Fen) -> Fen {
        Fen { count: root_count(self.rules(), fen), ..fen.clone() }
    }

    /// A legal move with its verdict; the root's count is resolved.
    pub fn rank_move(&self, root: &Fen, mv: Move) -> Result<RankedMove, ProbeError> {
        let before = &root.position;
        let after = before.play(mv);
        // In the tables a move always begins its count, even if the game was drawn before.
        let begun = MovesLeft::begun_in(&after, before, self.rules());
        let child = self.distances(&after)?;
        let count = self.rules().after(root.running_count(), before, mv);
        let distances = judge::move_distances(child, begun);
        Ok(RankedMove {
            mv,
            category: judge::move_category(root.running_count(), count, child),
            dtm: distances.dtm,
            dtz: distances.dtz,
            onward: child.dtz.one_ply_earlier(),
            capture: before.captured(mv).is_some(),
            bares_king: bares_king(before, mv),
            begins_count: begun.is_some(),
            count,
        })
    }

    /// The category of a move under the root's count, which is resolved. It is found as [`Prober::category`] finds the
    /// category of the position after it.
    pub fn move_category(&self, root: &Fen, mv: Move) -> Result<Category, ProbeError> {
        // Once the count has run out, not even a mate wins.
        if root.running_count().is_some_and(|count| count.is_expired()) {
            return Ok(self.rank_move(root, mv)?.category);
        }
        Ok(self.category(&root.play(self.rules(), mv))?.flip())
    }
}

/// The value of a position in which the game has ended, which needs no table; of any other, the failure of its table.
/// Tables are asked first, since that takes less time than to generate moves.
#[cold]
fn by_rules(position: &Position, failure: TableError) -> Result<Value, ProbeError> {
    if position.has_legal_move() || matches!(failure, TableError::TooManyMen(_)) {
        return Err(failure.into());
    }
    Ok(if position.is_check() { Value::MATED } else { Value::DRAW })
}
