//! Tables from hosts that nobody trusts: `makruk-gen fetch`. No test measures time.

// Clippy lets tests unwrap, but not the functions that they share.
#![allow(clippy::unwrap_used)]

mod program;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use makruk_format::TableFolder;
use makruk_generator::{
    FetchError, FetchLimits, FetchProgress, Manifest, ManifestLine, Options, Silent, build, fetch, missing_tables,
};
use makruk_tables::MANIFEST;

use test_tables::host::{AUTHORITY, EXPIRED, Host, Reply, absent, answer, honest};

/// The table about which hosts lie, and another material that it leads to.
const TABLE: &str = "KRvKN.dtm";
const MATERIALS: [&str; 1] = ["KRvKN"];

/// The folder that honest hosts serve.
fn served() -> PathBuf {
    test_tables::alone(test_tables::materials(&MATERIALS))
}

/// The lines of all tables that are served.
fn lines() -> Vec<ManifestLine> {
    let served = TableFolder::open_existing(served()).unwrap().list().unwrap();
    let lines = Manifest::parse(MANIFEST).unwrap().tables;
    lines.into_iter().filter(|line| served.contains(&line.id)).collect()
}

fn true_bytes() -> Vec<u8> {
    fs::read(served().join(TABLE)).unwrap()
}

/// The names in a folder, those of temporaries included.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn assert_whole(folder: &Path) {
    assert_eq!(names(folder), names(&served()));
    for name in names(folder) {
        assert!(fs::read(folder.join(&name)).unwrap() == fs::read(served().join(&name)).unwrap(), "{name}");
    }
}

/// Keeps the sentences about refused mirrors.
#[derive(Default)]
struct Refusals(Mutex<Vec<String>>);

impl FetchProgress for Refusals {
    fn refused(&self, sentence: &str) {
        self.0.lock().unwrap().push(sentence.to_owned());
    }
}

/// Fetches these lines from hosts; the sentences about mirrors that were refused while others were left.
fn fetch_lines(folder: &Path, lines: &[ManifestLine], hosts: &[&Host]) -> (Result<(), FetchError>, Vec<String>) {
    let folder = TableFolder::create(folder).unwrap();
    let mirrors: Vec<_> = hosts.iter().map(|host| host.url.parse().unwrap()).collect();
    let limits = FetchLimits { silence: Duration::from_millis(400), ..FetchLimits::default() };
    let refusals = Refusals::default();
    let end = fetch(&folder, &missing_tables(Some(&folder), lines).unwrap(), &mirrors, &limits, &refusals);
    (end, refusals.0.into_inner().unwrap())
}

fn honest_host() -> Host {
    let served = served();
    Host::start(move |path, ranges| honest(&served, path, ranges))
}

/// An honest host with a certificate that does not hold.
fn host_with_certificate(file: &[u8]) -> Host {
    let served = served();
    Host::with_certificate(Some(file), move |path, ranges| honest(&served, path, ranges))
}

/// A host that gives the table of the tests by `reply`, and the others honestly.
fn host_with<R: Into<Reply>>(reply: impl Fn(Option<&str>) -> R + Send + Sync + 'static) -> Host {
    let served = served();
    Host::start(move |path, ranges| match path.ends_with(TABLE) {
        true => reply(ranges).into(),
        false => honest(&served, path, ranges).into(),
    })
}

/// The file of a catalogue with this text.
fn catalogue(json: &str) -> Vec<u8> {
    let numbers = [(json.len() as u32).to_le_bytes(), crc32c::crc32c(json.as_bytes()).to_le_bytes()].concat();
    let packed = miniz_oxide::deflate::compress_to_vec(json.as_bytes(), 6);
    [&b"\x89MKG\r\n\x1a\x01"[..], &numbers, &packed].concat()
}

/// A host that has nothing but a catalogue.
fn host_with_catalogue(file: Vec<u8>) -> Host {
    Host::start(move |path, _| match path {
        "/guide/catalogue" => answer("200 OK", "", &file),
        _ => absent(),
    })
}

#[test]
fn a_table_that_broke_off_is_continued_by_a_later_run() {
    let place = tempfile::tempdir().unwrap();
    let bytes = true_bytes();
    let part = bytes.len() / 3;
    let begun = answer("200 OK", "", &bytes);
    let begun = begun[..begun.len() - bytes.len() + part].to_vec();
    let breaking = host_with(move |ranges| if ranges.is_none() { begun.clone() } else { Vec::new() });
    let (end, _) = fetch_lines(place.path(), &lines(), &[&breaking]);
    let error = end.unwrap_err().to_string();
    assert!(error.starts_with(&format!("{} is refused: ", breaking.url)), "{error}");
    assert!(!place.path().join(TABLE).exists());
    assert!(fs::read(place.path().join(".KRvKN.dtm.part")).unwrap() == bytes[..part]);
    let folder = TableFolder::open_existing(place.path()).unwrap();
    let missing = missing_tables(Some(&folder), &lines()).unwrap();
    let begun: Vec<u64> = missing.iter().filter(|table| table.begun > 0).map(|table| table.begun).collect();
    assert_eq!(begun, [part as u64]);

    let host = honest_host();
    fetch_lines(place.path(), &lines(), &[&host]).0.unwrap();
    assert_whole(place.path());
    let asked: Vec<_> = host.asked().into_iter().filter(|(path, _)| path.ends_with(TABLE)).collect();
    assert_eq!(asked, [(format!("/{TABLE}"), Some(format!("{part}-")))], "only the rest is asked for");
    // Nothing is missing any more, and nobody is asked.
    assert!(missing_tables(Some(&folder), &lines()).unwrap().is_empty());
}

#[test]
fn what_was_begun_goes_when_the_table_comes_from_elsewhere() {
    let place = tempfile::tempdir().unwrap();
    let folder = TableFolder::create(place.path()).unwrap();
    let part = place.path().join(".KRvK.dtm.part");
    fs::write(&part, "begun").unwrap();
    build(&folder, test_tables::materials(&["KRvK"]), &Options::default(), &Silent).unwrap();
    assert!(!part.exists());
    fs::write(&part, "begun").unwrap();
    fetch_lines(place.path(), &lines(), &[&honest_host()]).0.unwrap();
    assert!(!part.exists());
}

/// Hosts that give anything else than the table, and words of the reason for which they are refused.
fn liars() -> Vec<(Host, &'static str)> {
    let bytes = true_bytes();
    let ok = |body: &[u8]| answer("200 OK", "", body);
    let with = |at: usize, byte: u8| {
        let mut bytes = true_bytes();
        bytes[at] = byte;
        ok(&bytes)
    };
    let fixed = |answer: Vec<u8>| host_with(move |_| answer.clone());
    let redirect = |to: &str| fixed(answer("302 Found", &format!("location: {to}\r\n"), b""));
    let no_length = b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n";
    let stalled = [&ok(&bytes)[..200], &[]].concat();
    let names: String = (0..1_000_000).map(|n| format!(",[\"../../K{n}.dtm\",0,0,[0,0,0,0,0],[0,0,0,0,0]]")).collect();
    let of_catalogue = |address: &str, tables: &str| {
        host_with_catalogue(catalogue(&format!(r#"{{"version":1,"address":"{address}","tables":[{tables}]}}"#)))
    };
    vec![
        (fixed(with(bytes.len() / 2, !bytes[bytes.len() / 2])), "its bytes are not those of the list (SHA-256)"),
        (fixed(with(8, 0xff)), "format version (offset 8)"),
        (fixed(ok(&vec![b' '; bytes.len()])), "not a Makruk table but a text"),
        (fixed(ok(b"<!doctype html><p>Welcome")), "not a Makruk table but a web page"),
        (fixed(ok(&[&bytes[..], &[0]].concat())), "KRvKN.dtm: expected "),
        (fixed(ok(&bytes[..bytes.len() - 1])), "KRvKN.dtm: expected "),
        (fixed(ok(&bytes)[..1000].to_vec()), ""),
        (fixed([&no_length[..], &bytes[..1000]].concat()), "but it ends after 1000"),
        (host_with(|_| Reply::Endless(no_length.to_vec())), "but it sends more"),
        (host_with(move |_| Reply::Stalled(stalled.clone())), "it sends nothing"),
        (host_with(|_| Reply::Stalled(Vec::new())), "it sends nothing"),
        (host_with(|_| Reply::Endless(b"HTTP/1.1 200 OK\r\nx: ".to_vec())), ""),
        (host_with(|_| b"SSH-2.0\r\n".to_vec()), ""),
        (fixed(answer("503 Service Unavailable", "", b"")), "status 503"),
        (fixed(answer("206 Partial Content", "", &bytes)), "status 206"),
        (redirect("/KRvKN.dtm"), "it redirects more than 5 times"),
        (redirect("file:///etc/passwd"), "it redirects to file:///etc/passwd: expected http or https"),
        (redirect("http://127.0.0.2/KRvKN.dtm"), "it leads to 127.0.0.2:80, an address of a private network"),
        (redirect("ftp://127.0.0.1/KRvKN.dtm"), "it redirects to ftp://127.0.0.1/KRvKN.dtm: expected http"),
        (of_catalogue("tables/", "[\"../../x.dtm\",0,0,[0,0,0,0,0],[0,0,0,0,0]]"), "\"../../x.dtm\" is invalid"),
        (of_catalogue("tables/", &names[1..]), "the catalogue of the tables: "),
        (of_catalogue("file:///etc/", ""), "its catalogue has the address \"file:///etc/\""),
        (host_with_catalogue(vec![0; (1 << 22) + 1]), "guide/catalogue has more than 4194304 bytes"),
        (host_with_certificate(EXPIRED), "its certificate has expired by this machine's clock"),
        (host_with_certificate(AUTHORITY), "its certificate is not valid (CaUsedAsEndEntity)"),
        (host_with_catalogue(b"<html>".to_vec()), "it is not a file of a guide"),
    ]
}

#[test]
fn a_host_that_lies_is_refused_by_name_and_nothing_of_it_stays() {
    let lines: Vec<_> = lines().into_iter().filter(|line| line.id.to_string() == TABLE).collect();
    let bytes = true_bytes();
    let host = honest_host();
    for (number, (liar, reason)) in liars().into_iter().enumerate() {
        let place = tempfile::tempdir().unwrap();
        let error = fetch_lines(place.path(), &lines, &[&liar]).0.unwrap_err().to_string();
        let expected = format!("{} is refused: ", liar.url);
        assert!(error.starts_with(&expected) && error.contains(reason), "{number}, {reason}: {error}");
        assert!(error.ends_with(": KRvKN.dtm is missing"), "{number}: {error}");
        // A host that breaks off leaves a beginning to continue.
        let left = names(place.path());
        assert!(left.is_empty() || left == [".KRvKN.dtm.part"], "{number}, {reason}: {left:?}");
        for name in left {
            assert!(bytes.starts_with(&fs::read(place.path().join(name)).unwrap()), "{number}, {reason}");
        }
        let (end, refused) = fetch_lines(place.path(), &lines, &[&liar, &host]);
        end.unwrap();
        assert!(refused.len() == 1 && refused[0].starts_with(&expected), "{refused:?}");
        assert_eq!(names(place.path()), [TABLE]);
        assert!(fs::read(place.path().join(TABLE)).unwrap() == bytes);
    }
}

/// Fetches the table after this beginning was left by an earlier run.
fn continued(start: &[u8], host: &Host) -> Result<(), String> {
    let place = tempfile::tempdir().unwrap();
    let lines: Vec<_> = lines().into_iter().filter(|line| line.id.to_string() == TABLE).collect();
    fs::write(place.path().join(".KRvKN.dtm.part"), start).unwrap();
    let end = fetch_lines(place.path(), &lines, &[host]).0;
    if end.is_ok() {
        assert!(fs::read(place.path().join(TABLE)).unwrap() == true_bytes());
    }
    assert!(end.is_ok() || !place.path().join(TABLE).exists());
    end.map_err(|error| error.to_string())
}

#[test]
fn a_beginning_is_continued_whatever_it_is() {
    let bytes = true_bytes();
    let garbage = [vec![7; 500], bytes[500..1000].to_vec()].concat();
    let too_long = [&bytes[..], &[0]].concat();
    for start in [&bytes[..1000], &garbage, &too_long, &bytes, &[]] {
        continued(start, &honest_host()).unwrap();
    }
    // A host without ranges, one without lengths.
    let whole = answer("200 OK", "", &bytes);
    continued(&bytes[..1000], &host_with(move |_| whole.clone())).unwrap();
    let no_length = [b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n", &bytes[..]].concat();
    continued(&bytes[..1000], &host_with(move |_| no_length.clone())).unwrap();
    // Ranges that were not asked for.
    for range in ["", "content-range: bytes 0-999/2000\r\n", "content-range: bytes 999-1998/1999\r\n"] {
        let rest = answer("206 Partial Content", range, &bytes[1000..]);
        let error = continued(&bytes[..1000], &host_with(move |_| rest.clone())).unwrap_err();
        assert!(error.contains("KRvKN.dtm: expected the range bytes 1000-"), "{error}");
    }
    let error = continued(&bytes[..1000], &host_with(|_| answer("416 x", "", b""))).unwrap_err();
    assert!(error.contains("it has no byte 1000"), "{error}");
}

#[test]
fn the_tables_of_a_site_are_where_its_catalogue_says() {
    let served = served();
    for address in ["some/tables/", "HOST"] {
        let (elsewhere, tables) = (honest_host(), served.clone());
        let address = address.replace("HOST", &elsewhere.url);
        let file = catalogue(&format!(r#"{{"version":1,"address":"{address}","tables":[]}}"#));
        let site = Host::start(move |path, ranges| match (path, path.strip_prefix("/some/tables")) {
            ("/guide/catalogue", _) => answer("200 OK", "", &file),
            (_, Some(path)) => honest(&tables, path, ranges),
            _ => absent(),
        });
        let place = tempfile::tempdir().unwrap();
        fetch_lines(place.path(), &lines(), &[&site]).0.unwrap();
        assert_whole(place.path());
    }
}

#[test]
fn a_mirror_that_lacks_a_table_gives_the_others() {
    let (partly, host, place) = (host_with(|_| absent()), honest_host(), tempfile::tempdir().unwrap());
    let error = fetch_lines(place.path(), &lines(), &[&partly]).0.unwrap_err().to_string();
    assert_eq!(error, "no mirror has KRvKN.dtm: KRvKN.dtm is missing");
    let nothing = Host::start(|_, _| absent());
    let error = fetch_lines(&place.path().join("none"), &lines(), &[&nothing]).0.unwrap_err().to_string();
    assert_eq!(error, "no mirror has KRvK.dtm: 7 tables are missing, the first is KRvK.dtm");
    fs::remove_dir_all(place.path().join("none")).unwrap();
    let (end, refused) = fetch_lines(place.path(), &lines(), &[&partly, &host]);
    end.unwrap();
    assert_eq!(refused, [""; 0]);
    assert_whole(place.path());
    assert_eq!(host.asked().len(), 2, "the catalogue and the table: {:?}", host.asked());
}

#[test]
fn a_sound_table_that_is_not_the_lists_stays() {
    let place = tempfile::tempdir().unwrap();
    fs::copy(served().join("KRvK.dtm"), place.path().join(TABLE)).unwrap();
    let folder = TableFolder::open_existing(place.path()).unwrap();
    let error = missing_tables(Some(&folder), &lines()).unwrap_err().to_string();
    assert!(error.ends_with("KRvKN.dtm: this is not the table of the list"), "{error}");
}

#[test]
fn a_disk_without_room_is_an_error_before_anybody_is_asked() {
    let (place, host) = (tempfile::tempdir().unwrap(), honest_host());
    let mut lines = lines();
    lines[0].bytes = 1 << 60;
    let error = fetch_lines(place.path(), &lines, &[&host]).0.unwrap_err();
    assert!(matches!(error, FetchError::NoRoom { needed, .. } if needed > 1 << 60), "{error}");
    assert_eq!(host.asked(), []);
}
