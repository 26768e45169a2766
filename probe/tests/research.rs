//! Scans of whole sets, against the prober asked about every position of them.
#![cfg(feature = "research")]

mod common;

use std::error::Error;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};

use makruk_generator::{Options, Silent, StoredSides, build};
use makruk_probe::research::{self, Found, Order, Settings, scan};
use makruk_probe::{Category, Prober, Tables};
use makruk_tables::format::{Metric, TableFolder};
use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, Fen};

type Failure = Box<dyn Error + Send + Sync>;

fn set(name: &str) -> Material {
    name.parse().unwrap()
}

/// All saves of some places.
fn found(prober: &Prober, order: &Order, places: Range<u64>, threads: usize) -> Vec<Found> {
    let mut found = Vec::new();
    let sink = |save| {
        found.push(save);
        Ok::<_, Failure>(ControlFlow::Continue(()))
    };
    let settings = Settings { threads: Some(threads) };
    let ended = scan(prober, order, places.clone(), &settings, |save| Ok(Some(save)), sink, &mut research::Silent);
    let ended = ended.unwrap();
    assert_eq!((ended.next, ended.found), (places.end, found.len() as u64));
    found
}

/// What the prober says of each position of a side that is not another's image: the numbers of saves.
fn asked(prober: &Prober, layout: &Layout, side: Color) -> Vec<u64> {
    let all = layout.positions()[side];
    let half = all / 2;
    let ask = |numbers: Range<u64>| -> Vec<u64> {
        numbers
            .filter(|&number| {
                let Some(position) = layout.position_at(side, number) else { return false };
                let first = layout.index(&position) == Some((side, number));
                let fen = Fen { position, count: None, fullmove: 1 };
                first && prober.probe(&fen).unwrap().category == Category::BlessedLoss
            })
            .collect()
    };
    std::thread::scope(|scope| {
        let first = scope.spawn(|| ask(0..half));
        let mut second = ask(half..all);
        let mut asked = first.join().unwrap();
        asked.append(&mut second);
        asked
    })
}

/// A folder with the tables of another but for some metrics.
fn without(folder: &Path, metrics: &[Metric]) -> tempfile::TempDir {
    let copy = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let name = entry.file_name();
        if !metrics.iter().any(|metric| name.to_string_lossy().ends_with(metric.name())) {
            std::fs::hard_link(entry.path(), copy.path().join(name)).unwrap();
        }
    }
    copy
}

/// A folder in which tables leave Black to move out.
fn of_white_alone() -> tempfile::TempDir {
    let path = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let folder = TableFolder::create(path.path()).unwrap();
    let options = Options { threads: Some(2), stored: StoredSides::White, ..Options::default() };
    build(&folder, ["KRvKM", "KRvKS", "KSvKM", "KRvKN"].map(set), &options, &Silent).unwrap();
    path
}

#[test]
fn scans_find_what_the_prober_says_of_every_position_whatever_tables_there_are() {
    let folder = common::folder();
    TableFolder::create(folder).unwrap();
    let options = Options { threads: Some(2), ..Options::default() };
    build(&TableFolder::open_existing(folder).unwrap(), ["KRvKM", "KRvKN"].map(set), &options, &Silent).unwrap();
    let white = of_white_alone();
    let heavy = without(folder, &[Metric::Wdl]);
    let white_heavy = without(white.path(), &[Metric::Wdl]);
    let light = without(folder, &[Metric::Dtm, Metric::Dtz]);
    let white_light = without(white.path(), &[Metric::Dtm, Metric::Dtz]);
    let paths: [PathBuf; 6] =
        [folder, heavy.path(), white.path(), white_heavy.path(), light.path(), white_light.path()].map(PathBuf::from);
    let prober = common::prober();
    for name in ["KRvKM", "KRvKN", "KRvKS", "KSvKM"] {
        let layout = Layout::new(set(name));
        for side in Color::ALL {
            let expected = asked(&prober, &layout, side);
            let order = Order::new([set(name)], Some(side));
            for path in &paths {
                let found = found(&Prober::new(Tables::new(path)), &order, 0..order.len(), 2);
                let numbers: Vec<u64> = found.iter().map(|found| found.cursor.number).collect();
                assert!(numbers == expected, "{name} {side} {}: {} saves", path.display(), expected.len());
            }
        }
    }
}
