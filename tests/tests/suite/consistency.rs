//! Every value of a table follows from the values of its successors by one ply of minimax: all three- and four-men tables in
//! every position, a few five-men tables in a sample; and a planted wrong value is found.

use std::fs;

use makruk_generator::{Consistency, Options, Silent, StoredSides, build, stored_tables, verify_consistency};
use makruk_tables::format::{Storage, TableFolder, ValueList};
use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::{ByColor, Color, CountingRules};
use makruk_tables::tablebase::TableId;
use makruk_tables::value::{Metric, Value};
use makruk_tests::built;

fn check(folder: &TableFolder, material: Material, sample: Option<u64>) -> Consistency {
    verify_consistency(folder, material, sample, &CountingRules::MAKRUK, &Silent).expect("the tables can be read")
}

fn assert_sound(found: &Consistency) {
    let lines =
        found.examples.iter().map(ToString::to_string).chain(found.wrong_totals.iter().map(ToString::to_string));
    assert!(found.is_sound(), "{}: {} wrong\n{}", found.material, found.wrong, lines.collect::<Vec<_>>().join("\n"));
    println!("{}: {} positions follow from their moves", found.material, found.positions);
}

#[test]
#[ignore = "goes through all positions of 24 materials"]
fn every_table_of_three_and_four_men() {
    let folder = built::small_tables();
    let mut positions = 0;
    for material in (3..=4).flat_map(Material::all) {
        let found = check(&folder, material, None);
        assert_sound(&found);
        positions += found.positions;
    }
    println!("24 materials, {positions} positions");
}

#[test]
#[ignore = "builds and reads tables of five men"]
fn a_sample_of_five_men() {
    let materials: Vec<Material> =
        ["KRRvKR", "KNNMvK", "KRvKNM", "KNMvKS"].map(|name| name.parse().expect("a material")).into_iter().collect();
    let folder = built::tables(materials.iter().copied());
    for material in materials {
        let found = check(&folder, material, Some(50_000));
        assert!(found.positions > 50_000);
        assert_sound(&found);
    }
}

#[test]
fn a_planted_wrong_value_is_found() {
    let folder = built::small_tables();
    let material: Material = "KRvKN".parse().expect("a material");
    for metric in Metric::DISTANCES {
        // A copy of the folder in which one value is another, with everything else in order: totals and checksums.
        let other = tempfile::tempdir().expect("a folder");
        for table in folder.list().expect("tables") {
            fs::copy(folder.path().join(table.to_string()), other.path().join(table.to_string())).expect("a copy");
        }
        let copy = TableFolder::open_existing(other.path()).expect("the copy");
        let (number, was, now) = plant(&copy, material, metric);
        copy.open(&material.to_string(), metric).and_then(|table| table.verify()).expect("checksums are in order");

        let found = check(&copy, material, None);
        assert!(found.wrong_totals.is_empty());
        let planted = found.examples.iter().find(|wrong| wrong.number == number).expect("the planted value is found");
        assert_eq!((planted.metric, planted.position.turn()), (metric, Color::White));
        assert_eq!((planted.found, planted.expected), (now, was));
        println!("planted and found: {planted}");
    }
}

/// Makes one won value of White's a longer win, and writes the material's tables anew: one that refers to another is written so
/// that it refers to none.
fn plant(folder: &TableFolder, material: Material, planted: Metric) -> (u64, Value, Value) {
    let layout = Layout::new(material);
    let tables = Metric::DISTANCES.map(|metric| folder.open(&material.to_string(), metric).expect("the table"));
    let mut all = tables.iter().map(|table| {
        let side = |side| {
            let (mut codes, mut values) = (Vec::new(), Vec::new());
            for slab in 0..layout.slabs() {
                table.slab_codes(side, slab, &mut codes).expect("sound blocks");
                values.extend(codes.iter().map(|&code| table.spec().values[side].value(code).expect("a listed value")));
            }
            values
        };
        (table.spec().clone(), ByColor::from_fn(side))
    });
    let (was, now) = (Value::Win(9), Value::Win(11));
    let mut place = 0;
    for (mut spec, mut values) in all.by_ref().collect::<Vec<_>>() {
        if spec.metric == planted {
            let white = &mut values.white;
            place = (layout.positions().white / 3..layout.positions().white)
                .find(|&number| white[number as usize] == was && layout.position_at(Color::White, number).is_some())
                .expect("a win in nine");
            white[place as usize] = now;
            let weight = layout.kings().weight((place / layout.slab_len()) as usize);
            let totals = spec.values.white.entries().iter().map(|&(value, total)| match value {
                _ if value == was => (value, total - weight),
                _ if value == now => (value, total + weight),
                _ => (value, total),
            });
            spec.values.white = ValueList::new(totals.collect()).expect("a list");
        }
        built::write(folder, &layout, spec, &values);
    }
    (place, was, now)
}

/// A folder with the tables of a material, and a search table.
fn with_search(name: &str) -> (tempfile::TempDir, TableFolder, Material) {
    let place = tempfile::tempdir().expect("a folder");
    let folder = TableFolder::create(place.path()).expect("a folder");
    let material: Material = name.parse().expect("a material");
    build(&folder, [material], &Options { search: true, ..Options::default() }, &Silent).expect("the tables");
    (place, folder, material)
}

#[test]
fn a_class_that_a_search_table_lacks_is_found() {
    let (_place, folder, material) = with_search("KRvKS");
    assert_sound(&check(&folder, material, None));
    let (layout, never) = (Layout::new(material), Value::Win(65535));
    let table = folder.open(&material.to_string(), Metric::Search).expect("the table");
    let mut spec = table.spec().clone();
    // The wins without a conversion have the code of draws, as they would if the list had no class for them.
    let values = ByColor::from_fn(|side| {
        let (mut codes, mut values) = (Vec::new(), Vec::new());
        for slab in 0..layout.slabs() {
            table.slab_codes(side, slab, &mut codes).expect("sound blocks");
            values.extend(codes.iter().map(|&code| spec.values[side].value(code).expect("a listed value")));
        }
        values
            .iter_mut()
            .filter(|value| side == Color::White && **value == never)
            .for_each(|value| *value = Value::Draw);
        values
    });
    let entries = spec.values.white.entries().to_vec();
    let planted = entries.iter().find(|entry| entry.0 == never).expect("wins without a conversion").1;
    assert!(planted > 0);
    let others = entries.into_iter().filter(|entry| entry.0 != never);
    let entries = others.map(|(value, total)| (value, if value == Value::Draw { total + planted } else { total }));
    spec.values.white = ValueList::new(entries.collect()).expect("a list");
    built::write(&folder, &layout, spec, &values);

    let found = check(&folder, material, None);
    assert!(found.wrong > 0 && found.wrong <= planted, "{found}");
    let wrong = found.examples.first().expect("an example");
    assert_eq!((wrong.metric, wrong.found, wrong.expected), (Metric::Search, Value::Draw, never));
}

#[test]
fn the_list_of_an_omitted_side_of_a_search_table_is_checked() {
    let (_place, folder, material) = with_search("KRvK");
    for sample in [None, Some(5_000)] {
        assert_sound(&check(&folder, material, sample));
    }
    let layout = Layout::new(material);
    let table = folder.open(&material.to_string(), Metric::Search).expect("the table");
    assert_eq!(table.storage(Color::Black), Storage::Absent);
    let (mut codes, mut white) = (Vec::new(), Vec::new());
    for slab in 0..layout.slabs() {
        table.slab_codes(Color::White, slab, &mut codes).expect("sound blocks");
        white.extend(codes.iter().map(|&code| table.spec().values.white.value(code).expect("a listed value")));
    }
    let values = ByColor { white, black: Vec::new() };
    let entries = table.spec().values.black.entries();
    let is_loss = |value| matches!(value, Value::Loss(_));
    let lossless = entries.iter().copied().filter(|entry| !is_loss(entry.0)).collect();
    let one_more = entries.iter().map(|&(value, total)| (value, total + u64::from(value == Value::Draw))).collect();
    for (list, are_lost) in [(lossless, true), (one_more, false)] {
        let mut spec = table.spec().clone();
        spec.values.black = ValueList::new(list).expect("a list");
        built::write(&folder, &layout, spec, &values);
        let found = check(&folder, material, None);
        assert!(!found.is_sound() && (found.wrong > 0) == are_lost, "{found}");
        for wrong in &found.wrong_totals {
            assert_eq!((wrong.metric, wrong.side), (Metric::Search, Color::Black), "{wrong}");
            assert_eq!(wrong.value, Value::Draw, "{wrong}");
        }
        // A sample has no totals, but its losses are none of the list.
        assert_eq!(check(&folder, material, Some(5_000)).is_sound(), !are_lost);
    }
}

#[test]
fn a_side_that_is_left_out_follows_from_the_other() {
    let place = tempfile::tempdir().expect("a folder");
    let both = TableFolder::create(place.path().join("both")).expect("a folder");
    let white = TableFolder::create(place.path().join("white")).expect("a folder");
    let materials: Vec<Material> = ["KRvKN", "KSvKM"].map(|name| name.parse().expect("a material")).to_vec();
    for (folder, stored) in [(&both, StoredSides::Both), (&white, StoredSides::White)] {
        let options = Options { stored, ..Options::default() };
        build(folder, materials.iter().copied(), &options, &Silent).expect("the tables");
    }
    for material in Material::with_descendants(materials) {
        assert_sound(&check(&white, material, None));
        let (whole, part) =
            (stored_tables(&both, &CountingRules::MAKRUK), stored_tables(&white, &CountingRules::MAKRUK));
        let layout = Layout::new(material);
        for &metric in material.distance_metrics() {
            let id = TableId { material, metric };
            let [whole, part] = [&whole, &part].map(|tables| tables.side(id, Color::Black).expect("a side"));
            let (mut expected, mut found) = (Vec::new(), Vec::new());
            for slab in 100..103 {
                whole.slab(slab, &mut expected).expect("stored values");
                part.slab(slab, &mut found).expect("derived values");
                for (number, (&found, &expected)) in
                    (slab as u64 * layout.slab_len()..).zip(found.iter().zip(&expected))
                {
                    if let Some(position) = layout.position_at(Color::Black, number) {
                        let (found, expected) =
                            (part.values()[usize::from(found)], whole.values()[usize::from(expected)]);
                        assert_eq!(found, expected, "{metric} of {position:?}");
                    }
                }
            }
        }
    }
}
