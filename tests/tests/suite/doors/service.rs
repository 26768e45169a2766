//! HTTP and gRPC.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::path::Path;

use makruk_answers::{Answer, Refusal, Remedy};
use makruk_proto::v1;
use makruk_proto::v1::best_line_response::Part;
use makruk_proto::v1::tablebase_client::TablebaseClient;
use makruk_service::{Server, Settings};
use makruk_tables::rules::FenError;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tonic::Status;
use tonic::transport::Channel;
use tonic_types::StatusExt;

use super::{failing, json_of, of_tables, questions, right, tables};

/// A server of a folder, until the end of the test.
async fn serve(folder: &Path) -> SocketAddr {
    let server = Server::new(folder, Settings::default()).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { server.run(listener, std::future::pending()).await });
    address
}

/// The status and the answer to a request; with a body, it is posted.
async fn request(address: SocketAddr, path: &str, body: Option<&Value>) -> (u16, Value) {
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
    let body = serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}"));
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body)
}

/// The name of the material that a question is about.
fn name(question: &Value) -> &str {
    question["material"].as_str().unwrap()
}

/// A text as a value in an address.
fn escaped(text: &str) -> String {
    text.bytes().fold(String::new(), |mut escaped, byte| {
        write!(escaped, "%{byte:02x}").unwrap();
        escaped
    })
}

#[tokio::test]
async fn http_gives_them() {
    let address = serve(tables()).await;
    for mut question in questions().into_iter().chain(failing()).chain(of_tables()) {
        let right = right(&question, Remedy::Server);
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

/// The name of an enum's value in JSON: `CATEGORY_CURSED_WIN` is `cursed-win`.
fn word(name: &str, prefix: &str) -> String {
    let word = name.strip_prefix(prefix).unwrap().to_ascii_lowercase();
    if prefix == "CATEGORY_" { word.replace('_', "-") } else { word }
}

/// A message as JSON has it.
fn position(answer: &v1::ProbeResponse, moves: bool) -> Value {
    let mut json = json!({
        "fen": answer.fen,
        "material": answer.material,
        "side": word(answer.side().as_str_name(), "SIDE_"),
        "category": word(answer.category().as_str_name(), "CATEGORY_"),
        "dtm": answer.dtm_plies,
        "dtz": answer.dtz_plies,
        "count": count(answer.count.as_ref().unwrap()),
        "checkmate": answer.checkmate,
        "stalemate": answer.stalemate,
    });
    if moves {
        json["moves"] = answer.moves.iter().map(ranked).collect();
    }
    if !answer.notes.is_empty() {
        json["notes"] = json!(answer.notes);
    }
    json
}

fn count(count: &v1::Count) -> Value {
    json!({
        "rule": word(count.rule().as_str_name(), "COUNT_RULE_"),
        "limit": count.limit_plies,
        "ply": count.elapsed_plies,
        "attacker_moves_left": count.attacker_moves_left,
    })
}

fn ranked(mv: &v1::RankedMove) -> Value {
    json!({
        "uci": mv.uci,
        "san": mv.san,
        "category": word(mv.category().as_str_name(), "CATEGORY_"),
        "dtm": mv.dtm_plies,
        "dtz": mv.dtz_plies,
        "capture": mv.capture,
        "promotion": mv.promotion,
        "bares_king": mv.bares_king,
        "begins_count": mv.begins_count,
    })
}

/// A move of a line; its count is that of the FEN.
fn line_move(mv: &v1::RankedMove, fen: &str, unclaimed: Option<&str>, after: &v1::Count) -> Value {
    let mut json = ranked(mv);
    let given = fen.split(' ').nth(3).unwrap().parse::<u32>().ok();
    assert_eq!(after.limit_plies, given, "{fen}");
    json["fen"] = json!(fen);
    if let Some(unclaimed) = unclaimed {
        json["unclaimed_fen"] = json!(unclaimed);
    }
    json["attacker_moves_left"] = json!(after.attacker_moves_left);
    json
}

fn list(answer: &v1::ListTablesResponse) -> Value {
    let table = |table: &v1::Table| {
        let metric = word(table.metric().as_str_name(), "METRIC_");
        json!({ "material": table.material, "metric": metric, "men": table.men, "bytes": table.bytes })
    };
    json!({ "tables": answer.tables.iter().map(table).collect::<Value>() })
}

async fn line(client: &mut TablebaseClient<Channel>, request: v1::BestLineRequest) -> Result<Value, Status> {
    let mut parts = client.best_line(request).await?.into_inner();
    let (mut json, mut moves) = (Value::Null, Vec::new());
    while let Some(part) = parts.message().await? {
        match part.part.unwrap() {
            Part::Start(start) => json = position(&start, false),
            Part::Move(mv) => {
                let (made, after) = (mv.r#move.as_ref().unwrap(), mv.count.as_ref().unwrap());
                moves.push(line_move(made, &mv.fen, mv.unclaimed_fen.as_deref(), after));
                assert_eq!(mv.ply as usize, moves.len());
            }
            Part::End(end) => {
                json["end"] = json!(word(v1::LineEnd::try_from(end).unwrap().as_str_name(), "LINE_END_"));
            }
        }
    }
    json["line"] = json!(moves);
    Ok(json)
}

async fn play(client: &mut TablebaseClient<Channel>, request: v1::PlayRequest) -> Result<Value, Status> {
    let answer = client.play(request).await?.into_inner();
    let mut json = position(&answer.position.unwrap(), false);
    let made = answer.r#move.as_ref().map(|mv| {
        let after = answer.count.as_ref().unwrap();
        line_move(mv, answer.fen.as_ref().unwrap(), answer.unclaimed_fen.as_deref(), after)
    });
    json["move"] = json!(made);
    Ok(json)
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
                client.probe(request).await.map(|answer| position(answer.get_ref(), moves))
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
                let fens = serde_json::from_value(question["fens"].clone()).unwrap();
                let answer = client.probe_batch(v1::ProbeBatchRequest { fens, include_moves: moves }).await.unwrap();
                let Ok(Answer::Batch(right)) = right(&question, Remedy::Server) else { panic!("{question}") };
                for (result, right) in answer.into_inner().results.into_iter().zip(right) {
                    let right = serde_json::to_value(right).unwrap();
                    match result.result.unwrap() {
                        v1::probe_result::Result::Position(answer) => assert_eq!(position(&answer, moves), right),
                        v1::probe_result::Result::Error(error) => {
                            let reason = error.reason().reason().to_ascii_lowercase();
                            assert_eq!(
                                (json!(reason), json!(error.message)),
                                (right["reason"].clone(), right["error"].clone())
                            );
                            assert_eq!(error.metadata.get("command").map(String::as_str), right["command"].as_str());
                        }
                    }
                }
                continue;
            }
            "tables" => {
                let men = question["men"].as_u64().map(|men| men as u32);
                client.list_tables(v1::ListTablesRequest { men }).await.map(|answer| list(answer.get_ref()))
            }
            // The tests of the service compare their numbers.
            "statistics" => {
                let request = v1::TableStatisticsRequest { material: text("material"), include_longest: false };
                client.table_statistics(request).await.map(|_| json_of(&right(&question, Remedy::Server)))
            }
            "save_statistics" => {
                let request = v1::SaveStatisticsRequest { material: text("material"), sample: 0 };
                client.save_statistics(request).await.map(|_| json_of(&right(&question, Remedy::Server)))
            }
            _ => continue,
        };
        match (answer, right(&question, Remedy::Server)) {
            (Ok(answer), Ok(right)) => assert_eq!(answer, serde_json::to_value(right).unwrap(), "{question}"),
            (Err(status), Err(refusal)) => {
                let details = status.get_error_details();
                let info = details.error_info().unwrap();
                assert_eq!(info.reason.to_ascii_lowercase(), refusal.reason.name(), "{question}");
                assert_eq!((status.code() as i32, status.message()), (refusal.reason.grpc_code(), &*refusal.error));
                let fen_field = refusal.field.filter(|field| FenError::FIELDS.contains(field)).map(str::to_owned);
                let named = [
                    ("command", refusal.command.clone()),
                    ("found", refusal.found.clone()),
                    ("fen_field", fen_field),
                    ("material", refusal.table.map(|id| id.material.to_string())),
                    ("metric", refusal.table.map(|id| id.metric.to_string())),
                ];
                for (key, right) in named {
                    assert_eq!(info.metadata.get(key), right.as_ref(), "{question}");
                }
                let violations = details.bad_request().map_or(&[][..], |bad| &bad.field_violations);
                let violations: Vec<_> = violations.iter().map(|one| (&*one.field, &*one.description)).collect();
                let expected = refusal.field.map(|field| if FenError::FIELDS.contains(&field) { "fen" } else { field });
                assert_eq!(violations, expected.map(|field| (field, &*refusal.error)).into_iter().collect::<Vec<_>>());
            }
            (answer, right) => panic!("{question}: {answer:?}, {right:?}"),
        }
    }
}
