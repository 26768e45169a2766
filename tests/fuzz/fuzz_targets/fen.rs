//! Any text as a FEN: a FEN that is read is printed and read again as the same; errors are one line of plain text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use makruk_tables::rules::Fen;

fuzz_target!(|text: &str| {
    match Fen::parse(text) {
        Ok(fen) => assert_eq!(Fen::parse(&fen.to_string()), Ok(fen)),
        Err(error) => assert!(error.to_string().bytes().all(|byte| (b' '..=b'~').contains(&byte))),
    }
});
