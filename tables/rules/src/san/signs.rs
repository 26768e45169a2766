//! The signs of which a move's text is made: letters of men and files, Latin or Thai, ranks, and marks of captures.

use std::borrow::Cow;

use arrayvec::ArrayVec;

use super::super::Role;

/// The most signs of a move: a man and its square, a capture, a man and its square, and dots.
const MOST_SIGNS: usize = 12;

/// The signs of a move, in order.
pub(super) type Signs = ArrayVec<Sign, MOST_SIGNS>;

/// A sign of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// A Latin capital.
    Capital(char),
    /// A Thai letter of a man.
    Man(Role),
    /// A Thai letter that is both a man's and a file's (0 to 7).
    ManOrFile(Role, u8),
    /// A file, 0 to 7.
    File(u8),
    /// A rank, 0 to 7.
    Rank(u8),
    /// The mark of a capture.
    Takes,
    /// A dash between two squares, or between a man and its square.
    To,
}

impl Sign {
    /// The file, if the sign can be one.
    pub(super) fn file(self) -> Option<u8> {
        match self {
            Sign::File(file) | Sign::ManOrFile(_, file) => Some(file),
            _ => None,
        }
    }

    /// Reads signs; `None` if a character is not one, or if there are too many.
    pub(super) fn parse_all(text: &str) -> Option<Signs> {
        let mut signs = Signs::new();
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            let sign = match letter {
                'a'..='h' => Sign::File(letter as u8 - b'a'),
                '1'..='8' => Sign::Rank(letter as u8 - b'1'),
                'x' | 'X' | ':' => Sign::Takes,
                'A'..='Z' => Sign::Capital(letter),
                // A blank beside a dash or a cross.
                ' ' if matches!(signs.last(), Some(Sign::Takes | Sign::To)) => continue,
                ' ' if letters.peek().is_some_and(|next| ['-', 'x', 'X', ':'].contains(next)) => continue,
                '-' => {
                    letters.next_if_eq(&'>');
                    Sign::To
                }
                // After a dot a letter was a man's.
                '.' => match signs.pop()? {
                    Sign::ManOrFile(role, _) => Sign::Man(role),
                    sign @ (Sign::Man(_) | Sign::Capital(_)) => sign,
                    _ => return None,
                },
                MET_FIRST if letters.next_if_eq(&MET_MARK).is_some() => Sign::Man(Role::Met),
                'ก' => Sign::File(0),
                'ข' => Sign::ManOrFile(Role::King, 1),
                'ค' => Sign::ManOrFile(Role::Khon, 2),
                // A promoted pawn (bia ngai).
                'ง' => Sign::ManOrFile(Role::Met, 3),
                'จ' => Sign::File(4),
                'ฉ' => Sign::File(5),
                'ช' => Sign::File(6),
                'ญ' => Sign::File(7),
                'ร' => Sign::Man(Role::Rook),
                MET_FIRST => Sign::Man(Role::Knight),
                'บ' => Sign::Man(Role::Pawn),
                _ => return None,
            };
            signs.try_push(sign).ok()?;
        }
        Some(signs)
    }
}

/// The letter of the knight, which begins that of the met too.
const MET_FIRST: char = 'ม';
/// The mark above a knight's letter that makes it a met's (maitaikhu).
const MET_MARK: char = '\u{e47}';

/// Whether a text is one Thai letter of a man, with or without a dot: the beginning of a move whose squares follow a
/// blank.
pub(in super::super) fn is_thai_man(text: &str) -> bool {
    let man = text.strip_suffix('.').unwrap_or(text);
    !man.is_ascii() && matches!(Sign::parse_all(man).as_deref(), Some([Sign::Man(_) | Sign::ManOrFile(..)]))
}

/// Whether a letter names a met as the result of a promotion.
pub(super) fn is_met(text: &str) -> bool {
    match text.as_bytes() {
        [letter] => Role::from_letter(*letter as char) == Some(Role::Met),
        _ => matches!(Sign::parse_all(text).as_deref(), Some([Sign::Man(Role::Met) | Sign::ManOrFile(Role::Met, _)])),
    }
}

/// A text with plain signs: Thai and full-width digits, figurines, dashes and multiplication signs become those of
/// ASCII, and characters without a width are left out.
pub(in super::super) fn plain(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '๐'..='๙' => plain.push((b'0' + (letter as u32 - '๐' as u32) as u8) as char),
            '\u{ff01}'..='\u{ff5e}' => plain.extend(char::from_u32(letter as u32 - 0xfee0)),
            '♔' | '♚' => plain.push('K'),
            '♕' | '♛' => plain.push('M'),
            '♖' | '♜' => plain.push('R'),
            '♗' | '♝' => plain.push('S'),
            '♘' | '♞' => plain.push('N'),
            '♙' | '♟' => plain.push('P'),
            '×' | '✕' | '✖' => plain.push('x'),
            '‐' | '‑' | '‒' | '–' | '—' | '−' | '→' | '➝' => plain.push('-'),
            '…' => plain.push_str("..."),
            '½' => plain.push_str("1/2"),
            '†' => plain.push('+'),
            '‡' => plain.push('#'),
            '‼' => plain.push_str("!!"),
            '⁇' => plain.push_str("??"),
            '⁈' => plain.push_str("?!"),
            '⁉' => plain.push_str("!?"),
            letter if is_invisible(letter) => {}
            _ => plain.push(letter),
        }
    }
    Cow::Owned(plain)
}

/// Whether a character has no width: it comes along when text is copied from web pages, or selects how a figurine is
/// drawn.
pub(in super::super) fn is_invisible(letter: char) -> bool {
    matches!(
        letter,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}'
            | '\u{fe0e}' | '\u{fe0f}' | '\u{feff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_other_writers_become_plain() {
        for (text, expected) in [
            ("♖e1", "Re1"),
            ("♛\u{fe0e}×e４", "Mxe4"),
            ("๑๒…", "12..."),
            ("½–½", "1/2-1/2"),
            ("ค→ช๒‡", "ค-ช2#"),
            ("Nf3", "Nf3"),
        ] {
            assert_eq!(plain(text), expected);
        }
        assert!(is_thai_man("ม็") && is_thai_man("ข.") && is_thai_man("บ"));
        assert!(!is_thai_man("ก") && !is_thai_man("K") && !is_thai_man("ขข") && !is_thai_man("."));
    }
}
