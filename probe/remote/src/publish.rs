//! Making the guide of a folder of tables.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use makruk_format::{AnyValue, FileTable, FormatError, Outline, TableFolder, TableId};
use makruk_rules::Color;
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

/// A family whose guide is about to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Publishing {
    /// The family.
    pub family: Family,
    /// Its tables.
    pub tables: Vec<TableId>,
    /// Bytes of its tables.
    pub bytes: u64,
    /// Whether its guide is there from an earlier run: no table is read then.
    pub is_made: bool,
}

/// Writes the guide of the tables of `folder` into the folder `guide` of `site`, small families first. Every byte of
/// the tables is read and compared with its checksum on the way; a family whose guide is there, made from the same
/// tables, is not read again. `address` is that of the folder in which the tables will be: a URL, or relative to the
/// site's root. `begin` is called with each family before it is read, and with the bytes of all families. The catalogue
/// has a family as soon as its guide is made, so that a run that is stopped leaves a site of the families before.
///
/// # Errors
///
/// A table is damaged or cannot be read, the guide cannot be written, or `begin` fails.
pub fn publish<E: From<PublishError>>(
    folder: &TableFolder,
    site: &Path,
    address: &str,
    mut begin: impl FnMut(&Publishing, u64) -> Result<(), E>,
) -> Result<Published, E> {
    let address = format!("{}/", address.trim_end_matches('/'));
    let families = families(folder)?;
    let all = families.iter().map(|family| family.bytes).sum();
    let guide = site.join(GUIDE);
    fs::create_dir_all(&guide).map_err(|source| PublishError::Write { path: guide, source })?;
    let (mut published, mut outlines) = (Published::default(), BTreeMap::new());
    for Publishing { family, tables: ids, bytes, .. } in families {
        let open = |id: &TableId| Ok((*id, folder.open::<AnyValue>(*id)?));
        let tables: Result<Vec<(TableId, FileTable<AnyValue>)>, FormatError> = ids.iter().map(open).collect();
        let tables = tables.map_err(PublishError::from)?;
        let described: Vec<(TableId, Outline)> =
            tables.iter().map(|(id, table)| (*id, table.outline().clone())).collect();
        let lent: Vec<(TableId, &Outline)> = described.iter().map(|(id, outline)| (*id, outline)).collect();
        let [to_heads, to_groups] =
            [RemoteFile::Heads(family), RemoteFile::Groups(family)].map(|file| site.join(file.to_string()));
        let heads = heads(folder, &lent)?;
        // The groups are written before the heads: where the heads fit, both are whole.
        let is_made = fs::read(&to_heads).is_ok_and(|made| made == heads) && has_len(&to_groups, groups_len(&lent));
        begin(&Publishing { family, tables: ids, bytes, is_made }, all)?;
        if !is_made {
            put(&to_groups, &groups(&tables, &lent)?)?;
            put(&to_heads, &heads)?;
        }
        outlines.extend(described.iter().cloned());
        // What an earlier run has made is in its catalogue.
        if !is_made {
            put_catalogue(site, &address, &outlines)?;
        }
        published.guide_bytes += heads.len() as u64 + groups_len(&lent);
        published.table_bytes += bytes;
        published.tables += described.len();
    }
    published.guide_bytes += put_catalogue(site, &address, &outlines)?;
    Ok(published)
}

/// The families of a folder with their tables and bytes, small ones first.
fn families(folder: &TableFolder) -> Result<Vec<Publishing>, PublishError> {
    let mut families: BTreeMap<Family, Publishing> = BTreeMap::new();
    for id in folder.list()? {
        let path = folder.path().join(id.to_string());
        let bytes = fs::metadata(&path).map_err(|source| PublishError::Read { path, source })?.len();
        let family = Family::of(id);
        let entry = families.entry(family);
        let entry = entry.or_insert_with(|| Publishing { family, tables: Vec::new(), bytes: 0, is_made: false });
        entry.tables.push(id);
        entry.bytes += bytes;
    }
    let mut families: Vec<Publishing> = families.into_values().collect();
    families.sort_by_key(|family| family.bytes);
    Ok(families)
}

fn has_len(path: &Path, len: u64) -> bool {
    fs::metadata(path).is_ok_and(|file| file.len() == len)
}

/// Writes a file whole or not at all, whatever other processes write at the same time.
///
/// # Errors
///
/// The system cannot write it.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(format!(".{}.tmp", std::process::id()));
    fs::write(&temporary, bytes).and_then(|()| fs::rename(&temporary, path))
}

fn put(path: &Path, bytes: &[u8]) -> Result<(), PublishError> {
    write_whole(path, bytes).map_err(|source| PublishError::Write { path: path.to_owned(), source })
}

/// Writes the catalogue of the tables whose guide is made; returns its bytes.
fn put_catalogue(site: &Path, address: &str, outlines: &BTreeMap<TableId, Outline>) -> Result<u64, PublishError> {
    let path = site.join(Catalogue::PATH);
    let bytes = Catalogue::of(address.to_owned(), outlines.clone().into_iter().collect()).write();
    let bytes = bytes.map_err(|source| PublishError::Write { path: path.clone(), source: source.into() })?;
    put(&path, &bytes)?;
    Ok(bytes.len() as u64)
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

/// Bytes of the records of tables.
fn groups_len(described: &[(TableId, &Outline)]) -> u64 {
    let layout = RecordLayout::new(described);
    let side = |side| {
        let (columns, count) = layout.side(side);
        columns.len() as u64 * count
    };
    Color::ALL.into_iter().map(side).sum::<u64>() * records::COLUMN as u64
}

/// The records of tables.
fn groups(
    tables: &[(TableId, FileTable<AnyValue>)],
    described: &[(TableId, &Outline)],
) -> Result<Vec<u8>, PublishError> {
    let layout = RecordLayout::new(described);
    let mut out = Vec::new();
    for side in Color::ALL {
        let (columns, count) = layout.side(side);
        let columns: Vec<&(TableId, FileTable<AnyValue>)> =
            columns.iter().filter_map(|column| tables.iter().find(|(id, _)| id == column)).collect();
        let outlines: Vec<Outline> = columns.iter().map(|(_, table)| table.outline().clone()).collect();
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
