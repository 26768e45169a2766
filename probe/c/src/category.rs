//! The category of a position, from whatever tables are there.

use makruk_tables::material::Material;
use makruk_tables::rules::Fen;
use makruk_tables::value::{Metric, Value};
use prober::{Category, CountBounds, Distances, ProbeError, SearchAnswer, judge};

use crate::probe::{MAKRUK_IN_MEMORY, MAKRUK_SEARCH_ONLY};
use crate::result::{
    MAKRUK_COUNT_UNDECIDED, MAKRUK_MISSING_TABLE, MAKRUK_NOT_COVERED, MAKRUK_NOT_IN_MEMORY, failure, table_failure,
};
use crate::tables::MakrukTables;

impl MakrukTables {
    /// The category of a position and the counts for which it holds. It allocates only if a table turns out to be damaged, or
    /// one of a material that a capture or promotion leads to is missing.
    pub(crate) fn category(&self, fen: &Fen, flags: u32) -> Result<(Category, CountBounds), i32> {
        let material = Material::of(fen.position.board()).map_err(|_| MAKRUK_NOT_COVERED)?.material;
        let failed = |error| failure(&error);
        if material == Material::BARE_KINGS {
            return Ok((Category::Draw, CountBounds::default()));
        }
        let stock = self.stock(material)?;
        let is_short = flags & MAKRUK_SEARCH_ONLY != 0;
        let (mut asks_wdl, mut is_undecided) = (stock.wdl, false);
        let (mut is_missing, mut damage) = (false, None);
        // Other tables answer where a search or WDL table is damaged, or one that captures or promotions lead to is missing.
        let mut note = |failure| {
            match failure {
                MAKRUK_NOT_IN_MEMORY => return Err(failure),
                MAKRUK_MISSING_TABLE => is_missing = true,
                _ => damage = damage.or(Some(failure)),
            }
            Ok(())
        };
        if stock.search {
            let read = self.was_read(fen, Metric::Search, flags);
            match read.and_then(|()| self.prober.search_answer(fen).map_err(failed)) {
                Ok(SearchAnswer::Decided(category, bounds)) => return Ok((category, bounds)),
                Ok(SearchAnswer::Undecided { may_wdl_decide }) => {
                    (asks_wdl, is_undecided) = (asks_wdl && may_wdl_decide, true)
                }
                Err(failure) => note(failure)?,
            }
        }
        if asks_wdl {
            let read = self.was_read(fen, Metric::Wdl, flags);
            match read.and_then(|()| self.prober.bounded_wdl_category(fen).map_err(failed)) {
                Ok(Some(found)) => return Ok(found),
                Ok(None) => is_undecided = true,
                Err(failure) => note(failure)?,
            }
        }
        if stock.dtz && !is_short {
            self.was_read(fen, Metric::Dtm, flags)?;
            self.was_read(fen, Metric::Dtz, flags)?;
            return self.prober.bounded_category_by_distances(fen).map_err(failed);
        }
        if let Some(damage) = damage {
            return Err(damage);
        }
        if is_undecided || is_short && (stock.wdl || stock.search || stock.dtm) {
            return Err(MAKRUK_COUNT_UNDECIDED);
        }
        if is_missing {
            return Err(MAKRUK_MISSING_TABLE);
        }
        if let Some(failure) = stock.failure {
            return Err(failure);
        }
        if !stock.dtm {
            return Err(MAKRUK_MISSING_TABLE);
        }
        self.was_read(fen, Metric::Dtm, flags)?;
        let dtm = self.prober.value(&fen.position, Metric::Dtm).map_err(failed)?;
        if !matches!(dtm, Value::Draw | Value::Loss(0)) {
            return Err(MAKRUK_COUNT_UNDECIDED);
        }
        let distances = Distances::bare(dtm);
        let category = judge::category(distances, fen.count);
        Ok((category, CountBounds::of(distances, category)))
    }

    /// A failure unless the value of a position was read before, if that is asked for.
    fn was_read(&self, fen: &Fen, metric: Metric, flags: u32) -> Result<(), i32> {
        if flags & MAKRUK_IN_MEMORY == 0 {
            return Ok(());
        }
        match self.prober.source().was_read(&fen.position, metric) {
            Ok(true) => Ok(()),
            Ok(false) => Err(MAKRUK_NOT_IN_MEMORY),
            Err(error) => Err(table_failure(&error)),
        }
    }

    /// The failure of a probe, in terms of the category if that fails too.
    pub(crate) fn failed(&self, fen: &Fen, error: &ProbeError) -> i32 {
        self.category(fen, 0).err().unwrap_or_else(|| failure(error))
    }
}
