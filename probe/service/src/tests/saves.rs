//! Saves: searches that stream, pages of them, and their statistics.

use std::ops::ControlFlow;

use makruk_probe::{ProbeError, Prober, Tablebase};
use makruk_proto::v1::find_saves_response::Part;
use makruk_proto::v1::{FindSavesRequest, FoundSave, PositionKind, SaveStatisticsRequest, SearchEnd, Side};
use makruk_research::{Filter, Order, PositionKind as Kind, PositionRecord, SaveSample, SaveSelector, Scanner, Silent};
use makruk_rules::Color;
use serde_json::{Value as Json, json};
use tokio_stream::StreamExt;
use tonic::{Code, Status};
use tonic_types::StatusExt;

use super::harness::{LONG, ROOK_WINS, Running, reason, tables};
use super::http::{self, escaped};
use crate::{Limits, Settings};

fn request(filter: &str, limit: u64) -> FindSavesRequest {
    FindSavesRequest { materials: vec!["KRvKR".to_owned()], filter: filter.to_owned(), limit, ..Default::default() }
}

async fn find(server: &Running, request: FindSavesRequest) -> Result<(Vec<FoundSave>, SearchEnd), Status> {
    let mut parts = server.raw().await.find_saves(request).await?.into_inner();
    let (mut saves, mut scanned) = (Vec::new(), 0);
    loop {
        match parts.next().await.unwrap()?.part.unwrap() {
            Part::Save(save) => saves.push(save),
            Part::Progress(progress) => {
                assert!(progress.scanned > scanned && progress.scanned < progress.of, "{progress:?}");
                scanned = progress.scanned;
            }
            Part::End(end) => {
                assert!(parts.next().await.is_none());
                assert_eq!(end.found as usize, saves.len());
                return Ok((saves, end));
            }
        }
    }
}

/// The saves that a scan on all threads finds: of a filter, materials and a side.
fn listed(filter: &str, names: &[&str], side: Option<Color>, is_brief: bool) -> Vec<Json> {
    let prober = Prober::new(Tablebase::new(tables()));
    let order = Order::new(test_tables::materials(names), side);
    // Brief lists have images.
    let selector = SaveSelector::new(Filter::parse(Kind::Saves, filter).unwrap(), is_brief);
    let examine = |save| -> Result<_, ProbeError> {
        let found = selector.select(&prober, save, |save| {
            if is_brief { Ok(PositionRecord::brief(save)) } else { PositionRecord::full(save) }
        })?;
        Ok((!found.is_empty()).then_some(found))
    };
    let mut found = Vec::new();
    let sink = |records: Vec<PositionRecord>| {
        found.extend(records.iter().map(|record| serde_json::to_value(record).unwrap()));
        Ok(ControlFlow::Continue(()))
    };
    let scanner = Scanner::new(&prober, &order, 0..order.len(), None).unwrap();
    scanner.run(examine, sink, &mut Silent).unwrap();
    found
}

/// A save as lists have it.
fn told(save: &FoundSave) -> Json {
    let side = if save.side() == Side::White { "white" } else { "black" };
    let mut told = json!({"material": save.material, "side": side, "number": save.number, "fen": save.fen});
    let Some(details) = &save.details else { return told };
    let saving = details.saving_moves.iter().map(|mv| {
        let given = mv.sacrifice.as_ref().map(|given| {
            json!({"capture": given.capture, "given": given.given, "last": given.last, "offered": given.offered,
                "needed": given.needed, "left": given.left,
                "kind": given.kind().as_str_name().trim_start_matches("SACRIFICE_KIND_").to_lowercase()})
        });
        json!({"uci": mv.uci, "san": mv.san, "dtm": mv.dtm_plies, "capture": mv.capture, "check": mv.check,
            "sacrifice": given})
    });
    told["dtm"] = json!(details.dtm_plies);
    told["dtz"] = json!(details.dtz_plies);
    told["short_by"] = json!(details.short_by);
    told["check"] = json!(details.check);
    told["legal_moves"] = json!(details.legal_moves);
    told["saving_moves"] = saving.collect();
    told
}

#[tokio::test(flavor = "multi_thread")]
async fn searches_find_what_a_scan_lists() {
    let server = Running::tables(tables()).await;
    let filter = "sacrifice=last and unique and k=edge";
    let (saves, end) = find(&server, request(filter, 60)).await.unwrap();
    let expected = listed(filter, &["KRvKR"], None, false);
    assert_eq!(saves.iter().map(told).collect::<Vec<_>>(), expected[..60]);
    assert!(!end.cursor.is_empty() && saves.iter().all(|save| save.side != 0));
    // Brief, one side, images, a second material.
    let materials = ["KRvKR", "KRvK"].map(str::to_owned).to_vec();
    let more = FindSavesRequest { materials, brief: true, images: true, ..request("check", 1_000_000) };
    let (saves, _) = find(&server, FindSavesRequest { side: Side::Black.into(), ..more }).await.unwrap();
    let expected = listed("check", &["KRvKR", "KRvK"], Some(Color::Black), true);
    assert_eq!(saves.iter().map(told).collect::<Vec<_>>(), expected);
    // Page by page.
    let request = |limit| FindSavesRequest { materials: vec!["KRvK".to_owned()], brief: true, ..request("", limit) };
    let (whole, _) = find(&server, request(1_000_000)).await.unwrap();
    let (first, end) = find(&server, request(0)).await.unwrap();
    assert_eq!((first.len(), &end.cursor), (100, &first[99].next_cursor));
    let mut paged = first;
    let mut cursor = end.cursor;
    while !cursor.is_empty() {
        let page = FindSavesRequest { cursor, ..request(150) };
        let (saves, end) = find(&server, page).await.unwrap();
        paged.extend(saves);
        cursor = end.cursor;
    }
    assert!(paged.iter().map(|save| &save.fen).eq(whole.iter().map(|save| &save.fen)));
    let until = whole[40].next_cursor.clone();
    let (before, _) = find(&server, FindSavesRequest { until, ..request(1000) }).await.unwrap();
    assert_eq!(before.len(), 41);
}

#[tokio::test(flavor = "multi_thread")]
async fn searches_that_make_no_sense_say_why() {
    let server = Running::tables(tables()).await;
    let failure = async |request| find(&server, request).await.unwrap_err();
    let bad = failure(request("unique and short<=x", 0)).await;
    assert_eq!((bad.code(), reason(&bad).as_str()), (Code::InvalidArgument, "BAD_FILTER"));
    assert_eq!(bad.get_details_error_info().unwrap().metadata["column"], "19");
    for (asked, expected) in [
        (FindSavesRequest { materials: Vec::new(), ..request("", 0) }, "BAD_MATERIAL"),
        (FindSavesRequest { materials: vec!["KvK".to_owned()], ..request("", 0) }, "BAD_MATERIAL"),
        (FindSavesRequest { cursor: "KRvKR".to_owned(), ..request("", 0) }, "BAD_CURSOR"),
        (FindSavesRequest { until: "KRvKR:white:99999999999".to_owned(), ..request("", 0) }, "BAD_CURSOR"),
        (FindSavesRequest { side: 7, ..request("", 0) }, "BAD_SIDE"),
    ] {
        let status = failure(asked).await;
        assert_eq!((status.code(), reason(&status).as_str()), (Code::InvalidArgument, expected), "{status}");
    }
    let missing = failure(FindSavesRequest { materials: vec!["KRRvKR".to_owned()], ..request("", 0) }).await;
    assert_eq!((missing.code(), reason(&missing).as_str()), (Code::NotFound, "MISSING_TABLE"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_that_is_not_read_leaves_its_place_to_others() {
    let limits = Limits { searches: 1, deadline: LONG, ..Limits::default() };
    let server = Running::limited(limits).await;
    let open = server.raw().await.find_saves(request("", 1_000_000)).await.unwrap().into_inner();
    for _ in 0..3 {
        let (saves, _) = find(&server, request("", 1)).await.unwrap();
        assert_eq!(saves.len(), 1);
    }
    assert!(server.client().await.probe(ROOK_WINS, false).await.is_ok());
    drop(open);
}

#[tokio::test(flavor = "multi_thread")]
async fn saves_are_counted() {
    let limits = Limits { deadline: LONG, ..Limits::default() };
    let server = Running::limited(limits).await;
    let ask = async |material: &str, sample| {
        let request = SaveStatisticsRequest { material: material.to_owned(), sample };
        server.raw().await.save_statistics(request).await.map(|answer| answer.into_inner())
    };
    let counted = ask("KRvKR", 0).await.unwrap();
    let images = listed("", &["KRvKR"], None, true);
    for (side, totals) in [("white", counted.white), ("black", counted.black)] {
        let totals = totals.unwrap();
        let expected = images.iter().filter(|save| save["side"] == side).count();
        assert_eq!(totals.saves as usize, expected, "{side}");
        assert_eq!(totals.saves, totals.lost - totals.lost_within_count);
        assert!(totals.saves > 0 && totals.won > totals.won_within_count);
    }
    assert_eq!(counted.sample, None);
    // A sample of them.
    let prober = Prober::new(Tablebase::new(tables()));
    let material = "KRvK".parse().unwrap();
    let expected = SaveSample::of(&prober, material, &[Color::Black], 1000, || true).unwrap();
    let sample = ask("KRvK", 1000).await.unwrap().sample.unwrap();
    assert!(sample.saves > 0);
    assert_eq!((sample.saves, sample.complete, sample.unique), (expected.saves, expected.complete, expected.unique));
    assert_eq!(sample.short_by_unknown, expected.short_by_unknown);
    assert!(sample.short_by.iter().map(|short| (short.moves, short.saves)).eq(expected.short_by));
}

#[tokio::test(flavor = "multi_thread")]
async fn wins_and_zugzwangs_are_searched_too() {
    // The materials of the other tests have no zugzwangs.
    let folder = test_tables::usual(test_tables::materials(&["KRvKN"]));
    // A page that takes half of its time is shorter.
    let limits = Limits { deadline: LONG, ..Limits::default() };
    let server = Running::with(folder.path(), Settings { limits, ..Settings::default() }).await;
    for (kind, name, material, filter) in [
        (PositionKind::Wins, "wins", "KRvK", "spare=0 and side=white"),
        (PositionKind::Zugzwangs, "zugzwangs", "KRvKN", ""),
    ] {
        let materials = vec![material.to_owned()];
        let asked = FindSavesRequest { kind: kind.into(), materials, ..request(filter, 30) };
        let (found, end) = find(&server, asked.clone()).await.unwrap();
        assert_eq!((found.len(), end.found), (30, 30), "{name}");
        let path = format!("/v1/saves?kind={name}&material={material}&limit=30&where={}", escaped(filter));
        let page = http::get(server.address, &path).await.json();
        assert_eq!(page["cursor"].as_str(), Some(end.cursor.as_str()));
        for (found, listed) in found.iter().zip(page["saves"].as_array().unwrap()) {
            assert_eq!((&json!(found.fen), &json!(found.number)), (&listed["fen"], &listed["number"]));
            assert!(found.details.is_none());
            let (win, zugzwang) = (found.win.as_ref(), found.zugzwang.as_ref());
            if kind == PositionKind::Wins {
                let win = win.unwrap();
                assert_eq!((win.spare, Some(win.needed)), (Some(0), win.left));
                assert_eq!((&listed["needed"], &listed["spare"]), (&json!(win.needed), &json!(0)));
                let winning = listed["winning_moves"].as_array().unwrap();
                assert_eq!(winning.len(), win.winning_moves.len());
            } else {
                let zugzwang = zugzwang.unwrap();
                assert_eq!((&listed["by_count"], &listed["full"]), (&json!(zugzwang.by_count), &json!(zugzwang.full)));
                let saving = listed["saving_moves"].as_array().unwrap();
                assert_eq!(saving.len(), zugzwang.saving_moves.len());
            }
            assert_eq!(win.is_some(), kind == PositionKind::Wins);
        }
        // The next page begins after the first.
        let (next, _) = find(&server, FindSavesRequest { cursor: end.cursor, ..asked }).await.unwrap();
        assert!(next.iter().all(|later| found.iter().all(|found| found.fen != later.fen)));
    }
    let unknown = find(&server, FindSavesRequest { kind: 9, ..request("", 1) }).await.unwrap_err();
    assert_eq!((unknown.code(), reason(&unknown).as_str()), (Code::InvalidArgument, "BAD_REQUEST"));
}
