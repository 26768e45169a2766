//! Making the guide of a folder of tables.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use makruk_tables::format::{FileTable, FormatError, Outline, TableFolder, TableId};
use makruk_tables::rules::Color;
use makruk_tables::value::Metric;
use thiserror::Error;

use crate::catalogue::Catalogue;
use crate::file::{Family, GUIDE, RemoteFile};
use crate::packed::pack;
use crate::records::{self, RecordLayout};

/// A guide that cannot be made.
#[derive(Debug, Error)]
pub enum PublishError {
    /// A table cannot be read, or is damaged.
    #[error(transparent)]
    Table(#[from] FormatError),
    /// A file of the guide cannot be written.
    #[error("cannot write {}: {source}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A table cannot be read again.
    #[error("cannot read {}: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

/// The numbers of a published guide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Published {
    /// The number of tables.
    pub tables: usize,
    /// Bytes of the tables.
    pub table_bytes: u64,
    /// Bytes of the guide.
    pub guide_bytes: u64,
}

/// Writes the guide of the tables of `folder`, but for search tables, into the folder `guide` of `site`. Every byte of the
/// tables is read and compared with its checksum on the way. `address` is that of the folder in which the tables will be: a
/// URL, or relative to the site's root. `on_family` is told each material before it is read.
///
/// # Errors
///
/// A table is damaged or cannot be read, or the guide cannot be written.
pub fn publish(
    folder: &TableFolder,
    site: &Path,
    address: &str,
    mut on_family: impl FnMut(Family),
) -> Result<Published, PublishError> {
    let address = format!("{}/", address.trim_end_matches('/'));
    let mut families: BTreeMap<Family, Vec<TableId>> = BTreeMap::new();
    // Search tables are for engines, which have files.
    for id in folder.list()?.into_iter().filter(|id| id.metric != Metric::Search) {
        families.entry(Family::of(id)).or_default().push(id);
    }
    let guide = site.join(GUIDE);
    fs::create_dir_all(&guide).map_err(|source| PublishError::Write { path: guide, source })?;
    let (mut published, mut outlines) = (Published::default(), BTreeMap::new());
    let mut write = |path: PathBuf, bytes: &[u8]| {
        published.guide_bytes += bytes.len() as u64;
        fs::write(&path, bytes).map_err(|source| PublishError::Write { path, source })
    };
    for (family, ids) in families {
        on_family(family);
        let open = |id: &TableId| Ok((*id, folder.open(&id.material.to_string(), id.metric)?));
        let tables: Vec<(TableId, FileTable)> = ids.iter().map(open).collect::<Result<_, FormatError>>()?;
        let described: Vec<(TableId, Outline)> = tables.iter().map(|(id, table)| (*id, table.outline())).collect();
        let described: Vec<(TableId, &Outline)> = described.iter().map(|(id, outline)| (*id, outline)).collect();
        write(site.join(RemoteFile::Heads(family).to_string()), &heads(folder, &described)?)?;
        write(site.join(RemoteFile::Groups(family).to_string()), &groups(&tables, &described)?)?;
        outlines.extend(described.into_iter().map(|(id, outline)| (id, outline.clone())));
    }
    published.tables = outlines.len();
    published.table_bytes = outlines.values().map(Outline::file_len).sum();
    let path = site.join(Catalogue::PATH);
    let bytes = Catalogue::of(address, outlines).write();
    let bytes = bytes.map_err(|source| PublishError::Write { path: path.clone(), source: source.into() })?;
    published.guide_bytes += bytes.len() as u64;
    fs::write(&path, bytes).map_err(|source| PublishError::Write { path, source })?;
    Ok(published)
}

/// The headers and models of tables, end to end.
fn heads(folder: &TableFolder, tables: &[(TableId, &Outline)]) -> Result<Vec<u8>, PublishError> {
    let mut all = Vec::new();
    for (id, outline) in tables {
        let path = folder.path().join(id.to_string());
        let mut head = vec![0; outline.head_len() as usize];
        let mut read = || io::Read::read_exact(&mut fs::File::open(&path)?, &mut head);
        read().map_err(|source| PublishError::Read { path: path.clone(), source })?;
        all.extend_from_slice(&head);
    }
    Ok(pack(&all))
}

/// The records of tables.
fn groups(tables: &[(TableId, FileTable)], described: &[(TableId, &Outline)]) -> Result<Vec<u8>, PublishError> {
    let layout = RecordLayout::new(described);
    let mut out = Vec::new();
    for side in Color::ALL {
        let (columns, count) = layout.side(side);
        let columns: Vec<&(TableId, FileTable)> =
            columns.iter().filter_map(|column| tables.iter().find(|(id, _)| id == column)).collect();
        let outlines: Vec<Outline> = columns.iter().map(|(_, table)| table.outline()).collect();
        for group in 0..count {
            for ((_, table), outline) in columns.iter().zip(&outlines) {
                if group < outline.groups(side) {
                    let (place, crc) = table.group_record(side, group)?;
                    records::write(place, crc, &mut out);
                } else {
                    let end = outline.blocks(side).end - outline.blocks(side).start;
                    records::write(if group == outline.groups(side) { end } else { 0 }, 0, &mut out);
                }
            }
        }
    }
    Ok(out)
}
