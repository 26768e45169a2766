//! The steps of building or verifying a material, and how far a step has come.

use std::cmp::Ordering;

use makruk_rules::{Color, Role};
use makruk_tables::material::Material;
use makruk_tables::value::Metric;

/// The time in which the exits that are decided are found, relative to an attack. Promotions lead to tables as large as
/// the material's own.
fn exits_weight(material: Material) -> f64 {
    if material.has_pawns() { 0.4 } else { 0.05 }
}

/// The moves of an attack after which half of its work is taken to be done.
const HALF_OF_MOVES: f64 = 20.0;

/// A step of building or verifying a material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Exits(Metric),
    Attack(Metric, Color),
    Writing,
    Verifying,
}

/// The time in which a table is written, relative to an attack, as measured on KRRvKR and KRNvKR.
fn writing_weight(metric: Metric) -> f64 {
    match metric {
        Metric::Dtm => 0.9,
        Metric::Dtz => 1.1,
        Metric::Category => 0.6,
    }
}

/// The time of an attack: the weaker side wins few positions, in few moves.
fn attack_weight(own: f64, other: f64) -> f64 {
    match own.total_cmp(&other) {
        Ordering::Greater => 1.0,
        Ordering::Equal => 0.5,
        Ordering::Less => 0.1,
    }
}

/// The strength of a side, in pawns.
fn strength(material: Material, side: Color) -> f64 {
    let worth = |role| match role {
        Role::King => 0.0,
        Role::Rook => 5.0,
        Role::Knight => 3.0,
        Role::Khon => 2.5,
        Role::Met => 1.5,
        Role::Pawn => 1.0,
    };
    material.pieces().filter(|piece| piece.color == side).map(|piece| worth(piece.role)).sum()
}

/// The steps of a material in their order, each with its share of the work.
#[derive(Clone, Debug)]
pub(super) struct Steps {
    shares: Vec<(Step, f64)>,
}

/// The steps of a build of some tables, with the times that they take relative to each other. Under each metric of
/// distances these are the exits and an attack for each armed side; the last is writing.
fn steps_of(material: Material, metrics: impl IntoIterator<Item = Metric>) -> Vec<(Step, f64)> {
    let mut steps = Vec::new();
    let mut writing = 0.0;
    for metric in metrics {
        if metric.is_distance() {
            steps.push((Step::Exits(metric), exits_weight(material)));
            let armed = Color::ALL.into_iter().filter(|&side| !material.side(side).is_bare());
            let weight = |side| attack_weight(strength(material, side), strength(material, !side));
            steps.extend(armed.map(|attacker| (Step::Attack(metric, attacker), weight(attacker))));
        }
        writing += writing_weight(metric);
    }
    steps.push((Step::Writing, writing));
    steps
}

impl Steps {
    /// A build of the tables that a material lacks, and its work relative to that of all of its tables.
    pub(super) fn of_build(material: Material, lacking: &[Metric]) -> (Steps, f64) {
        let steps = steps_of(material, lacking.iter().copied());
        let sum = |steps: &[(Step, f64)]| steps.iter().map(|&(_, weight)| weight).sum::<f64>();
        let (all, whole) = (sum(&steps), sum(&steps_of(material, material.tables().map(|id| id.metric))));
        let shares = steps.into_iter().map(|(step, weight)| (step, weight / all)).collect();
        (Steps { shares }, all / whole)
    }

    pub(super) fn of_verification() -> Steps {
        Steps { shares: vec![(Step::Verifying, 1.0)] }
    }

    /// The share of the material's work that is done: the steps before this one, and a part of it.
    pub(super) fn done(&self, step: Step, part: f64) -> f64 {
        let Some(at) = self.shares.iter().position(|&(known, _)| known == step) else { return 0.0 };
        let before: f64 = self.shares[..at].iter().map(|&(_, share)| share).sum();
        (before + self.shares[at].1 * part).min(1.0)
    }
}

/// The share of an attack's work that is done after some moves. Their number is not known before the end, but most
/// decisions come early.
pub(super) fn share_of_attack(moves: u16) -> f64 {
    let moves = f64::from(moves) + 1.0;
    moves / (moves + HALF_OF_MOVES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steps_of_a_material_add_up() {
        use Metric::{Category, Dtm, Dtz};
        for (name, lacking, number) in
            [("KRvKM", &[Dtm, Dtz, Category][..], 7), ("KRvK", &[Dtm, Category], 3), ("KRvKM", &[Category], 1)]
        {
            let (steps, work) = Steps::of_build(name.parse().unwrap(), lacking);
            assert_eq!(steps.shares.len(), number, "{name}: {steps:?}");
            let all: f64 = steps.shares.iter().map(|&(_, share)| share).sum();
            assert!((all - 1.0).abs() < 1e-9, "{name}: {all}");
            // One table of three, without solving, takes a small part of the work.
            let (least, most) = if number == 1 { (0.05, 0.25) } else { (1.0 - 1e-9, 1.25) };
            assert!((least..most).contains(&work), "{name} {lacking:?}: {work}");
        }
    }

    /// A build of KRRvKR on two cores that had other work, too: seconds from its beginning, and the moves of attacks.
    /// In place of moves, writing has the number of slabs that are written, of 924.
    const RECORDED: [(f64, Step, u16); 10] = {
        use Color::{Black, White};
        use Metric::{Dtm, Dtz};
        use Step::{Attack, Writing};
        [
            (0.97, Attack(Dtm, White), 7),
            (1.69, Attack(Dtm, White), 15),
            (2.27, Attack(Dtm, White), 31),
            (2.46, Attack(Dtm, Black), 18),
            (3.30, Attack(Dtz, White), 8),
            (4.21, Attack(Dtz, White), 20),
            (4.86, Attack(Dtz, Black), 7),
            (6.66, Writing, 66),
            (8.17, Writing, 264),
            (11.18, Writing, 924),
        ]
    };

    #[test]
    fn the_share_that_is_done_predicts_the_time_left_within_a_factor_of_two() {
        let material: Material = "KRRvKR".parse().unwrap();
        let (steps, _) = Steps::of_build(material, &Metric::ALL);
        let end = RECORDED[RECORDED.len() - 1].0;
        let shown = 0.15 * end..0.9 * end;
        for (seconds, step, number) in RECORDED.into_iter().filter(|(seconds, ..)| shown.contains(seconds)) {
            let part = if let Step::Writing = step { f64::from(number) / 924.0 } else { share_of_attack(number) };
            let (left, in_truth) = (seconds / steps.done(step, part) - seconds, end - seconds);
            assert!(
                (0.5..2.0).contains(&(left / in_truth)),
                "{step:?} after {seconds} s: {left:.1} s, not {in_truth:.1} s"
            );
        }
    }
}
