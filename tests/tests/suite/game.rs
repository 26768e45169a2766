//! A real game, replayed from its file.

use makruk_tables::rules::{CountingRules, GameResult, Games, Role};

const GAME: &str = include_str!("../../data/schemingmind-2023.pgn");

#[test]
fn a_whole_game_replays_to_mate_with_its_count() {
    let games: Vec<_> = Games::parse(GAME).collect::<Result<_, _>>().unwrap();
    let [game] = &games[..] else { panic!("{} games", games.len()) };
    assert_eq!(game.tag("Variant"), Some("makruk"));
    assert_eq!(game.tag("Event"), Some("ศรีสัชนาลัยทัวร์นาเมนต์"));
    assert_eq!(game.result, GameResult::White);
    assert_eq!(game.moves.len(), 2 * 113 - 1);

    let fens = game.fens(&CountingRules::MAKRUK);
    let last = fens.last().unwrap();
    assert!(last.position.is_checkmate());
    let count = last.count.unwrap();
    assert_eq!((count.limit(), count.ply(), last.fullmove), (128, 80, 113));
    assert!(!count.is_expired());
    assert!(fens[..fens.len() - 1].iter().all(|fen| !fen.position.is_checkmate()));
    // The count only runs from the last pawn's end on.
    assert!(fens.iter().all(|fen| fen.count.is_some() != fen.position.board().has_pawns()));
    assert!(last.position.board().by_role(Role::Pawn).is_empty());
}
