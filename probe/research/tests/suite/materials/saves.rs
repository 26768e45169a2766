//! Scans for saves, and the records and formats of saves.

use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use makruk_format::index::Layout;
use makruk_format::{TableFolder, TableId};
use makruk_probe::{Category, Prober, SacrificeKind, Tablebase};
use makruk_research::{
    Cursor, ExampleSave, LocatedPosition, Order, SacrificeRecord, SaveAnalysis, SaveDetails, SaveRecord, SaveSample,
    SaveSearch, SaveSelector, SavingMove, Scanner, epd,
};
use makruk_rules::{Color, CountingRules, Fen, Move};
use makruk_tables::value::{Bounds, Metric, MovesLeft};

use super::{Failure, material};
use crate::common::MATERIALS;

/// The tables of all tests, with some more.
fn tables() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| test_tables::alone(test_tables::materials(&[&MATERIALS[..], &["KRvKM", "KRvKN"]].concat())))
}

pub(super) fn prober() -> Prober {
    Prober::new(Tablebase::new(tables()))
}

/// All saves of some places; counted as well.
fn found(prober: &Prober, order: &Order, places: Range<u64>, threads: usize) -> Vec<LocatedPosition> {
    let mut found = Vec::new();
    let sink = |save| {
        found.push(save);
        Ok::<_, Failure>(ControlFlow::Continue(()))
    };
    let scanner = Scanner::new(prober, order, places.clone(), Some(threads)).unwrap();
    let end = scanner.run(|save| Ok(Some(save)), sink, &mut makruk_research::Silent).unwrap();
    assert_eq!((end.next, end.found), (places.end, found.len() as u64));
    let counter = Scanner::new(prober, order, places.clone(), Some(threads)).unwrap();
    assert_eq!(counter.count(&mut makruk_research::Silent).unwrap(), end);
    found
}

/// The cells of the saves of a side below a number, each position once, by probing every position.
fn asked(prober: &Prober, layout: &Layout, side: Color, all: u64) -> Vec<u64> {
    let half = all / 2;
    let ask = |numbers: Range<u64>| -> Vec<u64> {
        numbers
            .filter(|&number| {
                let Some(position) = layout.position_at(side, number) else { return false };
                let first = layout.number(&position) == Some((side, number));
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
    for table in TableFolder::open_existing(folder).unwrap().list().unwrap() {
        if !metrics.contains(&table.metric) {
            std::fs::hard_link(folder.join(table.to_string()), copy.path().join(table.to_string())).unwrap();
        }
    }
    copy
}

/// A folder of tables that omit Black to move.
fn of_white_alone() -> TableFolder {
    test_tables::one_sided(test_tables::materials(&["KRvKM", "KRvKS"]))
}

#[test]
fn scans_find_what_the_prober_says_of_every_position() {
    let prober = prober();
    let mut saves = 0;
    for side in Color::ALL {
        let order = Order::new([material("KRvK")], Some(side));
        let expected = asked(&prober, &Layout::new(material("KRvK")), side, order.len());
        let found: Vec<u64> =
            found(&prober, &order, 0..order.len(), 2).iter().map(|found| found.cursor.number).collect();
        assert!(found == expected, "{side}: {} saves", expected.len());
        saves += found.len();
    }
    assert!(saves > 300, "{saves}");
}

#[test]
#[ignore = "goes through many positions of two materials of four men in three folders: ten seconds"]
fn scans_find_what_the_prober_says_of_every_position_whatever_tables_there_are() {
    let folder = tables();
    let white = of_white_alone();
    let categories = without(folder, &[Metric::Dtm, Metric::Dtz]);
    let paths = [folder, white.path(), categories.path()].map(PathBuf::from);
    let prober = prober();
    // A khon leaves four times as many cells: a quarter of them are asked for.
    for (name, paths, share) in [("KRvKM", &paths[..], 1), ("KRvKS", &paths[..2], 4)] {
        let layout = Layout::new(material(name));
        let mut saves = 0;
        for side in Color::ALL {
            let order = Order::new([material(name)], Some(side));
            let places = order.len() / share;
            let expected = asked(&prober, &layout, side, places);
            saves += expected.len();
            for path in paths {
                let found = found(&Prober::new(Tablebase::new(path)), &order, 0..places, 2);
                let numbers: Vec<u64> = found.iter().map(|found| found.cursor.number).collect();
                assert!(numbers == expected, "{name} {side} {}: {} saves", path.display(), expected.len());
            }
        }
        assert!(saves > 300, "{name}: {saves}");
    }
}

/// The records of all saves of a material.
fn records(prober: &Prober, name: &str) -> Vec<SaveRecord> {
    some_records(prober, name, 1)
}

/// The records of one save in `step`.
fn some_records(prober: &Prober, name: &str, step: usize) -> Vec<SaveRecord> {
    let order = Order::new([material(name)], None);
    let record = |save: &LocatedPosition| SaveRecord::full(&SaveAnalysis::new(prober, save)).unwrap();
    found(prober, &order, 0..order.len(), 2).iter().step_by(step).map(record).collect()
}

#[test]
fn analyses_agree_with_the_prober() {
    let prober = prober();
    let mut sacrifices = 0;
    for record in ["KRvKR", "KRvK"].map(|name| some_records(&prober, name, 7)).concat() {
        let fen: Fen = record.fen.parse().unwrap();
        let save = prober.analysis(&fen).unwrap();
        let details = record.details.as_ref().unwrap();
        assert_eq!(details.short_by, save.short_by().unwrap(), "{fen}");
        let moves = save.moves().unwrap();
        assert_eq!(details.legal_moves as usize, moves.len());
        let drawn: Vec<String> = moves.iter().filter(|mv| mv.category.is_drawn()).map(|mv| mv.mv.to_string()).collect();
        assert_eq!(details.saving_moves.iter().map(|mv| mv.uci.clone()).collect::<Vec<_>>(), drawn);
        let given = |mv: &SavingMove| {
            let given = mv.sacrifice.as_ref()?;
            Some((mv.uci.clone(), given.offered, given.kind, given.needed, given.left))
        };
        let found: Vec<_> = details.saving_moves.iter().filter_map(given).collect();
        let expected: Vec<_> = save
            .sacrifices()
            .unwrap()
            .iter()
            .map(|s| (s.mv.to_string(), s.offered, s.kind, s.needed, s.left))
            .collect();
        assert_eq!(found, expected, "{fen}");
        sacrifices += found.len();
    }
    assert!(sacrifices > 100, "{sacrifices}");
}

#[test]
fn filters_pick_what_their_words_say() {
    let prober = prober();
    let records = some_records(&prober, "KRvKS", 10);
    let details = |record: &SaveRecord| record.details.clone().unwrap();
    let any = |record: &SaveRecord, fits: &dyn Fn(&SacrificeRecord) -> bool| {
        details(record).saving_moves.iter().any(|mv| mv.sacrifice.as_ref().is_some_and(fits))
    };
    let board = |record: &SaveRecord| record.fen.parse::<Fen>().unwrap().position;
    type Fits<'a> = Box<dyn Fn(&SaveRecord) -> bool + 'a>;
    let expected: Vec<(&str, Fits<'_>)> = vec![
        ("", Box::new(|_| true)),
        ("unique", Box::new(|record| details(record).saving_moves.len() == 1)),
        ("saving=2..3", Box::new(|record| (2..=3).contains(&details(record).saving_moves.len()))),
        ("sacrifice=last", Box::new(|record| any(record, &|given| given.last))),
        ("sacrifice=any", Box::new(|record| any(record, &|_| true))),
        ("sacrifice=none", Box::new(|record| !any(record, &|_| true))),
        ("kind=offer", Box::new(|record| any(record, &|given| given.kind == SacrificeKind::Offer))),
        ("kind=exchange", Box::new(|record| any(record, &|given| given.kind == SacrificeKind::Exchange))),
        ("kind=lost", Box::new(|record| any(record, &|given| given.kind == SacrificeKind::LostAnyway))),
        ("given=S", Box::new(|record| any(record, &|given| given.given == 'S'))),
        ("offered", Box::new(|record| any(record, &|given| given.offered))),
        ("abandoned", Box::new(|record| any(record, &|given| !given.offered))),
        ("needed>14", Box::new(|record| any(record, &|given| given.needed > 14))),
        ("left=13", Box::new(|record| any(record, &|given| given.left == Some(13)))),
        ("short<=1", Box::new(|record| details(record).short_by.is_some_and(|short| short <= 1))),
        ("short=?", Box::new(|record| details(record).short_by.is_none())),
        ("not short=1..2", Box::new(|record| !details(record).short_by.is_some_and(|short| (1..=2).contains(&short)))),
        ("dtm<40", Box::new(|record| details(record).dtm.is_some_and(|dtm| dtm > -40))),
        ("dtz>=0", Box::new(|record| details(record).dtz.is_some())),
        ("legal>6", Box::new(|record| details(record).legal_moves > 6)),
        ("check", Box::new(|record| details(record).check)),
        ("side=black", Box::new(|record| record.side == "black")),
        ("move=check", Box::new(|record| details(record).saving_moves.iter().any(|mv| mv.check))),
        ("move=capture", Box::new(|record| details(record).saving_moves.iter().any(|mv| mv.capture))),
        ("move=quiet", Box::new(|record| details(record).saving_moves.iter().any(|mv| !mv.check && !mv.capture))),
        ("by=S", Box::new(|record| details(record).saving_moves.iter().any(|mv| mv.san.starts_with('S')))),
        (
            "unique and (short=1 or not sacrifice=any)",
            Box::new(|record| {
                let details = details(record);
                details.saving_moves.len() == 1 && (details.short_by == Some(1) || !any(record, &|_| true))
            }),
        ),
        // Squares: on either of the two images.
        ("k=a1..d4", Box::new(|record| board(record).king(Color::Black).rank() < 4)),
        (
            "king=rank-1 and side=black",
            Box::new(|record| {
                let position = board(record);
                record.side == "black" && position.king(position.turn()).rank() == 0
            }),
        ),
    ];
    for (text, fits) in expected {
        let selector = SaveSelector::new(text.parse().unwrap(), false);
        let (mut picked, mut wanted) = (Vec::new(), Vec::new());
        for record in &records {
            let place = Cursor {
                material: material(&record.material),
                side: if record.side == "white" { Color::White } else { Color::Black },
                number: record.number,
            };
            let save = LocatedPosition { cursor: place, position: board(record) };
            let selected = selector.select(&prober, save, |save| Ok(save.save().cursor.number)).unwrap();
            assert!(selected.len() <= 1);
            picked.extend(selected);
            wanted.extend(fits(record).then_some(record.number));
        }
        assert!(picked == wanted, "{text}: {} picked, {} fit of {}", picked.len(), wanted.len(), records.len());
        let is_trivial = wanted.is_empty() || wanted.len() == records.len();
        assert!(
            !is_trivial || matches!(text, "" | "kind=exchange" | "move=capture" | "side=black" | "dtz>=0"),
            "{text} is trivial"
        );
    }
}

#[test]
fn searches_end_at_their_limit_and_are_continued_from_their_cursor() {
    let prober = prober();
    let order = Order::new(["KRvKR", "KRvK"].map(material), None);
    let selector = || SaveSelector::new("unique and k=edge".parse().unwrap(), false);
    let mut expected = Vec::new();
    for save in found(&prober, &order, 0..order.len(), 2) {
        expected.extend(selector().select(&prober, save, |save| Ok(save.save().clone())).unwrap());
    }
    assert!(expected.len() > 100, "{}", expected.len());
    let (mut searched, mut from, mut searches) = (Vec::new(), None, 0);
    loop {
        let places = order.places(from, None).unwrap();
        let mut search = SaveSearch::new(order.clone(), places.clone(), selector(), 60);
        let mut here = Vec::new();
        while !search.is_over() {
            here.extend(search.step(&prober, |save| Ok(save.save().clone())).unwrap());
        }
        assert_eq!(search.found(), here.len() as u64);
        let (scanned, all) = search.scanned();
        assert_eq!((all, scanned == all), (places.end - places.start, search.cursor().is_none()));
        searched.extend(here);
        searches += 1;
        from = search.cursor();
        if from.is_none() {
            break;
        }
        assert_eq!(search.found(), 60);
    }
    assert!(searched == expected);
    assert_eq!(searches, expected.len() / 60 + 1);
}

#[test]
fn examples_are_saves_that_can_go_wrong() {
    let prober = prober();
    let examples = ExampleSave::find(&prober, material("KRvKN"), || true).unwrap().unwrap();
    assert_eq!(examples.len(), 6);
    for example in &examples {
        let save = prober.analysis(&example.fen).unwrap();
        let (moves, sacrifices) = (save.moves().unwrap(), save.sacrifices().unwrap());
        assert_eq!(example.legal, moves.len());
        assert_eq!(example.drawing, moves.iter().filter(|mv| mv.category.is_drawn()).count());
        assert!(example.drawing < example.legal);
        assert_eq!(example.offers, sacrifices.iter().any(|sacrifice| sacrifice.offered));
        assert_eq!(example.abandons, sacrifices.iter().any(|sacrifice| !sacrifice.offered));
    }
    // Offers come first, then the saves with the fewest saving moves.
    assert!(examples.is_sorted_by_key(|example| (!example.offers, example.drawing)), "{examples:?}");
    assert_eq!((examples[0].offers, examples[0].drawing), (true, 2), "{examples:?}");
    assert!(examples.iter().any(|example| example.abandons && example.drawing == 1), "{examples:?}");
    assert_eq!(
        ExampleSave::find(&prober, material("KRvKN"), || true).unwrap().unwrap(),
        examples,
        "the same every time"
    );
    assert_eq!(ExampleSave::find(&prober, material("KRvKN"), || false).unwrap(), None);
}

#[test]
fn images_are_all_positions_and_add_up_to_the_headers_total() {
    let prober = prober();
    let folder = TableFolder::open_existing(tables()).unwrap();
    for name in ["KRvKR", "KRvK"] {
        let layout = Layout::new(material(name));
        let table = folder.open::<Bounds>(TableId { material: layout.material(), metric: Metric::Category }).unwrap();
        let left = MovesLeft::of(layout.material(), &CountingRules::MAKRUK);
        for side in Color::ALL {
            let saves = |&&(class, _): &&(Bounds, u64)| left.category_within(class) == Some(Category::BlessedLoss);
            let total: u64 = table.spec().values[side].entries().iter().filter(saves).map(|entry| entry.1).sum();
            let order = Order::new([material(name)], Some(side));
            let mut images = std::collections::HashSet::new();
            for found in found(&prober, &order, 0..order.len(), 2) {
                for image in found.images() {
                    let at = layout.number(&image.position);
                    assert_eq!(at, Some((side, found.cursor.number)), "{:?}", image.position);
                    assert!(images.insert(image.position));
                }
            }
            assert_eq!(images.len() as u64, total, "{name} {side}");
        }
    }
}

#[test]
fn what_is_written_is_read_by_others() {
    let prober = prober();
    let order = Order::new([material("KRvKR")], None);
    let found = found(&prober, &order, 0..order.len(), 2);
    let mut sacrifices = 0;
    for found in found.iter().step_by(found.len() / 60) {
        let save = SaveAnalysis::new(&prober, found);
        let record = SaveRecord::full(&save).unwrap();
        let details = record.details.as_ref().unwrap();
        let line = epd(&record);
        assert!(line.starts_with(&found.fen().to_string().split(' ').take(4).collect::<Vec<_>>().join(" ")));
        let moves = line.split(" bm ").nth(1).unwrap().split(';').next().unwrap();
        for (san, mv) in moves.split(' ').zip(&details.saving_moves) {
            assert_eq!(Move::from_san(&found.position, san).unwrap().to_string(), mv.uci);
        }
        let is_sacrifice = details.saving_moves.iter().any(|mv| mv.sacrifice.is_some());
        assert_eq!(line.contains(" taken by "), is_sacrifice, "{line}");
        sacrifices += usize::from(is_sacrifice);
        let brief = SaveRecord::brief(&save);
        let id = format!("id \"{}\";", order.cursor(order.place(found.cursor).unwrap()).unwrap());
        assert!(epd(&brief).ends_with(&id), "{}", epd(&brief));
    }
    assert!(sacrifices > 20, "{sacrifices}");
}

#[test]
fn samples_of_everything_are_complete() {
    let prober = prober();
    let all = records(&prober, "KRvKM");
    let sample = SaveSample::of(&prober, material("KRvKM"), &Color::ALL, u64::MAX, || true).unwrap();
    assert!(sample.complete);
    assert_eq!(sample.saves as usize, all.len());
    let details = || all.iter().filter_map(|record| record.details.as_ref());
    let given = |details: &&SaveDetails| details.saving_moves.iter().any(|mv| mv.sacrifice.is_some());
    assert_eq!(sample.unique as usize, details().filter(|details| details.saving_moves.len() == 1).count());
    assert_eq!(sample.by_sacrifice as usize, details().filter(given).count());
    assert_eq!(sample.by_last_sacrifice, sample.by_sacrifice, "there is only one man to give");
    assert_eq!(sample.short_by.values().sum::<u64>() + sample.short_by_unknown, sample.saves);
    let short_by = sample.short_by.iter().map(|(moves, saves)| (Some(*moves), *saves));
    for (short, saves) in short_by.chain([(None, sample.short_by_unknown)]) {
        assert_eq!(saves as usize, details().filter(|details| details.short_by == short).count());
    }
    let some = SaveSample::of(&prober, material("KRvKM"), &Color::ALL, 50, || true).unwrap();
    assert!(some.saves <= 50 && some.saves >= 40 && !some.complete, "{some:?}");
    let none = SaveSample::of(&prober, material("KRvKM"), &Color::ALL, 50, || false).unwrap();
    assert!(none.saves == 0 && !none.complete);
}

#[test]
fn a_missing_table_is_named() {
    let order = Order::new([material("KNNvKS")], None);
    let sink = |_: LocatedPosition| Ok::<_, Failure>(ControlFlow::Continue(()));
    let prober = prober();
    let scanner = Scanner::new(&prober, &order, 0..5, None).unwrap();
    let error = scanner.run(|save| Ok(Some(save)), sink, &mut makruk_research::Silent).unwrap_err().to_string();
    assert!(error.contains("has no table KNNvKS."), "{error}");
}
