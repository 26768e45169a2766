//! The library as programs in C see it: the header, the examples, and the examples under AddressSanitizer.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use fastrand::Rng;
use makruk_tables::rules::{Board, Color, Piece, Position, Role, Square};

fn here(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

#[test]
fn the_readme_names_everything_in_the_header() {
    let header = std::fs::read_to_string(here("include/makruk_probe.h")).unwrap();
    let readme = std::fs::read_to_string(here("README.md")).unwrap();
    let words = |text: &str| -> std::collections::BTreeSet<String> {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_owned);
        words.filter(|word| word.to_lowercase().starts_with("makruk")).collect()
    };
    // Declarations and definitions are the lines that are not comments.
    let is_code = |line: &&str| line.ends_with([';', '(', ',', '{']) || line.starts_with('#');
    let code = header.lines().filter(is_code).collect::<Vec<_>>().join("\n");
    let known = words(&readme);
    let unknown: Vec<String> =
        words(&code).into_iter().filter(|name| name != "MAKRUK_PROBE_H" && !known.contains(name)).collect();
    assert!(words(&code).len() > 60, "{}", words(&code).len());
    assert!(unknown.is_empty(), "README.md does not name {unknown:?}");
}

/// Tables with both sides armed and with a bare king, in two folders.
fn folders() -> &'static (PathBuf, PathBuf) {
    static FOLDERS: OnceLock<(PathBuf, PathBuf)> = OnceLock::new();
    FOLDERS.get_or_init(|| {
        let parent = Path::new(env!("CARGO_TARGET_TMPDIR")).join("capi-tables");
        let _ = std::fs::remove_dir_all(&parent);
        let (one, other) = (parent.join("one"), parent.join("other"));
        let tables = test_tables::usual(test_tables::materials(&["KRvKS"]));
        for (folder, names) in [(&one, &["KRvKS", "KSvK"][..]), (&other, &["KRvK"])] {
            std::fs::create_dir_all(folder).unwrap();
            test_tables::link(&tables, test_tables::materials(names), folder);
        }
        (one, other)
    })
}

/// The library, built as the tests are.
fn library() -> &'static PathBuf {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let test = std::env::current_exe().unwrap();
        let profile = test.ancestors().nth(2).unwrap().to_owned();
        let name = if profile.ends_with("release") { "release" } else { "test" };
        let status = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--package", "makruk-probe-capi", "--lib", "--profile", name, "--target-dir"])
            .arg(profile.parent().unwrap())
            .current_dir(here("."))
            .status();
        assert!(status.unwrap().success());
        profile
    })
}

fn compile(source: &Path, to: &Path, flags: &[&str]) {
    let library = library().join("libmakruk_probe.a");
    let output = Command::new("cc")
        .args(["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1", "-g"])
        .args(flags)
        .arg("-I")
        .arg(here("include"))
        .arg(source)
        .arg(library)
        .args(["-lpthread", "-ldl", "-lm", "-o"])
        .arg(to)
        .output()
        .expect("a C compiler: install gcc");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn run(program: &Path, arguments: &[&str]) -> (bool, String, String) {
    let Output { status, stdout, stderr } = Command::new(program).args(arguments).output().unwrap();
    (status.success(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

fn examples(flags: &[&str]) {
    let programs = tempfile::tempdir().unwrap();
    let (one, other) = folders();
    let list = format!("{}:{}", one.display(), other.display());

    let example = programs.path().join("example");
    compile(&here("examples/example.c"), &example, flags);
    let (success, out, errors) = run(&example, &[&list]);
    assert!(success, "{out}{errors}");
    assert!(out.contains("3 materials of up to 4 men"), "{out}");
    assert!(out.contains("win, dtm 31, dtz 45, 65 moves left"), "{out}");
    assert!(out.contains("e2e1   win          dtm     61, dtz     45, count 128 1"), "{out}");
    assert!(out.lines().last().unwrap().contains(" b - 32 "), "it ends with the king mated: {out}");

    // Materials without a table, a position with too many men, and texts that are not a FEN.
    for (fen, told) in [
        ("8/8/8/8/8/4n1k1/4R3/K7 w - - 0 1", "missing table"),
        ("8/8/8/4p3/8/6k1/4R3/K7 w - - 0 1", "missing table"),
        ("8/8/8/4pp2/3ppp2/6k1/4R3/K7 w - - 0 1", "not covered"),
        ("8/8/8/8/8/4s1k1/4R3/K6 w", "bad FEN"),
        ("8/8/8/8/8/4s1k1/4R3/K7 w - x", "bad count"),
        ("8/8/8/8/8/4s3/4R1k1/K7 w", "illegal position"),
    ] {
        let (success, _, errors) = run(&example, &[&list, fen]);
        assert!(!success && errors.contains(told), "{fen}: {errors}");
    }
    let (success, _, errors) = run(&example, &["/nowhere"]);
    assert!(!success && errors.contains("no tables"), "{errors}");

    // The program of the README, which probes a folder beside it.
    let readme = std::fs::read_to_string(here("README.md")).unwrap();
    let (source, program) = (programs.path().join("readme.c"), programs.path().join("readme"));
    std::fs::write(&source, readme.split("```c\n").nth(1).unwrap().split("```").next().unwrap()).unwrap();
    compile(&source, &program, flags);
    let data = programs.path().join("tables/data");
    std::fs::create_dir_all(&data).unwrap();
    let output = Command::new(&program).current_dir(programs.path()).output().unwrap();
    assert!(!output.status.success(), "without tables it fails");
    for entry in [one, other].into_iter().flat_map(|folder| std::fs::read_dir(folder).unwrap()) {
        let path = entry.unwrap().path();
        std::fs::copy(&path, data.join(path.file_name().unwrap())).unwrap();
    }
    let output = Command::new(&program).current_dir(programs.path()).output().unwrap();
    assert!(output.status.success() && output.stdout == b"win\n", "{output:?}");
    // The program with the reader in one file prints the same.
    let readme = std::fs::read_to_string(here("reader/README.md")).unwrap();
    let (source, program) = (programs.path().join("reader.c"), programs.path().join("reader"));
    std::fs::write(&source, readme.split("```c\n").nth(1).unwrap().split("```").next().unwrap()).unwrap();
    compile_with_reader(&source, &program, flags);
    let output = Command::new(&program).current_dir(programs.path()).output().unwrap();
    assert!(output.status.success() && output.stdout == b"win\n", "{output:?}");

    the_search_is_the_same_with_either_reader(programs.path(), &list, flags);

    let threads = programs.path().join("threads");
    compile(&here("examples/threads.c"), &threads, flags);
    let positions = programs.path().join("positions");
    std::fs::write(&positions, random_positions(20_000)).unwrap();
    let (success, out, errors) = run(&threads, &[&list, positions.to_str().unwrap(), "4"]);
    assert!(success && out.starts_with("20000 positions"), "{out}{errors}");
}

/// The example of a search, with the library and with the reader in one file.
fn the_search_is_the_same_with_either_reader(programs: &Path, list: &str, flags: &[&str]) {
    let (with_library, with_reader) = (programs.join("search"), programs.join("search-tb"));
    let header = ["-std=c11", "-DMAKRUK_HEADER=\"makruk_probe.h\""];
    compile(&here("examples/search.c"), &with_library, &[&header, flags].concat());
    compile_with_reader(&here("examples/search.c"), &with_reader, flags);
    let answers = [
        ("8/8/8/8/8/4s1k1/4R3/K7 w - 128 0 1", "win, slack 42: e2e1\n"),
        ("8/8/8/8/8/4s1k1/4R3/K7 w - 128 100 1", "cursed-win, slack -8: e2e3\n"),
        ("8/8/8/3s4/8/R1n1k3/8/K7 w - 128 0 1", ", with tables\n"),
        ("8/8/8/3k4/8/4K3/4s2R/7m w - 128 0 1", ", with tables\n"),
    ];
    for (fen, expected) in answers {
        let (success, out, errors) = run(&with_library, &[list, fen, "3"]);
        assert!(success && out.ends_with(expected), "{fen}: {out}{errors}");
        assert_eq!(run(&with_reader, &[list, fen, "3"]).1, out, "{fen}");
    }
}

fn compile_with_reader(source: &Path, to: &Path, flags: &[&str]) {
    let status = Command::new("cc")
        .args(["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1", "-g"])
        .args(flags)
        .arg("-I")
        .args([&here("reader"), source, &here("reader/makruk_tb.c")])
        .arg("-o")
        .arg(to)
        .status();
    assert!(status.expect("a C compiler: install gcc").success());
}

#[test]
#[ignore = "needs a C compiler"]
fn the_library_answers_as_the_reader_does() {
    let place = tempfile::tempdir().unwrap();
    let (with_library, with_reader) = (place.path().join("answers"), place.path().join("answers-tb"));
    let source = here("reader/tests/answers.c");
    compile(&source, &with_library, &["-std=c11", "-DMAKRUK_HEADER=\"makruk_probe.h\""]);
    compile_with_reader(&source, &with_reader, &[]);
    let (one, other) = folders();
    let list = format!("{}:{}", one.display(), other.display());
    let mut rng = Rng::with_seed(5);
    let mut counted = String::new();
    for (at, line) in random_positions(6000).lines().enumerate() {
        let limit = *rng.choice(&[0, 15, 32, 44, 64, 128]).unwrap();
        let ply = if rng.bool() { rng.u32(..limit + 4) } else { (limit + 2).saturating_sub(rng.u32(..20)) };
        let moves = if at % 4 == 0 { "" } else { "-" };
        counted += &format!("{moves}{} - {limit} {ply} 7\n", line.strip_suffix(" - - 0 1").unwrap());
    }
    let input = place.path().join("fens");
    std::fs::write(&input, &counted).unwrap();
    let answers = |program: &Path, mode: &str| {
        let input = std::fs::File::open(&input).unwrap();
        let output = Command::new(program).args([&list, mode]).stdin(input).output().unwrap();
        assert!(output.status.success(), "{mode}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let expected = answers(&with_reader, "mapped");
    assert_eq!(expected.lines().count(), 6000);
    for mode in ["mapped", "positional", "preloaded", "small-cache"] {
        let found = answers(&with_library, mode);
        for (fen, (expected, found)) in counted.lines().zip(expected.lines().zip(found.lines())) {
            assert_eq!(found, expected, "{mode} {fen}");
        }
    }
}

/// Positions of K+R v K+S and K+R v K.
fn random_positions(count: usize) -> String {
    let mut rng = Rng::with_seed(1);
    let mut text = String::new();
    let men = [(Color::White, Role::King), (Color::Black, Role::King), (Color::White, Role::Rook)];
    let khon = (Color::Black, Role::Khon);
    let mut found = 0;
    while found < count {
        let all = men.iter().copied().chain(rng.bool().then_some(khon));
        let board: Board = all.map(|(color, role)| (Square::new(rng.u8(..64)), Piece::new(color, role))).collect();
        let turn = if rng.bool() { Color::White } else { Color::Black };
        if let Ok(position) = Position::new(board, turn) {
            text += &format!("{} {} - - 0 1\n", position.board(), turn.letter());
            found += 1;
        }
    }
    text
}

#[test]
#[ignore = "needs a C compiler"]
fn the_examples_run() {
    examples(&[]);
}

#[test]
#[ignore = "needs a C compiler with AddressSanitizer"]
fn the_examples_run_under_address_sanitizer() {
    examples(&["-fsanitize=address,undefined", "-fno-omit-frame-pointer"]);
}

#[test]
#[ignore = "needs a C compiler and make"]
fn an_installed_library_is_found() {
    let place = tempfile::tempdir().unwrap();
    let status = Command::new("make")
        .args(["--silent", "install", "PREFIX=/usr"])
        .arg(format!("LIBRARIES={}", library().display()))
        .arg(format!("DESTDIR={}", place.path().display()))
        .current_dir(here("."))
        .status();
    assert!(status.expect("make: install make").success());
    let usr = place.path().join("usr");
    let about = std::fs::read_to_string(usr.join("lib/pkgconfig/makruk_probe.pc")).unwrap();
    assert!(about.contains("libdir=/usr/lib\n") && about.contains("Version: 1.3\n"), "{about}");
    let cmake = std::fs::read_to_string(usr.join("lib/cmake/makruk_probe/makruk_probe-config.cmake")).unwrap();
    assert!(cmake.contains("libmakruk_probe.so.1.3\"") && !cmake.contains('@'), "{cmake}");
    let program = place.path().join("example");
    let status = Command::new("cc")
        .arg("-I")
        .arg(usr.join("include"))
        .arg(here("examples/example.c"))
        .arg(format!("-L{}", usr.join("lib").display()))
        .args(["-lmakruk_probe", "-o"])
        .arg(&program)
        .status();
    assert!(status.unwrap().success());
    // Only the name with the interface's version is there when the program runs.
    std::fs::remove_file(usr.join("lib/libmakruk_probe.so")).unwrap();
    let (one, other) = folders();
    let list = format!("{}:{}", one.display(), other.display());
    let output = Command::new(&program).arg(list).env("LD_LIBRARY_PATH", usr.join("lib")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("libmakruk_probe 1.3: 3 materials"), "{output:?}");
}

/// The constants of a header, by name, without parentheses and suffixes.
fn constants(header: &str) -> Vec<(String, String)> {
    let define = |line: &str| {
        let (name, value) = line.strip_prefix("#define MAKRUK_")?.split_once(' ')?;
        let value = value.trim_matches(['(', ')']).trim_end_matches('u');
        Some((name.to_owned(), value.to_owned()))
    };
    let mut constants: Vec<_> = header.lines().filter_map(define).collect();
    constants.sort();
    constants
}

#[test]
fn both_readers_have_the_same_constants() {
    let [library, reader] = ["include/makruk_probe.h", "reader/makruk_tb.h"]
        .map(|path| constants(&std::fs::read_to_string(here(path)).unwrap()));
    assert!(library.len() > 30);
    assert_eq!(library, reader);
    let version = library.iter().find(|(name, _)| name == "VERSION_MAJOR").unwrap();
    let name = std::fs::read_to_string(here("build.rs")).unwrap();
    assert!(name.contains(&format!("libmakruk_probe.so.{}\"", version.1)));
}
