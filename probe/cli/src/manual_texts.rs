//! The examples and the exit statuses of each command: the end of its help, and sections of its manual page.

/// Joins the examples of a command and its exit statuses: those of success and failure, and of a signal, if that has its own.
macro_rules! after_help {
    ($examples:literal, $success:literal, $failure:literal $(, $signal:literal)?) => {
        concat!(
            "Examples:\n", $examples, "\n\nExit status:\n  0    ", $success, "\n  1    ", $failure,
            "\n  2    the command line is invalid" $(, "\n  130  ", $signal)?
        )
    };
}

pub(crate) const PROGRAM: &str = after_help!(
    "  makruk-probe query --build \"1K6/8/5k2/8/1R6/4R3/7r/8 b - - 0 1\"
  makruk-probe analyse games.pgn
  makruk-probe serve --tables /var/lib/makruk/tables",
    "success",
    "a position, a game or a table failed"
);

pub(crate) const QUERY: &str = after_help!(
    "  makruk-probe query \"8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1\"
  makruk-probe query --build \"1K6/8/5k2/8/1R6/4R3/7r/8 b - - 0 1\"
  makruk-probe query --json --moves \"8/1K6/8/k1M5/2N5/8/8/8 b - 128 10 78\"
  makruk-probe query --json <positions.fen",
    "each position has a verdict",
    "a position failed; the others are answered"
);

pub(crate) const ANALYSE: &str = after_help!(
    "  makruk-probe analyse games.pgn
  makruk-probe analyse --build --json games.pgn
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

pub(crate) const RESEARCH: &str = after_help!(
    "  makruk-probe research stats --men 4 --headers
  makruk-probe research saves --where \"sacrifice=last and unique\" --limit 3 KRRvKR",
    "success",
    "a table is missing or damaged, or a file cannot be written",
    "stopped by Ctrl-C or SIGTERM"
);

pub(crate) const SAVES: &str = after_help!(
    "  makruk-probe research saves --where \"sacrifice=last and unique and short<=2\" --limit 3 KRRvKR
  makruk-probe research saves --count KRRvKR
  makruk-probe research saves --format pgn --part 1/8 KRRvKR",
    "the list is complete, or --limit is reached",
    "a table is missing or damaged",
    "stopped by Ctrl-C or SIGTERM; standard error names the option that continues"
);

pub(crate) const STATS: &str = after_help!(
    "  makruk-probe research stats --men 4 --headers
  makruk-probe research stats KRvKS --csv KRvKS.csv",
    "success",
    "a table is missing or damaged, or a file cannot be written",
    "stopped by Ctrl-C or SIGTERM"
);

pub(crate) const STUDY: &str = after_help!(
    "  makruk-probe research study KRvKN --best 5 --svg diagrams",
    "success",
    "a table is missing or damaged, or a file cannot be written",
    "stopped by Ctrl-C or SIGTERM"
);

pub(crate) const LAST_PAWN: &str = after_help!(
    "  makruk-probe research last-pawn KRPvK --examples
  makruk-probe research last-pawn --men 4",
    "success",
    "a table is missing or damaged"
);

pub(crate) const PUZZLES: &str = after_help!(
    "  makruk-probe research puzzles KRRvKR KRPvKN
  makruk-probe research puzzles --games games.pgn --format pychess
  makruk-probe research puzzles --men 4 --themes promote,wait --engine fairy-stockfish",
    "success, also if nothing is found",
    "a table is missing or damaged, a file cannot be read, or the engine does not answer",
    "stopped by Ctrl-C or SIGTERM"
);

pub(crate) const LIST: &str = after_help!(
    "  makruk-probe research list --kind zugzwangs KRvKN
  makruk-probe research list --men 4 --out lists >LISTS.tsv",
    "success",
    "a table is missing or damaged, or a file cannot be written",
    "stopped by Ctrl-C or SIGTERM"
);

pub(crate) const PACK: &str = after_help!(
    "  makruk-probe research pack --men 4 --out archives >ARCHIVES.tsv",
    "success",
    "a table is missing or damaged, or an archive cannot be written",
    "stopped by Ctrl-C or SIGTERM"
);

pub(crate) const MATES: &str =
    after_help!("  makruk-probe research mates KMMMvK", "success", "a table is missing or damaged");

pub(crate) const POSITIONS: &str = after_help!(
    "  makruk-probe research positions KRvKR KRvKS --number 1000 --format bin --out training.bin
  makruk-probe research positions --games games.pgn --moves --out games.tsv",
    "all records are written",
    "a table is missing or damaged, or a file cannot be read or written",
    "stopped by Ctrl-C or SIGTERM"
);

#[cfg(feature = "plot")]
pub(crate) const PLOT: &str = after_help!(
    "  makruk-probe research plot distances KSSvK --out KSSvK.svg
  makruk-probe research plot shares --men 4 --out shares.svg
  makruk-probe research plot squares KSSvK --out squares.png",
    "the picture is written",
    "a table is missing or damaged, or the file cannot be written"
);

#[cfg(feature = "serve")]
pub(crate) const SERVE: &str = after_help!(
    "  makruk-probe serve --tables tables/data
  makruk-probe serve --build 4 --listen localhost:8080
  makruk-probe serve --config /etc/makruk/makruk-probe.toml --check",
    "ended by SIGTERM or Ctrl-C, or --check found no mistake",
    "an option, a certificate, the folder or the address cannot be used",
    "ended at once by a second signal"
);

#[cfg(feature = "serve")]
pub(crate) const SITE: &str = after_help!(
    "  makruk-probe site --build 4 --tables four --out site
  makruk-probe site --tables four --out site --guide-only --tables-url https://tables.example.org/four/",
    "the site is complete",
    "a table is missing or damaged, or a file cannot be written"
);

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
        assert!(commands.len() > 10, "{}", commands.len());
        for command in commands {
            let name = command.get_bin_name().unwrap_or_else(|| command.get_name());
            if cfg!(not(feature = "full")) && ["makruk-probe serve", "makruk-probe site"].contains(&name) {
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
