//! The positions of a table's longest wins.

use std::collections::HashMap;
use std::sync::LazyLock;

use makruk_format::Storage;
use makruk_format::index::Layout;
use makruk_probe::{ProbeError, Prober, ValueSource};
use makruk_rules::{ByColor, Color, Fen, Position};
use makruk_tables::tablebase::{TableId, Tablebase};
use makruk_tables::value::Value;
use serde::Deserialize;

use crate::stats::tablebase;

/// The most positions of a side.
const MOST_POSITIONS: usize = 10;

/// The longest wins of a table, as the file has them.
#[derive(Debug, Deserialize)]
struct KnownWins {
    /// The checksum of the table's header, which stands for the whole table.
    checksum: u32,
    white: Vec<String>,
    black: Vec<String>,
}

/// The longest wins of the tables of up to five men, by the tables' names.
static KNOWN: LazyLock<HashMap<String, KnownWins>> =
    LazyLock::new(|| serde_json::from_str(include_str!("../longest-wins.json")).unwrap_or_default());

/// The result of [`longest_positions`] from a list of all tables of up to five men; `None` if the table there has
/// another checksum of its header.
pub(crate) fn known_longest_positions(id: TableId, checksum: u32) -> Option<ByColor<Vec<String>>> {
    let KnownWins { white, black, .. } = KNOWN.get(&id.to_string()).filter(|known| known.checksum == checksum)?;
    Some(ByColor { white: white.clone(), black: black.clone() })
}

/// The FENs of the longest wins of a table of distances by side to move, at most ten of each: it searches the whole
/// table.
///
/// # Errors
///
/// If a table is missing or damaged.
pub(crate) fn longest_positions<S: ValueSource>(
    prober: &Prober<S>,
    id: TableId,
) -> Result<ByColor<Vec<String>>, ProbeError> {
    let tables = tablebase(prober, id.material)?;
    let (layout, table) = (Layout::new(id.material), tables.table::<Value>(id)?);
    let mut found = ByColor { white: Vec::new(), black: Vec::new() };
    for side in Color::ALL {
        let scan = Scan { tables, id, layout: &layout };
        let found = &mut found[side];
        match table.spec().values[side].max_win_plies() {
            0 => {}
            plies if table.storage(side) == Storage::Absent => scan.longest_by_moves(side, plies, found)?,
            plies => scan.each_of(side, Value::Win(plies), |position| {
                found.push(Fen::new(position, None).to_string());
                Ok(found.len() < MOST_POSITIONS)
            })?,
        }
    }
    Ok(found)
}

/// A scan of one table.
struct Scan<'a> {
    tables: &'a Tablebase,
    id: TableId,
    layout: &'a Layout,
}

impl Scan<'_> {
    /// The longest wins of an omitted side: the predecessors of the other side's longest losses by moves that capture
    /// nothing.
    fn longest_by_moves(&self, side: Color, longest: u16, found: &mut Vec<String>) -> Result<(), ProbeError> {
        self.each_of(!side, Value::Loss(longest - 1), |position| {
            for before in position.quiet_predecessors() {
                // The image that the index uses for all images of a position.
                let Some((_, number)) = self.layout.number(&before) else { continue };
                let Some(before) = self.layout.position_at(side, number) else { continue };
                let value = self.tables.value(&before, self.id.metric)?;
                let before = Fen::new(before, None).to_string();
                if value == Value::Win(longest) && !found.contains(&before) && found.len() < MOST_POSITIONS {
                    found.push(before);
                }
            }
            Ok(found.len() < MOST_POSITIONS)
        })
    }

    /// Calls `visit` for each position of a stored side that has the value, until it returns false.
    fn each_of(
        &self,
        side: Color,
        value: Value,
        mut visit: impl FnMut(Position) -> Result<bool, ProbeError>,
    ) -> Result<(), ProbeError> {
        let reader = self.tables.side(self.id, side)?;
        let Some(code_of_value) = reader.values().iter().position(|of| *of == value) else { return Ok(()) };
        let mut codes = Vec::new();
        for slab in 0..self.layout.slabs() {
            reader.slab(slab, &mut codes)?;
            let start = slab as u64 * self.layout.slab_len();
            for (number, _) in (start..).zip(&codes).filter(|&(_, &code)| usize::from(code) == code_of_value) {
                // A cell that is not a legal position may hold any code; if a position has two cells, the first is
                // visited.
                let Some(position) = self.layout.first_at(side, number) else { continue };
                if !visit(position)? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(tables: Tablebase, id: TableId) -> ByColor<Vec<String>> {
        longest_positions(&Prober::new(tables), id).unwrap()
    }

    #[test]
    fn those_that_are_known_are_those_of_their_tables() {
        assert!(KNOWN.len() >= 253, "{}", KNOWN.len());
        for (name, wins) in KNOWN.iter() {
            let id = name.parse().unwrap();
            assert!(known_longest_positions(id, wins.checksum).is_some() && wins.white.len() <= MOST_POSITIONS);
            assert!(known_longest_positions(id, wins.checksum ^ 1).is_none(), "{name}");
        }
        for line in include_str!("../../../tables/MANIFEST.tsv").lines() {
            let [material, metric, _, checksum, ..] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("{line}")
            };
            if let Some(wins) = KNOWN.get(&format!("{material}.{metric}")) {
                assert_eq!(format!("{:08x}", wins.checksum), checksum, "{material}.{metric}");
            }
        }
        let folder = test_tables::usual(test_tables::materials(&["KRvK", "KRvKR"]));
        for id in ["KRvK.dtm", "KRvKR.dtm", "KRvKR.dtz"].map(|name| name.parse().unwrap()) {
            let checksum = folder.open::<Value>(id).unwrap().header().checksum();
            assert_eq!(known_longest_positions(id, checksum), Some(found(Tablebase::new(folder.path()), id)), "{id}");
        }
    }

    #[test]
    #[ignore = "searches all positions of four men: ten seconds"]
    fn longest_wins_of_an_omitted_side() {
        let folder = test_tables::one_sided(test_tables::materials(&["KRvKS"]));
        let tables = Tablebase::new(folder.path());
        for id in ["KRvKS.dtm", "KRvKS.dtz"].map(|name| name.parse::<TableId>().unwrap()) {
            let longest = tables.table::<Value>(id).unwrap().spec().values.black.max_win_plies();
            let black = found(tables.clone(), id).black;
            assert!(!black.is_empty());
            for fen in &black {
                assert_eq!(black.iter().filter(|other| *other == fen).count(), 1);
                let position = fen.parse::<Fen>().unwrap().position;
                assert_eq!(tables.value(&position, id.metric).unwrap(), Value::Win(longest), "{fen}");
            }
        }
    }

    #[test]
    fn a_damaged_table_has_none() {
        let materials = test_tables::materials(&["KRvKR"]);
        let folder = test_tables::own(&test_tables::usual(materials.clone()), materials);
        let path = folder.path().join("KRvKR.dtm");
        let mut bytes = std::fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle..middle + 1000].iter_mut().for_each(|byte| *byte ^= 0x55);
        std::fs::write(&path, bytes).unwrap();
        let prober = Prober::new(Tablebase::new(folder.path()));
        assert!(longest_positions(&prober, "KRvKR.dtm".parse().unwrap()).is_err());
    }
}
