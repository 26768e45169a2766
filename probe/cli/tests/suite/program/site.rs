//! `site`: a folder for a static host.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::{common, errors, run, text};

/// A folder with the tables of two materials.
fn tables() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["KRvK.dtm", "KNvK.dtm"] {
        fs::copy(Path::new(common::folder()).join(name), folder.path().join(name)).unwrap();
    }
    folder
}

#[test]
fn a_site_begins_with_its_page_and_goes_on_where_it_was_stopped() {
    let (tables, home) = (tables(), tempfile::tempdir().unwrap());
    let out = home.path().join("site");
    let arguments = ["site", "--tables", tables.path().to_str().unwrap(), "--out", out.to_str().unwrap()];
    let first = run(&arguments, b"");
    assert_eq!(first.status.code(), Some(0), "{}", errors(&first));
    assert!(text(&first).contains("2 tables"), "{}", text(&first));
    let told = errors(&first);
    for line in ["guide: KNvK  ", "guide: KRvK  ", "answer: answers/statistics/KRvK.json  "] {
        assert!(told.lines().any(|text| text.starts_with(line) && text.contains('%')), "{line}: {told}");
    }
    let html = fs::read_to_string(out.join("index.html")).unwrap();
    for part in ["href=\"site.js\"", "href=\"makruk.wasm\"", "href=\"guide/catalogue\""] {
        assert!(html.contains(part), "{part} is not loaded ahead");
    }
    // The longest wins come with the program: nothing is searched for.
    let statistics = fs::read_to_string(out.join("answers/statistics/KRvK.json")).unwrap();
    assert!(statistics.contains("longest_win_fens"), "{statistics}");
    let written = |path: &str| fs::metadata(out.join(path)).unwrap().modified().unwrap();
    let parts = ["guide/KRvK.groups", "guide/KNvK.heads", "answers/saves/KRvK.json", "answers/counts/KNvK.json"];
    let before = parts.map(written);
    let again = run(&arguments, b"");
    assert_eq!(again.status.code(), Some(0), "{}", errors(&again));
    assert_eq!(parts.map(written), before);
    assert!(!errors(&again).contains("guide: ") && !errors(&again).contains("saves/"), "{}", errors(&again));
    assert_eq!(text(&again), text(&first));
    // What is missing, cut short, or older than its table is made anew, and nothing else.
    fs::remove_file(out.join("answers/saves/KRvK.json")).unwrap();
    fs::write(out.join("guide/KRvK.groups"), b"cut").unwrap();
    let table = fs::File::options().write(true).open(tables.path().join("KNvK.dtm")).unwrap();
    table.set_modified(SystemTime::now() + Duration::from_secs(60)).unwrap();
    let mended = run(&arguments, b"");
    let told = errors(&mended);
    assert_eq!(mended.status.code(), Some(0), "{told}");
    for (line, is_made) in [
        ("guide: KRvK", true),
        ("guide: KNvK", false),
        ("saves/KRvK", true),
        ("counts/KRvK", false),
        ("counts/KNvK", true),
    ] {
        assert_eq!(told.contains(line), is_made, "{line}: {told}");
    }
    assert!(fs::metadata(out.join("guide/KRvK.groups")).unwrap().len() > 3);
    let rest: Vec<_> = walk(&out).into_iter().filter(|path| path.ends_with(".tmp")).collect();
    assert!(rest.is_empty(), "{rest:?}");
}

/// The paths of all files below a folder.
fn walk(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path.display().to_string()] }).collect()
}
