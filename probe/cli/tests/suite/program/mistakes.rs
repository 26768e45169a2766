//! Wrong inputs, and the sentences and exit statuses that answer them.

use super::{errors, run, text};

/// Command lines as a shell reads them, each with its exit status and a part of its sentence.
const MISTAKES: &str = r#"
# Positions.
query | 1 | standard input has no position
query --json | 1 | standard input has no position
query KRRvKR | 1 | is the name of a material
query game.pgn | 1 | `makruk-probe query < FILE`
query game.pgn | 1 | `makruk-probe analyse FILE`
query 8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1 | 2 | several arguments; put it in quotes: makruk-probe query "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1"
query "8/8/8/8/8/4s1k1/4R3/K7 w 128 4 5" | 1 | third field is "128": expected -
query "8/8/8/8/8/4s1k1/4R3/K7 w 64 10" | 1 | third field is "64": expected -
query "8/8/8/8/8/4s1k1/4R3/K7 w - x 1" | 1 | LIMIT is "x"
query "8/8/8/8/8/4s1k1/4R3/K7 z" | 1 | expected w or b
query "7rr/8/8/8/8/4s1k1/4R3/K7 w" | 1 | 9 squares
query "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" | 1 | a position of chess, not of Makruk
query "8/8/8/8/8/8/1kr5/K5RR w" | 1 | touch
query --tables EMPTY "8/8/8/8/8/4s1k1/4R3/K7 w" | 1 | `makruk-gen build KRvKS --tables
query --tables EMPTY "8/8/8/8/8/4s1k1/4R3/K7 w" | 1 | fetches it (8.6 MB with all that it leads to), or --build here
query --tables /nowhere "8/8/8/8/8/4s1k1/4R3/K7 w" | 1 | the table folder does not exist
query --tables NOTHING "8/8/8/8/8/4s1k1/4R3/K7 w" | 1 | not a folder
query "1k6/8/8/8/8/8/1rr5/K2RRN2 w" | 1 | 7 men: hours, and gigabytes of memory; `makruk-gen plan KRRNvKRR`
query --nonsense | 2 | there is no option --nonsense here

# Games.
analyse | 2 | <GAME.pgn>
analyse "8/8/8/8/8/4s1k1/4R3/K7 w" | 1 | is a position, not a game: `makruk-probe query "8/8/8/8/8/4s1k1/4R3/K7 w"`
analyse POSITIONS | 1 | is a position, not a game: `makruk-probe query
analyse NOTHING | 1 | nothing.pgn: game 1, line 1: the text has no game
analyse /nowhere.pgn | 1 | cannot read /nowhere.pgn
analyse GAMES | 1 | the game has no FEN tag, so it begins from the initial array
analyse LETTERS | 1 | "ขษb2"

# Words that are no commands.
KRRvKR | 2 | is a material, not a command: `makruk-gen info KRRvKR`
"8/8/8/8/8/4s1k1/4R3/K7 w" | 2 | that is a position, not a command: `makruk-probe query
games.pgn | 2 | is a file, not a command: `makruk-probe analyse games.pgn`
build KRvK | 2 | `makruk-gen build --help`
analyze GAMES | 2 | `makruk-probe analyse --help`
nonsense | 2 | unrecognized subcommand
tables | 2 | tables is not a command of this program; `makruk-gen info` lists the tables
--tables EMPTY query | 2 | options follow the command
uci --tabels x | 2 | --tables
manuals /nowhere | 1 | makruk-probe: /nowhere: 

# Research.
research KRRvKR | 2 | `makruk-probe research stats KRRvKR`
research saves | 2 | MATERIAL
research saves --nodes 4 | 2 | there is no option --nodes here
research saves --limit ten KRvKR | 2 | "ten" is not valid: expected a whole number
research saves --limit 0 KRvKR | 2 | expected 1 or more
research saves --limit -1 KRvKR | 2 | no number here is negative
research saves --side red KRvKR | 2 | [possible values: white, black]
research saves --where sacrifce=any KRvKR | 2 | column 1: expected a field
research saves --where "short<= and" KRvKR | 2 | column 9
research saves --from KRvKR:white KRvKR | 2 | 2 of the three fields
research saves --from KRvK:white:0 KRvKR | 2 | KRvK:white:0 is not a position
research saves --part 4/3 KRvKR | 2 | expected K/N
research saves --format pgn KRvKR | 2 | epd
research saves KvK | 2 | always draw
research saves KNNvKS | 1 | makruk-gen build KNNvKS
research saves KNvKN --tables EMPTY | 1 | makruk-gen build KNvKN --tables
research stats | 2 | MATERIAL
research stats KXvK | 2 | "KXvK" is not a material: expected two sides
research stats K+2R v K+R | 2 | put it in quotes: "K+2R v K+R"
research stats --rules chess KRvK | 2 | chess
research stats --headers --rules ouk KRvKR | 2 | both sides armed
research stats --headers --rules no-last-move KRvKR | 1 | no-last-move
research pack --out EMPTY | 2 | MATERIAL
research plot distances --out a.svg | 2 | MATERIAL
research plot squares KRRvK KRvK --out a.svg | 2 | one argument too many
research positions --sample 10 | 2 | MATERIAL
research positions KRvK | 2 | --sample
research positions KRvK --sample 1 --format bin | 2 | plain
research positions --men 8 --sample 1 | 2 | "8" is not valid: expected 3 to 7
research practice | 2 | <GAMES>
research practice /nowhere.pgn | 1 | cannot read /nowhere.pgn
research practice GAMES --player Somchai | 1 | none of 0 games is Somchai's
research puzzles KRvKR --engine /no/engine | 1 | cannot start /no/engine
research puzzles KRvKR --themes mate | 2 | [possible values: win, save
research puzzles KRvKR --format lichess | 2 | [possible values: json, pychess
research puzzles KRvKR --nodes 5 | 2 | --engine
research puzzles KRvKR --sample 10 --out /dev/null/puzzles | 1 | --out: cannot create /dev/null/puzzles
research puzzles KRvKR --out puzzles --format json | 2 | cannot be used with

# The service and the site.
serve --check --tables EMPTY | 1 | has no tables; `makruk-gen build --men 4 --tables
serve --build five | 2 | --build <N>: "five" is not valid: expected a whole number
serve --batch 0 | 2 | expected 1 to 65536
serve --check --token-file /nowhere | 1 | --token-file: cannot read the token file /nowhere: No such file
site --out OUT --tables EMPTY | 1 | has no tables; `makruk-gen build --men 4 --tables
"#;

#[test]
fn a_mistake_is_answered_with_what_helps() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let empty = folder.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    let out = folder.path().join("out");
    let paths = [
        ("EMPTY", empty.to_str().unwrap().to_owned()),
        ("OUT", out.to_str().unwrap().to_owned()),
        ("GAMES", file("games.pgn", "1. Kb2 *\n")),
        ("LETTERS", file("letters.pgn", "[FEN \"8/8/8/8/8/4s1k1/4R3/K7 w\"]\n\n1. ขษb2 *\n")),
        ("POSITIONS", file("positions.fen", "8/8/8/8/8/4s1k1/4R3/K7 w\n")),
        ("NOTHING", file("nothing.pgn", "")),
    ];
    let mut wrong = Vec::new();
    for line in MISTAKES.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let [command, status, said] = line.split(" | ").collect::<Vec<_>>()[..] else { panic!("{line}") };
        let mut words = shlex::split(command).unwrap();
        for word in &mut words {
            if let Some((_, path)) = paths.iter().find(|(name, _)| name == word) {
                path.clone_into(word);
            }
        }
        let output = run(&words.iter().map(String::as_str).collect::<Vec<_>>(), b"");
        let all = text(&output).to_owned() + errors(&output);
        let foreign = ["invalid digit", "invalid float", "..=", "\\u{", "os error", "as a value, use"];
        let is_right = output.status.code() == status.parse().ok()
            && all.replace("\\\"", "\"").contains(said)
            && (output.stdout.is_empty() || command == "query --json")
            && !foreign.iter().any(|foreign| all.contains(foreign));
        if !is_right {
            wrong.push(format!("{command}: expected {status}, {said}; found {:?}, {all}", output.status.code()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(!out.exists());
}
