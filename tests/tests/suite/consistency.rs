//! The faults that `makruk-gen verify` finds: a wrong value, and a class or a total that is missing from a list.
//!
//! It compares every value of a table with the values after its moves, by one ply of minimax.

use std::sync::atomic::{AtomicUsize, Ordering};

use makruk_format::index::Layout;
use makruk_format::{FileTable, Storage, TableFolder, ValueList};
use makruk_generator::{BuildError, Consistency, Progress, Silent, verify_consistency};
use makruk_rules::{ByColor, Color, CountingRules};
use makruk_tables::material::Material;
use makruk_tables::tablebase::TableId;
use makruk_tables::value::{Bounds, Metric, Score, Value};
use makruk_tests::whole_table;
use tempfile::TempDir;

fn check(folder: &TableFolder, material: Material, sample: Option<u64>) -> Consistency {
    verify_consistency(folder, material, sample, &CountingRules::MAKRUK, &Silent).expect("the tables can be read")
}

/// Tables of a material, which a test may change.
fn own(name: &str) -> (TempDir, TableFolder, Material) {
    let material: Material = name.parse().expect("a material");
    let place = test_tables::own(&test_tables::usual([material]), [material]);
    let folder = TableFolder::open_existing(place.path()).expect("a folder");
    (place, folder, material)
}

fn assert_sound(found: &Consistency) {
    let lines =
        found.examples.iter().map(ToString::to_string).chain(found.wrong_totals.iter().map(ToString::to_string));
    assert!(found.is_sound(), "{}: {} wrong\n{}", found.material, found.wrong, lines.collect::<Vec<_>>().join("\n"));
    println!("{}: {} positions follow from their moves", found.material, found.positions);
}

/// Asks to stop when it is asked for the nth time.
struct StopsAt {
    asked: AtomicUsize,
    stops_at: usize,
}

impl Progress for StopsAt {
    fn check(&self) -> Result<(), BuildError> {
        if self.asked.fetch_add(1, Ordering::Relaxed) == self.stops_at { Err(BuildError::Stopped) } else { Ok(()) }
    }
}

#[test]
fn a_check_can_be_stopped_between_slabs() {
    let material: Material = "KMPvK".parse().expect("a material");
    let folder = test_tables::usual([material]);
    assert_sound(&check(&folder, material, Some(5_000)));
    for stops_at in [0, 1, 30] {
        let progress = StopsAt { asked: AtomicUsize::new(0), stops_at };
        let stopped = verify_consistency(&folder, material, None, &CountingRules::MAKRUK, &progress);
        assert!(matches!(stopped, Err(BuildError::Stopped)), "{stops_at}: {stopped:?}");
        assert_eq!(progress.asked.into_inner(), stops_at + 1);
    }
}

#[test]
fn a_planted_wrong_value_is_found() {
    find_planted("KRvK");
}

#[test]
#[ignore = "four men, under both metrics: ten seconds"]
fn a_planted_wrong_value_of_four_men_is_found() {
    find_planted("KRvKN");
}

fn find_planted(name: &str) {
    let material: Material = name.parse().expect("a material");
    for &metric in material.distance_metrics() {
        // One value is another, with everything else in order: totals and checksums.
        let (_place, copy, _) = own(name);
        let (number, was, now) = plant(&copy, material, metric);
        copy.open::<Value>(TableId { material, metric })
            .and_then(|table| table.verify())
            .expect("checksums are in order");

        let found = check(&copy, material, None);
        assert!(found.wrong_totals.is_empty());
        let planted = found.examples.iter().find(|wrong| wrong.number == number).expect("the planted value is found");
        assert_eq!((planted.metric, planted.position.turn()), (metric, Color::White));
        assert_eq!((planted.found, planted.expected), (now.into(), was.into()));
        println!("planted and found: {planted}");
    }
}

/// Makes one won value of White's a longer win, and writes the material's tables anew: one that refers to another is
/// written so that it refers to none.
fn plant(folder: &TableFolder, material: Material, planted: Metric) -> (u64, Value, Value) {
    let layout = Layout::new(material);
    let open = |&metric| folder.open::<Value>(TableId { material, metric }).expect("the table");
    let tables: Vec<FileTable> = material.distance_metrics().iter().map(open).collect();
    let mut all =
        tables.iter().map(|table| (table.spec().clone(), ByColor::from_fn(|side| whole_table::values_of(table, side))));
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
        whole_table::write(folder, &layout, spec, &values);
    }
    (place, was, now)
}

#[test]
#[ignore = "four men: ten seconds"]
fn a_class_that_a_category_table_lacks_is_found() {
    let (_place, folder, material) = own("KRvKS");
    assert_sound(&check(&folder, material, Some(5_000)));
    let layout = Layout::new(material);
    let (never, draw) = (Bounds::exactly(Score::CursedWin), Bounds::exactly(Score::Draw));
    let table = folder.open::<Bounds>(TableId { material, metric: Metric::Category }).expect("the table");
    let mut spec = table.spec().clone();
    // The wins without a conversion have the code of draws, as they would if the list had no class for them.
    let values = ByColor::from_fn(|side| {
        let mut values = whole_table::values_of(&table, side);
        values.iter_mut().filter(|value| side == Color::White && **value == never).for_each(|value| *value = draw);
        values
    });
    let entries = spec.values.white.entries().to_vec();
    let planted = entries.iter().find(|entry| entry.0 == never).expect("wins without a conversion").1;
    assert!(planted > 0);
    let others = entries.into_iter().filter(|entry| entry.0 != never);
    let entries = others.map(|(value, total)| (value, if value == draw { total + planted } else { total }));
    spec.values.white = ValueList::new(entries.collect()).expect("a list");
    whole_table::write(&folder, &layout, spec, &values);

    let found = check(&folder, material, Some(20_000));
    assert!(found.wrong > 0 && found.wrong <= planted, "{found}");
    let wrong = found.examples.first().expect("an example");
    assert_eq!((wrong.metric, wrong.found, wrong.expected), (Metric::Category, draw.into(), never.into()));
}

#[test]
fn the_list_of_an_omitted_side_of_a_category_table_is_checked() {
    let (_place, folder, material) = own("KRvK");
    // Tables of distances may omit a side, too.
    for (folder, sample) in [(&folder, None), (&folder, Some(5_000)), (&test_tables::one_sided([material]), None)] {
        assert_sound(&check(folder, material, sample));
    }
    let layout = Layout::new(material);
    let table = folder.open::<Bounds>(TableId { material, metric: Metric::Category }).expect("the table");
    assert_eq!(table.storage(Color::Black), Storage::Absent);
    let values = ByColor { white: whole_table::values_of(&table, Color::White), black: Vec::new() };
    let entries = table.spec().values.black.entries();
    let draw = Bounds::exactly(Score::Draw);
    let is_loss = |bounds: Bounds| bounds.best < Score::Draw;
    let lossless = entries.iter().copied().filter(|entry| !is_loss(entry.0)).collect();
    let one_more = entries.iter().map(|&(value, total)| (value, total + u64::from(value == draw))).collect();
    for (list, are_lost) in [(lossless, true), (one_more, false)] {
        let mut spec = table.spec().clone();
        spec.values.black = ValueList::new(list).expect("a list");
        whole_table::write(&folder, &layout, spec, &values);
        let found = check(&folder, material, None);
        assert!(!found.is_sound() && (found.wrong > 0) == are_lost, "{found}");
        for wrong in &found.wrong_totals {
            assert_eq!((wrong.metric, wrong.side), (Metric::Category, Color::Black), "{wrong}");
            assert_eq!(wrong.value, draw.into(), "{wrong}");
        }
        // A sample has no totals, but its losses are none of the list.
        assert_eq!(check(&folder, material, Some(5_000)).is_sound(), !are_lost);
    }
}
