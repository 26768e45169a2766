//! The adapter for Fairy-Stockfish as builds without tables compile it, and the tables of its maintainers' script.

use std::fs;
use std::process::Command;

use makruk_tables::material::Material;

use crate::fairy_tables::{ADAPTER, WARNINGS};

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
