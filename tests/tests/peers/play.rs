//! Games of our engine against Fairy-Stockfish, from positions whose values the tables have.
//!
//! `MAKRUK_PLAY_GAMES` is the number of games of each kind. `MAKRUK_PLAY_TABLES` is a folder whose materials are played
//! instead of those of up to four men. `MAKRUK_PLAY_LIMIT` is the limit of Fairy-Stockfish's moves.

use std::collections::BTreeMap;
use std::sync::Mutex;

use fastrand::Rng;
use makruk_probe::{Inventory, Prober, Tablebase};
use makruk_tables::material::Material;
use makruk_tests::engine::Engine;
use makruk_tests::games::{End, Kind, Played, play};
use rayon::prelude::*;

/// The default number of games of each kind.
const GAMES: usize = 24;
/// The default limit of a move.
const LIMIT: &str = "nodes 1000";

#[test]
#[ignore = "needs fairy-stockfish"]
fn what_the_tables_promise_is_kept_against_fairy_stockfish() {
    let variable = |name: &str| std::env::var(name).ok();
    let games = variable("MAKRUK_PLAY_GAMES").map_or(GAMES, |games| games.parse().expect("a number of games"));
    let limit = variable("MAKRUK_PLAY_LIMIT").unwrap_or_else(|| LIMIT.to_owned());
    let folder = variable("MAKRUK_PLAY_TABLES").map_or_else(|| test_tables::small().path().to_owned(), Into::into);
    let prober = Prober::new(Tablebase::new(&folder));
    let materials: Vec<Material> = Inventory::of([&folder]).materials().collect();

    let mut rng = Rng::with_seed(6);
    let mut starts = Vec::new();
    for kind in Kind::ALL {
        let before = starts.len();
        // The materials take turns; one that has no such position is skipped from then on.
        let mut left = materials.clone();
        while starts.len() < before + games && !left.is_empty() {
            left.retain(|&material| {
                if starts.len() == before + games {
                    return true;
                }
                let found = kind.start(&prober, material, &mut rng);
                starts.extend(found.clone());
                found.is_some()
            });
        }
        assert_eq!(starts.len(), before + games, "too few positions for {kind:?}");
    }

    let played = Mutex::new(Vec::new());
    let begin = || (Engine::makruk_probe(&folder), Engine::start());
    starts.into_par_iter().with_max_len(8).for_each_init(begin, |(ours, theirs), start| {
        let game = play(&prober, start, ours, theirs, &limit);
        played.lock().expect("no game has failed").push(game);
    });
    let played = played.into_inner().expect("no game has failed");
    report(&played);
    assert_eq!(played.len(), games * Kind::ALL.len());
}

/// The games played, by kind and material.
fn report(played: &[Played]) {
    let mut sums: BTreeMap<(Kind, String), [usize; 4]> = BTreeMap::new();
    for game in played {
        let ours = game.start.ours;
        let sums = sums.entry((game.start.kind, game.start.material.to_string())).or_default();
        sums[0] += 1;
        sums[1] += usize::from(game.end == End::Mate(ours));
        sums[2] += usize::from(!matches!(game.end, End::Mate(_)));
        sums[3] += game.moves.len();
    }
    println!("{:<9} {:<8} {:>5} {:>5} {:>5} {:>6}", "kind", "material", "games", "won", "drawn", "plies");
    for ((kind, material), [games, won, drawn, plies]) in sums {
        println!("{:<9} {material:<8} {games:>5} {won:>5} {drawn:>5} {plies:>6}", format!("{kind:?}"));
    }
}
