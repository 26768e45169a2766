//! The list of tables, and their statistics.

use std::sync::Arc;
use std::time::Duration;

use makruk_answers::{Reason, Refusal};
use makruk_probe::{ProbeError, TableError, TableId};
use makruk_tables::format::TableFolder;
use makruk_tables::material::Material;
use makruk_tables::value::{Metric, MovesLeft, Value};

use crate::admission::jobs::Cost;
use crate::admission::request_context::{CancellationCheck, RequestContext};
use crate::backend::answer_cache::cached;
use crate::backend::backend::Backend;
use crate::status::Failure;
use crate::tables::longest_win_search::{LongestWins, SearchedTable};
use crate::tables::monitor::ListedTable;
use crate::tables::totals::TableTotals;

/// The statistics of a material's tables.
pub(crate) struct TableStatistics {
    pub(crate) material: Material,
    pub(crate) metrics: Vec<(Metric, TableTotals, Option<LongestWins>)>,
    /// The winner's moves that the count leaves if it begins now.
    pub(crate) moves_left: MovesLeft,
}

impl TableStatistics {
    /// Whether a search for the longest wins is still running.
    pub(crate) fn is_pending(&self) -> bool {
        self.metrics.iter().any(|(_, _, search)| search.as_ref().is_some_and(LongestWins::is_pending))
    }
}

impl Backend {
    /// The tables that can be opened.
    pub(crate) fn tables(&self, men: Option<u32>) -> Vec<ListedTable> {
        let has_men = |table: &ListedTable| men.is_none_or(|men| table.material.men() == men as usize);
        self.monitor.content().tables().filter(has_men).collect()
    }

    /// The statistics of a material's tables; with `longest`, also the longest wins if their search ends before the
    /// deadline.
    pub(crate) async fn statistics(
        &self,
        context: &RequestContext,
        name: &str,
        longest: bool,
    ) -> Result<TableStatistics, Failure> {
        let material = parse_material(name)?;
        let totals = cached(&self.answers.totals, self.generation(), material, self.read_totals(material)).await?;
        let mut metrics = Vec::new();
        for (metric, totals) in totals.iter() {
            let search = if longest { Some(self.longest_wins_of(context, material, *metric).await) } else { None };
            if let Some(LongestWins::Failed(reason)) = &search {
                let id = TableId { material, metric: *metric };
                let (path, source) = (self.monitor.path().join(id.to_string()), reason.to_string().into());
                return Err(ProbeError::from(TableError::Corrupt { id, path, source }).into());
            }
            metrics.push((*metric, totals.clone(), search));
        }
        Ok(TableStatistics { material, metrics, moves_left: MovesLeft::of(material, self.tables.rules()) })
    }

    async fn read_totals(&self, material: Material) -> Result<Arc<[(Metric, TableTotals)]>, Failure> {
        let metrics = if material.has_dtz() { &Metric::DISTANCES[..] } else { &[Metric::Dtm] };
        let (folder, rules) = (self.monitor.path().to_owned(), self.tables.rules().clone());
        let read = move |_: &CancellationCheck| {
            let totals = metrics.iter().map(|&metric| {
                let table = TableFolder::open_existing(&folder)
                    .and_then(|folder| folder.open::<Value>(TableId { material, metric }));
                let table = table.map_err(|source| Failure::of_table(TableId { material, metric }, &folder, source))?;
                Ok((metric, TableTotals::of(&table, material, metric, &rules)))
            });
            Some(totals.collect::<Result<Arc<[_]>, Failure>>())
        };
        let (totals, _) = self.jobs.run(&self.shared_context(), Cost::scan(1), read).await?;
        totals
    }

    async fn longest_wins_of(&self, context: &RequestContext, material: Material, metric: Metric) -> LongestWins {
        let id = TableId { material, metric };
        let Some(checksum) = self.monitor.content().header_checksum(material, metric) else {
            // The table was removed meanwhile.
            return LongestWins::Pending { searched: 0, slabs: 0 };
        };
        // The rest of the answer needs time too.
        let deadline = context.deadline - Duration::from_millis(50).min(context.time / 4);
        self.longest_wins.find(self.monitor.path(), SearchedTable { id, checksum }, deadline).await
    }
}

/// The longest name of a material that an error repeats, in characters.
const MOST_REPEATED: usize = 40;

/// The material of a name, if it may have tables.
pub(crate) fn parse_material(name: &str) -> Result<Material, Failure> {
    // An error repeats the name in headers, which are short. No name of a material is as long.
    let parsed: Result<Material, _> = match name.char_indices().nth(MOST_REPEATED) {
        None => name.parse(),
        Some((end, _)) => format!("{}...", &name[..end]).parse(),
    };
    let refused = |error: String| Refusal::misasked(Reason::BadMaterial, "material", error).into();
    match parsed {
        Ok(Material::BARE_KINGS) => Err(refused("two bare kings have no table: they always draw".to_owned())),
        Ok(material) => Ok(material),
        Err(error) => Err(refused(error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_not_repeated() {
        let failure = parse_material(&"ก".repeat(100_000)).unwrap_err();
        assert!(failure.refusal().error.len() < 500, "{}", failure.refusal().error);
        assert!(parse_material("KRvK").is_ok());
    }
}
