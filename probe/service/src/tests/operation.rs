//! Health and reflection.

use tokio_stream::StreamExt;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_reflection::pb::v1::ServerReflectionRequest;
use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;
use tonic_reflection::pb::v1::server_reflection_response::MessageResponse;

use super::harness::{LONG, ROOK_WINS, Running, tables};
use crate::Shutdown;

const TABLEBASE: &str = "makruk.v1.Tablebase";

fn of(service: &str) -> HealthCheckRequest {
    HealthCheckRequest { service: service.to_owned() }
}

#[tokio::test(flavor = "multi_thread")]
async fn healthy_with_tables() {
    let server = Running::tables(tables()).await;
    let mut health = HealthClient::new(server.channel().await);
    for service in ["", TABLEBASE] {
        let status = health.check(of(service)).await.unwrap().into_inner().status();
        assert_eq!(status, ServingStatus::Serving, "{service:?}");
    }
    assert_eq!(health.check(of("makruk.v1.Other")).await.unwrap_err().code(), tonic::Code::NotFound);
}

#[tokio::test(flavor = "multi_thread")]
async fn health_follows_the_folder_and_shutdown_ends_the_watch() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("tables");
    let mut server = Running::tables(&folder).await;
    let channel = server.channel().await;
    let mut watch = HealthClient::new(channel).watch(of(TABLEBASE)).await.unwrap().into_inner();
    let mut next = async || {
        let answer = tokio::time::timeout(LONG, watch.next()).await.unwrap();
        answer.map(|answer| answer.unwrap().status())
    };
    assert_eq!(next().await, Some(ServingStatus::NotServing));
    // Ready means that a table can be opened: a folder alone is not enough.
    std::fs::create_dir(&folder).unwrap();
    std::fs::copy(tables().join("KRvK.dtm"), folder.join("KRvK.dtm")).unwrap();
    assert_eq!(next().await, Some(ServingStatus::Serving));
    // Tables that are added later are found.
    assert!(server.client().await.probe(ROOK_WINS, false).await.is_ok());
    server.stop();
    assert_eq!(next().await, Some(ServingStatus::NotServing));
    assert_eq!(next().await, None);
    assert_eq!(server.ended().await, Shutdown::Drained);
}

#[tokio::test(flavor = "multi_thread")]
async fn reflection_lists_and_describes() {
    let server = Running::tables(tables()).await;
    let mut client = ServerReflectionClient::new(server.channel().await);
    let ask = |message| ServerReflectionRequest { host: String::new(), message_request: Some(message) };
    let requests = [
        ask(MessageRequest::ListServices(String::new())),
        ask(MessageRequest::FileContainingSymbol(TABLEBASE.to_owned())),
    ];
    let mut answers = client.server_reflection_info(tokio_stream::iter(requests)).await.unwrap().into_inner();
    let mut next = async || answers.next().await.unwrap().unwrap().message_response.unwrap();
    let MessageResponse::ListServicesResponse(list) = next().await else { panic!("no list") };
    let mut names: Vec<_> = list.service.into_iter().map(|service| service.name).collect();
    names.sort();
    assert_eq!(names, ["grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection", TABLEBASE]);
    let MessageResponse::FileDescriptorResponse(file) = next().await else { panic!("no file") };
    let text = String::from_utf8_lossy(&file.file_descriptor_proto[0]).into_owned();
    assert!(text.contains("makruk/v1/tablebase.proto") && text.contains("Plies to mate with best play"));
}
