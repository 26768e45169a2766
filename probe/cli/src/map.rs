//! `query --map`: the results of a position with one man on each other square.

use std::fmt::Write;

use makruk_answers::{BatchItem, Field, Positions, ProbedAnswer, Reason, Refusal, json};
use makruk_probe::Category;
use makruk_rules::{Color, Fen, Piece, Position, Reading, Square};
use serde::Serialize;

use super::session::ProbeSession;

/// The results with a man on each square where a position is legal.
pub(crate) struct Map {
    fen: Fen,
    from: Square,
    man: Piece,
    results: Vec<OnSquare>,
}

/// A result with the man on one square and one side to move.
#[derive(Serialize)]
struct OnSquare {
    square: Square,
    #[serde(flatten)]
    answer: Box<ProbedAnswer>,
}

impl Map {
    /// The map of the man on a square; its side's count and the number of the move are those of the position.
    ///
    /// # Errors
    ///
    /// If no position is read, no man stands there, or a position has no verdict.
    pub(crate) fn of(reading: Reading, from: Square, session: &ProbeSession) -> Result<Map, Box<Refusal>> {
        let fen = reading.fen;
        let Some(man) = fen.position.board().piece_at(from) else {
            let error = format!("no man stands on {from}: expected the square of a man after --map");
            return Err(Box::new(Refusal::new(Reason::BadRequest, error).about(&fen)));
        };
        let moved = |(turn, to): (Color, Square)| {
            let mut board = fen.position.board().clone();
            board.clear(from);
            let is_free = board.piece_at(to).is_none();
            board.set(to, man);
            Some((to, Fen { position: Position::new(board, turn).ok().filter(|_| is_free)?, ..fen.clone() }))
        };
        let turn = fen.position.turn();
        let places = [turn, !turn].into_iter().flat_map(|turn| Square::all().map(move |to| (turn, to)));
        let (squares, fens): (Vec<Square>, Vec<Fen>) = places.filter_map(moved).unzip();
        let positions = fens.into_iter().map(|fen| (Field::from(fen), false)).collect();
        let mut results = Vec::new();
        for (square, item) in squares.into_iter().zip(session.ask(Positions(positions))?) {
            match item {
                BatchItem::Judged(answer) => results.push(OnSquare { square, answer }),
                BatchItem::Refused(refusal) => return Err(refusal),
            }
        }
        Ok(Map { fen, from, man, results })
    }

    /// One JSON object per line: the side to move of the position first, then the other.
    pub(crate) fn json(&self) -> String {
        self.results.iter().map(json).collect::<Vec<_>>().join("\n")
    }

    /// Two boards, for each side to move, with a letter on each square.
    pub(crate) fn text(&self) -> String {
        let Map { fen, from, man, .. } = self;
        let (color, role) = (man.color, man.role.name());
        let mut text = format!("{color}'s {role} of {from} on each square\n\n{fen}\n\n");
        let turn = fen.position.turn();
        let heads = [turn, !turn].map(|turn| format!("{turn} to move"));
        let _ = writeln!(text, "    {:<28}{}", heads[0], heads[1]);
        for rank in (0..8).rev() {
            let row = |turn: Color| -> String {
                let cells = (0..8).map(|file| self.cell(turn, Square::new(rank * 8 + file)));
                format!(" {} {}", rank + 1, cells.collect::<String>())
            };
            let _ = writeln!(text, "{} {}", row(turn), row(!turn).trim_end());
        }
        let files = "    a  b  c  d  e  f  g  h  ";
        let _ = writeln!(text, "{files} {}", files.trim_end());
        text.push_str(
            "\nW White wins, B Black wins; w, b would win, but the count draws; = a draw; + no legal position\n\
             [ ] the man's square; K R N S M P the other men, capitals are White's",
        );
        text
    }

    /// Three columns for a square.
    fn cell(&self, turn: Color, square: Square) -> String {
        let has_result = |result: &&OnSquare| result.square == square && result.answer.position.verdict.side == turn;
        let other = self.fen.position.board().piece_at(square).filter(|_| square != self.from);
        let letter = match (self.results.iter().find(has_result), other) {
            (Some(result), _) => letter(result),
            (None, Some(other)) => other.letter(),
            (None, None) => '+',
        };
        if square == self.from { format!("[{letter}]") } else { format!(" {letter} ") }
    }
}

/// The letter of a result: the winner's, small if the count draws.
fn letter(result: &OnSquare) -> char {
    let verdict = &result.answer.position.verdict;
    let Some(winner) = verdict.winner() else { return '=' };
    let letter = if winner == Color::White { 'W' } else { 'B' };
    match verdict.category {
        Category::Win | Category::Loss => letter,
        _ => letter.to_ascii_lowercase(),
    }
}
