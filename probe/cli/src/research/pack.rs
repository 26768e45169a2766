//! `research pack`: archives of tables, one for each material.

use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Read, Write, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use clap::Args;
use makruk_tables::tablebase::TableId;

use super::arguments::MaterialArgs;
use super::digest::digest;
use crate::exit_status::SUCCESS;
use crate::session::TableArgs;

/// Pack the tables of materials into archives, for a deposit
///
/// DIR/MATERIAL.tar has the material's tables: MATERIAL.dtm, MATERIAL.dtz if both sides are armed or a pawn is on the
/// board, and MATERIAL.category. The same tables give the same archives on every machine. A manifest is printed:
/// archive, bytes, SHA-256 and the tables, separated by tabs. `makruk-gen manifest --check` checks tables after they
/// are unpacked.
#[derive(Args, Debug)]
#[command(after_long_help = super::manual_texts::PACK)]
pub(super) struct PackCommand {
    #[command(flatten)]
    tables: TableArgs,
    #[command(flatten)]
    materials: MaterialArgs,
    /// Write the archives to this folder
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

impl PackCommand {
    pub(super) fn run(&self) -> anyhow::Result<u8> {
        let materials = self.materials.all();
        let mut session = self.tables.open()?;
        fs::create_dir_all(&self.out).with_context(|| format!("cannot create {}", self.out.display()))?;
        writeln!(stdout(), "archive\tbytes\tsha256\ttables")?;
        for material in materials {
            session.prepare(material);
            let folders = session.prober.source().folders();
            let mut tables = Vec::new();
            for id in material.tables() {
                tables.push(find(folders, id).with_context(|| format!("{id} is missing"))?);
            }
            let name = format!("{material}.tar");
            let path = self.out.join(&name);
            let packed = pack(&path, &tables).and_then(|()| Ok(digest(&path)?));
            let (bytes, sha256) = packed.with_context(|| format!("cannot write {}", path.display()))?;
            let tables: Vec<&str> = tables.iter().filter_map(|table| table.file_name()?.to_str()).collect();
            writeln!(stdout(), "{name}\t{bytes}\t{sha256}\t{}", tables.join(" "))?;
        }
        Ok(SUCCESS)
    }
}

/// The file of a table, in the first folder that has it.
fn find(folders: &[PathBuf], id: TableId) -> Option<PathBuf> {
    folders.iter().map(|folder| folder.join(id.to_string())).find(|path| path.is_file())
}

/// Writes an archive of files, under their own names: the same bytes on every machine.
fn pack(path: &Path, files: &[PathBuf]) -> anyhow::Result<()> {
    let mut archive = tar::Builder::new(BufWriter::new(File::create(path)?));
    for file in files {
        let name = file.file_name().context("a table without a name")?;
        let unreadable = || format!("cannot read {}", file.display());
        let contents = File::open(file).with_context(unreadable)?;
        let len = contents.metadata().with_context(unreadable)?.len();
        // Owners and times stay 0.
        let mut header = tar::Header::new_ustar();
        header.set_entry_type(tar::EntryType::Regular);
        header.set_mode(0o644);
        header.set_size(len);
        let mut contents = BufReader::new(contents).take(len);
        archive.append_data(&mut header, name, &mut contents)?;
        ensure!(contents.limit() == 0, "{} was cut short while it was being packed", file.display());
    }
    Ok(archive.into_inner()?.into_inner()?.sync_all()?)
}
