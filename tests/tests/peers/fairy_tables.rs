//! Fairy-Stockfish with the tables: the adapter ranks moves as the prober does, and the engine that it makes keeps what
//! the tables promise.
//!
//! The adapter alone needs a C++ compiler. `MAKRUK_FAIRY_CHECKOUT` names a checkout of Fairy-Stockfish, which is copied
//! and built, or `MAKRUK_FAIRY_TABLES` an engine that `probe/c/fairy-stockfish/build` has made; without both, the
//! engine's test fails, and `.ci/run` leaves it out.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use fastrand::Rng;
use makruk_format::index::Layout;
use makruk_probe::judge::Category;
use makruk_probe::{Prober, RankedMove, Tablebase};
use makruk_rules::{Color, Count, CountingRules, Fen, Move, Piece};
use makruk_tables::material::Material;
use makruk_tables::value::Value;
use makruk_tests::engine::Engine;

use crate::c_reader::{READER, copy_tables, number_of};

pub(crate) const ADAPTER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../probe/c/fairy-stockfish");

/// The language, and warnings that are errors.
pub(crate) const WARNINGS: &str = "-std=c++17 -fno-exceptions -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror";

/// Positions of each material of four men and side to move; of the engine, of each eighth material.
const POSITIONS: usize = 40;

/// Random positions with counts that run, have just begun or are nearly over.
pub(crate) fn questions(rng: &mut Rng, step: usize) -> Vec<Fen> {
    let mut fens = Vec::new();
    for material in Material::all(3).into_iter().chain(Material::all(4).into_iter().step_by(step)) {
        let layout = Layout::new(material);
        for side in Color::ALL {
            let numbers = std::iter::repeat_with(|| rng.u64(..layout.positions()[side])).take(4 * POSITIONS);
            let numbers: Vec<u64> = numbers.collect();
            let positions = numbers.into_iter().filter_map(|number| layout.position_at(side, number));
            fens.extend(positions.filter(|position| position.has_legal_move()).take(POSITIONS).map(|position| {
                let limit = *rng.choice(&[16, 32, 44, 64, 88, 128]).expect("a limit");
                let count = Count::new(limit, rng.u32(..=limit)).expect("a count");
                let count = Some(count).filter(|_| !position.board().has_pawns());
                Fen { position, count, fullmove: 1 }
            }));
        }
    }
    fens
}

const fn is_decided(category: Category) -> bool {
    matches!(category, Category::Win | Category::Loss)
}

/// The eighths of the opponent's replies that hold a draw, rounded up; 8 without replies.
fn holding(prober: &Prober, after: &Fen) -> usize {
    let replies = after.position.legal_moves();
    let holds =
        |&&mv: &&Move| prober.category(&after.play(&CountingRules::MAKRUK, mv)).expect("a category") != Category::Win;
    let held = replies.iter().filter(holds).count();
    if replies.is_empty() { 8 } else { (8 * held).div_ceil(replies.len()) }
}

/// Signed plies to mate if no count can make them more. A count runs after the move against a bare king, or enough
/// moves are left. They are left by the running count and by the lowest one that a capture or the last pawn's end can
/// begin. Otherwise 0.
fn certain_mate(fen: &Fen, mv: &RankedMove) -> i64 {
    let dtm = mv.dtm.signed_plies().map_or(0, i64::from);
    if !is_decided(mv.category) {
        return 0;
    }
    let board = fen.position.board();
    let wins = mv.category == Category::Win;
    let attacker = if wins { fen.position.turn() } else { !fen.position.turn() };
    if mv.count.is_some() && (board.is_bare(!attacker) || wins && mv.bares_king) {
        return dtm;
    }
    let moves = dtm.unsigned_abs().div_ceil(2);
    let lowest = CountingRules::MAKRUK.pieces_limit(|role| board.by_piece(Piece::new(attacker, role)).len());
    // A promotion that ends the last pawn begins a count at all men, a capture at one less.
    let men = if board.has_pawns() { board.men() } else { board.men() - 1 };
    let begun = u64::from(1 + lowest).saturating_sub(u64::from(men));
    let left = mv.count.map(|count| i64::from(count.limit()) - i64::from(count.ply()));
    if left.is_none_or(|left| moves as i64 <= left / 2 + 1) && moves <= begun { dtm } else { 0 }
}

/// The group of each move. In a decided game it goes by distance, certain mates first and the shortest of them. In a
/// drawn one it goes by category and by what the move asks of the opponent, and in a cursed win then by distance.
fn groups(prober: &Prober, fen: &Fen, moves: &[RankedMove]) -> Vec<usize> {
    let worth = |mv: &RankedMove| (mv.dtm, if is_decided(mv.category) { mv.dtz } else { Value::Draw });
    let mut rank = 0;
    let mut keys = Vec::new();
    for (at, mv) in moves.iter().enumerate() {
        rank += usize::from(at > 0 && (moves[at - 1].category, worth(&moves[at - 1])) != (mv.category, worth(mv)));
        let asks = mv.category == moves[0].category && matches!(mv.category, Category::CursedWin | Category::Draw);
        let held = if asks { holding(prober, &fen.play(&CountingRules::MAKRUK, mv.mv)) } else { 8 };
        let by_rank = is_decided(mv.category) || mv.category == Category::CursedWin && held < 8;
        let mate = Some(certain_mate(fen, mv)).filter(|&plies| plies > 0);
        keys.push((Reverse(mv.category), mate.is_none(), mate, held, if by_rank { rank } else { 0 }));
    }
    let sorted: BTreeSet<_> = keys.iter().copied().collect();
    keys.iter().map(|key| sorted.range(..key).count()).collect()
}

/// Whether the side to move can mate, or be mated, within a number of plies under the count.
fn mates(fen: &Fen, plies: u32) -> bool {
    plies > 0
        && fen.position.legal_moves().iter().any(|&mv| {
            let after = fen.play(&CountingRules::MAKRUK, mv);
            let counts = after.count.is_none_or(|count| !count.draws(after.position.is_checkmate()));
            counts && (after.position.is_checkmate() || plies > 2 && is_mated(&after, plies - 1))
        })
}

fn is_mated(fen: &Fen, plies: u32) -> bool {
    let moves = fen.position.legal_moves();
    !moves.is_empty() && moves.iter().all(|&mv| mates(&fen.play(&CountingRules::MAKRUK, mv), plies - 1))
}

/// A move as the program prints it: squares, group, category, plies to mate.
type Printed = (u8, u8, usize, i64, i64);

fn parse(line: &str) -> (i64, Vec<Printed>) {
    let mut words = line.split(' ');
    let category = words.next().and_then(|word| word.parse().ok()).expect("a category");
    let moves = words.map(|word| {
        let numbers: Vec<i64> = word
            .splitn(2, '-')
            .enumerate()
            .flat_map(|(at, part)| {
                let fields: Vec<&str> = if at == 0 { vec![part] } else { part.split(':').collect() };
                fields.into_iter().map(|field| field.parse().expect("a number")).collect::<Vec<i64>>()
            })
            .collect();
        let [from, to, group, category, mate] = numbers[..] else { panic!("{line}") };
        (from as u8, to as u8, group as usize, category, mate)
    });
    (category, moves.collect())
}

/// The program that prints how the adapter ranks moves, compiled once.
fn ranks_program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(compile_ranks)
}

fn compile_ranks() -> PathBuf {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fairy-ranks");
    let sanitizers = ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    let mut compiler = Command::new("g++");
    compiler
        .args(WARNINGS.split_ascii_whitespace())
        .args(sanitizers)
        .args(["-I", READER, "-I"])
        .arg(format!("{ADAPTER}/makruk"));
    compiler.arg(format!("{ADAPTER}/tests/ranks.cpp")).arg(format!("{ADAPTER}/makruk/makruk_tables.cpp"));
    compiler.args(["-x", "c++"]).arg(format!("{READER}/makruk_tb.c")).arg("-o").arg(&program);
    let output = compiler.output().expect("g++");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    program
}

/// The answers of the program, one line for each position, and the messages of the tables to the user.
pub(crate) fn ranks(program: &Path, tables: &Path, fens: &[Fen]) -> (String, String) {
    let mut input = tempfile::tempfile().expect("a file");
    fens.iter().try_for_each(|fen| writeln!(input, "{fen}")).and_then(|()| input.rewind()).expect("a file");
    let output = Command::new(program).arg(tables).stdin(input).stderr(Stdio::piped()).output().expect("runs");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{told}");
    let answers = String::from_utf8(output.stdout).expect("text");
    assert_eq!(answers.lines().count(), fens.len());
    (answers, told)
}

#[test]
#[ignore = "needs g++"]
fn the_adapter_ranks_moves_as_the_prober() {
    let program = ranks_program();
    let folder = test_tables::small();
    let prober = Prober::new(Tablebase::new(folder.path()));
    let fens = questions(&mut Rng::with_seed(7), 1);
    let (answers, told) = ranks(program, folder.path(), &fens);
    assert!(told.contains("complete to 4 men") && told.contains("preloaded 3"), "{told}");

    let mut mates_seen = 0;
    for (fen, answer) in fens.iter().zip(answers.lines()) {
        let (category, found) = parse(answer);
        assert_eq!(category, number_of(prober.category(fen).expect("a category")), "{fen}");
        let moves = prober.moves(fen).expect("moves");
        let expected = moves.iter().zip(groups(&prober, fen, &moves));
        let expected: BTreeMap<(u8, u8), (usize, i64)> = expected
            .map(|(mv, group)| ((mv.mv.from.number(), mv.mv.to.number()), (group, number_of(mv.category))))
            .collect();
        let found_groups =
            found.iter().map(|&(from, to, group, category, _)| ((from, to), (group, category))).collect();
        assert_eq!(expected, found_groups, "{fen}");
        for mv in &moves {
            let squares = (mv.mv.from.number(), mv.mv.to.number());
            let (.., mate) = *found.iter().find(|&&(from, to, ..)| (from, to) == squares).expect("the move");
            assert_eq!(mate, certain_mate(fen, mv), "{fen} {}", mv.mv);
            let dtm = mv.dtm.signed_plies().map_or(0, i64::from);
            assert!(mate == 0 || mate == dtm && is_decided(mv.category), "{fen} {}: {mate}", mv.mv);
            let bare = fen.position.board().is_bare(if dtm > 0 { !fen.position.turn() } else { fen.position.turn() });
            let is_known = bare && mv.count.is_some();
            assert!(mate != 0 || !is_decided(mv.category) || !is_known, "{fen} {}: no distance", mv.mv);
            if (1..=3).contains(&mate) {
                let after = fen.play(&CountingRules::MAKRUK, mv.mv);
                assert!(
                    if mate == 1 { after.position.is_checkmate() } else { is_mated(&after, mate as u32 - 1) },
                    "{fen}"
                );
                mates_seen += 1;
            }
        }
    }
    assert!(mates_seen > 20, "{mates_seen} short mates");
}

/// With category tables alone, and without those of some captures, the tables leave moves open. The best move stays in
/// the first group, and moves that are worse than a known one do not.
#[test]
#[ignore = "needs g++"]
fn the_adapter_keeps_moves_that_the_tables_leave_open() {
    let (place, program) = (tempfile::tempdir().expect("a folder"), ranks_program());
    let folder = test_tables::usual((3..=4).flat_map(Material::all));
    let prober = Prober::new(Tablebase::new(folder.path()));
    let sparse = place.path().join("sparse");
    std::fs::create_dir(&sparse).expect("a folder");
    copy_tables(folder.path(), &sparse, |name| {
        name.ends_with(".category") && !["KRvK.", "KNvK."].iter().any(|missing| name.starts_with(missing))
    });
    let fens = questions(&mut Rng::with_seed(9), 1);
    let (answers, _) = ranks(program, &sparse, &fens);
    let (mut open_kept, mut open_dropped, mut unranked) = (0, 0, 0);
    for (fen, answer) in fens.iter().zip(answers.lines()) {
        let (_, found) = parse(answer);
        if found.is_empty() {
            unranked += 1;
            continue;
        }
        let moves = prober.moves(fen).expect("moves");
        assert_eq!(found.len(), moves.len(), "{fen}");
        let truth = |from, to| {
            let mv = moves.iter().find(|mv| (mv.mv.from.number(), mv.mv.to.number()) == (from, to));
            number_of(mv.expect("a legal move").category)
        };
        let best = number_of(moves[0].category);
        let (first, later): (Vec<Printed>, Vec<Printed>) = found.iter().partition(|&&(_, _, group, ..)| group == 0);
        assert!(first.iter().any(|&(from, to, ..)| truth(from, to) == best), "{fen}: {answer}");
        let known = found.iter().filter(|&&(.., category, _)| category != 0);
        assert!(known.clone().all(|&(from, to, _, category, _)| truth(from, to) == category), "{fen}: {answer}");
        let best_known = known.map(|&(.., category, _)| category).max();
        let is_open = first.iter().any(|&(.., category, _)| category == 0);
        assert!(
            first.iter().all(|&(.., category, _)| category == 0 || Some(category) == best_known),
            "{fen}: {answer}"
        );
        assert!(is_open || best_known == Some(best), "{fen}: {answer}");
        open_kept += usize::from(is_open);
        open_dropped += usize::from(later.iter().any(|&(.., category, _)| category == 0));
    }
    assert!(open_kept > 20 && open_dropped > 20, "{open_kept} kept, {open_dropped} dropped, {unranked} not ranked");
}

/// The engine of the environment.
fn engine(place: &Path) -> PathBuf {
    if let Some(engine) = std::env::var_os("MAKRUK_FAIRY_TABLES") {
        return engine.into();
    }
    let checkout =
        std::env::var_os("MAKRUK_FAIRY_CHECKOUT").expect("MAKRUK_FAIRY_CHECKOUT or MAKRUK_FAIRY_TABLES is set");
    let copy = place.join("fairy");
    let copied = Command::new("cp").arg("-r").arg(checkout).arg(&copy).status().expect("cp");
    assert!(copied.success());
    let output = Command::new(format!("{ADAPTER}/build")).arg(&copy).output().expect("the script runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    copy.join("src/stockfish")
}

/// Runs the script with which maintainers of the engine test it, with tables of its own.
fn passes_the_script(engine: &Path) {
    let output =
        Command::new(format!("{ADAPTER}/tests/makruk_tables.sh")).arg(engine).output().expect("the script runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The last number after a word of the engine's lines.
fn last(lines: &[String], word: &str) -> Option<i64> {
    lines.iter().rev().find_map(|line| line.split_once(&format!(" {word} "))?.1.split(' ').next()?.parse().ok())
}

#[test]
#[ignore = "needs MAKRUK_FAIRY_CHECKOUT or MAKRUK_FAIRY_TABLES"]
fn the_engine_keeps_what_the_tables_promise() {
    let place = tempfile::tempdir().expect("a folder");
    let program = engine(place.path());
    passes_the_script(&program);
    let folder = test_tables::small();
    let path = folder.path().to_str().expect("a path in UTF-8");
    let prober = Prober::new(Tablebase::new(folder.path()));

    let mut engine = Engine::of_program(&program);
    let told = engine.set_option("MakrukPath", path);
    let complete = "materials of up to 4 men, complete to 4 men; category tables: ";
    assert!(told.iter().any(|line| line.contains(complete)), "{told:?}");
    let told = engine.set_option("MakrukPreload", "3");
    assert_eq!(told, ["info string Makruk tables: preloaded 3"]);
    let told = engine.set_option("MakrukPreload", "KRvKQR");
    assert!(told.iter().any(|line| line.contains("cannot preload KRvKQR: ")), "{told:?}");
    engine.set_option("UCI_Variant", "makruk");

    for fen in questions(&mut Rng::with_seed(8), 8) {
        let moves = prober.moves(&fen).expect("moves");
        let best: Vec<Move> = moves
            .iter()
            .zip(groups(&prober, &fen, &moves))
            .filter(|&(_, group)| group == 0)
            .map(|(mv, _)| mv.mv)
            .collect();
        let (found, told) = engine.best_move(&fen.to_string(), &[], "nodes 300");
        let found = Move::from_uci(&fen.position, &found).expect("a legal move");
        if fen.count.is_none_or(|count| !count.is_expired()) {
            assert!(best.contains(&found), "{fen}: {found}");
            assert!(last(&told, "tbhits") >= Some(moves.len() as i64), "{fen}: {told:?}");
        }
        // Against a bare king the mate is announced with its distance, unless a pawn keeps the count off.
        let bare = |side| fen.position.board().is_bare(side) && !fen.position.board().has_pawns();
        if let (Some(plies), true) = (moves[0].dtm.signed_plies().map(i64::from), is_decided(moves[0].category))
            && bare(if plies > 0 { !fen.position.turn() } else { fen.position.turn() })
        {
            let expected = if plies > 0 { (plies + 1) / 2 } else { plies / 2 };
            let first = &told[..told.iter().position(|line| line.contains(" score ")).expect("a score") + 1];
            assert_eq!(last(first, "mate"), Some(expected), "{fen}: {told:?}");
        }
    }

    // The line that the engine shows goes on to the mate, unless a busy machine leaves it no time.
    let rook = "8/8/8/8/8/6k1/4R3/K7 w - - 0 1";
    let goes_on = (0..5).any(|_| {
        let (_, told) = engine.best_move(rook, &[], "movetime 500");
        let line = told.iter().rev().find_map(|line| line.split_once(" pv ")).expect("a line").1;
        let last = line.split(' ').fold(Fen::parse(rook).expect("a position"), |fen, mv| {
            fen.play(&CountingRules::MAKRUK, Move::from_uci(&fen.position, mv).expect("a legal move"))
        });
        last.position.is_checkmate()
    });
    assert!(goes_on);

    // The third occurrence of a position is a draw: the winner avoids it, the loser seeks it.
    for (fen, moves, good, bad) in [
        ("8/8/8/7K/8/8/k7/1R6 w - 128 0 1", "b1b8 a2a3 b8b5 a3a2 b5b8 a2a3 b8b1 a3a2", None, Some("b1b8")),
        ("3k4/8/4K3/8/8/8/8/1R6 b - 128 0 1", "d8e8 b1a1 e8f8 a1b1 f8e8 b1a1 e8d8 a1b1", Some("d8e8"), None),
    ] {
        let moves: Vec<String> = moves.split(' ').map(str::to_owned).collect();
        let (found, told) = engine.best_move(fen, &moves, "nodes 3000");
        assert!(good.is_none_or(|good| good == found) && bad != Some(&found), "{fen}: {found}");
        assert_eq!(good.is_some(), told.iter().any(|line| line.contains(" score cp 0 ")), "{told:?}");
    }

    // A change of the tables waits until the search that uses them has ended.
    for _ in 0..6 {
        engine.begin_search("8/8/3k4/3r4/3n4/8/3R1K2/3R4 w - 128 10 1", "movetime 200");
        let told = engine.set_option("MakrukPath", path);
        let [end, change] = ["bestmove ", "info string Makruk tables: "]
            .map(|start| told.iter().position(|line| line.starts_with(start)).expect("the line"));
        assert!(end < change, "{told:?}");
    }

    // A damaged table is an error with a name, and no wrong answer.
    let damaged = place.path().join("damaged");
    std::fs::create_dir(&damaged).expect("a folder");
    for name in ["KRvKN.dtm", "KRvKN.dtz", "KRvK.dtm", "KNvK.dtm"] {
        let mut bytes = std::fs::read(folder.path().join(name)).expect("a table");
        if name.starts_with("KRvKN") {
            let at = bytes.len() - 5000..bytes.len() - 4000;
            bytes[at].iter_mut().for_each(|byte| *byte ^= 0x55);
        }
        std::fs::write(damaged.join(name), bytes).expect("a table");
    }
    engine.set_option("MakrukPath", damaged.to_str().expect("a path"));
    let layout = Layout::new("KRvKN".parse().expect("a material"));
    let mut errors = 0;
    for number in (0..layout.positions()[Color::White]).step_by(9973) {
        let Some(position) = layout.position_at(Color::White, number) else { continue };
        let fen = Fen { position, count: Count::new(128, 0).ok(), fullmove: 1 };
        if fen.position.has_legal_move() {
            let (_, told) = engine.best_move(&fen.to_string(), &[], "nodes 50");
            errors += told.iter().filter(|line| line.contains("Makruk tables: corrupt table")).count();
        }
    }
    assert!(errors > 0);
}

#[test]
fn the_patches_quote_no_line_of_others() {
    let mut patches: Vec<PathBuf> = std::fs::read_dir(format!("{ADAPTER}/patches"))
        .expect("the folder")
        .map(|entry| entry.expect("a file").path())
        .collect();
    patches.sort();
    assert_eq!(patches.len(), 4);
    let mut contents = BTreeMap::new();
    for patch in patches {
        let text = std::fs::read_to_string(&patch).expect("a patch");
        let (mut file, mut hunks) = ("", 0);
        for line in text.lines() {
            let head = ["diff --git a/", "index ", "--- a/", "+++ b/"].iter().any(|start| line.starts_with(start));
            let hunk = line.starts_with("@@ -") && line.ends_with(" @@");
            hunks += usize::from(hunk);
            assert!(head || line.starts_with('+') || hunk && line.contains(",0 +"), "{}: {line}", patch.display());
            // Each patch begins with the contents that the one before has left.
            if let Some(name) = line.strip_prefix("+++ b/") {
                file = name;
            }
            if let Some((before, after)) = line.strip_prefix("index ").and_then(|rest| rest.split_once("..")) {
                contents
                    .entry(text[..text.find(line).expect("the line")].lines().last().expect("a head").to_owned())
                    .and_modify(|last: &mut String| assert_eq!(last, before, "{}", patch.display()))
                    .or_insert_with(String::new)
                    .replace_range(.., after.split(' ').next().expect("a hash"));
            }
        }
        assert!(hunks > 0 && !file.is_empty(), "{}", patch.display());
    }
    assert_eq!(contents.len(), 7, "{contents:?}");
}
