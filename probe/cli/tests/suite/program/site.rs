//! `site`: a folder for a static host.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use test_tables::host::{Host, absent};

use super::{command, common, errors, run, text};

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
    // Without a terminal a line tells each tenth that is done.
    let told = errors(&first);
    assert!(told.lines().all(|line| line.ends_with(" %") && !line.ends_with(" 0 %")), "{told}");
    assert!((1..=20).contains(&told.lines().count()) && told.contains("answer: answers/"), "{told}");
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
    assert_eq!(errors(&again), "");
    assert_eq!(text(&again), text(&first));
    // What is missing, cut short, or older than its table is made anew, and nothing else.
    let begun = SystemTime::now();
    std::thread::sleep(Duration::from_millis(20));
    fs::remove_file(out.join("answers/saves/KRvK.json")).unwrap();
    fs::write(out.join("guide/KRvK.groups"), b"cut").unwrap();
    let table = fs::File::options().write(true).open(tables.path().join("KNvK.dtm")).unwrap();
    table.set_modified(SystemTime::now() + Duration::from_secs(60)).unwrap();
    let mended = run(&arguments, b"");
    let told = errors(&mended);
    assert_eq!(mended.status.code(), Some(0), "{told}");
    for (path, is_made) in parts.into_iter().zip([true, false, true, true]) {
        assert_eq!(written(path) > begun, is_made, "{path}: {told}");
    }
    assert!(written("answers/counts/KRvK.json") < begun, "{told}");
    assert!(fs::metadata(out.join("guide/KRvK.groups")).unwrap().len() > 3);
    let rest: Vec<_> = walk(&out).into_iter().filter(|path| path.ends_with(".tmp")).collect();
    assert!(rest.is_empty(), "{rest:?}");
}

/// A host has the tables themselves, whatever the folder has links to.
#[cfg(unix)]
#[test]
fn a_site_has_no_links() {
    let (tables, home) = (tables(), tempfile::tempdir().unwrap());
    let (linked, out) = (home.path().join("linked"), home.path().join("site"));
    fs::create_dir(&linked).unwrap();
    for entry in fs::read_dir(tables.path()).unwrap().map(Result::unwrap) {
        std::os::unix::fs::symlink(entry.path(), linked.join(entry.file_name())).unwrap();
    }
    let arguments = ["site", "--tables", linked.to_str().unwrap(), "--out", out.to_str().unwrap()];
    assert!(run(&arguments, b"").status.success());
    for name in ["KRvK.dtm", "KNvK.dtm"] {
        let file = fs::symlink_metadata(out.join("tables").join(name)).unwrap();
        assert_eq!((file.is_file(), file.len()), (true, fs::metadata(linked.join(name)).unwrap().len()), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn a_site_is_whole_though_nobody_reads_its_progress() {
    let (tables, home) = (tables(), tempfile::tempdir().unwrap());
    let out = home.path().join("site");
    let (reader, closed) = std::io::pipe().unwrap();
    drop(reader);
    let arguments = ["site", "--tables", tables.path().to_str().unwrap(), "--out", out.to_str().unwrap()];
    let status = command(&arguments).stdout(closed.try_clone().unwrap()).stderr(closed).status().unwrap();
    assert_eq!(status.code(), Some(0));
    assert!(out.join("answers/counts/KRvK.json").exists());
}

/// The paths of all files below a folder.
fn walk(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path.display().to_string()] }).collect()
}

#[test]
fn an_address_that_readers_refuse_is_refused_at_once() {
    let (tables, out) = (tables(), tempfile::tempdir().unwrap());
    let site = |address: &str| {
        let folders = ["--tables", tables.path().to_str().unwrap(), "--out", out.path().to_str().unwrap()];
        run(&[&["site", "--guide-only", "--tables-url", address][..], &folders].concat(), b"")
    };
    for address in ["javascript:alert(1)//", "file:///etc/", "../../x", "/x", "https://", "a b", "a\"><script>", ""] {
        let refused = site(address);
        assert_eq!(refused.status.code(), Some(2), "{address}");
        assert!(errors(&refused).contains("expected https://, http://, or a folder within the site"), "{address}");
    }
    assert!(fs::read_dir(out.path()).unwrap().next().is_none());
    for address in ["https://tables.example.org/four/", "http://localhost:8000/", "tables/"] {
        assert_eq!(site(address).status.code(), Some(0), "{address}");
    }
}

#[test]
fn an_address_of_tables_is_asked_by_query_and_analyse_and_refused_by_others() {
    let fen = "8/8/8/3k4/8/8/1R6/K7 w - - 0 1";
    let unreachable = "http://127.0.0.1:9/";
    for (arguments, expected) in [
        (&["query", fen][..], "makruk-probe: http://127.0.0.1:9/ cannot be read: "),
        (&["query", "--build", fen], "--build needs a folder"),
        (&["analyse", "-"], "makruk-probe: http://127.0.0.1:9/ cannot be read: "),
        (&["research", "saves", "KRvKN"], "this command needs a folder"),
    ] {
        let output = run(&[arguments, &["--tables", unreachable]].concat(), b"");
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(errors(&output).contains(expected), "{arguments:?}: {}", errors(&output));
    }
    let host = Host::start(|_, _| absent());
    let output = run(&["query", fen, "--tables", &host.url], b"");
    let fault = format!("makruk-probe: {} cannot be read: it has no guide/catalogue; if it is a folder", host.url);
    assert!(errors(&output).starts_with(&fault), "{}", errors(&output));
    let fetch = format!("`makruk-gen fetch --from {} MATERIAL`", host.url);
    assert!(errors(&output).contains(&fetch), "{}", errors(&output));
}
