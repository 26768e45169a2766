//! The adapter for Fairy-Stockfish as other builds compile it: without the tables, for 32 bits, and to WebAssembly.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use makruk_tables::material::Material;

use crate::fairy_tables::{ADAPTER, READER, WARNINGS, questions, ranks};
use fastrand::Rng;

/// Stand-ins for headers of Fairy-Stockfish, with the names that the adapter uses where it asks nothing.
const ENGINE: [(&str, &str); 3] = [
    (
        "position.h",
        "#pragma once\n#include <cstdint>\nnamespace Stockfish { using Key = std::uint64_t; enum Value : int {}; enum Move : int {}; \
         class Position {}; }\n",
    ),
    (
        "search.h",
        "#pragma once\n#include <vector>\nnamespace Stockfish::Search { struct RootMove {}; using RootMoves = std::vector<RootMove>; }\n",
    ),
    ("uci.h", "#pragma once\nnamespace Stockfish::UCI { class OptionsMap {}; }\n"),
];

fn compile(compiler: &mut Command) {
    let output = compiler.output().expect("the compiler runs");
    assert!(output.status.success(), "{compiler:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// The macro leaves nothing of the adapter and the reader: only the calls are compiled, and they change nothing.
#[test]
#[ignore = "needs g++"]
fn the_adapter_compiles_to_nothing_without_tables() {
    let place = tempfile::tempdir().expect("a folder");
    let src = place.path().join("src");
    fs::create_dir_all(src.join("makruk")).expect("a folder");
    for (name, text) in ENGINE {
        fs::write(src.join(name), text).expect("a header");
    }
    let sources = ["makruk_search.cpp", "makruk_tables.cpp"].map(|name| src.join("makruk").join(name));
    for name in ["makruk_search.h", "makruk_tables.h", "makruk_search.cpp", "makruk_tables.cpp"] {
        fs::copy(format!("{ADAPTER}/makruk/{name}"), src.join("makruk").join(name)).expect("a file of the adapter");
    }
    let flags = || WARNINGS.split_ascii_whitespace().chain(["-DMAKRUK_TABLES_OFF", "-O1"]);
    // The header alone suffices. Builds that compile every source may go on.
    for sources in [&sources[..0], &sources] {
        let program = place.path().join("off");
        let mut compiler = Command::new("g++");
        compiler.args(flags()).arg("-I").arg(&src).arg(format!("{ADAPTER}/tests/off.cpp")).args(sources);
        compile(compiler.arg("-o").arg(&program));
        assert!(Command::new(program).status().expect("runs").success());
    }
}

#[test]
fn the_tables_of_the_script_are_those_that_are_built() {
    let built = test_tables::usual(Material::all(3));
    let names: Vec<_> = fs::read_dir(format!("{ADAPTER}/tests/tables"))
        .expect("the folder")
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some()) // .gitattributes has none
        .collect();
    assert_eq!(names.len(), 11);
    for path in names {
        let name = path.file_name().expect("a name");
        let [here, expected] = [&path, &built.path().join(name)].map(|path| fs::read(path).expect("a table"));
        assert!(here == expected, "{}", path.display());
    }
}

/// Compiles the program that ranks moves, without sanitizers.
fn compile_plain(compiler: &str, flags: &[&str], to: &Path) {
    let mut command = Command::new(compiler);
    command.args(WARNINGS.split_ascii_whitespace()).arg("-O2").args(flags).args(["-I", READER, "-I"]);
    command.arg(format!("{ADAPTER}/makruk")).arg(format!("{ADAPTER}/tests/ranks.cpp"));
    command.arg(format!("{ADAPTER}/makruk/makruk_tables.cpp")).args(["-x", "c++"]).arg(format!("{READER}/makruk_tb.c"));
    compile(command.arg("-o").arg(to));
}

#[test]
#[ignore = "needs g++; compares 32 bits where i686-linux-gnu-g++ is there"]
fn words_of_32_bits_give_the_same_ranks() {
    if Command::new("i686-linux-gnu-g++").arg("--version").output().is_err() {
        println!("left out: there is no i686-linux-gnu-g++");
        return;
    }
    let place = tempfile::tempdir().expect("a folder");
    let [wide, narrow] = ["wide", "narrow"].map(|name| place.path().join(name));
    compile_plain("g++", &[], &wide);
    compile_plain("i686-linux-gnu-g++", &["-static"], &narrow);
    let folder = test_tables::usual((3..=4).flat_map(Material::all));
    let fens = questions(&mut Rng::with_seed(11), 4);
    let [expected, found] = [wide, narrow].map(|program| ranks(&program, folder.path(), &fens));
    assert!(expected == found);
}

/// WebAssembly, run by node with the files of this machine.
#[test]
#[ignore = "needs g++; compares WebAssembly where emcc and node are there"]
fn web_assembly_gives_the_same_ranks() {
    for tool in ["emcc", "node"] {
        if Command::new(tool).arg("--version").output().is_err() {
            println!("left out: there is no {tool}");
            return;
        }
    }
    let place = tempfile::tempdir().expect("a folder");
    let [native, wasm] = ["native", "wasm"].map(|name| place.path().join(name));
    compile_plain("g++", &[], &native);
    // The optimizer of JavaScript, from -O2 on, needs packages that Debian leaves out.
    let script = place.path().join("ranks.js");
    compile_plain("emcc", &["-sNODERAWFS=1", "-sALLOW_MEMORY_GROWTH=1", "-O1"], &script);
    fs::write(&wasm, format!("#!/bin/sh\nexec node --no-experimental-fetch '{}' \"$@\"\n", script.display()))
        .expect("a script");
    fs::set_permissions(&wasm, Permissions::from_mode(0o755)).expect("a program");
    let folder = test_tables::usual((3..=4).flat_map(Material::all));
    let fens = questions(&mut Rng::with_seed(13), 4);
    let [expected, found] = [native, wasm].map(|program| ranks(&program, folder.path(), &fens));
    assert!(expected == found);
}
