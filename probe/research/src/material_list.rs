//! The list of materials, with or without tables.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use makruk_format::{Header, Listed, MaterialTotals};
use makruk_probe::{Inventory, ProbeError, Prober, TableId, ValueSource};
use makruk_tables::material::Material;
use makruk_tables::value::{Bounds, Metric, Value};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::stats::tablebase;
use crate::table_list::TableList;

/// The numbers of men whose materials are listed whether or not their tables are present.
const COMMON_MEN: RangeInclusive<usize> = 3..=5;

/// Materials by number of men, then by name.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MaterialList {
    /// The materials.
    pub materials: Vec<MaterialEntry>,
    /// The SHA-256 of a line for each of their tables: what `makruk-gen manifest` prints, sorted and without the last
    /// field. A line has material, metric, bytes, and the header's checksum, which follows from every byte of the file.
    pub checksum: String,
}

/// A material, with or without tables.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MaterialEntry {
    /// The canonical name of the material.
    pub material: Material,
    /// The number of men, both kings included.
    pub men: usize,
    /// The command that builds its tables; `null` if they are present.
    pub command: Option<String>,
    /// The totals of its tables, both sides to move together; `null` if they are missing.
    pub totals: Option<MaterialTotals>,
}

impl MaterialList {
    /// The most men of a material that has tables.
    pub const MOST_MEN: usize = 7;

    /// The materials of a number of men, or those that are common or present. `None` if `goes_on` returned false.
    pub fn read<S: ValueSource>(
        prober: &Prober<S>,
        men: Option<usize>,
        command: fn(Material) -> String,
        goes_on: impl Fn() -> bool,
    ) -> Option<MaterialList> {
        let tables = TableList::read(prober, None).tables;
        let present: HashSet<Material> = tables.into_iter().map(|table| table.material).collect();
        let is_listed = |material: &Material| match men {
            Some(men) => material.men() == men,
            None => COMMON_MEN.contains(&material.men()) || present.contains(material),
        };
        let entry = |material: Material| {
            let read = || present.contains(&material).then(|| material_totals(prober, material).ok());
            let totals = goes_on().then(read)?.flatten();
            let command = totals.is_none().then(|| command(material));
            Some(MaterialEntry { material, men: material.men(), command, totals })
        };
        let materials = (3..=MaterialList::MOST_MEN).flat_map(Material::all).filter(is_listed);
        let materials = materials.map(entry).collect::<Option<_>>()?;
        Some(MaterialList { materials, checksum: checksum(prober, is_listed, goes_on)? })
    }
}

/// The checksum of the tables of some materials that can be opened. It reads no more than opening them does. `None` if
/// `goes_on` returned false.
fn checksum<S: ValueSource>(
    prober: &Prober<S>,
    is_listed: impl Fn(&Material) -> bool,
    goes_on: impl Fn() -> bool,
) -> Option<String> {
    fn of_header<V: Listed>(header: &Header<V>) -> (u64, u32) {
        (header.file_len(), header.checksum())
    }

    let Some(tablebase) = prober.source().tablebase() else { return Some(String::new()) };
    let line = |id: TableId| {
        let (bytes, checksum) = match id.metric {
            Metric::Category => of_header(tablebase.table::<Bounds>(id).ok()?.header()),
            Metric::Dtm | Metric::Dtz => of_header(tablebase.table::<Value>(id).ok()?.header()),
        };
        Some(format!("{}\t{}\t{bytes}\t{checksum:08x}\n", id.material, id.metric))
    };
    let inventory = Inventory::of(tablebase.folders());
    let listed = inventory.tables().filter(|id| is_listed(&id.material));
    let lines = listed.map(|id| goes_on().then(|| line(id).unwrap_or_default()));
    let mut lines: Vec<String> = lines.collect::<Option<_>>()?;
    lines.sort_unstable();
    Some(Sha256::digest(lines.concat()).iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The totals of a material, from the headers of its tables.
///
/// # Errors
///
/// If a table is missing or damaged.
pub fn material_totals<S: ValueSource>(prober: &Prober<S>, material: Material) -> Result<MaterialTotals, ProbeError> {
    let tables = tablebase(prober, material)?;
    let open = |&metric| tables.table::<Value>(TableId { material, metric });
    let open = material.distance_metrics().iter().map(open).collect::<Result<Vec<_>, _>>()?;
    Ok(MaterialTotals::of(&open, material, prober.rules()))
}
