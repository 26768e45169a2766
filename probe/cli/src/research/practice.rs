//! `research practice`: the endings of games.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use makruk_console::{StopSignal, warn};
use makruk_research::{Cause, Ending, EndingTally, Practice, PracticeSettings};
use makruk_rules::Games;

use super::arguments::ScanArgs;
use super::console::ScanConsole;
use super::manual_texts;
use super::text_table::aligned;
use crate::exit_status::{FAILURE, SUCCESS};
use crate::game_file::GameFile;
use crate::sentences::counted;
use crate::session::TableArgs;

/// Count the endings of games: how often each is reached, won and given away, and by which mistakes
///
/// A game ends where the rules end it: by mate, stalemate, a full count or the third repetition, or where nobody can
/// mate any more. Otherwise the written result is its result. An ending of up to seven men is unjudged in a game if its
/// tables are missing.
#[derive(Args, Debug)]
#[command(after_long_help = manual_texts::PRACTICE)]
pub(super) struct PracticeCommand {
    #[command(flatten)]
    tables: TableArgs,
    /// Count the games of this player alone, and his results and mistakes; his men are named first
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Count board's honour only if a game's FEN has the count: nobody need claim it
    #[arg(long)]
    unclaimed: bool,
    /// Print CSV, with a header
    #[arg(long)]
    csv: bool,
    #[command(flatten)]
    scan: ScanArgs,
    /// Files of games, and folders with such files (.pgn, .txt); - is standard input
    #[arg(value_name = "GAMES", required = true)]
    games: Vec<PathBuf>,
}

impl PracticeCommand {
    pub(super) fn run(&self) -> anyhow::Result<u8> {
        let stop = StopSignal::watch()?;
        let mut session = self.tables.open()?;
        let (mut games, mut code) = (Vec::new(), SUCCESS);
        for path in GameFile::list(&self.games)? {
            if stop.was_received() {
                break;
            }
            let file = GameFile::read(&path)?;
            for game in Games::parse(&file.text) {
                match game {
                    Ok(game) => {
                        session.prepare_for(|rules| game.fens(rules));
                        games.push(game);
                    }
                    Err(error) => {
                        code = FAILURE;
                        warn(&format!("makruk-probe research practice: {}: {error}", file.name));
                    }
                }
            }
        }
        let mut console = ScanConsole::new("practice".to_owned(), self.scan.quiet, stop.clone()).of("games");
        let settings =
            PracticeSettings { player: self.player.clone(), unclaimed: self.unclaimed, threads: self.scan.threads };
        let practice = Practice::of(&session.prober, &games, &settings, &mut console)?;
        console.finish();
        if let Some(player) = self.player.as_ref().filter(|_| practice.games == 0 && !stop.was_received()) {
            anyhow::bail!("--player: none of {} games is {player}'s", games.len());
        }
        io::stdout().write_all(self.text(&practice).as_bytes())?;
        if stop.was_received() {
            warn(&format!(
                "makruk-probe research practice: stopped; the output has the first {} games",
                practice.taken
            ));
            return Ok(stop.exit_status());
        }
        Ok(code)
    }

    fn text(&self, practice: &Practice) -> String {
        let mut lines = Vec::new();
        if self.csv {
            lines.push(EndingTally::columns().join(","));
            for (ending, tally) in &practice.endings {
                let values = tally.values().into_iter().map(|value| value.to_string());
                lines.push([ending.to_string()].into_iter().chain(values).collect::<Vec<_>>().join(","));
            }
        } else {
            let mut endings: Vec<(&Ending, &EndingTally)> = practice.endings.iter().collect();
            endings.sort_by_key(|(_, tally)| std::cmp::Reverse(tally.games));
            let rows =
                [HEAD.map(str::to_owned).to_vec()].into_iter().chain(endings.iter().map(row)).collect::<Vec<_>>();
            let causes = ["".to_owned()].into_iter().chain(endings.iter().map(|(_, tally)| causes(tally)));
            let row = |(row, causes): (String, String)| format!("{row}  {causes}").trim_end().to_owned();
            lines.extend(aligned(&rows, 1).into_iter().zip(causes).map(row));
            lines.push(format!("{}. {LEGEND}", counted(practice.games as u32, "game")));
        }
        lines.push(String::new());
        lines.join("\n")
    }
}

const HEAD: [&str; 8] = ["ending", "games", "unjudged", "won", "kept", "drawn", "wins given", "draws given"];

const LEGEND: &str = "\
games: those that reached the ending; unjudged: those of them with a position or a move that
the tables lack. won, drawn: those that reached it in a position that is won, drawn under the count; kept: those of the won
that the same side won. wins given, draws given: the moves and the ends of games that gave them away, by their causes.";

fn row((ending, tally): &(&Ending, &EndingTally)) -> Vec<String> {
    let given = |given: &std::collections::BTreeMap<Cause, u64>| given.values().sum::<u64>();
    let EndingTally { games, unjudged, reached_won, won, reached_drawn, .. } = tally;
    let (wins, draws) = (given(&tally.wins_given), given(&tally.draws_given));
    let numbers = [*games, *unjudged, *reached_won, *won, *reached_drawn, wins, draws];
    [ending.to_string()].into_iter().chain(numbers.map(|number| number.to_string())).collect()
}

/// The causes for which wins, and draws, were given away.
fn causes(tally: &EndingTally) -> String {
    let of = |what: &str, given: &std::collections::BTreeMap<Cause, u64>| {
        let causes: Vec<String> =
            given.iter().map(|(cause, number)| format!("{} {number}", cause.name().replace('_', " "))).collect();
        (!causes.is_empty()).then(|| format!("{what}: {}", causes.join(", ")))
    };
    let parts = [of("win", &tally.wins_given), of("draw", &tally.draws_given)];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}
