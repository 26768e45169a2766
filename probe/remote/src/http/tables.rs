//! The tables of a site, of which what a question needs is fetched.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use makruk_format::{Outline, TableId};
use makruk_probe::{DEFAULT_CACHE_BYTES, Tablebase};
use makruk_tables::listed;
use thiserror::Error;

use super::host::{CONNECTIONS, Fault, Host, MirrorUrl};
use super::parts::{Parts, ranges};
use crate::{Catalogue, RemoteFile, RemoteProber, RemoteStore, Want};

/// The most bytes of a whole file of the guide.
const MOST_FILE_BYTES: u64 = 1 << 24;

/// The most ranges of a request: servers have limits of some hundred.
const MOST_RANGES: usize = 100;

/// The most bytes before a part in an answer with several.
const MOST_HEAD: u64 = 512;

/// The most bytes of tables in memory, and of files in the cache.
const MOST_BYTES: usize = 1 << 28;

/// A site that does not give its tables.
#[derive(Debug, Error)]
#[error("{url} cannot be read: {fault}")]
pub struct SiteError {
    url: MirrorUrl,
    fault: Fault,
}

impl SiteError {
    /// The address, if it has no catalogue: it is not that of a site, but may be that of a folder of tables.
    pub fn without_catalogue(&self) -> Option<&MirrorUrl> {
        matches!(self.fault, Fault::Absent(_)).then_some(&self.url)
    }
}

/// The tables of a site, asked by HTTP. Bytes that were fetched stay in a folder for the next process.
#[derive(Debug)]
pub struct RemoteTables {
    host: Host,
    tables: MirrorUrl,
    store: RemoteStore,
    tablebase: Tablebase,
    cache: Option<PathBuf>,
    /// Whether bytes were refused once: then they are fetched again, but not a third time.
    is_doubted: AtomicBool,
    /// Whether the host gives one range at a time.
    is_single: AtomicBool,
}

impl RemoteTables {
    /// The time that a site may be silent.
    pub const SILENCE: Duration = Duration::from_secs(15);

    /// Opens the tables of a site, which may be silent for some time. `caches` is the folder of all caches.
    ///
    /// # Errors
    ///
    /// The site cannot be read, or has other tables under the names of those that the program knows.
    pub fn open(url: MirrorUrl, silence: Duration, caches: Option<&Path>) -> Result<RemoteTables, SiteError> {
        let host = Host::new(url, silence);
        match catalogue(&host) {
            Ok((tables, catalogue)) => {
                let cache = caches.and_then(|caches| cache_of(caches, &host, &catalogue));
                Ok(RemoteTables::of(host, tables, catalogue, cache, DEFAULT_CACHE_BYTES))
            }
            Err(fault) => Err(SiteError { url: host.url().clone(), fault }),
        }
    }

    fn of(host: Host, tables: MirrorUrl, catalogue: Catalogue, cache: Option<PathBuf>, bytes: usize) -> RemoteTables {
        let store = RemoteStore::new(catalogue, MOST_BYTES);
        let tablebase = Tablebase::builder().store(Arc::new(store.clone())).cache_bytes(bytes).build();
        let (is_doubted, is_single) = Default::default();
        RemoteTables { host, tables, store, tablebase, cache, is_doubted, is_single }
    }

    /// The same tables with nothing in memory but at most so many bytes of decoded stripes, and no connection. Nothing
    /// is fetched and no lock is taken, so that a forked process can call it.
    #[must_use]
    pub fn reopened(&self, cache_bytes: usize) -> RemoteTables {
        let (host, catalogue) = (self.host.reopened(), self.store.catalogue().clone());
        RemoteTables::of(host, self.tables.clone(), catalogue, self.cache.clone(), cache_bytes)
    }

    /// The tablebase. A read of bytes that are not here fails, and wants them.
    pub fn tablebase(&self) -> &Tablebase {
        &self.tablebase
    }

    /// The tables that the site has.
    pub fn tables(&self) -> impl Iterator<Item = TableId> {
        self.store.catalogue().tables().map(|(id, _)| id)
    }

    /// The prober, which answers questions with the bytes that are here.
    pub fn prober(&self) -> RemoteProber {
        RemoteProber::new(self.tablebase.clone())
    }

    /// Opens tables, so that their headers can be read. Those that the site does not have are left out.
    ///
    /// # Errors
    ///
    /// As [`RemoteTables::fetch`].
    pub fn open_tables(&self, tables: &[TableId]) -> Result<(), SiteError> {
        // Each of them wants its bytes.
        while tables.iter().filter(|&&id| self.tablebase.open(id).is_err_and(|error| error.wants_bytes())).count() > 0 {
            self.fetch()?;
        }
        Ok(())
    }

    /// Fetches all bytes that questions have wanted, several files at a time, all ranges of a file together.
    ///
    /// # Errors
    ///
    /// The host does not give them, or gives others.
    pub fn fetch(&self) -> Result<(), SiteError> {
        self.fetch_wants().map_err(|fault| SiteError { url: self.host.url().clone(), fault })
    }

    fn fetch_wants(&self) -> Result<(), Fault> {
        let mut wants = self.store.take_wants();
        if wants.is_empty() {
            return Err(Fault::Wrong("its tables want bytes that nobody can name".to_owned()));
        }
        if !self.is_doubted.load(Ordering::Acquire) {
            wants.retain(|want| {
                let bytes = self.cached(want.file, want.offset).and_then(|path| fs::read(path).ok());
                bytes.is_none_or(|bytes| self.give(want, &bytes).is_err())
            });
        }
        let is_single = self.is_single.load(Ordering::Acquire);
        let is_together = |a: &Want, b: &Want| match is_single {
            true => a.file == b.file && ranges(&[*a, *b]).len() == 1,
            false => a.file == b.file,
        };
        let requests: Vec<&[Want]> = wants.chunk_by(is_together).flat_map(|wants| wants.chunks(MOST_RANGES)).collect();
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some(wants) = requests.get(next.fetch_add(1, Ordering::Relaxed)) {
                self.receive(wants)?;
            }
            Ok(())
        };
        thread::scope(|scope| {
            let workers: Vec<_> = (0..CONNECTIONS.min(requests.len())).map(|_| scope.spawn(work)).collect();
            let mut ends = workers.into_iter().map(|worker| worker.join());
            ends.try_for_each(|end| end.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })
    }

    /// The place of wanted bytes in the cache.
    fn cached(&self, file: RemoteFile, offset: u64) -> Option<PathBuf> {
        Some(self.cache.as_ref()?.join(format!("{}@{offset}", file.to_string().replace('/', "."))))
    }

    /// Gives the store bytes of one file from the host. If the host does not give several ranges at once, they stay
    /// wanted, and are asked for one by one from then on.
    fn receive(&self, wants: &[Want]) -> Result<(), Fault> {
        let ranges = ranges(wants);
        let ask = || self.ask(wants[0].file, &ranges);
        let parts = ask().or_else(|fault| if let Fault::Broken(_) = fault { ask() } else { Err(fault) })?;
        for want in wants {
            let bytes = parts.as_ref().and_then(|parts| parts.of(want));
            let Some(bytes) = bytes else {
                self.is_single.store(true, Ordering::Release);
                let fault = || Fault::Wrong(format!("{}: it gives fewer bytes than were asked for", want.file));
                return if ranges.len() > 1 { Ok(()) } else { Err(fault()) };
            };
            if let Some(path) = self.cached(want.file, want.offset) {
                // Without a cache the next process fetches again.
                let _ = fs::write(path, bytes);
            }
            self.give(want, bytes)?;
        }
        Ok(())
    }

    /// Gives the store bytes. Those that are refused the first time are wanted again.
    fn give(&self, want: &Want, bytes: &[u8]) -> Result<(), Fault> {
        let Err(error) = self.store.give(want.file, want.offset, bytes) else { return Ok(()) };
        let guide = match error {
            crate::GiveError::Damaged { guide, .. } => guide,
            _ => None,
        };
        for (file, offset) in guide.into_iter().chain([(want.file, want.offset)]) {
            self.cached(file, offset).map(fs::remove_file);
        }
        if self.is_doubted.swap(true, Ordering::AcqRel) { Err(Fault::Wrong(error.to_string())) } else { Ok(()) }
    }

    /// Asks for ranges of a file, or for all of it; `None` if the host does not give several ranges at once.
    fn ask(&self, file: RemoteFile, ranges: &[Range<u64>]) -> Result<Option<Parts>, Fault> {
        let root = if let RemoteFile::Table(_) = file { &self.tables } else { self.host.url() };
        let most =
            if ranges.is_empty() { MOST_FILE_BYTES } else { ranges.iter().map(|range| range.end - range.start).sum() };
        if !(1..=MOST_FILE_BYTES).contains(&most) {
            return Err(Fault::Wrong(format!("{file}: its guide names {most} bytes")));
        }
        let texts: Vec<String> = ranges.iter().map(|range| format!("{}-{}", range.start, range.end - 1)).collect();
        let range = Some(texts.join(",")).filter(|range| !range.is_empty());
        let arriving = self.host.get(&format!("{root}{file}"), range.clone(), most)?;
        let found = arriving.range().map(str::to_owned);
        match (arriving.status(), range, ranges.len()) {
            (200, None, _) => {}
            (206, Some(range), 1) => {
                if !found.as_ref().is_some_and(|found| found.starts_with(&format!("bytes {range}/"))) {
                    let found = found.as_deref().unwrap_or("none");
                    return Err(Fault::Wrong(format!("{file}: expected the range {range}, found {found}")));
                }
            }
            (206, Some(_), _) if found.is_none() => {
                let body = arriving.whole(&file.to_string(), most + ranges.len() as u64 * MOST_HEAD)?;
                return Ok(Some(Parts::several(body)));
            }
            (200 | 206 | 416, Some(_), 2..) => return Ok(None),
            (200, Some(_), _) => return Err(Fault::Wrong(format!("{file}: it does not give parts of files (Range)"))),
            (status, ..) => return Err(Fault::Broken(format!("{file}: it answers with status {status}"))),
        }
        let start = ranges.first().map_or(0, |range| range.start);
        Ok(Some(Parts::one(start, arriving.whole(&file.to_string(), most)?)))
    }
}

/// The folder of a host's tables, and the catalogue, whose tables are those of the program's list.
fn catalogue(host: &Host) -> Result<(MirrorUrl, Catalogue), Fault> {
    let (tables, catalogue) = host.site()?.clone();
    let catalogue = catalogue.ok_or_else(|| Fault::Absent(Catalogue::PATH.to_owned()))?;
    let is_known = |id, found: &Outline| listed(id).is_none_or(|known| known == (found.file_len(), found.checksum()));
    let other = catalogue.tables().find(|&(id, found)| !is_known(id, found)).map(|(id, _)| id);
    match other {
        Some(id) => Err(Fault::Wrong(format!("{id} is not the table of the program's list"))),
        None => Ok((tables, catalogue)),
    }
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
