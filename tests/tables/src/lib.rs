//! Tables for tests, built once for all test binaries by the generator's current code.
//!
//! Each kind of tables has a folder, under the target directory, that tests share: one at a time builds what is
//! missing. The folders are named by a fingerprint of the sources that make tables, so that tables of other code are
//! never taken for this code's. A test that asks what is in a folder takes one with [some materials alone](alone), a
//! test that changes it [its own](own).
//!
//! A function panics if a table cannot be built.
//!
//! [`random_position`] draws positions of all kinds. [`mod@reference`] is a slow solver that knows the rules alone,
//! with which the tables are compared. [`mod@host`] serves files as mirrors do, and worse.
#![allow(clippy::missing_panics_doc)] // see above

pub mod host;
mod random;
pub mod reference;

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use makruk_format::TableFolder;
use makruk_generator::{Options, Silent, StoredSides, build};
use makruk_rules::Color;
use makruk_tables::material::Material;
use tempfile::TempDir;

pub use random::{RandomPositions, random_position, random_position_of};

/// Materials of which the tables of [`one_sided`] omit White; of the others they omit Black.
pub const WITHOUT_WHITE: [&str; 4] = ["KNvKS", "KSvKP", "KNPvK", "KPPvK"];

/// Materials of four men for tests that go through several: every kind of man, like men, both sides armed, one that
/// equals its colour-flipped form, pawns. Together they are built in few seconds; khons and rooks with pawns take most
/// of them.
pub const FEW: [&str; 10] = ["KRvKS", "KRvKR", "KRvKN", "KRvKM", "KRPvK", "KRRvK", "KRMvK", "KNMvK", "KSvKM", "KPvKP"];

/// The end of the names of all folders of this code.
static FOLDER_NAME: LazyLock<String> = LazyLock::new(|| format!("test-tables-{:016x}", fingerprint()));

/// A folder of this age belongs to no running test.
const LEFT_BEHIND: Duration = Duration::from_secs(600);

/// The materials of these names.
#[must_use]
pub fn materials(names: &[&str]) -> Vec<Material> {
    names.iter().map(|name| name.parse().expect("a material")).collect()
}

/// A folder with the tables of these materials and of all that captures and promotions lead to from them.
#[must_use]
pub fn usual(materials: impl IntoIterator<Item = Material>) -> TableFolder {
    shared(|folders| build_into(&folders.usual, materials, StoredSides::Usual)).usual
}

/// A folder with the [usual] tables of all materials of up to four men: half a minute of processor time if they are
/// built first.
#[must_use]
pub fn small() -> TableFolder {
    usual((3..=4).flat_map(Material::all))
}

/// As [`usual`], in a folder of tables that omit a side to move wherever they can.
#[must_use]
pub fn one_sided(materials: impl IntoIterator<Item = Material>) -> TableFolder {
    let without_white = self::materials(&WITHOUT_WHITE);
    let build = |folders: &Folders| {
        for material in Material::with_descendants(materials) {
            let one = if without_white.contains(&material) { Color::Black } else { Color::White };
            build_into(&folders.one_sided, [material], StoredSides::One(one));
        }
    };
    shared(build).one_sided
}

/// A folder that tests share, with links to the tables of these materials and their descendants, and no others.
#[must_use]
pub fn alone(materials: impl IntoIterator<Item = Material>) -> PathBuf {
    let materials = Material::with_descendants(materials);
    let folder = usual(materials.iter().copied());
    let mut hasher = DefaultHasher::new();
    (folder.path(), &materials).hash(&mut hasher);
    let path = target_folder().join(format!("alone-{:016x}-{}", hasher.finish(), *FOLDER_NAME));
    shared(|_| {
        fs::create_dir_all(&path).expect("a folder");
        link(&folder, materials, &path);
    });
    path
}

/// A folder of a test's own with copies of the tables of these materials and their descendants, and no others.
#[must_use]
pub fn own(folder: &TableFolder, materials: impl IntoIterator<Item = Material>) -> TempDir {
    let own = tempfile::tempdir().expect("a folder");
    let materials = Material::with_descendants(materials);
    for name in tables_of(folder, &materials) {
        fs::copy(folder.path().join(&name), own.path().join(name)).expect("a copy");
    }
    own
}

/// Adds links to the tables of these materials alone.
pub fn link(folder: &TableFolder, materials: impl IntoIterator<Item = Material>, to: &Path) {
    let materials: Vec<Material> = materials.into_iter().collect();
    for name in tables_of(folder, &materials) {
        let link = to.join(&name);
        if !link.exists() {
            fs::hard_link(folder.path().join(name), link).expect("a link");
        }
    }
}

/// The files of these materials' tables.
fn tables_of(folder: &TableFolder, materials: &[Material]) -> Vec<String> {
    let tables = folder.list().expect("the tables").into_iter();
    tables.filter(|table| materials.contains(&table.material)).map(|table| table.to_string()).collect()
}

/// The folder of this profile under cargo's target folder.
#[must_use]
pub fn target_folder() -> PathBuf {
    let binary = std::env::current_exe().expect("the test's own path");
    binary.ancestors().nth(2).expect("tests lie in target/PROFILE/deps").to_owned()
}

fn build_into(folder: &TableFolder, materials: impl IntoIterator<Item = Material>, stored: StoredSides) {
    build(folder, materials, &Options { stored, ..Options::default() }, &Silent).expect("the tables are built");
}

/// The folders that test binaries share.
struct Folders {
    /// With the usual sides to move.
    usual: TableFolder,
    /// Each with one side to move.
    one_sided: TableFolder,
}

/// The shared folders after a change, which one test at a time makes.
fn shared(change: impl FnOnce(&Folders)) -> Folders {
    let parent = target_folder();
    let lock = File::create(parent.join("test-tables.lock")).expect("a lock file");
    lock.lock().expect("the lock");
    for entry in fs::read_dir(&parent).expect("the target folder").flatten() {
        let other = entry.file_name();
        let other = other.to_string_lossy();
        if other.contains("test-tables-") && !other.ends_with(FOLDER_NAME.as_str()) && is_left_behind(&entry.path()) {
            fs::remove_dir_all(entry.path()).expect("tables of other code are removed");
        }
    }
    let [usual, one_sided] = ["", "one-sided-"]
        .map(|kind| TableFolder::create(parent.join(format!("{kind}{}", *FOLDER_NAME))).expect("a table folder"));
    let folders = Folders { usual, one_sided };
    change(&folders);
    folders
}

fn is_left_behind(folder: &Path) -> bool {
    let modified = folder.metadata().and_then(|metadata| metadata.modified());
    modified.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > LEFT_BEHIND))
}

/// A number that changes with every source of the crates that make tables, and with every version of their
/// dependencies.
fn fingerprint() -> u64 {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the workspace");
    let mut files = vec![root.join("Cargo.lock")];
    let mut folders = ["tables/rules/src", "tables/format/src", "tables/src", "generator/src"]
        .map(|folder| root.join(folder))
        .to_vec();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the sources").flatten() {
            let path = entry.path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in files {
        let source = fs::read(&file).expect("a source");
        (file, source).hash(&mut hasher);
    }
    hasher.finish()
}
