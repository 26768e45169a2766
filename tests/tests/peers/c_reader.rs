//! The tables' reader in one file of C gives the prober's answers, by every compiler and way of reading; damaged tables never
//! crash it.

use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use fastrand::Rng;
use makruk_generator::{Options, Silent, StoredSides, build};
use makruk_probe::judge::{self, Category, Distances};
use makruk_probe::{Prober, RankedMove, Tablebase, Verdict};
use makruk_tables::format::TableFolder;
use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, Count, Fen};
use makruk_tables::value::Value;
use makruk_tests::built;

const READER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../probe/capi/reader");
const WARNINGS: [&str; 6] = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"];
const SANITIZERS: [&str; 4] = ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

/// The distance of a draw, as in the header.
const NO_DISTANCE: i64 = -32768;
const ANY_COUNT: i64 = 32767;

/// Compiles a test program with the reader, which `damage.c` includes itself.
fn compile(compiler: &[&str], program: &str, to: &Path) {
    let (name, flags) = compiler.split_first().expect("a compiler");
    let mut command = Command::new(name);
    command.args(flags).args(WARNINGS).arg("-I").arg(READER).arg(format!("{READER}/tests/{program}.c"));
    if program != "damage" {
        command.arg(format!("{READER}/makruk_tb.c"));
    }
    let output = command.arg("-o").arg(to).output().expect(name);
    assert!(output.status.success(), "{compiler:?} {program}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Runs a program on lines of input, and returns its output.
fn run(command: &mut Command, input: &Path) -> String {
    let input = File::open(input).expect("the input");
    let output = command.stdin(input).stderr(Stdio::piped()).output().expect("the program runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {} {errors}", output.status);
    String::from_utf8(output.stdout).expect("text").replace('\r', "")
}

/// A position with a count that runs, has run out, or has not begun.
fn with_count(layout: &Layout, side: Color, number: u64, rng: &mut Rng) -> Option<Fen> {
    let position = layout.position_at(side, number)?;
    let position = if rng.bool() { position } else { position.color_flipped() };
    let limit = *rng.choice(&[0, 15, 16, 32, 44, 64, 88, 128, 9999])?;
    let ply = if rng.bool() { rng.u32(..limit + 4) } else { (limit + 2).saturating_sub(rng.u32(..20)) };
    let fullmove = rng.u32(1..200);
    Some(Fen { position, count: Count::new(limit, ply.min(9999)).ok(), fullmove })
}

/// Every position of three men, and samples of four.
fn questions(rng: &mut Rng, sample: u64) -> Vec<Fen> {
    let mut fens = Vec::new();
    for material in (3..=4).flat_map(Material::all) {
        let layout = Layout::new(material);
        for side in Color::ALL {
            let all = layout.positions()[side];
            let step = if material.men() == 3 { 1 } else { all / sample };
            let mut number = 0;
            while number < all {
                fens.extend(with_count(&layout, side, number, rng));
                number += if step == 1 { 1 } else { rng.u64(1..2 * step) };
            }
        }
    }
    fens
}

fn signed(value: Value) -> i64 {
    value.signed_plies().map_or(NO_DISTANCE, i64::from)
}

const fn number_of(category: Category) -> i64 {
    match category {
        Category::Loss => 1,
        Category::BlessedLoss => 2,
        Category::Draw => 3,
        Category::CursedWin => 4,
        Category::Win => 5,
    }
}

/// The moves left less those of a distance.
fn slack(left: Option<u32>, to_conversion: Value) -> i64 {
    let needed = judge::plies(to_conversion).map(judge::moves_in);
    left.zip(needed).map_or(NO_DISTANCE, |(left, needed)| i64::from(left) - i64::from(needed))
}

/// The numbers of a verdict's line, but for the counts for which it holds.
fn verdict_line(verdict: &Verdict) -> Vec<i64> {
    let count = verdict.count.running.map_or((0, 0), |count| (count.limit(), count.ply()));
    vec![
        number_of(verdict.category),
        signed(verdict.dtm),
        signed(verdict.dtz),
        count.0.into(),
        count.1.into(),
        verdict.count.attacker_moves_left.map_or(-1, i64::from),
        slack(verdict.count.attacker_moves_left, verdict.dtz),
        verdict.checkmate.into(),
        verdict.stalemate.into(),
    ]
}

/// Does a category hold for the counts from `from` to `to`, and for none beside them?
fn holds(category: i64, distances: Distances, from: i64, to: i64) -> bool {
    let at = |left: i64| {
        let limit = left.clamp(1, 9999);
        let count = Count::new(limit as u32, (limit - left) as u32).ok()?;
        Some(number_of(judge::category(distances, Some(count))))
    };
    let same = |left: i64| at(left).is_none_or(|found| found == category);
    let other = |left: i64| at(left).is_none_or(|found| found != category);
    let end = |bound: i64| bound.abs() == ANY_COUNT;
    (end(from) || same(from) && other(from - 1))
        && (end(to) || same(to) && other(to + 1))
        && same(9000.min(to).max(from))
}

/// The moves of a root's line.
fn moves_line(moves: &[RankedMove]) -> String {
    let mut text = String::new();
    let mut rank = 0;
    for (at, mv) in moves.iter().enumerate() {
        let worth = |mv: &RankedMove| match mv.category {
            Category::CursedWin | Category::BlessedLoss => (mv.category, mv.dtm, Value::Draw),
            _ => (mv.category, mv.dtm, mv.dtz),
        };
        rank += usize::from(at > 0 && worth(&moves[at - 1]) != worth(mv));
        // The position reached is one ply nearer to the conversion; behind a baring capture that is mate.
        let after = match (mv.dtz, mv.bares_king) {
            (Value::Draw, _) => Value::Draw,
            (_, true) => mv.dtm,
            (dtz, false) => dtz,
        };
        let after = match after {
            Value::Win(plies) => Value::Loss(plies - 1),
            Value::Loss(plies) => Value::Win(plies - 1),
            Value::Draw => Value::Draw,
        };
        let count = mv.count.map_or((0, 0), |count| (count.limit(), count.ply()));
        let _ = write!(
            text,
            " {} {} {} {} {rank} {} {} {} {} {}",
            mv.mv,
            number_of(mv.category),
            signed(mv.dtm),
            signed(mv.dtz),
            slack(mv.attacker_moves_left(), after),
            count.0,
            count.1,
            u8::from(mv.capture),
            u8::from(mv.bares_king)
        );
    }
    text
}

/// Compares answers, one per line, with the prober's.
fn compare(prober: &Prober, fens: &[Fen], answers: &str, moves_of_each: usize) {
    assert_eq!(answers.lines().count(), fens.len());
    for (at, (fen, answer)) in fens.iter().zip(answers.lines()).enumerate() {
        let verdict = prober.probe(fen).expect("a verdict");
        let mut fields = answer.splitn(12, ' ');
        let mut found: Vec<i64> =
            fields.by_ref().take(11).map(|field| field.parse().unwrap_or_else(|_| panic!("{fen}: {answer}"))).collect();
        let bounds: Vec<i64> = found.drain(7..9).collect();
        assert_eq!(found, verdict_line(&verdict), "{fen}");
        assert!(holds(found[0], verdict.distances(), bounds[0], bounds[1]), "{fen}: {answer}");
        let moves =
            if at % moves_of_each == 0 { moves_line(&prober.moves(fen).expect("moves")) } else { String::new() };
        assert_eq!(fields.next().unwrap_or_default(), moves.trim_start(), "{fen}");
    }
}

/// A file of questions; of one in so many the moves are asked for too.
fn write_questions(path: &Path, fens: &[Fen], moves_of_each: usize) {
    let mut text = String::new();
    for (at, fen) in fens.iter().enumerate() {
        let _ = writeln!(text, "{}{fen}", if at % moves_of_each == 0 { "" } else { "-" });
    }
    std::fs::write(path, text).expect("a file of questions");
}

/// Tables that omit each side that a table may omit.
fn sparse_tables(place: &Path) -> TableFolder {
    let folder = TableFolder::create(place.join("sparse")).expect("a folder");
    let options = Options { stored: StoredSides::White, ..Options::default() };
    let sets = ["KRvKN", "KRvKS", "KNvKS", "KRvKR", "KMvKM"].map(|name| name.parse::<Material>().expect("a set"));
    build(&folder, sets, &options, &Silent).expect("the tables");
    folder
}

#[test]
#[ignore = "needs gcc with sanitizers"]
fn the_answers_are_the_probers() {
    let place = tempfile::tempdir().expect("a folder");
    let (program, input) = (place.path().join("answers"), place.path().join("fens"));
    compile(&[&["gcc", "-std=c11"][..], &SANITIZERS].concat(), "answers", &program);
    let folder = built::small_tables();
    let prober = Prober::new(Tablebase::new(folder.path()));
    let fens = questions(&mut Rng::with_seed(17), 3000);
    write_questions(&input, &fens, 9);
    let answers = run(Command::new(&program).arg(folder.path()).arg("mapped"), &input);
    compare(&prober, &fens, &answers, 9);
    let fens: Vec<Fen> = fens.into_iter().step_by(13).collect();
    write_questions(&input, &fens, 1);
    let answers = run(Command::new(&program).arg(folder.path()).arg("mapped"), &input);
    compare(&prober, &fens, &answers, 1);
    for mode in ["positional", "preloaded", "small-cache"] {
        let found = run(Command::new(&program).arg(folder.path()).arg(mode), &input);
        assert!(found == answers, "{mode}");
    }
}

#[test]
#[ignore = "needs gcc with sanitizers"]
fn sides_that_are_omitted_are_derived() {
    let place = tempfile::tempdir().expect("a folder");
    let (program, input) = (place.path().join("answers"), place.path().join("fens"));
    compile(&[&["gcc", "-std=c11"][..], &SANITIZERS].concat(), "answers", &program);
    let folder = sparse_tables(place.path());
    let prober = Prober::new(Tablebase::new(folder.path()));
    let mut rng = Rng::with_seed(18);
    let mut fens = Vec::new();
    for name in ["KRvKN", "KRvKS", "KNvKS", "KRvKR", "KMvKM", "KRvK", "KSvK"] {
        let layout = Layout::new(name.parse().expect("a set"));
        for side in Color::ALL {
            let numbers = (0..4000).map(|_| rng.u64(..layout.positions()[side])).collect::<Vec<_>>();
            fens.extend(numbers.into_iter().filter_map(|number| with_count(&layout, side, number, &mut rng)));
        }
    }
    write_questions(&input, &fens, 5);
    compare(&prober, &fens, &run(Command::new(&program).arg(folder.path()).arg("small-cache"), &input), 5);
}

#[test]
#[ignore = "needs gcc, g++, clang; with MAKRUK_C_SYSTEMS also MinGW, wine, emscripten and node"]
fn every_compiler_gives_the_same_answers() {
    let place = tempfile::tempdir().expect("a folder");
    let at = |name: &str| place.path().join(name);
    let folder = sparse_tables(place.path());
    let mut rng = Rng::with_seed(19);
    let fens: Vec<Fen> = questions(&mut rng, 60).into_iter().filter(|_| rng.u8(..200) == 0).collect();
    write_questions(&at("fens"), &fens, 3);
    let compilers: [(&str, &[&str], &[&str]); 7] = [
        ("gcc", &["gcc", "-std=c11", "-O2"], &[]),
        ("no-mmap", &["gcc", "-std=c11", "-O2", "-DMAKRUK_TB_NO_MMAP"], &[]),
        ("clang", &["clang", "-std=c11", "-O2"], &[]),
        ("g++", &["g++", "-x", "c++", "-std=c++17", "-O2"], &[]),
        ("clang++", &["clang++", "-x", "c++", "-std=c++17", "-O2"], &[]),
        ("answers.exe", &["x86_64-w64-mingw32-gcc", "-std=c11", "-O2", "-static"], &["/usr/lib/wine/wine64"]),
        // Its optimizer of JavaScript, from -O2 on, needs packages that Debian leaves out.
        (
            "answers.js",
            &["emcc", "-std=c11", "-O1", "-sNODERAWFS=1", "-sALLOW_MEMORY_GROWTH=1"],
            &["node", "--no-experimental-fetch"],
        ),
    ];
    let mut expected: Option<String> = None;
    // Programs for other systems come last: their compilers take long to install.
    let compilers = if std::env::var_os("MAKRUK_C_SYSTEMS").is_some() { &compilers[..] } else { &compilers[..5] };
    for &(name, compiler, runner) in compilers {
        let program = at(name);
        compile(compiler, "answers", &program);
        for mode in ["mapped", "positional"] {
            let mut command = match runner.split_first() {
                Some((runner, _)) => Command::new(runner),
                None => Command::new(&program),
            };
            if let Some((_, options)) = runner.split_first() {
                command.args(options).arg(&program);
            }
            command.env("WINEPREFIX", at("wine")).env("WINEDEBUG", "-all").arg(folder.path()).arg(mode);
            let found = run(&mut command, &at("fens"));
            assert_eq!(found.lines().count(), fens.len(), "{name} {mode}");
            let expected = expected.get_or_insert_with(|| found.clone());
            assert!(found == *expected, "{name} {mode}");
        }
    }
}

#[test]
#[ignore = "needs gcc with sanitizers"]
fn damaged_tables_are_errors() {
    let place = tempfile::tempdir().expect("a folder");
    let (program, work) = (place.path().join("damage"), place.path().join("work"));
    std::fs::create_dir(&work).expect("a folder");
    compile(&[&["gcc", "-std=c11"][..], &SANITIZERS].concat(), "damage", &program);
    let folder = TableFolder::create(place.path().join("tables")).expect("a folder");
    let sets = ["KRvKN", "KSvKS"].map(|name| name.parse::<Material>().expect("a set"));
    build(&folder, sets, &Options::default(), &Silent).expect("the tables");
    let number = std::env::var("MAKRUK_DAMAGES").unwrap_or("400".to_owned());
    let files = ["KRvK.dtm", "KSvKS.dtm", "KSvKS.dtz", "KSvKS.wdl", "KRvKN.dtz"];
    let empty: PathBuf = place.path().join("nothing");
    File::create(&empty).expect("a file");
    let mut command = Command::new(&program);
    command.arg(folder.path()).arg(&work).args([number.as_str(), "1"]).args(files);
    let found = run(&mut command, &empty);
    assert!(found.contains("found damaged"), "{found}");
}

#[test]
#[ignore = "needs gcc with sanitizers"]
fn threads_share_tables() {
    let place = tempfile::tempdir().expect("a folder");
    let (program, input) = (place.path().join("threads"), place.path().join("fens"));
    let compiler = ["gcc", "-std=c11", "-O1", "-g", "-fsanitize=thread", "-pthread"];
    compile(&compiler, "threads", &program);
    let folder = built::small_tables();
    let mut rng = Rng::with_seed(20);
    let fens: Vec<Fen> = questions(&mut rng, 300).into_iter().filter(|_| rng.u8(..100) == 0).collect();
    write_questions(&input, &fens, 1);
    for mode in ["mapped", "positional"] {
        run(Command::new(&program).arg(folder.path()).args([mode, "4"]), &input);
    }
}
