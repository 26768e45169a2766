//! Probes a position and lists its moves, best first.
//!
//! ```sh
//! cargo run --release -p makruk-probe --example probe -- tables/data "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1"
//! ```

use std::env;
use std::error::Error;

use makruk_probe::{Prober, Tablebase};
use makruk_tables::rules::Fen;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let folder = arguments.next().unwrap_or_else(|| "tables/data".to_owned());
    let fen = arguments.next().unwrap_or_else(|| "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1".to_owned());
    let fen: Fen = fen.parse()?;

    // One read of the position, one of each move.
    let prober = Prober::new(Tablebase::new(folder));
    let analysis = prober.analysis(&fen)?;
    let verdict = analysis.verdict();
    println!("{fen}\n{}: {}, {} to move", verdict.material, verdict.category, verdict.side);
    if let (Some(dtm), Some(left)) = (verdict.dtm.signed_plies(), verdict.count.attacker_moves_left) {
        println!("mate in {} plies, and the count leaves {left} moves", dtm.abs());
    }
    for mv in analysis.moves()? {
        let plies = mv.dtm.signed_plies().map_or("-".to_owned(), |plies| plies.to_string());
        println!("{:8} {:12} {plies:>4}", mv.san(&fen.position), mv.category);
    }
    Ok(())
}
