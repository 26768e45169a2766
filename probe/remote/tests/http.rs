//! The tables of a site asked by HTTP: the answers of the tables, and hosts that give anything else.

#![allow(clippy::unwrap_used)] // helpers outside of test functions

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::Duration;

use makruk_format::TableFolder;
use makruk_probe::{Attempt, Prober, RankedMove, Tablebase, ValueSource, Verdict};
use makruk_remote::{PublishError, RemoteTables, SiteError, publish};
use makruk_rules::Fen;
use tempfile::TempDir;

const FEN: &str = "8/8/8/8/5n2/6k1/4R3/K7 w - - 0 1";

static SITE: LazyLock<TempDir> = LazyLock::new(|| {
    let materials = test_tables::materials(&["KRvKN"]);
    let folder = test_tables::own(&test_tables::usual(materials.clone()), materials);
    publish(&TableFolder::create(folder.path()).unwrap(), folder.path(), ".", |_, _| Ok::<_, PublishError>(()))
        .unwrap();
    folder
});

/// A host of a site's files, whose answers are altered: a path and the honest answer give the bytes that are sent, or
/// none and silence.
struct Host {
    url: String,
    asked: Arc<AtomicUsize>,
}

impl Host {
    fn new(site: &'static Path, alter: impl Fn(&str, Vec<u8>) -> Option<Vec<u8>> + Send + Sync + 'static) -> Host {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let asked = Arc::new(AtomicUsize::new(0));
        let (alter, counted) = (Arc::new(alter), Arc::clone(&asked));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (alter, counted) = (Arc::clone(&alter), Arc::clone(&counted));
                thread::spawn(move || {
                    let Some((path, answer)) = honest(site, &stream) else { return };
                    counted.fetch_add(1, Ordering::Relaxed);
                    match alter(&path, answer) {
                        Some(answer) => drop((&stream).write_all(&answer)),
                        None => drop((&stream).read(&mut [0])),
                    }
                });
            }
        });
        Host { url, asked }
    }

    /// The verdict of this host's tables, the moves, and the rounds that they took.
    fn probe(&self, cache: Option<&Path>) -> Result<(Found, usize), SiteError> {
        let remote = RemoteTables::open(self.url.parse().unwrap(), Duration::from_millis(400), cache)?;
        let fen: Fen = FEN.parse().unwrap();
        for rounds in 0..9 {
            if let Some(found) = remote.prober().attempt(|prober| found(prober, &fen)) {
                return Ok((found, rounds));
            }
            remote.fetch()?;
        }
        panic!("more than 8 rounds");
    }
}

type Found = (Verdict, Vec<RankedMove>);

fn found<S: ValueSource>(prober: &Prober<S>, fen: &Fen) -> Found {
    (prober.probe(fen).unwrap(), prober.moves(&prober.resolved(fen)).unwrap())
}

/// The same from the folder of the site.
fn expected() -> Found {
    found(&Prober::new(Tablebase::new(SITE.path())), &FEN.parse().unwrap())
}

/// Reads a request; its path, and an honest answer.
fn honest(site: &Path, mut stream: &TcpStream) -> Option<(String, Vec<u8>)> {
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).ok()?;
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).ok()?.to_ascii_lowercase();
    let ranges = head.split("range: bytes=").nth(1).and_then(|ranges| ranges.split("\r\n").next());
    let path = head.split(' ').nth(1)?.to_owned();
    let files = ["guide", "."].into_iter().flat_map(|folder| fs::read_dir(site.join(folder)).unwrap().flatten());
    let name = path.rsplit('/').next()?;
    let file = files
        .map(|file| file.path())
        .find(|file| file.file_name().unwrap().to_str().unwrap().to_ascii_lowercase() == name);
    let Some(bytes) = file.and_then(|file| fs::read(file).ok()) else {
        return Some((path, answer("404 Not Found", "", b"")));
    };
    let Some(ranges) = ranges else { return Some((path, answer("200 OK", "", &bytes))) };
    let mut parts = Vec::new();
    for range in ranges.split(',') {
        let (from, to) = range.split_once('-')?;
        let header = format!("content-range: bytes {from}-{to}/{}\r\n", bytes.len());
        parts.push((header, &bytes[from.parse().ok()?..=to.parse().ok()?]));
    }
    if let [(header, bytes)] = &parts[..] {
        return Some((path, answer("206 Partial Content", header, bytes)));
    }
    let part = |(header, bytes): (String, &[u8])| [b"--x\r\n", header.as_bytes(), b"\r\n", bytes, b"\r\n"].concat();
    let body: Vec<u8> = parts.into_iter().flat_map(part).chain(*b"--x--\r\n").collect();
    Some((path, answer("206 Partial Content", "content-type: multipart/byteranges; boundary=x\r\n", &body)))
}

fn answer(status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 {status}\r\nconnection: close\r\n{headers}content-length: {}\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

#[test]
fn the_verdict_is_that_of_the_tables_and_a_second_process_fetches_the_catalogue_alone() {
    let expected = expected();
    let host = Host::new(SITE.path(), |_, answer| Some(answer));
    let cache = tempfile::tempdir().unwrap();
    assert_eq!(host.probe(Some(cache.path())).unwrap(), (expected.clone(), 2));
    let first = host.asked.swap(0, Ordering::Relaxed);
    assert!((5..12).contains(&first), "{first}");
    assert_eq!(host.probe(Some(cache.path())).unwrap().0, expected);
    assert_eq!(host.asked.swap(0, Ordering::Relaxed), 1);

    // A damaged file of the cache is fetched again.
    let folder = fs::read_dir(cache.path()).unwrap().next().unwrap().unwrap().path();
    for file in fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()) {
        let mut bytes = fs::read(&file).unwrap();
        if let Some(last) = bytes.last_mut() {
            *last ^= 1;
            fs::write(&file, &bytes).unwrap();
            break;
        }
    }
    assert_eq!(host.probe(Some(cache.path())).unwrap().0, expected);
    assert!(host.asked.load(Ordering::Relaxed) > 1);
}

#[test]
fn a_host_that_does_not_give_several_ranges_is_asked_for_one_at_a_time() {
    let expected = expected();
    for of_several in [
        || answer("200 OK", "", &[0; 4096]),
        || answer("416 Range Not Satisfiable", "", b""),
        || answer("206 Partial Content", "content-range: bytes 0-9/4096\r\n", &[0; 10]),
        || answer("206 Partial Content", "", b"--x\r\ncontent-range: bytes 0-0/4096\r\n\r\n\0\r\n--x--\r\n"),
    ] {
        let host = Host::new(SITE.path(), move |_, honest| {
            let is_several = honest.windows(10).any(|text| text == b"multipart/");
            Some(if is_several { of_several() } else { honest })
        });
        assert_eq!(host.probe(None).unwrap().0, expected);
        assert!((12..40).contains(&host.asked.load(Ordering::Relaxed)), "{:?}", host.asked);
    }
}

#[test]
fn a_host_that_gives_anything_else_gives_no_verdict() {
    let is_table = |path: &str| path.ends_with(".dtm");
    let flipped = |mut answer: Vec<u8>| {
        // After several parts there are ten bytes more.
        answer.iter_mut().rev().take(12).for_each(|byte| *byte ^= 1);
        answer
    };
    let of_tables = |alter: fn(Vec<u8>) -> Option<Vec<u8>>| {
        Host::new(SITE.path(), move |path, answer| if is_table(path) { alter(answer) } else { Some(answer) })
    };
    let to_itself = |path: &str, _| Some(answer("302 Found", &format!("location: {path}\r\n"), b""));
    for (host, expected) in [
        (of_tables(|_| None), "it sends nothing"),
        (of_tables(|answer| Some(answer[..answer.len() - 1].to_vec())), ""),
        (of_tables(|_| Some(answer("200 OK", "", &[0; 4096]))), "it does not give parts of files (Range)"),
        (
            of_tables(|_| Some(answer("206 Partial Content", "content-range: bytes 0-9/10\r\n", &[0; 10]))),
            "expected the range",
        ),
        (of_tables(|_| Some(answer("404 Not Found", "", b""))), "status 404"),
        (of_tables(|_| Some(answer("302 Found", "location: file:///etc/passwd\r\n", b""))), "it redirects to file:"),
        (
            Host::new(SITE.path(), move |path, answer| Some(if is_table(path) { flipped(answer) } else { answer })),
            "are not those that the guide describes",
        ),
        (Host::new(SITE.path(), move |_, answer| Some(flipped(answer))), "catalogue"),
        (Host::new(SITE.path(), to_itself), "it redirects more than 5 times"),
        (Host::new(SITE.path(), |_, _| Some(answer("404 Not Found", "", b""))), "it has no guide/catalogue"),
    ] {
        let cache = tempfile::tempdir().unwrap();
        for cache in [None, Some(cache.path())] {
            let fault = host.probe(cache).unwrap_err().to_string();
            assert!(fault.contains(expected), "{expected}: {fault}");
        }
    }
}

#[test]
fn a_site_of_other_tables_under_the_listed_names_is_refused() {
    static OTHER: LazyLock<TempDir> = LazyLock::new(|| {
        let materials = test_tables::materials(&["KRvKN"]);
        let folder = test_tables::own(&test_tables::one_sided(materials.clone()), materials);
        let tables = TableFolder::create(folder.path()).unwrap();
        publish(&tables, folder.path(), ".", |_, _| Ok::<_, PublishError>(())).unwrap();
        folder
    });
    let host = Host::new(OTHER.path(), |_, answer| Some(answer));
    let fault = host.probe(None).unwrap_err().to_string();
    assert!(fault.ends_with("is not the table of the program's list"), "{fault}");
}
