//! `research list`: remarkable positions of materials.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use makruk_console::{StopSignal, warn};
use makruk_research::{ListKind, ListedPosition, list};
use makruk_tables::material::Material;

use super::arguments::{MaterialArgs, ScanArgs, one_of};
use super::console::ScanConsole;
use super::digest::digest;
use crate::exit_status::SUCCESS;
use crate::session::{ProbeSession, TableArgs};

/// List zugzwangs, longest wins and other remarkable positions of materials
///
/// Each position is one line of EPD and stands for its images under the material's symmetry. White is the first side of
/// the material's name. With --out, each list is a file DIR/KIND/MATERIAL.epd, and a manifest is printed: kind,
/// material, positions, bytes and SHA-256 of each list, separated by tabs. A material without such positions has no
/// file.
///
/// A list of the longest ways reads whole tables; `makruk-gen info MATERIAL` prints their numbers of moves at once.
/// Against a bare king the longest wins in time are in tightest-wins or, if the count takes no win, in longest-mates.
#[derive(Args, Debug)]
#[command(after_long_help = super::manual_texts::LIST)]
pub(super) struct ListCommand {
    #[command(flatten)]
    tables: TableArgs,
    #[command(flatten)]
    materials: MaterialArgs,
    /// The lists, separated by commas; all if not given
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = one_of::<ListKind>(ListKind::ALL.map(ListKind::name)))]
    kind: Vec<ListKind>,
    /// Write files to this folder and print their manifest; otherwise the lists are printed
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// End each list after N positions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    #[command(flatten)]
    scan: ScanArgs,
}

impl ListCommand {
    pub(super) fn run(&self) -> anyhow::Result<u8> {
        let materials = self.materials.all();
        let kinds: Vec<ListKind> = match &self.kind[..] {
            [] => ListKind::ALL.to_vec(),
            named => named.to_vec(),
        };
        let mut session = self.tables.open()?;
        let stop = StopSignal::watch()?;
        if self.out.is_some() {
            println!("kind\tmaterial\tpositions\tbytes\tsha256");
        }
        for material in materials {
            session.prepare(material);
            for &kind in &kinds {
                if kind.needs_dtz() && !material.has_dtz() {
                    continue;
                }
                if !self.write(&session, material, kind, &stop)? {
                    warn(&format!("makruk-probe research list: stopped in {} of {material}", kind.name()));
                    return Ok(stop.exit_status());
                }
            }
        }
        Ok(SUCCESS)
    }

    /// Writes a list; returns whether it is complete.
    fn write(
        &self,
        session: &ProbeSession,
        material: Material,
        kind: ListKind,
        stop: &StopSignal,
    ) -> anyhow::Result<bool> {
        let mut console = ScanConsole::new(format!("{material} {}", kind.name()), self.scan.quiet, stop.clone());
        let mut scan = |out: &mut dyn Write| {
            let mut missing = self.limit.unwrap_or(u64::MAX);
            let sink = |listed: ListedPosition| -> anyhow::Result<ControlFlow<()>> {
                writeln!(out, "{}", listed.epd())?;
                missing -= 1;
                Ok(if missing == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            };
            list(&session.prober, material, kind, self.scan.threads, &mut console, sink)
        };
        let Some(folder) = &self.out else {
            let mut out = BufWriter::new(io::stdout().lock());
            let listed = scan(&mut out)?;
            console.finish();
            out.flush()?;
            return Ok(listed.is_some());
        };
        let folder = folder.join(kind.name());
        fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        let path = folder.join(format!("{material}.epd"));
        let file = File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
        let mut out = BufWriter::new(file);
        let listed = scan(&mut out)?;
        console.finish();
        let written = out.flush().and_then(|()| digest(&path));
        let (bytes, sha256) = written.with_context(|| format!("cannot write {}", path.display()))?;
        match listed {
            Some(0) => fs::remove_file(&path)?,
            Some(positions) => println!("{}\t{material}\t{positions}\t{bytes}\t{sha256}", kind.name()),
            None => {}
        }
        Ok(listed.is_some())
    }
}
