//! `perft [DEPTH] [FEN]`: the number of lines of legal moves of this many plies, five by default, and the rate.

use std::time::Instant;

use makruk_rules::{Fen, Position};

fn perft(position: &Position, depth: u32) -> u64 {
    let moves = position.legal_moves();
    if depth == 1 { moves.len() as u64 } else { moves.into_iter().map(|mv| perft(&position.play(mv), depth - 1)).sum() }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let depth = arguments.next().map_or(Ok(5), |depth| depth.parse())?;
    let position = Fen::parse(arguments.next().as_deref().unwrap_or(Fen::START))?.position;
    let start = Instant::now();
    let nodes = perft(&position, u32::max(depth, 1));
    println!("{nodes} nodes, {:.1} million a second", nodes as f64 / start.elapsed().as_secs_f64() / 1e6);
    Ok(())
}
