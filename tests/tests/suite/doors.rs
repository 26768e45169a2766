//! The same questions at every door: equal answers, equal refusals.
//!
//! The library's answers are right by its own tests; those of the questions here are compared with it once. A door may
//! differ in the sentence and the command for a table alone, since they depend on where the tables are.

#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use makruk_answers::{Answer, Door, Question, Refusal, Remedy, ask};
use makruk_probe::{LineIter, Policy, ProbeError, Prober, Tablebase};
use makruk_probe_wasm::{Outcome, Site};
use makruk_proto::v1;
use makruk_proto::v1::best_line_response::Part;
use makruk_proto::v1::tablebase_client::TablebaseClient;
use makruk_remote::{Catalogue, PublishError, publish};
use makruk_service::{Server, Settings};
use makruk_tables::format::{FORMAT_VERSION, TableFolder};
use makruk_tables::material::Material;
use makruk_tables::rules::{Fen, FenError, Reading};
use makruk_tests::programs::{PROBE, program};
use makruk_tests::{RandomPositions, random_position};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tonic::Status;
use tonic::transport::Channel;
use tonic_types::StatusExt;

use super::{dialects, games_of_others};

/// Positions of every kind, and texts that are none.
const TEXTS: [&str; 38] = [
    // Won, lost, drawn; with a running count of either kind, and with one that has run out.
    "8/8/8/8/3k4/8/8/R3K3 w - - 0 1",
    "8/8/8/8/3k4/8/8/R3K3 b - - 0 1",
    "8/8/8/8/3k4/8/8/R3K3 b - 32 20 9",
    "8/8/8/8/3k4/8/8/R3K3 w - 32 33 9",
    "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1",
    "8/8/8/8/8/4s1k1/4R3/K7 w - 128 90 50",
    "8/8/8/8/8/4s1k1/4R3/K7 b - 128 127 70",
    "8/8/8/8/8/8/7R/K2s2k1 b - - 0 1",
    "8/8/8/8/3k4/8/8/S3K3 w - - 0 1",
    "8/8/8/8/8/k1K5/8/7R w - - 0 1",
    // Pawns, promotions, two bare kings, mate, stalemate, a mate too late.
    "8/8/8/8/3k4/P7/8/4K3 w - - 0 1",
    "8/8/3k4/P7/8/8/8/4K3 w - - 0 1",
    "8/8/8/8/3k4/8/8/4K3 w - - 0 1",
    "k6R/8/1K6/8/8/8/8/8 b - - 0 1",
    "k7/1R6/2K5/8/8/8/8/8 b - - 0 1",
    "k6R/8/1K6/8/8/8/8/8 b - 32 35 1",
    // Written in another way.
    "8/8/8/8/3k4/8/8/R3K3 w",
    "8/8/8/8/8/4s1k1/4R3/K7 w 0 1",
    "8_8_8",
    "8/8/8/8/3k4/8/8/R3K3_w_-_-_0_1",
    // Without tables: of this material, or of any with as many men.
    "8/8/8/8/3k4/8/8/RR2K1N1 w - - 0 1",
    "8/8/8/8/4r3/3k4/8/RR2K3 b - 128 4 1",
    "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
    // Illegal.
    "8/8/8/8/8/8/8/K7 w - - 0 1",
    "8/8/8/8/8/P7/8/KRRR4 w",
    "8/8/8/8/8/8/Kk6/8 w",
    "8/8/8/8/8/6k1/6R1/K7 w",
    "8/8/P7/8/8/6k1/8/K7 w",
    "8/8/8/8/8/6k1/P7/K7 w",
    "8/8/8/PPPPP3/MMMMM3/8/6k1/K7 w",
    // No FEN.
    "nonsense",
    "8/8 w",
    "8/8/8/8/3k4/8/8/R3K3 x - - 0 1",
    "8/8/8/8/3k4/8/8/R3K3 w - 32 x 1",
    "8/8/8/8/3k4/8/8/R3K3 w - 64 1",
    "8/8/8/8/3k4/8/8/R3K3 w KQ - 0 x",
    "7/8/8/8/8/4s1k1/4R3/K7 w",
    "KRvK",
];
/// Positions whose tables are damaged, and of another version.
const DAMAGED: [&str; 2] = ["8/8/8/8/3k4/8/8/N3K3 w - - 0 1", "8/8/8/8/3k4/3n4/8/R3K3 w - - 0 1"];

/// The questions, as JSON.
fn questions() -> Vec<Value> {
    let [won, counted, ..] = [TEXTS[0], TEXTS[5]];
    let of_texts = TEXTS.iter().flat_map(|fen| {
        [
            json!({ "ask": "probe", "fen": fen, "moves": true }),
            json!({ "ask": "probe", "fen": fen, "moves": false }),
            json!({ "ask": "explore", "fen": fen }),
            json!({ "ask": "line", "fen": fen, "max_plies": 9 }),
            json!({ "ask": "play", "fen": fen }),
            json!({ "ask": "category", "fen": fen }),
            json!({ "ask": "lichess", "fen": fen }),
            json!({ "ask": "lichess_line", "fen": fen }),
        ]
    });
    let policies = ["fastest", "safest", "stubborn", "tricky", "bold"].into_iter().flat_map(|policy| {
        [
            json!({ "ask": "line", "fen": won, "defence": policy }),
            json!({ "ask": "play", "fen": counted, "policy": policy }),
        ]
    });
    let sides = ["white", "black", "green"]
        .into_iter()
        .flat_map(|side| [won, counted, TEXTS[2]].map(|fen| json!({ "ask": "explore", "fen": fen, "counts": side })));
    let games = [
        format!("[White \"A\"]\n[FEN \"{won}\"]\n\n1. Kd2 Ke4 2. Ra4+ Kf3 3. Kd3 *"),
        format!("[FEN \"{}\"]\n\n1. Ra4+ 1-0\n\n[FEN \"{won}\"]\n\n1. Ra9 *", TEXTS[20]),
        format!("[FEN \"{won}\"]\n\n1. Kd2 {{"),
        "1. e3e4 d6d5".to_owned(),
        String::new(),
    ];
    let games = games.into_iter().chain(games_of_others::texts()).map(|pgn| json!({ "ask": "analyse", "pgn": pgn }));
    let from = json!({ "ask": "analyse", "pgn": "รxจ๓+ ข-ฉ๔", "from": "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1" });
    let batches = [true, false].map(|moves| json!({ "ask": "batch", "fens": TEXTS[..], "moves": moves }));
    let mut rng = fastrand::Rng::with_seed(47);
    let random = |_| Fen::new(random_position(&mut rng, RandomPositions::with_pawns(4)), None).to_string();
    let random: Vec<String> = (0..40).map(random).collect();
    let random = random.into_iter().map(|fen| json!({ "ask": "explore", "fen": fen }));
    let written = dialects::texts().into_iter().map(|fen| json!({ "ask": "probe", "fen": fen, "moves": true }));
    of_texts
        .chain(random)
        .chain(written)
        .chain(policies)
        .chain(sides)
        .chain(games)
        .chain([from])
        .chain(batches)
        .collect()
}

/// The same of positions whose tables fail.
fn failing() -> impl Iterator<Item = Value> {
    DAMAGED.into_iter().flat_map(|fen| {
        ["probe", "explore", "line", "play"].map(|kind| json!({ "ask": kind, "fen": fen })).into_iter().chain([
            json!({ "ask": "batch", "fens": [fen, TEXTS[0]], "moves": true }),
            json!({ "ask": "analyse", "pgn": format!("[FEN \"{fen}\"]\n\n*") }),
        ])
    })
}

/// A site with tables, whose folder is kept.
fn whole() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = own_tables();
        let tables = TableFolder::create(&folder).unwrap();
        publish::<PublishError>(&tables, &folder, ".", |_, _| Ok(())).unwrap();
        folder
    })
}

/// The same tables, two of which fail: damaged, and of another version.
fn tables() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = own_tables();
        let older = [&b"\x89MKT\r\n\x1a\n"[..], &[FORMAT_VERSION as u8 - 1], &[0; 300]].concat();
        for (material, bytes) in [("KNvK", &b"no table"[..]), ("KRvKN", &older)] {
            for metric in ["dtm", "dtz", "category"] {
                // What is there is shared with other tests.
                let file = folder.join(format!("{material}.{metric}"));
                if fs::remove_file(&file).is_ok() {
                    fs::write(file, bytes).unwrap();
                }
            }
        }
        folder
    })
}

fn own_tables() -> PathBuf {
    let materials = test_tables::materials(&["KRvKS", "KRvKN"]);
    test_tables::own(&test_tables::usual(materials.clone()), materials.into_iter().chain(Material::all(3))).keep()
}

fn prober(folder: &Path) -> Prober {
    Prober::new(Tablebase::new(folder))
}

/// The library's answer to a question.
fn right(question: &Value, remedy: Remedy) -> Result<Answer, Box<Refusal>> {
    let question: Question = serde_json::from_value(question.clone()).unwrap();
    let folder = if matches!(remedy, Remedy::Site) { whole() } else { tables() };
    ask(question, prober(folder), Door { remedy, most_positions: usize::MAX })
}

fn json_of(answer: &Result<Answer, Box<Refusal>>) -> Value {
    match answer {
        Ok(answer) => serde_json::to_value(answer).unwrap(),
        Err(refusal) => serde_json::to_value(refusal).unwrap(),
    }
}

#[test]
fn the_answers_are_those_of_the_library() {
    let prober = prober(tables());
    for fen in TEXTS {
        let answer = |kind| right(&json!({ "ask": kind, "fen": fen, "moves": true }), Remedy::Server);
        let read = Reading::parse(fen).map_err(ProbeError::from);
        let verdict = read.and_then(|reading| Ok((prober.probe(&reading.fen)?, reading)));
        let (verdict, Reading { fen, notes }) = match verdict {
            Ok(found) => found,
            Err(error) => {
                assert_eq!(answer("probe").unwrap_err().reason.name(), error.reason().name(), "{fen}");
                continue;
            }
        };
        let Answer::Position(position) = answer("probe").unwrap() else { panic!("{fen}") };
        assert_eq!((&position.fen, position.notes.len()), (&fen.to_string(), notes.len()));
        let found = (position.category, position.dtm, position.dtz, position.count.attacker_moves_left);
        let (dtm, dtz) = (verdict.dtm.signed_plies(), verdict.dtz.signed_plies());
        assert_eq!(found, (verdict.category, dtm, dtz, verdict.count.attacker_moves_left), "{fen}");
        let moves = prober.moves(&fen).unwrap().into_iter().map(|mv| (mv.mv.to_string(), mv.category));
        let found = position.moves.unwrap().into_iter().map(|mv| (mv.uci, mv.category));
        assert_eq!(found.collect::<Vec<_>>(), moves.collect::<Vec<_>>(), "{fen}");
        let Answer::Line(found) = answer("line").unwrap() else { panic!("{fen}") };
        let line = LineIter::new(prober.clone(), &fen, Policy::Safest, 2000).line().unwrap();
        let made = line.moves.iter().map(|mv| (mv.san.clone(), mv.after.to_string()));
        assert_eq!(found.end, line.end, "{fen}");
        assert!(found.line.into_iter().map(|mv| (mv.mv.san, mv.fen)).eq(made), "{fen}");
        let Answer::Play(found) = answer("play").unwrap() else { panic!("{fen}") };
        let played = prober.play(&fen, Policy::Safest).unwrap().map(|mv| mv.mv.to_string());
        assert_eq!(found.mv.map(|mv| mv.mv.uci), played, "{fen}");
    }
}

/// The outcome of a question to a site, whose bytes are fetched, and the number of fetches.
fn ask_site(site: &Site, question: Value) -> (Value, usize) {
    let mut asking = match site.begin(serde_json::from_value(question).unwrap()) {
        Ok(asking) => asking,
        Err(refusal) => return (serde_json::to_value(refusal).unwrap(), 0),
    };
    for rounds in 0..200 {
        let wants = match site.go_on(&mut asking) {
            Outcome::Answer(answer) => return (serde_json::to_value(answer).unwrap(), rounds),
            Outcome::Refused(refusal) => return (serde_json::to_value(refusal).unwrap(), rounds),
            Outcome::Wants(wants) => wants,
        };
        assert!(!wants.is_empty());
        for want in wants {
            let whole = fs::read(whole().join(want.file.to_string())).unwrap();
            let end = want.len.map_or(whole.len(), |len| (want.offset + len) as usize);
            site.store.give(want.file, want.offset, &whole[want.offset as usize..end]).unwrap();
        }
    }
    panic!("the question has no end");
}

#[test]
fn a_site_gives_them() {
    let site = Site::new(Catalogue::read(&fs::read(whole().join(Catalogue::PATH)).unwrap()).unwrap(), 1 << 20);
    for question in questions() {
        let (answer, rounds) = ask_site(&site, question.clone());
        assert_eq!(answer, json_of(&right(&question, Remedy::Site)), "{question}");
        assert!(
            rounds <= if question["ask"].as_str().unwrap().contains("line") { 100 } else { 4 },
            "{rounds} rounds: {question}"
        );
    }
    assert!(serde_json::from_str::<Question>(r#"{"ask":"search"}"#).is_err());
}

#[test]
fn query_gives_them() {
    let written = dialects::texts();
    let texts = || TEXTS.into_iter().chain(DAMAGED).chain(written.iter().map(String::as_str));
    let mut command = program(PROBE);
    let output = command.args(["query", "--json", "--moves", "--tables"]).arg(tables()).arg("--").args(texts());
    let output = String::from_utf8(output.output().unwrap().stdout).unwrap();
    assert_eq!(output.lines().count(), texts().count(), "{output}");
    for (fen, line) in texts().zip(output.lines()) {
        let sentence: fn(&ProbeError) -> String = ToString::to_string;
        let question = json!({ "ask": "probe", "fen": fen, "moves": true });
        let (mut right, answer) =
            (json_of(&right(&question, Remedy::Folder(sentence))), line.parse::<Value>().unwrap());
        if let (Some(expected), Some(error)) = (right["error"].as_str(), answer["error"].as_str()) {
            // What helps is added.
            assert!(error.starts_with(expected), "{error}: {expected}");
            right["error"] = answer["error"].clone();
        }
        assert_eq!(answer, right, "{fen}");
    }
}

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
    for mut question in questions().into_iter().chain(failing()) {
        let right = right(&question, Remedy::Server);
        let kind = question.as_object_mut().unwrap().remove("ask").unwrap();
        let (status, answer) = match kind.as_str().unwrap() {
            "category" => continue,
            kind @ ("batch" | "analyse") => request(address, &format!("/v1/{kind}"), Some(&question)).await,
            kind => {
                let path = match kind {
                    "lichess" => "/makruk".to_owned(),
                    "lichess_line" => "/makruk/mainline".to_owned(),
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
fn line_move(mv: &v1::RankedMove, fen: &str, after: &v1::Count) -> Value {
    let mut json = ranked(mv);
    let given = fen.split(' ').nth(3).unwrap().parse::<u32>().ok();
    assert_eq!(after.limit_plies, given, "{fen}");
    json["fen"] = json!(fen);
    json["attacker_moves_left"] = json!(after.attacker_moves_left);
    json
}

async fn line(client: &mut TablebaseClient<Channel>, request: v1::BestLineRequest) -> Result<Value, Status> {
    let mut parts = client.best_line(request).await?.into_inner();
    let (mut json, mut moves) = (Value::Null, Vec::new());
    while let Some(part) = parts.message().await? {
        match part.part.unwrap() {
            Part::Start(start) => json = position(&start, false),
            Part::Move(mv) => {
                moves.push(line_move(mv.r#move.as_ref().unwrap(), &mv.fen, mv.count.as_ref().unwrap()));
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
    let made = answer.r#move.as_ref();
    json["move"] = json!(made.map(|mv| line_move(mv, answer.fen.as_ref().unwrap(), answer.count.as_ref().unwrap())));
    Ok(json)
}

#[tokio::test]
async fn grpc_gives_them() {
    let mut client = TablebaseClient::connect(format!("http://{}", serve(tables()).await)).await.unwrap();
    for question in questions().into_iter().chain(failing()) {
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
