//! The manual pages: the examples and the exit statuses of each command, which also end its help, and the command that
//! writes all pages.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, Command};
use makruk_console::write_manuals;

use super::exit_status::SUCCESS;

/// Joins the examples of a command and its exit statuses: those of success and failure, and of a signal, if that has
/// its own.
macro_rules! after_help {
    ($examples:literal, $success:literal, $failure:literal $(, $signal:literal)?) => {
        concat!(
            "Examples:\n", $examples, "\n\nExit status:\n  0    ", $success, "\n  1    ", $failure,
            "\n  2    the command line is invalid" $(, "\n  130  ", $signal)?
        )
    };
}
#[cfg(feature = "research")]
pub(crate) use after_help;

pub(crate) const PROGRAM: &str = after_help!(
    "  makruk-probe query --build \"1K6/8/5k2/8/1R6/4R3/7r/8 b - - 0 1\"
  makruk-probe analyse games.pgn
  makruk-probe serve --tables /var/lib/makruk/tables",
    "success",
    "a position, a game or a table failed",
    "stopped by Ctrl-C; 143 by SIGTERM, 129 by SIGHUP"
);

pub(crate) const QUERY: &str = after_help!(
    "  makruk-probe query \"8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1\"
  makruk-probe query --build \"1K6/8/5k2/8/1R6/4R3/7r/8 b - - 0 1\"
  makruk-probe query --json --moves \"8/1K6/8/k1M5/2N5/8/8/8 b - 128 10 78\"
  makruk-probe query --map e2 \"8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1\"
  makruk-probe query --json <positions.fen",
    "each position has a verdict",
    "a position failed; the others are answered"
);

pub(crate) const ANALYSE: &str = after_help!(
    "  makruk-probe analyse games.pgn
  makruk-probe analyse --build --json games.pgn
  makruk-probe analyse --unclaimed games.pgn
  makruk-probe analyse --exercises mistakes.pgn games.pgn
  makruk-probe analyse folder-of-games more.pgn
  makruk-probe analyse - <games.pgn",
    "all games are analysed",
    "a game failed, or a table is missing or damaged"
);

pub(crate) const UCI: &str = after_help!(
    "  makruk-probe uci
  makruk-probe uci --tables tables/data",
    "the interface has sent quit, or closed standard input",
    "standard input or output failed"
);

pub(crate) const XBOARD: &str = after_help!(
    "  makruk-probe xboard
  xboard -variant makruk -fcp \"makruk-probe xboard --tables tables/data\"",
    "the interface has sent quit, or closed standard input",
    "standard input or output failed"
);

#[cfg(feature = "serve")]
pub(crate) const OPEN: &str = after_help!(
    "  makruk-probe open
  makruk-probe open --tables tables/data
  makruk-probe open --from https://example.org/makruk/",
    "ended by Enter, Ctrl-C or SIGTERM",
    "the folder cannot be used, or the program cannot listen",
    "ended at once by a second signal"
);

#[cfg(feature = "serve")]
pub(crate) const SERVE: &str = after_help!(
    "  makruk-probe serve --tables tables/data
  makruk-probe serve --build 4 --listen localhost:8080
  makruk-probe serve --tables /var/lib/makruk/tables --check",
    "ended by SIGTERM or Ctrl-C, or --check found no mistake",
    "an option, the file of tokens, the folder or the address cannot be used",
    "ended at once by a second signal"
);

#[cfg(feature = "serve")]
pub(crate) const SITE: &str = after_help!(
    "  makruk-probe site --build 4 --tables four --out site
  makruk-probe site --tables four --out site --guide-only --tables-url https://tables.example.org/four/",
    "the site is complete",
    "a table is missing or damaged, or a file cannot be written"
);

/// Write manual pages and shell completions to a folder
#[derive(Args, Debug)]
pub(crate) struct Manuals {
    /// The folder for the files; it must exist
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl Manuals {
    pub(crate) fn run(&self, command: &Command) -> Result<u8> {
        write_manuals(command, &self.folder).with_context(|| self.folder.display().to_string())?;
        Ok(SUCCESS)
    }
}

#[cfg(test)]
mod tests {
    use clap::{Command, CommandFactory, Parser};

    use crate::Arguments;

    /// The commands below a command, and itself.
    fn all(command: &Command, found: &mut Vec<Command>) {
        found.push(command.clone());
        command.get_subcommands().filter(|inner| !inner.is_hide_set()).for_each(|inner| all(inner, found));
    }

    #[test]
    fn each_command_has_examples_that_it_accepts_and_exit_statuses() {
        let mut command = Arguments::command().disable_help_subcommand(true);
        command.build();
        let mut commands = Vec::new();
        all(&command, &mut commands);
        assert!(commands.len() > if cfg!(feature = "research") { 10 } else { 6 }, "{}", commands.len());
        for command in commands {
            let name = command.get_bin_name().unwrap_or_else(|| command.get_name());
            let optional = ["makruk-probe open", "makruk-probe research", "makruk-probe serve", "makruk-probe site"];
            if cfg!(not(feature = "full")) && optional.contains(&name) {
                continue;
            }
            let help = command.get_after_long_help().unwrap_or_else(|| panic!("{name} has no examples")).to_string();
            let (examples, statuses) =
                help.split_once("\n\nExit status:\n").unwrap_or_else(|| panic!("{name}: {help}"));
            let examples = examples.strip_prefix("Examples:\n").unwrap_or_else(|| panic!("{name}: {help}"));
            assert!(examples.lines().any(|line| line.trim().starts_with(name)), "no example of {name}: {examples}");
            for example in examples.lines().filter(|line| line.trim().starts_with("makruk-probe ")) {
                let words = shlex::split(example).unwrap_or_else(|| panic!("{example}"));
                let words = words.into_iter().filter(|word| !word.starts_with(['<', '>']));
                Arguments::try_parse_from(words).unwrap_or_else(|error| panic!("{example}: {error}"));
            }
            for status in statuses.lines() {
                let (number, meaning) = status.trim().split_once(' ').unwrap_or_else(|| panic!("{name}: {status}"));
                assert!(number.parse::<u8>().is_ok() && !meaning.trim().is_empty(), "{name}: {status}");
            }
        }
    }
}
