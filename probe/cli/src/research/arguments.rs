//! The arguments that several commands of `research` have.

use clap::Args;
use makruk_answers::Whole;
use makruk_tables::material::Material;
use makruk_tables::rules::Color;

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

/// Parses a side.
pub(crate) fn side(text: &str) -> Result<Color, String> {
    text.parse().map_err(|_| format!("{text:?} is not a side: expected white or black"))
}

/// Parses a material that has tables.
pub(crate) fn material(text: &str) -> Result<Material, String> {
    Whole::material(text).map_err(|refusal| refusal.error)
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
