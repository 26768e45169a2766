//! A folder in which commands of the documents are run.

use std::process::Command;

use makruk_tables::material::Material;
use makruk_tests::programs::{GENERATOR, PROBE, program};
use tempfile::TempDir;

use super::root;

/// A folder with tables in `tables/data`, a game and some positions, and with the programs on the path.
pub(super) struct Sandbox {
    folder: TempDir,
}

/// Materials of five men that commands ask for, besides all of three and four men.
const FIVE_MEN: [&str; 2] = ["KRRvKR", "KSSvK"];

/// The commands by which the documents start programs from the sources, and the programs.
const FROM_SOURCES: [(&str, &str); 2] =
    [("cargo run --release -p makruk-generator -- ", "makruk-gen "), ("cargo run --release -- ", "makruk-probe ")];

impl Sandbox {
    pub(super) fn new() -> Sandbox {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path();
        let materials = (3..=4).flat_map(Material::all);
        let five_men = FIVE_MEN.map(|name| name.parse::<Material>().expect("a material"));
        let materials = Material::with_descendants(materials.chain(five_men));
        std::fs::create_dir_all(path.join("tables/data")).expect("a folder of tables");
        test_tables::link(&test_tables::usual(materials.iter().copied()), materials, &path.join("tables/data"));
        std::fs::create_dir(path.join("bin")).expect("a folder of programs");
        for name in [GENERATOR, PROBE] {
            let target = program(name).get_program().to_owned();
            std::os::unix::fs::symlink(target, path.join("bin").join(name)).expect("a link");
        }
        let game = root().join("tests/data/schemingmind-2023.pgn");
        std::fs::copy(game, path.join("games.pgn")).expect("a game");
        std::fs::write(path.join("positions.fen"), "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1\n").expect("positions");
        Sandbox { folder }
    }

    /// Runs a command by the shell; whether it ended well, and its output.
    pub(super) fn run(&self, command: &str) -> (bool, String) {
        let mut command = command.to_owned();
        for (sources, program) in FROM_SOURCES {
            command = command.replace(sources, program);
        }
        let path = std::env::join_paths([self.folder.path().join("bin"), "/usr/bin".into(), "/bin".into()]);
        let output = Command::new("/bin/sh")
            .args(["-e", "-c", &format!("exec 2>&1\n{command}")])
            .current_dir(self.folder.path())
            .env_clear()
            .env("PATH", path.expect("a path"))
            .env("HOME", self.folder.path())
            .output()
            .expect("a shell");
        (output.status.success(), String::from_utf8(output.stdout).expect("UTF-8"))
    }
}
