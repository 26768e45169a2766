//! The tables of a site, of which what a question needs is fetched.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use makruk_format::{Outline, TableId};
use makruk_probe::Tablebase;
use makruk_tables::{MANIFEST, MANIFEST_SIX};

use super::host::{CONNECTIONS, Fault, Host, MirrorUrl};
use crate::{Catalogue, RemoteFile, RemoteProber, RemoteStore, Want};

/// The most bytes of a whole file of the guide.
const MOST_FILE_BYTES: u64 = 1 << 24;

/// The most bytes of tables in memory, and of files in the cache.
const MOST_BYTES: usize = 1 << 28;

/// The tables of a site, asked by HTTP. Bytes that were fetched stay in a folder for the next process.
#[derive(Debug)]
pub struct RemoteTables {
    host: Host,
    tables: MirrorUrl,
    store: RemoteStore,
    prober: RemoteProber,
    cache: Option<PathBuf>,
    /// Whether bytes were refused once: then they are fetched again, but not a third time.
    is_doubted: AtomicBool,
}

impl RemoteTables {
    /// Opens the tables of a site, which may be silent for some time. `caches` is the folder of all caches.
    ///
    /// # Errors
    ///
    /// The site cannot be read, or has other tables under the names of those that the program knows.
    pub fn open(url: MirrorUrl, silence: Duration, caches: Option<&Path>) -> Result<RemoteTables, Fault> {
        let host = Host::new(url, silence);
        let (tables, catalogue) = host.site()?.clone();
        let catalogue = catalogue.ok_or_else(|| {
            Fault::Wrong(format!("it has no {}: `makruk-probe site` makes a site of tables", Catalogue::PATH))
        })?;
        if let Some((id, _)) = catalogue.tables().find(|&(id, outline)| !is_known(id, outline)) {
            return Err(Fault::Wrong(format!("{id} is not the table of the program's list")));
        }
        let cache = caches.and_then(|caches| cache_of(caches, &host, &catalogue));
        let store = RemoteStore::new(catalogue, MOST_BYTES);
        let prober = RemoteProber::new(Tablebase::builder().store(Arc::new(store.clone())).build());
        Ok(RemoteTables { host, tables, store, prober, cache, is_doubted: AtomicBool::new(false) })
    }

    /// The prober, which answers questions with the bytes that are here.
    pub fn prober(&self) -> RemoteProber {
        self.prober.clone()
    }

    /// Fetches all bytes that questions have wanted, many at a time.
    ///
    /// # Errors
    ///
    /// The host does not give them, or gives others.
    pub fn fetch(&self) -> Result<(), Fault> {
        let wants = self.store.take_wants();
        if wants.is_empty() {
            return Err(Fault::Wrong("its tables want bytes that nobody can name".to_owned()));
        }
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some(want) = wants.get(next.fetch_add(1, Ordering::Relaxed)) {
                self.give(want)?;
            }
            Ok(())
        };
        thread::scope(|scope| {
            let workers: Vec<_> = (0..CONNECTIONS.min(wants.len())).map(|_| scope.spawn(work)).collect();
            let mut ends = workers.into_iter().map(|worker| worker.join());
            ends.try_for_each(|end| end.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })
    }

    /// Gives the store bytes of the cache or of the host. Bytes that are refused the first time are wanted again.
    fn give(&self, want: &Want) -> Result<(), Fault> {
        let path = |file: RemoteFile, offset: u64| {
            Some(self.cache.as_ref()?.join(format!("{}@{offset}", file.to_string().replace('/', "."))))
        };
        let cached = path(want.file, want.offset).filter(|_| !self.is_doubted.load(Ordering::Acquire));
        let bytes = match cached.and_then(|path| fs::read(path).ok()) {
            Some(bytes) => bytes,
            None => {
                let bytes = self.ask(want).or_else(|fault| match fault {
                    Fault::Broken(_) => self.ask(want),
                    fault => Err(fault),
                })?;
                if let Some(path) = path(want.file, want.offset) {
                    // Without a cache the next process fetches again.
                    let _ = fs::write(path, &bytes);
                }
                bytes
            }
        };
        let Err(error) = self.store.give(want.file, want.offset, &bytes) else { return Ok(()) };
        let guide = match error {
            crate::GiveError::Damaged { guide, .. } => guide,
            _ => None,
        };
        for (file, offset) in guide.into_iter().chain([(want.file, want.offset)]) {
            path(file, offset).map(fs::remove_file);
        }
        if self.is_doubted.swap(true, Ordering::AcqRel) { Err(Fault::Wrong(error.to_string())) } else { Ok(()) }
    }

    fn ask(&self, &Want { file, offset, len }: &Want) -> Result<Vec<u8>, Fault> {
        let root = if let RemoteFile::Table(_) = file { &self.tables } else { self.host.url() };
        let most = len.unwrap_or(MOST_FILE_BYTES);
        if !(1..=MOST_FILE_BYTES).contains(&most) {
            return Err(Fault::Wrong(format!("{file}: its guide names {most} bytes")));
        }
        let range = len.map(|len| format!("{offset}-{}", offset + len - 1));
        let arriving = self.host.get(&format!("{root}{file}"), range.clone(), most)?;
        match (arriving.status(), &range) {
            (200, None) => {}
            (206, Some(range)) => {
                let expected = format!("bytes {range}/");
                if !arriving.range().is_some_and(|found| found.starts_with(&expected)) {
                    let found = arriving.range().unwrap_or("none");
                    return Err(Fault::Wrong(format!("{file}: expected the range {range}, found {found}")));
                }
            }
            (200, Some(_)) => return Err(Fault::Wrong(format!("{file}: it does not give parts of files (Range)"))),
            (status, _) => return Err(Fault::Broken(format!("{file}: it answers with status {status}"))),
        }
        arriving.whole(&file.to_string(), most)
    }
}

/// Whether a table is that of the program's list, if it has a line there.
fn is_known(id: TableId, outline: &Outline) -> bool {
    let start = format!("{}\t{}\t", id.material, id.metric);
    let mut lines = MANIFEST.lines().chain(MANIFEST_SIX.lines());
    let rest = lines.find_map(|line| line.strip_prefix(&start));
    rest.is_none_or(|rest| rest.starts_with(&format!("{}\t{:08x}\t", outline.file_len(), outline.checksum())))
}

/// The folder of a host's cache; it is emptied if it is of other tables, or too large.
fn cache_of(caches: &Path, host: &Host, catalogue: &Catalogue) -> Option<PathBuf> {
    let letter = |letter: char| match letter {
        'a'..='z' | '0'..='9' | '.' | '-' => letter.to_string(),
        other => format!("%{:02x}", u32::from(other)),
    };
    let folder = caches.join(host.url().to_string().chars().map(letter).collect::<String>());
    let stamp = folder.join(format!("{:016x}", catalogue.fingerprint()));
    let bytes = |file: fs::DirEntry| file.metadata().map_or(0, |file| file.len());
    let held = fs::read_dir(&folder).map_or(0, |files| files.flatten().map(bytes).sum::<u64>());
    if !stamp.exists() || held > MOST_BYTES as u64 {
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).and_then(|()| fs::write(&stamp, "")).ok()?;
    }
    Some(folder)
}
