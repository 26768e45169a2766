//! The games of a text, one after the other.

use std::iter::FusedIterator;

use super::super::{Fen, Reading};
use super::draft::Draft;
use super::tokens::{Token, Tokens};
use super::{Game, GameNoteKind, PgnError, PgnProblem};

/// The games of a text, one after the other: PGN, or moves in any notation that
/// [`MoveReading::parse`](super::super::MoveReading::parse) reads.
///
/// Comments, variations, annotation glyphs and move numbers are skipped. Without a `FEN` tag, or a position on a line
/// before the moves (also UCI's `position fen ... moves ...`), a game starts from the array. A game that cannot be read
/// is an error, and the next game is read nevertheless; a text without any game is an error too.
///
/// ```
/// use makruk_rules::{CountingRules, Games};
///
/// let text = "[FEN \"8/8/8/8/8/4b1k1/4R3/K7 w - - 0 1\"]\n1. Rxe3+ {bares the king} Kf4 (1... Kg2) 2. Ra3 *";
/// let game = Games::parse(text).next().expect("one game")?;
/// assert_eq!(game.moves.len(), 3);
/// assert_eq!(game.fens(&CountingRules::MAKRUK)[1].to_string(), "8/8/8/8/8/4R1k1/8/K7 b - 32 6 1");
/// assert_eq!(game.notes[1].to_string(), "line 2: a variation was skipped");
/// # Ok::<(), makruk_rules::PgnError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Games<'a> {
    text: &'a str,
    tokens: Tokens<'a>,
    /// The position from which moves without a tag are tried first.
    given: Option<Reading>,
    /// Games begun so far.
    count: usize,
}

impl<'a> Games<'a> {
    /// The games of a text.
    pub fn parse(text: &'a str) -> Games<'a> {
        Games { text, tokens: Tokens::new(text), given: None, count: 0 }
    }

    /// The games of a text. Moves without any tag or position are played from the position given, or from the array if
    /// they get further there.
    pub fn parse_from(text: &'a str, given: Option<Reading>) -> Games<'a> {
        Games { given, ..Games::parse(text) }
    }

    /// Reads the next game from a start; the tokens then are those after it.
    fn read(&mut self, start: Fen) -> Draft<'a> {
        let mut draft = Draft::new(self.count, start);
        while !draft.has_result() {
            let before = self.tokens.clone();
            let Some(token) = self.tokens.next() else { break };
            if !draft.continues_with(&token) {
                self.tokens = before;
                break;
            }
            // The error of a comment that is not closed is where it begins.
            let line = if matches!(token, Token::OpenComment) { before.line() } else { self.tokens.line() };
            draft.add(token, line);
        }
        draft
    }
}

impl Iterator for Games<'_> {
    type Item = Result<Game, PgnError>;

    fn next(&mut self) -> Option<Result<Game, PgnError>> {
        let is_first = self.count == 0;
        let failed = |line, problem| Some(Err(PgnError { game: 1, line, problem }));
        if is_first && is_json(self.text) {
            (self.count, self.tokens) = (1, Tokens::new(""));
            return failed(1, PgnProblem::Json);
        }
        let start = self.tokens.clone();
        if self.tokens.next().is_none() {
            self.count += 1;
            return if is_first { failed(1, PgnProblem::NoGame) } else { None };
        }
        self.tokens = start.clone();
        self.count += 1;
        let given = self.given.clone();
        let mut draft = self.read(given.as_ref().map_or_else(Fen::start, |given| given.fen.clone()));
        if let Some(Reading { notes, .. }) = given.filter(|_| !draft.has_start()) {
            let (moves, is_bare) = (draft.len(), draft.is_bare());
            draft.note(start.line(), GameNoteKind::FromGiven);
            notes.into_iter().for_each(|note| draft.note(start.line(), GameNoteKind::Given(note)));
            let from_given = draft.finish(self.tokens.line());
            let after = std::mem::replace(&mut self.tokens, start);
            draft = self.read(Fen::start());
            if is_bare && (from_given.is_ok() || moves >= draft.len()) {
                self.tokens = after;
                return Some(from_given);
            }
        }
        Some(draft.finish(self.tokens.line()))
    }
}

impl FusedIterator for Games<'_> {}

/// Whether a text is JSON: an object, or a list of texts, objects or lists.
fn is_json(text: &str) -> bool {
    let text = text.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '\u{feff}');
    let inside = |open| text.strip_prefix(open).map(str::trim_start);
    let is_key = |text: &str| {
        let quoted = text.strip_prefix('"').and_then(|text| text.split_once('"'));
        quoted.is_some_and(|(_, rest)| rest.trim_start().starts_with(':'))
    };
    inside('{').is_some_and(is_key) || inside('[').is_some_and(|inside| inside.starts_with(['"', '{', '[']))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::super::FenError;
    use super::super::super::{MoveNote, Note};
    use super::super::{GameNote, GameResult};
    use super::*;

    const ROOK: &str = "[FEN \"8/8/8/8/8/4b1k1/4R3/K7 w - - 0 1\"]\n";

    fn all(text: &str) -> Vec<Result<Game, PgnError>> {
        Games::parse(text).collect()
    }

    fn sans(game: &Game) -> Vec<&str> {
        game.moves.iter().map(|played| played.san.as_str()).collect()
    }

    #[test]
    fn comments_variations_and_glyphs_are_skipped() {
        let text = format!(
            "\u{feff}% escaped [\n[Event \"a \\\"b\\\\\"]\n{ROOK}\n{{a (comment}} 1.Re1$14 ; rest ( of line\n (1. Rxe3+ {{)}} (1. Ka2)) \
             1...Kf2 $1 !? 2. Rd1+! e.p.\n"
        );
        let [Err(error)] = &all(&text)[..] else { panic!("{:?}", all(&text)) };
        assert_eq!((error.game, error.line), (1, 6), "{error}");
        let text = text.replace("e.p.", "0-1 {after} ");
        let [Ok(game)] = &all(&text)[..] else { panic!("{:?}", all(&text)) };
        assert_eq!(sans(game), ["Re1", "Kf2", "Rd1+!"]);
        assert_eq!(game.tag("Event"), Some("a \"b\\"));
        assert_eq!(game.result, GameResult::Black);
        assert_eq!(game.moves[2].line, 6);
        assert_eq!(
            game.notes.iter().map(GameNote::to_string).collect::<Vec<_>>(),
            ["line 3: B was read as a khon (S)", "line 6: a variation was skipped"]
        );
    }

    #[test]
    fn several_games_and_a_bad_one_between() {
        let text =
            format!("{ROOK}1. Rxe3+ 1-0\n\n{ROOK}1. Rxe3+ Kh9 2. Re1 *\n[Result \"1/2-1/2\"]\n1. d4\n{ROOK}\n\n");
        let games = all(&text);
        assert_eq!(games.len(), 4, "{games:?}");
        assert_eq!(games[0].as_ref().unwrap().result, GameResult::White);
        let error = games[1].as_ref().unwrap_err().to_string();
        assert!(error.starts_with("game 2, line 5: move 1... cannot be played: \"Kh9\""), "{error}");
        assert_eq!(games[2].as_ref().unwrap().result, GameResult::Draw);
        assert_eq!(games[2].as_ref().unwrap().start, Fen::start());
        assert!(games[3].as_ref().unwrap().moves.is_empty());
    }

    #[test]
    fn each_problem_is_named() {
        let problem = |text: &str| all(text)[0].clone().unwrap_err().problem;
        assert!(matches!(problem("[FEN x]\n1. d4 *"), PgnProblem::Tag(_)));
        assert!(matches!(problem("[Variant \"x]\n1. d4 *"), PgnProblem::Tag(_)));
        assert_eq!(problem("[variant \"Makpong\"]\n1. d4 *"), PgnProblem::Variant("Makpong".to_owned()));
        assert!(matches!(problem("[FEN \"8 w\"]\n1. d4 *"), PgnProblem::Start(FenError::RankCount { found: 1 })));
        assert_eq!(problem("1. d4 {never"), PgnProblem::OpenComment);
        assert_eq!(problem("{never"), PgnProblem::OpenComment);
        assert_eq!(problem("1. d4 (1. e4 *"), PgnProblem::OpenVariation);
        assert_eq!(problem("1. d4 ) *"), PgnProblem::StrayClose);
        assert_eq!(problem(""), PgnProblem::NoGame);
        assert_eq!(problem(" \n{only a comment}\n"), PgnProblem::NoGame);
        assert_eq!(problem("\u{feff}{\"moves\": [\"e3e4\"]}"), PgnProblem::Json);
        assert_eq!(problem("[\"e3e4\"]"), PgnProblem::Json);
        assert!(
            matches!(problem("setboard 8/8/8/8/8/4b1k1/4R3/K7 w"), PgnProblem::Position(text) if text.starts_with("8/8"))
        );
    }

    #[test]
    fn a_fault_leaves_the_other_games() {
        for fault in
            ["1. d4 {never", "1. d4 (1. e4", "1. d4 Kh9", "[Event x]", "{\n1. d4", "[Variant \"chess\"]\n1. d4 *"]
        {
            let text = format!("[White \"a\"]\n{fault}\n\n{ROOK}1. Rxe3+ *\n");
            let games = all(&text);
            assert!(games.last().unwrap().as_ref().is_ok_and(|game| game.moves.len() == 1), "{fault}: {games:?}");
        }
    }

    #[test]
    fn tags_in_any_form() {
        let text = "[Event \"a\"] [fen \"8/8/8/8/8/4b1k1/4R3/K7 w\"][RESULT \"½-½\"] 1.Rxe3+ Kf4 1/2 - 1/2 [Event x] [Event \"b\"]\r1. e4\r\re5\r\n*";
        let games = all(text);
        let [Ok(first), Ok(second)] = &games[..] else { panic!("{games:?}") };
        assert_eq!((sans(first), first.result), (vec!["Rxe3+", "Kf4"], GameResult::Draw));
        assert_eq!((sans(second), second.moves[1].line, second.tag("event")), (vec!["e4", "e5"], 4, Some("b")));
        assert_eq!(second.notes[0].to_string(), "line 1: \"[Event x]\" was skipped: expected a tag, [Name \"value\"]");
        // Games that are a tag and no moves.
        let games = all(&format!("{ROOK}\n{ROOK}[Event \"b\"]\n\n{ROOK}"));
        assert!(
            games.len() == 3 && games.iter().all(|game| game.as_ref().is_ok_and(|game| game.moves.is_empty())),
            "{games:?}"
        );
    }

    #[test]
    fn notes_say_what_was_assumed() {
        let notes = |text: &str| {
            let games = all(text);
            games[0]
                .as_ref()
                .unwrap_or_else(|error| panic!("{text}: {error}"))
                .notes
                .iter()
                .map(|note| note.about.clone())
                .collect::<Vec<_>>()
        };
        assert!(matches!(notes("[SetUp \"1\"]\n1. e4 *")[..], [GameNoteKind::NoStart]));
        assert!(matches!(notes("[FEN \"\"]\n1. e4 *")[..], [GameNoteKind::NoStart]));
        assert!(
            matches!(&notes("[White \"a\"][white \"b\"] 1. e4 *")[..], [GameNoteKind::RepeatedTag(name)] if name == "white")
        );
        assert!(matches!(&notes("[Result \"won\"] 1. e4 *")[..], [GameNoteKind::UnknownResult(_)]));
        assert!(matches!(
            &notes("[Result \"1-0\"] 1. e4 0-1")[..],
            [GameNoteKind::OtherResult { tag: GameResult::White, moves: GameResult::Black }]
        ));
        assert!(matches!(
            &notes("1. Kxe2 *")[..],
            [GameNoteKind::Move { number: 1, white: true, note: MoveNote::NoCapture { .. } }]
        ));
        assert!(matches!(
            &notes("[FEN \"8/8/8/8/8/4b1k1/4R3/K7 w 0 1\"] *")[..],
            [GameNoteKind::Start(_), GameNoteKind::Start(_)]
        ));
        assert_eq!(notes("1. e4 (=) e5 { ( } *"), []);
    }

    #[test]
    fn moves_without_tags_are_played_from_the_position_given() {
        let given: Reading = "8/8/8/8/8/4e1k1/4R3/K7 w - - 0 1".parse().unwrap();
        let read = |text: &str| Games::parse_from(text, Some(given.clone())).next().unwrap();
        let here = read("Rxe3+ Kf4").unwrap();
        assert_eq!(here.start, given.fen);
        assert!(matches!(
            &here.notes[..],
            [
                GameNote { about: GameNoteKind::FromGiven, .. },
                GameNote { about: GameNoteKind::Given(Note::Lettering(_)), .. }
            ]
        ));
        assert_eq!(read("1. e4 e5").unwrap().start, Fen::start());
        // The text that gets further decides which error is shown.
        assert!(read("Rxe3+ Kh8").unwrap_err().to_string().contains("\"Kh8\""));
        assert_eq!(read("[White \"a\"] 1. e4").unwrap().start, Fen::start());
    }

    #[test]
    fn lines_of_other_programs_begin_games() {
        let position = "8/8/8/8/8/4b1k1/4R3/K7 w - - 0 1";
        for text in [
            format!("position fen {position} moves e2e3 g3f4\n"),
            format!("setboard {position}\ne2e3\ng3f4\n"),
            format!("FEN: {position}\n\n1. Rxe3+ Kf4"),
            format!("{position}\n1. e2xe3 g3 - f4"),
        ] {
            let games = all(&text);
            let [Ok(game)] = &games[..] else { panic!("{text}: {games:?}") };
            assert_eq!((game.moves.len(), game.start.to_string()), (2, position.replace('b', "s")), "{text}");
        }
        assert_eq!(all("position startpos moves e3e4 e6e5")[0].as_ref().unwrap().moves.len(), 2);
        let games = all(&format!("# a list\n{position}\n; another\n{position}\n"));
        assert!(
            matches!(
                &games[..],
                [Err(PgnError { line: 2, .. }), Err(PgnError { line: 4, problem: PgnProblem::Position(_), .. })]
            ),
            "{games:?}"
        );
    }

    #[test]
    fn pawns_that_were_promoted_keep_their_letter_at_playok() {
        // Three mets on squares of one colour, two of them promoted. Lines end as the site ends them.
        let text = "[Site \"PlayOK\"]\r\r\n[FEN \"7k/8/2m5/1P2P3/8/3M4/8/K7 w\"]\r\r\n\r\r\n1. bxc6=P Kg8 2. e6=P Kh8\r\r\n\
                    3. Pcd5 Kg8 4. Qe4 Kh8 5. Pd5c4 Kg8\r\r\n6. P6d5 *\r\r\n";
        let games = all(text);
        let [Ok(game)] = &games[..] else { panic!("{games:?}") };
        let squares: Vec<String> = game.moves.iter().step_by(2).map(|played| played.mv.to_string()).collect();
        assert_eq!(squares, ["b5c6m", "e5e6m", "c6d5", "d3e4", "d5c4", "e6d5"]);
        assert_eq!(
            game.notes.iter().map(GameNote::to_string).collect::<Vec<_>>(),
            [
                "line 4: move 1.: the =P of \"bxc6=P\" was read as a promotion to a met, which is called P from here on",
                "line 5: move 3.: the P of \"Pcd5\" was read as a met that was a pawn",
                "line 5: move 4.: the Q of \"Qe4\" was read as the met with which the side began",
            ]
        );
        let message = |from: &str, to: &str| all(&text.replace(from, to))[0].clone().unwrap_err().to_string();
        assert!(message("3. Pcd5", "3. Pd5").contains("is ambiguous: it may be Mcd5, Med5"));
        // A met that was taken, and one that others did not call P.
        assert!(message("P6d5", "Pe3").ends_with("also as a met that was one"), "{}", message("P6d5", "Pe3"));
        assert!(message("=P", "=M").starts_with("game 1, line 5: move 3. cannot be played: \"Pcd5\""));
    }

    #[test]
    fn blanks_may_separate_all_signs_of_be_2569() {
        for text in ["1. ม . ข ๑ — ง ๒ ม . ข ๘ — ง ๗ 2. บ . ค ๓ - ค ๔ *", "๑. ม ข ๑ - ง ๒ ม ข ๘-ง ๗ ๒. ค ๔"]
        {
            let games = all(text);
            let [Ok(game)] = &games[..] else { panic!("{text}: {games:?}") };
            let squares: Vec<String> = game.moves.iter().map(|played| played.mv.to_string()).collect();
            assert_eq!(squares, ["b1d2", "b8d7", "c3c4"], "{text}");
        }
        let text = format!("{ROOK}ร . จ ๒ × ค . จ ๓ ข . ช ๓ — ฉ ๔");
        let games = all(&text);
        assert!(games[0].as_ref().is_ok_and(|game| game.moves.len() == 2), "{games:?}");
    }

    #[test]
    fn a_game_without_a_tag_that_begins_elsewhere_is_told_so() {
        let message = all("1. Rb2 Kf4")[0].as_ref().unwrap_err().to_string();
        assert!(message.ends_with("the game has no FEN tag, so it begins from the initial array"), "{message}");
        let message = all("1. b4 b5 2. Md2 Md7 *")[0].as_ref().unwrap_err().to_string();
        assert!(message.contains("M is read as the met (makruk-js"), "{message}");
    }

    #[test]
    fn numbers_may_be_glued_or_wrong() {
        let games = all("1.d4 d5 2... c4 17 c5 3.... * 1-0");
        assert_eq!(sans(games[0].as_ref().unwrap()), ["d4", "d5", "c4", "c5"]);
        assert!(games[1].as_ref().is_ok_and(|game| game.result == GameResult::White && game.moves.is_empty()));
    }

    proptest! {
        #[test]
        fn any_text_comes_to_an_end(text in "\\PC*", near in "([\\[\\](){};$%\r\n\" ]|d4|1\\.|bxa6=P|Pa5|\\*|FEN|e5| ก|1/2|½|8/8/8|fen |moves ){0,60}") {
            for text in [text, near] {
                prop_assert!(Games::parse(&text).count() <= text.len().max(1));
                prop_assert!(Games::parse_from(&text, Fen::START.parse().ok()).count() <= text.len().max(1));
            }
        }
    }
}
