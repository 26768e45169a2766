//! Prints best play from a position, move by move, until mate or the draw by the count.
//!
//! ```sh
//! cargo run --release -p makruk-probe --example best_line -- tables/data "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1" stubborn
//! ```

use std::env;
use std::error::Error;

use makruk_probe::{LineStep, MAX_LINE_PLIES, Policy, Prober, Tablebase};
use makruk_tables::rules::Fen;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let folder = arguments.next().unwrap_or_else(|| "tables/data".to_owned());
    let fen = arguments.next().unwrap_or_else(|| "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1".to_owned());
    let defence: Policy = arguments.next().as_deref().unwrap_or("safest").parse()?;
    let fen: Fen = fen.parse()?;

    let prober = Prober::new(Tablebase::new(folder));
    for step in prober.line(&fen, defence, MAX_LINE_PLIES) {
        match step? {
            LineStep::Move(mv) => {
                let left = mv.ranked.attacker_moves_left().map_or(String::new(), |left| format!(", {left} moves left"));
                println!("{:8} {}{left}", mv.san, mv.ranked.category);
            }
            LineStep::End(end) => println!("{end}"),
        }
    }
    Ok(())
}
