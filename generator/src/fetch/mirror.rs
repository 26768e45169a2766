//! A host that offers tables to be fetched, and is not trusted.

use std::sync::OnceLock;
use std::time::Duration;

use makruk_format::{AnyValue, Kind, Table, TableId};
use makruk_remote::{Arriving, Fault, Host, MirrorUrl};

/// The fault of bytes that are not the table: what they are, if that is known.
pub(super) fn fault_of_bytes(id: TableId, start: &[u8], otherwise: String) -> Fault {
    match Table::<_, AnyValue>::from_bytes(start, id.to_string()) {
        Err(error) if matches!(error.kind(), Kind::Older | Kind::Newer | Kind::Foreign(_)) => {
            Fault::Wrong(error.to_string())
        }
        _ => Fault::Wrong(format!("{id}: {otherwise}")),
    }
}

/// A mirror in use.
#[derive(Debug)]
pub(super) struct Mirror {
    host: Host,
    /// The fault for which it is used no more.
    refusal: OnceLock<Fault>,
}

impl Mirror {
    /// A mirror that may be silent for some time.
    pub(super) fn new(url: MirrorUrl, silence: Duration) -> Mirror {
        Mirror { host: Host::new(url, silence), refusal: OnceLock::new() }
    }

    /// Ends its connections.
    pub(super) fn hang_up(&self) {
        self.host.hang_up();
    }

    pub(super) fn refusal(&self) -> Option<&Fault> {
        self.refusal.get()
    }

    /// Uses it no more; returns the sentence about it if it was in use.
    pub(super) fn refuse(&self, fault: Fault) -> Option<String> {
        if let Fault::Absent(_) = fault {
            return None;
        }
        let sentence = format!("{} is refused: {fault}", self.host.url());
        self.refusal.set(fault).is_ok().then_some(sentence)
    }

    /// The bytes of a table of this length, after the first ones if the host can leave these out: the offset of the
    /// first byte that arrives, and the bytes.
    pub(super) fn open(&self, id: TableId, from: u64, length: u64) -> Result<(u64, Arriving), Fault> {
        let range = (from > 0).then(|| format!("{from}-"));
        let mut arriving = self.host.get(&format!("{}{id}", self.host.tables()?), range, length - from)?;
        let from = match arriving.status() {
            200 => 0,
            206 if from > 0 => from,
            403 | 404 | 410 => return Err(Fault::Absent(id.to_string())),
            416 => return Err(Fault::Wrong(format!("{id}: expected {length} bytes, but it has no byte {from}"))),
            status => return Err(Fault::Broken(format!("{id}: it answers with status {status}"))),
        };
        let expected = format!("bytes {from}-{}/{length}", length - 1);
        if from > 0 && arriving.range() != Some(&expected) {
            let found = arriving.range().unwrap_or("none");
            return Err(Fault::Wrong(format!("{id}: expected the range {expected}, found {found}")));
        }
        match arriving.length() {
            Some(bytes) if bytes != length - from => {
                let mut start = vec![0; 512];
                // Without its first bytes, the fault is described by the length alone.
                let read = if from == 0 { arriving.read(&mut start).unwrap_or(0) } else { 0 };
                let found = format!("expected {} bytes, found {bytes}", length - from);
                Err(fault_of_bytes(id, &start[..read], found))
            }
            _ => Ok((from, arriving)),
        }
    }
}
