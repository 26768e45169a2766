//! The committed list of tables: complete, and what a build makes.

use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::process::Command;
use std::sync::LazyLock;

use makruk_format::TableFolder;
use makruk_generator::{Manifest, Options, Silent, build, plan};
use makruk_tables::material::Material;
use makruk_tables::value::Metric;
use makruk_tables::{MANIFEST, MANIFEST_SIX};
use test_tables::FEW;

const README: &str = include_str!("../../../README.md");
const DATASET: &str = include_str!("../../../tables/DATASET.md");
const BENCHES: &str = include_str!("../../../benches/README.md");

/// The most processor time, by the plan, of the materials of five men that a run of the tests builds.
const MOST_CORE_SECONDS: f64 = 95.0;

/// The most of them.
const MOST_PICKED: usize = 3;

/// All materials of three to five men, children first.
fn listed_materials() -> impl Iterator<Item = Material> {
    Material::with_descendants((3..=5).flat_map(Material::all)).into_iter()
}

#[test]
fn all_tables_of_the_listed_materials_are_there() {
    let manifest = Manifest::parse(MANIFEST).expect("a manifest");
    let listed: Vec<_> = manifest.tables.iter().map(|line| line.id).collect();
    let expected: Vec<_> = listed_materials().flat_map(Material::tables).collect();
    assert_eq!(listed, expected);
}

#[test]
fn the_list_of_six_men_has_whole_materials_in_their_order() {
    let listed: Vec<_> = Manifest::parse(MANIFEST_SIX).expect("a manifest").tables.iter().map(|line| line.id).collect();
    let of_these = |material: &Material| listed.iter().any(|id| id.material == *material);
    let materials = Material::with_descendants(Material::all(6)).into_iter().filter(of_these);
    let expected: Vec<_> = materials.flat_map(Material::tables).collect();
    assert_eq!(listed, expected);
    assert!(listed.iter().all(|id| id.material.men() == 6), "{listed:?}");
    assert_eq!(
        Manifest::own().tables.len(),
        Manifest::parse(MANIFEST).expect("a manifest").tables.len() + listed.len()
    );
}

#[test]
fn the_readme_has_the_numbers_of_the_list() {
    let manifest = Manifest::parse(MANIFEST).expect("a manifest");
    for (men, most) in [("3 and 4", 4), ("up to 5", 5)] {
        let of_these = || manifest.tables.iter().filter(|line| line.id.material.men() <= most);
        let materials: BTreeSet<Material> = of_these().map(|line| line.id.material).collect();
        let row = format!("| {men} | {} | {} | ", materials.len(), size(most));
        let time = README.split_once(&row).and_then(|(_, rest)| rest.split_once(" |"));
        let (time, _) = time.unwrap_or_else(|| panic!("README.md lacks the row {row}"));
        // The time is that of the data set's description.
        let line = DATASET.lines().find(|line| line.starts_with(&format!("| {men} | {} |", materials.len())));
        assert!(line.is_some_and(|line| line.contains(time)), "{time}: {line:?}");
    }
    // The tables of the first command, and the toolchain.
    let first = Material::with_descendants(["KRRvKR".parse().expect("a material")]);
    let bytes: u64 =
        manifest.tables.iter().filter(|line| first.contains(&line.id.material)).map(|line| line.bytes).sum();
    let size = format!("(about {} MB, ", (bytes as f64 / 1e7).round() * 10.0);
    assert!(README.contains(&size), "README.md lacks {size}");
    let rust = include_str!("../../../Cargo.toml").lines().find_map(|line| line.strip_prefix("rust-version = "));
    let rust = format!("a Rust toolchain ({} or later)", rust.expect("the workspace's").trim_matches('"'));
    assert!(README.contains(&rust), "README.md lacks {rust}");
}

/// The size of the tables of up to `most` men, as documents have it.
fn size(most: usize) -> String {
    let manifest = Manifest::parse(MANIFEST).expect("a manifest");
    let of_these = manifest.tables.iter().filter(|line| line.id.material.men() <= most);
    let megabytes = of_these.map(|line| line.bytes).sum::<u64>() as f64 / 1e6;
    if megabytes < 1000.0 { format!("{megabytes:.0} MB") } else { format!("{:.1} GB", megabytes / 1000.0) }
}

#[test]
fn the_benchmarks_have_the_sizes_of_the_list() {
    let manifest = Manifest::parse(MANIFEST).expect("a manifest");
    type Row = (&'static str, fn(Material) -> bool);
    let rows: [Row; 4] = [
        ("24 materials without pawns of three and four men", |material| material.men() < 5 && !material.has_pawns()),
        ("35 materials of three and four men", |material| material.men() < 5),
        ("81 materials without pawns of up to five", |material| !material.has_pawns()),
        ("61 materials with pawns of up to five", |material| material.has_pawns()),
    ];
    for (name, belongs) in rows {
        let bytes = Metric::ALL.map(|metric| {
            let lines = manifest.tables.iter();
            let of_these = lines.filter(|line| line.id.metric == metric && belongs(line.id.material));
            grouped(of_these.map(|line| line.bytes).sum())
        });
        let row = format!("| {name} | {} |", bytes.join(" | "));
        assert!(BENCHES.contains(&row), "benches/README.md lacks {row}");
    }
}

/// A number with a comma before every three digits.
fn grouped(number: u64) -> String {
    if number < 1000 { number.to_string() } else { format!("{},{:03}", grouped(number / 1000), number % 1000) }
}

#[test]
fn documents_and_plan_agree_on_the_time_of_the_whole_build() {
    let row = BENCHES.lines().find(|line| line.starts_with("| all 142 of up to five men")).expect("a row");
    let numbers: Vec<f64> = row.replace(',', "").split(' ').filter_map(|word| word.parse().ok()).collect();
    let [_, core_seconds, minutes, seconds, gigabytes, bytes] = numbers[..] else { panic!("{row}: {numbers:?}") };
    let planned: f64 = listed_materials().map(|material| plan(material, None, &Options::default()).core_seconds).sum();
    assert!((planned / core_seconds - 1.0).abs() < 0.02, "planned {planned} s, measured {core_seconds} s");
    let minutes = (minutes + seconds / 60.0).round();
    assert!(README.contains(&format!(" | {minutes} min |\n")), "README.md lacks {minutes} min");
    let needs = format!("{minutes} minutes on two cores, {gigabytes} GB of memory");
    assert!(DATASET.contains(&needs), "DATASET.md lacks {needs}");
    let manifest = Manifest::parse(MANIFEST).expect("a manifest");
    let distances = manifest.tables.iter().filter(|line| line.id.metric.is_distance());
    assert_eq!(distances.map(|line| line.bytes).sum::<u64>(), bytes as u64);
}

#[test]
fn documents_agree_on_the_size_of_the_tables() {
    for (text, men) in [
        (DATASET, &[5][..]),
        (include_str!("../../../tables/FINDINGS.md"), &[5]),
        (include_str!("../../../RELEASING.md"), &[4]),
        (include_str!("../../../probe/python/README.md"), &[4]),
        (include_str!("../../../probe/service/OPERATING.md"), &[4, 5]),
        (include_str!("../../../probe/wasm/README.md"), &[4, 5]),
        (include_str!("../../../probe/wasm/npm/README.md"), &[4]),
        (include_str!("../../../probe/web/README.th.md"), &[5]),
    ] {
        for &men in men {
            let title = text.lines().next().unwrap_or_default();
            assert!(text.contains(&size(men)), "{title}: {} is missing", size(men));
        }
    }
}

#[test]
fn tables_are_those_that_are_listed() {
    // Other tests build these, too.
    compare_usual(
        test_tables::materials(&FEW).into_iter().chain(test_tables::materials(&["KRNvK"])).chain(Material::all(3)),
    );
}

#[test]
#[ignore = "builds all tables of three and four men: half a minute"]
fn small_tables_are_those_that_are_listed() {
    compare_usual((3..=4).flat_map(Material::all));
}

#[test]
#[ignore = "builds some tables of five men: a minute"]
fn some_tables_of_five_men_are_those_that_are_listed() {
    let commit = commit();
    let picked = picked(&commit);
    let names: Vec<String> = picked.iter().map(Material::to_string).collect();
    println!("built and compared at commit {commit}: {}", names.join(" "));
    // In a folder of their own: other tests ask for tables of five men that are missing.
    let own = tempfile::tempdir_in(test_tables::target_folder()).expect("a folder");
    test_tables::link(&test_tables::small(), (3..=4).flat_map(Material::all), own.path());
    let folder = TableFolder::create(own.path()).expect("a table folder");
    let materials = Material::with_descendants(picked);
    build(&folder, materials.clone(), &Options::default(), &Silent).expect("the tables are built");
    compare(&folder, &materials);
}

/// The commit of the sources, or the text of MAKRUK_COMMIT.
fn commit() -> String {
    std::env::var("MAKRUK_COMMIT").unwrap_or_else(|_| {
        let output = Command::new("git").args(["rev-parse", "HEAD"]).output().expect("git, or MAKRUK_COMMIT");
        assert!(output.status.success(), "git knows no commit here: set MAKRUK_COMMIT");
        String::from_utf8(output.stdout).expect("a hash").trim().to_owned()
    })
}

/// Some materials of five men, others for each commit. Of an order that the commit gives, as many as the time allows.
fn picked(commit: &str) -> Vec<Material> {
    let hash = |material: &Material| {
        let mut hasher = DefaultHasher::new();
        (commit, material.to_string()).hash(&mut hasher);
        hasher.finish()
    };
    let mut order = Material::all(5);
    order.sort_by_key(hash);
    let mut picked = Vec::new();
    for material in order {
        picked.push(material);
        if core_seconds(&picked) > MOST_CORE_SECONDS {
            picked.pop();
        }
        if picked.len() == MOST_PICKED {
            break;
        }
    }
    picked
}

/// The processor time of building these materials and the others of five men that captures and promotions lead to.
fn core_seconds(materials: &[Material]) -> f64 {
    static OF_EACH: LazyLock<HashMap<Material, f64>> = LazyLock::new(|| {
        let five = Material::all(5);
        let core_seconds = |&material: &Material| plan(material, None, &Options::default()).core_seconds;
        five.iter().map(|material| (*material, core_seconds(material))).collect()
    });
    Material::with_descendants(materials.iter().copied()).iter().filter_map(|material| OF_EACH.get(material)).sum()
}

#[test]
fn each_material_of_five_men_may_be_picked() {
    for material in Material::all(5) {
        let core_seconds = core_seconds(&[material]);
        assert!(core_seconds <= MOST_CORE_SECONDS, "{material}: {core_seconds} s");
    }
    let commits: BTreeSet<Vec<Material>> = (0..8).map(|commit| picked(&commit.to_string())).collect();
    assert!(commits.len() > 4 && commits.iter().all(|picked| !picked.is_empty()), "{}", commits.len());
}

/// Compares the tables that tests share.
fn compare_usual(materials: impl Iterator<Item = Material>) {
    let materials = Material::with_descendants(materials);
    compare(&test_tables::usual(materials.clone()), &materials);
}

/// The same material gives the same bytes everywhere.
fn compare(folder: &TableFolder, materials: &[Material]) {
    let mut manifest = Manifest::parse(MANIFEST).expect("a manifest");
    manifest.tables.retain(|line| materials.contains(&line.id.material));
    assert!(manifest.tables.len() > 2 * materials.len(), "{}", manifest.tables.len());
    assert_eq!(manifest.differences(folder), Vec::<String>::new());
}
