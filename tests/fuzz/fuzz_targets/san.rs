//! Any text as a move, in SAN and in UCI notation: the first line is the FEN, the others are moves played one after the
//! other. A move that is read is legal, and its text is read as the same move.

#![no_main]

use libfuzzer_sys::fuzz_target;
use makruk_tables::rules::{Fen, Move};

fuzz_target!(|text: &str| {
    let mut lines = text.lines();
    let Ok(Fen { mut position, .. }) = Fen::parse(lines.next().unwrap_or_default()) else { return };
    for line in lines {
        let by_uci = Move::from_uci(&position, line);
        let Ok(mv) = Move::from_san(&position, line).or(by_uci) else { continue };
        assert!(position.legal_moves().contains(&mv));
        assert_eq!(Move::from_san(&position, &mv.to_san(&position)), Ok(mv));
        assert_eq!(Move::from_uci(&position, &mv.to_string()), Ok(mv));
        position = position.play(mv);
    }
});
