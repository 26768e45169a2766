//! The reader in C as an installed library: programs that were compiled against its header alone, and the examples.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use crate::c_reader::copy_tables;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../probe/c");
const ARMED: &str = "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1";

/// The library, built and installed under a prefix.
fn installed() -> &'static Path {
    static INSTALLED: OnceLock<PathBuf> = OnceLock::new();
    INSTALLED.get_or_init(|| {
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("c-library");
        let _ = std::fs::remove_dir_all(&place);
        let status = Command::new("make")
            .args(["--silent", "install", "PREFIX=/usr"])
            .arg(format!("BUILD={}", place.join("build").display()))
            .arg(format!("DESTDIR={}", place.display()))
            .current_dir(FOLDER)
            .status();
        assert!(status.expect("make: install make").success());
        // Only the name with the interface's version is there when a program runs.
        let usr = place.join("usr");
        compile(&format!("{FOLDER}/reader/tests/interface.c"), &usr.join("interface"), &["-std=c11"], &usr);
        compile(&format!("{FOLDER}/examples/example.c"), &usr.join("example"), &["-std=c99"], &usr);
        std::fs::remove_file(usr.join("lib/libmakruk_probe.so")).expect("the shared library");
        usr
    })
}

/// Compiles a program against the header of the installed library, and links it with the shared library.
fn compile(source: &str, to: &Path, flags: &[&str], usr: &Path) {
    let output = Command::new("cc")
        .args(flags)
        .args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1"])
        .arg(format!("-I{}", usr.join("include").display()))
        .arg(source)
        .arg(format!("-L{}", usr.join("lib").display()))
        .args(["-lmakruk_probe", "-o"])
        .arg(to)
        .output()
        .expect("a C compiler: install gcc");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A program with the reader, which is compiled once, under sanitizers.
fn compile_with_reader(source: &str, to: &Path) {
    static READER: OnceLock<PathBuf> = OnceLock::new();
    let compile = |arguments: &[&str], to: &Path| {
        let output = Command::new("cc")
            .args(["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1", "-g", "-pthread"])
            .args(["-fsanitize=address,undefined", "-fno-omit-frame-pointer"])
            .arg(format!("-I{FOLDER}/reader"))
            .args(arguments)
            .arg("-o")
            .arg(to)
            .output()
            .expect("a C compiler: install gcc");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    let reader = READER.get_or_init(|| {
        let object = Path::new(env!("CARGO_TARGET_TMPDIR")).join("c-library-reader.o");
        compile(&["-c", &format!("{FOLDER}/reader/makruk_tb.c")], &object);
        object
    });
    compile(&[source, reader.to_str().expect("a path")], to);
}

fn run(program: &Path, arguments: &[&str]) -> (bool, String) {
    let mut command = Command::new(program);
    let Output { status, stdout, stderr } =
        command.args(arguments).env("LD_LIBRARY_PATH", installed().join("lib")).output().expect("the program runs");
    (status.success(), String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr))
}

/// The output of a program that succeeds.
fn output(program: &Path, arguments: &[&str]) -> String {
    let (success, text) = run(program, arguments);
    assert!(success, "{arguments:?}: {text}");
    text
}

/// A folder with the tables of KRvKS, KRvK and KSvK whose names have one of these ends.
fn folder(ends: &[&str]) -> tempfile::TempDir {
    let materials = test_tables::materials(&["KRvKS"]);
    let folder = tempfile::tempdir().expect("a folder");
    let all = test_tables::own(&test_tables::usual(materials.clone()), materials);
    copy_tables(all.path(), folder.path(), |name| ends.iter().any(|end| name.ends_with(end)));
    folder
}

fn damage(table: &Path) {
    let mut bytes = std::fs::read(table).expect("a table");
    bytes[20] ^= 1;
    std::fs::write(table, bytes).expect("a table");
}

#[test]
#[ignore = "needs a C compiler and make"]
fn an_installed_library_does_what_its_header_says() {
    let usr = installed();
    let text = |path: &str| std::fs::read_to_string(usr.join(path)).expect(path);
    let about = text("lib/pkgconfig/makruk_probe.pc");
    assert!(about.contains("libdir=/usr/lib\n") && about.contains("Version: 1.0\n"), "{about}");
    let cmake = text("lib/cmake/makruk_probe/makruk_probe-config.cmake");
    assert!(cmake.contains("libmakruk_probe.so.1.0\"") && !cmake.contains('@'), "{cmake}");
    let tables = folder(&[".category", ".dtm", ".dtz"]);
    let path = tables.path().to_str().expect("a path");
    let (interface, example) = (usr.join("interface"), usr.join("example"));
    output(&interface, &["whole", path]);
    let found = output(&example, &[path]);
    for part in [
        "libmakruk_probe 1.0: 3 materials of up to 4 men",
        "win, dtm 31, dtz 45, 65 moves left",
        "e2e1   win          dtm     61, dtz     45, count 128 1",
    ] {
        assert!(found.contains(part), "{found}");
    }
    assert!(found.lines().last().is_some_and(|line| line.contains(" b - 32 ")), "it ends with the king mated: {found}");
    // The static library gives the same.
    let program = tables.path().join("static");
    let archive = usr.join("lib/libmakruk_probe.a");
    let flags = ["-std=c99", "-x", "none", archive.to_str().expect("a path")];
    let status = Command::new("cc")
        .arg(format!("-I{}", usr.join("include").display()))
        .arg(format!("{FOLDER}/examples/example.c"))
        .args(flags)
        .arg("-o")
        .arg(&program)
        .status();
    assert!(status.expect("a C compiler: install gcc").success());
    assert_eq!(output(&program, &[path]), found);
}

#[test]
#[ignore = "needs a C compiler and make"]
fn missing_and_damaged_tables_have_results_of_their_own() {
    let interface = installed().join("interface");
    let tables = folder(&[".category", ".dtm", ".dtz"]);
    let path = tables.path().to_str().expect("a path");
    let category = |fen: &str| output(&interface, &["category", path, fen]);
    let late = "8/8/8/8/8/4s1k1/4R3/K7 w - 128 85 1";
    let bare = "7k/8/5K2/8/8/8/8/R7 w - - 0 1";
    for (fen, result) in [
        (ARMED, "win: "),
        (late, "cursed-win: "),
        ("8/8/8/8/8/6k1/8/K7 w - - 0 1", "draw: "),
        ("8/8/8/8/8/4n1k1/4R3/K7 w - - 0 1", "missing table: "),
        ("8/8/8/4p3/8/6k1/4R3/K7 w - - 0 1", "missing table: "),
        ("8/8/8/4pp2/3ppp2/6k1/4R3/K7 w - - 0 1", "not covered: "),
    ] {
        assert!(category(fen).starts_with(result), "{fen}: {}", category(fen));
    }
    // Without distances the winner is known if the count begins now, but not always under another count.
    std::fs::remove_file(tables.path().join("KRvKS.dtz")).expect("a table");
    assert!(category(ARMED).starts_with("win") && category(late).starts_with("count undecided"), "{}", category(late));
    assert!(category("8/8/8/8/8/4s1k1/4R3/K7 w - 128 129 1").starts_with("cursed-win"));
    std::fs::remove_file(tables.path().join("KRvKS.category")).expect("a table");
    assert!(category(ARMED).starts_with("count undecided") && category(bare).starts_with("win"));
    // A damaged table does not affect other tables.
    assert_eq!(output(&interface, &["strict", path]), "ok: \n");
    damage(&tables.path().join("KRvKS.dtm"));
    assert!(category(bare).starts_with("win") && category(ARMED).contains("KRvKS"), "{}", category(ARMED));
    assert!(category(ARMED).starts_with("corrupt table"));
    let refused = output(&interface, &["strict", path]);
    assert!(refused.starts_with("corrupt table: ") && refused.contains("KRvKS.dtm"), "{refused}");
    assert!(!run(&interface, &["category", "/nowhere", ARMED]).0);
    assert!(output(&interface, &["strict", "/nowhere"]).starts_with("no tables: "));
}

#[test]
#[ignore = "needs a C compiler and make"]
fn a_search_answers_from_the_tables_that_are_there_and_hides_no_damage() {
    let interface = installed().join("interface");
    // Black takes the knight, or loses otherwise.
    let capture = "8/8/8/8/4K3/8/1kN5/R7 b - - 0 1";
    let of = test_tables::materials(&["KRNvK"]);
    let all = test_tables::own(&test_tables::usual(of.clone()), of);
    // With no flag, in memory, by category tables only, and both.
    let search = |names: &[&str], damaged: Option<&str>| {
        let folder = tempfile::tempdir().expect("a folder");
        copy_tables(all.path(), folder.path(), |name| names.contains(&name));
        damaged.into_iter().for_each(|name| damage(&folder.path().join(name)));
        let found = output(&interface, &["search", folder.path().to_str().expect("a path"), capture]);
        found.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let damaged = Some("KRvK.category");
    let (short, missing) = ("count undecided", "missing table");
    assert_eq!(search(&["KRNvK.category", "KRvK.category"], None), ["loss"; 4]);
    assert_eq!(search(&["KRNvK.category"], None), [missing, missing, short, short]);
    assert_eq!(search(&["KRNvK.dtm"], None), ["loss", "loss", short, short]);
    let corrupt = "corrupt table";
    assert_eq!(search(&["KRNvK.category", "KRNvK.dtm", "KRvK.category"], damaged), ["loss", "loss", corrupt, corrupt]);
    assert_eq!(search(&["KRNvK.category", "KRvK.category"], damaged), [corrupt; 4]);
}

#[test]
#[ignore = "needs a C compiler with AddressSanitizer"]
fn the_examples_run() {
    let place = tempfile::tempdir().expect("a folder");
    let at = |name: &str| place.path().join(name);
    let data = at("tables/data");
    std::fs::create_dir_all(&data).expect("a folder");
    let tables = folder(&[".category", ".dtm", ".dtz"]);
    let path = tables.path().to_str().expect("a path");
    // The program of the README, which probes a folder beside it.
    let readme = std::fs::read_to_string(format!("{FOLDER}/README.md")).expect("the README");
    let program = readme.split("```c\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a program");
    std::fs::write(at("readme.c"), program).expect("a file");
    compile_with_reader(at("readme.c").to_str().expect("a path"), &at("readme"));
    let asked = || Command::new(at("readme")).current_dir(place.path()).output().expect("the program runs");
    assert!(!asked().status.success(), "without tables it fails");
    copy_tables(tables.path(), &data, |_| true);
    assert!(asked().status.success() && asked().stdout == b"win\n", "{:?}", asked());

    compile_with_reader(&format!("{FOLDER}/examples/example.c"), &at("example"));
    for (fen, told) in [
        ("8/8/8/8/8/4n1k1/4R3/K7 w - - 0 1", "missing table"),
        ("8/8/8/8/8/4s1k1/4R3/K6 w", "bad FEN"),
        ("8/8/8/8/8/4s1k1/4R3/K7 w - x", "bad count"),
        ("8/8/8/8/8/4s3/4R1k1/K7 w", "illegal position"),
    ] {
        let (success, text) = run(&at("example"), &[path, fen]);
        assert!(!success && text.contains(told), "{fen}: {text}");
    }
    compile_with_reader(&format!("{FOLDER}/examples/search.c"), &at("search"));
    for (fen, expected) in [
        (ARMED, "win, slack 42: e2e1\n"),
        ("8/8/8/8/8/4s1k1/4R3/K7 w - 128 100 1", "cursed-win, slack -8: e2e3\n"),
        ("8/8/8/3k4/8/4K3/4s2R/7m w - 128 0 1", ", with tables\n"),
    ] {
        let found = output(&at("search"), &[path, fen, "3"]);
        assert!(found.ends_with(expected), "{fen}: {found}");
    }
}
