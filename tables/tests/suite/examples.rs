//! The examples do what their descriptions say.

#![allow(dead_code)] // an example's main is not called here

#[path = "../../examples/legal_moves.rs"]
mod legal_moves;
#[path = "../../examples/read_pgn.rs"]
mod read_pgn;

#[test]
fn legal_moves_are_printed_with_the_fen_after_each() {
    let mut out = Vec::new();
    legal_moves::run("8/8/8/8/8/4s1k1/4R3/K7 w - 128 5", &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 1 + 12, "{text}");
    assert_eq!(lines[0], "8/8/8/8/8/4s1k1/4R3/K7 w - 128 5 1: White to move, no check");
    assert!(lines.contains(&"e2e3 Rxe3+  8/8/8/8/8/4R1k1/8/K7 b - 32 6 1"), "{text}");
    assert!(legal_moves::run("8/8/8/8 w", &mut Vec::new()).is_err());
}

#[test]
fn games_are_printed_with_their_end() {
    let rook = "[FEN \"8/8/8/8/8/4s1k1/4R3/K7 w - 128 10 1\"]\n";
    let cycle = "Re1 Kg2 Re2+ Kg3 ";
    let text = format!("{rook}1. {cycle}{cycle}1/2-1/2\n\n1. d4 Kd9 *\n");
    let mut out = Vec::new();
    read_pgn::run(&text, &mut out).unwrap();
    let found = String::from_utf8(out).unwrap();
    let lines: Vec<&str> = found.lines().collect();
    let first = "1/2-1/2 after 8 plies: 8/8/8/8/8/4s1k1/4R3/K7 w - 128 18 5, drawn by repetition at ply 8";
    assert_eq!(lines[0], first);
    assert!(lines[1].starts_with("game 2, line 4: move 1... cannot be played: \"Kd9\""), "{found}");
    assert_eq!(lines.len(), 2);
}
