//! The first field of a FEN.

use super::super::{Board, Piece, Role, Square};
use super::FenError;

/// Endings of the names of files that have positions or games.
const FILE_ENDINGS: [&str; 7] = [".pgn", ".fen", ".epd", ".txt", ".csv", ".json", ".jsonl"];

/// A board, and the letters by which it was written.
pub(super) struct BoardField {
    pub(super) board: Board,
    /// The letters other than K R N S M P, in capitals, each once.
    pub(super) other_letters: Vec<char>,
    /// Whether a letter S or M occurs, which chess does not have.
    pub(super) has_own_letters: bool,
}

impl BoardField {
    /// Reads the field.
    pub(super) fn parse(text: &str) -> Result<BoardField, FenError> {
        let found = 1 + text.bytes().filter(|&byte| byte == b'/').count();
        if found != 8 {
            return Err(not_eight_ranks(text, found));
        }
        let mut field = BoardField { board: Board::empty(), other_letters: Vec::new(), has_own_letters: false };
        for (row, rank) in (0..8u8).rev().zip(text.split('/')) {
            field.read_rank(row, rank)?;
        }
        Ok(field)
    }

    fn read_rank(&mut self, row: u8, rank: &str) -> Result<(), FenError> {
        let name = row + 1;
        let mut file = 0u32;
        let mut before = None;
        let mut is_promoted = false;
        for letter in rank.chars() {
            let piece = Piece::from_letter(letter);
            let is_met = |role: Option<Role>| role == Some(Role::Met);
            if std::mem::take(&mut is_promoted) && !is_met(piece.map(|piece| piece.role)) {
                return Err(FenError::PromotedMark { rank: name, mark: '+' });
            }
            match (letter, piece) {
                ('1'..='8', _) => file += letter as u32 - '0' as u32,
                ('+', _) => is_promoted = true,
                ('~', _) if is_met(before) => {}
                ('~', _) => return Err(FenError::PromotedMark { rank: name, mark: '~' }),
                (_, Some(piece)) => {
                    self.note_letter(letter);
                    // A rank that is too long is reported below, with all its squares counted.
                    if let Some(square) = i8::try_from(file).ok().and_then(|file| Square::at(file, row as i8)) {
                        self.board.set(square, piece);
                    }
                    file += 1;
                }
                (_, None) => return Err(FenError::UnknownLetter { rank: name, letter }),
            }
            before = piece.map(|piece| piece.role);
        }
        if is_promoted {
            return Err(FenError::PromotedMark { rank: name, mark: '+' });
        }
        match file {
            8 => Ok(()),
            squares => Err(FenError::RankLength { rank: name, text: rank.to_owned(), squares }),
        }
    }

    fn note_letter(&mut self, letter: char) {
        match letter.to_ascii_uppercase() {
            'S' | 'M' => self.has_own_letters = true,
            letter @ ('B' | 'E' | 'F' | 'Q') if !self.other_letters.contains(&letter) => {
                self.other_letters.push(letter);
            }
            _ => {}
        }
    }
}

/// The error of a first field that does not have eight ranks.
fn not_eight_ranks(text: &str, found: usize) -> FenError {
    if is_material(text) {
        return FenError::Material(text.to_owned());
    }
    let lower = text.to_ascii_lowercase();
    if FILE_ENDINGS.iter().any(|ending| lower.ends_with(ending)) {
        return FenError::FileName(text.to_owned());
    }
    // An unknown letter explains more: such a text is more likely no FEN at all than one with a rank missing.
    if let Some(letter) = text.chars().find(|&c| Piece::from_letter(c).is_none() && !"/~+12345678".contains(c)) {
        let rank = 8u8.saturating_sub(text.split(letter).next().unwrap_or_default().matches('/').count() as u8);
        return FenError::UnknownLetter { rank: rank.max(1), letter };
    }
    FenError::RankCount { found }
}

/// Whether a text names a material, such as `KRRvKR`.
fn is_material(text: &str) -> bool {
    let is_side = |side: &str| {
        side.strip_prefix('K').is_some_and(|men| {
            men.len() <= 16 && men.chars().all(|man| man.is_ascii_uppercase() && Piece::from_letter(man).is_some())
        })
    };
    text.split_once(['v', 'V']).is_some_and(|(white, black)| is_side(white) && is_side(black))
}
