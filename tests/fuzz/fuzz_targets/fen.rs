//! Any text as a position: what is read is printed and read again as the same, without a note on its form; errors and
//! notes are one line of text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use makruk_tables::rules::{Note, Reading};

fuzz_target!(|text: &str| {
    match Reading::parse(text) {
        Ok(reading) => {
            let again = Reading::parse(&reading.fen.to_string()).expect("a FEN that was printed is read");
            assert_eq!(again.fen, reading.fen);
            assert!(again.notes.iter().all(|note| matches!(note, Note::UnusualLimit { .. })));
            assert!(!reading.sentences().concat().contains(char::is_control));
        }
        Err(error) => assert!(!error.to_string().contains(char::is_control)),
    }
});
