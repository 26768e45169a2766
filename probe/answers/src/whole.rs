//! Questions about tables and whole materials.

use makruk_probe::{Attempt, ProbeError, Prober, ValueSource};
use makruk_research::{
    ExampleSave, ExampleSaves, Longest, MaterialList, PositionKind, SaveTotals, TableList, TableStatistics,
};
use makruk_tables::material::Material;
use serde::Deserialize;

use crate::asking::{Work, questions};
use crate::field::FieldValue;
use crate::{Door, Reason, Refusal, Step};

/// The question of the tables that can be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
pub struct Tables {
    /// The men of those that are asked for; all without.
    pub men: Option<usize>,
}

/// The question of the materials that are common or have tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
pub struct Materials {
    /// The men of those that are asked for: then all materials of so many.
    pub men: Option<usize>,
}

/// The question of the statistics of a material's tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
pub struct Statistics {
    /// The material.
    pub material: Material,
    /// The positions of the longest wins that are asked for.
    pub longest: Option<Longest>,
}

/// The question of the numbers of a material's count saves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
pub struct SaveStatistics {
    /// The material.
    pub material: Material,
    /// The most saves of a sample, whose properties are asked for.
    pub sample: u32,
}

/// The question of some count saves of a material that are worth showing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
pub struct Examples {
    /// The material.
    pub material: Material,
}

/// Questions that one step answers. If `goes_on` returns false meanwhile, a sample is smaller, and lists and examples
/// are given up: `None`.
macro_rules! whole {
    ($($question:ident => $answer:ty, |$this:pat_param, $prober:ident, $goes_on:ident| $found:expr;)*) => {
        questions! { $($question => $answer, $question, |question, _| Ok(question);)* }

        $(impl Work for $question {
            type Answer = $answer;

            fn go_on(&mut self, prober: &impl Attempt, door: Door, goes_on: &dyn Fn() -> bool) -> Step<$answer> {
                fn find<S: ValueSource>(
                    $this: $question,
                    $prober: &Prober<S>,
                    $goes_on: &dyn Fn() -> bool,
                ) -> Result<Option<$answer>, ProbeError> {
                    $found
                }
                match prober.attempt(|prober| find(*self, prober, goes_on)) {
                    Some(Ok(answer)) => answer.map_or(Step::More, Step::Done),
                    Some(Err(error)) => Step::Refused(Box::new(Refusal::of(error, door.remedy))),
                    None => Step::Wants,
                }
            }
        })*
    };
}

whole! {
    Tables => TableList, |Tables { men }, prober, _goes_on| Ok(Some(TableList::read(prober, men)));
    Materials => MaterialList, |Materials { men }, prober, goes_on| {
        Ok(MaterialList::read(prober, men, Refusal::build_command, goes_on))
    };
    Statistics => Box<TableStatistics>, |Statistics { material, longest }, prober, _goes_on| {
        Ok(Some(Box::new(TableStatistics::read(prober, material, longest)?)))
    };
    SaveStatistics => Box<SaveTotals>, |SaveStatistics { material, sample }, prober, goes_on| {
        Ok(Some(Box::new(SaveTotals::read(prober, material, sample.into(), goes_on)?)))
    };
    Examples => ExampleSaves, |Examples { material }, prober, goes_on| {
        Ok(ExampleSave::find(prober, material, goes_on)?.map(|saves| ExampleSaves { material, saves }))
    };
}

/// The longest name of a material that an error repeats, in characters.
const MOST_REPEATED: usize = 40;

/// A material that may have tables: two bare kings have none.
impl FieldValue for Material {
    fn read(name: &str) -> Result<Material, Box<Refusal>> {
        // An error repeats the name in headers, which are short. A longer name is refused.
        let name = match name.char_indices().nth(MOST_REPEATED) {
            None => name.to_owned(),
            Some((end, _)) => format!("{}...", &name[..end]),
        };
        let refused = |error: String| Refusal::misasked(Reason::BadMaterial, "material", error);
        match name.parse() {
            Ok(Material::BARE_KINGS) => {
                Err(refused("two bare kings have no table: they always draw".to_owned()).into())
            }
            Ok(material) => Ok(material),
            Err(error) => Err(Refusal { found: Some(name), ..refused(error.to_string()) }.into()),
        }
    }
}

impl FieldValue for PositionKind {
    fn read(name: &str) -> Result<PositionKind, Box<Refusal>> {
        name.parse().map_err(|error| Refusal::misasked(Reason::BadRequest, "query", format!("kind: {error}")).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_not_repeated() {
        let refusal = Material::read(&"ก".repeat(100_000)).unwrap_err();
        assert!(refusal.error.len() < 500, "{}", refusal.error);
        assert!(Material::read("KRvK").is_ok() && Material::read(&format!("KRvK{}x", " ".repeat(40))).is_err());
    }
}
