//! The cost of a build, known before it starts.

use std::collections::HashMap;
use std::sync::LazyLock;

use makruk_format::index::Layout;
use makruk_format::{TableFolder, TableId};
use makruk_rules::{Color, Role};
use makruk_tables::material::Material;

use crate::error::BuildError;
use crate::manifest::Manifest;
use crate::memory_plan::MemoryPlan;
use crate::options::{Budget, Options, StoredSides, default_threads};
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
    /// The most disk that working files take while it is solved, in bytes: a high estimate.
    pub working_bytes: u64,
    /// The bytes of working files that are written and read in all: a high estimate.
    pub moved_bytes: u64,
    /// The work in position-passes; see [`work`].
    pub work: u64,
    /// The processor time in seconds: an estimate, for the cores that [`work`] has in mind.
    pub core_seconds: u64,
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

/// The most men of a material before the kernels wait for memory, which takes half as long again.
const MEN_IN_CACHES: usize = 5;

/// The position-passes that a core does in a second, the time of training and writing the tables included. All 142
/// materials of up to five men take 2,208 seconds. Of six men, KMMMvKM, KRNMvKR, KRMPvKR and KNMMvKS together take 1.00
/// times their estimates, and each 0.75 to 1.3 times. Of five men, those of which most is drawn take a fifth.
pub const PASSES_PER_SECOND: u64 = 5_500_000_000;

/// The cost of a word in a row of one word, relative to a word in a longer row, the write included. The two materials
/// that were measured, KMMMMMvK and KMMMMvKM, take about half of their estimates. It is more where fewer cells share a
/// position, because more are written.
const ONE_WORD_COST: u64 = 2;

/// The work of building a material in position-passes: the solver's cells times the passes over them. A core
/// does some 5.5 billion in a second, and writes the tables in this time.
pub fn work(material: Material) -> u64 {
    work_in(&Geometry::within(material, &Budget::default()))
}

fn work_in(geometry: &Geometry) -> u64 {
    let material = geometry.layout().material();
    let cost = if geometry.row_words() == 1 { ONE_WORD_COST } else { 1 };
    // Of a pawn's 64 squares the solver skips half: those on which neither a pawn stands nor its promotion ends.
    let bits =
        (cost * 2 * 64 * geometry.words() as u64) >> material.pieces().filter(|piece| piece.role == Role::Pawn).count();
    let work = bits * passes(material) * material.distance_metrics().len() as u64;
    if material.men() <= MEN_IN_CACHES { work } else { work + work / 2 }
}

/// The passes over a material's positions under a metric.
fn passes(material: Material) -> u64 {
    PASSES_PER_MAN * (material.men() as u64 - 2)
}

/// The bytes of working files that are written and read: exit seeds and decisions once each under every metric, and the
/// planes that wait in a file with every pass.
fn moved_bytes(geometry: &Geometry, memory: &MemoryPlan, spilled: u64) -> u64 {
    let material = geometry.layout().material();
    let metrics = material.distance_metrics().len() as u64;
    2 * spilled * metrics / memory.metrics + passes(material) * metrics * memory.planes_in_files()
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
    let decisions = memory.metrics * MOST_DECISION_BYTES * geometry.words() as u64;
    let exits = memory.exit_seeds.white + memory.exit_seeds.black;
    let in_memory = memory.metrics * memory.decisions + memory.seeds.white + memory.seeds.black;
    let spilled = (exits + decisions).saturating_sub(in_memory) / COMPRESSED;
    let work = work_in(&geometry);
    MaterialPlan {
        men: material.men(),
        children: material.children().iter().map(Material::to_string).collect(),
        positions,
        memory_bytes: memory.total(threads),
        least_memory_bytes: within(Some(0)).total(threads),
        disk_bytes: tables.iter().map(expected).sum(),
        working_bytes: spilled + memory.planes_in_files(),
        moved_bytes: moved_bytes(&geometry, &memory, spilled),
        work,
        core_seconds: (work + PASSES_PER_SECOND / 2) / PASSES_PER_SECOND,
        files: tables.iter().map(TableId::to_string).collect(),
        built: tables.iter().all(|&id| length(id).is_some()),
        listed: tables.iter().all(|id| LENGTHS.contains_key(id)),
        buildable: BuildError::check_men(material).is_ok()
            && options.memory.is_none_or(|limit| memory.total(threads) <= limit),
        material: material.to_string(),
    }
}

/// The lengths of the tables that the program knows, which are the same bytes everywhere.
static LENGTHS: LazyLock<HashMap<TableId, u64>> =
    LazyLock::new(|| Manifest::own().tables.into_iter().map(|table| (table.id, table.bytes)).collect());

/// The length of a table in bytes. If it is not listed, this is an estimate: a stored side's position takes as many
/// bytes as on average in the tables that captures and promotions lead to. Of 13 tables of six men, nine had 0.7 to 1.3
/// times its bytes, and all together 0.90 times (distances) and 1.01 times (categories).
fn expected_length(id: TableId) -> u64 {
    LENGTHS.get(&id).copied().unwrap_or_else(|| {
        let children = id.material.children().into_iter().filter(|child| child.has_table(id.metric));
        let expected = children.map(|material| {
            let child = TableId { material, ..id };
            stored_positions(id) * u128::from(expected_length(child)) / stored_positions(child)
        });
        let expected: Vec<u128> = expected.collect();
        (expected.iter().sum::<u128>() / expected.len().max(1) as u128) as u64
    })
}

/// The positions of the sides that a table has.
fn stored_positions(id: TableId) -> u128 {
    u128::from(Layout::new(id.material).positions()[Color::White]) * StoredSides::Usual.number(id) as u128
}
