//! Any text as PGN: reading comes to an end, and a game that is read consists of legal moves.

#![no_main]

use libfuzzer_sys::fuzz_target;
use makruk_tables::rules::{CountingRules, Games};

fuzz_target!(|text: &str| {
    let mut games = 0;
    for game in Games::parse(text) {
        games += 1;
        assert!(games <= text.len(), "reading makes no progress");
        let Ok(game) = game else { continue };
        let fens = game.fens(&CountingRules::MAKRUK);
        for (played, fen) in game.moves.iter().zip(&fens) {
            assert!(fen.position.is_legal(played.mv));
        }
    }
});
