//! The answers of the service are those of the command line.

use makruk_proto::v1::{Category, Count, CountRule, ProbeResponse, RankedMove, Side};
use serde_json::{Value as Json, json};

use super::harness::{ROOK_WINS, Running, query, reason, tables};

/// An answer in the shape of `query --json --moves`: each field of one corresponds to a field of the other.
fn as_json(answer: &ProbeResponse) -> Json {
    let ProbeResponse {
        fen,
        material,
        dtm_plies,
        dtz_plies,
        count,
        checkmate,
        stalemate,
        moves,
        notes,
        side: _,
        category: _,
    } = answer;
    let Count { limit_plies, elapsed_plies, attacker_moves_left, rule: _ } = count.as_ref().unwrap();
    let mut answer = json!({
        "fen": fen,
        "material": material,
        "side": name(answer.side().as_str_name(), "SIDE_"),
        "category": category(answer.category()),
        "dtm": dtm_plies,
        "dtz": dtz_plies,
        "count": {
            "rule": name(count.as_ref().unwrap().rule().as_str_name(), "COUNT_RULE_"),
            "limit": limit_plies,
            "ply": elapsed_plies,
            "attacker_moves_left": attacker_moves_left,
        },
        "checkmate": checkmate,
        "stalemate": stalemate,
        "moves": moves.iter().map(move_as_json).collect::<Vec<_>>(),
    });
    if !notes.is_empty() {
        answer["notes"] = json!(notes);
    }
    answer
}

fn move_as_json(mv: &RankedMove) -> Json {
    let RankedMove { uci, san, dtm_plies, dtz_plies, capture, bares_king, promotion, begins_count, category: _ } = mv;
    json!({
        "uci": uci,
        "san": san,
        "category": category(mv.category()),
        "dtm": dtm_plies,
        "dtz": dtz_plies,
        "capture": capture,
        "bares_king": bares_king,
        "promotion": promotion,
        "begins_count": begins_count,
    })
}

fn category(category: Category) -> String {
    name(category.as_str_name(), "CATEGORY_")
}

/// `CURSED_WIN` is `cursed-win` there.
fn name(name: &str, prefix: &str) -> String {
    name.strip_prefix(prefix).unwrap().to_ascii_lowercase().replace('_', "-")
}

/// Positions with up to two rooks, khons and so on, many of them illegal, with and without a count.
pub(crate) fn random_fens(count: usize) -> Vec<String> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let materials = ["KRkr", "KRk", "Kkr", "KSk", "Kks", "KNk", "KMk", "KPk", "KRPk", "Kkrp", "KRkr", "KRkr"];
    let counts = ["- 0", "128 10", "128 110", "32 20", "16 17", "7 3"];
    (0..count)
        .map(|_| {
            let mut board = [None; 64];
            for man in materials[next(materials.len())].chars() {
                board[next(64)] = Some(man);
            }
            let rank =
                |rank: &[Option<char>]| rank.iter().map(|man| man.map_or("1".to_owned(), String::from)).collect();
            let ranks: Vec<String> = board.chunks(8).map(rank).collect();
            format!("{} {} - {} 1", ranks.join("/"), ["w", "b"][next(2)], counts[next(counts.len())])
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_field_is_that_of_the_command_line() {
    let chosen = [
        ROOK_WINS,
        "k6R/8/1K6/8/8/8/8/8 b - - 0 1",
        "k7/8/1K6/8/8/8/8/7R w - 32 32 9",
        "k7/8/1K6/8/8/8/8/7R w - 32 33 9",
        "k7/1R6/2K5/8/8/8/8/8 b - - 0 1",
        "8/8/8/8/3k4/8/8/R3K3 w - 32 6 4",
        "8/8/8/8/3k4/8/8/R3K3 b - 33 31 4",
        "8/8/8/8/8/4r1k1/4R3/K7 w",
        "8/8/8/8/8/4r1k1/4R3/K7 b - 128 120 70",
        "8/8/8/8/8/4k3/8/K7 w - - 0 1",
        "8/8/8/3b4/8/4k3/8/K7 b",
        "8/8/8/3q4/8/4k3/8/K7 w - 128 6 3",
    ];
    let fens: Vec<String> = chosen.into_iter().map(str::to_owned).chain(random_fens(400)).collect();
    let expected = query(tables(), &fens);
    assert_eq!(expected.len(), fens.len());
    let server = Running::tables(tables()).await;
    let client = server.client().await;
    let (mut answered, mut categories) = (0, std::collections::HashSet::new());
    for (fen, expected) in fens.iter().zip(&expected) {
        match client.probe(fen, true).await {
            Ok(answer) => {
                assert_eq!(&as_json(&answer), expected, "{fen}");
                answered += 1;
                categories.insert(answer.category());
            }
            Err(status) => {
                assert_eq!(reason(&status).to_ascii_lowercase(), expected["reason"], "{fen}: {status}");
            }
        }
    }
    assert!(answered > 200 && categories.len() == 5, "{answered} {categories:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_won_position_and_its_moves() {
    let server = Running::tables(tables()).await;
    let client = server.client().await;
    let answer = client.probe("k7/8/1K6/8/8/8/8/7R w", true).await.unwrap();
    assert_eq!((answer.fen.as_str(), answer.material.as_str()), ("k7/8/1K6/8/8/8/8/7R w - - 0 1", "KRvK"));
    assert_eq!((answer.side(), answer.category()), (Side::White, Category::Win));
    assert_eq!((answer.dtm_plies, answer.dtz_plies), (Some(1), Some(1)));
    // Pieces' honour: 16 less 3 men, and one more move for the attacker, who is to move.
    let count = answer.count.unwrap();
    assert_eq!((count.rule(), count.limit_plies, count.elapsed_plies), (CountRule::None, None, None));
    assert_eq!(count.attacker_moves_left, Some(14));
    let best = &answer.moves[0];
    assert_eq!((best.uci.as_str(), best.san.as_str(), best.dtm_plies), ("h1h8", "Rh8#", Some(1)));
    assert!(!best.capture && !best.bares_king && answer.moves.len() > 10);
}

#[tokio::test(flavor = "multi_thread")]
async fn moves_only_when_asked_for() {
    let server = Running::tables(tables()).await;
    let client = server.client().await;
    let with = client.probe(ROOK_WINS, true).await.unwrap();
    let without = client.probe(ROOK_WINS, false).await.unwrap();
    assert!(!with.moves.is_empty());
    assert_eq!(ProbeResponse { moves: Vec::new(), ..with }, without);
}

#[tokio::test(flavor = "multi_thread")]
async fn zero_is_mate_and_absent_is_none() {
    let server = Running::tables(tables()).await;
    let client = server.client().await;
    let mate = client.probe("k6R/8/1K6/8/8/8/8/8 b - 32 32 20", true).await.unwrap();
    assert!(mate.checkmate && !mate.stalemate && mate.moves.is_empty());
    assert_eq!((mate.category(), mate.dtm_plies, mate.dtz_plies), (Category::Loss, Some(0), Some(0)));
    let stalemate = client.probe("k7/1R6/2K5/8/8/8/8/8 b", true).await.unwrap();
    assert!(stalemate.stalemate && !stalemate.checkmate && stalemate.moves.is_empty());
    assert_eq!((stalemate.category(), stalemate.dtm_plies, stalemate.dtz_plies), (Category::Draw, None, None));
    assert_eq!(stalemate.count.unwrap().attacker_moves_left, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_running_count_runs_out() {
    let server = Running::tables(tables()).await;
    let client = server.client().await;
    let ask = async |count: &str| client.probe(&format!("k7/8/1K6/8/8/8/8/7R w - {count} 9"), true).await.unwrap();
    let last = ask("32 32").await;
    let count = last.count.unwrap();
    assert_eq!((count.rule(), count.limit_plies, count.elapsed_plies), (CountRule::Pieces, Some(32), Some(32)));
    assert_eq!((last.category(), count.attacker_moves_left), (Category::Win, Some(1)));
    let late = ask("32 33").await;
    assert_eq!((late.category(), late.dtm_plies), (Category::CursedWin, Some(1)));
    assert_eq!(late.count.unwrap().attacker_moves_left, Some(0));
}
