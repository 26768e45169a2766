//! The planned memory of a build against the most memory that its process had.

#![cfg(target_os = "linux")]

use std::process::Command;

use makruk_format::TableFolder;
use makruk_generator::{Budget, Options, Silent, build};
use makruk_tables::material::Material;

/// The variables by which a test asks its child process for a build.
const MATERIAL: &str = "MAKRUK_TEST_MATERIAL";
const MEN_IN_MEMORY: &str = "MAKRUK_TEST_MEN_IN_MEMORY";
const LIMIT: &str = "MAKRUK_TEST_LIMIT";

const THREADS: usize = 2;

fn budget(men_in_memory: usize) -> Budget {
    Budget { men_in_memory, ..Budget::default() }
}

/// The most memory that this process has had, in bytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux has it");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the peak of resident memory");
    1024 * line.trim().trim_end_matches("kB").trim().parse::<u64>().expect("a number of KiB")
}

/// Builds a material from nothing and prints the peak: the work of the child process, and a small build otherwise.
#[test]
fn a_build_prints_its_peak() {
    let material: Material = std::env::var(MATERIAL).as_deref().unwrap_or("KRvK").parse().expect("a material");
    let men_in_memory = std::env::var(MEN_IN_MEMORY).map_or(5, |men| men.parse().expect("a number"));
    let place = tempfile::tempdir().expect("a temporary folder");
    let folder = TableFolder::create(place.path()).expect("a table folder");
    let memory = std::env::var(LIMIT).ok().map(|bytes| bytes.parse().expect("a number"));
    let options = Options { threads: Some(THREADS), memory, budget: budget(men_in_memory), ..Options::default() };
    let built = build(&folder, [material], &options, &Silent).expect("a build");
    assert!(built.last().is_some_and(|last| last.material == material));
    println!("peak {}", peak());
}

fn measured(material: &str, men_in_memory: usize, limit: Option<u64>) -> u64 {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command
        .args(["--exact", "memory::a_build_prints_its_peak", "--nocapture"])
        .env(MATERIAL, material)
        .env(MEN_IN_MEMORY, men_in_memory.to_string());
    if let Some(limit) = limit {
        command.env(LIMIT, limit.to_string());
    }
    let output = command.output().expect("a child process");
    let text = String::from_utf8_lossy(&output.stdout);
    let peak = text.split_whitespace().skip_while(|&word| word != "peak").nth(1);
    peak.and_then(|bytes| bytes.parse().ok()).unwrap_or_else(|| panic!("{output:?}"))
}

/// The memory that a plan may foresee beyond twice the peak: the program's own, which it foresees for many threads.
const SPARE: u64 = 32 << 20;

#[test]
fn the_plan_covers_the_peak_and_not_much_more() {
    compare(&[("KRRvK", 5)]);
}

#[test]
#[ignore = "builds four men twice: ten seconds"]
fn the_plan_of_larger_materials_covers_the_peak_and_not_much_more() {
    compare(&[("KRvKS", 5), ("KRvKS", 2)]);
}

#[test]
fn all_materials_of_six_men_can_be_built_in_two_gibibytes() {
    let too_large = |material: &Material| Budget::default().least_memory_bytes(*material, THREADS) > 2 << 30;
    let too_large: Vec<Material> = Material::all(6).into_iter().filter(too_large).collect();
    assert_eq!(too_large, []);
}

/// Materials of which most is decided, with either symmetry and with either side armed; and the paths of larger
/// materials.
fn compare(builds: &[(&str, usize)]) {
    for &(material, men_in_memory) in builds {
        let planned = budget(men_in_memory).memory_bytes(material.parse().expect("a material"), THREADS);
        let peak = measured(material, men_in_memory, None);
        println!("{material} with decisions of {men_in_memory} men in memory: planned {planned}, measured {peak}");
        assert!(peak <= planned, "{material}: planned {planned}, measured {peak}");
        assert!(planned <= 2 * peak + SPARE, "{material}: planned {planned}, measured {peak}");
    }
}

#[test]
#[ignore = "builds a material in little memory, twice: ten seconds"]
fn a_limit_holds() {
    let name = "KSMvK";
    let material: Material = name.parse().expect("a material");
    let budget = budget(2);
    let least = Material::with_descendants([material]).into_iter();
    let least = least.map(|material| budget.least_memory_bytes(material, THREADS)).max().expect("materials");
    let whole = budget.memory_bytes(material, THREADS);
    assert!(least < whole, "{name}: nothing is packed");
    // Every plane is packed that no pass needs; and those that have no room.
    for limit in [least, least.midpoint(whole)] {
        let peak = measured(name, 2, Some(limit));
        println!("{name}: limit {limit}, measured {peak}");
        assert!(peak <= limit, "{name}: limit {limit}, measured {peak}");
    }
}
