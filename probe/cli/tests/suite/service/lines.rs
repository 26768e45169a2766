//! Lines and moves of perfect players.

use makruk_probe::{Policy as PlayerPolicy, Prober, Tablebase};
use makruk_proto::v1::best_line_response::Part;
use makruk_proto::v1::{BestLineRequest, Category, CountRule, LineEnd, LineMove, PlayRequest, Policy, ProbeResponse};
use makruk_tables::rules::Fen;
use tokio_stream::StreamExt;
use tonic::{Code, Status};
use tonic_types::StatusExt;

use super::harness::{ROOK_WINS, Running, reason, tables};

/// Won, drawn by the count, drawn, lost.
const FENS: [&str; 5] = [
    ROOK_WINS,
    "8/8/8/8/3k4/8/8/R3K3 b - 32 20 9",
    "8/8/8/8/8/4r1k1/4R3/K7 w - - 0 1",
    "8/8/8/8/3k4/8/8/N3K3 w - - 0 1",
    "8/8/8/8/8/4r1k1/4R3/K7 b - 128 100 70",
];

async fn line(server: &Running, request: BestLineRequest) -> Result<(ProbeResponse, Vec<LineMove>, LineEnd), Status> {
    let mut parts = server.raw().await.best_line(request).await?.into_inner();
    let mut part = async || Ok::<_, Status>(parts.next().await.transpose()?.and_then(|part| part.part));
    let Some(Part::Start(start)) = part().await? else { panic!("no start") };
    let mut moves = Vec::new();
    let end = loop {
        match part().await? {
            Some(Part::Move(mv)) => moves.push(mv),
            Some(Part::End(end)) => break LineEnd::try_from(end).unwrap(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(part().await?, None);
    Ok((start, moves, end))
}

fn request(fen: &str) -> BestLineRequest {
    BestLineRequest { fen: fen.to_owned(), ..BestLineRequest::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn lines_are_those_of_the_library() {
    let server = Running::tables(tables()).await;
    let (client, prober) = (server.client().await, Prober::new(Tablebase::new(tables())));
    for text in FENS {
        let fen: Fen = text.parse().unwrap();
        let expected = prober.principal_variation(&fen).unwrap();
        let (start, moves, end) = line(&server, request(text)).await.unwrap();
        assert_eq!(start, client.probe(text, false).await.unwrap());
        assert_eq!(end.as_str_name().strip_prefix("LINE_END_").unwrap().to_lowercase(), expected.end.name());
        assert_eq!(moves.len(), expected.moves.len(), "{text}");
        for (at, (mv, expected)) in moves.iter().zip(&expected.moves).enumerate() {
            assert_eq!((mv.ply as usize, &mv.fen), (at + 1, &expected.after.to_string()));
            let (ranked, count) = (mv.r#move.as_ref().unwrap(), mv.count.as_ref().unwrap());
            assert_eq!((&ranked.san, ranked.dtm_plies), (&expected.san, expected.ranked.dtm.signed_plies()));
            assert_eq!(count.attacker_moves_left, expected.ranked.attacker_moves_left());
            assert_eq!(count.elapsed_plies, expected.after.count.map(|count| count.ply()));
            assert_eq!(count.rule(), if ranked.uci.is_empty() { CountRule::None } else { count.rule() });
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_won_line_ends_in_mate_whichever_the_defence() {
    let server = Running::tables(tables()).await;
    for defence in [Policy::Unspecified, Policy::Fastest, Policy::Safest, Policy::Stubborn, Policy::Tricky] {
        let (start, moves, end) =
            line(&server, BestLineRequest { defence: defence.into(), ..request(ROOK_WINS) }).await.unwrap();
        assert_eq!((start.category(), end), (Category::Win, LineEnd::Checkmate), "{defence:?}");
        assert!(moves.len() <= 2 * 16 && moves.last().unwrap().r#move.as_ref().unwrap().san.ends_with('#'));
    }
    let (_, moves, end) = line(&server, BestLineRequest { max_plies: 3, ..request(ROOK_WINS) }).await.unwrap();
    assert_eq!((moves.len(), end), (3, LineEnd::Truncated));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_can_be_wrong_with_a_line() {
    let server = Running::tables(tables()).await;
    let status = line(&server, request("nonsense")).await.unwrap_err();
    assert_eq!((status.code(), reason(&status).as_str()), (Code::InvalidArgument, "BAD_FEN"));
    let status = line(&server, BestLineRequest { defence: 77, ..request(ROOK_WINS) }).await.unwrap_err();
    assert_eq!((status.code(), reason(&status).as_str()), (Code::InvalidArgument, "BAD_POLICY"));
    assert_eq!(status.get_details_bad_request().unwrap().field_violations[0].field, "policy");
    let status = line(&server, request("8/8/8/8/3k4/8/8/RR2K3 w - - 0 1")).await.unwrap_err();
    assert_eq!((status.code(), reason(&status).as_str()), (Code::NotFound, "MISSING_TABLE"));
}

#[tokio::test(flavor = "multi_thread")]
async fn moves_are_those_of_the_library() {
    let server = Running::tables(tables()).await;
    let (mut raw, prober) = (server.raw().await, Prober::new(Tablebase::new(tables())));
    let policies = [
        (Policy::Unspecified, PlayerPolicy::Safest),
        (Policy::Fastest, PlayerPolicy::Fastest),
        (Policy::Safest, PlayerPolicy::Safest),
        (Policy::Stubborn, PlayerPolicy::Stubborn),
        (Policy::Tricky, PlayerPolicy::Tricky),
    ];
    for text in FENS {
        let fen: Fen = text.parse().unwrap();
        for (policy, expected) in policies {
            let request = PlayRequest { fen: text.to_owned(), policy: policy.into() };
            let answer = raw.play(request).await.unwrap().into_inner();
            let expected = prober.play(&fen, expected).unwrap().unwrap();
            assert_eq!(answer.r#move.unwrap().uci, expected.mv.to_string(), "{text} {policy:?}");
            let after = prober.resolved(&fen).play(prober.rules(), expected.mv);
            assert_eq!(answer.fen.unwrap(), after.to_string());
            let count = answer.count.unwrap();
            assert_eq!(count.limit_plies, after.count.map(|count| count.limit()));
            assert_eq!(count.attacker_moves_left, expected.attacker_moves_left());
            assert_eq!(answer.position.unwrap().category(), {
                let verdict = prober.probe(&fen).unwrap();
                Category::from_str_name(&format!(
                    "CATEGORY_{}",
                    verdict.category.name().to_uppercase().replace('-', "_")
                ))
                .unwrap()
            });
        }
    }
    // Mate, stalemate, and a count that has run out: there is no move to play.
    for over in ["k6R/8/1K6/8/8/8/8/8 b", "k7/1R6/2K5/8/8/8/8/8 b", "8/8/8/8/3k4/8/8/R3K3 w - 32 33 9"] {
        let answer = raw.play(PlayRequest { fen: over.to_owned(), policy: 0 }).await.unwrap().into_inner();
        assert!(answer.r#move.is_none() && answer.fen.is_none() && answer.count.is_none(), "{answer:?}");
        assert!(answer.position.is_some());
    }
}
