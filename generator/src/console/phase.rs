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
    Writing(Metric),
    Verifying,
}

impl Step {
    /// The time of the step relative to the others of its material, as measured on KRRvKR and KRNvKR.
    fn weight(self, material: Material) -> f64 {
        match self {
            Step::Exits(_) => exits_weight(material),
            Step::Attack(_, attacker) => attack_weight(strength(material, attacker), strength(material, !attacker)),
            Step::Verifying => 1.0,
            Step::Writing(Metric::Dtm) => 0.9,
            Step::Writing(Metric::Dtz) => 1.1,
            Step::Writing(Metric::Category) => 0.6,
        }
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

/// The steps of a build of some tables: for each metric of distances the exits, an attack for each armed side and the
/// table. The tables that follow from the distances are written together with the last of these, whose step it is.
fn steps_of(material: Material, metrics: impl IntoIterator<Item = Metric>) -> Vec<(Step, f64)> {
    let mut steps: Vec<(Step, f64)> = Vec::new();
    let weight = |step: Step| step.weight(material);
    for metric in metrics {
        if metric.is_distance() {
            steps.push((Step::Exits(metric), weight(Step::Exits(metric))));
            let armed = Color::ALL.into_iter().filter(|&side| !material.side(side).is_bare());
            steps.extend(armed.map(|attacker| Step::Attack(metric, attacker)).map(|step| (step, weight(step))));
        }
        let written = weight(Step::Writing(metric));
        match steps.last_mut() {
            Some((Step::Writing(_), together)) => *together += written,
            _ => steps.push((Step::Writing(metric), written)),
        }
    }
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
            [("KRvKM", &[Dtm, Dtz, Category][..], 8), ("KRvK", &[Dtm, Category], 3), ("KRvKM", &[Category], 1)]
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

    /// A build of KRRvKR on two cores: seconds from its beginning, and the moves of the attacks or the slabs that are
    /// written, of 924. DTZ and the category table are written together.
    const RECORDED: [(f64, Step, u16); 12] = {
        use Color::{Black, White};
        use Metric::{Dtm, Dtz};
        use Step::{Attack, Writing};
        [
            (0.49, Attack(Dtm, White), 11),
            (0.79, Attack(Dtm, White), 17),
            (0.97, Attack(Dtm, White), 23),
            (1.06, Attack(Dtm, Black), 20),
            (1.49, Writing(Dtm), 363),
            (1.89, Writing(Dtm), 759),
            (2.21, Attack(Dtz, White), 6),
            (2.76, Attack(Dtz, White), 18),
            (3.16, Attack(Dtz, Black), 3),
            (3.79, Writing(Dtz), 66),
            (4.13, Writing(Dtz), 264),
            (4.95, Writing(Dtz), 924),
        ]
    };

    #[test]
    fn the_share_that_is_done_predicts_the_time_left_within_a_factor_of_two() {
        let material: Material = "KRRvKR".parse().unwrap();
        let (steps, _) = Steps::of_build(material, &Metric::ALL);
        let end = RECORDED[RECORDED.len() - 1].0;
        let shown = 0.15 * end..0.9 * end;
        for (seconds, step, number) in RECORDED.into_iter().filter(|(seconds, ..)| shown.contains(seconds)) {
            let part = if let Step::Writing(_) = step { f64::from(number) / 924.0 } else { share_of_attack(number) };
            let (left, in_truth) = (seconds / steps.done(step, part) - seconds, end - seconds);
            assert!(
                (0.5..2.0).contains(&(left / in_truth)),
                "{step:?} after {seconds} s: {left:.1} s, not {in_truth:.1} s"
            );
        }
    }
}
