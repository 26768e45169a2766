//! `peer SYZYGY POSITIONS`: how many of these positions (board and side to move, one a line) a second shakmaty-syzygy
//! answers, WDL and DTZ, one thread. The first round is cold, the best of five others warm.
//!
//! `peer perft DEPTH`: the lines of legal moves of chess from its array, and the rate, as for makruk-rules.

use std::hint::black_box;
use std::time::Instant;

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};
use shakmaty_syzygy::Tablebase;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let (tables, positions) = (args.next().ok_or("no folder")?, args.next().ok_or("no positions")?);
    if tables == "perft" {
        let start = Instant::now();
        let nodes = shakmaty::perft(&Chess::default(), positions.parse()?);
        println!("{nodes} nodes, {:.1} million a second", nodes as f64 / start.elapsed().as_secs_f64() / 1e6);
        return Ok(());
    }
    // SAFETY: nobody changes the files meanwhile.
    let mut tablebase: Tablebase<Chess> = unsafe { Tablebase::with_mmap_filesystem() };
    tablebase.add_directory(tables)?;
    let mut parsed: Vec<Chess> = Vec::new();
    for line in std::fs::read_to_string(positions)?.lines() {
        parsed.push(format!("{line} - - 0 1").parse::<Fen>()?.into_position(CastlingMode::Standard)?);
    }
    for name in ["WDL", "DTZ"] {
        let mut best = 0.0f64;
        for round in 0..6 {
            let start = Instant::now();
            for position in &parsed {
                match name {
                    "WDL" => drop(black_box(tablebase.probe_wdl(position)?)),
                    _ => drop(black_box(tablebase.probe_dtz(position)?)),
                }
            }
            let rate = parsed.len() as f64 / start.elapsed().as_secs_f64() / 1e6;
            if round == 0 {
                println!("{name} cold: {rate:.3} million a second");
            } else {
                best = best.max(rate);
            }
        }
        println!("{name} warm: {best:.3} million a second");
    }
    Ok(())
}
