//! The part of a checkpoint that is recovered: the plies that were finished.
//!
//! All bytes are checked here, by checksums and by what they mean, so that nothing that reads them later can fail. A
//! build that was killed leaves a ply unfinished, and a disk may have lost the last of what was written: the bytes from
//! there on are cut off.

use makruk_format::FormatError;
use makruk_rules::{ByColor, Color};

use super::record::{HEAD_BYTES, Head, Kind, read_two_numbers};
use crate::error::BuildError;
use crate::parallel::map;
use crate::progress::Progress;
use crate::solve::compression::{decompress, most_compressed};
use crate::solve::geometry::Geometry;
use crate::solve::ply_id::PlyId;
use crate::solve::slab_decisions::{LoggedBlock, SlabDecisions};
use crate::solve::work_store::Blob;
use crate::solve::working_file::{BlobPlace, WorkingFile};

/// The bytes that are read and checked at a time.
const BATCH_BYTES: usize = 16 << 20;

/// The most moves of a ply: plies have to fit 16 bits.
const MOST_MOVES: usize = 1 << 14;

/// The plies of an attack that were finished.
#[derive(Clone, Debug, Default)]
pub(crate) struct FinishedPlies {
    /// The number of positions of the full board that each ply decided, in cells.
    pub positions: Vec<u64>,
    /// Whether the attack is finished.
    pub all: bool,
}

/// The content of a checkpoint.
#[derive(Debug, Default)]
pub(crate) struct Recovery {
    /// The numbers of legal positions, by the side to move; `None` if nothing was recovered.
    pub legal: Option<ByColor<u64>>,
    pub attacks: ByColor<FinishedPlies>,
    /// The decisions of all finished plies.
    pub decisions: Vec<(PlyId, usize, Blob)>,
}

/// The reason why the rest of a checkpoint is of no use.
#[derive(Debug)]
pub(super) struct Damage {
    pub offset: u64,
    /// The expected and the found text.
    pub problem: String,
}

/// Recovers the records after the header's bytes. Returns them with their end, and the damage there, if a record is
/// damaged.
///
/// # Errors
///
/// The file cannot be read, or `progress` stops the build.
pub(super) fn recover(
    file: &WorkingFile,
    header: u64,
    geometry: &Geometry,
    progress: &dyn Progress,
) -> Result<(Recovery, u64, Option<Damage>), BuildError> {
    let mut reader = Reader::new(geometry, header);
    let len = file.len()?;
    let (mut bytes, mut start) = (Vec::new(), header);
    let damage = loop {
        progress.check()?;
        fill(&mut bytes, file, start, len)?;
        let (heads, damaged) = reader.heads(&bytes, start);
        let used: usize = heads.iter().map(Head::bytes).sum();
        if let Some(damage) = reader.take(&heads, &bytes, start).or(damaged) {
            break Some(damage);
        }
        if start + bytes.len() as u64 == len {
            break None;
        }
        bytes.drain(..used);
        start += used as u64;
    };
    Ok((reader.recovery, reader.end, damage))
}

/// Appends the next bytes of a file of `len` bytes to those that are at `start`.
fn fill(bytes: &mut Vec<u8>, file: &WorkingFile, start: u64, len: u64) -> Result<(), FormatError> {
    let have = bytes.len();
    let more = BATCH_BYTES.min((len - start) as usize - have);
    bytes.resize(have + more, 0);
    file.read_at(start + have as u64, &mut bytes[have..])
}

impl Head {
    /// The length of the whole record.
    fn bytes(&self) -> usize {
        HEAD_BYTES + self.stored as usize
    }
}

/// Reads records in their order.
struct Reader<'a> {
    geometry: &'a Geometry,
    /// The most bytes of a slab's decisions, and of these compressed.
    most: usize,
    most_stored: usize,
    recovery: Recovery,
    /// The end of the last record that is of use.
    end: u64,
    /// The decisions since the end of the last ply, and the number of positions in them, in cells.
    pending: Vec<(PlyId, usize, Blob)>,
    decided: u64,
    /// The legal positions that are not decided, by the side to move.
    left: ByColor<u64>,
}

impl<'a> Reader<'a> {
    fn new(geometry: &'a Geometry, start: u64) -> Reader<'a> {
        let most = SlabDecisions::max_bytes(geometry.slab_words()) as usize;
        Reader {
            geometry,
            most,
            most_stored: most_compressed(most),
            recovery: Recovery::default(),
            end: start,
            pending: Vec::new(),
            decided: 0,
            left: ByColor::default(),
        }
    }

    /// The heads of the records that are whole among some bytes at an offset; and the damage at their end, if there is
    /// any.
    fn heads(&self, bytes: &[u8], start: u64) -> (Vec<Head>, Option<Damage>) {
        let (mut heads, mut at) = (Vec::new(), 0);
        while let Some(head) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
            let head = match Head::read(head).and_then(|head| self.check_head(head)) {
                Ok(head) => head,
                Err(problem) => return (heads, Some(Damage { offset: start + at as u64, problem })),
            };
            if bytes.len() - at < head.bytes() {
                break;
            }
            at += head.bytes();
            heads.push(head);
        }
        (heads, None)
    }

    fn check_head(&self, head: Head) -> Result<Head, String> {
        let (most, slabs) = (self.most_stored, self.geometry.slabs());
        if head.stored as usize > most {
            return Err(format!("expected a payload of {most} bytes at most, found {}", head.stored));
        }
        if head.slab as usize >= slabs {
            return Err(format!("expected a slab below {slabs}, found {}", head.slab));
        }
        Ok(head)
    }

    /// Takes records that begin at an offset, all of whose bytes are here; returns the damage of the first that is
    /// damaged.
    fn take(&mut self, heads: &[Head], bytes: &[u8], start: u64) -> Option<Damage> {
        let mut at = 0;
        let places: Vec<(&Head, usize)> = heads
            .iter()
            .map(|head| {
                at += head.bytes();
                (head, at - head.bytes())
            })
            .collect();
        let check = |&(head, at): &(&Head, usize)| self.check(head, &bytes[at..at + head.bytes()]);
        let checked = map(&places, check);
        for ((head, at), checked) in places.into_iter().zip(checked) {
            let offset = start + at as u64;
            let payload = &bytes[at + HEAD_BYTES..at + head.bytes()];
            let taken = checked.and_then(|positions| self.take_record(head, payload, positions, offset));
            if let Err(problem) = taken {
                return Some(Damage { offset, problem });
            }
        }
        None
    }

    /// Checks a whole record. Returns the number of positions that it decides, in cells.
    fn check(&self, head: &Head, record: &[u8]) -> Result<u64, String> {
        head.check(record)?;
        if head.kind != Kind::Decisions {
            return Ok(0);
        }
        let most = self.most;
        if head.len as usize > most {
            return Err(format!("expected decisions of {most} bytes at most, found {}", head.len));
        }
        let blocks = decompress(&record[HEAD_BYTES..], head.len as usize).map_err(|error| error.to_string())?;
        if blocks.len() != head.len as usize {
            return Err(format!("expected {} bytes of decisions, found {}", head.len, blocks.len()));
        }
        let cells = self.cells(&blocks).ok_or("expected blocks of decisions, found other bytes")?;
        Ok(cells * self.geometry.layout().kings().weight(head.slab as usize))
    }

    /// The number of cells in a slab's decisions; `None` if the bytes are not those of blocks in their order.
    fn cells(&self, mut bytes: &[u8]) -> Option<u64> {
        let (mut cells, mut next) = (0, 0);
        while !bytes.is_empty() {
            let (block, rest) = LoggedBlock::split(bytes)?;
            if block.block < next || block.end() > self.geometry.slab_words() || !block.is_whole() {
                return None;
            }
            next = block.block + 1;
            cells += block.words().map(|(_, bits)| u64::from(bits.count_ones())).sum::<u64>();
            bytes = rest;
        }
        Some(cells)
    }

    /// Takes a record that is whole; the error is what was expected and found.
    fn take_record(&mut self, head: &Head, payload: &[u8], positions: u64, offset: u64) -> Result<(), String> {
        let end = offset + head.bytes() as u64;
        let other = |expected: &str| Err(format!("expected {expected}, found {:?} of {:?}", head.kind, head.ply));
        let Some(legal) = self.recovery.legal else {
            if head.kind != Kind::Beginning {
                return other("the numbers of legal positions");
            }
            self.left = read_two_numbers(payload)?;
            self.recovery.legal = Some(self.left);
            self.end = end;
            return Ok(());
        };
        let Some(attacker) = self.attacker() else { return other("nothing more") };
        let plies = self.recovery.attacks[attacker].positions.len();
        let ply = PlyId::nth(attacker, plies);
        match head.kind {
            Kind::Beginning => return other("a ply"),
            Kind::Decisions | Kind::Ply if head.ply != ply || plies / 2 >= MOST_MOVES => {
                return other(&format!("{ply:?}"));
            }
            Kind::Decisions => {
                let Head { stored, len, .. } = *head;
                self.pending.push((ply, head.slab as usize, Blob::File(BlobPlace { offset, stored, len })));
                self.decided = self.decided.saturating_add(positions);
            }
            Kind::Ply => {
                let ByColor { white: positions, black: records } = read_two_numbers(payload)?;
                let found = (self.decided, self.pending.len() as u64);
                if (positions, records) != found {
                    return Err(format!("expected {positions} positions in {records} records, found {found:?}"));
                }
                let left = self.left[ply.side].checked_sub(positions);
                // Nothing is won without a move.
                let Some(left) = left.filter(|_| plies > 0 || positions == 0) else {
                    return Err(format!("expected fewer positions than {legal:?}, found {positions}"));
                };
                self.left[ply.side] = left;
                self.recovery.attacks[attacker].positions.push(positions);
                self.recovery.decisions.append(&mut self.pending);
                self.decided = 0;
                self.end = end;
            }
            Kind::Attack if head.ply.attacker != attacker || plies == 0 || ply.side != attacker => {
                return other(&format!("{ply:?}"));
            }
            Kind::Attack if !self.pending.is_empty() => return other("the end of a ply"),
            Kind::Attack => {
                self.recovery.attacks[attacker].all = true;
                self.end = end;
            }
        }
        Ok(())
    }

    /// The attacker whose plies come next.
    fn attacker(&self) -> Option<Color> {
        let material = self.geometry.layout().material();
        let mut attackers = Color::ALL.into_iter().filter(|&side| !material.side(side).is_bare());
        attackers.find(|&side| !self.recovery.attacks[side].all)
    }
}
