//! Questions about tables and whole materials.

use makruk_probe::{Attempt, Prober, ValueSource};
use makruk_research::{ExampleSave, ExampleSaves, MaterialList, SaveTotals, TableList, TableStatistics};
use makruk_tables::material::Material;
use serde::{Deserialize, Serialize};

use crate::asking::{Work, questions};
use crate::{Door, Reason, Refusal, Remedy, Step};

/// A question about tables or whole materials.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Whole {
    /// The tables that can be opened, or those of a number of men.
    Tables(Option<usize>),
    /// The materials of a number of men, or those that are common or have tables.
    Materials(Option<usize>),
    /// The statistics of a material's tables.
    Statistics {
        /// The material.
        material: Material,
        /// Whether the positions of the longest wins are asked for, which may take a search of all its tables.
        longest: bool,
    },
    /// The numbers of a material's count saves.
    SaveStatistics {
        /// The material.
        material: Material,
        /// The most saves of a sample, whose properties are asked for.
        sample: u32,
    },
    /// Some count saves of a material that are worth showing.
    Examples(Material),
}

/// The answer to a question about tables or whole materials.
#[derive(Debug, Serialize)]
#[serde(untagged)]
#[allow(missing_docs)] // each is named for its question
pub enum WholeAnswer {
    Tables(TableList),
    Materials(MaterialList),
    Statistics(Box<TableStatistics>),
    SaveStatistics(Box<SaveTotals>),
    Examples(ExampleSaves),
}

questions! {
    Whole => WholeAnswer, Whole, |whole, _| Ok(whole);
}

impl Work for Whole {
    type Answer = WholeAnswer;

    fn go_on(&mut self, prober: &impl Attempt, door: Door, goes_on: &dyn Fn() -> bool) -> Step<WholeAnswer> {
        match prober.attempt(|prober| self.answer(prober, door.remedy, goes_on)) {
            Some(Ok(answer)) => answer.map_or(Step::More, Step::Done),
            Some(Err(refusal)) => Step::Refused(refusal),
            None => Step::Wants,
        }
    }
}

/// The longest name of a material that an error repeats, in characters.
const MOST_REPEATED: usize = 40;

impl Whole {
    /// The material of a name, if it may have tables.
    ///
    /// # Errors
    ///
    /// If the name is not that of a material, or is that of two bare kings, which have no table.
    pub fn material(name: &str) -> Result<Material, Box<Refusal>> {
        // An error repeats the name in headers, which are short. A longer name is refused.
        let name = match name.char_indices().nth(MOST_REPEATED) {
            None => name.to_owned(),
            Some((end, _)) => format!("{}...", &name[..end]),
        };
        let refused = |error: String| Box::new(Refusal::misasked(Reason::BadMaterial, "material", error));
        match name.parse() {
            Ok(Material::BARE_KINGS) => Err(refused("two bare kings have no table: they always draw".to_owned())),
            Ok(material) => Ok(material),
            Err(error) => Err(refused(error.to_string())),
        }
    }

    /// The answer. If `goes_on` returns false meanwhile, a sample is smaller, and any other answer is given up: `None`.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged.
    fn answer<S: ValueSource>(
        self,
        prober: &Prober<S>,
        remedy: Remedy,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<Option<WholeAnswer>, Box<Refusal>> {
        let answer = match self {
            Whole::Tables(men) => Ok(Some(WholeAnswer::Tables(TableList::read(prober, men)))),
            Whole::Materials(men) => {
                Ok(MaterialList::read(prober, men, Refusal::build_command, goes_on).map(WholeAnswer::Materials))
            }
            Whole::Statistics { material, longest } => TableStatistics::read(prober, material, longest, goes_on)
                .map(|read| read.map(|statistics| WholeAnswer::Statistics(Box::new(statistics)))),
            Whole::SaveStatistics { material, sample } => SaveTotals::read(prober, material, sample.into(), goes_on)
                .map(|totals| Some(WholeAnswer::SaveStatistics(Box::new(totals)))),
            Whole::Examples(material) => ExampleSave::find(prober, material, goes_on)
                .map(|found| found.map(|saves| WholeAnswer::Examples(ExampleSaves { material, saves }))),
        };
        answer.map_err(|error| Box::new(Refusal::of(error, remedy)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_not_repeated() {
        let refusal = Whole::material(&"ก".repeat(100_000)).unwrap_err();
        assert!(refusal.error.len() < 500, "{}", refusal.error);
        assert!(Whole::material("KRvK").is_ok() && Whole::material(&format!("KRvK{}x", " ".repeat(40))).is_err());
    }
}
