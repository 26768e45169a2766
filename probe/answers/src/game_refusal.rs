//! The reason why a game cannot be read, in fields from which a program can make its own sentence.

use makruk_rules::{PgnError, PgnProblem, SanError, UciError};
use serde::Serialize;

use crate::Reason;

/// The reason why a game cannot be read.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "GameError"))]
pub struct GameRefusal {
    /// The number of the game, from 1.
    pub game: usize,
    /// A sentence, for people.
    pub error: String,
    /// The reason, for programs.
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("const" = "bad_pgn")))]
    pub reason: Reason,
    /// The line of the text, from 1.
    pub line: usize,
    /// The problem, for programs. `position`: the text is a position without moves.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = [
        "no_game", "json", "position", "tag", "variant", "fen", "move", "promotion", "illegal_move", "ambiguous_move",
        "open_comment", "open_variation", "stray_close"
    ])))]
    pub problem: &'static str,
    /// The number of the move, such as `12.` or `12...`.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    /// The text that cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// The moves that are legal, or that the text may mean, in SAN.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub candidates: Option<Vec<String>>,
}

impl GameRefusal {
    /// The reason why the game of this number cannot be read.
    pub(crate) fn new(game: usize, error: &PgnError) -> GameRefusal {
        let json = GameRefusal {
            game,
            error: error.to_string(),
            reason: Reason::BadPgn,
            line: error.line,
            problem: "tag",
            number: None,
            found: None,
            candidates: None,
        };
        match &error.problem {
            PgnProblem::Tag(line) => GameRefusal { found: Some(line.clone()), ..json },
            PgnProblem::NoGame => GameRefusal { problem: "no_game", ..json },
            PgnProblem::Json => GameRefusal { problem: "json", ..json },
            PgnProblem::Position(text) => GameRefusal { problem: "position", found: Some(text.clone()), ..json },
            PgnProblem::Variant(name) => GameRefusal { problem: "variant", found: Some(name.clone()), ..json },
            PgnProblem::Start(_) => GameRefusal { problem: "fen", ..json },
            PgnProblem::Move { number, white, error, .. } => {
                let number = Some(format!("{number}{}", if *white { "." } else { "..." }));
                GameRefusal { number, ..json }.of_move(error)
            }
            PgnProblem::OpenComment => GameRefusal { problem: "open_comment", ..json },
            PgnProblem::OpenVariation => GameRefusal { problem: "open_variation", ..json },
            PgnProblem::StrayClose => GameRefusal { problem: "stray_close", ..json },
            // Kinds may be added.
            _ => json,
        }
    }

    fn of_move(self, error: &SanError) -> GameRefusal {
        let (problem, found, candidates) = match error {
            SanError::Syntax { found, .. } => ("move", found, None),
            SanError::NoPromotion { found } => ("promotion", found, None),
            SanError::Illegal { found, candidates, .. } => ("illegal_move", found, Some(candidates.clone())),
            SanError::Squares(
                UciError::Syntax(found) | UciError::PromotionRole(found) | UciError::NoPromotion(found),
            ) => ("move", found, None),
            SanError::Squares(
                UciError::NoMan { mv }
                | UciError::OtherSide { mv, .. }
                | UciError::Unreachable { mv, .. }
                | UciError::LeavesCheck { mv, .. },
            ) => ("illegal_move", &mv.to_string(), None),
            SanError::Ambiguous { found, candidates } => ("ambiguous_move", found, Some(candidates.clone())),
            // Kinds may be added.
            _ => return GameRefusal { problem: "move", ..self },
        };
        GameRefusal { problem, found: Some(found.clone()), candidates, ..self }
    }
}

#[cfg(test)]
mod tests {
    use makruk_rules::Games;

    use super::*;

    #[test]
    fn every_problem_has_its_fields() {
        for (pgn, problem, found, number) in [
            ("[FEN \"7k/8/8/8/8/8/8/KR6 w\"]\n\n1. Rb9 *", "move", Some("Rb9"), Some("1.")),
            ("[FEN \"7k/8/8/8/8/8/8/KR6 w\"]\n\n1. Rb2 Rb3 *", "illegal_move", Some("Rb3"), Some("1...")),
            ("[FEN \"k7/8/8/8/8/8/7R/KR6 w\"]\n\n1. Rb2 *", "ambiguous_move", Some("Rb2"), Some("1.")),
            ("[FEN \"8/8/8/8/8/8/8/8 w\"]\n\n1. Rb2 *", "fen", None, None),
            ("[FEN \"7k/8/8/8/8/8/8/KR6 w\"]\n\n1. Rb2 {", "open_comment", None, None),
            ("[FEN \"7k/8/8/8/8/8/8/KR6 w\"]\n\n1. Rb2 ) *", "stray_close", None, None),
            ("[FEN\n\n1. Rb2 *", "tag", Some("[FEN"), None),
            ("[Variant \"Makpong\"]\n\n1. d4 *", "variant", Some("Makpong"), None),
            ("7k/8/8/8/8/8/8/KR6 w", "position", Some("7k/8/8/8/8/8/8/KR6 w"), None),
            ("1. e2e4", "illegal_move", Some("e2e4"), Some("1.")),
            ("{\"moves\": []}", "json", None, None),
            ("{nothing}", "no_game", None, None),
        ] {
            let error = Games::parse(pgn).find_map(Result::err).unwrap_or_else(|| panic!("{pgn} is read"));
            let json = GameRefusal::new(1, &error);
            let fields = (json.problem, json.found.as_deref(), json.number.as_deref());
            assert_eq!(fields, (problem, found, number), "{pgn}: {}", json.error);
        }
    }
}
