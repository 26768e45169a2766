//! Tests of the reader and the writer of moves.

use proptest::prelude::*;

use super::super::{Fen, Move, Piece, Position, Role};
use super::*;

fn position(fen: &str) -> Position {
    Fen::parse(fen).unwrap().position
}

fn read(fen: &str, text: &str) -> Result<String, SanError> {
    Move::from_san(&position(fen), text).map(|mv| mv.to_string())
}

#[test]
fn letterings_and_marks() {
    let fen = "8/8/8/4P3/1s3m2/1S3Mk1/8/K7 w";
    for text in ["Sc4", "Bc4", "Ec4", "Sc4!?", "Sb3c4=", "Sbc4", "S3c4+", "Sb3-c4", "Sxc4"] {
        assert_eq!(read(fen, text).as_deref(), Ok("b3c4"), "{text}");
    }
    for text in ["Mg2", "Qg2", "Fg2#"] {
        assert_eq!(read(fen, text).as_deref(), Ok("f3g2"), "{text}");
    }
    for text in ["Sxb4", "Sb4", "Bb3xb4", "Bb3:b4"] {
        assert_eq!(read(fen, text).as_deref(), Ok("b3b4"), "{text}");
    }
    for text in ["e6", "e6=", "e6=M", "e6=Q", "e6M", "e6F+", "Pe6", "e5e6=M!"] {
        assert_eq!(read(fen, text).as_deref(), Ok("e5e6m"), "{text}");
    }
}

#[test]
fn squares_name_the_man() {
    let fen = "8/8/8/4P3/1s3m2/1S3Mk1/8/K7 w";
    for text in ["b3c4", "b3-c4", "b3->c4", "b3\u{2013}c4", "b3xc4!", "Bb3-c4"] {
        assert_eq!(read(fen, text).as_deref(), Ok("b3c4"), "{text}");
    }
    for text in ["e5e6", "e5e6m", "e5-e6=M", "e5e6Q", "e5e6=F+"] {
        assert_eq!(read(fen, text).as_deref(), Ok("e5e6m"), "{text}");
    }
    assert!(matches!(read(fen, "b2c3"), Err(SanError::Squares(_))));
    assert!(matches!(read(fen, "b3c4m"), Err(SanError::NoPromotion { .. })));
    assert!(matches!(read(fen, "Rb3-c4"), Err(SanError::Illegal { mover: Piece { role: Role::Rook, .. }, .. })));
}

#[test]
fn thai_letters_of_each_writer() {
    let fen = "8/8/8/4P3/1s3m2/1S3Mk1/8/K7 w";
    // pyffish short and long, the competition rules, the explorer's page.
    for text in ["ค-ค๔", "ค ข๓-ค๔", "ค.ข3-ค4", "คข๓→ค๔", "คค๔", "คข-ค๔", "ค๓-ค๔", "ข๓ค๔"]
    {
        assert_eq!(read(fen, &text.replace(' ', "")).as_deref(), Ok("b3c4"), "{text}");
    }
    for text in ["คxข๔", "ค.ข๓×ค.ข๔", "ค.ข๓×ข๔+", "คข๓xคข๔"] {
        assert_eq!(read(fen, text).as_deref(), Ok("b3b4"), "{text}");
    }
    for text in ["ม็-ช๒", "ม็ช๒", "ง.ฉ๓-ช๒", "ม็ฉ๓-ช๒#"] {
        assert_eq!(read(fen, text).as_deref(), Ok("f3g2"), "{text}");
    }
    for text in ["จ๖", "จ๖=M", "จ๖=ม็", "บ จ๕-จ๖=M", "บ.จ๕-จ๖", "จ6"] {
        assert_eq!(read(fen, &text.replace(' ', "")).as_deref(), Ok("e5e6m"), "{text}");
    }
    assert_eq!(read(fen, "ข-ก๒").as_deref(), Ok("a1a2"));
    assert!(matches!(read(fen, "ค.ข๓×ม.ข๔"), Err(SanError::Illegal { .. })));
    assert_eq!(
        read(fen, "มฉ๙").unwrap_err().to_string(),
        "\"มฉ๙\" is not a move: expected a few letters and digits, such as Nf3, exd5 or e6=M"
    );
}

#[test]
fn a_thai_letter_of_a_man_and_a_file_is_what_makes_the_move_legal() {
    // The king on d2, the khon on c3 and the pawns on b3 and c3's left may take.
    let fen = "8/8/8/k7/2n5/1P1K4/8/8 w";
    assert!(
        matches!(read(fen, "ขxค๔"), Err(SanError::Ambiguous { candidates, .. }) if candidates.len() == 2 && candidates.contains(&"Kxc4".to_owned()))
    );
    assert_eq!(read(fen, "บขxค๔").as_deref(), Ok("b3c4"));
    assert_eq!(read(fen, "ขงxค๔").as_deref(), Ok("d3c4"));
    assert_eq!(read("8/8/8/k7/2n5/1P6/8/K7 w", "ขxค๔").as_deref(), Ok("b3c4"));
    assert_eq!(read("8/8/8/k7/2n5/3K4/8/8 w", "ขxค๔").as_deref(), Ok("d3c4"));
    // A promotion is a pawn's.
    assert_eq!(read("8/8/2n5/1PK5/8/k7/8/8 w", "ขxค๖=M").as_deref(), Ok("b5c6m"));
}

#[test]
fn letters_of_other_men_are_read_only_if_the_square_names_the_man() {
    let fen = "8/8/8/4P3/k7/8/3M4/K1N2S2 w";
    let notes = |text: &str| {
        MoveReading::parse(&position(fen), text).map(|reading| (reading.mv.to_string(), reading.notes.len()))
    };
    assert_eq!(notes("Mc1-b3"), Ok(("c1b3".to_owned(), 1)));
    assert_eq!(notes("H.f1-e2"), Ok(("f1e2".to_owned(), 1)));
    assert_eq!(notes("Dd2-e3"), Ok(("d2e3".to_owned(), 1)));
    assert_eq!(notes("Nd2-e3"), Ok(("d2e3".to_owned(), 1)));
    assert_eq!(notes("Be5-e6"), Ok(("e5e6m".to_owned(), 1)));
    assert_eq!(notes("Kxb1"), Ok(("a1b1".to_owned(), 1)));
    assert_eq!(notes("Kb1"), Ok(("a1b1".to_owned(), 0)));
    for text in ["Mb3", "Hc1-b3", "He2", "Rc1-b3"] {
        assert!(notes(text).is_err(), "{text}");
    }
    let message = |text: &str| notes(text).unwrap_err().to_string();
    assert!(message("Mb3").ends_with(
        "M is read as the met (makruk-js and the rules of BE 2569 write M for the knight, which is N here)"
    ));
    assert!(message("Tb3").contains("makruk-js writes it for the khon"));
    assert!(message("O-O").contains("no castling"));
}

#[test]
fn a_small_b_is_a_file() {
    let fen = "8/8/8/2m5/1P6/8/1S4k1/K7 w";
    assert_eq!(read(fen, "bxc5").as_deref(), Ok("b4c5"));
    assert_eq!(read(fen, "bc5").as_deref(), Ok("b4c5"));
    assert_eq!(read(fen, "b5").as_deref(), Ok("b4b5"));
    assert_eq!(read(fen, "Bc3").as_deref(), Ok("b2c3"));
    assert!(matches!(read(fen, "bc3"), Err(SanError::Illegal { mover: Piece { role: Role::Pawn, .. }, .. })));
}

#[test]
fn the_square_left_is_written_only_as_far_as_needed() {
    let written = |fen, mv: &str| Move::from_uci(&position(fen), mv).unwrap().to_san(&position(fen));
    assert_eq!(written("8/8/8/8/8/6k1/8/R2K3R w", "a1b1"), "Rb1");
    assert_eq!(written("8/8/8/6k1/8/8/K7/R6R w", "a1d1"), "Rad1");
    assert_eq!(written("R7/8/6k1/8/8/8/2K5/R7 w", "a1a4"), "R1a4");
    // Four mets around one square: neither file nor rank alone is enough.
    assert_eq!(written("8/8/6k1/2M1M3/8/2M1M3/8/K7 w", "c3d4"), "Mc3d4");
    // A pinned rival does not count.
    assert_eq!(written("k3r3/8/8/4N3/8/1N6/8/4K3 w", "b3d4"), "Nd4");
    assert_eq!(written("8/8/1K6/8/8/8/2R5/k7 w", "c2c1"), "Rc1+");
    assert_eq!(written("8/8/8/8/8/1K6/2R5/k7 w", "c2c1"), "Rc1#");
    assert_eq!(written("8/8/3m4/4P3/8/k7/8/K1R5 w", "e5d6"), "exd6=M");
}

#[test]
fn each_error_names_its_reason() {
    let fen = "8/8/8/4P3/8/k3N3/8/K1R1N3 w";
    for text in ["", "O-O", "--", "N", "Nz9", "nf3", "e6=R", "Ne3=M", "xx", "Ni3", "Nf3f", "N\u{e49}3", "+", "=M"] {
        assert!(matches!(read(fen, text), Err(SanError::Syntax { .. })), "{text}: {:?}", read(fen, text));
    }
    assert!(matches!(read(fen, &"N".repeat(99)), Err(SanError::Syntax { .. })));
    let message = |text| read(fen, text).unwrap_err().to_string();
    assert_eq!(message("e4"), "\"e4\" is illegal: the legal pawn moves are e6=M");
    let no_met = "\"Ma3\" is illegal: it is White's move, and White has no met; M is read as the met";
    assert!(message("Ma3").starts_with(no_met), "{}", message("Ma3"));
    let turned = read("8/8/8/8/8/4s1k1/4R3/K7 b", "Rxe3+").unwrap_err().to_string();
    assert_eq!(turned, "\"Rxe3+\" is illegal: it is Black's move, and Black has no rook");
    let pinned = read("8/8/8/8/1r6/6k1/1R6/1K6 w", "Re2+").unwrap_err().to_string();
    assert_eq!(pinned, "\"Re2+\" is illegal: the legal rook moves are Rb3+, Rxb4");
    let shut = read("8/8/8/8/8/6k1/1S6/KRN5 w", "Rb3").unwrap_err().to_string();
    assert_eq!(shut, "\"Rb3\" is illegal: it is White's move, and no rook of White's has a legal move");
    assert_eq!(message("Nc2"), "\"Nc2\" is ambiguous: it may be N1c2+, N3c2+");
    let pawn = read("8/8/8/8/4P3/k7/8/K7 w", "e5=M").unwrap_err();
    assert!(matches!(pawn, SanError::NoPromotion { .. }), "{pawn}");
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,12}", near in "[KRNSBMQPDHขรมคงบa-h]?็?[.]?[a-hกขคงจ]?[1-8๑]?[-x]?[a-hกขคง][1-8๔](=?[MQPม]็?)?[+#!?=]*") {
        let position = Fen::start().position;
        for text in [text, near] {
            if let Ok(mv) = Move::from_san(&position, &text) {
                prop_assert!(position.is_legal(mv));
            }
        }
    }
}
