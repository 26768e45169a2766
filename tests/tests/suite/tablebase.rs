//! The one reader. Sides that are stored, derived and cached give the same values, slab by slab and position
//! by position. Each failure of a table is reported as what it is.

use std::fmt::Debug;
use std::fs;
use std::sync::Arc;

use makruk_format::index::Layout;
use makruk_format::{Access, Spec, Storage, TableFolder, ValueList};
use makruk_generator::CachedSides;
use makruk_rules::{ByColor, Color, CountingRules, Position};
use makruk_tables::material::Material;
use makruk_tables::tablebase::{SideReader, SideSource, TableError, TableId, Tablebase};
use makruk_tables::value::{Metric, MovesLeft, Value};
use makruk_tests::whole_table;
use tempfile::TempDir;

/// Its tables with White to move alone: Black, without a rook, is derived by slabs.
const MATERIAL: &str = "KRvKM";

fn material(name: &str) -> Material {
    name.parse().expect("a material")
}

/// Tables with both sides of a material of four men.
fn both_sides(name: &str) -> TableFolder {
    test_tables::usual([material(name)])
}

/// Tables with one side of a material and of those that it leads to.
fn one_side(name: &str) -> TableFolder {
    test_tables::one_sided([material(name)])
}

/// A copy of tables, which a test may damage.
fn own(tables: &TableFolder, name: &str) -> (TempDir, TableFolder) {
    let place = test_tables::own(tables, [material(name)]);
    let folder = TableFolder::open_existing(place.path()).expect("a folder");
    (place, folder)
}

/// The values of a slab's legal positions, by whole slabs.
fn values_of<V: Copy>(reader: &dyn SideReader<V>, layout: &Layout, side: Color, slab: usize) -> Vec<(Position, V)> {
    let mut codes = vec![7];
    reader.slab(slab, &mut codes).expect("a slab");
    assert_eq!(codes.len() as u64, layout.slab_len());
    assert!(codes.iter().all(|&code| usize::from(code) < reader.values().len()), "codes are places in the list");
    let numbers = slab as u64 * layout.slab_len()..;
    let positions = numbers.map(|number| layout.position_at(side, number));
    let values = codes.into_iter().map(|code| reader.values()[usize::from(code)]);
    positions.zip(values).filter_map(|(position, value)| Some((position?, value))).collect()
}

#[test]
fn all_sides_give_the_same_values() {
    all_sides_agree(MATERIAL, Color::White);
    // White is derived by slabs, promotions included.
    assert!(test_tables::WITHOUT_WHITE.contains(&"KNPvK"));
    all_sides_agree("KNPvK", Color::Black);
}

/// Compares the tables of a material that have both sides with those that have one.
fn all_sides_agree(name: &str, one: Color) {
    let material = material(name);
    let both = Tablebase::new(both_sides(name).path());
    let single = Tablebase::new(one_side(name).path());
    let forgetful = Tablebase::builder().folders([one_side(name).path()]).derived_bytes(0).build();
    let cached = CachedSides::new(&single, 1 << 30, |_, _| true);
    let crowded = CachedSides::new(&single, 10_000, |_, _| true);
    let layout = Layout::new(material);
    for &metric in material.distance_metrics() {
        let id = TableId { material, metric };
        assert_eq!(single.table::<Value>(id).expect("a table").storage(!one), Storage::Absent);
        for side in Color::ALL {
            let stored = both.side(id, side).expect("a stored side");
            let mut others = vec![single.side(id, side).expect("a side")];
            for source in [&forgetful as &dyn SideSource, &cached, &cached, &crowded] {
                others.push(source.side(id, side).expect("a side from another source"));
            }
            assert_agree(&layout, side, &stored, &others, |position| {
                [&both, &single].map(|tablebase| tablebase.value(position, metric).expect("a value"))
            });
        }
    }
    for side in Color::ALL {
        let left = MovesLeft::of(material, &CountingRules::MAKRUK);
        let sides = [&both, &single].map(|tables| tables.scores_side(material, side).expect("a side"));
        for slab in [0, 1, 230, layout.slabs() - 1] {
            let [stored, other] = sides.each_ref().map(|reader| values_of(&**reader, &layout, side, slab));
            for ((position, stored), (_, other)) in stored.iter().zip(other) {
                let expected = left.category(*stored);
                assert_eq!(left.category(other), expected, "{position:?}");
                for tables in [&both, &single] {
                    assert_eq!(tables.category(position).expect("a category"), expected, "{position:?}");
                }
            }
        }
    }
    assert!(crowded.bytes_left() < 10_000 && cached.bytes_left() < 1 << 30);
}

/// Checks that all sides, and the probes of a position, give the values of the first side.
fn assert_agree<V: Copy + PartialEq + Debug>(
    layout: &Layout,
    side: Color,
    stored: &Arc<dyn SideReader<V>>,
    others: &[Arc<dyn SideReader<V>>],
    probes: impl Fn(&Position) -> [V; 2],
) {
    for slab in [0, 1, 230, layout.slabs() - 1] {
        let expected = values_of(&**stored, layout, side, slab);
        for other in others {
            assert_eq!(values_of(&**other, layout, side, slab), expected, "{side} {slab} {other:?}");
        }
        for (position, value) in expected.iter().step_by(7) {
            for position in [position.clone(), position.color_flipped()] {
                assert_eq!(probes(&position), [*value; 2], "{position:?}");
            }
        }
    }
}

#[allow(unsafe_code)]
fn mapped() -> Access {
    // SAFETY: nobody modifies these tables.
    unsafe { Access::mapped() }
}

/// Of a side that is omitted, both distances are derived together, with and without a cache, files in memory or draws
/// by category.
#[test]
fn both_distances_are_those_of_each() {
    let (names, tries) = (["KRvKM", "KRvKR", "KNPvK"], 700);
    let mut rng = fastrand::Rng::with_seed(23);
    let (mut decided, mut differing, mut mates) = (0, 0, 0);
    for name in names {
        let (both, one) = (both_sides(name), one_side(name));
        let stored = Tablebase::builder().folders([both.path()]).cache_bytes(0).build();
        let (_place, with_category) = own(&one, name);
        let id = TableId { material: material(name), metric: Metric::Category };
        std::fs::copy(both.path_of(id), with_category.path_of(id)).expect("a category table of both sides");
        let read = Access::positional();
        let derived =
            [(&one, 0, read), (&one, 0, mapped()), (&one, 1 << 20, mapped()), (&with_category, 1 << 20, read)].map(
                |(folder, bytes, access)| {
                    Tablebase::builder().folders([folder.path()]).cache_bytes(bytes).access(access).build()
                },
            );
        let layout = Layout::new(material(name));
        for side in Color::ALL {
            for _ in 0..tries {
                let Some(position) = layout.position_at(side, rng.u64(..layout.positions()[side])) else { continue };
                let expected = Metric::DISTANCES.map(|metric| stored.value(&position, metric).expect("a value"));
                for tablebase in std::iter::once(&stored).chain(&derived) {
                    let found = tablebase.distances(&position).expect("distances");
                    assert_eq!([found.dtm, found.dtz], expected, "{name} {position:?}");
                }
                decided += usize::from(expected[0] != Value::Draw);
                differing += usize::from(expected[0] != expected[1]);
                mates += usize::from(expected[0] == Value::Win(1));
            }
        }
    }
    let few = names.len() * tries / 40;
    assert!(decided > 6 * few && differing > few && mates > few / 40, "{decided} {differing} {mates}");
}

/// Rooks keep a side from being derived by whole slabs.
#[test]
fn rooks_are_derived_position_by_position() {
    let both = Tablebase::new(both_sides("KRvKR").path());
    let white = Tablebase::new(one_side("KRvKR").path());
    let layout = Layout::new(material("KRvKR"));
    for &metric in material("KRvKR").distance_metrics() {
        let id = TableId { material: material("KRvKR"), metric };
        let [stored, derived] = [&both, &white].map(|tables| tables.side(id, Color::Black).expect("a side"));
        let expected = values_of(&*stored, &layout, Color::Black, 17);
        assert_eq!(values_of(&*derived, &layout, Color::Black, 17), expected, "{metric}");
    }
    let left = MovesLeft::of(layout.material(), &CountingRules::MAKRUK);
    let [stored, derived] = [&both, &white].map(|tables| {
        let side = tables.scores_side(layout.material(), Color::Black).expect("a side");
        let scores = values_of(&*side, &layout, Color::Black, 17).into_iter();
        scores.map(|(position, score)| (position, left.category(score))).collect::<Vec<_>>()
    });
    assert_eq!(derived, stored);
}

/// Writes a table that has one side with other lists.
fn rewrite(folder: &TableFolder, id: TableId, side: Color, values: ByColor<ValueList>) {
    let sound = folder.open::<Value>(id).expect("the table");
    let layout = Layout::new(id.material);
    assert_eq!(sound.storage(!side), Storage::Absent);
    let mut all = ByColor::from_fn(|_| Vec::new());
    all[side] = whole_table::values_of(&sound, side);
    whole_table::write(folder, &layout, Spec { values, ..sound.spec().clone() }, &all);
}

/// DTM is opened first, and DTZ after both files were replaced: it refers to another DTM.
#[test]
fn tables_that_are_replaced_keep_their_values() {
    let name = "KNPvK";
    let (_place, folder) = own(&one_side(name), name);
    let id = TableId { material: material(name), metric: Metric::Dtm };
    let (path, aside) = (folder.path_of(id), folder.path().join("aside"));
    fs::copy(&path, &aside).expect("a copy");
    let mut values = folder.open::<Value>(id).expect("the table").spec().values.clone();
    // The codes of all losses are others.
    let mut entries = values.black.entries().to_vec();
    let first = entries.iter().position(|entry| entry.0 == Value::Loss(6)).expect("the first loss");
    entries.insert(first, (Value::Loss(4), 1));
    values.black = ValueList::new(entries).expect("a list");
    rewrite(&folder, id, Color::Black, values);
    let tables = [0, 1 << 20].map(|bytes| {
        let tables = Tablebase::builder().folders([folder.path()]).cache_bytes(bytes).access(mapped()).build();
        tables.open(id).expect("the first DTM");
        tables
    });
    fs::rename(&aside, &path).expect("the other DTM");
    let stored = Tablebase::new(both_sides(name).path());
    let layout = Layout::new(id.material);
    let mut differing = 0;
    for number in (0..layout.positions()[Color::White]).step_by(251) {
        let Some(position) = layout.position_at(Color::White, number) else { continue };
        let expected = stored.distances(&position).expect("distances");
        for tables in &tables {
            assert_eq!(tables.distances(&position).expect("distances"), expected, "{position:?}");
        }
        differing += usize::from(expected.dtm != expected.dtz);
    }
    assert!(differing > 100, "{differing}");
}

#[test]
fn a_derived_value_that_the_list_lacks_is_an_error() {
    let name = "KRvK";
    let (_place, folder) = own(&one_side(name), name);
    let layout = Layout::new(material(name));
    let id = TableId { material: material(name), metric: Metric::Dtm };
    let mut values = folder.open::<Value>(id).expect("the table").spec().values.clone();
    let lost = values.black.values().find(|value| matches!(value, Value::Loss(plies) if *plies > 6)).expect("a loss");
    let entries = values.black.entries().iter().copied().filter(|entry| entry.0 != lost).collect();
    values.black = ValueList::new(entries).expect("a list");
    let tablebase = Tablebase::new(folder.path());
    let side = tablebase.side(id, Color::Black).expect("a side");
    let with = |slab: usize| values_of(&*side, &layout, Color::Black, slab).into_iter().find(|found| found.1 == lost);
    let (slab, position) = (0..layout.slabs())
        .find_map(|slab| Some((slab, with(slab)?.0)))
        .expect("a position lost in this number of plies");
    rewrite(&folder, id, Color::White, values);
    let mut codes = Vec::new();
    let tablebase = tablebase.reopened();
    let side = tablebase.side(id, Color::Black).expect("a side");
    for error in [
        side.slab(slab, &mut codes).expect_err("a slab"),
        tablebase.value(&position, Metric::Dtm).expect_err("a value"),
    ] {
        assert!(matches!(&error, TableError::Corrupt { id: of, .. } if *of == id), "{error}");
        assert!(error.to_string().contains("does not list"), "{error}");
        assert_eq!(error.path(), Some(&*folder.path().join(format!("{name}.dtm"))));
    }
}

#[test]
fn tables_that_fail_say_how() {
    let place = tempfile::tempdir().expect("a folder");
    let (_copies, folder) = own(&both_sides("KPvK"), "KPvK");
    let id: TableId = "KPvK.dtz".parse().expect("a table");
    let path = folder.path().join("KPvK.dtz");
    let error = |tablebase: Tablebase| tablebase.open(id).expect_err("a table that fails");
    let source = |error: &TableError| std::error::Error::source(error).map(ToString::to_string);
    Tablebase::new(folder.path()).open(id).expect("a sound table");

    // A table that says it holds for other rules.
    let mut spec = folder.open::<Value>(id).expect("the table").spec().clone();
    spec.rules = "no counting".to_owned();
    let draws = spec.values.clone().map(|_| vec![Value::Draw; spec.positions() as usize]);
    let elsewhere = TableFolder::create(place.path().join("elsewhere")).expect("a folder");
    whole_table::write(&elsewhere, &Layout::new(id.material), spec, &draws);
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

    // No file system reads a folder as a file, for any user.
    fs::create_dir(&path).expect("a folder of the table's name");
    let found = error(Tablebase::new(folder.path()));
    assert!(matches!(found, TableError::Unreadable { .. }) && source(&found).is_some(), "{found}");

    let crowd = "8/8/8/4P3/8/7k/MMMMMM2/K7 w - - 0 1".parse::<makruk_rules::Fen>().expect("a FEN").position;
    let found = Tablebase::new(folder.path()).value(&crowd, Metric::Dtm).expect_err("too many men");
    assert!(matches!(found, TableError::TooManyMen(_)) && found.id().is_none(), "{found}");
}

#[test]
fn a_category_table_has_no_distances() {
    let tables = Tablebase::new(test_tables::usual([material("KRvK")]).path());
    let id = TableId { material: material("KRvK"), metric: Metric::Category };
    let layout = Layout::new(id.material);
    for (side, storage) in [(Color::White, Storage::Blocks), (Color::Black, Storage::Absent)] {
        assert_eq!(tables.open(id).expect("a table").side(side).storage, storage);
        let position = (0..).find_map(|number| layout.position_at(side, number)).expect("a position");
        tables.bounds(&position).expect("bounds");
        let error = tables.value(&position, Metric::Category).expect_err("bounds are not a distance");
        assert!(matches!(&error, TableError::Misuse { id: refused, .. } if *refused == id), "{error:?}");
        assert!(error.to_string().contains("read as a table of another metric"), "{error}");
    }
}
