//! `site`: the explorer as files that any static host serves.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, ensure};
use clap::Args;
use makruk_locate::locate;
use makruk_remote::{Published, publish};
use makruk_service::{Document, DocumentError, Server, Settings, page_files};
use makruk_tables::format::TableFolder;
use makruk_tables::value::Metric;

use super::SUCCESS;

/// The folder of the tables in a site that has them.
const TABLES: &str = "tables";
/// The time that a document may take: the search for the longest wins reads a whole table.
const PATIENCE: Duration = Duration::from_secs(4 * 3600);

/// Write a folder that any static web host can serve: the page, the prober in WebAssembly, a guide to the tables, statistics
/// made beforehand, and the tables
///
/// The host must answer requests for ranges and must not compress the tables. The page does all that it does when it is served
/// by `serve`, but searches. A second run renews what is there; files that it did not write stay.
#[derive(Args, Debug)]
pub(crate) struct Site {
    /// The folder of the tables; otherwise MAKRUK_TABLES, ./tables/data if it exists, or the user's data folder
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// The folder of the site, made if it does not exist
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The address of the tables if they are elsewhere; without, they are linked or copied into the site
    #[arg(long, value_name = "URL")]
    tables_url: Option<String>,
    /// The guide alone, for programs that use the npm package: no page and no statistics
    #[arg(long)]
    guide_only: bool,
    /// The longest wins are found in tables of at most so many bytes; a search reads the whole table
    #[arg(long, value_name = "BYTES", default_value_t = 1 << 40)]
    longest_wins: u64,
    /// A file that keeps the longest wins from run to run, as that of `serve` does
    #[arg(long, value_name = "FILE")]
    longest_wins_file: Option<PathBuf>,
}

impl Site {
    pub(crate) fn run(&self) -> anyhow::Result<u8> {
        let folder = TableFolder::open_existing(locate(self.tables.as_deref()))?;
        fs::create_dir_all(&self.out).with_context(|| format!("cannot make {}", self.out.display()))?;
        let address = self.tables_url.as_deref().unwrap_or(TABLES);
        let published = publish(&folder, &self.out, address, |family| eprintln!("guide: {family}"))?;
        ensure!(published.tables > 0, "{} has no tables", folder.path().display());
        if self.tables_url.is_none() {
            self.add_tables(&folder)?;
        }
        if !self.guide_only {
            self.add_documents(&folder)?;
            self.add_page(address)?;
        }
        let Published { tables, table_bytes, guide_bytes } = published;
        println!("{}: {tables} tables of {table_bytes} bytes, and a guide of {guide_bytes} bytes", self.out.display());
        Ok(SUCCESS)
    }

    /// The tables as links to the same files or, on another disk, as copies.
    fn add_tables(&self, folder: &TableFolder) -> anyhow::Result<()> {
        let there = self.out.join(TABLES);
        fs::create_dir_all(&there).with_context(|| format!("cannot make {}", there.display()))?;
        // Search tables are for engines, which have files.
        for id in folder.list()?.into_iter().filter(|id| id.metric != Metric::Search) {
            let (from, to) = (folder.path().join(id.to_string()), there.join(id.to_string()));
            // A table that is there may be another one, or this very file.
            match fs::remove_file(&to) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(error).with_context(|| format!("cannot replace {}", to.display()));
                }
                _ => {}
            }
            if fs::hard_link(&from, &to).is_err() {
                fs::copy(&from, &to).with_context(|| format!("cannot copy {}", from.display()))?;
            }
        }
        Ok(())
    }

    /// The answers that depend on nothing but the tables.
    fn add_documents(&self, folder: &TableFolder) -> anyhow::Result<()> {
        let mut settings = Settings { longest_win_file: self.longest_wins_file.clone(), ..Settings::default() };
        settings.limits.deadline = PATIENCE;
        let server = Server::new(folder.path(), settings)?;
        let runtime = tokio::runtime::Runtime::new().context("cannot start the threads")?;
        runtime.block_on(server.documents(self.longest_wins, |Document { path, json }| {
            eprintln!("answer: {path}");
            write(&self.out.join(path), &json).map_err(SiteError::Write)
        }))?;
        Ok(())
    }

    /// The page, which is told that it has no server.
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

/// A document that cannot be made or written.
#[derive(Debug, thiserror::Error)]
enum SiteError {
    #[error(transparent)]
    Document(#[from] DocumentError),
    #[error("{0}")]
    Write(anyhow::Error),
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, bytes));
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// The page's HTML with its content security policy, which a static host does not send, and the mark that there is no server.
fn with_policy(html: &[u8], address: &str) -> anyhow::Result<Vec<u8>> {
    let html = std::str::from_utf8(html).context("the page is not UTF-8")?;
    let elsewhere = match address.split_once("://") {
        Some((scheme, rest)) => format!(" {scheme}://{}", rest.split('/').next().unwrap_or_default()),
        None => String::new(),
    };
    ensure!(!elsewhere.contains(['"', ';', '\'', '<']), "{address:?} is no address");
    let policy = format!(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; \
         connect-src 'self'{elsewhere}; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'"
    );
    let head = format!(
        "<meta name=\"makruk-site\" content=\"1\" />\n<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\" />\n<title>"
    );
    ensure!(html.contains("<title>"), "the program was built without its page");
    Ok(html.replacen("<title>", &head, 1).into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_may_read_tables_elsewhere() {
        let page =
            |address| with_policy(b"<head><title>x</title>", address).map(|html| String::from_utf8(html).unwrap());
        assert!(page("tables").unwrap().contains("connect-src 'self';"));
        assert!(page("https://cdn.example/makruk/").unwrap().contains("connect-src 'self' https://cdn.example;"));
        assert!(page("https://cdn.example\" onload=\"").is_err());
        assert!(with_policy(b"", "tables").is_err());
    }
}
