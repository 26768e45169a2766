//! `site`: the explorer as files that any static host serves.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use clap::Args;
use makruk_answers::{Ask, Examples, Longest, Materials, Question, SaveStatistics, Statistics, json};
use makruk_console::{locate, warn};
use makruk_format::{TableFolder, TableId};
use makruk_probe::{Inventory, Prober, Tablebase};
use makruk_remote::{Published, Publishing, publish, write_whole};
use makruk_rules::printable;
use makruk_service::page_files;
use makruk_tables::material::Material;

use super::remedy::{DOOR, no_tables};
use super::sentences::counted;
use super::table_builder::build_up_to;
use crate::exit_status::SUCCESS;

/// The folder of the tables in a site that has them.
const TABLES: &str = "tables";

/// The answer, in JSON, to a question about a material.
type OfMaterial = fn(&Prober, Material) -> anyhow::Result<Vec<u8>>;

/// The questions about a material that read more of the tables than a browser should, by the names of their answers.
const OF_MATERIAL: [(&str, OfMaterial); 3] = [
    ("statistics", |prober, material| answer(prober, Statistics { material, longest: Some(Longest::Searched) })),
    ("saves", |prober, material| answer(prober, Examples { material })),
    ("counts", |prober, material| answer(prober, SaveStatistics { material, sample: 0 })),
];

/// Write a folder that any static web host can serve: the page, the prober in WebAssembly, a guide to the tables,
/// statistics made beforehand, and the tables
///
/// The host must support range requests and must not compress the tables. The page can do all that it does under
/// `serve`, except search. The page is written first, then one material after the other, small ones first. A run that
/// is stopped leaves a site that works with the files so far, and the next run continues. A run rewrites files that are
/// older than their tables, and leaves files that it did not write.
#[derive(Args, Debug)]
#[command(after_long_help = crate::manuals::SITE)]
pub(crate) struct Site {
    /// The folder of the tables; otherwise MAKRUK_TABLES, ./tables/data or `tables` beside the program if it exists, or
    /// the user's data folder
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// First build the missing tables of all materials of 3 to N men, kings included
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(3..=6))]
    build: Option<u8>,
    /// The folder of the site, created if it does not exist
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The address of the tables if they are elsewhere; without it, they are linked or copied into the site
    #[arg(long, value_name = "URL", value_parser = tables_address)]
    tables_url: Option<String>,
    /// Write only the guide, for programs that use the npm package: no page and no statistics
    #[arg(long)]
    guide_only: bool,
}

/// The address of a site's tables, which readers do not refuse.
fn tables_address(text: &str) -> Result<String, String> {
    let rest = ["https://", "http://"].iter().find_map(|scheme| text.strip_prefix(scheme));
    let is_folder = !text.starts_with('/') && !text.contains(':') && text.split('/').all(|part| part != "..");
    let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic() && !b"<>\"'`\\".contains(&byte));
    match is_plain && rest.map_or(is_folder && !text.is_empty(), |rest| !rest.is_empty() && !rest.starts_with('/')) {
        true => Ok(text.to_owned()),
        false => Err("expected https://, http://, or a folder within the site".to_owned()),
    }
}

impl Site {
    pub(crate) fn run(&self) -> anyhow::Result<u8> {
        let place = locate(self.tables.as_deref());
        if let Some(men) = self.build {
            build_up_to(men, &place)?;
        }
        let folder = TableFolder::open_existing(place)?;
        ensure!(!folder.list()?.is_empty(), "{}", no_tables(folder.path()));
        fs::create_dir_all(&self.out).with_context(|| format!("cannot create {}", self.out.display()))?;
        let address = self.tables_url.as_deref().unwrap_or(TABLES);
        // The page comes first: a run that is stopped leaves a site that works with what is there.
        if !self.guide_only {
            self.add_page(address)?;
        }
        let Published { tables, table_bytes, guide_bytes } = self.add_guide(&folder, address)?;
        if !self.guide_only {
            self.add_answers(&folder, table_bytes)?;
        }
        let tables = counted(u32::try_from(tables)?, "table");
        let place = printable(&self.out.to_string_lossy());
        writeln!(io::stdout(), "{place}: {tables} of {table_bytes} bytes, and a guide of {guide_bytes} bytes")?;
        Ok(SUCCESS)
    }

    /// The guide and, unless they are elsewhere, the tables: a material is in the catalogue when both are there.
    fn add_guide(&self, folder: &TableFolder, address: &str) -> anyhow::Result<Published> {
        let (mut done, mut before, mut console) = (0, 0, SiteConsole::new());
        publish(folder, &self.out, address, |part: &Publishing, all| {
            done += std::mem::replace(&mut before, part.bytes);
            if !part.is_made {
                console.show(&format!("guide: {}", part.family), done, all);
            }
            if self.tables_url.is_some() { Ok(()) } else { self.add_tables(folder, &part.tables) }
        })
    }

    /// Tables as links to the same files or, on another disk, as copies.
    fn add_tables(&self, folder: &TableFolder, tables: &[TableId]) -> anyhow::Result<()> {
        let there = self.out.join(TABLES);
        fs::create_dir_all(&there).with_context(|| format!("cannot create {}", there.display()))?;
        for id in tables {
            let (from, to) = (folder.path().join(id.to_string()), there.join(id.to_string()));
            // A link to a table elsewhere would lead nowhere on another machine.
            let from = fs::canonicalize(&from).with_context(|| format!("cannot copy {}", from.display()))?;
            // A table that is there may be another one, or this very file, which must not be written to.
            let temporary = there.join(format!("{id}.{}.tmp", std::process::id()));
            let linked = fs::hard_link(&from, &temporary).or_else(|_| fs::copy(&from, &temporary).map(drop));
            linked
                .and_then(|()| fs::rename(&temporary, &to))
                .with_context(|| format!("cannot copy {}", from.display()))?;
            // Renaming a link to the file that is there leaves it.
            let _ = fs::remove_file(&temporary);
        }
        Ok(())
    }

    /// The answers that depend on nothing but the tables; those that are there and younger than their tables stay.
    fn add_answers(&self, folder: &TableFolder, table_bytes: u64) -> anyhow::Result<()> {
        let prober = Prober::new(Tablebase::new(folder.path()));
        let stamp = self.stamp()?;
        let materials = whole_materials(folder.path());
        // The list is short, and tables may have been removed.
        write(&self.out.join("answers/materials.json"), &answer(&prober, Materials { men: None })?)?;
        // Of the bytes of a material, each of its answers has a third.
        let (mut done, mut console) = (0, SiteConsole::new());
        for material in materials {
            let ids = material.distance_metrics().iter().map(|&metric| TableId { material, metric });
            let tables: Vec<PathBuf> = ids.map(|id| folder.path_of(id)).collect();
            let bytes: u64 = tables.iter().filter_map(|table| Some(fs::metadata(table).ok()?.len())).sum();
            for (kind, find) in OF_MATERIAL {
                let name = format!("answers/{kind}/{material}.json");
                let path = self.out.join(&name);
                let is_new = !is_younger(&path, tables.iter().cloned().chain([stamp.clone()]));
                if is_new {
                    console.show(&format!("answer: {name}"), done, table_bytes);
                    let answer = find(&prober, material).with_context(|| format!("cannot create {name}"))?;
                    write(&path, &answer)?;
                }
                done += bytes / OF_MATERIAL.len() as u64;
            }
        }
        Ok(())
    }

    /// The file that names the program which made the answers. It is as old as the first of them: another program makes
    /// all again.
    fn stamp(&self) -> anyhow::Result<PathBuf> {
        let path = self.out.join("answers/program");
        let program = concat!("makruk-probe ", env!("CARGO_PKG_VERSION"), "\n");
        if !fs::read(&path).is_ok_and(|found| found == program.as_bytes()) {
            write(&path, program.as_bytes())?;
        }
        Ok(path)
    }

    /// The page, with the mark that there is no server.
    fn add_page(&self, address: &str) -> anyhow::Result<()> {
        for (name, bytes) in page_files() {
            let bytes = match name.as_str() {
                "index.html" => with_policy(&bytes, address)?,
                _ => bytes.to_vec(),
            };
            write(&self.out.join(name), &bytes)?;
        }
        // GitHub Pages would otherwise leave files out.
        write(&self.out.join(".nojekyll"), b"")?;
        Ok(())
    }
}

/// The materials that have all of their tables of distances.
fn whole_materials(folder: &Path) -> Vec<Material> {
    let tables = Inventory::of([folder]);
    let is_whole = |&material: &Material| {
        material.distance_metrics().iter().all(|&metric| tables.has(TableId { material, metric }))
    };
    tables.materials().filter(is_whole).collect()
}

/// The answer to a question, as JSON.
fn answer(prober: &Prober, question: impl Into<Question>) -> anyhow::Result<Vec<u8>> {
    let answer = question.into().ask(prober.clone(), DOOR).map_err(|refusal| anyhow::anyhow!(refusal.error))?;
    Ok(json(&answer).into_bytes())
}

/// The progress of a site on standard error: a line for each step on a terminal, elsewhere one for each tenth.
struct SiteConsole {
    is_terminal: bool,
    /// The tenths that were printed.
    tenths: u64,
}

impl SiteConsole {
    fn new() -> SiteConsole {
        SiteConsole { is_terminal: io::stderr().is_terminal(), tenths: 0 }
    }

    /// Shows the step that begins, after some of the bytes are done.
    fn show(&mut self, step: &str, done: u64, all: u64) {
        let percent = (100 * done).checked_div(all).unwrap_or(100).min(100);
        if self.is_terminal || percent / 10 > self.tenths {
            self.tenths = percent / 10;
            warn(&format!("{step}  {percent} %"));
        }
    }
}

/// Writes a file whole or not at all.
fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| write_whole(path, bytes));
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// Whether a document is there and no older than any file that it is made from.
fn is_younger(document: &Path, sources: impl IntoIterator<Item = PathBuf>) -> bool {
    let time = |path: &Path| fs::metadata(path).and_then(|file| file.modified()).ok();
    let Some(made) = time(document) else { return false };
    sources.into_iter().filter_map(|source| time(&source)).all(|source| source <= made)
}

/// The files that the page without a server needs first. They are fetched together with the page's own scripts.
const PRELOADED: &str = "<link rel=\"modulepreload\" href=\"site.js\" />
<link rel=\"preload\" href=\"makruk.wasm\" as=\"fetch\" type=\"application/wasm\" crossorigin />
<link rel=\"preload\" href=\"guide/catalogue\" as=\"fetch\" crossorigin />
";

/// The page's HTML with its content security policy, which a static host does not send, and the mark that there is no
/// server.
fn with_policy(html: &[u8], address: &str) -> anyhow::Result<Vec<u8>> {
    let html = std::str::from_utf8(html).context("the page is not UTF-8")?;
    let elsewhere = match address.split_once("://") {
        Some((scheme, rest)) => format!(" {scheme}://{}", rest.split('/').next().unwrap_or_default()),
        None => String::new(),
    };
    ensure!(!elsewhere.contains(['"', ';', '\'', '<']), "{address:?} is not a valid address");
    let policy = format!(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; \
         connect-src 'self'{elsewhere}; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'"
    );
    let head = format!(
        "<meta name=\"makruk-site\" content=\"1\" />\n<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\" />\n<title>"
    );
    ensure!(html.contains("<title>") && html.contains("</head>"), "the program was built without its page");
    // The page's own scripts are small, and come first on a line that they share with the module.
    let html = html.replacen("<title>", &head, 1).replacen("</head>", &format!("{PRELOADED}</head>"), 1);
    Ok(html.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_may_read_tables_elsewhere() {
        let page = |address| {
            with_policy(b"<head><title>x</title></head>", address).map(|html| String::from_utf8(html).unwrap())
        };
        assert!(page("tables").unwrap().contains("connect-src 'self';"));
        assert!(page("https://cdn.example/makruk/").unwrap().contains("connect-src 'self' https://cdn.example;"));
        assert!(page("https://cdn.example\" onload=\"").is_err());
        assert!(with_policy(b"", "tables").is_err());
    }
}
