//! `research study`: positions worth composing from.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use makruk_research::{Study, StudyKind, StudySettings, board_svg, rank_studies, studies};
use makruk_tables::material::Material;
use makruk_tables::rules::Color;
use serde_json::json;

use super::console::ScanConsole;
use super::stop_signal::{INTERRUPTED, StopSignal};
use super::{ScanArgs, materials};
use crate::SUCCESS;
use crate::diagram::diagram;
use crate::session::TableArgs;

/// Find positions worth composing from: one move saves, or one move wins and every capture of the last piece draws
///
/// Evenly spaced positions are analysed. A study's score is the sum of its merits, each counted at most six times: an offered
/// man 20, an abandoned man 12, a quiet move 6, an only move 2, a first move that is none of the natural ones 10, a natural
/// try that fails 3, a sacrifice that is best declined 8, a capture that is declined 8, a shortest mate that begins with a
/// capture 10; minus 15 if the first move captures and minus 8 if the side to move is in check. Natural moves are captures,
/// checks, and flights from an attack.
#[derive(Args, Debug)]
#[command(after_long_help = super::manual_texts::STUDY)]
pub(super) struct StudyCommand {
    #[command(flatten)]
    tables: TableArgs,
    /// Analyse at most about N saves and refusals of each side of a material
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    candidates: u64,
    /// Print the N best studies
    #[arg(long, value_name = "N", default_value_t = 10)]
    best: usize,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
    /// Also write a diagram of each study, MATERIAL-SIDE-NUMBER.svg, into this folder
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    scan: ScanArgs,
    /// Materials, such as KRRvKR
    #[arg(value_name = "MATERIAL", required = true)]
    materials: Vec<Material>,
}

impl StudyCommand {
    pub(super) fn run(&self) -> anyhow::Result<u8> {
        let mut session = self.tables.open()?;
        let stop = StopSignal::watch().context("cannot register the signal handlers")?;
        let settings = StudySettings { candidates: self.candidates, keep: self.best, threads: self.scan.threads };
        let mut best = Vec::new();
        for material in materials(&self.materials, None) {
            session.prepare(material);
            let mut console = ScanConsole::new(material.to_string(), self.scan.quiet, stop.clone());
            let found = studies(&session.prober, material, &settings, &mut console)?;
            console.finish();
            let Some(found) = found else {
                eprintln!("makruk-probe research study: stopped in {material}; the output has the materials before it");
                self.print(&best)?;
                return Ok(INTERRUPTED);
            };
            best.extend(found);
            rank_studies(&mut best, self.best);
        }
        self.print(&best)?;
        Ok(SUCCESS)
    }

    fn print(&self, studies: &[Study]) -> anyhow::Result<()> {
        let mut out = io::BufWriter::new(io::stdout().lock());
        for (at, study) in studies.iter().enumerate() {
            if self.json {
                writeln!(out, "{}", object(study))?;
            } else {
                if at > 0 {
                    writeln!(out)?;
                }
                print(&mut out, at + 1, study)?;
            }
            if let Some(folder) = &self.svg {
                let file = folder.join(format!("{}.svg", study.cursor.to_string().replace(':', "-")));
                let caption = format!("{}, {}", study.cursor.material, stipulation(study));
                fs::create_dir_all(folder)
                    .and_then(|()| fs::write(&file, board_svg(study.fen.position.board(), &caption)))
                    .with_context(|| format!("cannot write {}", file.display()))?;
            }
        }
        out.flush()?;
        Ok(())
    }
}

/// The stipulation of a study.
fn stipulation(study: &Study) -> String {
    let side = if study.fen.position.turn() == Color::White { "White" } else { "Black" };
    match study.kind {
        StudyKind::Save => format!("{side} to move draws by the count"),
        StudyKind::Refusal => format!("{side} to move wins within the count"),
    }
}

fn print(out: &mut impl Write, number: usize, study: &Study) -> io::Result<()> {
    writeln!(out, "{number}. {}, {} (score {})", study.cursor.material, stipulation(study), study.score())?;
    writeln!(out, "{}", study.fen)?;
    write!(out, "{}", diagram(study.fen.position.board()))?;
    writeln!(out, "{}", solution(study))?;
    let merits: Vec<String> = study
        .merits
        .iter()
        .map(|(merit, times)| format!("{} x{times} ({:+})", merit.name(), merit.weight() * *times as i32))
        .collect();
    writeln!(out, "{}", merits.join(", "))
}

/// The moves. Those of the side that begins have an exclamation mark, since no other move keeps the result.
fn solution(study: &Study) -> String {
    let first = study.fen.position.turn();
    let mut text = String::new();
    for (ply, mv) in study.solution.iter().enumerate() {
        let number = (ply + usize::from(first == Color::Black)) / 2 + 1;
        let is_black = (ply % 2 == 0) == (first == Color::Black);
        match (is_black, ply) {
            (false, 0) => text.push_str(&format!("{number}. ")),
            (false, _) => text.push_str(&format!(" {number}. ")),
            (true, 0) => text.push_str(&format!("{number}... ")),
            (true, _) => text.push(' '),
        }
        text.push_str(&mv.san);
        if ply % 2 == 0 {
            text.push('!');
        }
    }
    text
}

fn object(study: &Study) -> serde_json::Value {
    let merits: serde_json::Map<String, serde_json::Value> =
        study.merits.iter().map(|(merit, times)| (merit.name().to_owned(), json!(times))).collect();
    json!({
        "kind": study.kind.name(),
        "material": study.cursor.material.to_string(),
        "side": study.cursor.side.name(),
        "number": study.cursor.number,
        "fen": study.fen.to_string(),
        "score": study.score(),
        "merits": merits,
        "solution": study.solution.iter().map(|mv| mv.san.as_str()).collect::<Vec<_>>(),
        "solution_uci": study.solution.iter().map(|mv| mv.ranked.mv.to_string()).collect::<Vec<_>>(),
    })
}
