//! The examples and the exit statuses of `research` and its commands.

use crate::manuals::after_help;

pub(crate) const RESEARCH: &str = after_help!(
    "  makruk-probe research stats --men 4 --headers
  makruk-probe research saves --where \"sacrifice=last and unique\" --limit 3 KRRvKR",
    "success",
    "a table is missing or damaged, or a file cannot be written",
    "stopped by Ctrl-C or SIGTERM"
);

pub(crate) const SAVES: &str = after_help!(
    "  makruk-probe research saves --where \"sacrifice=last and unique and short<=2\" --limit 3 KRRvKR
  makruk-probe research saves --count --where \"sacrifice=any\" KRRvKR
  makruk-probe research saves --sample 10 --where \"kind=offer\" KRRvKR
  makruk-probe research saves --format epd --part 1/8 KRRvKR",
    "the list is complete, or --limit is reached",
    "a table is missing or damaged",
    "stopped by Ctrl-C or SIGTERM; standard error names the option that continues"
);

pub(crate) const STATS: &str = after_help!(
    "  makruk-probe research stats --men 4 --headers
  makruk-probe research stats --csv KRvKS >KRvKS.csv",
    "success",
    "a table is missing or damaged, or a file cannot be written",
    "stopped by Ctrl-C or SIGTERM"
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
    "  makruk-probe research list --kind zugzwangs --limit 10 KRvKN
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

pub(crate) const POSITIONS: &str = after_help!(
    "  makruk-probe research positions KRvKR KRvKS --sample 1000
  makruk-probe research positions --men 4 --sample 1000000 --format plain >training.plain",
    "all positions are written",
    "a table is missing or damaged",
    "stopped by Ctrl-C or SIGTERM"
);

pub(crate) const PLOT: &str = after_help!(
    "  makruk-probe research plot distances KSSvK --out KSSvK.svg
  makruk-probe research plot squares KSSvK --out squares.svg",
    "the picture is written",
    "a table is missing or damaged, or the file cannot be written"
);

pub(crate) const PRACTICE: &str = after_help!(
    "  makruk-probe research practice games.pgn
  makruk-probe research practice --player \"Somchai\" --csv games >my-endings.csv",
    "all games are read",
    "a game cannot be read, no game is the player's, or a table is damaged",
    "stopped by Ctrl-C or SIGTERM; the output has the games before"
);
