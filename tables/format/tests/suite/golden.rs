//! The tables in the repository: today's code writes the same bytes and reads the same values.

use std::fs;
use std::path::{Path, PathBuf};

use makruk_format::index::Layout;
use makruk_format::value::{Bounds, Metric, Score, Value};
use makruk_format::{AnyValue, FORMAT_VERSION, Kind, Listed, Spec, Table, TableFolder, TableId, ValueList};
use makruk_rules::{ByColor, Color};

use crate::common::{AllCodes, id, spec, value, write};

fn golden() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// Made-up values: three with White to move, two with Black.
fn distances() -> ByColor<ValueList> {
    let white = vec![(Value::Draw, 1000), (Value::Win(1), 20), (Value::Loss(358), 3_000_000_000)];
    let black = vec![(Value::Draw, 1), (Value::Loss(0), 12)];
    ByColor { white: ValueList::new(white).unwrap(), black: ValueList::new(black).unwrap() }
}

/// The classes of the same numbers.
fn classes() -> ByColor<ValueList<Bounds>> {
    distances().map(|list| {
        let ends: Vec<(Score, u64)> = list.entries().iter().map(|&(value, count)| (value.into(), count)).collect();
        ValueList::of_classes(&ends).unwrap()
    })
}

/// A table of made-up values.
fn table<V: Listed>(material: &str, metric: Metric, values: ByColor<ValueList<V>>) -> (Spec<V>, AllCodes) {
    let Spec { material, rules, stored, .. } = spec(material, metric, [1, 1]);
    let spec = Spec { material, metric, rules, generator: "golden 2".to_owned(), stored, values };
    let shift = if metric == Metric::Dtm { 0 } else { 5 };
    let codes = ByColor::from_fn(|side| {
        let code = |at: u64| ((at / 97 + at * at / 4096 + shift / 5) % (3 - side as u64)) as u16;
        (0..spec.positions()).map(code).collect()
    });
    (spec, codes)
}

const METRICS: [Metric; 3] = [Metric::Dtm, Metric::Dtz, Metric::Category];

/// Without and with pawns.
const MATERIALS: [&str; 2] = ["KMvK", "KPvK"];

fn tables() -> impl Iterator<Item = (&'static str, Metric)> {
    MATERIALS.into_iter().flat_map(|material| METRICS.map(|metric| (material, metric)))
}

/// Writes DTM, a DTZ table that refers to it, and a category table of each material.
fn write_all(folder: &Path) {
    for material in MATERIALS {
        let (dtm, first) = table(material, Metric::Dtm, distances());
        let (codecs, bytes) = write(folder, &dtm, &first, None);
        let crc = Table::<_, Value>::from_bytes(bytes, format!("{material}.dtm")).unwrap().header().checksum();
        let (dtz, second) = table(material, Metric::Dtz, distances());
        write(folder, &dtz, &second, Some((&first, &codecs, crc)));
        let (category, codes) = table(material, Metric::Category, classes());
        write(folder, &category, &codes, None);
    }
}

/// After a change of the format, `GOLDEN=write cargo test -p makruk-tables --test suite golden` writes the files anew.
#[test]
fn the_golden_tables_are_what_is_written() {
    if std::env::var_os("GOLDEN").is_some_and(|what| what == "write") {
        write_all(&golden());
    }
    let place = tempfile::tempdir().unwrap();
    write_all(place.path());
    for (material, metric) in tables() {
        let name = format!("{material}.{metric}");
        let (old, new) = (fs::read(golden().join(&name)).unwrap(), fs::read(place.path().join(&name)).unwrap());
        assert_eq!(old[8..12], FORMAT_VERSION.to_le_bytes());
        assert!(old == new, "{name} has other bytes than before");
    }
}

fn assert_reads<V: Listed>(material: &str, metric: Metric, values: ByColor<ValueList<V>>) {
    let (spec, codes) = table(material, metric, values);
    let found = TableFolder::open_existing(golden()).unwrap().open::<V>(spec.id()).unwrap();
    assert_eq!(found.spec(), &spec);
    found.verify().unwrap();
    let layout = Layout::new(spec.material);
    for side in Color::ALL {
        for number in (0..spec.positions()).filter(|&number| layout.position_at(side, number).is_some()) {
            let expected = spec.values[side].value(codes[side][number as usize]).unwrap();
            assert_eq!(value(&found, side, number).unwrap(), expected);
        }
    }
}

#[test]
fn the_golden_tables_read_as_they_did() {
    for material in MATERIALS {
        assert_reads(material, Metric::Dtm, distances());
        assert_reads(material, Metric::Dtz, distances());
        assert_reads(material, Metric::Category, classes());
    }
}

#[test]
fn a_table_is_read_as_one_of_its_own_values() {
    let folder = TableFolder::open_existing(golden()).unwrap();
    for error in
        [folder.open::<Value>(id("KMvK.category")).unwrap_err(), folder.open::<Bounds>(id("KMvK.dtz")).unwrap_err()]
    {
        assert_eq!(error.kind(), Kind::Misuse, "{error}");
    }
    // A file of another metric than its name says is not the caller's mistake.
    let renamed = tempfile::tempdir().unwrap();
    std::fs::copy(golden().join("KMvK.category"), renamed.path().join("KMvK.dtm")).unwrap();
    let error = TableFolder::open_existing(renamed.path()).unwrap().open::<Value>(id("KMvK.dtm")).unwrap_err();
    assert_eq!(error.kind(), Kind::OtherTable(id("KMvK.category")), "{error}");
    for (material, metric) in tables() {
        let table = folder.open::<AnyValue>(TableId { material: material.parse().unwrap(), metric }).unwrap();
        table.verify().unwrap();
        assert_eq!(table.spec().values.black.len(), 2);
    }
}

#[test]
fn classes_of_the_golden_category_table_begin_behind_those_before_them() {
    let table = TableFolder::open_existing(golden()).unwrap().open::<Bounds>(id("KMvK.category")).unwrap();
    let value = |side, code| table.value_of_code(side, 0, code).ok();
    assert_eq!(value(Color::White, 0), Some(Bounds::exactly(Score::Draw)));
    assert_eq!(value(Color::White, 1), Some(Bounds::exactly(Score::Win(1))));
    assert_eq!(value(Color::White, 2), Some(Bounds { worst: Score::Loss(0), best: Score::Loss(358) }));
    assert_eq!(value(Color::Black, 1), Some(Bounds::exactly(Score::Loss(0))));
    assert_eq!(value(Color::Black, 2), None);
}
