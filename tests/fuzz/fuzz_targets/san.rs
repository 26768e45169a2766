//! Any text as a move, in Latin and Thai letters and as squares: the first line is the FEN, the others are moves played
//! one after the other. A move that is read is legal, and its text is read as the same move.

#![no_main]

use libfuzzer_sys::fuzz_target;
use makruk_rules::{Fen, Move, MoveReading, Reading};

fuzz_target!(|text: &str| {
    let mut lines = text.lines();
    let Ok(Reading { fen: Fen { mut position, .. }, .. }) = Reading::parse(lines.next().unwrap_or_default()) else {
        return;
    };
    for line in lines {
        let Ok(MoveReading { mv, .. }) = MoveReading::parse(&position, line) else { continue };
        assert!(position.legal_moves().contains(&mv));
        assert_eq!(Move::from_san(&position, &mv.to_san(&position)), Ok(mv));
        assert_eq!(Move::from_uci(&position, &mv.to_string()), Ok(mv));
        position = position.play(mv);
    }
});
