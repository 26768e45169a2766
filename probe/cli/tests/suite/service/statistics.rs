//! The lists and statistics of tables.

use makruk_proto::v1::{ListTablesRequest, Metric, SideSummary, TableStatisticsRequest};
use makruk_service::Settings;
use tonic::Code;
use tonic_types::StatusExt;

use super::harness::{Running, own_tables, reason, tables};
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
        let begun = std::time::Instant::now();
        loop {
            let answer = raw.table_statistics(request.clone()).await.map(|answer| answer.into_inner())?;
            let metrics = [&answer.dtm, &answer.dtz].into_iter().flatten();
            let is_pending =
                metrics.flat_map(|metric| [&metric.white, &metric.black]).flatten().any(|side| side.longest_pending);
            // A search that misses the deadline goes on.
            if !is_pending {
                return Ok::<_, tonic::Status>(answer);
            }
            assert!(begun.elapsed() < super::harness::LONG, "the search does not end");
        }
    };
    // The rook mates in 16 moves at most; the bare king never wins.
    let answer = ask("KvKR", true).await.unwrap();
    assert_eq!((answer.material.as_str(), answer.men, answer.dtz.is_some()), ("KRvK", 3, false));
    let (white, black) = answer.dtm.map(|dtm| (dtm.white.unwrap(), dtm.black.unwrap())).unwrap();
    assert_eq!((white.max_win_plies, white.max_loss_plies), (Some(31), None));
    assert_eq!((black.max_win_plies, black.max_loss_plies, black.won), (None, Some(32), 0));
    assert!(white.won_within_count.is_none() && black.longest_win_fens.is_empty() && !black.longest_pending);
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

    for (material, code, expected) in [
        ("KRRvK", Code::NotFound, "MISSING_TABLE"),
        ("KXvK", Code::InvalidArgument, "BAD_MATERIAL"),
        ("", Code::InvalidArgument, "BAD_MATERIAL"),
        ("KvK", Code::InvalidArgument, "BAD_MATERIAL"),
        ("KRRRvK", Code::InvalidArgument, "BAD_MATERIAL"),
    ] {
        let status = ask(material, true).await.unwrap_err();
        assert_eq!((status.code(), reason(&status).as_str()), (code, expected), "{material}: {status}");
        if code == Code::InvalidArgument {
            assert_eq!(status.get_details_bad_request().unwrap().field_violations[0].field, "material");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "searches all positions of four men: ten seconds"]
async fn longest_wins_of_a_side_that_is_left_out() {
    let folder = test_tables::one_sided(test_tables::materials(&["KRvKS"]));
    let server = Running::with(folder.path(), searching()).await;
    let (client, mut raw) = (server.client().await, server.raw().await);
    let request = TableStatisticsRequest { material: "KRvKS".to_owned(), include_longest: true };
    // An answer at the deadline says that the search still runs.
    let answer = loop {
        let answer = raw.table_statistics(request.clone()).await.unwrap().into_inner();
        let sides = [&answer.dtm, &answer.dtz].into_iter().flatten().flat_map(|of| [&of.white, &of.black]);
        if !sides.flatten().any(|side| side.longest_pending) {
            break answer;
        }
    };
    for (of, is_dtz) in [(answer.dtm.unwrap(), false), (answer.dtz.unwrap(), true)] {
        let black = of.black.unwrap();
        let longest = black.max_win_plies.unwrap() as i32;
        assert!(black.won > 0 && !black.longest_win_fens.is_empty());
        for fen in &black.longest_win_fens {
            assert_eq!(black.longest_win_fens.iter().filter(|other| *other == fen).count(), 1);
            let found = client.probe(fen, false).await.unwrap();
            assert_eq!(if is_dtz { found.dtz_plies } else { found.dtm_plies }, Some(longest), "{fen}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_table_has_no_longest_wins() {
    let folder = own_tables();
    let path = folder.path().join("KRvKR.dtm");
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 1000].iter_mut().for_each(|byte| *byte ^= 0x55);
    std::fs::write(&path, bytes).unwrap();
    let server = Running::with(folder.path(), searching()).await;
    let mut raw = server.raw().await;
    let mut ask = async |include_longest| {
        raw.table_statistics(TableStatisticsRequest { material: "KRvKR".to_owned(), include_longest }).await
    };
    assert!(ask(false).await.is_ok(), "the header is intact");
    for _ in 0..2 {
        let status = ask(true).await.unwrap_err();
        assert_eq!((status.code(), reason(&status).as_str()), (Code::DataLoss, "CORRUPT_TABLE"), "{status}");
        assert!(!status.message().contains(folder.path().to_str().unwrap()), "{status}");
    }
}

/// Settings of a server that searches tables although their longest wins are known.
fn searching() -> Settings {
    Settings { known_longest_wins: false, ..Settings::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_longest_wins_that_come_with_the_program_are_those_that_a_search_finds() {
    let folder = own_tables();
    let known = Running::tables(folder.path()).await;
    let searched = Running::with(folder.path(), searching()).await;
    for material in ["KRvK", "KRvKR"] {
        let path = format!("/v1/tables/{material}?longest=true");
        // What is known is there at once.
        let at_once = http::get(known.address, &path).await.json();
        let found = loop {
            let found = http::get(searched.address, &path).await.json();
            if !found.to_string().contains("\"longest_pending\":true") {
                break found;
            }
        };
        assert_eq!(at_once, found, "{material}");
    }
}
