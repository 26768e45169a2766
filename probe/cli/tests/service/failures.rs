//! What fails says why, to programs and to people.

use std::fs;
use std::path::Path;

use tonic::{Code, Status};
use tonic_types::StatusExt;

use crate::harness::{ROOK_WINS, Running, own_tables, reason, tables};

#[tokio::test(flavor = "multi_thread")]
async fn bad_positions_name_the_field() {
    let server = Running::tables(tables()).await;
    let client = server.client().await;
    let long = "x".repeat(10_000);
    for (fen, expected, field) in [
        ("", "BAD_FEN", None),
        (long.as_str(), "BAD_FEN", None),
        ("8/8/8/8/3k4/8/8/R3Z3 w", "BAD_FEN", Some("board")),
        ("8/8/8/8/3k4/8/8/R3K3 x", "BAD_FEN", Some("side")),
        ("8/8/8/8/3k4/8/8/R3K3 w - - 0 one", "BAD_FEN", Some("fullmove")),
        ("8/8/8/8/3k4/8/8/R3K3 w - -5 0 1", "BAD_COUNT", Some("limit")),
        ("8/8/8/8/3k4/8/8/R3K3 w - 32 many 1", "BAD_COUNT", Some("ply")),
        ("8/8/8/8/8/8/3k4/R3K3 w - - 0 1", "ILLEGAL_POSITION", Some("board")),
        ("8/8/8/8/3k4/8/P7/R3K3 w - - 0 1", "HAS_PAWNS", None),
        ("rnsmk3/8/8/8/8/8/8/RN2K3 w - - 0 1", "TOO_MANY_MEN", None),
    ] {
        let status = client.failure(fen).await;
        assert_eq!(status.code(), Code::InvalidArgument, "{fen}");
        assert_eq!(reason(&status), expected, "{fen}: {status}");
        let details = status.get_error_details();
        let violations = &details.bad_request().unwrap().field_violations;
        assert_eq!((violations.len(), violations[0].field.as_str()), (1, "fen"));
        assert_eq!(violations[0].description, status.message());
        let named = details.error_info().unwrap().metadata.get("fen_field");
        assert_eq!(named.map(String::as_str), field, "{fen}: {status}");
    }
    assert!(client.probe(ROOK_WINS, true).await.is_ok());
}

fn assert_names(status: &Status, material: &str) {
    let command = format!("makruk-gen build {material}");
    let metadata = status.get_details_error_info().unwrap().metadata;
    assert_eq!((metadata["material"].as_str(), metadata["metric"].as_str()), (material, "dtm"));
    assert_eq!(metadata["command"], command);
    assert!(status.message().contains(&command), "{status}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_table_says_what_builds_it() {
    let server = Running::tables(tables()).await;
    let client = server.client().await;
    let status = client.failure("8/8/8/8/3k4/8/8/RR2K3 w - - 0 1").await;
    assert_eq!((status.code(), reason(&status).as_str()), (Code::NotFound, "MISSING_TABLE"));
    assert_names(&status, "KRRvK");
}

/// Spoils a part of a file.
fn damage(file: &Path, from: impl Fn(usize) -> usize) {
    let mut bytes = fs::read(file).unwrap();
    let from = from(bytes.len());
    bytes[from..].iter_mut().for_each(|byte| *byte ^= 0x55);
    fs::write(file, bytes).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_table_concerns_no_other() {
    let folder = own_tables();
    damage(&folder.path().join("KSvK.dtm"), |_| 0);
    damage(&folder.path().join("KRvK.dtm"), |len| len / 2);
    let server = Running::tables(folder.path()).await;
    let client = server.client().await;
    for (fen, material) in [("8/8/8/8/3k4/8/8/S3K3 w - - 0 1", "KSvK"), (ROOK_WINS, "KRvK")] {
        let status = client.failure(fen).await;
        assert_eq!((status.code(), reason(&status).as_str()), (Code::DataLoss, "CORRUPT_TABLE"), "{status}");
        assert_names(&status, material);
        assert!(!status.message().contains(folder.path().to_str().unwrap()), "{status}");
    }
    assert!(client.probe("8/8/8/8/3k4/8/8/N3K3 w - - 0 1", true).await.is_ok());
    // Repaired, it answers again: nothing of the failure is kept.
    fs::remove_file(folder.path().join("KSvK.dtm")).unwrap();
    assert_eq!(client.failure("8/8/8/8/3k4/8/8/S3K3 w - - 0 1").await.code(), Code::NotFound);
    fs::copy(tables().join("KSvK.dtm"), folder.path().join("KSvK.dtm")).unwrap();
    assert!(client.probe("8/8/8/8/3k4/8/8/S3K3 w - - 0 1", true).await.is_ok());
}
