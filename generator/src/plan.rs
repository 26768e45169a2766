//! The cost of a build, known before it starts.

use std::collections::HashMap;
use std::sync::LazyLock;

use makruk_format::index::Layout;
use makruk_format::{TableFolder, TableId};
use makruk_rules::{ByColor, Color, Role};
use makruk_tables::material::Material;

use crate::error::BuildError;
use crate::manifest::Manifest;
use crate::memory_plan::MemoryPlan;
use crate::options::{Budget, Options, StoredSides, default_threads};
use crate::promotions::promoted;
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
    /// The most memory that building it takes within the limit of the options, in bytes. Without a limit, and below it
    /// where that is enough, sets of positions are in memory whole; see
    /// [`Budget::memory_bytes`](crate::Budget::memory_bytes).
    pub memory_bytes: u64,
    /// The least memory in which it can be built, in bytes: more time, and more disk for working files; see
    /// [`Budget::least_memory_bytes`](crate::Budget::least_memory_bytes).
    pub least_memory_bytes: u64,
    /// The length of its files in bytes: of those that exist or are listed, and an estimate for the others.
    pub disk_bytes: u64,
    /// The most disk that working files take while it is solved, in bytes: a high estimate. That of promotions, which a
    /// build of several materials keeps, is not among it.
    pub working_bytes: u64,
    /// The bytes of working files that are written and read in all: a high estimate.
    pub moved_bytes: u64,
    /// The processor time in seconds: an estimate; see [`build_nanoseconds`]. Materials that promotions lead to and
    /// that lack tables are built by the same build. If not, one with pawns takes up to 2.3 times as long.
    pub core_seconds: f64,
    /// The names of its files.
    pub files: Vec<String>,
    /// Whether all of them are in the folder.
    pub built: bool,
    /// Whether the program's own manifest has them; see [`Manifest::own`].
    pub listed: bool,
    /// Whether this version solves materials of this many men, and the limit has memory for this one; `makruk-gen plan`
    /// asks for all below it, too.
    pub buildable: bool,
}

/// The most bytes of decisions seen for each word of 64 positions.
const MOST_DECISION_BYTES: u64 = 240;

/// The least factor by which decisions and exit seeds are shorter in a working file.
const COMPRESSED: u64 = 3;

/// The passes over a material's positions for each man besides the kings and for each metric.
const PASSES_PER_MAN: u64 = 40;

/// The nanoseconds that a core takes for a cell of the solver under each metric, the time of training and writing the
/// tables included. All 142 materials of up to five men together take 1,199 seconds. Half of those that take more than
/// two seconds are estimated at 0.8 to 1.4 times their time. Nine of ten are at 0.5 to 2.4 times.
const CELL_NANOSECONDS: f64 = 13.4;

/// The same for each position of a material that promotions lead to, if its table is decoded. It is less if the same
/// build made that table, and kept what promotions lead to.
const DECODED_NANOSECONDS: f64 = 5.4;
const KEPT_NANOSECONDS: f64 = 0.7;

/// The most men of a material before the kernels wait for memory, and the factor by which it takes more time then. Of
/// six men, KMMMMvK, KNNvKNN, KMMMvKM, KNMvKMM, KNNMMvK, KRRNvKM, KRRvKRM and KRNMvKN together are estimated at 1.06
/// times their time, and each at 0.5 to 1.9 times. The last two were built when the machine was a fifth slower.
const MEN_IN_CACHES: usize = 5;
const BEYOND_CACHES: f64 = 1.75;

/// The bytes of tables for each position and metric below which less time is taken: most positions are drawn, and
/// the passes find few that are not. The time goes with the root of the bytes, down to a least factor.
const BYTES_OF_A_FULL_TABLE: f64 = 0.01;
const LEAST_FACTOR: f64 = 0.1;

/// The time that building a material takes on one core, in nanoseconds: an estimate, for the machine that
/// `benches/README.md` describes. The materials that promotions lead to are built before it, by the same build.
pub fn build_nanoseconds(material: Material) -> u64 {
    nanoseconds_in(&Geometry::within(material, &Budget::default()), |_| false)
}

/// The same, if some materials have tables already, so that nothing of them is kept.
fn nanoseconds_in(geometry: &Geometry, is_there: impl Fn(Material) -> bool) -> u64 {
    let material = geometry.layout().material();
    let metrics = material.distance_metrics();
    let of_metrics = |number: u64| (number * metrics.len() as u64) as f64;
    // Of a pawn's 64 squares the solver skips half: those on which neither a pawn stands nor its promotion ends.
    let pawns = material.pieces().filter(|piece| piece.role == Role::Pawn).count();
    let cells = of_metrics((2 * 64 * geometry.words() as u64) >> pawns);
    let beyond_caches = if material.men() <= MEN_IN_CACHES { 1.0 } else { BEYOND_CACHES };
    let positions = |layout: &Layout| of_metrics(layout.positions().iter().sum());
    let bytes = metrics.iter().map(|&metric| derived_length(TableId { material, metric })).sum::<Option<u64>>();
    let of_full = |bytes| (bytes as f64 / positions(geometry.layout()) / BYTES_OF_A_FULL_TABLE).sqrt();
    let of_promoted = |child| if is_there(child) { DECODED_NANOSECONDS } else { KEPT_NANOSECONDS };
    let promoted: f64 = promoted(material).map(|child| of_promoted(child) * positions(&Layout::new(child))).sum();
    let decided = bytes.map_or(1.0, of_full).clamp(LEAST_FACTOR, 1.0);
    (cells * CELL_NANOSECONDS * beyond_caches * decided + promoted) as u64
}

/// The passes over a material's positions under a metric.
fn passes(material: Material) -> u64 {
    PASSES_PER_MAN * (material.men() as u64 - 2)
}

/// The plans of the materials of one build, whose tables may be in a folder.
pub fn plans<'a>(
    materials: &'a [Material],
    folder: Option<&'a TableFolder>,
    options: &'a Options,
) -> impl Iterator<Item = MaterialPlan> + 'a {
    materials.iter().map(move |&material| plan(material, folder, options))
}

/// The plan of one material, whose tables may be in a folder.
pub fn plan(material: Material, folder: Option<&TableFolder>, options: &Options) -> MaterialPlan {
    let geometry = Geometry::within(material, &options.budget);
    let threads = options.threads.unwrap_or_else(default_threads) as u64;
    let positions = geometry.layout().positions().iter().sum::<u64>();
    let within = |limit| MemoryPlan::within(&geometry, &options.budget, threads, limit);
    let memory = within(options.memory);
    let tables: Vec<TableId> = material.tables().collect();
    let length = |id| std::fs::metadata(folder?.path_of(id)).ok().map(|file| file.len());
    let expected = |&id: &TableId| length(id).unwrap_or_else(|| expected_length(id));
    let is_there = |material: Material| material.tables().all(|id| length(id).is_some());
    // The bytes of exit seeds, and of the decisions under one metric, that go to working files.
    let spilled = |all: u64, in_memory| all.saturating_sub(in_memory) / COMPRESSED;
    let both = |of: ByColor<u64>| of.white + of.black;
    let exits = spilled(both(memory.exit_seeds), both(memory.seeds));
    let decisions = spilled(MOST_DECISION_BYTES * geometry.words() as u64, memory.decisions);
    MaterialPlan {
        men: material.men(),
        children: material.children().iter().map(Material::to_string).collect(),
        positions,
        memory_bytes: memory.total(threads),
        least_memory_bytes: within(Some(0)).total(threads),
        disk_bytes: tables.iter().map(expected).sum(),
        working_bytes: exits + memory.metrics * decisions + memory.planes_in_files(),
        // Each is written and read once under each metric, but the planes in every pass.
        moved_bytes: 2 * memory.metrics * (exits + decisions)
            + passes(material) * memory.metrics * memory.planes_in_files(),
        core_seconds: (nanoseconds_in(&geometry, is_there) / 1_000_000) as f64 / 1e3,
        files: tables.iter().map(TableId::to_string).collect(),
        built: is_there(material),
        listed: tables.iter().all(|id| LENGTHS.contains_key(id)),
        buildable: BuildError::check_men(material).is_ok()
            && options.memory.is_none_or(|limit| memory.total(threads) <= limit),
        material: material.to_string(),
    }
}

/// The lengths of the tables that the program knows, which are the same bytes everywhere.
static LENGTHS: LazyLock<HashMap<TableId, u64>> =
    LazyLock::new(|| Manifest::own().tables.into_iter().map(|table| (table.id, table.bytes)).collect());

/// The length of a table in bytes. If it is not listed, this is an estimate.
fn expected_length(id: TableId) -> u64 {
    LENGTHS.get(&id).copied().unwrap_or_else(|| derived_length(id).unwrap_or(0))
}

/// An estimate of a table's length in bytes: a stored side's position takes as many as on average in the tables that
/// captures and promotions lead to; `None` if there are none. Of 13 tables of six men, nine had 0.7 to 1.3 times its
/// bytes, and all together 0.90 times (distances) and 1.01 times (categories).
fn derived_length(id: TableId) -> Option<u64> {
    let children = id.material.children().into_iter().filter(|child| child.has_table(id.metric));
    let expected = children.map(|material| {
        let child = TableId { material, ..id };
        stored_positions(id) * u128::from(expected_length(child)) / stored_positions(child)
    });
    let expected: Vec<u128> = expected.collect();
    Some(expected.iter().sum::<u128>().checked_div(expected.len() as u128)? as u64)
}

/// The positions of the sides that a table has.
fn stored_positions(id: TableId) -> u128 {
    u128::from(Layout::new(id.material).positions()[Color::White]) * StoredSides::Usual.number(id) as u128
}
