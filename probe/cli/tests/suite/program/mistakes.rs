//! Wrong inputs, and the sentences that answer them.

use super::{errors, run, text};

#[test]
fn a_mistake_is_answered_with_what_helps() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let games = file("games.pgn", "1. Kb2 *\n");
    let letters = file("letters.pgn", "[FEN \"8/8/8/8/8/4s1k1/4R3/K7 w\"]\n\n1. \u{e02}\u{e29}b2 *\n");
    let positions = file("positions.fen", "8/8/8/8/8/4s1k1/4R3/K7 w\n");
    let nothing = file("nothing.pgn", "");
    let empty = folder.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    let empty = empty.to_str().unwrap();
    const FEN: &str = "8/8/8/8/8/4s1k1/4R3/K7 w";
    let mut wrong = Vec::new();
    for (arguments, said) in [
        // Positions.
        (&["query", "KRRvKR"][..], "is the name of a material"),
        (&["query", "game.pgn"], "`makruk-probe query < FILE`"),
        (&["query", "game.pgn"], "`makruk-probe analyse FILE`"),
        (&["query", "8/8/8/8/8/4s1k1/4R3/K7", "w"], "put it in quotes"),
        (&["query", "8/8/8/8/8/4s1k1/4R3/K7 w 128 4 5"], "third field is \"128\": expected -"),
        (&["query", "8/8/8/8/8/4s1k1/4R3/K7 w 64 10"], "third field is \"64\": expected -"),
        (&["query", "8/8/8/8/8/4s1k1/4R3/K7 w - x 1"], "LIMIT is \"x\""),
        (&["query", "8/8/8/8/8/4s1k1/4R3/K7 z"], "expected w or b"),
        (&["query", "7rr/8/8/8/8/4s1k1/4R3/K7 w"], "9 squares"),
        (&["query", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"], "a position of chess, not of Makruk"),
        (&["query", "8/8/8/8/8/8/1kr5/K5RR w"], "touch"),
        (&["query", "--tables", empty, FEN], "--tables"),
        (&["query", "--tables", "/nowhere", FEN], "the table folder does not exist"),
        (
            &["query", "1k6/8/8/8/8/8/1rr5/K2RRN2 w"],
            "7 men: hours, and gigabytes of memory; `makruk-gen plan KRRNvKRR`",
        ),
        // Games.
        (&["analyse", FEN], "is a position, not a game: `makruk-probe query"),
        (&["analyse", &positions], "is a position, not a game: `makruk-probe query"),
        (&["analyse", &nothing], "the text has no game"),
        (&["analyse", "/nowhere.pgn"], "cannot read /nowhere.pgn"),
        (&["analyse", &games], "the game has no FEN tag, so it begins from the initial array"),
        (&["analyse", &letters], "\"\u{e02}\u{e29}b2\""),
        // Words that are no commands.
        (&["KRRvKR"], "is a material, not a command: `makruk-gen info KRRvKR`"),
        (&[FEN], "that is a position, not a command: `makruk-probe query"),
        (&["games.pgn"], "is a file, not a command: `makruk-probe analyse games.pgn`"),
        (&["research", "KRRvKR"], "`makruk-probe research stats KRRvKR`"),
        // Options.
        (&["research", "saves", "--men", "4"], "there is no option --men here"),
        (&["research", "saves", "--limit", "ten", "KRvKR"], "\"ten\" is not valid: expected a whole number"),
        (&["research", "saves", "--side", "red", "KRvKR"], "expected white or black"),
        (&["research", "saves", "--where", "sacrifce=any", "KRvKR"], "column 1: expected a field"),
        (&["research", "stats", "KXvK"], "\"KXvK\" is not a material: expected two sides"),
        (&["research", "saves", "KNvKN", "--tables", empty], "makruk-gen build KNvKN --tables"),
        (&["uci", "--tabels", "x"], "--tables"),
        #[cfg(feature = "full")]
        (&["serve", "--check", "--tables", empty], "has no tables"),
        #[cfg(feature = "full")]
        (&["serve", "--build-men", "five"], "--build-men <N>: \"five\" is not valid: expected a whole number"),
        #[cfg(feature = "full")]
        (&["serve", "--batch", "0"], "expected 1 or more"),
        #[cfg(feature = "full")]
        (&["serve", "--check", "--config", &file("quotes.toml", "tables = tables\n")], "texts stand in quotes"),
        #[cfg(feature = "full")]
        (&["serve", "--check", "--token-file", "/nowhere"], "/nowhere"),
    ] {
        let output = run(arguments, b"");
        let all = text(&output).to_owned() + errors(&output);
        let foreign = ["invalid digit", "invalid float", "..=", "\\u{", "os error", "as a value, use"];
        let is_right = matches!(output.status.code(), Some(1 | 2))
            && all.contains(said)
            && !foreign.iter().any(|foreign| all.contains(foreign));
        if !is_right {
            wrong.push(format!("{arguments:?}: expected {said}, found {all}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
