//! The tables' reader in one file of C gives the prober's answers, by every compiler and way of reading; damaged tables
//! never crash it.

use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use fastrand::Rng;
use makruk_format::TableId;
use makruk_format::index::Layout;
use makruk_probe::judge::{self, Category, Distances};
use makruk_probe::{Policy, Prober, RankedMove, Tablebase, Verdict};
use makruk_rules::{Color, Count, Fen};
use makruk_tables::material::Material;
use makruk_tables::value::Value;

pub(crate) const READER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../probe/c/reader");
const WARNINGS: [&str; 6] = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"];
const SANITIZERS: [&str; 4] = ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

/// The distance of a draw, as in the header.
const NO_DISTANCE: i64 = -32768;
const ANY_COUNT: i64 = 32767;

/// Compiles a test program with the reader, which some of them include themselves.
fn compile(compiler: &[&str], program: &str, to: &Path) {
    let (name, flags) = compiler.split_first().expect("a compiler");
    let mut command = Command::new(name);
    command.args(flags).args(WARNINGS).arg("-I").arg(READER).arg(format!("{READER}/tests/{program}.c"));
    if !["damage", "edges", "fens"].contains(&program) {
        command.arg(format!("{READER}/makruk_tb.c"));
    }
    let output = command.arg("-o").arg(to).output().expect(name);
    assert!(output.status.success(), "{compiler:?} {program}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A test program with the sanitizers of memory and of undefined behaviour, compiled once for all tests.
pub(crate) fn sanitized(program: &str) -> &'static Path {
    static PROGRAMS: [(&str, OnceLock<PathBuf>); 4] = [
        ("answers", OnceLock::new()),
        ("damage", OnceLock::new()),
        ("edges", OnceLock::new()),
        ("fens", OnceLock::new()),
    ];
    let (_, compiled) = PROGRAMS.iter().find(|(name, _)| *name == program).expect("a test program");
    compiled.get_or_init(|| {
        let to = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("c-reader-{program}"));
        compile(&[&["gcc", "-std=c11"][..], &SANITIZERS].concat(), program, &to);
        to
    })
}

/// Runs a program on lines of input, and returns its output.
pub(crate) fn run(command: &mut Command, input: &Path) -> String {
    run_with_report(command, input).0
}

/// Runs a program on lines of input, and returns its output and its report.
fn run_with_report(command: &mut Command, input: &Path) -> (String, String) {
    let input = File::open(input).expect("the input");
    let output = command.stdin(input).stderr(Stdio::piped()).output().expect("the program runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {} {errors}", output.status);
    (String::from_utf8(output.stdout).expect("text").replace('\r', ""), errors.into_owned())
}

/// The share of questions about positions won or lost, under many counts, that category tables decide alone.
fn share_decided(report: &str) -> f64 {
    let line = report.lines().find_map(|line| line.strip_suffix(" decided")).expect("a line of the report");
    let (decided, asked) = line.split_once(" of ").expect("two numbers");
    let number = |text: &str| text.parse::<u32>().map(f64::from).expect("a number");
    number(decided) / number(asked)
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

/// `usual`, or with `MAKRUK_EXHAUSTIVE` the other number.
pub(crate) fn number(usual: u64, exhaustive: u64) -> u64 {
    if std::env::var_os("MAKRUK_EXHAUSTIVE").is_some() { exhaustive } else { usual }
}

/// Of how many positions of three men one is asked for.
fn step_of_three_men() -> u64 {
    number(4, 1)
}

/// Many positions of three men, and samples of four.
fn questions(rng: &mut Rng, sample: u64) -> Vec<Fen> {
    let mut fens = Vec::new();
    for material in (3..=4).flat_map(Material::all) {
        let layout = Layout::new(material);
        for side in Color::ALL {
            let all = layout.positions()[side];
            let step = if material.men() == 3 { step_of_three_men() } else { all / sample };
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

/// The number of a category in C.
pub(crate) const fn number_of(category: Category) -> i64 {
    match category {
        Category::Loss => 1,
        Category::BlessedLoss => 2,
        Category::Draw => 3,
        Category::CursedWin => 4,
        Category::Win => 5,
    }
}

/// The moves left less the moves that a distance takes.
fn slack(left: Option<u32>, to_conversion: Value) -> i64 {
    let needed = to_conversion.plies().map(judge::moves_in);
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

/// Whether a category holds for the counts from `from` to `to`, and for none beside them.
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
        let count = mv.count.map_or((0, 0), |count| (count.limit(), count.ply()));
        let _ = write!(
            text,
            " {} {} {} {} {rank} {} {} {} {} {} {}",
            mv.mv,
            number_of(mv.category),
            signed(mv.dtm),
            signed(mv.dtz),
            mv.slack().map_or(NO_DISTANCE, i64::from),
            count.0,
            count.1,
            u8::from(mv.capture),
            u8::from(mv.bares_king),
            u8::from(mv.mv.promotion)
        );
    }
    text
}

/// Compares answers, one per line, with the prober's.
fn compare(prober: &Prober, fens: &[Fen], answers: &str, moves_of_each: usize) {
    assert_eq!(answers.lines().count(), fens.len());
    for (at, (fen, answer)) in fens.iter().zip(answers.lines()).enumerate() {
        let verdict = prober.probe(fen).expect("a verdict");
        let (answer, best) = answer.split_once(" best ").map_or((answer, None), |(answer, best)| (answer, Some(best)));
        if let Some(best) = best {
            let chosen = Policy::ALL.map(|policy| prober.play(fen, policy).expect("a move"));
            let [fastest, safest, stubborn, tricky] =
                chosen.map(|mv| mv.map_or("-".to_owned(), |mv| mv.mv.to_string()));
            assert_eq!(best, format!("{safest} {fastest} {stubborn} {tricky}"), "{fen}");
        }
        let mut fields = answer.splitn(12, ' ');
        let mut found: Vec<i64> =
            fields.by_ref().take(11).map(|field| field.parse().unwrap_or_else(|_| panic!("{fen}: {answer}"))).collect();
        let bounds: Vec<i64> = found.drain(7..9).collect();
        assert_eq!(found, verdict_line(&verdict), "{fen}");
        // With a pawn on the board no count runs.
        let is_held = match fen.position.board().has_pawns() {
            true => bounds == [-ANY_COUNT, ANY_COUNT],
            false => holds(found[0], verdict.distances(), bounds[0], bounds[1]),
        };
        assert!(is_held, "{fen}: {answer}");
        let moves =
            if at % moves_of_each == 0 { moves_line(&prober.moves(fen).expect("moves")) } else { String::new() };
        assert_eq!(fields.next().unwrap_or_default(), moves.trim_start(), "{fen}");
    }
}

/// A file of questions; for one in `moves_of_each` the moves are requested too.
fn write_questions(path: &Path, fens: &[Fen], moves_of_each: usize) {
    let mut text = String::new();
    for (at, fen) in fens.iter().enumerate() {
        let _ = writeln!(text, "{}{fen}", if at % moves_of_each == 0 { "" } else { "-" });
    }
    std::fs::write(path, text).expect("a file of questions");
}

/// Materials of tables that omit sides: armed and not, with pawns of one side and of both.
const SPARSE: [&str; 11] =
    ["KRvKN", "KRvKS", "KNvKS", "KRvKR", "KMvKM", "KPvKP", "KRvKP", "KSvKP", "KSPvK", "KNPvK", "KPPvK"];

/// A folder of tables that omit each side that a table may omit.
fn sparse_tables() -> tempfile::TempDir {
    let materials = SPARSE.map(|name| name.parse::<Material>().expect("a material"));
    test_tables::own(&test_tables::one_sided(materials), materials)
}

pub(crate) fn copy_tables(from: &Path, to: &Path, is_wanted: impl Fn(&str) -> bool) {
    for table in std::fs::read_dir(from).expect("the folder").flatten() {
        let name = table.file_name().into_string().expect("a table's name");
        // Other tests may be building tables there, under temporary names.
        let is_table = name.parse::<TableId>().is_ok();
        if is_table && is_wanted(&name) && !to.join(&name).exists() {
            std::fs::copy(table.path(), to.join(name)).expect("a copy");
        }
    }
}

#[test]
#[ignore = "needs gcc with sanitizers"]
fn the_answers_are_the_probers() {
    let place = tempfile::tempdir().expect("a folder");
    let (program, input) = (sanitized("answers"), place.path().join("fens"));
    let folder = test_tables::small();
    let prober = Prober::new(Tablebase::new(folder.path()));
    let fens = questions(&mut Rng::with_seed(17), number(700, 3000));
    write_questions(&input, &fens, 9);
    // The program compares the answers of category tables with the verdicts, under many counts.
    let (answers, report) = run_with_report(Command::new(program).arg(folder.path()).arg("mapped"), &input);
    compare(&prober, &fens, &answers, 9);
    let share = share_decided(&report);
    println!(
        "{} positions of three and four men; category tables decide {share:.3} of the questions about those won or lost",
        fens.len()
    );
    assert!(share > 0.9, "{report}");
    let fens: Vec<Fen> = fens.into_iter().step_by(13).collect();
    write_questions(&input, &fens, 1);
    let answers = run(Command::new(program).arg(folder.path()).arg("mapped"), &input);
    compare(&prober, &fens, &answers, 1);
    for mode in ["positional", "preloaded", "small-cache"] {
        let found = run(Command::new(program).arg(folder.path()).arg(mode), &input);
        assert!(found == answers, "{mode}");
    }
}

#[test]
#[ignore = "needs gcc with sanitizers"]
fn sides_that_are_omitted_are_derived() {
    let place = tempfile::tempdir().expect("a folder");
    let (program, input) = (sanitized("answers"), place.path().join("fens"));
    let folder = sparse_tables();
    let prober = Prober::new(Tablebase::new(folder.path()));
    let mut rng = Rng::with_seed(18);
    let mut fens = Vec::new();
    for name in SPARSE.into_iter().chain(["KRvK", "KSvK", "KPvK"]) {
        let layout = Layout::new(name.parse().expect("a material"));
        for side in Color::ALL {
            let numbers = (0..number(700, 4000)).map(|_| rng.u64(..layout.positions()[side])).collect::<Vec<_>>();
            fens.extend(numbers.into_iter().filter_map(|number| with_count(&layout, side, number, &mut rng)));
        }
    }
    write_questions(&input, &fens, 5);
    let (answers, report) = run_with_report(Command::new(program).arg(folder.path()).arg("small-cache"), &input);
    compare(&prober, &fens, &answers, 5);
    let all = share_decided(&report);
    println!("{} positions; category tables with omitted sides decide {all:.3} of the questions", fens.len());
    assert!(all > 0.75, "{report}");
    // A side that is omitted needs the tables that captures lead to. Without them the distances answer.
    std::fs::remove_file(folder.path().join("KRvK.category")).expect("a table of the folder");
    let (found, report) = run_with_report(Command::new(program).arg(folder.path()).arg("mapped"), &input);
    assert!(found == answers, "without a category table");
    assert!(share_decided(&report) < all, "{report}");
}

#[test]
#[ignore = "needs gcc, g++, clang, MinGW, compilers for s390x and i686, qemu, wine; with MAKRUK_C_SYSTEMS also emscripten and node"]
fn every_compiler_gives_the_same_answers() {
    let place = tempfile::tempdir().expect("a folder");
    let at = |name: &str| place.path().join(name);
    let folder = sparse_tables();
    let mut rng = Rng::with_seed(19);
    let fens: Vec<Fen> = questions(&mut rng, 60).into_iter().filter(|_| rng.u8(..200) == 0).collect();
    write_questions(&at("fens"), &fens, 3);
    let compilers: [(&str, &[&str], &[&str]); 10] = [
        ("gcc", &["gcc", "-std=c11", "-O2"], &[]),
        // More tables than files that may be open.
        (
            "no-mmap",
            &["gcc", "-std=c11", "-O2", "-DMAKRUK_TB_NO_MMAP", "-DMAKRUK_TB_MOST_OPEN=8"],
            &["prlimit", "--nofile=16"],
        ),
        ("clang", &["clang", "-std=c11", "-O2"], &[]),
        // Unlike gcc it traps numbers added to a null pointer.
        ("clang-traps", &["clang", "-std=c11", "-O2", "-fsanitize=undefined", "-fsanitize-trap=all"], &[]),
        ("g++", &["g++", "-x", "c++", "-std=c++17", "-O2"], &[]),
        ("clang++", &["clang++", "-x", "c++", "-std=c++17", "-O2"], &[]),
        // The most significant byte first.
        ("s390x", &["s390x-linux-gnu-gcc", "-std=c11", "-O2", "-static"], &["qemu-s390x"]),
        // Words and pointers of 32 bits.
        ("i686", &["i686-linux-gnu-gcc", "-std=c11", "-O2", "-static"], &[]),
        ("answers.exe", &["x86_64-w64-mingw32-gcc", "-std=c11", "-O2", "-static"], &["wine"]),
        // Its optimizer of JavaScript, from -O2 on, needs packages that Debian leaves out.
        (
            "answers.js",
            &["emcc", "-std=c11", "-O1", "-sNODERAWFS=1", "-sALLOW_MEMORY_GROWTH=1"],
            &["node", "--no-experimental-fetch"],
        ),
    ];
    let mut expected: Option<String> = None;
    // Its compiler takes long to install.
    let compilers = if std::env::var_os("MAKRUK_C_SYSTEMS").is_some() { &compilers[..] } else { &compilers[..9] };
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
            command.arg(folder.path()).arg(mode);
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
    let (program, work) = (sanitized("damage"), place.path().join("work"));
    std::fs::create_dir(&work).expect("a folder");
    let materials = ["KRvKN", "KSvKS", "KNPvK"].map(|name| name.parse::<Material>().expect("a material"));
    let folder = test_tables::own(&test_tables::usual(materials), materials);
    let damages = std::env::var("MAKRUK_DAMAGES").unwrap_or(number(60, 400).to_string());
    let files = ["KSvK.dtm", "KRvK.dtm", "KSvKS.dtm", "KSvKS.dtz", "KRvKN.dtz", "KNPvK.dtz"];
    let categories = ["KRvK.category", "KSvKS.category", "KRvKN.category", "KNPvK.category"];
    let empty: PathBuf = place.path().join("nothing");
    File::create(&empty).expect("a file");
    for files in [&files[..], &categories] {
        let mut command = Command::new(program);
        command.arg(folder.path()).arg(&work).args([damages.as_str(), "1"]).args(files);
        let found = run(&mut command, &empty);
        assert!(found.contains("found damaged"), "{found}");
    }
}

/// A folder with some of a folder's tables.
fn some_tables(from: &Path, to: PathBuf, names: &[&str]) -> PathBuf {
    std::fs::create_dir(&to).expect("a folder");
    copy_tables(from, &to, |name| names.contains(&name));
    to
}

#[test]
#[ignore = "needs gcc with sanitizers"]
fn odd_input_and_partial_folders_are_answered_or_refused() {
    let place = tempfile::tempdir().expect("a folder");
    let (program, empty) = (sanitized("edges"), place.path().join("nothing"));
    File::create(&empty).expect("a file");
    let small = test_tables::usual((3..=4).flat_map(Material::all));
    let edges = |work: &str, folder: &Path, last: &str| {
        run(Command::new(program).arg(work).arg(folder).args([last].iter().filter(|last| !last.is_empty())), &empty)
    };
    // A folder with few tables is not a failure; a table of distances that another one needs is one.
    let few = ["KRvK.dtm", "KRvK.category"];
    edges("opening", &some_tables(small.path(), place.path().join("few"), &few), "ok");
    let half = ["KRvK.dtm", "KRvKN.dtz"];
    edges("opening", &some_tables(small.path(), place.path().join("half"), &half), "missing table");
    let sparse = sparse_tables();
    // Sanitizers change what lies on the stack.
    let fast = place.path().join("edges-fast");
    compile(&["gcc", "-std=c11", "-O2"], "edges", &fast);
    for folder in [small.path(), sparse.path()] {
        edges("boards", folder, "5000");
        run(Command::new(&fast).arg("boards").arg(folder).arg("5000"), &empty);
    }
    edges("open-counts", small.path(), "");
    edges("pawns", small.path(), "");
}

#[test]
#[ignore = "needs gcc with sanitizers"]
fn a_mate_needs_no_dtz() {
    let place = tempfile::tempdir().expect("a folder");
    let (program, input) = (sanitized("edges"), place.path().join("fens"));
    let small = test_tables::small();
    let folder = some_tables(small.path(), place.path().join("dtm"), &["KRvKN.dtm"]);
    let prober = Prober::new(Tablebase::new(small.path()));
    let layout = Layout::new("KRvKN".parse().expect("a material"));
    let mut rng = Rng::with_seed(21);
    let (mut fens, mut mates) = (Vec::new(), 0);
    for number in 0..layout.positions()[Color::Black] {
        let Some(position) = layout.position_at(Color::Black, number) else { continue };
        let is_mate = position.is_check() && !position.has_legal_move();
        if !is_mate && rng.u32(..500) > 0 {
            continue;
        }
        let of_mate = [(0, 0), (128, 0), (128, 128), (128, 129), (128, 130), (1, 9999)];
        let counts = if is_mate { &of_mate[..] } else { &of_mate[..2] };
        mates += usize::from(is_mate);
        fens.extend(counts.iter().map(|&(limit, ply)| Fen {
            position: position.clone(),
            count: Count::new(limit, ply).ok(),
            fullmove: 1,
        }));
    }
    assert!(mates > 20, "{mates}");
    write_questions(&input, &fens, 1);
    let answers = run(Command::new(program).arg("categories").arg(&folder), &input);
    assert_eq!(answers.lines().count(), fens.len());
    for (fen, answer) in fens.iter().zip(answers.lines()) {
        let (category, bounds) = prober.bounded_category_by_distances(fen).expect("a category");
        let is_known = matches!(prober.probe(fen).expect("a verdict").dtm, Value::Draw | Value::Loss(0));
        let bound = |plies: Option<i32>, none: i64| plies.map_or(none, i64::from);
        let expected =
            format!("{} {} {}", number_of(category), bound(bounds.fewest, -ANY_COUNT), bound(bounds.most, ANY_COUNT));
        assert_eq!(answer, if is_known { expected } else { "-2 0 0".to_owned() }, "{fen}");
    }
}

#[test]
#[ignore = "needs gcc with sanitizers"]
fn threads_share_tables() {
    let place = tempfile::tempdir().expect("a folder");
    let (program, input) = (place.path().join("threads"), place.path().join("fens"));
    let compiler = ["gcc", "-std=c11", "-O1", "-g", "-fsanitize=thread", "-pthread"];
    compile(&compiler, "threads", &program);
    let folder = test_tables::usual((3..=4).flat_map(Material::all));
    let mut rng = Rng::with_seed(20);
    let fens: Vec<Fen> = questions(&mut rng, 300).into_iter().filter(|_| rng.u8(..100) == 0).collect();
    write_questions(&input, &fens, 1);
    for mode in ["mapped", "positional"] {
        run(Command::new(&program).arg(folder.path()).args([mode, "4"]), &input);
    }
}
