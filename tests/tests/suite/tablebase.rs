//! The one reader: sides that are stored, derived, in memory and cached give the same values, slab by slab and position by
//! position; and each failure of a table is reported as what it is.

use std::fs;

use makruk_generator::{MemoryTables, Options, Silent, StoredSides, build, solve_in_memory};
use makruk_tables::format::{Storage, TableFolder, ValueList};
use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::{ByColor, Color, CountingRules, Position};
use makruk_tables::tablebase::{CachedSides, SideReader, SideSource, TableError, TableId, Tablebase};
use makruk_tables::value::{Metric, Value, Wdl};
use makruk_tests::built;

/// Its tables with White to move alone: Black, without a rook, is derived by slabs.
const MATERIAL: &str = "KRvKM";

fn material(name: &str) -> Material {
    name.parse().expect("a material")
}

fn tables(folder: &std::path::Path, name: &str, stored: StoredSides) -> TableFolder {
    let folder = TableFolder::create(folder).expect("a folder");
    build(&folder, [material(name)], &Options { stored, ..Options::default() }, &Silent).expect("the tables");
    folder
}

fn in_memory(of: Material) -> MemoryTables {
    let mut tables = MemoryTables::default();
    for material in Material::with_descendants([of]) {
        let solved = solve_in_memory(material, &CountingRules::MAKRUK, &tables, &Silent).expect("a solved material");
        solved.into_iter().for_each(|(metric, table)| tables.insert(TableId { material, metric }, table));
    }
    tables
}

/// The values of a slab's legal positions, by whole slabs.
fn values_of(reader: &dyn SideReader, layout: &Layout, side: Color, slab: usize) -> Vec<(Position, Value)> {
    let mut codes = vec![7];
    reader.slab(slab, &mut codes).expect("a slab");
    assert_eq!(codes.len() as u64, layout.slab_len());
    assert!(codes.iter().all(|&code| usize::from(code) < reader.values().len()), "codes are places in the list");
    assert!(reader.values().is_sorted());
    let numbers = slab as u64 * layout.slab_len()..;
    let positions = numbers.map(|number| layout.position_at(side, number));
    let values = codes.into_iter().map(|code| reader.values()[usize::from(code)]);
    positions.zip(values).filter_map(|(position, value)| Some((position?, value))).collect()
}

#[test]
fn all_sides_give_the_same_values() {
    let place = tempfile::tempdir().expect("a folder");
    let both = Tablebase::new(tables(&place.path().join("both"), MATERIAL, StoredSides::Both).path());
    let white = Tablebase::new(tables(&place.path().join("white"), MATERIAL, StoredSides::White).path());
    let memory = in_memory(material(MATERIAL));
    let cached = CachedSides::new(&white, 1 << 30, |_, _| true);
    let crowded = CachedSides::new(&white, 10_000, |_, _| true);
    let layout = Layout::new(material(MATERIAL));
    for &metric in material(MATERIAL).table_metrics() {
        let id = TableId { material: material(MATERIAL), metric };
        for side in Color::ALL {
            let stored = both.side(id, side).expect("a stored side");
            let mut others = vec![white.side(id, side).expect("a side")];
            for source in [&cached as &dyn SideSource, &cached, &crowded] {
                others.push(source.side(id, side).expect("a cached side"));
            }
            match metric {
                Metric::Wdl => others.push(white.wdl_side(id.material, side).expect("categories")),
                _ => others.push(memory.side(id, side).expect("a side in memory")),
            }
            for slab in [0, 1, 230, layout.slabs() - 1] {
                let expected = values_of(&*stored, &layout, side, slab);
                for other in &others {
                    assert_eq!(values_of(&**other, &layout, side, slab), expected, "{id} {side} {slab} {other:?}");
                }
                for (position, value) in expected.iter().step_by(7) {
                    for position in [position.clone(), position.color_flipped()] {
                        for reader in std::iter::once(&stored).chain(&others) {
                            assert_eq!(reader.value(&position).expect("a value"), *value, "{position:?} {reader:?}");
                        }
                        for tablebase in [&both, &white] {
                            assert_eq!(tablebase.value(&position, metric).expect("a value"), *value);
                        }
                        if metric == Metric::Wdl {
                            assert_eq!(Some(white.wdl(&position).expect("a category")), Wdl::from_value(*value));
                        }
                    }
                }
            }
        }
    }
    assert!(crowded.bytes_left() < 10_000 && cached.bytes_left() < 1 << 30);
}

/// Rooks keep a side from being derived by whole slabs.
#[test]
fn rooks_are_derived_position_by_position() {
    let place = tempfile::tempdir().expect("a folder");
    let both = Tablebase::new(tables(&place.path().join("both"), "KRvKR", StoredSides::Both).path());
    let white = Tablebase::new(tables(&place.path().join("white"), "KRvKR", StoredSides::White).path());
    let layout = Layout::new(material("KRvKR"));
    for &metric in material("KRvKR").table_metrics() {
        let id = TableId { material: material("KRvKR"), metric };
        let [stored, derived] = [&both, &white].map(|tables| tables.side(id, Color::Black).expect("a side"));
        let expected = values_of(&*stored, &layout, Color::Black, 17);
        assert_eq!(values_of(&*derived, &layout, Color::Black, 17), expected, "{metric}");
    }
}

#[test]
fn categories_come_from_distances_where_there_is_no_table_of_them() {
    let place = tempfile::tempdir().expect("a folder");
    for (name, stored) in [("KRvKM", StoredSides::White), ("KRvKM", StoredSides::Both), ("KRvKR", StoredSides::White)] {
        let folder = tables(&place.path().join(format!("{name}-{stored:?}")), name, stored);
        let with = Tablebase::new(folder.path());
        let bare = tempfile::tempdir().expect("a folder");
        for table in folder.list().expect("tables").into_iter().filter(|table| table.metric != Metric::Wdl) {
            fs::copy(folder.path().join(table.to_string()), bare.path().join(table.to_string())).expect("a copy");
        }
        let without = Tablebase::new(bare.path());
        let id = TableId { material: material(name), metric: Metric::Wdl };
        assert!(matches!(without.side(id, Color::White), Err(TableError::Missing { .. })));
        let layout = Layout::new(material(name));
        for side in Color::ALL {
            let [expected, found] = [&with, &without].map(|tables| tables.wdl_side(id.material, side).expect("a side"));
            for slab in [3, 400] {
                let expected = values_of(&*expected, &layout, side, slab);
                assert_eq!(values_of(&*found, &layout, side, slab), expected, "{name} {stored:?} {side}");
                for (position, value) in expected.iter().step_by(11) {
                    assert_eq!(found.value(position).expect("a value"), *value);
                }
            }
        }
    }
}

#[test]
fn a_derived_value_that_the_list_lacks_is_an_error() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = tables(place.path(), MATERIAL, StoredSides::White);
    let layout = Layout::new(material(MATERIAL));
    let sound = folder.open(MATERIAL, Metric::Dtm).expect("the table");
    let mut spec = sound.spec().clone();
    assert_eq!(spec.storage(Color::Black), Storage::Absent);
    let lost =
        spec.values.black.values().find(|value| matches!(value, Value::Loss(plies) if *plies > 6)).expect("a loss");
    let entries = spec.values.black.entries().iter().copied().filter(|entry| entry.0 != lost).collect();
    spec.values.black = ValueList::new(entries).expect("a list");
    let mut white = Vec::new();
    let mut codes = Vec::new();
    for slab in 0..layout.slabs() {
        sound.slab_codes(Color::White, slab, &mut codes).expect("a slab");
        white.extend(codes.iter().map(|&code| spec.values.white.value(code).expect("a value")));
    }
    let tablebase = Tablebase::new(folder.path());
    let id = TableId { material: material(MATERIAL), metric: Metric::Dtm };
    let side = tablebase.side(id, Color::Black).expect("a side");
    let with = |slab: usize| values_of(&*side, &layout, Color::Black, slab).into_iter().find(|found| found.1 == lost);
    let (slab, position) =
        (0..layout.slabs()).find_map(|slab| Some((slab, with(slab)?.0))).expect("a position lost in so many plies");
    built::write(&folder, &layout, spec, &ByColor { white, black: Vec::new() });
    let tablebase = tablebase.reopened();
    let side = tablebase.side(id, Color::Black).expect("a side");
    for error in [
        side.slab(slab, &mut codes).expect_err("a slab"),
        side.value(&position).expect_err("a value"),
        tablebase.value(&position, Metric::Dtm).expect_err("a value"),
    ] {
        assert!(matches!(&error, TableError::Corrupt { id: of, .. } if *of == id), "{error}");
        assert!(error.to_string().contains("does not list"), "{error}");
        assert_eq!(error.path(), Some(&*folder.path().join("KRvKM.dtm")));
    }
}

#[test]
fn tables_that_fail_say_how() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = tables(place.path(), "KRvKN", StoredSides::Both);
    let id: TableId = "KRvKN.dtz".parse().expect("a table");
    let path = folder.path().join("KRvKN.dtz");
    let error = |tablebase: Tablebase| tablebase.open(id).expect_err("a table that fails");
    let source = |error: &TableError| std::error::Error::source(error).map(ToString::to_string);
    Tablebase::new(folder.path()).open(id).expect("a sound table");

    // A table that says it holds for other rules.
    let mut spec = folder.open("KRvKN", Metric::Dtz).expect("the table").spec().clone();
    spec.rules = "no counting".to_owned();
    let draws = spec.values.clone().map(|_| vec![Value::Draw; spec.positions() as usize]);
    let elsewhere = TableFolder::create(place.path().join("elsewhere")).expect("a folder");
    built::write(&elsewhere, &Layout::new(id.material), spec, &draws);
    let found = error(Tablebase::new(elsewhere.path()));
    assert!(matches!(found, TableError::Unsupported { .. }) && source(&found).is_some(), "{found}");
    assert!(found.to_string().contains("expected makruk, found no counting"), "{found}");

    let mut bytes = fs::read(&path).expect("the table");
    bytes[200] ^= 1;
    fs::write(&path, &bytes).expect("a damaged table");
    let found = error(Tablebase::new(folder.path()));
    assert!(matches!(found, TableError::Corrupt { .. }) && source(&found).is_some(), "{found}");

    fs::remove_file(&path).expect("the table goes");
    let found = error(Tablebase::new(folder.path()));
    assert!(matches!(found, TableError::Missing { source: None, .. }), "{found}");
    assert_eq!((found.id(), found.path()), (Some(id), Some(path.as_path())));
    let found = error(Tablebase::new(folder.path().join("nowhere")));
    assert!(matches!(found, TableError::Missing { source: Some(_), .. }), "{found}");

    // A tablebase may remember that a table is missing, but not that its folder is.
    let folders = || Tablebase::builder().remember_missing(true);
    let away = folders().folder(folder.path().join("nowhere")).build();
    assert!(matches!(error(away.clone()), TableError::Missing { source: Some(_), .. }));
    fs::create_dir(folder.path().join("nowhere")).expect("a folder");
    assert!(matches!(error(away), TableError::Missing { source: None, .. }));
    let remembering = folders().folder(folder.path()).build();
    let missing = error(remembering.clone()).to_string();
    fs::create_dir(&path).expect("anything of the table's name");
    assert_eq!(error(remembering.clone()).to_string(), missing);
    remembering.forget_missing();
    assert!(matches!(error(remembering), TableError::Unreadable { .. }));
    fs::remove_dir(&path).expect("it goes");

    // No file system reads a folder as a file, for any user.
    fs::create_dir(&path).expect("a folder of the table's name");
    let found = error(Tablebase::new(folder.path()));
    assert!(matches!(found, TableError::Unreadable { .. }) && source(&found).is_some(), "{found}");

    let pawns = "8/8/8/4P3/8/k7/8/K7 w - - 0 1".parse::<makruk_tables::rules::Fen>().expect("a FEN").position;
    let found = Tablebase::new(folder.path()).value(&pawns, Metric::Dtm).expect_err("pawns");
    assert!(matches!(found, TableError::Material(_)) && found.id().is_none(), "{found}");
}

#[test]
fn a_search_table_has_no_values() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = TableFolder::create(place.path()).expect("a folder");
    build(&folder, [material("KRvK")], &Options { search: true, ..Options::default() }, &Silent).expect("the tables");
    let tables = Tablebase::new(folder.path());
    let id = TableId { material: material("KRvK"), metric: Metric::Search };
    let layout = Layout::new(id.material);
    for (side, storage) in [(Color::White, Storage::Blocks), (Color::Black, Storage::Absent)] {
        assert_eq!(tables.table(id).expect("a table").storage(side), storage);
        let position = (0..).find_map(|number| layout.position_at(side, number)).expect("a position");
        tables.search(&position).expect("bounds");
        let error = tables.value(&position, Metric::Search).expect_err("a class is no value");
        assert!(matches!(&error, TableError::Unsupported { id: refused, .. } if *refused == id), "{error:?}");
        assert!(error.to_string().contains("bounds"), "{error}");
    }
}
