//! The steps of building or verifying a material, and how far a step has come.

use std::cmp::Ordering;
use std::fmt;

use makruk_tables::material::Material;
use makruk_tables::rules::{Color, Role};
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
fn steps_of(material: Material, metrics: &[Metric]) -> Vec<(Step, f64)> {
    let mut steps: Vec<(Step, f64)> = Vec::new();
    let weight = |step: Step| step.weight(material);
    for &metric in metrics {
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
        let steps = steps_of(material, lacking);
        let sum = |steps: &[(Step, f64)]| steps.iter().map(|&(_, weight)| weight).sum::<f64>();
        let (all, whole) = (sum(&steps), sum(&steps_of(material, material.table_metrics())));
        let shares = steps.into_iter().map(|(step, weight)| (step, weight / all)).collect();
        (Steps { shares }, all / whole)
    }

    pub(super) fn of_verification() -> Steps {
        Steps { shares: vec![(Step::Verifying, 1.0)] }
    }

    /// The share of the material's work that is done in a phase: the steps before, and a part of its own step.
    pub(super) fn done(&self, phase: Phase) -> f64 {
        let Some(at) = self.shares.iter().position(|&(step, _)| step == phase.step()) else { return 0.0 };
        let before: f64 = self.shares[..at].iter().map(|&(_, share)| share).sum();
        (before + self.shares[at].1 * phase.share()).min(1.0)
    }
}

/// A step, and how far it has come.
#[derive(Clone, Copy, Debug)]
pub(super) enum Phase {
    /// Finding the captures and promotions by a side that the children decide.
    Exits { metric: Metric, mover: Color, slabs: u64, of: u64 },
    /// An attack has begun.
    Beginning { metric: Metric, attacker: Color },
    /// Going back from the mates, move by move.
    Solving { metric: Metric, attacker: Color, moves: u16 },
    /// Encoding and writing a table.
    Writing { metric: Metric, slabs: u64, of: u64 },
    /// Comparing values with those of their moves.
    Verifying { positions: u64, of: u64 },
}

impl Phase {
    pub(super) fn step(self) -> Step {
        match self {
            Phase::Exits { metric, .. } => Step::Exits(metric),
            Phase::Beginning { metric, attacker } | Phase::Solving { metric, attacker, .. } => {
                Step::Attack(metric, attacker)
            }
            Phase::Writing { metric, .. } => Step::Writing(metric),
            Phase::Verifying { .. } => Step::Verifying,
        }
    }

    /// The share of the step that is done.
    fn share(self) -> f64 {
        let share = |done: u64, of: u64| done as f64 / of.max(1) as f64;
        match self {
            // White's come first.
            Phase::Exits { mover, slabs, of, .. } => (share(slabs, of) + f64::from(mover == Color::Black)) / 2.0,
            Phase::Beginning { .. } => 0.0,
            // The number of moves is not known before the end, but most decisions come early.
            Phase::Solving { moves, .. } => {
                let moves = f64::from(moves) + 1.0;
                moves / (moves + HALF_OF_MOVES)
            }
            Phase::Writing { slabs, of, .. } => share(slabs, of),
            Phase::Verifying { positions, of } => share(positions, of),
        }
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Phase::Beginning { metric, attacker } => write!(f, "{metric} {attacker} attacks"),
            Phase::Exits { metric, mover, slabs, of } => write!(f, "{metric} {mover}'s exits, {slabs} of {of} slabs"),
            Phase::Solving { metric, attacker, moves } => write!(f, "{metric} {attacker} attacks, move {moves}"),
            Phase::Writing { metric, .. } => write!(f, "{metric} writing"),
            Phase::Verifying { .. } => f.write_str("values checked"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_says_what_is_done() {
        let (metric, attacker) = (Metric::Dtz, Color::Black);
        let text = |phase: Phase| phase.to_string();
        assert_eq!(text(Phase::Beginning { metric, attacker }), "dtz Black attacks");
        let exits = Phase::Exits { metric, mover: Color::White, slabs: 64, of: 462 };
        assert_eq!(text(exits), "dtz White's exits, 64 of 462 slabs");
        assert_eq!(text(Phase::Solving { metric, attacker, moves: 7 }), "dtz Black attacks, move 7");
        assert_eq!(text(Phase::Writing { metric, slabs: 1, of: 2 }), "dtz writing");
        assert_eq!(text(Phase::Verifying { positions: 1, of: 2 }), "values checked");
    }

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

    /// A build of KRRvKR on two cores: seconds from its beginning, and phases. DTZ and the category table are written
    /// together.
    const RECORDED: [(f64, Phase); 12] = {
        use Color::{Black, White};
        use Metric::{Dtm, Dtz};
        const fn solving(metric: Metric, attacker: Color, moves: u16) -> Phase {
            Phase::Solving { metric, attacker, moves }
        }
        const fn writing(metric: Metric, slabs: u64) -> Phase {
            Phase::Writing { metric, slabs, of: 924 }
        }
        [
            (0.49, solving(Dtm, White, 11)),
            (0.79, solving(Dtm, White, 17)),
            (0.97, solving(Dtm, White, 23)),
            (1.06, solving(Dtm, Black, 20)),
            (1.49, writing(Dtm, 363)),
            (1.89, writing(Dtm, 759)),
            (2.21, solving(Dtz, White, 6)),
            (2.76, solving(Dtz, White, 18)),
            (3.16, solving(Dtz, Black, 3)),
            (3.79, writing(Dtz, 66)),
            (4.13, writing(Dtz, 264)),
            (4.95, writing(Dtz, 924)),
        ]
    };

    #[test]
    fn the_share_that_is_done_predicts_the_time_left_within_a_factor_of_two() {
        let material: Material = "KRRvKR".parse().unwrap();
        let (steps, _) = Steps::of_build(material, material.table_metrics());
        let end = RECORDED[RECORDED.len() - 1].0;
        let shown = 0.15 * end..0.9 * end;
        for (seconds, phase) in RECORDED.into_iter().filter(|(seconds, _)| shown.contains(seconds)) {
            let left = seconds / steps.done(phase) - seconds;
            let ratio = left / (end - seconds);
            assert!(
                (0.5..2.0).contains(&ratio),
                "{phase} after {seconds} s: {left:.1} s, in truth {:.1} s",
                end - seconds
            );
        }
    }
}
