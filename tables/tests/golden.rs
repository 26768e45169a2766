//! The tables in the repository: today's code writes the same bytes and reads the same values.

#![allow(clippy::unwrap_used)] // helpers outside of test functions

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{AllCodes, spec, value, write};
use makruk_tables::format::{FORMAT_VERSION, SEARCH_FORMAT_VERSION, Spec, Table, TableFolder, ValueList};
use makruk_tables::index::Layout;
use makruk_tables::rules::{ByColor, Color};
use makruk_tables::value::{Metric, PlyRange, SearchValue, Value};

fn golden() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// A table of made-up values: three with White to move, two with Black.
fn table(metric: Metric) -> (Spec, AllCodes) {
    let white = vec![(Value::Draw, 1000), (Value::Win(1), 20), (Value::Loss(358), 3_000_000_000)];
    let black = vec![(Value::Draw, 1), (Value::Loss(0), 12)];
    let values = ByColor { white: ValueList::new(white).unwrap(), black: ValueList::new(black).unwrap() };
    let spec = Spec { generator: "golden 2".to_owned(), values, ..spec("KMvK", metric, [1, 1]) };
    let shift = if metric == Metric::Dtm { 0 } else { 5 };
    let codes = ByColor::from_fn(|side| {
        let code = |at: u64| ((at / 97 + at * at / 4096 + shift / 5) % (3 - side as u64)) as u16;
        (0..spec.positions()).map(code).collect()
    });
    (spec, codes)
}

const METRICS: [Metric; 3] = [Metric::Dtm, Metric::Dtz, Metric::Search];

/// Writes DTM, a DTZ table that refers to it, and a search table.
fn write_all(folder: &Path) {
    let (dtm, first) = table(Metric::Dtm);
    let (codecs, bytes) = write(folder, &dtm, &first, None);
    let crc = Table::from_bytes(bytes, "KMvK.dtm").unwrap().header().checksum();
    let (dtz, second) = table(Metric::Dtz);
    write(folder, &dtz, &second, Some((&first, &codecs, crc)));
    let (search, codes) = table(Metric::Search);
    write(folder, &search, &codes, None);
}

/// After a change of the format, `GOLDEN=write cargo test -p makruk-tables --test golden` writes the files anew.
#[test]
fn the_golden_tables_are_what_is_written() {
    if std::env::var_os("GOLDEN").is_some_and(|what| what == "write") {
        write_all(&golden());
    }
    let place = tempfile::tempdir().unwrap();
    write_all(place.path());
    for metric in METRICS {
        let name = format!("KMvK.{metric}");
        let (old, new) = (fs::read(golden().join(&name)).unwrap(), fs::read(place.path().join(&name)).unwrap());
        let version = if metric == Metric::Search { SEARCH_FORMAT_VERSION } else { FORMAT_VERSION };
        assert_eq!(old[8..12], version.to_le_bytes());
        assert!(old == new, "{name} has other bytes than before");
    }
}

#[test]
fn the_golden_tables_read_as_they_did() {
    let folder = TableFolder::open_existing(golden()).unwrap();
    for metric in METRICS {
        let found = folder.open("KMvK", metric).unwrap();
        let (spec, codes) = table(metric);
        assert_eq!(found.spec(), &spec);
        found.verify().unwrap();
        let layout = Layout::new("KMvK".parse().unwrap());
        for side in Color::ALL {
            for number in (0..spec.positions()).filter(|&number| layout.position_at(side, number).is_some()) {
                let expected = spec.values[side].value(codes[side][number as usize]).unwrap();
                assert_eq!(value(&found, side, number).unwrap(), expected);
            }
        }
    }
}

#[test]
fn classes_of_the_golden_search_table_begin_behind_those_before_them() {
    let table = TableFolder::open_existing(golden()).unwrap().open("KMvK", Metric::Search).unwrap();
    let value = |side, code| table.search_value_of_code(side, 0, code).ok();
    assert_eq!(value(Color::White, 0), Some(SearchValue::Draw));
    assert_eq!(value(Color::White, 1), Some(SearchValue::Win(PlyRange::exactly(1))));
    assert_eq!(value(Color::White, 2), Some(SearchValue::Loss(PlyRange { least: 0, most: 358 })));
    assert_eq!(value(Color::Black, 1), Some(SearchValue::Loss(PlyRange::exactly(0))));
    assert_eq!(value(Color::Black, 2), None);
}
