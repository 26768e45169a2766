//! The statistics.

use makruk_format::index::Layout;
use makruk_probe::{Category, Prober};
use makruk_research::{MaterialStats, SaveProperty, Share, StatsRow, StatsSettings, SurveySettings, stats};
use makruk_rules::{Color, Fen};

use super::brute::brute;
use super::{material, prober};

/// Everything is scanned and analysed.
const ALL: SurveySettings = SurveySettings { slabs: u64::MAX, saves: u64::MAX, shorts: u64::MAX, captures: u64::MAX };

const GIVEN: [SaveProperty; 4] =
    [SaveProperty::RookGiven, SaveProperty::KnightGiven, SaveProperty::KhonGiven, SaveProperty::MetGiven];

fn survey(prober: &Prober, name: &str, survey: SurveySettings, threads: usize) -> MaterialStats {
    let settings = StatsSettings { threads: Some(threads), longest: true, survey: Some(survey) };
    stats(prober, material(name), &settings, &mut makruk_research::Silent).unwrap().unwrap()
}

#[test]
fn statistics_are_what_the_prober_says_of_every_position() {
    compare(&prober(), &["KRvK", "KSvK"], 1);
}

#[test]
#[ignore = "goes through all positions of a material of four men, and some of another: twenty seconds"]
fn statistics_of_four_men_are_what_the_prober_says_of_every_position() {
    let prober = prober();
    compare(&prober, &["KRvKN"], 1);
    compare(&prober, &["KRvKR"], 5);
    // There are sacrifices.
    let found = survey(&prober, "KRvKN", ALL, 2).survey.unwrap();
    let sacrifices = found.saves.black.with[SaveProperty::Sacrifice];
    assert!(sacrifices > 0 && sacrifices < found.saves.black.looked);
    assert!(found.captures.white.all_draw > 0 && found.zugzwangs.by_count > 0);
}

/// Compares the scan of one slab in `step` with the verdicts on its positions; of all slabs the totals, too.
fn compare(prober: &Prober, names: &[&str], step: usize) {
    // These tables store both sides to move, which is faster.
    let asked = super::saves::prober();
    for &name in names {
        let expected = brute(&asked, material(name), step);
        let slabs = Layout::new(material(name)).slabs().div_ceil(step) as u64;
        let found = survey(prober, name, SurveySettings { slabs, ..ALL }, 2);
        let (totals, found_survey) = (&found.totals, found.survey.as_ref().unwrap());
        assert_eq!(found_survey.slabs, slabs, "{name}");
        if step == 1 {
            assert_eq!((totals.positions, totals.drawn), (expected.positions, expected.drawn), "{name}");
        }
        let zugzwangs = found_survey.zugzwangs;
        let [with, without, both] = expected.zugzwangs;
        assert_eq!(
            [zugzwangs.with_count, zugzwangs.without_count, zugzwangs.by_count, zugzwangs.lifted],
            [with, without, with - both, without - both],
            "{name}"
        );
        for color in Color::ALL {
            let (expected, totals) = (&expected.attackers[color], &totals.attackers[color]);
            let (saves, captures) = (&found_survey.saves[!color], &found_survey.captures[color]);
            if step == 1 {
                assert_eq!(
                    (totals.won, totals.in_time, totals.by_board, totals.saves),
                    (expected.won, expected.in_time, expected.late_conversions, expected.saves)
                );
                assert_eq!(
                    (totals.longest_mate, totals.longest_in_time),
                    (expected.longest_mate, expected.longest_in_time),
                    "{name} {color}"
                );
            }
            assert_eq!((found_survey.found[!color], saves.looked), (expected.saves, expected.saves));
            assert_eq!(
                (
                    saves.with[SaveProperty::OnlyMove],
                    saves.with[SaveProperty::Sacrifice],
                    saves.with[SaveProperty::Forced]
                ),
                (expected.only_move, expected.sacrifice, expected.forced),
                "{name}"
            );
            assert_eq!(
                saves.with[SaveProperty::LastPiece],
                saves.with[SaveProperty::Sacrifice],
                "{name}: there is only one piece to give"
            );
            let given: u64 = GIVEN.map(|property| saves.with[property]).iter().sum();
            assert_eq!(given, saves.with[SaveProperty::Sacrifice], "{name}: of one kind");
            assert_eq!(
                [
                    SaveProperty::Check,
                    SaveProperty::QuietSacrifice,
                    SaveProperty::Offer,
                    SaveProperty::Exchange,
                    SaveProperty::LostAnyway
                ]
                .map(|property| saves.with[property]),
                expected.kinds,
                "{name} {color}"
            );
            assert_eq!(
                (
                    found_survey.won_distinct[color],
                    found_survey.in_time_distinct[color],
                    found_survey.found_distinct[!color]
                ),
                (expected.distinct[0], expected.distinct[1], expected.distinct[2]),
                "{name} {color}"
            );
            if material(name).is_armed() {
                assert_eq!(
                    (captures.positions, captures.draws, captures.all_draw),
                    (expected.captures, expected.capture_draws, expected.refuse),
                    "{name}"
                );
                let unknown = expected.short.get(&None).copied().unwrap_or_default();
                assert_eq!((saves.unknown, saves.asked), (unknown, expected.saves), "{name}");
                assert!(saves.short.iter().all(|(short, n)| expected.short[&Some(*short)] == *n), "{name}");
            } else {
                assert!(totals.short.iter().all(|(short, n)| expected.short[&Some(*short)] == *n), "{name}");
                assert_eq!(totals.short.values().sum::<u64>(), expected.saves);
            }
        }
    }
}

#[test]
fn the_longest_are_where_they_are_said_to_be() {
    let (prober, name) = (&prober(), "KRvKN");
    let found = survey(prober, name, SurveySettings { slabs: u64::MAX, saves: 0, shorts: 0, captures: 0 }, 2);
    let longest = &found.longest.as_ref().unwrap().white;
    let totals = &found.totals.attackers.white;
    let verdict = |fen: &Fen| prober.probe(fen).unwrap();
    let mate = longest.mate.as_ref().unwrap();
    assert_eq!((mate.moves, verdict(&mate.fen).dtm.moves()), (totals.longest_mate, Some(totals.longest_mate)));
    let in_time = longest.in_time.as_ref().unwrap();
    assert_eq!((in_time.moves, verdict(&in_time.fen).dtz.moves()), (totals.longest_in_time, Some(in_time.moves)));
    assert!(matches!(verdict(&in_time.fen).category, Category::Win | Category::Loss));
    let saved = longest.saved.as_ref().unwrap();
    assert_eq!(verdict(&saved.fen).dtm.moves(), Some(saved.moves));
    assert!(matches!(verdict(&saved.fen).category, Category::CursedWin | Category::BlessedLoss));
}

#[test]
#[ignore = "scans four men several times: ten seconds"]
fn samples_are_part_of_the_whole_and_the_same_on_any_number_of_threads() {
    let prober = prober();
    let some = SurveySettings { slabs: u64::MAX, saves: 500, shorts: 50, captures: 5_000 };
    let one = survey(&prober, "KRvKN", some, 1);
    assert_eq!(one, survey(&prober, "KRvKN", some, 2));
    let (saves, all) = (&one.survey.as_ref().unwrap().saves.black, survey(&prober, "KRvKN", ALL, 2));
    let all = &all.survey.unwrap().saves.black;
    assert!((300..=700).contains(&saves.cells), "{}", saves.cells);
    // Of some fifty cells, most of which stand for eight positions.
    assert!((100..=640).contains(&saves.asked), "{}", saves.asked);
    // Five standard deviations of a sample of this size.
    let share = |saves: &makruk_research::SaveCounts| saves.with[SaveProperty::Sacrifice] as f64 / saves.looked as f64;
    let spread = 5.0 * (share(all) * (1.0 - share(all)) / saves.cells as f64).sqrt();
    assert!((share(saves) - share(all)).abs() < spread, "{} and {}", share(saves), share(all));
    assert_eq!(one.survey.unwrap().found.black, all.looked, "all saves are counted");
}

#[test]
fn some_slabs_stand_for_all() {
    let prober = prober();
    let (some, all) = (SurveySettings { slabs: 100, ..ALL }, survey(&prober, "KRvK", ALL, 2));
    let found = survey(&prober, "KRvK", some, 1);
    assert_eq!(found, survey(&prober, "KRvK", some, 2));
    let (found, all) = (found.survey.unwrap(), all.survey.unwrap());
    assert_eq!((found.slabs, all.slabs), (93, 462), "every fifth");
    assert!(found.found.black > 0 && found.found.black < all.found.black);
    assert_eq!(found.found.black, found.saves.black.looked);
    let share = |of: u64| of as f64 / all.found.black as f64;
    assert!((0.1..0.3).contains(&share(found.found.black)), "{}", share(found.found.black));
}

#[test]
#[ignore = "scans four men several times: ten seconds"]
fn rows_add_up() {
    let prober = prober();
    let found = ["KRvKN", "KRvKR"].map(|name| survey(&prober, name, ALL, 2));
    let rows = StatsRow::of(&found);
    // White, Black, White, Black, all.
    assert_eq!(rows.len(), 5);
    type Number = fn(&StatsRow) -> u64;
    let columns: [(&str, Number); 4] = [
        ("won", |row| row.won),
        ("taken", |row| row.taken),
        ("saves", |row| row.saves),
        ("captures", |row| row.captures.unwrap()),
    ];
    for (name, number) in columns {
        assert_eq!(rows[..4].iter().map(number).sum::<u64>(), number(&rows[4]), "{name}");
    }
    assert_eq!(rows[0].positions + rows[2].positions, rows[4].positions, "each material once");
    let zugzwangs = |row: usize| rows[row].zugzwangs.unwrap();
    assert_eq!(zugzwangs(0) + zugzwangs(2), zugzwangs(4));
    let share = |row: usize| rows[row].sacrifice_share.map(|Share(share)| share).unwrap();
    let saves: f64 = [0, 2, 3].map(|row| share(row) * rows[row].saves as f64).iter().sum();
    assert!((saves / rows[4].saves as f64 - share(4)).abs() < 1e-9);
    let draws = |row: &StatsRow| row.capture_draws_share.map_or(0.0, |Share(share)| share);
    let weighted: f64 = rows[..4].iter().map(|row| draws(row) * row.captures.unwrap() as f64).sum();
    assert!((weighted / rows[4].captures.unwrap() as f64 - draws(&rows[4])).abs() < 1e-9, "everything was sampled");
    assert!(rows.iter().all(|row| row.to_csv().split(',').count() == StatsRow::COLUMNS.len()));
}
