//! Names of squares, and patterns of boards.

use makruk_rules::{Bitboard, Board, Piece, Square};

/// Parses squares: `a1`, `a1..h2` (the rectangle between two corners), `file-a`, `rank-1`, `edge`, `corner`, `centre`
/// (c3..f6), and several of these separated by commas.
pub(super) fn parse_region(text: &str) -> Option<Bitboard> {
    text.split(',').map(parse_part).try_fold(Bitboard::EMPTY, |all, part| Some(all | part?))
}

fn parse_part(text: &str) -> Option<Bitboard> {
    let which = |fits: fn(Square) -> bool| Some(Square::all().filter(|&square| fits(square)).collect());
    let outer = |line: u8| line == 0 || line == 7;
    match text {
        "edge" => return which(|square| matches!(square.file(), 0 | 7) || matches!(square.rank(), 0 | 7)),
        "corner" => return Some(Square::all().filter(|at| outer(at.file()) && outer(at.rank())).collect()),
        "centre" => return which(|square| (2..6).contains(&square.file()) && (2..6).contains(&square.rank())),
        _ => {}
    }
    if let Some([file @ b'a'..=b'h']) = text.strip_prefix("file-").map(str::as_bytes) {
        return Some(Square::all().filter(|square| square.file() == file - b'a').collect());
    }
    if let Some([rank @ b'1'..=b'8']) = text.strip_prefix("rank-").map(str::as_bytes) {
        return Some(Square::all().filter(|square| square.rank() == rank - b'1').collect());
    }
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let (first, last): (Square, Square) = (first.parse().ok()?, last.parse().ok()?);
    let between = |a: u8, b: u8, c: u8| a.min(b) <= c && c <= a.max(b);
    let within = |square: &Square| {
        between(first.file(), last.file(), square.file()) && between(first.rank(), last.rank(), square.rank())
    };
    Some(Square::all().filter(within).collect())
}

/// A partial board: a FEN's first field in which `?` matches any square and `*` any rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    /// The squares that the pattern determines, and the men on them.
    squares: Vec<(Square, Option<Piece>)>,
}

impl Pattern {
    /// Parses a pattern; the error says what was expected.
    pub(super) fn parse(text: &str) -> Result<Pattern, String> {
        let ranks: Vec<&str> = text.split('/').collect();
        if ranks.len() != 8 {
            return Err(format!("a board pattern with 8 ranks, separated by /: it has {}", ranks.len()));
        }
        let mut squares = Vec::new();
        for (line, rank) in (0..8u8).rev().zip(ranks) {
            if rank == "*" {
                continue;
            }
            let mut file = 0;
            for letter in rank.chars() {
                let (content, width) = match letter {
                    '1'..='8' => (Some(None), letter as u8 - b'0'),
                    '?' => (None, 1),
                    _ => match Piece::from_letter(letter) {
                        Some(piece) => (Some(Some(piece)), 1),
                        None => {
                            return Err(format!(
                                "K R N S M in either case, 1 to 8, ? or * in a board pattern: rank {} has {letter:?}",
                                line + 1
                            ));
                        }
                    },
                };
                for _ in 0..width {
                    if let (Some(square), Some(man)) = (Square::at(file, line as i8), content) {
                        squares.push((square, man));
                    }
                    file = file.saturating_add(1);
                }
            }
            if file != 8 {
                return Err(format!("8 squares in rank {} of a board pattern: it has {file}", line + 1));
            }
        }
        Ok(Pattern { squares })
    }

    /// Whether a board matches.
    pub(super) fn matches(&self, board: &Board) -> bool {
        self.squares.iter().all(|&(square, man)| board.piece_at(square) == man)
    }
}

#[cfg(test)]
mod tests {
    use makruk_rules::Fen;

    use super::*;

    #[test]
    fn regions_by_name() {
        for (text, squares) in [
            ("e4", 1),
            ("a1..h2", 16),
            ("h2..a1", 16),
            ("edge", 28),
            ("corner", 4),
            ("centre", 16),
            ("file-c", 8),
            ("rank-8", 8),
            ("file-a,rank-1", 15),
            ("a1,a1", 1),
        ] {
            assert_eq!(parse_region(text).map(Bitboard::len), Some(squares), "{text}");
        }
        for text in ["", "i1", "a1..", "a1...h2", "file-i", "rank-9", "rank-", "a1,", "Edge"] {
            assert_eq!(parse_region(text), None, "{text}");
        }
        assert!(parse_region("corner").is_some_and(|corner| corner.contains(Square::new(56))));
    }

    #[test]
    fn patterns_determine_some_squares() {
        let board = |text: &str| text.parse::<Fen>().unwrap().position.board().clone();
        let rooks = board("7k/6R1/8/5R2/3K4/4r3/8/8 b - -");
        for (pattern, matches) in [
            ("*/*/*/*/*/*/*/*", true),
            ("7k/*/*/*/*/*/*/8", true),
            ("???????k/6R?/*/*/*/*/8/8", true),
            ("7K/*/*/*/*/*/*/*", false),
            ("8/*/*/*/*/*/*/*", false),
            ("*/*/*/*/*/4?3/*/*", true),
        ] {
            assert_eq!(Pattern::parse(pattern).unwrap().matches(&rooks), matches, "{pattern}");
        }
        for (pattern, why) in [
            ("*/*", "it has 2"),
            ("9/*/*/*/*/*/*/*", "'9'"),
            ("?/*/*/*/*/*/*/*", "rank 8 of a board pattern: it has 1"),
            ("88/*/*/*/*/*/*/*", "it has 16"),
            ("x7/*/*/*/*/*/*/*", "'x'"),
        ] {
            assert!(Pattern::parse(pattern).unwrap_err().contains(why), "{pattern}");
        }
        assert!(Pattern::parse(&format!("{}/*/*/*/*/*/*/*", "8".repeat(500))).is_err());
    }
}
