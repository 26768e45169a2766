//! Lists of remarkable positions.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::path::Path;

use makruk_format::index::Layout;
use makruk_probe::{Category, Prober, Tablebase};
use makruk_research::{
    ListKind, ListedPosition, MaterialList, Remark, ResearchError, Silent, StatsSettings, SurveySettings, list, stats,
};
use makruk_rules::{Color, Fen, ToMove};
use makruk_tables::MANIFEST;
use makruk_tables::value::MovesLeft;
use sha2::{Digest, Sha256};

use super::{material, prober};

fn listed(prober: &Prober, name: &str, kind: ListKind, threads: usize) -> Vec<ListedPosition> {
    let mut positions = Vec::new();
    let sink = |listed: ListedPosition| -> Result<ControlFlow<()>, ResearchError> {
        positions.push(listed);
        Ok(ControlFlow::Continue(()))
    };
    let number = list(prober, material(name), kind, Some(threads), &mut Silent, sink).unwrap().unwrap();
    assert_eq!(number, positions.len() as u64);
    positions
}

#[test]
fn the_checksum_is_that_of_the_tables_lines_in_the_manifest() {
    let materials = test_tables::materials(&["KRvKR"]);
    let checksum = |folder: &Path| {
        let prober = Prober::new(Tablebase::new(folder));
        MaterialList::read(&prober, None, |material| material.to_string(), || true).unwrap().checksum
    };
    let folder = test_tables::alone(materials.clone());
    let is_there = |line: &&str| {
        let mut fields = line.split('\t');
        folder.join([fields.next().unwrap(), fields.next().unwrap()].join(".")).exists()
    };
    let mut lines: Vec<&str> =
        MANIFEST.lines().filter(is_there).filter_map(|line| Some(line.rsplit_once('\t')?.0)).collect();
    lines.sort_unstable();
    assert!(lines.len() >= 5, "{lines:?}");
    let expected = Sha256::digest(lines.iter().map(|line| format!("{line}\n")).collect::<String>());
    assert_eq!(checksum(&folder), expected.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
    // Other tables of the same values have another.
    assert_ne!(
        checksum(test_tables::own(&test_tables::one_sided(materials.clone()), materials).path()),
        checksum(&folder)
    );
}

#[test]
fn a_list_is_given_up_when_nobody_waits_for_it() {
    let folder = test_tables::alone(test_tables::materials(&["KRvKR"]));
    let prober = Prober::new(Tablebase::new(&folder));
    let asked = Cell::new(0);
    let read = |most: usize| {
        asked.set(0);
        let goes_on = || asked.replace(asked.get() + 1) < most;
        MaterialList::read(&prober, Some(4), |material| material.to_string(), goes_on)
    };
    let list = read(usize::MAX).unwrap();
    // Each material is asked about, and then each table for the checksum.
    assert!(asked.get() > list.materials.len());
    for most in [0, 1, list.materials.len(), asked.get() - 1] {
        assert!(read(most).is_none(), "{most}");
    }
}

#[test]
fn zugzwangs_are_those_that_the_statistics_count() {
    let (prober, name) = (&prober(), "KRvKN");
    let settings = SurveySettings { slabs: u64::MAX, saves: 0, shorts: 0, captures: 0 };
    let settings = StatsSettings { threads: Some(2), longest: false, survey: Some(settings) };
    let expected = stats(prober, material(name), &settings, &mut Silent).unwrap().unwrap().survey.unwrap();
    let found = listed(prober, name, ListKind::Zugzwangs, 2);
    let kinds = found.iter().map(|listed| match listed.remark {
        Remark::Zugzwang(zugzwang) => zugzwang,
        other => panic!("{other:?}"),
    });
    let sum = kinds.clone().fold(makruk_research::Zugzwangs::default(), |sum, one| sum + one);
    assert_eq!(sum, expected.zugzwangs_distinct, "{name}");
    let images: u64 = found.iter().map(|listed| listed.located.images().len() as u64).sum();
    assert_eq!(images, expected.zugzwangs.with_count + expected.zugzwangs.lifted, "{name}");
    assert!(found.len() > 1 && found.iter().all(|listed| listed.located.position.turn() == Color::White));
    assert_eq!(found, listed(prober, name, ListKind::Zugzwangs, 1));
}

/// The extremes of a material by probing every position: the most moves of each attacker, and how many positions have
/// them.
fn brute_extremes(name: &str, moves: impl Fn(&Fen) -> Option<(Color, u16)>) -> Vec<(Color, u16, usize)> {
    let layout = Layout::new(material(name));
    let mut extremes = Vec::new();
    for attacker in Color::ALL {
        let (mut most, mut number) = (0, 0);
        for side in Color::ALL {
            for cell in 0..layout.positions()[side] {
                let Some(position) = layout.first_at(side, cell) else { continue };
                let Some((winner, moves)) = moves(&Fen::new(position, None)) else { continue };
                if winner != attacker || moves < most {
                    continue;
                }
                number = if moves > most { 1 } else { number + 1 };
                most = moves;
            }
        }
        if number > 0 {
            extremes.push((attacker, most, number));
        }
    }
    extremes
}

#[test]
fn extremes_are_those_of_every_position() {
    let prober = prober();
    let name = "KRvK";
    let mates = |fen: &Fen| {
        let verdict = prober.probe(fen).unwrap();
        Some((verdict.winner()?, verdict.dtm.moves()?))
    };
    let saves = |fen: &Fen| mates(fen).filter(|_| prober.probe(fen).unwrap().category == Category::BlessedLoss);
    for (kind, expected) in
        [(ListKind::LongestMates, brute_extremes(name, mates)), (ListKind::DeepestSaves, brute_extremes(name, saves))]
    {
        let found = listed(&prober, name, kind, 2);
        let [(attacker, moves, number)] = expected[..] else { panic!("{expected:?}") };
        assert_eq!((attacker, found.len()), (Color::White, number), "{}", kind.name());
        assert!(found.iter().all(|listed| listed.remark == Remark::MovesToMate(moves)), "{found:?}");
    }
}

#[test]
fn wins_and_captures_are_as_the_prober_has_them() {
    let prober = prober();
    for name in ["KRvK", "KRvKN"] {
        let left = MovesLeft::of(material(name), prober.rules());
        let found = listed(&prober, name, ListKind::TightestWins, 2);
        for listed in found.iter().step_by(7) {
            let verdict = prober.probe(&listed.located.fen()).unwrap();
            let attacks = verdict.category == Category::Win;
            assert!(attacks || verdict.category == Category::Loss);
            assert_eq!(
                verdict.dtz.moves().map(u32::from),
                left.moves(ToMove::attacker_if(attacks)),
                "{}",
                listed.epd()
            );
        }
        assert_eq!(found.is_empty(), name == "KRvKN", "no conversion takes 64 moves there");
    }
    let found = listed(&prober, "KRvKN", ListKind::WastefulCaptures, 2);
    assert!(found.len() > 1000);
    for listed in found.iter().step_by(101) {
        let fen = listed.located.fen();
        let moves = prober.moves(&fen).unwrap();
        assert_eq!(moves[0].category, Category::Win, "{fen}");
        let captures: Vec<_> = moves.iter().filter(|mv| mv.bares_king).collect();
        assert!(!captures.is_empty() && captures.iter().all(|mv| mv.category.is_drawn()), "{fen}");
        let by_count = captures.iter().any(|mv| mv.category == Category::CursedWin);
        assert_eq!(listed.remark, Remark::EveryCaptureDraws { by_count }, "{fen}");
    }
    let epd = found[0].epd();
    assert!(epd.contains(" w - - id \"KRvKN:white:") && epd.contains("; c0 \"every capture draws"), "{epd}");
}
