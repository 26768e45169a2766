//! Any text as a position: what is read is printed and read again as the same, without a note on its form; errors and
//! notes are one line of text. The count that a note proposes is read without a note.

#![no_main]

use libfuzzer_sys::fuzz_target;
use makruk_rules::{Fen, ImpossibleCount, Note, Reading};

fuzz_target!(|text: &str| {
    match Reading::parse(text) {
        Ok(reading) => {
            let again = Reading::parse(&reading.fen.to_string()).expect("a FEN that was printed is read");
            assert_eq!(again.fen, reading.fen);
            for note in again.notes {
                let Note::ImpossibleCount(ImpossibleCount { meant, .. }) = note else { panic!("{note}") };
                let right = Fen { count: Some(meant), ..again.fen.clone() };
                assert_eq!(right.to_string().parse(), Ok(right));
            }
            assert!(!reading.sentences().concat().contains(char::is_control));
        }
        Err(error) => assert!(!error.to_string().contains(char::is_control)),
    }
});
