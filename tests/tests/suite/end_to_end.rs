//! `makruk-gen` as users run it: builds from an empty folder, and its errors.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use makruk_tables::material::Material;
use makruk_tests::programs::{GENERATOR, program, run};

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry"));
    entries
        .map(|entry| (entry.file_name().into_string().expect("a name"), fs::read(entry.path()).expect("a file")))
        .collect()
}

fn generator(command: &str, folder: &Path) -> Command {
    let mut generator = program(GENERATOR);
    generator.args([command, "--tables"]).arg(folder);
    generator
}

#[test]
fn three_men_from_an_empty_folder_and_then_nothing_to_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let tables = folder.path().join("not/there/yet");
    let (status, _, errors) = run(generator("build", &tables).args(["--men", "3"]));
    assert_eq!(status, 0, "{errors}");
    let built = files(&tables);
    let ids = Material::all(3).into_iter().flat_map(Material::tables);
    let mut expected: Vec<String> = ids.map(|id| id.to_string()).collect();
    expected.sort();
    assert_eq!(built.keys().cloned().collect::<Vec<_>>(), expected);

    let before = fs::metadata(tables.join("KRvK.dtm")).and_then(|file| file.modified()).expect("a time");
    let (status, _, errors) = run(generator("build", &tables).args(["--men", "3"]));
    assert_eq!(status, 0);
    assert!(errors.contains("nothing to do"), "{errors}");
    assert_eq!(files(&tables), built);
    assert_eq!(fs::metadata(tables.join("KRvK.dtm")).and_then(|file| file.modified()).expect("a time"), before);

    // A missing table is built again, with the same bytes.
    fs::remove_file(tables.join("KSvK.dtm")).expect("removed");
    let (status, ..) = run(generator("build", &tables).arg("KSvK"));
    assert_eq!(status, 0);
    assert_eq!(files(&tables), built);
}

#[test]
fn bad_folders() {
    let folder = tempfile::tempdir().expect("a folder");
    let missing = folder.path().join("missing");
    let (status, _, errors) = run(generator("info", &missing).arg("KRvK"));
    assert_ne!(status, 0);
    assert!(errors.contains("missing"), "{errors}");

    // Nothing checked is not right.
    for (command, said) in [("verify", "nothing is verified"), ("info", "has no tables")] {
        let (status, _, errors) = run(&mut generator(command, folder.path()));
        assert!(status == 1 && errors.contains(said), "{command}: {errors}");
    }
}

#[test]
fn every_way_of_verifying_names_a_table_that_is_damaged_or_newer() {
    let folder = tempfile::tempdir().expect("a folder");
    let small = test_tables::usual(test_tables::materials(&["KRvK"]));
    for name in ["KRvK.dtm", "KRvK.category"] {
        fs::copy(small.path().join(name), folder.path().join(name)).expect("copied");
    }
    const LOOKS: [&[&str]; 3] = [&[], &["--checksums"], &["--sample", "50"]];
    let verify = |look: &[&str]| run(generator("verify", folder.path()).args(look));
    let sound = fs::read(folder.path().join("KRvK.dtm")).expect("read");
    // Everything after the header, whose length it has at byte 12.
    let header = usize::from(u16::from_le_bytes([sound[12], sound[13]]));
    let mut flipped = sound.clone();
    flipped[header..].iter_mut().for_each(|byte| *byte ^= 0x40);
    let mut newer = sound.clone();
    newer[8] ^= 0x80;
    for (bytes, right) in [(sound, 0), (flipped, 1), (newer, 1)] {
        fs::write(folder.path().join("KRvK.dtm"), bytes).expect("written");
        for look in LOOKS {
            let (status, _, errors) = verify(look);
            assert!(status == right && (status == 0 || errors.contains("KRvK.dtm")), "{look:?}: {status} {errors}");
        }
    }
}
