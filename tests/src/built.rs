//! The tables that tests read, built by the generator's current code.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use makruk_generator::{Options, Silent, build, stored_tables};
use makruk_tables::format::{Codecs, Sample, Spec, Storage, TableFolder, TableWriter, Trainer};
use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::{ByColor, Color, CountingRules, Position};
use makruk_tables::tablebase::TableId;
use makruk_tables::value::{Metric, Value};

/// A folder with the tables of these materials and of all that captures lead to from them.
///
/// Test binaries share it, under the target directory, one at a time building what is missing. It is named by a
/// fingerprint of the sources that make tables, so that tables of other code are never taken for this code's.
///
/// # Panics
///
/// If a table cannot be built.
pub fn tables(materials: impl IntoIterator<Item = Material>) -> TableFolder {
    shared_folders(|folder, _| build_into(folder, materials, false)).0
}

/// As [`tables`], in another folder that has search tables, too.
///
/// # Panics
///
/// If a table cannot be built.
pub fn search_tables(materials: impl IntoIterator<Item = Material>) -> TableFolder {
    let materials = Material::with_descendants(materials);
    let (_, folder) = shared_folders(|folder, other| {
        build_into(folder, materials.iter().copied(), false);
        for entry in fs::read_dir(folder.path()).expect("the table folder").flatten() {
            let link = other.path().join(entry.file_name());
            if !link.exists() {
                fs::hard_link(entry.path(), link).expect("a link");
            }
        }
        build_into(other, materials.iter().copied(), true);
    });
    folder
}

fn build_into(folder: &TableFolder, materials: impl IntoIterator<Item = Material>, search: bool) {
    build(folder, materials, &Options { search, ..Options::default() }, &Silent).expect("the tables are built");
}

/// The folders that test binaries share, without and with search tables; one test at a time changes them.
fn shared_folders(change: impl FnOnce(&TableFolder, &TableFolder)) -> (TableFolder, TableFolder) {
    let parent = target_folder();
    let fingerprint = fingerprint();
    let names = ["test-tables", "search-test-tables"].map(|kind| format!("{kind}-{fingerprint:016x}"));
    let lock = fs::File::create(parent.join("test-tables.lock")).expect("a lock file");
    lock.lock().expect("the lock");
    for entry in fs::read_dir(&parent).expect("the target folder").flatten() {
        let other = entry.file_name();
        let other = other.to_string_lossy();
        if other.contains("test-tables-") && !names.iter().any(|name| *name == other) {
            fs::remove_dir_all(entry.path()).expect("tables of other code are removed");
        }
    }
    let [folder, other] = names.map(|name| TableFolder::create(parent.join(name)).expect("a table folder"));
    change(&folder, &other);
    (folder, other)
}

/// A folder with the tables of all materials of up to four men.
///
/// # Panics
///
/// If a table cannot be built.
pub fn small_tables() -> TableFolder {
    tables((3..=4).flat_map(Material::all))
}

/// Writes a table of these values, by number; it refers to no other.
///
/// # Panics
///
/// If a value is not in its list, or the file cannot be written.
pub fn write(folder: &TableFolder, layout: &Layout, spec: Spec, values: &ByColor<Vec<Value>>) {
    let slab_len = layout.slab_len() as usize;
    let sample = |side: Color, slab: usize| {
        let code = |&value: &Value| spec.values[side].code(value).expect("a listed value");
        let codes = values[side][slab * slab_len..][..slab_len].iter().map(code).collect();
        Sample { slab, codes, reference: None }
    };
    let mut codecs = Codecs::default();
    for side in Color::ALL.into_iter().filter(|&side| spec.storage(side) == Storage::Blocks) {
        let samples: Vec<Sample> = (0..layout.slabs()).step_by(3).map(|slab| sample(side, slab)).collect();
        codecs.sides[side] = Some(Trainer::new(layout, side, spec.values[side].len()).train(&samples, None));
    }
    let mut writer = TableWriter::create(folder.path(), spec.clone(), codecs.clone()).expect("a writer");
    for side in Color::ALL {
        if let Some(codec) = &codecs.sides[side] {
            for slab in 0..layout.slabs() {
                writer.push(side, &codec.encode_slab(slab, &sample(side, slab).codes, None)).expect("the next slab");
            }
        }
    }
    writer.finish().expect("the table");
}

/// All values of one table, decoded.
pub struct Decoded {
    layout: Layout,
    values: ByColor<Vec<Value>>,
}

impl Decoded {
    /// Reads a whole table.
    ///
    /// # Panics
    ///
    /// If it is not there or damaged.
    pub fn read(folder: &TableFolder, material: Material, metric: Metric) -> Decoded {
        let layout = Layout::new(material);
        let tables = stored_tables(folder, &CountingRules::MAKRUK);
        let values = ByColor::from_fn(|side| {
            let reader = tables.side(TableId { material, metric }, side).expect("a table");
            let (mut codes, mut values) = (Vec::new(), Vec::new());
            for slab in 0..layout.slabs() {
                reader.slab(slab, &mut codes).expect("sound blocks");
                values.extend(codes.iter().map(|&code| reader.values()[usize::from(code)]));
            }
            values
        });
        Decoded { layout, values }
    }

    /// The value of a legal position of the material.
    ///
    /// # Panics
    ///
    /// If the position is of another material.
    pub fn value(&self, position: &Position) -> Value {
        let (side, number) = self.layout.number(position).expect("a position of the material");
        self.values[side][number as usize]
    }

    /// All values with this side to move, by number.
    pub fn side(&self, side: Color) -> &[Value] {
        &self.values[side]
    }

    /// The material's layout.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }
}

/// The folder of this profile under cargo's target folder.
pub(crate) fn target_folder() -> PathBuf {
    let binary = std::env::current_exe().expect("the test's own path");
    binary.ancestors().nth(2).expect("tests lie in target/PROFILE/deps").to_owned()
}

/// A number that changes with every source of the crates that make tables, and with every version of their dependencies.
fn fingerprint() -> u64 {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let mut files = vec![root.join("Cargo.lock")];
    let mut folders = vec![root.join("tables/src"), root.join("generator/src")];
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
