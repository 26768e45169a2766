//! Both protocols over a script, without tables: no input breaks the player, and every command is answered.

use std::io::{Cursor, Write};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use makruk_rules::{Fen, Move, Reading};

use super::*;

/// Output that can be read afterwards.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<u8>>>);

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Heard {
    fn lines(&self) -> Vec<String> {
        let bytes = self.0.lock().unwrap().clone();
        String::from_utf8(bytes).unwrap().lines().map(str::to_owned).collect()
    }
}

fn nowhere() -> Settings {
    Settings { folders: vec!["no/such/folder".into()], ..Settings::default() }
}

fn talk(commands: &str) -> Vec<String> {
    let heard = Heard::default();
    uci(Cursor::new(commands.as_bytes().to_vec()), heard.clone(), nowhere()).unwrap();
    heard.lines()
}

fn best_moves(lines: &[String]) -> Vec<&str> {
    lines.iter().filter_map(|line| line.strip_prefix("bestmove ")?.split(' ').next()).collect()
}

#[test]
fn every_go_is_answered_once_with_a_legal_move() {
    let limits = [
        "depth 2",
        "nodes 1",
        "movetime 1",
        "wtime 0 btime 0",
        "infinite\nstop",
        "mate 1",
        "ponder depth 1\nponderhit",
    ];
    for limit in limits {
        let lines = talk(&format!("position startpos moves d3d4\ngo {limit}\n"));
        let position = Game::from_uci(Fen::start(), ["d3d4"]).unwrap().now().position.clone();
        let moves = best_moves(&lines);
        assert_eq!(moves.len(), 1, "{limit}: {lines:?}");
        assert!(Move::from_uci(&position, moves[0]).is_ok(), "{limit}: {moves:?}");
    }
    let lines = talk("position startpos\ngo depth 2 searchmoves e3e4\nquit\n");
    assert_eq!(best_moves(&lines), ["e3e4"]);
}

#[test]
fn stop_waits_for_no_search() {
    let begin = Instant::now();
    // The position and the second search wait for the first one; `stop` ends both.
    let lines =
        talk("go movetime 3600000\nposition startpos moves d3d4\ngo wtime 9000000 btime 9000000\nstop\nisready\n");
    assert_eq!(best_moves(&lines).len(), 2, "{lines:?}");
    let game = Game::from_uci(Fen::start(), ["d3d4"]).unwrap();
    assert!(Move::from_uci(&game.now().position, best_moves(&lines)[1]).is_ok(), "{lines:?}");
    // `quit` and an infinite search that nobody stops; the end of the input after one.
    assert_eq!(best_moves(&talk("go movetime 3600000\nsetoption name Hash value 2\ngo infinite\nquit\n")).len(), 2);
    assert_eq!(best_moves(&talk("go infinite\nposition startpos\ngo infinite\n")).len(), 2);
    assert!(begin.elapsed() < Duration::from_secs(600));
}

#[test]
fn readiness_is_answered_during_a_search() {
    let lines = talk("go infinite\nisready\nstop\n");
    let at = |start: &str| lines.iter().position(|line| line.starts_with(start)).unwrap();
    assert!(at("readyok") < at("bestmove"), "{lines:?}");
}

#[test]
fn where_there_is_no_move_it_says_so() {
    for position in ["fen R5k1/8/6K1/8/8/8/8/8 b - - 0 1", "fen 8/8 w", "startpos moves e2e4", "nonsense"] {
        let commands = format!("position fen k7/1R6/1K6/8/8/8/8/8 b\nposition {position}\ngo depth 1\n");
        assert_eq!(best_moves(&talk(&commands)), ["(none)"], "{position}");
    }
}

#[test]
fn both_protocols_say_how_a_position_was_read() {
    let (noted, illegal) = ("8/8/8/8/8/4s1k1/4R3/K7 w 0 1", "8/8 w");
    let sentences = Reading::parse(noted).unwrap().sentences();
    assert!(!sentences.is_empty());
    let of_uci = talk(&format!("position fen {noted}\nposition fen {noted}\nposition fen {illegal}\nd\n"));
    let heard = Heard::default();
    let commands = format!("force\nsetboard {noted}\nsetboard {illegal}\nquit\n");
    xboard(Cursor::new(commands.into_bytes()), heard.clone(), nowhere()).unwrap();
    let of_xboard = heard.lines();
    for sentence in sentences {
        let notes = |lines: &[String], start: &str| {
            lines.iter().filter(|line| line.strip_prefix(start).is_some_and(|note| note == sentence)).count()
        };
        assert_eq!(notes(&of_uci, "info string note: "), 1, "the same notes are not repeated: {of_uci:?}");
        assert_eq!(notes(&of_xboard, "# note: "), 1, "{of_xboard:?}");
    }
    assert!(of_uci.iter().any(|line| line == "info string no position"), "{of_uci:?}");
    assert!(of_xboard.iter().any(|line| line.starts_with("tellusererror")), "{of_xboard:?}");
}

#[test]
fn the_search_mates_captures_and_avoids_mate() {
    // A rook's mate on the last rank.
    let lines = talk("position fen 6k1/R7/6K1/8/8/P7/8/8 w\ngo depth 3\n");
    assert_eq!(best_moves(&lines), ["a7a8"]);
    assert!(lines.iter().any(|line| line.contains("score mate 1 ")), "{lines:?}");
    assert!(
        lines.iter().any(|line| line.contains("the tables do not judge this position, so it is searched")),
        "{lines:?}"
    );
    // An undefended rook.
    let lines = talk("position fen 4k3/8/8/3r4/2P5/8/8/4K3 w\ngo depth 3\n");
    assert_eq!(best_moves(&lines), ["c4d5"]);
    // White threatens mate on the last rank; Black's move prevents it.
    let danger = "position fen 7k/5R2/6K1/r7/8/P7/8/8 b";
    let lines = talk(&format!("{danger}\ngo depth 4\n"));
    let after = talk(&format!("{danger} moves {}\ngo depth 2\n", best_moves(&lines)[0]));
    assert!(after.iter().all(|line| !line.contains("score mate 1 ")), "{lines:?} {after:?}");
}

#[test]
fn noise_harms_neither_protocol() {
    let words = "position startpos fen moves d3d4 e2e9 setoption name value MakrukPath Hash -1 stop ponderhit isready \
        ucinewgame uci \u{e01} 99999999999999999999 8/8/8/8/8/8/8/8 w new force usermove setboard undo remove level \
        st sd time ping analyze exit protover option egtpath makruk hint= = memory variant . ? draw result";
    let words: Vec<&str> = words.split(' ').collect();
    let mut state = 1u64;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    let mut text = String::new();
    for _ in 0..3000 {
        for _ in 0..next() % 6 {
            text += words[next() % words.len()];
            text += " ";
        }
        text += "\n";
    }
    let lines = talk(&format!("{text}setoption name MakrukPath value no/such\nposition startpos\ngo depth 1\n"));
    assert_eq!(best_moves(&lines).len(), 1);

    let heard = Heard::default();
    xboard(Cursor::new(format!("{text}ping 77\nquit\n").into_bytes()), heard.clone(), nowhere()).unwrap();
    assert!(heard.lines().iter().any(|line| line == "pong 77"));
}
