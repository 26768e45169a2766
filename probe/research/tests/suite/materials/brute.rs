//! The statistics of a material by probing every position, with either side to move.

use std::collections::BTreeMap;

use makruk_format::index::Layout;
use makruk_probe::{Category, Prober, SacrificeKind};
use makruk_rules::{ByColor, Color, Fen, Position};
use makruk_tables::material::Material;
use rayon::prelude::*;

/// Numbers of positions of the full board. Colours are those of the attacker.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Brute {
    pub(crate) positions: u64,
    pub(crate) drawn: u64,
    pub(crate) attackers: ByColor<Attacks>,
    /// Mutual zugzwangs with the count, without it, and for both.
    pub(crate) zugzwangs: [u64; 3],
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Attacks {
    pub(crate) won: u64,
    pub(crate) in_time: u64,
    pub(crate) late_conversions: u64,
    pub(crate) saves: u64,
    pub(crate) only_move: u64,
    pub(crate) sacrifice: u64,
    pub(crate) forced: u64,
    /// Saves in check, with a sacrifice that captures nothing, an offer, an exchange, a man lost anyway.
    pub(crate) kinds: [u64; 5],
    /// Wins, wins in time and saves up to symmetry.
    pub(crate) distinct: [u64; 3],
    pub(crate) short: BTreeMap<Option<u32>, u64>,
    pub(crate) longest_mate: u16,
    pub(crate) longest_in_time: u16,
    pub(crate) deepest_save: u16,
    pub(crate) captures: u64,
    pub(crate) capture_draws: u64,
    pub(crate) refuse: u64,
}

/// The positions of one slab in `step`.
pub(crate) fn brute(prober: &Prober, material: Material, step: usize) -> Brute {
    let layout = Layout::new(material);
    let slabs: Vec<usize> = (0..layout.slabs()).step_by(step).collect();
    let slabs = slabs.into_par_iter().map(|slab| of_slab(prober, &layout, slab));
    slabs.reduce(Brute::default, |mut a, b| {
        a.positions += b.positions;
        a.drawn += b.drawn;
        a.zugzwangs.iter_mut().zip(b.zugzwangs).for_each(|(a, b)| *a += b);
        for color in Color::ALL {
            let (a, b) = (&mut a.attackers[color], &b.attackers[color]);
            a.won += b.won;
            a.in_time += b.in_time;
            a.late_conversions += b.late_conversions;
            a.saves += b.saves;
            a.only_move += b.only_move;
            a.sacrifice += b.sacrifice;
            a.forced += b.forced;
            a.kinds.iter_mut().zip(b.kinds).for_each(|(a, b)| *a += b);
            a.distinct.iter_mut().zip(b.distinct).for_each(|(a, b)| *a += b);
            a.captures += b.captures;
            a.capture_draws += b.capture_draws;
            a.refuse += b.refuse;
            a.longest_mate = a.longest_mate.max(b.longest_mate);
            a.longest_in_time = a.longest_in_time.max(b.longest_in_time);
            a.deepest_save = a.deepest_save.max(b.deepest_save);
            for (short, positions) in &b.short {
                *a.short.entry(*short).or_default() += positions;
            }
        }
        a
    })
}

fn of_slab(prober: &Prober, layout: &Layout, slab: usize) -> Brute {
    let mut found = Brute::default();
    let weight = layout.kings().weight(slab);
    for offset in 0..layout.slab_len() {
        let number = slab as u64 * layout.slab_len() + offset;
        let results = Color::ALL.map(|side| {
            let position = layout.position_at(side, number)?;
            let is_first = layout.first_at(side, number).is_some();
            Some(look(prober, position, weight, is_first, &mut found))
        });
        if let [Some(white), Some(black)] = results {
            let worse = [0, 1].map(|count| white[count] < -black[count]);
            found.zugzwangs[0] += u64::from(worse[0]) * weight;
            found.zugzwangs[1] += u64::from(worse[1]) * weight;
            found.zugzwangs[2] += u64::from(worse[0] && worse[1]) * weight;
        }
    }
    found
}

/// The result for the side to move, with the count and without it: 1, 0 or -1.
fn look(prober: &Prober, position: Position, weight: u64, is_first: bool, found: &mut Brute) -> [i32; 2] {
    let side = position.turn();
    let is_armed = Color::ALL.iter().all(|&color| !position.board().is_bare(color));
    let fen = Fen { position, count: None, fullmove: 1 };
    let verdict = prober.probe(&fen).unwrap();
    found.positions += weight;
    let Some(winner) = verdict.winner() else {
        found.drawn += weight;
        return [0, 0];
    };
    let attacks = &mut found.attackers[winner];
    let in_time = matches!(verdict.category, Category::Win | Category::Loss);
    attacks.won += weight;
    let is_save = verdict.category == Category::BlessedLoss;
    let is_in_time = matches!(verdict.category, Category::Win | Category::Loss);
    attacks.distinct.iter_mut().zip([true, is_in_time, is_save]).for_each(|(n, is)| *n += u64::from(is && is_first));
    attacks.longest_mate = attacks.longest_mate.max(verdict.dtm.moves().unwrap());
    if in_time {
        attacks.in_time += weight;
        attacks.longest_in_time = attacks.longest_in_time.max(verdict.dtz.moves().unwrap());
    } else if is_armed && verdict.dtz.moves().is_some() {
        attacks.late_conversions += weight;
    }
    if verdict.category == Category::BlessedLoss {
        let analysis = prober.analysis(&fen).unwrap();
        let sacrifices = analysis.sacrifices().unwrap();
        let drawing = analysis.moves().unwrap().iter().filter(|mv| mv.category.is_drawn()).count();
        attacks.saves += weight;
        attacks.only_move += u64::from(drawing == 1) * weight;
        attacks.sacrifice += u64::from(!sacrifices.is_empty()) * weight;
        attacks.forced += u64::from(!sacrifices.is_empty() && sacrifices.len() == drawing) * weight;
        let has = |kind| sacrifices.iter().any(|sacrifice| sacrifice.kind == kind);
        let [offer, exchange, lost] = SacrificeKind::ALL.map(has);
        let kinds = [fen.position.is_check(), offer || lost, offer, exchange, lost];
        attacks.kinds.iter_mut().zip(kinds).for_each(|(n, is)| *n += u64::from(is) * weight);
        attacks.deepest_save = attacks.deepest_save.max(verdict.dtm.moves().unwrap());
        *attacks.short.entry(analysis.short_by().unwrap()).or_default() += weight;
    }
    let defender = fen.position.board().by_color(!side);
    let is_attacked = |man| !fen.position.board().attackers(man, side).is_empty();
    // Without an attacked man no capture is legal.
    if verdict.category == Category::Win && defender.len() == 2 && defender.into_iter().any(is_attacked) {
        let captures: Vec<bool> =
            prober.moves(&fen).unwrap().iter().filter(|mv| mv.bares_king).map(|mv| mv.category.is_drawn()).collect();
        attacks.captures += u64::from(!captures.is_empty()) * weight;
        attacks.capture_draws += u64::from(captures.contains(&true)) * weight;
        attacks.refuse += u64::from(!captures.is_empty() && !captures.contains(&false)) * weight;
    }
    let sign = if winner == side { 1 } else { -1 };
    [if in_time { sign } else { 0 }, sign]
}
