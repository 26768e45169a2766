//! The list of tables, and their statistics.

use std::sync::Arc;
use std::time::Duration;

use makruk_answers::{Reason, Refusal};
use makruk_probe::{ProbeError, TableError, TableId};
use makruk_research::{ListedTable, TableStatistics};
use makruk_tables::material::Material;

use crate::admission::jobs::Cost;
use crate::admission::request_context::RequestContext;
use crate::backend::Backend;
use crate::backend::answer_cache::cached;
use crate::status::Failure;
use crate::tables::longest_win_search::LongestWins;
use crate::tables::snapshot::SnapshotProber;

impl Backend {
    /// The tables that can be opened.
    pub(crate) fn tables(&self, men: Option<usize>) -> Vec<ListedTable> {
        let has_men = |table: &ListedTable| men.is_none_or(|men| table.men == men);
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
        let read = async {
            let read = move |prober: &SnapshotProber, _: &_| Some(TableStatistics::read(prober, material));
            let (statistics, _) = self.run(&self.shared_context(), Cost::scan(1), read).await?;
            Ok(Arc::new(statistics?))
        };
        let statistics = cached(&self.answers.statistics, self.checksum(), material, read).await?;
        let mut statistics = TableStatistics::clone(&statistics);
        for (metric, summary) in statistics.summaries().filter(|_| longest) {
            let id = TableId { material, metric };
            match self.longest_wins_of(context, id).await {
                LongestWins::Found(found) => summary.add_longest(&found),
                LongestWins::Pending(share) => {
                    for side in [&mut summary.white, &mut summary.black] {
                        (side.longest_pending, side.longest_progress) = (true, Some(share));
                    }
                }
                LongestWins::Failed(reason) => {
                    let (path, source) = (self.monitor.path().join(id.to_string()), reason.to_string().into());
                    return Err(ProbeError::from(TableError::Corrupt { id, path, source }).into());
                }
            }
        }
        Ok(statistics)
    }

    async fn longest_wins_of(&self, context: &RequestContext, id: TableId) -> LongestWins {
        let Some(checksum) = self.monitor.content().header_checksum(id) else {
            // The table was removed meanwhile.
            return LongestWins::Pending(0.0);
        };
        // The rest of the answer needs time too.
        let deadline = context.deadline - Duration::from_millis(50).min(context.time / 4);
        self.longest_wins.find(self.prober(), id, checksum, deadline).await
    }
}

/// The longest name of a material that an error repeats, in characters.
const MOST_REPEATED: usize = 40;

/// The material of a name, if it may have tables.
pub(crate) fn parse_material(name: &str) -> Result<Material, Failure> {
    // An error repeats the name in headers, which are short. A longer name is refused.
    let name = match name.char_indices().nth(MOST_REPEATED) {
        None => name.to_owned(),
        Some((end, _)) => format!("{}...", &name[..end]),
    };
    let refused = |error: String| Refusal::misasked(Reason::BadMaterial, "material", error).into();
    match name.parse() {
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
        assert!(failure.refusal.error.len() < 500, "{}", failure.refusal.error);
        assert!(parse_material("KRvK").is_ok() && parse_material(&format!("KRvK{}x", " ".repeat(40))).is_err());
    }
}
