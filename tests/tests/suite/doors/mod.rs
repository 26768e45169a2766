//! The same questions at every door: equal answers, equal refusals.
//!
//! The library's answers are right by its own tests; those of the questions here are compared with it once. A door may
//! differ in the sentence and the command for a table alone, since they depend on where the tables are.

#![allow(clippy::unwrap_used)]

mod programs;
pub(crate) mod service;
mod site;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use makruk_answers::{Answer, Ask, Door, ExploredMove, FieldValue, GameAnswer, Question, Refusal, Remedy};
use makruk_format::{FORMAT_VERSION, TableFolder};
use makruk_probe::{KnownMoves, Policy, ProbeError, Prober, Tablebase, Verdict};
use makruk_remote::{PublishError, publish};
use makruk_rules::{Color, Fen, Reading};
use makruk_tables::material::Material;
use serde_json::{Value, json};
use test_tables::{RandomPositions, random_position};

use super::{dialects, games_of_others};

/// Positions of every kind, and texts that are none.
const TEXTS: [&str; 47] = [
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
    "",
    "nonsense",
    "8/8 w",
    "8/8/8/8/3k4/8/8/R3K3 x - - 0 1",
    "8/8/8/8/3k4/8/8/R3K3 w - 32 x 1",
    "8/8/8/8/3k4/8/8/R3K3 w - 64 1",
    "8/8/8/8/3k4/8/8/R3K3 w KQ - 0 x",
    "7/8/8/8/8/4s1k1/4R3/K7 w",
    "KRvK",
    // Counts that no game reaches, and a PLY that is missing.
    "8/8/8/8/2k5/8/8/K5R1 b - 32 0 1",
    "8/8/8/8/2k5/8/8/K5R1 b - 16 3 1",
    "8/8/8/8/8/4s1k1/4R3/K7 w - 64 10 1",
    "8/8/8/8/2k5/8/8/K5R1 b - 32",
    // With a table whose pawn becomes a met, and none of that: a promotion is unknown.
    "8/8/8/2P5/4k3/8/N7/K7 w - - 0 1",
    "8/8/8/2P5/3k4/8/N7/K7 b - - 0 1",
    "k7/8/1K6/2P5/8/8/N7/8 w - - 0 1",
    "8/8/8/8/8/k1P5/N7/K7 w - - 0 1",
];
/// The material of the last ones, whose children are not all there.
const PARTIAL: &str = "KNPvK";
/// Positions whose tables are damaged, of another version, cut short, and a web page.
const DAMAGED: [&str; 4] = [
    "8/8/8/8/3k4/8/8/N3K3 w - - 0 1",
    "8/8/8/8/3k4/3n4/8/R3K3 w - - 0 1",
    "8/8/8/8/3k4/3m4/8/M3K3 w - - 0 1",
    "8/8/8/8/3k4/3n4/8/N3K3 w - - 0 1",
];

/// The version of the latter.
const OLDER: u32 = FORMAT_VERSION - 1;

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
        "[FEN \"8/8/8/8/2k5/8/8/K5R1 b - 32 0 1\"]\n\n1... Kb3 0-1".to_owned(),
        "1. e3e4 d6d5".to_owned(),
        String::new(),
    ];
    let games = games.into_iter().chain(games_of_others::texts()).map(|pgn| json!({ "ask": "analyse", "pgn": pgn }));
    let from = json!({ "ask": "analyse", "pgn": "รxจ๓+ ข-ฉ๔", "from": "8/8/8/8/8/4b1k1/4R3/K7 w - 64 10 1" });
    let unclaimed = json!({ "ask": "analyse", "pgn": format!("[FEN \"{counted}\"]\n\n1. Re1 *").replace("128 90", "- 0"), "unclaimed": true });
    let batches = [true, false].map(|moves| json!({ "ask": "batch", "fens": TEXTS[..], "moves": moves }));
    let mut rng = fastrand::Rng::with_seed(47);
    let random =
        |_| Fen::new(random_position(&mut rng, RandomPositions { most_men: 4, pawns: true }), None).to_string();
    let random: Vec<String> = (0..40).map(random).collect();
    let random = random.into_iter().map(|fen| json!({ "ask": "explore", "fen": fen }));
    let written = dialects::texts().into_iter().map(|fen| json!({ "ask": "probe", "fen": fen, "moves": true }));
    of_texts
        .chain(random)
        .chain(written)
        .chain(policies)
        .chain(sides)
        .chain(games)
        .chain([from, unclaimed])
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

/// Questions about tables and whole materials: with tables, without, damaged, and names of none.
fn of_tables() -> impl Iterator<Item = Value> {
    let lists = [None, Some(3), Some(900)].into_iter().flat_map(|men| {
        ["tables", "materials"]
            .map(|kind| if men.is_none() { json!({ "ask": kind }) } else { json!({ "ask": kind, "men": men }) })
    });
    let longest = json!({ "ask": "statistics", "material": "KvKR", "longest": "known" });
    let names = ["KSvKR", "KNvK", "KRvKN", "KRRvK", "KvK", "KXvK", "KRRRvK"];
    let of_material = names.into_iter().flat_map(|name| {
        [
            json!({ "ask": "statistics", "material": name }),
            json!({ "ask": "save_statistics", "material": name, "sample": 0 }),
            json!({ "ask": "save_statistics", "material": name, "sample": 9 }),
            json!({ "ask": "examples", "material": name }),
        ]
    });
    lists.chain([longest]).chain(of_material)
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

/// The same tables with some that fail: damaged, of another version, cut short, and a web page.
fn tables() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = own_tables();
        let older = [&b"\x89MKT\r\n\x1a\n"[..], &[OLDER as u8], &[0; 300]].concat();
        let mut damaged = fs::read(folder.join("KNvK.dtm")).unwrap();
        damaged[100] ^= 1;
        for (material, bytes) in
            [("KNvK", &damaged[..]), ("KRvKN", &older), ("KMvKM", &damaged[..150]), ("KNvKN", b"<!DOCTYPE html>")]
        {
            let material: Material = material.parse().unwrap();
            for id in material.tables() {
                // The file may be a hard link, which other tests use too: it is replaced, not changed.
                let file = folder.join(id.to_string());
                let _ = fs::remove_file(&file);
                fs::write(file, bytes).unwrap();
            }
        }
        folder
    })
}

fn own_tables() -> PathBuf {
    let (materials, partial) = (test_tables::materials(&["KRvKS", "KRvKN"]), test_tables::materials(&[PARTIAL]));
    let tables = test_tables::usual([&materials[..], &partial].concat());
    let own = test_tables::own(&tables, materials.into_iter().chain(Material::all(3))).keep();
    test_tables::link(&tables, partial, &own);
    own
}

/// A prober of a site, or of the tables some of which fail; its tables are opened once.
fn prober(of_site: bool) -> Prober {
    static PROBERS: [OnceLock<Prober>; 2] = [OnceLock::new(), OnceLock::new()];
    let folder = if of_site { whole } else { tables };
    PROBERS[usize::from(of_site)].get_or_init(|| Prober::new(Tablebase::new(folder()))).clone()
}

/// A question as the library reads it.
fn read(question: &Value) -> Question {
    let mut fields = question.clone();
    let kind = fields.as_object_mut().unwrap().remove("ask").unwrap();
    serde_json::from_value(json!({ kind.as_str().unwrap(): fields })).unwrap()
}

/// The service's remedies.
const SERVER: Remedy = Remedy::Server(|material| makruk_console::missing_remedy(material, None));

/// The library's answer to a question.
fn right(question: &Value, remedy: Remedy) -> Result<Answer, Box<Refusal>> {
    question["material"].as_str().map(Material::read).transpose()?;
    let question = read(question);
    question.ask(prober(matches!(remedy, Remedy::Site)), Door { remedy, most_positions: usize::MAX })
}

fn json_of(answer: &Result<Answer, Box<Refusal>>) -> Value {
    match answer {
        Ok(answer) => serde_json::to_value(answer).unwrap(),
        Err(refusal) => serde_json::to_value(refusal).unwrap(),
    }
}

/// Asserts that a sentence has the version of an older table, the version that is read, and the command.
fn check_older(said: &str) {
    for part in [&format!("expected {FORMAT_VERSION}, found {OLDER}"), "`makruk-gen build KRvKN", "makes it anew"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!said.contains("delete"), "{said}");
}

#[test]
fn an_older_table_is_refused_by_both_versions_and_the_command() {
    for remedy in [SERVER, Remedy::Site] {
        let question = read(&json!({ "ask": "probe", "fen": DAMAGED[1] }));
        let refusal = question.ask(prober(false), Door { remedy, most_positions: 1 }).unwrap_err();
        check_older(&refusal.error);
        assert_eq!(refusal.command.as_deref(), Some("makruk-gen build KRvKN"));
    }
}

/// A client of a protocol has no files.
#[test]
fn nobody_is_told_to_delete_a_table() {
    let reasons = ["corrupt_table", "missing_table", "unreadable_table", "missing_table"];
    for (fen, reason) in DAMAGED.into_iter().zip(reasons) {
        for remedy in [SERVER, Remedy::Site] {
            let question = read(&json!({ "ask": "probe", "fen": fen }));
            let refusal = question.ask(prober(false), Door { remedy, most_positions: 1 }).unwrap_err();
            assert_eq!(refusal.reason.name(), reason, "{}", refusal.error);
            assert!(!refusal.error.contains("delete"), "{}", refusal.error);
        }
    }
}

#[test]
fn the_answers_are_those_of_the_library() {
    let (prober, mut unknown_moves, mut decided) = (prober(false), 0, 0);
    for fen in TEXTS {
        let answer = |kind| right(&json!({ "ask": kind, "fen": fen, "moves": true }), SERVER);
        let read = Reading::parse(fen).map_err(ProbeError::from);
        let verdict = read.and_then(|reading| Ok((prober.probe(&reading.fen)?, reading)));
        let (verdict, Reading { fen, notes }) = match verdict {
            Ok(found) => found,
            Err(error) => {
                assert_eq!(answer("probe").unwrap_err().reason.name(), error.reason().name(), "{fen}");
                continue;
            }
        };
        let Answer::Probe(probed) = answer("probe").unwrap() else { panic!("{fen}") };
        let position = probed.position;
        assert_eq!((&position.fen, position.notes.len()), (&fen, notes.len()));
        assert_eq!(position.verdict, verdict, "{fen}");
        let known = prober.known_moves(&fen);
        let moves = known.ranked.iter().map(|mv| (mv.mv, mv.category));
        let found = probed.moves.unwrap().into_iter().map(|mv| (mv.mv, mv.category));
        assert_eq!(found.collect::<Vec<_>>(), moves.collect::<Vec<_>>(), "{fen}");
        let unknown = known.unknown.iter().map(|(mv, error)| (*mv, table_of(error)));
        let found = probed.unknown_moves.iter().map(|mv| (mv.mv.mv, mv.table.clone()));
        assert_eq!(found.collect::<Vec<_>>(), unknown.collect::<Vec<_>>(), "{fen}");
        if let Some((_, failure)) = known.unknown.first() {
            unknown_moves += known.unknown.len();
            check_partial(answer("explore"), &known);
            check_game(&fen, &known, &verdict);
            let refused = |kind| answer(kind).is_err_and(|refusal| refusal.reason.name() == failure.reason().name());
            // A draw has no line.
            assert_eq!((refused("play"), refused("line")), (true, verdict.winner().is_some()), "{fen}");
            decided += usize::from(verdict.winner().is_some());
            continue;
        }
        let Answer::Line(found) = answer("line").unwrap() else { panic!("{fen}") };
        let line = prober.principal_variation(&fen).unwrap();
        assert_eq!(found.end, line.end, "{fen}");
        assert!(found.line.into_iter().map(|mv| mv.made).eq(line.moves), "{fen}");
        let Answer::Play(found) = answer("play").unwrap() else { panic!("{fen}") };
        let played = prober.play(&fen, Policy::Safest).unwrap();
        assert_eq!(found.mv.map(|mv| mv.made.ranked), played, "{fen}");
    }
    assert!(unknown_moves > decided && decided > 0);
}

/// The table that fails.
fn table_of(error: &ProbeError) -> String {
    let ProbeError::Table(error) = error else { panic!("{error}") };
    error.id().unwrap().to_string()
}

/// A position of a game keeps its verdict, and the best move is judged if it is known to be the best.
fn check_game(fen: &Fen, known: &KnownMoves, verdict: &Verdict) {
    let Some(best) = known.ranked.first() else { return };
    let dots = if fen.position.turn() == Color::White { "1." } else { "1..." };
    let pgn = format!("[FEN \"{fen}\"]\n\n{dots} {} *", best.san(&fen.position));
    let Answer::Analyse(games) = right(&json!({ "ask": "analyse", "pgn": pgn }), SERVER).unwrap() else {
        panic!("{fen}")
    };
    let GameAnswer::Read { positions, .. } = &games.games[0] else { panic!("{pgn}") };
    assert_eq!(
        positions[0].position.verdict().map(|position| position.verdict.category),
        Some(verdict.category),
        "{fen}"
    );
    assert_eq!(positions[0].judged_move().is_some(), known.best(verdict).is_some(), "{fen}");
    assert_eq!(positions[0].unjudged.is_none(), known.best(verdict).is_some(), "{fen}");
}

/// A position with a verdict, of whose moves some are unknown: these come before those that they may be better than.
fn check_partial(answer: Result<Answer, Box<Refusal>>, known: &KnownMoves) {
    let Answer::Explore(found) = answer.unwrap() else { panic!("{known:?}") };
    let reason = found.unjudged.as_ref().map(|refusal| refusal.reason.name());
    assert_eq!(reason, known.unknown.first().map(|(_, error)| error.reason().name()));
    let best = found.position.verdict().unwrap().verdict.category;
    let is_unknown = |mv: &ExploredMove| match mv {
        ExploredMove::Judged(_) => false,
        ExploredMove::Unjudged(mv) => mv.table.is_some(),
    };
    let first = found.moves.iter().position(is_unknown).unwrap();
    let before = found.moves[..first].iter().map(|mv| match mv {
        ExploredMove::Judged(judged) => judged.mv.made.ranked.category,
        ExploredMove::Unjudged(_) => panic!("{mv:?}"),
    });
    assert!(before.into_iter().all(|category| category == best), "{found:?}");
    assert_eq!(found.moves.iter().filter(|mv| is_unknown(mv)).count(), known.unknown.len());
    assert_eq!(found.moves.len(), known.unknown.len() + known.ranked.len());
}
