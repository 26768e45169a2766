//! A save looked at closely, but no closer than is asked.

use std::cell::OnceCell;

use makruk_tables::format::Metric;
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, Fen, Move, Position, Role};
use makruk_tables::tablebase::TableId;

use super::{Found, SlabSource};
use makruk_probe::{Distances, ProbeError, Prober, RankedMove, Sacrifice};

/// A save and what is known of it so far. What is asked for is found out when it is first asked for, and kept.
pub struct Look<'a, S> {
    prober: &'a Prober<S>,
    found: &'a Found,
    lights: Lights,
    /// The position with its count begun.
    root: Fen,
    legal: OnceCell<Vec<Move>>,
    saving: OnceCell<Vec<Move>>,
    sacrifices: OnceCell<Vec<Sacrifice>>,
    distances: OnceCell<Distances>,
    short_by: OnceCell<Option<u32>>,
}

/// Whether a set and all that captures lead to have light tables: with these, moves are judged quicker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lights(bool);

impl Lights {
    /// Looks for the light tables of a set and of all that captures lead to.
    pub fn of<S: SlabSource>(prober: &Prober<S>, set: Material) -> Lights {
        let has_light = |set: Material| {
            let id = TableId { material: set, metric: Metric::Wdl };
            prober.source().tablebase().is_some_and(|tablebase| tablebase.open(id).is_ok())
        };
        Lights(Material::with_descendants([set]).into_iter().all(has_light))
    }

    /// None: moves are judged by distances.
    pub const NONE: Lights = Lights(false);
}

impl<'a, S: SlabSource> Look<'a, S> {
    /// A look at a save.
    pub fn new(prober: &'a Prober<S>, found: &'a Found, lights: Lights) -> Look<'a, S> {
        Look {
            prober,
            found,
            lights,
            root: prober.resolved(&found.fen()),
            legal: OnceCell::new(),
            saving: OnceCell::new(),
            sacrifices: OnceCell::new(),
            distances: OnceCell::new(),
            short_by: OnceCell::new(),
        }
    }

    /// The prober that is asked.
    pub fn prober(&self) -> &'a Prober<S> {
        self.prober
    }

    /// The save.
    pub fn found(&self) -> &'a Found {
        self.found
    }

    /// The position.
    pub fn position(&self) -> &'a Position {
        &self.found.position
    }

    /// The position with its count begun.
    pub fn root(&self) -> &Fen {
        &self.root
    }

    /// The side that is to move, and saves itself.
    pub fn defender(&self) -> Color {
        self.position().turn()
    }

    /// The legal moves, as they come.
    pub fn legal(&self) -> &[Move] {
        self.legal.get_or_init(|| self.position().legal_moves().into_iter().collect())
    }

    /// The moves that draw, as they come.
    ///
    /// # Errors
    ///
    /// As [`Prober::moves`].
    pub fn saving(&self) -> Result<&[Move], ProbeError> {
        let saving = get_or_try(&self.saving, || {
            let draws = |mv: &Move| match self.prober.move_category(&self.root, *mv, self.lights.0) {
                Ok(category) => category.is_drawn().then_some(Ok(*mv)),
                Err(error) => Some(Err(error)),
            };
            self.legal().iter().filter_map(draws).collect()
        })?;
        Ok(saving)
    }

    /// Those of them that give up a man, as they come.
    ///
    /// # Errors
    ///
    /// As [`Prober::sacrifices`].
    pub fn sacrifices(&self) -> Result<&[Sacrifice], ProbeError> {
        let sacrifices = get_or_try(&self.sacrifices, || {
            let given = |&mv: &Move| self.prober.sacrifice(&self.root, mv, self.lights.0).transpose();
            self.saving()?.iter().filter_map(given).collect()
        })?;
        Ok(sacrifices)
    }

    /// The role of the man that a sacrifice gives, and whether it is the last.
    pub fn given(&self, sacrifice: &Sacrifice) -> (Role, bool) {
        let after = self.position().play(sacrifice.mv);
        let role = after.captured(sacrifice.capture).map_or(Role::Pawn, |man| man.role);
        (role, after.board().by_color(self.defender()).len() == 2)
    }

    /// The distances of the position.
    ///
    /// # Errors
    ///
    /// As [`Prober::value`].
    pub fn distances(&self) -> Result<Distances, ProbeError> {
        get_or_try(&self.distances, || self.prober.distances(self.position())).copied()
    }

    /// How many moves the attacker lacks, if that can be told.
    ///
    /// # Errors
    ///
    /// As [`Prober::short_by`].
    pub fn short_by(&self) -> Result<Option<u32>, ProbeError> {
        get_or_try(&self.short_by, || self.prober.short_by(&self.found.fen())).copied()
    }

    /// The verdicts of the saving moves, best first.
    ///
    /// # Errors
    ///
    /// As [`Prober::moves`].
    pub fn ranked(&self) -> Result<Vec<RankedMove>, ProbeError> {
        let mut ranked: Vec<RankedMove> =
            self.saving()?.iter().map(|&mv| self.prober.judge_move(&self.root, mv)).collect::<Result<_, _>>()?;
        makruk_probe::moves::rank(&mut ranked);
        Ok(ranked)
    }
}

/// What a cell holds, made if it holds nothing yet; nothing is kept of a failure.
fn get_or_try<T, E>(cell: &OnceCell<T>, make: impl FnOnce() -> Result<T, E>) -> Result<&T, E> {
    if let Some(value) = cell.get() {
        return Ok(value);
    }
    let value = make()?;
    Ok(cell.get_or_init(|| value))
}
