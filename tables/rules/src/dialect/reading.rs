//! A position, as people and programs write it.

use std::str::FromStr;

use arrayvec::ArrayVec;

use super::super::{Color, Count, CountingRules, Fen, MAX_COUNT_FIELD, Position};
use super::board_field::BoardField;
use super::fen_error::MAX_FEN_BYTES;
use super::unwrap::{trim, unwrapped};
use super::{ChessSign, CountField, FenError, ImpossibleCount, Note};

/// A position that was read, and a note for everything in its text that was dropped or assumed.
///
/// ```
/// use makruk_rules::Reading;
///
/// // XBoard writes a half-move clock and the move number, and no count.
/// let reading = Reading::parse("8/8/8/8/6M1/5S2/5K2/7k w 0 1")?;
/// assert_eq!(reading.fen.to_string(), "8/8/8/8/6M1/5S2/5K2/7k w - - 0 1");
/// assert_eq!(reading.notes.len(), 1);
/// # Ok::<(), makruk_rules::FenError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline, with = "String"))]
pub struct Reading {
    /// The position, its count and its move number.
    pub fen: Fen,
    /// What was dropped or assumed, in the order of the text.
    pub notes: Vec<Note>,
}

impl Reading {
    /// Reads a position in the six fields of a [`Fen`] or as other programs write it.
    ///
    /// - Around it: quotes, `fen:`, a link, characters without a width; underscores, `%20` or `+` in place of spaces.
    /// - Board: khons may be S, B or E, mets M, Q, F, `M~` or `+M`.
    /// - Side: `w`, `b`, `white` or `black`, in either case.
    /// - Third field: `-`, or castling rights, which are ignored. Fields may be missing from the end, down to board and
    ///   side.
    /// - A number as the third of four fields is a half-move clock, and no count runs; as the third of three it is the
    ///   move number.
    /// - If LIMIT is `-`, 0 or missing, no count runs and PLY is ignored (it must still be a number). PLY may exceed
    ///   LIMIT; that count has expired. If PLY alone is missing, the count begins in the position: at 0 with both sides
    ///   armed, at the men on the board against a bare king. With an unpromoted pawn on the board LIMIT and PLY are
    ///   checked and then ignored. A count that no game reaches with these men is read as given, and noted.
    /// - After it: the operations of an EPD, or a comment after `;` or `#`.
    ///
    /// # Errors
    ///
    /// If a field cannot be read, the first such field; if all fields can, every rule that the position breaks.
    pub fn parse(text: &str) -> Result<Reading, FenError> {
        let (text, is_link) = unwrapped(text);
        let mut notes = Vec::new();
        if is_link {
            notes.push(Note::Link);
        }
        let (text, remainder) = split_remainder(&text);
        let text = trim(text);
        if text.is_empty() {
            return Err(FenError::Empty);
        }
        if text.len() > MAX_FEN_BYTES {
            return Err(FenError::TooLong { bytes: text.len() });
        }
        let mut fields = text.split_whitespace();
        let BoardField { board, other_letters, has_own_letters } =
            BoardField::parse(fields.next().unwrap_or_default())?;
        let turn = parse_side(fields.next())?;
        let has_chess_letters = !has_own_letters && other_letters.iter().any(|letter| matches!(letter, 'B' | 'Q'));
        if !other_letters.is_empty() {
            notes.push(Note::Lettering(other_letters));
        }
        let (count, fullmove) = parse_numbers(&fields.take(5).collect::<ArrayVec<_, 5>>(), &mut notes)?;
        if let Some(sign) = ChessSign::of_board(&board, has_chess_letters) {
            return Err(FenError::Chess(sign));
        }
        let position = Position::new(board, turn)?;
        let count = judge_count(count, &position, &mut notes);
        if !remainder.is_empty() {
            notes.push(Note::Remainder(remainder.to_owned()));
        }
        Ok(Reading { fen: Fen { position, count, fullmove }, notes })
    }

    /// Whether a line of a list of positions is blank or a comment, which begins with `#` or `;`.
    pub fn is_left_out(line: &str) -> bool {
        let text = line.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '\u{feff}');
        text.is_empty() || text.starts_with(['#', ';'])
    }

    /// The notes as sentences, for people.
    pub fn sentences(&self) -> Vec<String> {
        self.notes.iter().map(Note::to_string).collect()
    }
}

impl FromStr for Reading {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Reading, FenError> {
        Reading::parse(text)
    }
}

impl Fen {
    /// The FEN of the starting array.
    pub fn start() -> Fen {
        Fen::parse(Fen::START).expect("the starting array is a legal position")
    }

    /// Reads a position in any of the forms that a [`Reading`] has, if nothing in its text is dropped or assumed.
    ///
    /// A note may say that the verdict is on another position or count than the writer meant. So a text that needs one
    /// is refused here: a caller who wants it reads it as a [`Reading`], which keeps the notes.
    ///
    /// ```
    /// use makruk_rules::{Fen, FenError, Reading};
    ///
    /// // Of a bare king the men on the board are counted already: no count of three men is at 0.
    /// let text = "8/8/8/8/2k5/8/8/K5R1 b - 32 0 1";
    /// assert!(matches!(text.parse::<Fen>(), Err(FenError::Noted(_))));
    /// let Reading { fen, notes } = text.parse()?;
    /// assert!(notes[0].to_string().ends_with("if the count begins now, write \"- 32 6\""));
    /// assert_eq!(fen.to_string(), text);
    /// # Ok::<(), FenError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Reading::parse`], and [`FenError::Noted`].
    pub fn parse(text: &str) -> Result<Fen, FenError> {
        match Reading::parse(text)? {
            Reading { fen, notes } if notes.is_empty() => Ok(fen),
            Reading { notes, .. } => Err(FenError::Noted(notes)),
        }
    }
}

impl FromStr for Fen {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Fen, FenError> {
        Fen::parse(text)
    }
}

/// The FEN of a text, and the operations or the comment after it.
///
/// Operations begin at the first word in or after the third field that cannot be a field, if a semicolon follows it. A
/// comment begins at the first semicolon or `#`.
fn split_remainder(text: &str) -> (&str, &str) {
    let Some(mark) = text.bytes().position(|byte| matches!(byte, b';' | b'#')) else { return (text, "") };
    let mut end = mark;
    if text.contains(';') {
        let fields = text[..mark].split_whitespace().enumerate().skip(2);
        let is_operation = |at: usize, word: &str| {
            let is_castling = at == 2 && is_castling(word);
            let is_square = at == 3 && is_en_passant(word);
            word.starts_with(|letter: char| letter.is_ascii_alphabetic()) && !is_castling && !is_square
        };
        let mut operations = fields.filter(|&(at, word)| is_operation(at, word));
        if let Some((_, word)) = operations.next() {
            end = word.as_ptr() as usize - text.as_ptr() as usize;
        }
    }
    let is_mark = |letter: char| letter.is_whitespace() || matches!(letter, ';' | '#');
    (&text[..end], text[end..].trim_matches(is_mark))
}

fn parse_side(text: Option<&str>) -> Result<Color, FenError> {
    let text = text.ok_or(FenError::MissingSide)?;
    let is = |names: [&str; 2]| names.iter().any(|name| text.eq_ignore_ascii_case(name));
    if is(["w", "white"]) {
        Ok(Color::White)
    } else if is(["b", "black"]) {
        Ok(Color::Black)
    } else {
        Err(FenError::UnknownSide(text.to_owned()))
    }
}

/// Castling rights of chess, or those of Ouk.
fn is_castling(text: &str) -> bool {
    (1..=4).contains(&text.len()) && text.chars().all(|letter| "KQkqDEde".contains(letter))
}

fn is_en_passant(text: &str) -> bool {
    matches!(text.as_bytes(), [b'a'..=b'h', b'3' | b'6'])
}

/// A whole number in Latin or Thai digits; a number too large is the largest.
fn number(text: &str) -> Option<u32> {
    let mut number = (!text.is_empty()).then_some(0u32)?;
    for letter in text.chars() {
        let digit = match letter {
            '\u{e50}'..='\u{e59}' => letter as u32 - 0xe50,
            _ => letter.to_digit(10)?,
        };
        number = number.saturating_mul(10).saturating_add(digit);
    }
    Some(number)
}

/// LIMIT and PLY as they are written, each a number that a count can have.
#[derive(Clone, Copy)]
struct GivenCount {
    limit: u32,
    ply: Option<u32>,
}

/// The fields after the side to move: the count and the move number.
fn parse_numbers(fields: &[&str], notes: &mut Vec<Note>) -> Result<(Option<GivenCount>, u32), FenError> {
    let Some((&third, rest)) = fields.split_first() else { return Ok((None, 1)) };
    if let Some(given) = number(third) {
        return Ok((None, short_form(third, given, rest, notes)?));
    }
    match third {
        "-" => {}
        _ if is_castling(third) => notes.push(Note::Castling(third.to_owned())),
        _ => return Err(FenError::Third(third.to_owned())),
    }
    let mut rest = rest.iter().copied();
    let count = parse_count(rest.next(), rest.next(), notes)?;
    let fullmove = rest.next().map_or(Ok(1), |text| parse_fullmove(text, notes))?;
    match rest.next() {
        Some(extra) => Err(FenError::ExtraField(extra.to_owned())),
        None => Ok((count, fullmove)),
    }
}

/// The move number of a short form: the third field, or the fourth with XBoard's half-move clock before it.
fn short_form(third: &str, given: u32, rest: &[&str], notes: &mut Vec<Note>) -> Result<u32, FenError> {
    match *rest {
        [] => {
            notes.push(Note::MoveNumberThird(given));
            Ok(given.max(1))
        }
        [text] => {
            let fullmove = number(text).ok_or_else(|| FenError::Fullmove(text.to_owned()))?;
            // A clock is at most the plies before this move. A larger one that is a limit is a LIMIT whose dash is
            // missing.
            let most = fullmove.saturating_mul(2).saturating_sub(1);
            if given > most && is_limit(given) {
                return Err(FenError::MissingDash(third.to_owned()));
            }
            notes.push(Note::ShortForm { clock: given, fullmove: fullmove.max(1) });
            Ok(fullmove.max(1))
        }
        _ => Err(FenError::MissingDash(third.to_owned())),
    }
}

/// Whether a number is one of Makruk's limits, in moves or in plies.
fn is_limit(number: u32) -> bool {
    matches!(number, 8 | 16 | 22 | 32 | 44 | 64 | 88 | 128)
}

fn parse_fullmove(text: &str, notes: &mut Vec<Note>) -> Result<u32, FenError> {
    let number = number(text).ok_or_else(|| FenError::Fullmove(text.to_owned()))?;
    if number == 0 {
        notes.push(Note::MoveNumberZero);
    }
    Ok(number.max(1))
}

/// LIMIT and PLY; no count if LIMIT is `-`, 0 or missing.
fn parse_count(limit: Option<&str>, ply: Option<&str>, notes: &mut Vec<Note>) -> Result<Option<GivenCount>, FenError> {
    let bad = |field, found: &str| FenError::Count { field, found: found.to_owned() };
    let limit = match limit {
        None | Some("-") => 0,
        Some(text) if is_en_passant(text) => return Err(FenError::Chess(ChessSign::EnPassant(text.to_owned()))),
        Some(text) => number(text).filter(|&n| n <= MAX_COUNT_FIELD).ok_or_else(|| bad(CountField::Limit, text))?,
    };
    let most = if limit == 0 { u32::MAX } else { MAX_COUNT_FIELD };
    let read = |text| number(text).filter(|&ply| ply <= most).ok_or_else(|| bad(CountField::Ply, text));
    let ply = ply.filter(|&text| limit > 0 || text != "-").map(read).transpose()?;
    if let Some(ply) = ply.filter(|&ply| limit == 0 && ply > 0) {
        notes.push(Note::PlyWithoutCount(ply));
    }
    Ok((limit > 0).then_some(GivenCount { limit, ply }))
}

/// The count that runs in a position, with notes on one that does not, on a PLY that is assumed and on a count that no
/// game reaches.
fn judge_count(given: Option<GivenCount>, position: &Position, notes: &mut Vec<Note>) -> Option<Count> {
    let GivenCount { limit, ply } = given?;
    let start = CountingRules::MAKRUK.start(position.board(), position.turn());
    let begun = start.map_or(0, Count::ply);
    let count = Count::new(limit, ply.unwrap_or(begun)).ok()?;
    if position.board().has_pawns() {
        notes.push(Note::CountWithPawns(count));
        return None;
    }
    if ply.is_none() && begun > 0 {
        notes.push(Note::MissingPly(begun));
    }
    notes.extend(ImpossibleCount::find(count, ply.is_some(), position).map(Note::ImpossibleCount));
    Some(count)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::FenErrorKind;
    use super::*;

    const BOARD: &str = "8/8/8/8/8/4s1k1/4R3/K7";

    #[test]
    fn count_fields() {
        let count = |fields: &str| {
            let fen = Reading::parse(&format!("{BOARD} w{fields}")).unwrap().fen;
            (fen.count.map(|count| (count.limit(), count.ply())), fen.fullmove)
        };
        assert_eq!(count(""), (None, 1));
        assert_eq!(count(" -"), (None, 1));
        assert_eq!(count(" KQkq - 0 1"), (None, 1));
        assert_eq!(count(" - 0 17 3"), (None, 3));
        assert_eq!(count(" - - 50000 0"), (None, 1));
        assert_eq!(count(" - 128"), (Some((128, 0)), 1));
        assert_eq!(count(" - 15 9999 78"), (Some((15, 9999)), 78));
        assert_eq!(count("  - \t 9999 \u{a0} 0 4294967295 "), (Some((9999, 0)), u32::MAX));
        let pawns = Reading::parse("8/8/8/8/8/3Ps1k1/4R3/K7 w - 128 4 5").unwrap().fen;
        assert_eq!(pawns.to_string(), "8/8/8/8/8/3Ps1k1/4R3/K7 w - - 0 5");
    }

    #[test]
    fn letterings_and_the_start() {
        let read = |text: &str| Reading::parse(text).unwrap().fen;
        let chess = read("rnbqkbnr/8/pppppppp/8/8/PPPPPPPP/8/RNBKQBNR w KQkq - 0 1");
        assert_eq!(chess, Fen::start());
        assert_eq!(chess.to_string(), Fen::START);
        let one = read("8/8/8/2m~e4/3F1k2/8/1M~S5/K7 b");
        assert_eq!(one.position.board().to_string(), "8/8/8/2ms4/3M1k2/8/1MS5/K7");
    }

    #[test]
    fn each_error_names_the_field() {
        let cases: &[(&str, FenErrorKind, &str)] = &[
            ("", FenErrorKind::BadFen, "is empty"),
            (" \n\t ", FenErrorKind::BadFen, "is empty"),
            (&"8".repeat(201), FenErrorKind::BadFen, "has 201 bytes: expected at most 200"),
            ("8/8/8/8 w", FenErrorKind::BadFen, "4 ranks: expected 8"),
            ("8/8/8/8/8/8/8/8/8 w", FenErrorKind::BadFen, "9 ranks"),
            ("hello", FenErrorKind::BadFen, "rank 8 of the FEN's board has \"h\""),
            ("7/8/8/8/8/4s1k1/4R3/K7 w", FenErrorKind::BadFen, "rank 8 of the FEN's board, \"7\", has 7 squares"),
            ("8/8/8/8/8/4s1k1/4R3/K71 w", FenErrorKind::BadFen, "rank 1 of the FEN's board, \"K71\", has 9 squares"),
            ("8/8/8/8/8/4s1k1/4R3/KRRRRRRRRR w", FenErrorKind::BadFen, "has 10 squares"),
            ("8/8//8/8/4s1k1/4R3/K7 w", FenErrorKind::BadFen, "rank 6 of the FEN's board, \"\", has 0 squares"),
            ("8/8/8/8/8/4z1k1/4R3/K7 w", FenErrorKind::BadFen, "rank 3 of the FEN's board has \"z\""),
            ("8/8/8/8/8/4\u{e01}1k1/4R3/K7 w", FenErrorKind::BadFen, "\"\u{e01}\""),
            ("9/8/8/8/8/4s1k1/4R3/K7 w", FenErrorKind::BadFen, "has \"9\""),
            ("8/8/8/8/8/4s~1k1/4R3/K7 w", FenErrorKind::BadFen, "\"~\" that marks no met"),
            ("8/8/8/8/8/4+s1k1/4R3/K7 w", FenErrorKind::BadFen, "\"+\" that marks no met"),
            ("8/8/8/8/8/4s1k1/4R3/K+7 w", FenErrorKind::BadFen, "\"+\" that marks no met"),
            (
                "8/8/8/8/8/4s1k1/4R3/KT6 w 1",
                FenErrorKind::BadFen,
                "\"T\": expected K (king), R (rook), N (knight), S (khon",
            ),
            ("KRRvKR", FenErrorKind::BadFen, "\"KRRvKR\" is the name of a material"),
            ("games/one.PGN", FenErrorKind::BadFen, "\"games/one.PGN\" is the name of a file"),
            ("8/8/8/8/8/4s1k1/4R3/K7 w abc", FenErrorKind::BadFen, "third field is \"abc\": expected -"),
            ("8/8/8/8/8/4s1k1/4R3/K7 w 64 10", FenErrorKind::BadFen, "third field is \"64\": expected - before LIMIT"),
            ("8/8/8/8/6M1/5S2/5K2/7k w 64 1", FenErrorKind::BadFen, "third field is \"64\": expected - before LIMIT"),
            ("8/8/8/8/8/4s1k1/4R3/K7 w 0 0 1", FenErrorKind::BadFen, "third field is \"0\": expected - before LIMIT"),
            ("8/8/8/8/8/4s1k1/4R3/K7 w 0 x", FenErrorKind::BadFen, "move number is \"x\""),
            (BOARD, FenErrorKind::BadFen, "side to move is missing"),
            ("8/8/8/8/8/4s1k1/4R3/K7 x", FenErrorKind::BadFen, "side to move is \"x\": expected w or b"),
            ("8/8/8/8/8/4s1k1/4R3/K7 w - -5 0 1", FenErrorKind::BadCount, "LIMIT is \"-5\""),
            ("8/8/8/8/8/4s1k1/4R3/K7 w - 10000 0 1", FenErrorKind::BadCount, "LIMIT is \"10000\""),
            ("8/8/8/8/8/4s1k1/4R3/K7 w - 99999999999999999999", FenErrorKind::BadCount, "LIMIT"),
            ("8/8/8/8/8/4s1k1/4R3/K7 w - 128.5", FenErrorKind::BadCount, "LIMIT"),
            ("8/8/8/8/8/4s1k1/4R3/K7 w - +128", FenErrorKind::BadCount, "LIMIT"),
            ("8/8/8/8/8/4s1k1/4R3/K7 w - 128 x 1", FenErrorKind::BadCount, "PLY is \"x\""),
            ("8/8/8/8/8/4s1k1/4R3/K7 w - 128 -1 1", FenErrorKind::BadCount, "PLY is \"-1\""),
            ("8/8/8/8/8/4s1k1/4R3/K7 w - - -1 1", FenErrorKind::BadCount, "PLY is \"-1\""),
            ("8/8/8/8/8/4s1k1/4R3/K7 w - 128 10000 1", FenErrorKind::BadCount, "PLY is \"10000\""),
            ("8/8/8/8/8/4s1k1/4R3/K7 w - - 0 x", FenErrorKind::BadFen, "move number is \"x\""),
            ("8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1 1", FenErrorKind::BadFen, "seventh field, \"1\""),
            ("8/8/8/8/8/4s3/4R3/K7 w", FenErrorKind::IllegalPosition, "Black has no king"),
            ("8/8/8/8/8/4s1k1/4R3/K6K w", FenErrorKind::IllegalPosition, "White has 2 kings"),
            ("8/8/8/8/8/8/Kk6/8 w", FenErrorKind::IllegalPosition, "the kings touch"),
            ("8/8/8/8/8/6k1/6R1/K7 w", FenErrorKind::IllegalPosition, "Black is in check and it is not Black's move"),
            ("8/8/8/8/8/6k1/8/KRRR4 w", FenErrorKind::IllegalPosition, "White has 3 rooks"),
            ("mmmmmmmm/mm6/8/8/8/6k1/8/K7 w", FenErrorKind::IllegalPosition, "Black has 10 mets and pawns"),
            ("8/8/P7/8/8/6k1/p7/K7 w", FenErrorKind::IllegalPosition, "the pawn on a6"),
            ("8/8/8/8/8/6k1/3P4/K7 w", FenErrorKind::IllegalPosition, "the pawn on d2 is behind the rank"),
            ("8/8/8/P7/PPPPPPPP/6k1/8/K7 w", FenErrorKind::IllegalPosition, "White has 9 pawns, at most 8"),
        ];
        for (text, kind, part) in cases {
            let error = Fen::parse(text).unwrap_err();
            assert_eq!(error.kind(), *kind, "{text:?}: {error}");
            assert!(error.to_string().contains(part), "{text:?}: {error}");
        }
        let all = Fen::parse("8/8/8/8/8/8/KkRRR3/8 w").unwrap_err().to_string();
        assert!(all.contains("3 rooks") && all.contains("touch"), "{all}");
        assert_eq!(FenErrorKind::IllegalPosition.name(), "illegal_position");
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "\\PC*", fields in "[1-8KRNSMPkbqe/~]{0,80} [wb] [-K] [-0-9]{1,6} [-0-9]{1,5} [0-9]") {
            for text in [text, fields] {
                match Reading::parse(&text) {
                    Ok(Reading { fen, notes }) => {
                        let again = Reading::parse(&fen.to_string()).map(|reading| reading.fen);
                        prop_assert_eq!(again.as_ref(), Ok(&fen));
                        let refused = FenError::Noted(notes.clone());
                        let exact = if notes.is_empty() { Ok(fen) } else { Err(refused) };
                        prop_assert_eq!(text.parse::<Fen>(), exact);
                    }
                    Err(error) => prop_assert!(!error.to_string().contains(char::is_control)),
                }
            }
        }
    }

    /// What is read, and the notes.
    fn read(text: &str) -> (String, Vec<Note>) {
        let reading = Reading::parse(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
        (reading.fen.to_string(), reading.notes)
    }

    #[test]
    fn what_surrounds_a_position_is_left_out() {
        let plain = format!("{BOARD} w - 128 4 5");
        for text in [
            "\u{feff}BOARD w - 128 4 5\r\n",
            "BOARD\u{3000}w\u{a0}-\u{2003}128 4 5",
            "\"BOARD w - 128 4 5\",",
            "\u{201e}BOARD w - 128 4 5\u{201c}",
            "'BOARD w - 128 4 5';",
            "BOARD_w_-_128_4_5",
            "BOARD%20w%20-%20128%204%205",
            "BOARD+w+-+128+4+5",
            "FEN: BOARD w - 128 4 5",
            "position fen BOARD w - 128 4 5",
            "BOARD w - \u{e51}\u{e52}\u{e58} \u{e54} \u{e55}",
            "8/8/8/8/8/4s1\u{200b}k1/4R3/K7 White - 128 4 5",
        ] {
            assert_eq!(read(&text.replace("BOARD", BOARD)), (plain.clone(), vec![]), "{text:?}");
        }
        for link in
            ["https://x.org/a?v=2&fen=BOARD+w+-+128+4+5#line=Rxe3", "HTTP://x.org/e/makruk/BOARD_w_-_128_4_5?a=b"]
        {
            assert_eq!(read(&link.replace("BOARD", BOARD)), (plain.clone(), vec![Note::Link]), "{link}");
        }
        assert_eq!(read("%2BM7/8/8/8/8/8/8/k6K+w").0, "M7/8/8/8/8/8/8/k6K w - - 0 1");
        assert_eq!(read("+M7/8/8/8/8/8/8/k5+mK+b").0, "M7/8/8/8/8/8/8/k5mK b - - 0 1");
        assert!(
            Reading::is_left_out(" \t") && Reading::is_left_out("\u{feff}# a list") && !Reading::is_left_out(&plain)
        );
    }

    #[test]
    fn everything_that_is_dropped_or_assumed_is_noted() {
        let (none, armed) = (format!("{BOARD} w - - 0 1"), |fields: &str| format!("{BOARD} w - {fields} 1"));
        let cases = [
            ("KQkq - 0 1", none.clone(), vec![Note::Castling("KQkq".to_owned())]),
            ("DEde", none.clone(), vec![Note::Castling("DEde".to_owned())]),
            ("0 1", none.clone(), vec![Note::ShortForm { clock: 0, fullmove: 1 }]),
            ("1", none.clone(), vec![Note::MoveNumberThird(1)]),
            ("- - 12 0", none.clone(), vec![Note::PlyWithoutCount(12), Note::MoveNumberZero]),
            ("- - bm Rxe3; id \"a # b\";", none.clone(), vec![Note::Remainder("bm Rxe3; id \"a # b\"".to_owned())]),
            ("bm Rxe3+;", none.clone(), vec![Note::Remainder("bm Rxe3+".to_owned())]),
            ("- - 0 1 ;D1 20", none.clone(), vec![Note::Remainder("D1 20".to_owned())]),
            ("# the first", none, vec![Note::Remainder("the first".to_owned())]),
            ("- 128 4", armed("128 4"), vec![]),
            ("- 126 4", armed("126 4"), vec![]),
        ];
        for (fields, reading, notes) in cases {
            assert_eq!(read(&format!("{BOARD} w {fields}")), (reading, notes), "{fields}");
        }
        let sentence = |text: &str| Reading::parse(text).unwrap().sentences().join("; ");
        assert_eq!(sentence("8/8/8/2q5/8/4e1k1/4R3/K7 w"), "Q was read as a met (M), E was read as a khon (S)");
        assert!(
            sentence("8/8/8/8/8/3Ps1k1/4R3/K7 w - 128 4 5").contains("was ignored: none runs with an unpromoted pawn")
        );
        let exact = Fen::parse("8/8/8/2q5/8/4e1k1/4R3/K7 w").unwrap_err().to_string();
        assert!(
            exact.starts_with("the FEN is read only with a note, as a Reading: Q was read as a met (M)"),
            "{exact}"
        );
    }

    #[test]
    fn positions_of_chess_are_refused() {
        for (text, sign) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "white pawn on a2"),
            ("rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 2", "\"e6\", a square of en passant"),
            ("8/5ppp/8/8/8/8/4Q3/K5k1 b - - 0 1", "black pawn on f7"),
            ("8/4pppp/8/8/8/8/4R3/K5k1 b - - 0 1", "black pawn on e7"),
        ] {
            let error = Reading::parse(text).unwrap_err();
            assert!(matches!(error, FenError::Chess(_)) && error.to_string().contains(sign), "{text}: {error}");
        }
        let few = Reading::parse("8/5ppp/8/8/8/8/4R3/K5k1 b - - 0 1").unwrap_err();
        assert_eq!(few.kind(), FenErrorKind::IllegalPosition);
    }
}
