//! Every value of a table is what one ply of minimax makes of its successors' values: all three- and four-men tables in
//! every position, a few five-men tables in a sample; and a planted wrong value is found.

use std::fs;

use makruk_generator::{Consistency, Silent, verify_consistency};
use makruk_tables::format::{Codes, EncodedBlock, Metric, TableFolder, TableWriter, Value, ValueList};
use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, CountingRules};
use makruk_tests::built;

fn check(folder: &TableFolder, set: Material, sample: Option<u64>) -> Consistency {
    verify_consistency(folder, set, sample, &CountingRules::MAKRUK, &Silent).expect("the tables can be read")
}

fn assert_sound(found: &Consistency) {
    let lines =
        found.examples.iter().map(ToString::to_string).chain(found.wrong_totals.iter().map(ToString::to_string));
    assert!(found.is_sound(), "{}: {} wrong\n{}", found.set, found.wrong, lines.collect::<Vec<_>>().join("\n"));
    println!("{}: {} positions follow from their moves", found.set, found.positions);
}

#[test]
fn every_table_of_three_and_four_men() {
    let folder = built::small_tables();
    let mut positions = 0;
    for set in (3..=4).flat_map(Material::all) {
        let found = check(&folder, set, None);
        assert_sound(&found);
        positions += found.positions;
    }
    println!("24 sets, {positions} positions");
}

#[test]
fn a_sample_of_five_men() {
    let sets: Vec<Material> =
        ["KRRvKR", "KNNMvK", "KRvKNM", "KNMvKS"].map(|name| name.parse().expect("a set")).into_iter().collect();
    let folder = built::tables(sets.iter().copied());
    for set in sets {
        let found = check(&folder, set, Some(200_000));
        assert!(found.positions > 200_000);
        assert_sound(&found);
    }
}

#[test]
fn a_planted_wrong_value_is_found() {
    let folder = built::small_tables();
    let set: Material = "KRvKN".parse().expect("a set");
    for metric in Metric::ALL {
        // A copy of the folder in which one value is another, with everything else in order: totals and checksums.
        let other = tempfile::tempdir().expect("a folder");
        for table in folder.list().expect("tables") {
            fs::copy(folder.path().join(table.to_string()), other.path().join(table.to_string())).expect("a copy");
        }
        let copy = TableFolder::open_existing(other.path()).expect("the copy");
        let (number, was, now) = plant(&copy, set, metric);
        copy.open(&set.to_string(), metric).and_then(|table| table.verify()).expect("checksums are in order");

        let found = check(&copy, set, None);
        assert!(found.wrong_totals.is_empty());
        let planted = found.examples.iter().find(|wrong| wrong.number == number).expect("the planted value is found");
        assert_eq!((planted.metric, planted.position.turn()), (metric, Color::White));
        assert_eq!((planted.found, planted.expected), (now, was));
        println!("planted and found: {planted}");
    }
}

/// Makes one won value of White's a longer win, and writes the table anew.
fn plant(folder: &TableFolder, set: Material, metric: Metric) -> (u64, Value, Value) {
    let table = folder.open(&set.to_string(), metric).expect("the table");
    let mut spec = table.spec().clone();
    let layout = Layout::new(set);
    let mut values = Vec::new();
    table.decode_range(Color::White, 0..table.positions(), &mut values).expect("sound blocks");
    let (was, now) = (Value::Win(9), Value::Win(11));
    let number = (0..table.positions())
        .skip(table.positions() as usize / 3)
        .find(|&number| values[number as usize] == was && layout.position_at(Color::White, number).is_some())
        .expect("a win in nine");
    values[number as usize] = now;

    let weight = layout.kings().weight((number / layout.slab_len()) as usize);
    let totals = spec.values.white.entries().iter().map(|&(value, total)| match value {
        _ if value == was => (value, total - weight),
        _ if value == now => (value, total + weight),
        _ => (value, total),
    });
    spec.values.white = ValueList::new(totals.collect()).expect("a list");
    let mut writer = TableWriter::create(folder.path(), spec.clone()).expect("a writer");
    for side in Color::ALL {
        if side == Color::Black {
            table.decode_range(side, 0..table.positions(), &mut values).expect("sound blocks");
        }
        let codes: Vec<u8> =
            values.iter().map(|&value| spec.values[side].code(value).expect("a listed value") as u8).collect();
        for codes in codes.chunks(spec.block_len as usize) {
            writer.push(side, &EncodedBlock::encode(Codes::One(codes), 3)).expect("the next block");
        }
    }
    writer.finish().expect("the table");
    (number, was, now)
}
