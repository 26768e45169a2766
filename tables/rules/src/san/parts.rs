//! The parts of a move's text, before it meets a position.

use arrayvec::ArrayVec;

use super::super::{Move, Position, Role, Square};
use super::signs::{Sign, is_met, plain};

/// The longest move that is read, in characters. The longest useful one, as `ม็.ค๓×ม็.ง๔#!?`, has some fifteen.
pub const MAX_SAN_CHARS: usize = 20;

/// The parts of a move's text, as one of the ways to read it has them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    /// The man that moves; `None` if its square alone names it.
    pub(super) role: Option<Role>,
    /// The Latin letter that names the man.
    pub(super) letter: Option<char>,
    /// The file left.
    pub(super) file: Option<u8>,
    /// The rank left.
    pub(super) rank: Option<u8>,
    /// Whether the text has the mark of a capture.
    pub(super) captures: bool,
    /// The man taken.
    pub(super) taken: Option<Role>,
    /// The square reached.
    pub(super) to: Square,
    /// Whether the text has the letter of a promotion.
    pub(super) promotes: bool,
    /// Whether that letter is P: PlayOK goes on to call the met so.
    pub(super) stays_p: bool,
}

impl Parts {
    /// The square left, if the text names it.
    pub(super) fn square_left(&self) -> Option<Square> {
        Square::at(self.file? as i8, self.rank? as i8)
    }

    /// Whether a text with the square left names the man there by that square alone. It has no letter then, or a letter
    /// that only the English letters of BE 2569 have for this man.
    pub(super) fn is_named_by(&self, role: Option<Role>) -> bool {
        match self.letter {
            None => self.role.is_none(),
            Some(letter) => role.is_some() && self.role != role && role_of_be_2569(letter) == role,
        }
    }

    /// Whether a legal move may be the one that the text names.
    pub(super) fn fits(&self, position: &Position, mv: Move) -> bool {
        let role = || position.board().piece_at(mv.from).map(|piece| piece.role);
        mv.to == self.to
            && self.file.is_none_or(|file| file == mv.from.file())
            && self.rank.is_none_or(|rank| rank == mv.from.rank())
            && (self.role.is_none() || self.role == role())
            // A pawn's capture says so, by its x or by the file it comes from.
            && (self.role != Some(Role::Pawn)
                || self.captures
                || self.file.is_some()
                || mv.from.file() == mv.to.file())
            && self.takes_what_it_names(position, mv)
    }

    /// Whether a move takes the man that the text names, if it names one.
    pub(super) fn takes_what_it_names(&self, position: &Position, mv: Move) -> bool {
        self.taken.is_none() || self.taken == position.captured(mv).map(|piece| piece.role)
    }
}

/// The role of an English letter of the competition rules of BE 2569: a promoted pawn is N (ngai).
const fn role_of_be_2569(letter: char) -> Option<Role> {
    Some(match letter {
        'M' => Role::Knight,
        'H' => Role::Khon,
        'D' | 'N' => Role::Met,
        'B' => Role::Pawn,
        _ => return None,
    })
}

/// The ways to read a text, the first with preference.
pub(super) type Readings = ArrayVec<Parts, 2>;

const A_SQUARE: &str = "expected a square from a1 to h8 at its end, as in Nf3";
const A_LETTER: &str = "expected K, R, N, S (or B, E), M (or Q, F) or a pawn's file first";

/// Reads a text; the error is what was expected in its place.
pub(super) fn parse(text: &str) -> Result<Readings, &'static str> {
    let plain = plain(text);
    if plain.len() > MAX_SAN_CHARS && plain.chars().count() > MAX_SAN_CHARS {
        return Err("expected a few letters and digits, such as Nf3, exd5 or e6=M");
    }
    if matches!(plain.trim_end_matches(MARKS), "O-O" | "O-O-O" | "0-0" | "0-0-0") {
        return Err("Makruk has no castling");
    }
    let (body, promotion) = split_promotion(plain.trim_end_matches(MARKS))?;
    let (promotes, stays_p) = (promotion.is_some(), promotion == Some("P"));
    let signs = Sign::parse_all(body).ok_or("expected a few letters and digits, such as Nf3, exd5 or e6=M")?;
    let [before @ .., file, Sign::Rank(rank)] = &signs[..] else { return Err(A_SQUARE) };
    let to = file.file().and_then(|file| Square::at(file as i8, *rank as i8)).ok_or(A_SQUARE)?;
    let (before, taken) = match before {
        [before @ .., Sign::Takes, man @ (Sign::Capital(_) | Sign::Man(_) | Sign::ManOrFile(..))] => {
            (before, Some(role_of(*man).ok_or(A_LETTER)?.0))
        }
        [before @ .., Sign::Takes] => (before, None),
        _ => (before, None),
    };
    let captures = before.len() + 2 < signs.len();
    let (before, dash) = match before {
        [before @ .., Sign::To] => (before, true),
        _ => (before, false),
    };
    let parts = Parts { role: None, letter: None, file: None, rank: None, captures, taken, to, promotes, stays_p };
    let mut readings = Readings::new();
    for reading in [with_man(parts, before)?, without_man(parts, before, dash)].into_iter().flatten() {
        if !promotes || reading.role.is_none_or(|role| role == Role::Pawn) {
            readings.push(reading);
        } else if readings.is_empty() && reading.letter.is_some() {
            return Err("only a pawn is promoted");
        }
    }
    match readings.is_empty() {
        true => Err("expected a piece's letter in capitals, a file, a rank or x before the last square"),
        false => Ok(readings),
    }
}

/// The marks that may end a move.
pub(in super::super) const MARKS: [char; 5] = ['+', '#', '!', '?', '='];

/// A text without its promotion, and the letter of that.
fn split_promotion(body: &str) -> Result<(&str, Option<&str>), &'static str> {
    let (rest, letter) = match body.split_once('=') {
        Some((rest, "P")) => return Ok((rest, Some("P"))),
        Some(split) => split,
        None => {
            let is_letter = |letter: char| letter.is_ascii_alphabetic() || letter == 'ม' || letter == '\u{e47}';
            body.split_at(body.trim_end_matches(is_letter).len())
        }
    };
    match letter {
        "" => Ok((body, None)),
        _ if is_met(letter) => Ok((rest, Some(letter))),
        _ if rest.is_empty() => Err(A_SQUARE),
        _ => Err("expected a square from a1 to h8 at its end, or =M after a promotion: a pawn becomes a met"),
    }
}

/// The role that a sign names, and its letter if that is Latin.
fn role_of(sign: Sign) -> Option<(Role, Option<char>)> {
    match sign {
        Sign::Capital(letter) => Role::from_letter(letter).map(|role| (role, Some(letter))),
        Sign::Man(role) | Sign::ManOrFile(role, _) => Some((role, None)),
        Sign::File(_) | Sign::Rank(_) | Sign::Takes | Sign::To => None,
    }
}

/// The reading whose first sign is a man's.
fn with_man(parts: Parts, signs: &[Sign]) -> Result<Option<Parts>, &'static str> {
    let Some((&first @ (Sign::Capital(_) | Sign::Man(_) | Sign::ManOrFile(..)), rest)) = signs.split_first() else {
        return Ok(None);
    };
    let Some((file, rank)) = origin(rest) else { return Ok(None) };
    let named = role_of(first).map(|(role, letter)| (Some(role), letter));
    let (role, letter) = match (first, named) {
        (_, Some(named)) => named,
        // The square left names the man of a letter that nobody else uses.
        (Sign::Capital(letter @ ('D' | 'H')), None) if file.is_some() && rank.is_some() => (None, Some(letter)),
        (Sign::Capital('T'), None) => {
            return Err("T is read as no man: makruk-js writes it for the khon, which is S here");
        }
        _ => return Err(A_LETTER),
    };
    Ok(Some(Parts { role, letter, file, rank, ..parts }))
}

/// The reading that has the square left, or a pawn's file, or nothing before the square reached.
fn without_man(parts: Parts, signs: &[Sign], dash: bool) -> Option<Parts> {
    let (file, rank) = origin(signs)?;
    // A man's letter that is a file's too is a file if a pawn takes from there, or if a rank follows.
    let is_man = matches!(signs, [Sign::ManOrFile(..)]) && !parts.captures;
    let names_square = file.is_some() && rank.is_some();
    // No dash follows a pawn's file alone.
    let is_pawn = !names_square && !dash;
    (!is_man && (is_pawn || names_square)).then_some(Parts { role: is_pawn.then_some(Role::Pawn), file, rank, ..parts })
}

/// The file and the rank left; `None` if the signs are other ones.
fn origin(signs: &[Sign]) -> Option<(Option<u8>, Option<u8>)> {
    match *signs {
        [] => Some((None, None)),
        [Sign::Rank(rank)] => Some((None, Some(rank))),
        [sign] => Some((Some(sign.file()?), None)),
        [sign, Sign::Rank(rank)] => Some((Some(sign.file()?), Some(rank))),
        _ => None,
    }
}
