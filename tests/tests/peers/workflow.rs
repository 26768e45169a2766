//! The Snakemake workflow: from nothing, nothing twice, one table lost, a job that was killed. The rehearsal on a
//! cluster kills Snakemake itself.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::SystemTime;

use makruk_tables::material::Material;
use makruk_tests::programs::{GENERATOR, program, run};

const WORKFLOW: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../generator/workflow");

/// Snakemake in a folder of its own, which also gets the tables, of up to `men` men.
fn snakemake(folder: &Path, men: usize, arguments: &[&str]) -> Command {
    let name = std::env::var_os("MAKRUK_SNAKEMAKE").unwrap_or_else(|| "snakemake".into());
    let found = Command::new(&name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert!(
        found.as_ref().is_ok_and(|status| status.success()),
        "{} does not run ({found:?}): set MAKRUK_SNAKEMAKE to the snakemake of an environment with \
         generator/workflow/requirements.txt",
        name.display()
    );
    let mut command = Command::new(name);
    command
        .args(["--snakefile", &format!("{WORKFLOW}/Snakefile")])
        .args(["--workflow-profile", &format!("{WORKFLOW}/profiles/local")])
        .args(arguments)
        .args(["--config", &format!("men={men}"), "tables=tables"])
        .arg(format!("makruk_gen={}", program(GENERATOR).get_program().to_str().expect("UTF-8")))
        .current_dir(folder);
    command
}

/// The tables there, by name, and when each was made.
fn tables(folder: &Path) -> BTreeMap<String, (SystemTime, Vec<u8>)> {
    let Ok(entries) = fs::read_dir(folder) else { return BTreeMap::new() };
    entries
        .flatten()
        .filter(|entry| entry.path().extension().is_some_and(|end| end == "dtm" || end == "dtz" || end == "category"))
        .map(|entry| {
            let made = entry.metadata().and_then(|file| file.modified()).expect("a time");
            (entry.file_name().into_string().expect("a name"), (made, fs::read(entry.path()).expect("a table")))
        })
        .collect()
}

/// The name of Snakemake's marker for `tables/KNvK.dtm`: the path in base 64.
const KNVK_DTM: &str = "dGFibGVzL0tOdksuZHRt";

/// Fails unless the tables in a folder are those that one build of three men makes; shows what the workflow has told.
fn assert_complete(folder: &Path, told: &str) {
    let expected = tables(&test_tables::alone(Material::all(3)));
    let made = tables(folder);
    assert!(made.keys().eq(expected.keys()), "{:?}\n{told}", made.keys());
    for (name, (_, bytes)) in &expected {
        assert!(
            made[name].1 == *bytes,
            "{name} differs: {} bytes, expected {}\n{told}",
            made[name].1.len(),
            bytes.len()
        );
    }
}

#[test]
#[ignore = "needs snakemake"]
fn three_men_then_nothing_then_one_lost_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path().join("tables");
    let (status, _, errors) = run(&mut snakemake(folder.path(), 3, &[]));
    assert_eq!(status, 0, "{errors}");
    assert_complete(&at, &errors);

    let before = tables(&at);
    let (status, _, errors) = run(&mut snakemake(folder.path(), 3, &[]));
    assert_eq!(status, 0, "{errors}");
    assert!(errors.contains("Nothing to be done"), "{errors}");
    assert!(tables(&at) == before);

    // Tables that captures lead to may be removed: the tables built from them stay as they are.
    fs::remove_file(at.join("KMvK.dtm")).expect("removed");
    let (status, _, errors) = run(&mut snakemake(folder.path(), 3, &[]));
    assert_eq!(status, 0, "{errors}");
    let mut after = tables(&at);
    // The job makes all of its material's tables.
    for name in ["KMvK.dtm", "KMvK.category"] {
        after.insert(name.to_owned(), before[name].clone());
    }
    assert!(after == before, "other tables were built again");
    assert_complete(&at, &errors);

    // As after a kill between a job's last table and Snakemake's note of it: KNvK is complete and not known to be.
    fs::write(folder.path().join(".snakemake/incomplete").join(KNVK_DTM), "{}").expect("a marker");
    for name in ["KSvK.dtm", "KSvK.category"] {
        fs::remove_file(at.join(name)).expect("removed");
    }
    let (status, _, errors) = run(&mut snakemake(folder.path(), 3, &[]));
    assert_eq!(status, 0, "{errors}");
    assert!(errors.contains("Forced execution"), "the marker has no effect: {errors}");
    assert_complete(&at, &errors);
}

#[test]
#[ignore = "needs snakemake"]
fn a_dry_run_for_a_cluster_asks_for_each_materials_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = snakemake(folder.path(), 6, &[]);
    command.args(["memory=1", "threads=2", "--executor", "slurm", "--jobs", "10", "--dry-run"]);
    let (status, output, errors) = run(&mut command);
    assert_eq!(status, 0, "{errors}");
    // Some materials of six men need more than 1 GiB, or lead to one that does.
    let report = output + &errors;
    assert!(report.contains("139 of 477 materials are skipped"), "{report}");
    assert!(report.contains("KRRMvKR.dtz") && !report.contains("KRNSvKR.dtz"));
    assert!(report.contains("mem_mb="));
}
