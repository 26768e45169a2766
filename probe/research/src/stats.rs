//! What a set comes to: won, drawn and lost with the count and without, and what the saves are like.
//!
//! Numbers are of distinct legal positions on the full board, like men not told apart, no symmetry folded. Each says where
//! it is from:
//!
//! - [`Totals`] are read off the tables' headers, and exact;
//! - [`Longest`] are positions found by going through whole tables, and exact, too;
//! - [`Survey`] goes through the cells of both sides to move, of all slabs or of evenly spaced ones, and looks closely at
//!   saves and baring captures, at all of them or, evenly spaced, at every so manieth cell. What it says is exact if it
//!   went through all, else an estimate, and it says from how many.

mod longest;
mod look;
mod row;
mod survey;
mod totals;

use makruk_tables::material::Material;
use makruk_tables::rules::ByColor;
use makruk_tables::tablebase::{TableError, TableId, Tablebase};
use makruk_tables::value::Metric;

use super::{Progress, SlabSource};
use makruk_probe::{ProbeError, Prober};

pub use longest::{Longest, Place};
pub(super) use look::{AtHand, Family};
pub use look::{Saves, Trades};
pub use row::{Field, Row, csv_header, rows};
pub use survey::{Step, Survey, SurveySettings, Zugzwangs};
pub use totals::{Attacker, Totals};

/// All that is known of a set.
#[derive(Clone, Debug, PartialEq)]
pub struct SetStats {
    /// From the headers.
    pub totals: Totals,
    /// The longest wins, by attacker; `None` if they were not asked for.
    pub longest: Option<ByColor<Longest>>,
    /// What a scan has found; `None` if it was not asked for.
    pub survey: Option<Survey>,
}

/// What is asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct StatsSettings {
    /// Threads; all cores if `None`.
    pub threads: Option<usize>,
    /// Whether to look for the longest wins.
    pub longest: bool,
    /// The scan's; `None` scans nothing.
    pub survey: Option<SurveySettings>,
}

/// The statistics of a set. `None` if it was stopped.
///
/// # Errors
///
/// If a table is missing or damaged, or there are no threads to be had.
pub fn stats<S, E>(
    prober: &Prober<S>,
    set: Material,
    settings: &StatsSettings,
    progress: &mut dyn Progress,
) -> Result<Option<SetStats>, E>
where
    S: SlabSource + Sync,
    E: From<ProbeError> + From<rayon::ThreadPoolBuildError>,
{
    let totals = Totals::read(prober, set)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(settings.threads.unwrap_or(0)).build()?;
    let longest = if settings.longest { Some(pool.install(|| longest::find(prober, &totals))?) } else { None };
    let Some(survey) = &settings.survey else { return Ok(Some(SetStats { totals, longest, survey: None })) };
    let survey = survey::survey(prober, &totals, survey, &pool, progress)?;
    Ok(survey.map(|survey| SetStats { totals, longest, survey: Some(survey) }))
}

/// The tablebase of a prober that has whole slabs.
pub(super) fn tablebase<S: SlabSource>(prober: &Prober<S>, material: Material) -> Result<&Tablebase, ProbeError> {
    prober.source().tablebase().ok_or_else(|| {
        let id = TableId { material, metric: Metric::Dtm };
        TableError::Missing { id, path: id.to_string().into(), source: None }.into()
    })
}
