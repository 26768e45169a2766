//! Reads games from a PGN file and lists the moves that gave something away.
//!
//! ```sh
//! cargo run --release -p makruk-probe --example scan_game -- tables/data games.pgn
//! ```

use std::env;
use std::error::Error;
use std::fs;

use makruk_probe::{Prober, Reason, Tablebase};
use makruk_tables::rules::Games;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [folder, pgn] = &arguments[..] else { return Err("usage: scan_game FOLDER GAMES.pgn".into()) };

    let prober = Prober::new(Tablebase::new(folder));
    for (number, game) in Games::parse(&fs::read_to_string(pgn)?).enumerate() {
        let game = game?;
        // The positions with their counts, which run on from move to move.
        for (fen, played) in game.fens(prober.rules()).iter().zip(&game.moves) {
            let judged = match prober.analysis(fen).and_then(|analysis| analysis.judge_move(played.mv)) {
                Ok(judged) => judged,
                // No table covers the game before its last pawns are gone.
                Err(error) if matches!(error.reason(), Reason::TooManyMen | Reason::MissingTable) => {
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            if let Some((judged, mistake)) = judged.and_then(|judged| judged.mistake.map(|mistake| (judged, mistake))) {
                println!("game {}, {fen}: {} gives away {mistake}, best is {}", number + 1, judged.san, judged.best);
            }
        }
    }
    Ok(())
}
