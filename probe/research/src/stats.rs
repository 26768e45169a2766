//! Statistics of a material: wins, draws and losses with the count and without, and the properties of the saves.
//!
//! Numbers are numbers of distinct legal positions on the full board: like men are interchangeable, no symmetry is
//! folded.
//!
//! - [`Totals`] are read from the tables' headers, and exact;
//! - [`LongestWins`] come from whole tables, and are exact;
//! - [`Survey`] scans the cells of both sides to move, in all slabs or in evenly spaced ones. It analyses saves and
//!   baring captures, all of them or those of sampled cells. Its numbers are exact if everything was scanned and
//!   sampled, otherwise they are of the sample; the sizes of the samples are part of the result.

mod counts;
mod longest;
mod row;
mod survey;
mod totals;

use makruk_probe::{Prober, ValueSource};
use makruk_rules::ByColor;
use makruk_tables::material::Material;

use crate::error::ResearchError;
use crate::progress::Progress;

pub use counts::{BaringCaptures, ByProperty, SaveCounts, SaveProperty};
pub use longest::{LongestWin, LongestWins};
pub use row::{Histogram, Share, StatsRow};
pub use survey::{Survey, SurveySettings, Zugzwangs};
pub(super) use totals::tablebase;
pub use totals::{AttackerTotals, Totals};

/// The statistics of a material.
#[derive(Clone, Debug, PartialEq)]
pub struct MaterialStats {
    /// From the headers.
    pub totals: Totals,
    /// The longest wins, by attacker; `None` if not asked for.
    pub longest: Option<ByColor<LongestWins>>,
    /// The survey; `None` if not asked for.
    pub survey: Option<Survey>,
}

/// The statistics that are asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct StatsSettings {
    /// Threads; all cores if `None`.
    pub threads: Option<usize>,
    /// Whether the longest wins are asked for.
    pub longest: bool,
    /// The survey; `None` scans nothing.
    pub survey: Option<SurveySettings>,
}

/// The statistics of a material. `None` if `progress` stopped it.
///
/// # Errors
///
/// If a table is missing or damaged, or the threads cannot be started.
pub fn stats<S: ValueSource + Sync>(
    prober: &Prober<S>,
    material: Material,
    settings: &StatsSettings,
    progress: &mut dyn Progress,
) -> Result<Option<MaterialStats>, ResearchError> {
    let totals = Totals::read(prober, material)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(settings.threads.unwrap_or(0)).build()?;
    let longest = if settings.longest { Some(pool.install(|| longest::find(prober, &totals))?) } else { None };
    let Some(survey) = &settings.survey else { return Ok(Some(MaterialStats { totals, longest, survey: None })) };
    let survey = survey::survey(prober, &totals, survey, &pool, progress)?;
    Ok(survey.map(|survey| MaterialStats { totals, longest, survey: Some(survey) }))
}
