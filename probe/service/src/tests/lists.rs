//! The lists and statistics of tables and materials.

use makruk_proto::v1::{ListTablesRequest, Metric, SideSummary, TableStatisticsRequest};
use serde_json::json;

use super::harness::{Running, own_tables, tables};
use super::http;

#[tokio::test(flavor = "multi_thread")]
async fn the_list_is_that_of_the_folder() {
    let folder = own_tables();
    std::fs::write(folder.path().join("KNvK.dtm"), "damaged").unwrap();
    let server = Running::tables(folder.path()).await;
    let mut raw = server.raw().await;
    let list = raw.list_tables(ListTablesRequest::default()).await.unwrap().into_inner().tables;
    let names: Vec<_> = list.iter().map(|table| (table.material.as_str(), table.metric(), table.men)).collect();
    // Category tables are not listed: answers come from distances.
    use Metric::{Dtm, Dtz};
    let three = [("KRvK", Dtm, 3), ("KSvK", Dtm, 3), ("KMvK", Dtm, 3), ("KPvK", Dtm, 3), ("KPvK", Dtz, 3)];
    let pawn = [("KRMvK", Dtm, 4), ("KRPvK", Dtm, 4), ("KRPvK", Dtz, 4)];
    assert_eq!(names, [&three[..], &pawn, &[("KRvKR", Dtm, 4), ("KRvKR", Dtz, 4)]].concat());
    for table in &list {
        let file = format!("{}.{}", table.material, if table.metric() == Dtm { "dtm" } else { "dtz" });
        assert_eq!(table.bytes, folder.path().join(file).metadata().unwrap().len());
    }
    let of = async |men| {
        let mut raw = raw.clone();
        raw.list_tables(ListTablesRequest { men: Some(men) }).await.unwrap().into_inner().tables.len()
    };
    assert_eq!((of(3).await, of(4).await, of(5).await), (5, 5, 0));
}

fn assert_adds_up(side: &SideSummary) {
    let sum = |wins: bool| -> u64 {
        let of = side.histogram.iter().filter(|entry| (entry.plies > 0) == wins);
        of.map(|entry| entry.positions).sum()
    };
    assert_eq!((sum(true), sum(false)), (side.won, side.lost));
    let longest = |sign: i32| side.histogram.iter().map(|entry| sign * entry.plies).max();
    assert_eq!(side.max_win_plies.map(|plies| plies as i32), longest(1).filter(|&plies| plies > 0));
    assert_eq!(side.max_loss_plies.map(|plies| plies as i32), longest(-1).filter(|&plies| plies >= 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn totals_histogram_and_longest_wins() {
    let server = Running::tables(tables()).await;
    let (client, mut raw) = (server.client().await, server.raw().await);
    let mut ask = async |material: &str, include_longest| {
        let request = TableStatisticsRequest { material: material.to_owned(), include_longest };
        raw.table_statistics(request).await.map(|answer| answer.into_inner())
    };
    // The rook mates in 16 moves at most; the bare king never wins.
    let answer = ask("KvKR", true).await.unwrap();
    assert_eq!((answer.material.as_str(), answer.men, answer.dtz.is_some()), ("KRvK", 3, false));
    let (white, black) = answer.dtm.map(|dtm| (dtm.white.unwrap(), dtm.black.unwrap())).unwrap();
    assert_eq!((white.max_win_plies, white.max_loss_plies), (Some(31), None));
    assert_eq!((black.max_win_plies, black.max_loss_plies, black.won), (None, Some(32), 0));
    assert!(black.longest_win_fens.is_empty());
    // The count leaves 13 moves; 14 if White is to move.
    assert_eq!((white.max_win_within_count_plies, black.max_win_within_count_plies), (Some(27), None));
    assert!((1..white.won).contains(&white.won_within_count.unwrap()) && black.lost_within_count.unwrap() < black.lost);
    assert_adds_up(&white);
    assert_eq!(white.longest_win_fens.len(), 10);
    for fen in &white.longest_win_fens {
        assert_eq!(client.probe(fen, false).await.unwrap().dtm_plies, Some(31), "{fen}");
    }
    let answer = ask("KRvKR", true).await.unwrap();
    let (dtm, dtz) = (answer.dtm.unwrap(), answer.dtz.unwrap());
    for side in [&dtm.white, &dtm.black, &dtz.white, &dtz.black] {
        let side = side.as_ref().unwrap();
        assert_adds_up(side);
        assert!(!side.longest_win_fens.is_empty());
    }
    let (mates, conversions) = (dtm.white.unwrap(), dtz.white.unwrap());
    assert_eq!(mates.won + mates.drawn + mates.lost, conversions.won + conversions.drawn + conversions.lost);
    assert!(conversions.won_within_count.unwrap() <= conversions.won && mates.won_within_count.is_none());
    for (fen, plies) in conversions.longest_win_fens.iter().map(|fen| (fen, conversions.max_win_plies.unwrap() as i32))
    {
        assert_eq!(client.probe(fen, false).await.unwrap().dtz_plies, Some(plies), "{fen}");
    }
    // Without a request, no search runs.
    let answer = ask("KRvK", false).await.unwrap();
    assert!(answer.dtm.unwrap().white.unwrap().longest_win_fens.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn sets_are_listed_whether_they_are_there_or_not() {
    let server = Running::tables(tables()).await;
    let materials = async |query: &str| {
        http::get(server.address, &format!("/v1/materials{query}")).await.json()["materials"].clone()
    };
    let all = materials("").await;
    assert_eq!(all.as_array().unwrap().len(), 5 + 30 + 107);
    assert_eq!(materials("?men=6").await.as_array().unwrap().len(), 335);
    assert_eq!(materials("?men=99").await, json!([]));
    let of = |name: &str| all.as_array().unwrap().iter().find(|entry| entry["material"] == name).cloned().unwrap();
    let rook = of("KRvK");
    assert_eq!((&rook["men"], &rook["command"]), (&json!(3), &json!(null)));
    let mut totals = rook["totals"].clone();
    totals["bytes"] = json!(null);
    let expected = json!({
        "bytes": null, "white_wins": 376_868, "black_wins": 0, "draws": 22_244, "within_count": 313_996, "mate_moves": 16, "conversion_moves": 14,
    });
    assert_eq!(totals, expected);
    let rooks = of("KRvKR")["totals"].clone();
    assert_eq!((&rooks["mate_moves"], &rooks["conversion_moves"]), (&json!(19), &json!(5)));
    assert_eq!((&rooks["white_wins"], &rooks["within_count"]), (&json!(3_211_696), &json!(4_757_272)));
    // Every material with a pawn has a DTZ, which here takes a move more than the longest mate.
    let pawn = of("KRPvK")["totals"].clone();
    assert_eq!((&pawn["mate_moves"], &pawn["conversion_moves"]), (&json!(16), &json!(17)));
    assert_eq!((&pawn["white_wins"], &pawn["within_count"]), (&json!(8_575_416), &json!(8_538_148)));
    let missing = of("KRRvKR");
    assert_eq!((&missing["totals"], &missing["command"]), (&json!(null), &json!("makruk-gen build KRRvKR")));
    // The limit of the histogram: 16 less 3 men, and one more if the attacker moves first.
    let statistics = http::get(server.address, "/v1/tables/KRvK").await.json();
    assert_eq!(statistics["dtm"]["white"]["win_count_moves"], json!(14));
    assert_eq!(statistics["dtm"]["black"]["loss_count_moves"], json!(13));
    let armed = http::get(server.address, "/v1/tables/KRvKR").await.json();
    assert_eq!(
        (&armed["dtm"]["white"]["win_count_moves"], &armed["dtz"]["white"]["win_count_moves"]),
        (&json!(null), &json!(65))
    );
}
