//! The tables that a server has.

use makruk_format::{Outline, SideLayout, Storage, TableId};
use makruk_rules::{ByColor, Color};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::packed::{PackedError, unpack};

/// The version of the guide that this crate writes and reads.
const VERSION: u32 = 1;

/// The tables that a server has, with the outline of each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalogue {
    address: String,
    /// In order.
    tables: Vec<(TableId, Outline)>,
}

/// A catalogue that cannot be read.
#[derive(Debug, Error)]
pub enum CatalogueError {
    /// The file is damaged, or no catalogue.
    #[error("the catalogue of the tables: {0}")]
    Packed(#[from] PackedError),
    /// Its text is not as expected.
    #[error("the catalogue of the tables: {0}")]
    Json(#[from] serde_json::Error),
    /// It has another version.
    #[error("the catalogue of the tables is of version {0}: expected {VERSION}")]
    Version(u32),
    /// It describes a table that cannot exist, or one that is not in order.
    #[error("the catalogue of the tables: the description of the table {0:?} is invalid or not in order")]
    Table(String),
}

/// The catalogue's text.
#[derive(Serialize, Deserialize)]
struct CatalogueJson {
    version: u32,
    address: String,
    tables: Vec<TableJson>,
}

/// A table: its name, the length of its header, the header's checksum, and both sides.
#[derive(Serialize, Deserialize)]
struct TableJson(String, u32, u32, SideJson, SideJson);

/// A side to move: storage (0, 1 or 2 as in the file), axis, stripes per block, lengths of model and blocks.
type SideJson = [u64; 5];

fn read_side([storage, axis, block_stripes, model_len, blocks_len]: SideJson) -> Option<SideLayout> {
    let storage = match storage {
        0 => Storage::Absent,
        1 => Storage::Constant,
        2 => Storage::Blocks,
        _ => return None,
    };
    let (axis, block_stripes) = (axis.try_into().ok()?, block_stripes.try_into().ok()?);
    Some(SideLayout { storage, axis, block_stripes, model_len: model_len.try_into().ok()?, blocks_len })
}

#[cfg(feature = "publish")]
fn write_side(side: &SideLayout) -> SideJson {
    let storage = match side.storage {
        Storage::Absent => 0,
        Storage::Constant => 1,
        Storage::Blocks => 2,
    };
    [storage, side.axis.into(), side.block_stripes.into(), side.model_len.into(), side.blocks_len]
}

impl Catalogue {
    /// The path of the catalogue from the site's root.
    pub const PATH: &'static str = "guide/catalogue";

    /// Reads the file of a catalogue.
    ///
    /// # Errors
    ///
    /// The bytes are not a catalogue, or differ from those that were written.
    pub fn read(file: &[u8]) -> Result<Catalogue, CatalogueError> {
        let json: CatalogueJson = serde_json::from_slice(&unpack(file)?)?;
        if json.version != VERSION {
            return Err(CatalogueError::Version(json.version));
        }
        let mut tables: Vec<(TableId, Outline)> = Vec::with_capacity(json.tables.len());
        for TableJson(name, header_len, checksum, white, black) in json.tables {
            let read = || {
                let id = name.parse().ok().filter(|id| tables.last().is_none_or(|(last, _)| last < id))?;
                let sides = ByColor { white: read_side(white)?, black: read_side(black)? };
                Some((id, Outline::new(id, header_len, checksum, sides)?))
            };
            let table = read().ok_or_else(|| CatalogueError::Table(name.clone()))?;
            tables.push(table);
        }
        Ok(Catalogue { address: json.address, tables })
    }

    /// The file of a catalogue.
    #[cfg(feature = "publish")]
    pub(crate) fn write(&self) -> Result<Vec<u8>, serde_json::Error> {
        let table = |(id, outline): &(TableId, Outline)| {
            let [white, black] = Color::ALL.map(|side| write_side(outline.side(side)));
            TableJson(id.to_string(), outline.header_len() as u32, outline.checksum(), white, black)
        };
        let json = CatalogueJson {
            version: VERSION,
            address: self.address.clone(),
            tables: self.tables.iter().map(table).collect(),
        };
        Ok(crate::packed::pack(&serde_json::to_vec(&json)?))
    }

    /// A catalogue of these tables, which are in order and at an address.
    #[cfg(feature = "publish")]
    pub(crate) fn of(address: String, tables: Vec<(TableId, Outline)>) -> Catalogue {
        Catalogue { address, tables }
    }

    /// The address of the folder of the tables: a URL, or relative to the site's root. It ends with a slash.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The tables, in order.
    pub fn tables(&self) -> impl Iterator<Item = (TableId, &Outline)> {
        self.tables.iter().map(|(id, outline)| (*id, outline))
    }

    /// The outline of a table, if the server has it.
    pub fn outline(&self, id: TableId) -> Option<&Outline> {
        let at = self.tables.binary_search_by_key(&id, |(of, _)| *of).ok()?;
        Some(&self.tables[at].1)
    }

    /// A number that differs if any table does. It identifies what was kept from other tables.
    pub fn fingerprint(&self) -> u64 {
        self.tables.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, (id, outline)| {
            let of_table = id.material.key() << 2 | id.metric as u64;
            let mixed = (hash ^ of_table).wrapping_mul(0x100_0000_01b3) ^ u64::from(outline.checksum());
            (mixed ^ mixed >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        })
    }
}

/// Which sides have blocks.
pub(crate) fn has_blocks(outline: &Outline, side: Color) -> bool {
    outline.side(side).storage == Storage::Blocks
}
