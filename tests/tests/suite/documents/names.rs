//! The names that commands use: programs, subcommands, options, packages, targets.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use makruk_tests::programs::{GENERATOR, PROBE, program, run};
use serde_json::Value;

/// The packages of the workspace, and the kinds and names of their targets.
pub(super) struct Names {
    root: PathBuf,
    packages: BTreeMap<String, BTreeSet<(String, String)>>,
    features: BTreeSet<String>,
}

impl Names {
    pub(super) fn read(root: &Path) -> Names {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["metadata", "--no-deps", "--locked", "--offline", "--format-version", "1"]).current_dir(root);
        let (status, text, errors) = run(&mut cargo);
        assert_eq!(status, 0, "{errors}");
        let metadata: Value = serde_json::from_str(&text).expect("JSON");
        let (mut packages, mut features) = (BTreeMap::new(), BTreeSet::new());
        for package in metadata["packages"].as_array().expect("packages") {
            let name = package["name"].as_str().expect("a name");
            let targets = package["targets"].as_array().expect("targets").iter().map(|target| {
                let text = |value: &Value| value.as_str().expect("a text").to_owned();
                (text(&target["kind"][0]), text(&target["name"]))
            });
            packages.insert(name.to_owned(), targets.collect());
            for feature in package["features"].as_object().expect("features").keys() {
                features.extend([feature.clone(), format!("{name}/{feature}")]);
            }
        }
        Names { root: root.to_owned(), packages, features }
    }

    /// The number of names in a command, all of which exist.
    ///
    /// # Errors
    ///
    /// The first name that does not exist.
    pub(super) fn check(&self, command: &str) -> Result<usize, String> {
        let words = shlex::split(command).ok_or("no command of a shell")?;
        let mut known = 0;
        for (at, word) in words.iter().enumerate() {
            let rest = &words[at + 1..];
            known += match word.as_str() {
                // Behind `-p` it is the package of that name.
                GENERATOR | PROBE if at == 0 || words[at - 1] != "-p" => known_to(word, rest)?,
                "cargo" => self.known_to_cargo(rest)?,
                _ => 0,
            };
        }
        Ok(known)
    }

    fn known_to_cargo(&self, words: &[String]) -> Result<usize, String> {
        let mut known = 0;
        let (cargo, program) = match words.iter().position(|word| word == "--") {
            Some(at) => (&words[..at], &words[at + 1..]),
            None => (words, &[][..]),
        };
        for pair in cargo.windows(2) {
            let (option, name) = (pair[0].as_str(), &pair[1]);
            let is_known = match option {
                "-p" => self.packages.contains_key(name),
                "--bench" | "--test" | "--bin" => {
                    let target = (option.trim_start_matches('-').to_owned(), name.clone());
                    self.packages.values().any(|targets| targets.contains(&target))
                }
                "--manifest-path" => self.root.join(name).is_file(),
                "--features" => name.split(',').all(|feature| self.features.contains(feature)),
                _ => continue,
            };
            if !is_known {
                return Err(format!("there is no {name} for {option}"));
            }
            known += 1;
        }
        // With `--bin` or `--manifest-path` it is another program, whose options are its own.
        let is_other = cargo.iter().any(|word| ["--bin", "--manifest-path"].contains(&word.as_str()));
        if cargo.first().is_some_and(|word| word == "run") && !is_other {
            let is_generator = cargo.iter().any(|word| word == "makruk-generator");
            known += known_to(if is_generator { GENERATOR } else { PROBE }, program)?;
        }
        Ok(known)
    }
}

/// Checks subcommands and options against the program's help.
fn known_to(name: &str, words: &[String]) -> Result<usize, String> {
    let end = words.iter().position(|word| ["|", "&", ">", ";", "&&"].contains(&word.as_str())).unwrap_or(words.len());
    let words = &words[..end];
    let help = |path: &[String]| run(program(name).args(path).arg("--help")).1;
    let mut depth = 0;
    let mut text = help(&[]);
    while let Some(commands) = text.split("\nCommands:\n").nth(1) {
        let commands: Vec<&str> = commands
            .lines()
            .take_while(|line| line.starts_with(' ') || line.is_empty())
            .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
            .filter_map(|line| line.split_whitespace().next())
            .collect();
        match words.get(depth) {
            Some(word) if commands.contains(&word.as_str()) => depth += 1,
            Some(word) if !word.starts_with('-') => return Err(format!("{name} has no command {word}")),
            _ => break,
        }
        text = help(&words[..depth]);
    }
    let mut known = 1 + depth;
    for word in &words[depth..] {
        let Some(option) = word.strip_prefix("--").map(|option| option.split('=').next().unwrap_or_default()) else {
            continue;
        };
        let listed = text.split(|c: char| c.is_whitespace() || "[]<>,=.;`()".contains(c));
        if !listed.into_iter().any(|listed| listed.strip_prefix("--") == Some(option)) {
            return Err(format!("{name} has no option --{option} here"));
        }
        known += 1;
    }
    Ok(known)
}
