//! Known facts about Makruk endings, compared with the built tables.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use makruk_format::index::Layout;
use makruk_generator::{MaterialInfo, MetricInfo, Silent, solve_totals, stored_tables};
use makruk_probe::{ProbeError, Prober, Reason};
use makruk_rules::{Category, Color, CountingRules, Fen, Piece, Role, ToMove};
use makruk_tables::material::Material;
use makruk_tables::tablebase::{TableId, Tablebase};
use makruk_tables::value::{Metric, MovesLeft, Value};
use rayon::prelude::*;

fn info(name: &str) -> MaterialInfo {
    let material = name.parse().expect("a material");
    MaterialInfo::read(&test_tables::usual([material]), material, &CountingRules::MAKRUK).expect("the tables")
}

/// The longest win by White, in moves, whoever moves.
fn longest_win(dtm: &MetricInfo) -> u16 {
    let to_move = dtm.white.max_win_plies.div_ceil(2);
    println!("longest win {to_move} moves, {} positions won with White to move", dtm.white.win);
    to_move
}

#[test]
fn knight_and_met_mate() {
    // Ladkrabang Engineering Journal, article 244413.
    let dtm = info("KNMvK").dtm;
    assert_eq!(dtm.white.win, 472_900);
    assert_eq!(longest_win(&dtm), 36);
}

#[test]
fn as_in_chess_with_kings_rooks_and_knights() {
    assert_eq!(longest_win(&info("KRvK").dtm), 16);
    assert_eq!(longest_win(&info("KRvKN").dtm), 40);
    assert_eq!(longest_win(&info("KRvKR").dtm), 19);
}

#[test]
fn a_lone_met_or_knight_never_mates() {
    for name in ["KMvK", "KNvK"] {
        let dtm = info(name).dtm;
        for side in [&dtm.white, &dtm.black] {
            assert_eq!((side.win, side.loss), (0, 0), "{name}");
            assert!(side.draw > 100_000, "{name}");
        }
    }
}

#[test]
fn little_is_won_where_no_mate_can_be_forced() {
    for (name, won) in [("KSvK", 162), ("KNNvK", 616), ("KMMvK", 208)] {
        let dtm = info(name).dtm;
        assert_eq!(dtm.white.win, won, "{name}");
        assert!(dtm.white.win * 1000 < dtm.white.draw, "{name}: no forced mate in general");
        assert!(longest_win(&dtm) <= 4, "{name}");
    }
}

#[test]
#[ignore = "solves five men: ten seconds"]
fn a_win_by_a_capture_comes_after_a_gap_in_the_distances() {
    // Black wins only the mates in one before 1... Sxc2, and no move but that capture leads to a win in nine.
    let material: Material = "KRRvKS".parse().expect("a material");
    let folder = test_tables::usual(material.children());
    let children = stored_tables(&folder, &CountingRules::MAKRUK);
    let solved = solve_totals(material, &CountingRules::MAKRUK, &children, &Silent).expect("the material");
    let wins = |at: usize| -> Vec<(Value, u64)> {
        solved[at].1.black.iter().copied().filter(|(value, _)| matches!(value, Value::Win(_))).collect()
    };
    assert_eq!(wins(0), [(Value::Win(1), 34_590), (Value::Win(9), 4)]);
    assert_eq!(wins(1), [(Value::Win(1), 34_590), (Value::Win(3), 4)]);
}

#[test]
#[ignore = "builds four men with a khon: three seconds"]
fn the_count_takes_as_many_wins_as_published() {
    // K+S+M v K, White to move: Tudsuan and Thanatipanonda, Journal of Science Ladkrabang, 2026.
    let material = "KSMvK".parse().expect("a material");
    let tablebase = Tablebase::new(test_tables::usual([material]).path());
    let table = tablebase.table::<Value>(TableId { material, metric: Metric::Dtm }).expect("the table");
    let left = MovesLeft::of(material, &CountingRules::MAKRUK);
    let entries = table.spec().values.white.entries().iter();
    let late = entries.filter(|(value, _)| matches!(value, Value::Win(_)) && !left.suffice(*value, ToMove::Attacker));
    assert_eq!(late.map(|entry| entry.1).sum::<u64>(), 278_040);
}

/// The positions with White to move on the full board, won and others, by the numbers of White's mets on squares of
/// either colour, ascending.
fn won_and_others(folder: &Path, material: Material) -> BTreeMap<String, [u64; 2]> {
    let (tablebase, layout) = (Tablebase::new(folder), Layout::new(material));
    let reader = tablebase.side(TableId { material, metric: Metric::Dtm }, Color::White).expect("the table");
    let of_slab = |slab: usize| {
        let (mut codes, mut found) = (Vec::new(), BTreeMap::<String, [u64; 2]>::new());
        reader.slab(slab, &mut codes).expect("a slab");
        for (number, code) in (slab as u64 * layout.slab_len()..).zip(codes) {
            let Some(position) = layout.position_at(Color::White, number) else { continue };
            let mets = position.board().by_piece(Piece::new(Color::White, Role::Met));
            let light = mets.into_iter().filter(|met| (met.index() / 8 + met.index()) % 2 == 1).count() as u32;
            let (few, many) = (light.min(mets.len() - light), light.max(mets.len() - light));
            let is_won = matches!(reader.values()[usize::from(code)], Value::Win(_));
            found.entry(format!("{few}+{many}")).or_default()[usize::from(!is_won)] += layout.kings().weight(slab);
        }
        found
    };
    let sum = |mut sum: BTreeMap<String, [u64; 2]>, found: BTreeMap<String, [u64; 2]>| {
        for (colours, [won, others]) in found {
            let [all_won, all_others] = sum.entry(colours).or_default();
            (*all_won, *all_others) = (*all_won + won, *all_others + others);
        }
        sum
    };
    (0..layout.slabs()).into_par_iter().map(of_slab).reduce(BTreeMap::new, sum)
}

#[test]
fn wins_by_the_colours_of_the_mets_are_as_the_findings_say() {
    // MAKRUK_TABLES is a folder with the materials of five men of mates.tsv; without it, those of four men are counted.
    let folder = std::env::var_os("MAKRUK_TABLES");
    let tables = folder.as_ref().map_or_else(|| test_tables::small().path().to_owned(), PathBuf::from);
    let rows = include_str!("../../../tables/stats/mates.tsv").lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let rows: BTreeSet<[&str; 4]> =
        rows.filter(|row| matches!(row[2], "won" | "others")).map(|row| [row[0], row[1], row[2], row[3]]).collect();
    let materials: BTreeSet<Material> = rows.iter().map(|row| row[0].parse().expect("a material")).collect();
    let is_counted = |material: &Material| folder.is_some() || material.men() == 4;
    let mut counted = BTreeSet::new();
    for material in materials.into_iter().filter(is_counted) {
        for (colours, [won, others]) in won_and_others(&tables, material) {
            counted.insert([material.to_string(), colours.clone(), "won".to_owned(), won.to_string()]);
            counted.insert([material.to_string(), colours, "others".to_owned(), others.to_string()]);
        }
    }
    let published = rows.iter().filter(|row| is_counted(&row[0].parse().expect("a material")));
    assert_eq!(counted, published.map(|row| row.map(str::to_owned)).collect());
}

/// A position, a move of it or `-`, and what the tables say: category, moves to mate and to the conversion, moves left.
/// Of a position they also say the numbers of its moves and of those that win.
fn disputed(prober: &Prober, fen: &str, named: &str) -> Result<String, ProbeError> {
    let fen: Fen = fen.parse().expect("a FEN");
    let (moves, verdict) = (prober.moves(&fen)?, prober.probe(&fen)?);
    let in_moves = |value: Value| value.plies().map_or("-".to_owned(), |plies| plies.div_ceil(2).to_string());
    let found = moves.iter().find(|found| found.mv.to_san(&fen.position) == named);
    Ok(match found {
        Some(found) => {
            let (dtm, dtz) = (in_moves(found.dtm), in_moves(found.dtz));
            format!("{fen}\t{named}\t{}\t{dtm}\t{dtz}\t-\t-\t-", found.category)
        }
        None => {
            let left = verdict.count.attacker_moves_left.map_or("-".to_owned(), |left| left.to_string());
            let won = moves.iter().filter(|found| found.category == Category::Win).count();
            let (dtm, dtz) = (in_moves(verdict.dtm), in_moves(verdict.dtz));
            format!("{fen}\t-\t{}\t{dtm}\t{dtz}\t{left}\t{}\t{won}", verdict.category, moves.len())
        }
    })
}

#[test]
fn disputes_are_settled_as_the_findings_say() {
    // MAKRUK_TABLES is a folder with K+2S v K+P and K+2R v K+P; without it, the positions of four men are probed.
    let folder = std::env::var_os("MAKRUK_TABLES");
    let tables = folder.as_ref().map_or_else(|| test_tables::small().path().to_owned(), PathBuf::from);
    let prober = Prober::new(Tablebase::new(tables));
    let mut settled = 0;
    for line in include_str!("../../../tables/stats/disputes.tsv").lines().skip(1) {
        let mut fields = line.split('\t');
        let (position, named) = (fields.next().expect("a position"), fields.next().expect("a move"));
        match disputed(&prober, position, named) {
            Ok(found) => assert_eq!(found, line),
            Err(error) => {
                assert!(folder.is_none() && error.reason() == Reason::MissingTable, "{error}");
                continue;
            }
        }
        settled += 1;
    }
    assert_eq!(settled, if folder.is_some() { 10 } else { 7 });
    // The count of a khon, which begins with White to move, by each of the rules.
    let puzzle: Fen = "8/8/8/8/6M1/5S2/5K2/7k w".parse().expect("a FEN");
    let left: Vec<u32> = CountingRules::ALL
        .iter()
        .filter_map(|rules| rules.start(puzzle.position.board(), puzzle.position.turn()))
        .map(|count| count.attacker_moves_left(ToMove::Attacker))
        .collect();
    assert_eq!((left.iter().min(), left.iter().max()), (Some(&40), Some(&42)), "{left:?}");
}
