//! Health.

use tokio_stream::StreamExt;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

use super::harness::{LONG, ROOK_WINS, Running, tables};
use crate::Shutdown;

const TABLEBASE: &str = "makruk.v1.Tablebase";

fn of(service: &str) -> HealthCheckRequest {
    HealthCheckRequest { service: service.to_owned() }
}

#[tokio::test(flavor = "multi_thread")]
async fn health_follows_the_folder_and_shutdown_ends_the_watch() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("tables");
    let mut server = Running::tables(&folder).await;
    let mut health = HealthClient::new(server.channel().await);
    let mut watch = health.watch(of(TABLEBASE)).await.unwrap().into_inner();
    let mut next = async || {
        let answer = tokio::time::timeout(LONG, watch.next()).await.unwrap();
        answer.map(|answer| answer.unwrap().status())
    };
    assert_eq!(next().await, Some(ServingStatus::NotServing));
    // Ready means that a table can be opened: a folder alone is not enough.
    std::fs::create_dir(&folder).unwrap();
    std::fs::copy(tables().join("KRvK.dtm"), folder.join("KRvK.dtm")).unwrap();
    assert_eq!(next().await, Some(ServingStatus::Serving));
    assert_eq!(health.check(of("")).await.unwrap().into_inner().status(), ServingStatus::Serving);
    assert_eq!(health.check(of("makruk.v1.Other")).await.unwrap_err().code(), tonic::Code::NotFound);
    // Tables that are added later are found.
    assert!(server.client().await.probe(ROOK_WINS, false).await.is_ok());
    server.stop();
    assert_eq!(next().await, Some(ServingStatus::NotServing));
    assert_eq!(next().await, None);
    assert_eq!(server.ended().await, Shutdown::Drained);
}
