//! HTTP and gRPC.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::LazyLock;

use makruk_answers::{Answer, BatchItem, Refusal};
use makruk_proto::v1;
use makruk_proto::v1::tablebase_client::TablebaseClient;
use makruk_rules::FenError;
use makruk_service::{Server, Settings};
use protox::prost::Message;
use protox::prost_reflect::{DescriptorPool, DynamicMessage, FieldDescriptor, Kind, ReflectMessage, Value as Part};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tonic::Status;
use tonic::transport::Channel;
use tonic_types::StatusExt;

use super::{SERVER, failing, json_of, of_tables, questions, right, tables};

/// A server of a folder, until the end of the test.
pub(crate) async fn serve(folder: &Path) -> SocketAddr {
    let server = Server::new(folder, Settings::default()).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { server.run(listener, Box::pin(std::future::pending())).await });
    address
}

/// The status of a request and the answer, as JSON.
async fn request(address: SocketAddr, path: &str, body: Option<&Value>) -> (u16, Value) {
    let (status, answer) = answer(address, path, body).await;
    (status, serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{error}: {answer}")))
}

/// The status and the text of the answer to a request; with a body, it is posted.
pub(crate) async fn answer(address: SocketAddr, path: &str, body: Option<&Value>) -> (u16, String) {
    let (method, body) = (if body.is_some() { "POST" } else { "GET" }, body.map(Value::to_string).unwrap_or_default());
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: test\r\nconnection: close\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n",
        body.len()
    );
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all((head + &body).as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

/// The name of the material that a question is about.
fn name(question: &Value) -> &str {
    question["material"].as_str().unwrap()
}

/// A text as a value in an address.
pub(crate) fn escaped(text: &str) -> String {
    text.bytes().fold(String::new(), |mut escaped, byte| {
        write!(escaped, "%{byte:02x}").unwrap();
        escaped
    })
}

#[tokio::test]
async fn http_gives_them() {
    let address = serve(tables()).await;
    for mut question in questions().into_iter().chain(failing()).chain(of_tables()) {
        let right = right(&question, SERVER);
        let kind = question.as_object_mut().unwrap().remove("ask").unwrap();
        let (status, answer) = match kind.as_str().unwrap() {
            "category" => continue,
            kind @ ("batch" | "analyse") => request(address, &format!("/v1/{kind}"), Some(&question)).await,
            kind => {
                let path = match kind {
                    "lichess" => "/makruk".to_owned(),
                    "lichess_line" => "/makruk/mainline".to_owned(),
                    "statistics" => format!("/v1/tables/{}", name(&question)),
                    "examples" => format!("/v1/tables/{}/saves", name(&question)),
                    "save_statistics" => format!("/v1/saves/{}", name(&question)),
                    kind => format!("/v1/{kind}"),
                };
                if kind == "probe" && question["moves"].is_null() {
                    question["moves"] = json!(false);
                }
                if question["longest"] == "known" {
                    question["longest"] = json!(true);
                }
                let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                let fields = question.as_object().unwrap().iter();
                let fields: Vec<String> =
                    fields.map(|(key, value)| format!("{key}={}", escaped(&text(value)))).collect();
                request(address, &format!("{path}?{}", fields.join("&")), None).await
            }
        };
        let of_refusal = |refusal: &Refusal| refusal.reason.http_status();
        assert_eq!(answer, json_of(&right), "{kind} {question}");
        assert_eq!(status, right.as_ref().err().map_or(200, |refusal| of_refusal(refusal)), "{question}");
    }
}

/// Fields of messages that have another name in JSON.
const NAMES: [(&str, &str); 9] = [
    ("dtm_plies", "dtm"),
    ("dtz_plies", "dtz"),
    ("limit_plies", "limit"),
    ("elapsed_plies", "ply"),
    ("won", "win"),
    ("drawn", "draw"),
    ("lost", "loss"),
    ("won_within_count", "win_within_count"),
    ("lost_within_count", "loss_within_count"),
];
/// Fields of JSON that messages lack.
const ONLY_JSON: [&str; 2] = ["win_count_moves", "loss_count_moves"];

/// A message of this name as JSON has it, without what is absent.
fn json_of_message(name: &str, message: &impl Message) -> Value {
    static POOL: LazyLock<DescriptorPool> = LazyLock::new(|| DescriptorPool::decode(v1::FILE_DESCRIPTOR_SET).unwrap());
    let kind = POOL.get_message_by_name(&format!("makruk.v1.{name}")).unwrap();
    pruned(object(&DynamicMessage::decode(kind, &*message.encode_to_vec()).unwrap()))
}

fn object(message: &DynamicMessage) -> Value {
    let kind = message.descriptor();
    let fields = kind.fields().filter(|field| !field.supports_presence() || message.has_field(field));
    let fields = fields.map(|field| (field.name().to_owned(), plain(&message.get_field(&field), &field)));
    if ["DistanceCount", "ShortByCount"].contains(&kind.name()) {
        return fields.map(|(_, value)| value).collect();
    }
    let named = |name: String| NAMES.iter().find(|names| names.0 == name).map_or(name, |names| names.1.to_owned());
    let mut found: serde_json::Map<String, Value> = fields.map(|(name, value)| (named(name), value)).collect();
    if kind.name() == "ProbeResponse" {
        let [white, black] = ["white_can_mate", "black_can_mate"].map(|name| found.remove(name));
        found.insert("can_mate".to_owned(), json!({ "white": white, "black": black }));
    }
    Value::Object(found)
}

fn plain(value: &Part, field: &FieldDescriptor) -> Value {
    match value {
        Part::Bool(value) => json!(value),
        Part::I32(value) => json!(value),
        Part::U32(value) => json!(value),
        Part::U64(value) => json!(value),
        Part::String(value) => json!(value),
        Part::Message(message) => object(message),
        Part::List(pairs) if field.name() == "short_by" => {
            let pairs = pairs.iter().map(|pair| plain(pair, field));
            Value::Object(pairs.map(|pair| (pair[0].to_string(), pair[1].clone())).collect())
        }
        Part::List(values) => values.iter().map(|value| plain(value, field)).collect(),
        // `CATEGORY_CURSED_WIN` is `cursed-win`.
        Part::EnumNumber(number) => {
            let Kind::Enum(kind) = field.kind() else { panic!("{field:?}") };
            let [none, value] = [0, *number].map(|number| kind.get_value(number).unwrap().name().to_ascii_lowercase());
            let word = value.strip_prefix(none.strip_suffix("unspecified").unwrap()).unwrap();
            if kind.name() == "Category" { json!(word.replace('_', "-")) } else { json!(word) }
        }
        _ => panic!("{field:?}"),
    }
}

/// JSON without what messages leave out: `null`, `false`, empty lists, and the fields that they lack.
fn pruned(mut json: Value) -> Value {
    match &mut json {
        Value::Array(values) => values.iter_mut().for_each(|value| *value = pruned(value.take())),
        Value::Object(fields) => {
            fields.values_mut().for_each(|value| *value = pruned(value.take()));
            let is_left_out = |value: &Value| [Value::Null, json!(false), json!([])].contains(value);
            fields.retain(|name, value| !is_left_out(value) && !ONLY_JSON.contains(&&**name));
        }
        _ => {}
    }
    json
}

/// A move made and the position after it, as JSON has them; the count after it is that of the FEN.
fn line_move(part: &mut Value) -> Value {
    let (mut json, count) = (part["move"].take(), part["count"].take());
    let fields: Vec<&str> = part["fen"].as_str().unwrap().split(' ').collect();
    let given = [3, 4].map(|at| fields[3].parse::<u64>().and(fields[at].parse()).ok());
    assert_eq!([&count["limit"], &count["ply"]].map(Value::as_u64), given, "{part}");
    for name in ["fen", "unclaimed_fen"] {
        json[name] = part[name].take();
    }
    json["attacker_moves_left"] = count["attacker_moves_left"].clone();
    pruned(json)
}

async fn line(client: &mut TablebaseClient<Channel>, request: v1::BestLineRequest) -> Result<Value, Status> {
    let mut parts = client.best_line(request).await?.into_inner();
    let (mut json, mut moves) = (Value::Null, Vec::new());
    while let Some(part) = parts.message().await? {
        let mut part = json_of_message("BestLineResponse", &part);
        if part["start"].is_object() {
            json = part["start"].take();
        } else if part["move"].is_object() {
            moves.push(line_move(&mut part["move"]));
            assert_eq!(part["move"]["ply"], moves.len());
        } else {
            json["end"] = part["end"].take();
        }
    }
    json["line"] = json!(moves);
    Ok(json)
}

async fn play(client: &mut TablebaseClient<Channel>, request: v1::PlayRequest) -> Result<Value, Status> {
    let mut answer = json_of_message("PlayResponse", client.play(request).await?.get_ref());
    let mut json = answer["position"].take();
    json["move"] = if answer["move"].is_object() { line_move(&mut answer) } else { Value::Null };
    Ok(json)
}

/// Compares what a status, or an item of a batch, says with a refusal.
fn check_refusal((code, reason, message): (i32, &str, &str), metadata: &HashMap<String, String>, refusal: &Refusal) {
    let said = (code, &*reason.to_ascii_lowercase(), message);
    assert_eq!(said, (refusal.reason.grpc_code(), refusal.reason.name(), &*refusal.error));
    let fen_field = refusal.field.filter(|field| FenError::FIELDS.contains(field)).map(str::to_owned);
    let named = [
        ("command", refusal.command.clone()),
        ("found", refusal.found.clone()),
        ("fen_field", fen_field),
        ("material", refusal.table().map(|id| id.material.to_string())),
        ("metric", refusal.table().map(|id| id.metric.to_string())),
    ];
    for (key, right) in named {
        assert_eq!(metadata.get(key), right.as_ref(), "{message}");
    }
}

fn check_items(answers: Vec<v1::ProbeResult>, right: &[BatchItem]) {
    assert_eq!(answers.len(), right.len());
    for (answer, right) in answers.into_iter().zip(right) {
        match (answer.result.unwrap(), right) {
            (v1::probe_result::Result::Position(answer), BatchItem::Judged(right)) => {
                assert_eq!(json_of_message("ProbeResponse", &answer), pruned(serde_json::to_value(right).unwrap()));
            }
            (v1::probe_result::Result::Error(error), BatchItem::Refused(refusal)) => {
                check_refusal((error.code, error.reason().reason(), &error.message), &error.metadata, refusal);
            }
            (answer, right) => panic!("{answer:?}, {right:?}"),
        }
    }
}

#[tokio::test]
async fn grpc_gives_them() {
    let mut client = TablebaseClient::connect(format!("http://{}", serve(tables()).await)).await.unwrap();
    for question in questions().into_iter().chain(failing()).chain(of_tables()) {
        let text = |field: &str| question[field].as_str().unwrap_or_default().to_owned();
        let policy = |field: &str| match v1::Policy::from_str_name(&format!("POLICY_{}", text(field).to_uppercase())) {
            Some(policy) => Some(policy.into()),
            None if text(field).is_empty() => Some(0),
            None => None,
        };
        let moves = question["moves"] == true;
        let answer = match question["ask"].as_str().unwrap() {
            "probe" => {
                let request = v1::ProbeRequest { fen: text("fen"), include_moves: moves };
                client.probe(request).await.map(|answer| json_of_message("ProbeResponse", answer.get_ref()))
            }
            "line" => {
                let Some(defence) = policy("defence") else { continue };
                let max_plies = question["max_plies"].as_u64().unwrap_or(0) as u32;
                line(&mut client, v1::BestLineRequest { fen: text("fen"), defence, max_plies }).await
            }
            "play" => {
                let Some(policy) = policy("policy") else { continue };
                play(&mut client, v1::PlayRequest { fen: text("fen"), policy }).await
            }
            "batch" => {
                let fens: Vec<String> = serde_json::from_value(question["fens"].clone()).unwrap();
                let one_by_one = fens.clone().into_iter();
                let one_by_one = one_by_one.map(move |fen| v1::ProbeStreamRequest { fen, include_moves: moves });
                let mut streamed = client.probe_stream(tokio_stream::iter(one_by_one)).await.unwrap().into_inner();
                let mut results = Vec::new();
                while let Some(answer) = streamed.message().await.unwrap() {
                    results.push(answer.result.unwrap());
                }
                let answer = client.probe_batch(v1::ProbeBatchRequest { fens, include_moves: moves }).await.unwrap();
                let Ok(Answer::Batch(right)) = right(&question, SERVER) else { panic!("{question}") };
                check_items(answer.into_inner().results, &right);
                check_items(results, &right);
                continue;
            }
            "tables" => {
                let men = question["men"].as_u64().map(|men| men as u32);
                let answer = client.list_tables(v1::ListTablesRequest { men }).await;
                answer.map(|answer| json_of_message("ListTablesResponse", answer.get_ref()))
            }
            "statistics" => {
                let include_longest = question["longest"] == "known";
                let request = v1::TableStatisticsRequest { material: text("material"), include_longest };
                let answer = client.table_statistics(request).await;
                answer.map(|answer| json_of_message("TableStatisticsResponse", answer.get_ref()))
            }
            "save_statistics" => {
                let sample = question["sample"].as_u64().unwrap() as u32;
                let request = v1::SaveStatisticsRequest { material: text("material"), sample };
                let answer = client.save_statistics(request).await;
                answer.map(|answer| json_of_message("SaveStatisticsResponse", answer.get_ref()))
            }
            _ => continue,
        };
        match (answer, right(&question, SERVER)) {
            (Ok(answer), Ok(right)) => {
                assert_eq!(pruned(answer), pruned(serde_json::to_value(right).unwrap()), "{question}");
            }
            (Err(status), Err(refusal)) => {
                let details = status.get_error_details();
                let info = details.error_info().unwrap();
                check_refusal((status.code() as i32, &info.reason, status.message()), &info.metadata, &refusal);
                let violations = details.bad_request().map_or(&[][..], |bad| &bad.field_violations);
                let violations: Vec<_> = violations.iter().map(|one| (&*one.field, &*one.description)).collect();
                let expected = refusal.field.map(|field| if FenError::FIELDS.contains(&field) { "fen" } else { field });
                assert_eq!(violations, expected.map(|field| (field, &*refusal.error)).into_iter().collect::<Vec<_>>());
            }
            (answer, right) => panic!("{question}: {answer:?}, {right:?}"),
        }
    }
}
