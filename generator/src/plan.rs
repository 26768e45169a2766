//! The cost of a build, known before it starts.

use makruk_tables::format::TableFolder;
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, Role};
use makruk_tables::value::Metric;

use crate::memory_plan::MemoryPlan;
use crate::options::{Options, default_threads};
use crate::solve::geometry::Geometry;

/// The cost of one material. The names of the fields are those of `plan --json`.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct MaterialPlan {
    /// The canonical name.
    pub material: String,
    /// The number of men, kings included.
    pub men: usize,
    /// The materials that captures lead to.
    pub children: Vec<String>,
    /// The number of positions in the index, both sides to move.
    pub positions: u64,
    /// The most memory that building it takes, in bytes; see [`Budget::memory_bytes`](crate::Budget::memory_bytes).
    pub memory_bytes: u64,
    /// The length of its files in bytes: of those that exist, and an estimate for the others.
    pub disk_bytes: u64,
    /// The most disk that working files take while it is solved, in bytes: a high estimate.
    pub working_bytes: u64,
    /// The work in position-passes; see [`work`].
    pub work: u64,
    /// The names of its files.
    pub files: Vec<String>,
    /// Are all of them in the folder?
    pub built: bool,
    /// Does this version solve so many men, and is there memory for this material and all below it?
    pub buildable: bool,
}

/// The most bytes of decisions seen for each word of 64 positions.
const MOST_DECISION_BYTES: u64 = 240;

/// The least factor by which decisions and capture seeds are shorter in a working file.
const PACKED: u64 = 3;

/// The passes over a material's positions for each man besides the kings and for each metric.
const PASSES_PER_MAN: u64 = 40;

/// The work of building a material in position-passes: positions as the solver holds them, like men told apart, times the
/// passes over them. A core does some 8 billion in a second.
pub fn work(material: Material) -> u64 {
    work_in(&Geometry::new(material))
}

fn work_in(geometry: &Geometry) -> u64 {
    let material = geometry.layout().material();
    let bits = 2 * 64 * geometry.words() as u64;
    bits * PASSES_PER_MAN * (material.men() as u64 - 2) * material.distance_metrics().len() as u64
}

/// The plan of one material, whose tables may be in a folder.
pub fn plan(material: Material, folder: Option<&TableFolder>, options: &Options) -> MaterialPlan {
    let geometry = Geometry::new(material);
    let threads = options.threads.unwrap_or_else(default_threads) as u64;
    let positions = geometry.layout().positions().iter().sum::<u64>();
    let memory = MemoryPlan::of(&geometry, &options.budget);
    let metrics: Vec<Metric> = options.metrics(material).collect();
    let name = material.to_string();
    let length = |metric| std::fs::metadata(folder?.path_of(&name, metric)).ok().map(|file| file.len());
    let lengths: Vec<Option<u64>> = metrics.iter().map(|&metric| length(metric)).collect();
    let expected = |(&metric, length): (&Metric, &Option<u64>)| length.unwrap_or(estimate(material, metric, positions));
    let decisions = memory.metrics * MOST_DECISION_BYTES * geometry.words() as u64;
    let unpacked = memory.seeds.white + memory.seeds.black + decisions;
    MaterialPlan {
        men: material.men(),
        children: material.children().iter().map(Material::to_string).collect(),
        positions,
        memory_bytes: memory.total(threads),
        disk_bytes: metrics.iter().zip(&lengths).map(expected).sum(),
        working_bytes: unpacked.saturating_sub(memory.metrics * memory.decisions) / PACKED,
        work: work_in(&geometry),
        files: metrics.iter().map(|metric| format!("{name}.{metric}")).collect(),
        built: lengths.iter().all(Option::is_some),
        buildable: crate::check_men(material).is_ok(),
        material: name,
    }
}

/// An estimate of the length of a table, in bytes.
///
/// Lengths differ much: a table of draws takes next to nothing. The worth of a side's men says roughly whether it can win at
/// all: a khon and a met, or three mets, mate a bare king. For the others the figures below fit samples of the 35 largest
/// tables of five men on the whole, and single tables within a factor of three.
fn estimate(material: Material, metric: Metric, positions: u64) -> u64 {
    let worth = |color| -> u32 {
        let men = material.side(color);
        men.roles().map(|role| men.count(role) * worth_of(role)).sum()
    };
    let per_thousand = match (worth(Color::White).max(worth(Color::Black)) >= MATING_WORTH, material.is_armed(), metric)
    {
        (false, _, _) => 3,
        (true, _, Metric::Wdl) => 20,
        (true, _, Metric::Search) => 30,
        (true, false, _) => 130,
        (true, true, Metric::Dtm) => 95,
        (true, true, _) => 65,
    };
    positions * per_thousand / 1000
}

/// The worth of men that mate a bare king.
const MATING_WORTH: u32 = 9;

/// The worth of a man for mating, a met's being 3.
fn worth_of(role: Role) -> u32 {
    match role {
        Role::Rook => 10,
        Role::Khon => 6,
        Role::Knight => 4,
        Role::Met => 3,
        Role::King | Role::Pawn => 0,
    }
}
