//! A reader written from `FORMAT.md` alone, in Python, finds the same values in the files: 4,000 positions.

use std::io::Write;
use std::process::{Command, Stdio};

use fastrand::Rng;
use makruk_format::Storage;
use makruk_format::index::Layout;
use makruk_generator::stored_tables;
use makruk_rules::{Color, CountingRules};
use makruk_tables::material::Material;
use makruk_tables::tablebase::{TableId, Tablebase};
use makruk_tables::value::{Bounds, Metric, Value};

const READER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/conformance/format_reader.py");
/// Materials with every kind of side: eightfold and mirrored, like men, colours exchanged on the board, all positions
/// alike; and with pawns, of one side and of both.
const MATERIALS: [&str; 13] =
    ["KRvK", "KSvK", "KMMvK", "KSSvK", "KRvKN", "KRvKS", "KNvKN", "KRvKR", "KPvK", "KPPvK", "KSPvK", "KRvKP", "KPvKP"];
const PROBES: usize = 4_000;

#[test]
#[ignore = "needs Python"]
fn a_reader_of_the_page_agrees() {
    let materials = MATERIALS.map(|material| material.parse::<Material>().expect("a material"));
    let folder = test_tables::usual(materials);
    let tables = stored_tables(&folder, &CountingRules::MAKRUK);
    let tablebase = Tablebase::new(folder.path());
    let mut random = Rng::with_seed(2);
    let (mut questions, mut expected) = (String::new(), Vec::new());
    while expected.len() < PROBES {
        let material = materials[random.usize(0..materials.len())];
        let layout = Layout::new(material);
        let side = Color::ALL[random.usize(0..2)];
        let Some(position) = layout.position_at(side, random.u64(0..layout.positions()[side])) else { continue };
        let position = if random.bool() { position } else { position.color_flipped() };
        let ids: Vec<TableId> = material.tables().collect();
        let id @ TableId { metric, .. } = ids[random.usize(..ids.len())];
        let table = tablebase.open(id).expect("a table");
        if table.side(side).storage == Storage::Absent {
            continue;
        }
        questions += &format!("{metric} {} {}\n", position.board(), position.turn().letter());
        if metric == Metric::Category {
            expected.push(bounds(tables.bounds(&position).expect("a value")));
            continue;
        }
        expected.push(match tables.value(&position, metric).expect("a value") {
            Value::Draw => "draw".to_owned(),
            Value::Win(plies) => format!("win {plies}"),
            Value::Loss(plies) => format!("loss {plies}"),
        });
    }
    let python = std::env::var_os("MAKRUK_PYTHON").unwrap_or_else(|| "python3".into());
    let mut reader = Command::new(python)
        .arg(READER)
        .arg(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Python starts");
    let mut stdin = reader.stdin.take().expect("its input");
    let text = questions.clone();
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = reader.wait_with_output().expect("it ends");
    writer.join().expect("a thread").expect("it reads");
    assert!(output.status.success());
    let answers = String::from_utf8(output.stdout).expect("text");
    assert_eq!(answers.lines().count(), PROBES);
    for ((question, answer), expected) in questions.lines().zip(answers.lines()).zip(&expected) {
        assert_eq!(answer, expected, "{question}");
    }
}

/// A value of a category table as the reader writes it.
fn bounds(bounds: Bounds) -> String {
    let number = |plies: Option<u16>| plies.map_or("never".to_owned(), |plies| plies.to_string());
    let range = format!("{} {}", number(bounds.fewest_plies()), number(bounds.most_plies()));
    match bounds.mover_wins() {
        None => "draw".to_owned(),
        Some(true) => format!("win {range}"),
        Some(false) => format!("loss {range}"),
    }
}
