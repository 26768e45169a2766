//! The tables of a site asked by HTTP: the answers of the tables, and hosts that give anything else.

#![allow(clippy::unwrap_used)] // helpers outside of test functions

use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use makruk_format::TableFolder;
use makruk_probe::{Attempt, Prober, RankedMove, Tablebase, ValueSource, Verdict};
use makruk_remote::{PublishError, RemoteTables, SiteError, publish};
use makruk_rules::Fen;
use tempfile::TempDir;
use test_tables::host::{Host, Reply, absent, answer, honest};

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
fn altered(site: &'static Path, alter: impl Fn(&str, Vec<u8>) -> Option<Vec<u8>> + Send + Sync + 'static) -> Host {
    Host::start(move |path, ranges| match alter(path, honest(site, path, ranges)) {
        Some(answer) => Reply::Bytes(answer),
        None => Reply::Stalled(Vec::new()),
    })
}

/// The verdict of a host's tables, the moves, and the rounds that they took.
fn probe(host: &Host, cache: Option<&Path>) -> Result<(Found, usize), SiteError> {
    let remote = RemoteTables::open(host.url.parse().unwrap(), Duration::from_millis(400), cache)?;
    let fen: Fen = FEN.parse().unwrap();
    for rounds in 0..9 {
        if let Some(found) = remote.prober().attempt(|prober| found(prober, &fen)) {
            return Ok((found, rounds));
        }
        remote.fetch()?;
    }
    panic!("more than 8 rounds");
}

type Found = (Verdict, Vec<RankedMove>);

fn found<S: ValueSource>(prober: &Prober<S>, fen: &Fen) -> Found {
    (prober.probe(fen).unwrap(), prober.moves(&prober.resolved(fen)).unwrap())
}

/// The same from the folder of the site.
fn expected() -> Found {
    found(&Prober::new(Tablebase::new(SITE.path())), &FEN.parse().unwrap())
}

#[test]
fn the_verdict_is_that_of_the_tables_and_a_second_process_fetches_the_catalogue_alone() {
    let expected = expected();
    let host = altered(SITE.path(), |_, answer| Some(answer));
    let cache = tempfile::tempdir().unwrap();
    assert_eq!(probe(&host, Some(cache.path())).unwrap(), (expected.clone(), 2));
    let first = host.asked().len();
    assert!((5..12).contains(&first), "{first}");
    assert_eq!(probe(&host, Some(cache.path())).unwrap().0, expected);
    assert_eq!(host.asked().len(), first + 1);

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
    assert_eq!(probe(&host, Some(cache.path())).unwrap().0, expected);
    assert!(host.asked().len() > first + 2);
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
        let host = altered(SITE.path(), move |_, honest| {
            let is_several = honest.windows(10).any(|text| text == b"multipart/");
            Some(if is_several { of_several() } else { honest })
        });
        assert_eq!(probe(&host, None).unwrap().0, expected);
        assert!((12..40).contains(&host.asked().len()), "{:?}", host.asked());
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
        altered(SITE.path(), move |path, answer| if is_table(path) { alter(answer) } else { Some(answer) })
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
        (of_tables(|_| Some(absent())), "status 404"),
        (of_tables(|_| Some(answer("302 Found", "location: file:///etc/passwd\r\n", b""))), "it redirects to file:"),
        (
            altered(SITE.path(), move |path, answer| Some(if is_table(path) { flipped(answer) } else { answer })),
            "are not those that the guide describes",
        ),
        (altered(SITE.path(), move |_, answer| Some(flipped(answer))), "catalogue"),
        (altered(SITE.path(), to_itself), "it redirects more than 5 times"),
        (altered(SITE.path(), |_, _| Some(absent())), "it has no guide/catalogue"),
    ] {
        let cache = tempfile::tempdir().unwrap();
        for cache in [None, Some(cache.path())] {
            let fault = probe(&host, cache).unwrap_err().to_string();
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
    let host = altered(OTHER.path(), |_, answer| Some(answer));
    let fault = probe(&host, None).unwrap_err().to_string();
    assert!(fault.ends_with("is not the table of the program's list"), "{fault}");
}
