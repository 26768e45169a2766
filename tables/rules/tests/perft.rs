//! The number of positions that legal moves lead to, ply by ply, against Fairy-Stockfish.
//!
//! The figures are those of pyffish 0.0.90 (Fairy-Stockfish's move generator, variant `makruk`), counted as
//! `perft(fen, 1) = len(legal_moves(fen))` and `perft(fen, d) = sum of perft(get_fen(fen, [mv]), d - 1)`.

#![allow(clippy::unwrap_used)] // helpers outside of test functions

use makruk_rules::{Fen, Position};

fn perft(position: &Position, depth: usize) -> u64 {
    let moves = position.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.into_iter().map(|mv| perft(&position.play(mv), depth - 1)).sum()
}

fn check(fen: &str, expected: &[u64]) {
    let position = Fen::parse(fen).unwrap().position;
    for (depth, &nodes) in (1..).zip(expected) {
        assert_eq!(perft(&position, depth), nodes, "{fen} at depth {depth}");
        // The colour-flipped position has the same game tree.
        if depth < 4 {
            assert_eq!(perft(&position.color_flipped(), depth), nodes, "{fen} flipped, at depth {depth}");
        }
    }
}

#[test]
fn the_starting_array() {
    check(Fen::START, &[23, 529, 12_012, 273_026]);
}

#[test]
fn a_middle_game() {
    let fen = "r2s1k2/4n3/pmp1p1p1/1p1pPp1p/3P1P2/PPP1N1PP/3KM3/R1S2S1R w - - 0 1";
    check(fen, &[27, 552, 15_029, 312_651]);
}

#[test]
fn promotions_by_moves_and_captures() {
    check("8/2rk1m2/8/2nPP3/1S1K1sp1/8/2RM4/8 w - - 0 1", &[19, 446, 7_526, 180_102]);
    check("8/2rk1m2/8/2nPP3/1S1K1sp1/8/2RM4/8 b - - 0 1", &[25, 428, 10_433, 185_288]);
}

#[test]
fn endgames_without_pawns() {
    check("8/8/8/8/8/4s1k1/4R3/K7 w - 128 0 1", &[12, 112, 1_616, 14_998]);
    check("8/8/8/8/8/4s1k1/4R3/K7 b - 128 0 1", &[10, 126, 1_199, 17_959]);
    check("3k4/8/1S1N1M2/2m1n1s1/8/R7/6r1/3K4 w - 128 0 1", &[33, 797, 22_180, 543_926]);
}

#[test]
fn checks_and_pins() {
    check("4k3/8/2n5/8/3mK2r/4S3/8/4R3 w - 128 0 1", &[5, 129, 1_967, 44_690]);
}

#[test]
fn all_the_men_that_the_game_has() {
    check("7k/MMMMM3/MMMM4/RNSK4/rnsRNS2/rns5/mmmmm3/mmmm4 w - 128 0 1", &[3, 60, 1_611, 35_722]);
}
