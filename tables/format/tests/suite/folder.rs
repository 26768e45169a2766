//! Table folders: temporaries come and go, tables are found by their names, and errors name the folder.

use std::fs;
use std::path::Path;

use makruk_format::value::Value;
use makruk_format::{Kind, TableFolder, TableId, TableWriter, remove_stale_temporaries};
use makruk_rules::ByColor;

use crate::common::{id, rook, some_codes, write};

/// Writes a small table.
fn small(folder: &Path) {
    let spec = rook([5, 257]);
    write(folder, &spec, &some_codes(&spec, 1), None);
}

#[test]
fn temporaries_come_and_go() {
    let folder = tempfile::tempdir().unwrap();
    let names = || {
        let entries = fs::read_dir(folder.path()).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect::<Vec<_>>()
    };
    let writer = TableWriter::create(folder.path(), rook([1, 1]), &ByColor::default()).unwrap();
    let [name] = &names()[..] else { panic!("one temporary") };
    assert!(name.starts_with(&format!(".KRvK.dtm.{}-", std::process::id())) && name.ends_with(".tmp"), "{name}");
    assert_eq!(remove_stale_temporaries(folder.path()).unwrap(), [] as [&Path; 0], "a live writer's file stays");
    drop(writer);
    assert!(names().is_empty());

    let stale = folder.path().join(".KRvK.dtm.4194305-0.tmp");
    for other in ["KRvK.dtm", ".KRvK.dtm.tmp", ".KRvK.dtm.12.tmp", "notes.tmp", ".x-1.tmp"] {
        fs::write(folder.path().join(other), "").unwrap();
    }
    fs::write(&stale, "half a table").unwrap();
    assert_eq!(remove_stale_temporaries(folder.path()).unwrap(), [stale.as_path()]);
    assert!(!stale.exists());
    assert_eq!(names().len(), 5);
}

#[test]
fn a_folder_answers_for_its_tables() {
    let here = tempfile::tempdir().unwrap();
    let path = here.path().join("deep/tables");
    let missing = TableFolder::open_existing(&path).unwrap_err();
    assert_eq!(missing.kind(), Kind::NoFolder);
    assert!(missing.to_string().contains("the table folder does not exist"), "{missing}");
    let folder = TableFolder::create(&path).unwrap();
    assert_eq!(fs::read_dir(&path).unwrap().count(), 0, "trying to write leaves nothing behind");

    let error = folder.open::<Value>(id("KRvK.dtm")).unwrap_err();
    assert_eq!(error.kind(), Kind::NoTable);
    assert!(error.to_string().ends_with("KRvK.dtm: there is no such table"), "{error}");

    small(folder.path());
    assert!(folder.contains(id("KRvK.dtm")) && !folder.contains(id("KRvK.dtz")));
    assert!(folder.open::<Value>(id("KRvK.dtm")).unwrap().verify().is_ok());
    // Another table under a table's name, by material and by metric; and no table at all. The intact one stays usable.
    fs::copy(folder.path_of(id("KRvK.dtm")), folder.path_of(id("KNvK.dtm"))).unwrap();
    fs::copy(folder.path_of(id("KRvK.dtm")), folder.path_of(id("KRvK.dtz"))).unwrap();
    fs::write(folder.path_of(id("KSvK.dtm")), "").unwrap();
    fs::write(path.join("notes.txt"), "").unwrap();
    fs::create_dir(folder.path_of(id("KMvK.dtm"))).unwrap();
    for other in ["KNvK.dtm", "KRvK.dtz"] {
        let error = folder.open::<Value>(id(other)).unwrap_err();
        assert_eq!(error.kind(), Kind::OtherTable(id("KRvK.dtm")));
        assert!(error.to_string().contains("the table inside is KRvK.dtm: expected"), "{error}");
    }
    assert!(folder.open::<Value>(id("KSvK.dtm")).unwrap_err().to_string().contains("truncated: expected"));
    assert_eq!(folder.open::<Value>(id("KMvK.dtm")).unwrap_err().kind(), Kind::Io);
    assert!(folder.open::<Value>(id("KRvK.dtm")).is_ok());
    // A name that is not canonical: no reader looks for it.
    fs::write(path.join("KvKR.dtm"), "").unwrap();
    let mut listed: Vec<String> = folder.list().unwrap().iter().map(TableId::to_string).collect();
    assert!(folder.list().unwrap().is_sorted());
    listed.sort();
    assert_eq!(listed, ["KNvK.dtm", "KRvK.dtm", "KRvK.dtz", "KSvK.dtm"]);

    let file = path.join("notes.txt");
    for error in [TableFolder::open_existing(&file).unwrap_err(), TableFolder::create(&file).unwrap_err()] {
        assert_eq!(error.kind(), Kind::NotAFolder, "{error}");
    }
    fs::remove_dir_all(&path).unwrap();
    let gone = TableWriter::create(&path, rook([1, 1]), &ByColor::default()).unwrap_err();
    assert_eq!(gone.kind(), Kind::Io);
    assert!(gone.to_string().contains("can't create the file"), "{gone}");
}

#[cfg(unix)]
#[test]
fn a_read_only_folder_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(folder.path().join("trial"), "").is_ok() {
        return run_without_override("folder::a_read_only_folder_is_named");
    }
    let error = TableFolder::create(folder.path()).unwrap_err();
    assert_eq!(error.kind(), Kind::Io);
    let text = error.to_string();
    assert!(text.contains(folder.path().to_str().unwrap()) && text.contains("can't create the file"), "{text}");
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
}

/// Runs a test of this binary in a process without the superuser's right to write to any file.
#[cfg(unix)]
fn run_without_override(test: &str) {
    const DROPPED: &str = "MAKRUK_TEST_WITHOUT_OVERRIDE";
    assert!(std::env::var_os(DROPPED).is_none(), "setpriv has not removed the superuser's right");
    let status = std::process::Command::new("setpriv")
        .args(["--bounding-set", "-dac_override", "--inh-caps", "-dac_override"])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", test])
        .env(DROPPED, "1")
        .status()
        .expect("as the superuser, this test needs setpriv of util-linux");
    assert!(status.success(), "{test} fails without the superuser's right");
}
