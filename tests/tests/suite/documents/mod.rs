//! The commands of the documents: those that can be run are run, and print what is shown; of the others every program,
//! subcommand, option, package and target exists.
//!
//! A block of commands has one of these info strings:
//!
//! - `console`: lines that begin with `$` are commands; the other lines are their output. `...` stands for any lines,
//!   and at a line's end for the rest of the line;
//! - `sh`: commands, each of which has to end well;
//! - `console no_run` and `sh no_run`: commands that need the network, other programs, a server or much time.

mod block;
mod names;
mod sandbox;

use std::path::{Path, PathBuf};

use block::{Block, Step};
use names::Names;
use sandbox::Sandbox;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository")
}

/// The documents of the repository, which are those that git knows or would.
fn documents() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of the repository").flatten() {
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            let is_ours = !name.starts_with('.') && !["target", "node_modules", "dist"].contains(&name.as_str());
            if path.is_dir() && is_ours {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn blocks() -> Vec<Block> {
    let blocks: Vec<Block> = documents().iter().flat_map(|path| Block::read(root(), path)).collect();
    assert!(blocks.len() > 30, "{} blocks of commands", blocks.len());
    blocks
}

/// Whether the line is the shown one.
fn is_shown(line: &str, shown: &str) -> bool {
    shown.strip_suffix("...").map_or(line == shown, |start| line.starts_with(start))
}

/// Whether the line is a report of progress, which only slow machines print.
fn is_progress(line: &str) -> bool {
    (line.contains(" cells (") || line.contains(" positions (")) && line.ends_with(" left")
}

/// Whether the lines fit the shown ones. A shown `...` alone stands for any number of lines.
fn fits(lines: &[&str], shown: &[&str]) -> bool {
    match shown.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first.trim() == "..." => (0..=lines.len()).any(|skipped| fits(&lines[skipped..], rest)),
        Some((first, rest)) => {
            lines.split_first().is_some_and(|(line, lines)| is_shown(line, first) && fits(lines, rest))
        }
    }
}

#[test]
#[ignore = "runs every command of the documents, on tables of up to five men: a minute"]
fn commands_print_what_is_shown() {
    let sandbox = Sandbox::new();
    let mut wrong = Vec::new();
    let mut run = 0;
    for block in blocks().iter().filter(|block| block.is_run) {
        for Step { command, shown } in &block.steps {
            let (success, output) = sandbox.run(command);
            run += 1;
            let lines: Vec<&str> = output.lines().map(str::trim_end).filter(|line| !is_progress(line)).collect();
            let as_shown = shown.as_ref().is_none_or(|shown| {
                let shown: Vec<&str> = shown.iter().map(|line| line.trim_end()).collect();
                fits(&lines, &shown)
            });
            if !success || !as_shown {
                wrong.push(format!("{block}: $ {command}\n{output}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("{run} commands run");
    assert!(run > 20, "{run} commands run");
}

#[test]
fn commands_that_are_not_run_have_names_that_exist() {
    let names = Names::read(root());
    let mut known = 0;
    for block in blocks().iter().filter(|block| !block.is_run) {
        for step in &block.steps {
            known +=
                names.check(&step.command).unwrap_or_else(|problem| panic!("{block}: {problem}: {}", step.command));
        }
    }
    println!("{known} names known");
    assert!(known > 60, "{known} names known");
}

#[test]
fn names_that_do_not_exist_are_found() {
    let names = Names::read(root());
    for (command, problem) in [
        ("makruk-gen rebuild KRvK", "rebuild"),
        ("makruk-probe research stats --mens 5", "--mens"),
        ("cargo build -p makruk-other", "makruk-other"),
        ("cargo bench -p makruk-benches --bench other", "other"),
    ] {
        let found = names.check(command).expect_err(command);
        assert!(found.contains(problem), "{found}");
    }
    assert!(fits(&["a", "b", "c"], &["a", "...", "c"]) && !fits(&["a", "b"], &["a"]) && fits(&["abc"], &["a..."]));
}
