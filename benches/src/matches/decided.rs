//! The share of games' positions that one look-up in the category tables decides.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::Result;
use makruk_probe::{Category, Inventory, Prober, TableId};
use makruk_tables::material::{Material, Oriented};
use makruk_tables::rules::{CountRule, Fen};
use makruk_tables::value::Metric;

use super::share::GroupedShare;

/// The positions of some games that category tables cover and that are won or lost without the count, by material. A
/// game is a group; the hits are the positions that one look-up decides under the count that runs there.
#[derive(Clone, Debug, Default)]
pub struct DecidedShares {
    /// All materials.
    pub all: GroupedShare,
    /// The materials with a bare king, those with both sides armed, and those with a pawn.
    pub kinds: BTreeMap<&'static str, GroupedShare>,
    /// Each material.
    pub materials: BTreeMap<Material, GroupedShare>,
    /// The covered positions that are drawn without a count.
    pub drawn: u64,
}

/// The kind of a material.
fn kind(material: Material) -> &'static str {
    match material.count_rule() {
        CountRule::None => "with a pawn",
        CountRule::Board => "both sides armed",
        CountRule::Pieces => "a bare king",
    }
}

impl DecidedShares {
    /// Adds the positions of a game.
    ///
    /// # Errors
    ///
    /// If a table cannot be read.
    pub fn add(&mut self, game: &[Fen], prober: &Prober, tables: &Inventory) -> Result<()> {
        let mut found: BTreeMap<Material, [u64; 2]> = BTreeMap::new();
        for fen in game {
            let Ok(Oriented { material, .. }) = Material::of(fen.position.board()) else { continue };
            if !tables.has(TableId { material, metric: Metric::Category }) {
                continue;
            }
            let hit = match prober.decided_category(fen)? {
                Some((Category::Draw, _)) => {
                    self.drawn += 1;
                    continue;
                }
                Some(_) => 1,
                None => 0,
            };
            let [hits, cases] = found.entry(material).or_default();
            (*hits, *cases) = (*hits + hit, *cases + 1);
        }
        let sum = |of: &dyn Fn(Material) -> bool| {
            let some = found.iter().filter(|&(&material, _)| of(material));
            some.fold([0.0; 2], |[hits, cases], (_, found)| [hits + found[0] as f64, cases + found[1] as f64])
        };
        let [hits, cases] = sum(&|_| true);
        self.all.add(hits, cases);
        for &material in found.keys() {
            let [hits, cases] = sum(&|other| other == material);
            self.materials.entry(material).or_default().add(hits, cases);
        }
        for name in ["a bare king", "both sides armed", "with a pawn"] {
            let [hits, cases] = sum(&|material| kind(material) == name);
            self.kinds.entry(name).or_default().add(hits, cases);
        }
        Ok(())
    }

    /// One line for all, for each kind, and for each material, those with the most undecided positions first.
    pub fn report(&self) -> String {
        let mut text = format!("{} positions are drawn without a count\n", self.drawn);
        let mut line = |name: &str, share: &GroupedShare| {
            let (hits, cases) = (share.hits(), share.cases());
            let _ = write!(text, "{name}\t{hits} of {cases} in {} games\t{:.3}", share.groups(), hits / cases.max(1.0));
            let _ = match share.estimate() {
                Some(estimate) => writeln!(text, " [{:.3}, {:.3}]", estimate.low, estimate.high.min(1.0)),
                None => writeln!(text),
            };
        };
        line("all", &self.all);
        self.kinds.iter().for_each(|(name, share)| line(name, share));
        let mut materials: Vec<_> = self.materials.iter().collect();
        materials.sort_by_key(|(material, share)| ((share.hits() - share.cases()) as i64, **material));
        materials.iter().for_each(|(material, share)| line(&material.to_string(), share));
        text
    }
}
