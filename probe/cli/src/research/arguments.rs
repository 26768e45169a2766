//! The arguments that several commands of `research` have.

use std::error::Error;
use std::str::FromStr;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use makruk_answers::FieldValue;
use makruk_tables::material::Material;

/// The options of a scan.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct ScanArgs {
    /// Threads; all cores if not given
    #[arg(long, value_name = "THREADS")]
    pub(crate) threads: Option<usize>,
    /// Show no progress
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// Reads one of some names, which the help lists and shells complete.
pub(crate) fn one_of<T>(names: impl IntoIterator<Item = &'static str>) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err: Error + Send + Sync> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(names).try_map(|name| name.parse())
}

/// Parses a material that has tables.
pub(crate) fn material(text: &str) -> Result<Material, String> {
    Material::read(text).map_err(|refusal| refusal.error)
}

/// The materials that a command is about.
#[derive(Args, Clone, Debug)]
#[group(id = "which", required = true, multiple = true)]
pub(crate) struct MaterialArgs {
    /// All materials of three to N men
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(3..=7))]
    pub(crate) men: Option<u8>,
    /// Materials, such as KRRvKR: king and two rooks against king and rook
    #[arg(value_name = "MATERIAL", value_parser = material)]
    pub(crate) materials: Vec<Material>,
}

impl MaterialArgs {
    /// The materials that are named, and all of three to `men` men, each once.
    pub(crate) fn all(&self) -> Vec<Material> {
        let mut materials = Vec::new();
        let all = self.men.into_iter().flat_map(|men| (3..=usize::from(men)).flat_map(Material::all));
        for material in self.materials.iter().copied().chain(all) {
            if !materials.contains(&material) {
                materials.push(material);
            }
        }
        materials
    }
}
