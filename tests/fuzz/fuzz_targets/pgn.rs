//! Any bytes as games: reading comes to an end, and a game that is read consists of legal moves, which are read again
//! if they are written as PGN.

#![no_main]

use libfuzzer_sys::fuzz_target;
use makruk_rules::{CountingRules, Game, Games, decode};

fuzz_target!(|bytes: &[u8]| {
    let text = decode(bytes).0;
    let mut games = 0;
    for game in Games::parse(&text) {
        games += 1;
        assert!(games <= text.len().max(1), "reading makes no progress");
        let Ok(game) = game else { continue };
        let fens = game.fens(&CountingRules::MAKRUK);
        for (played, fen) in game.moves.iter().zip(&fens) {
            assert!(fen.position.is_legal(played.mv));
        }
        let sans: Vec<String> =
            game.moves.iter().zip(&fens).map(|(played, fen)| played.mv.to_san(&fen.position)).collect();
        let written = format!("[FEN \"{}\"]\n{} {}", game.start, sans.join(" "), game.result);
        let again = Games::parse(&written).next().expect("one game").expect("a game that was written");
        let moves = |game: &Game| game.moves.iter().map(|played| played.mv).collect::<Vec<_>>();
        assert_eq!((moves(&again), again.result), (moves(&game), game.result));
    }
});
