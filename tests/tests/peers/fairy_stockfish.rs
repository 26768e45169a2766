//! Fairy-Stockfish finds the mate when the count leaves just the moves that the tables say are needed, and none when it
//! leaves one ply less.

use fastrand::Rng;
use makruk_rules::{Board, Color, Count, CountingRules, Fen, Piece, Position, ToMove};
use makruk_tables::material::Material;
use makruk_tables::value::{Metric, Value};
use makruk_tests::engine::Engine;
use makruk_tests::whole_table::Decoded;
use rayon::prelude::*;

/// Materials against a bare king, over all limits from 8 to 64.
const MATERIALS: [&str; 10] = ["KRvK", "KRRvK", "KRNvK", "KRSvK", "KRMvK", "KSSvK", "KNSvK", "KSMvK", "KNMvK", "KSvK"];
/// Positions of each material.
const POSITIONS: usize = 10;
/// Mates in this number of moves of the attacker.
const MOVES: std::ops::RangeInclusive<u16> = 2..=5;
/// The depths of the searches for a mate that exists, and for one that does not: the count ends such a game within a
/// dozen plies.
const DEPTH: u32 = 40;

struct Question {
    position: Position,
    moves: u16,
    limit: u32,
    /// The latest ply at which the attacker has enough moves.
    ply: u32,
}

impl Question {
    fn fen(&self, ply: u32) -> String {
        let count = Some(Count::new(self.limit, ply).expect("a count"));
        Fen { position: self.position.clone(), count, fullmove: 1 }.to_string()
    }
}

fn limit(board: &Board) -> u32 {
    2 * CountingRules::MAKRUK.pieces_limit(|role| board.by_piece(Piece::new(Color::White, role)).len())
}

fn questions(name: &str, rng: &mut Rng) -> Vec<Question> {
    let material: Material = name.parse().expect("a material");
    let table = Decoded::read(&test_tables::small(), material, Metric::Dtm);
    let mut questions = Vec::new();
    while questions.len() < POSITIONS {
        let side = if questions.len() % 2 == 0 { Color::White } else { Color::Black };
        let number = rng.usize(..table.side(side).len());
        let (Value::Win(plies) | Value::Loss(plies)) = table.side(side)[number] else { continue };
        let moves = plies.div_ceil(2);
        let Some(position) = table.layout().position_at(side, number as u64) else { continue };
        if !MOVES.contains(&moves) {
            continue;
        }
        let limit = limit(position.board());
        // The attacker's last move may be the one on which the count runs out.
        let needed = u32::from(moves);
        let ply = if side == Color::White { limit - 2 * (needed - 1) } else { limit - (2 * needed - 1) };
        questions.push(Question { position, moves, limit, ply });
    }
    questions
}

#[test]
#[ignore = "needs fairy-stockfish"]
fn mates_at_the_boundary_of_the_count_and_none_beyond() {
    let mut rng = Rng::with_seed(2024);
    let questions: Vec<Question> = MATERIALS.iter().flat_map(|name| questions(name, &mut rng)).collect();
    questions.par_iter().for_each_init(Engine::start, |engine, question| {
        let attacker_to_move = question.position.turn() == Color::White;
        let left = |ply| {
            Count::new(question.limit, ply).expect("a count").attacker_moves_left(ToMove::attacker_if(attacker_to_move))
        };
        assert_eq!(left(question.ply), u32::from(question.moves));
        assert_eq!(left(question.ply + 1), u32::from(question.moves) - 1);

        let (in_time, late) = (question.fen(question.ply), question.fen(question.ply + 1));
        let found = engine.mate(&in_time, &[], DEPTH);
        let expected = if attacker_to_move { i32::from(question.moves) } else { -i32::from(question.moves) };
        assert_eq!(found, Some(expected), "{in_time}");
        assert_eq!(engine.mate(&late, &[], DEPTH), None, "{late}");
    });
    println!("{} positions, each at the boundary of the count and one ply beyond", questions.len());
}
