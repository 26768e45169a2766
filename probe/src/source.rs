//! Sources of values.

use std::sync::Arc;

use makruk_rules::{CountingRules, Position};
use makruk_tables::value::{Bounds, Distances, Metric, Value};

use makruk_tables::tablebase::{TableError, Tablebase};

/// A source of the values of positions, by which a [`Prober`](crate::Prober) judges them.
pub trait ValueSource {
    /// The counting rules that DTZ and categories hold for.
    fn rules(&self) -> &CountingRules;

    /// The value of a legal position that is not one of two bare kings, under a distance. DTZ is asked for only with
    /// both sides armed or a pawn on the board.
    ///
    /// # Errors
    ///
    /// No table can have the position, or its table is missing or fails.
    fn value(&self, position: &Position, metric: Metric) -> Result<Value, TableError>;

    /// Bounds of such a position's score: those of its category table.
    ///
    /// # Errors
    ///
    /// As [`ValueSource::value`]. A source without category tables gives the exact distance.
    fn bounds(&self, position: &Position) -> Result<Bounds, TableError> {
        self.distances(position).map(Bounds::from)
    }

    /// Both distances of such a position. DTZ is not asked for where DTM is a draw, or serves as DTZ: with a bare king
    /// and no pawn.
    fn distances(&self, position: &Position) -> Result<Distances, TableError> {
        let dtm = self.value(position, Metric::Dtm)?;
        if dtm == Value::Draw || crate::verdict::is_under_pieces_honour(position) {
            return Ok(Distances::bare(dtm));
        }
        Ok(Distances { dtm, dtz: self.value(position, Metric::Dtz)? })
    }

    /// Bounds by the category table, even of a source whose [`ValueSource::bounds`] are the distances.
    fn category_bounds(&self, position: &Position) -> Result<Bounds, TableError> {
        self.bounds(position)
    }

    /// The tables whose headers and slabs can be read; without any, each position is asked for by itself.
    fn tablebase(&self) -> Option<&Tablebase> {
        None
    }
}

impl ValueSource for Tablebase {
    fn rules(&self) -> &CountingRules {
        Tablebase::rules(self)
    }

    fn value(&self, position: &Position, metric: Metric) -> Result<Value, TableError> {
        Tablebase::value(self, position, metric)
    }

    fn bounds(&self, position: &Position) -> Result<Bounds, TableError> {
        Tablebase::bounds(self, position)
    }

    fn distances(&self, position: &Position) -> Result<Distances, TableError> {
        Tablebase::distances(self, position)
    }

    fn tablebase(&self) -> Option<&Tablebase> {
        Some(self)
    }
}

/// A reference to a source is a source.
macro_rules! forward {
    ($pointer:ty) => {
        impl<S: ValueSource + ?Sized> ValueSource for $pointer {
            fn rules(&self) -> &CountingRules {
                (**self).rules()
            }

            fn value(&self, position: &Position, metric: Metric) -> Result<Value, TableError> {
                (**self).value(position, metric)
            }

            fn bounds(&self, position: &Position) -> Result<Bounds, TableError> {
                (**self).bounds(position)
            }

            fn distances(&self, position: &Position) -> Result<Distances, TableError> {
                (**self).distances(position)
            }

            fn category_bounds(&self, position: &Position) -> Result<Bounds, TableError> {
                (**self).category_bounds(position)
            }

            fn tablebase(&self) -> Option<&Tablebase> {
                (**self).tablebase()
            }
        }
    };
}

forward!(&S);
forward!(Arc<S>);
