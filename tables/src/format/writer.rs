//! Writing a table: blocks as they come, then the header and the index in front of them, then the name.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::block::EncodedBlock;
use super::error::{FormatError, Problem};
use super::header::{Header, Spec, SpecError};
use super::index::IndexEntry;
use super::temporary::Temporary;
use crate::rules::{ByColor, Color};

/// What may go wrong in an [`Encoder`], which knows of no path.
#[derive(Debug)]
pub(super) enum EncodeError {
    Spec(SpecError),
    Io(io::Error),
}

impl From<SpecError> for EncodeError {
    fn from(error: SpecError) -> Self {
        EncodeError::Spec(error)
    }
}

impl From<io::Error> for EncodeError {
    fn from(error: io::Error) -> Self {
        EncodeError::Io(error)
    }
}

/// Lays out a table in anything that can be written and sought.
#[derive(Debug)]
pub(super) struct Encoder<W> {
    sink: W,
    spec: Spec,
    /// The index so far, in the file's bytes.
    index: Vec<u8>,
    /// Blocks pushed.
    pushed: ByColor<u64>,
    /// Where the next block goes.
    end: u64,
}

impl<W: Write + Seek> Encoder<W> {
    /// Leaves room for header and index, whose lengths the spec gives.
    pub(super) fn new(mut sink: W, spec: Spec) -> Result<Encoder<W>, EncodeError> {
        spec.check()?;
        let end = spec.header_len() as u64 + spec.index_len();
        sink.seek(SeekFrom::Start(end))?;
        Ok(Encoder { sink, spec, index: Vec::new(), pushed: ByColor::default(), end })
    }

    pub(super) fn push(&mut self, side: Color, block: &EncodedBlock) -> Result<(), EncodeError> {
        self.expect(side, block)?;
        self.sink.write_all(&block.bytes)?;
        // The checksum is of what was meant: the bytes as encoded, not as read back.
        IndexEntry { offset: self.end, len: block.bytes.len() as u32, crc: block.crc }.write(&mut self.index);
        self.end += block.bytes.len() as u64;
        self.pushed[side] += 1;
        Ok(())
    }

    /// Whether this block is the one that comes next.
    fn expect(&self, side: Color, block: &EncodedBlock) -> Result<(), SpecError> {
        let number = self.pushed[side];
        let wrong = |expected: String, found: String| Err(SpecError::Block { side, block: number, expected, found });
        if side == Color::Black {
            self.complete(Color::White)?;
        } else if self.pushed.black > 0 {
            return wrong("White's blocks before Black's".to_owned(), "one after".to_owned());
        }
        let stored = self.spec.stored_blocks(side);
        if number >= stored {
            return wrong(format!("{stored} blocks"), "one more".to_owned());
        }
        let width = self.spec.values[side].width();
        if block.width != width {
            return wrong(format!("codes of {} bytes", width.bytes()), block.width.bytes().to_string());
        }
        let positions = u64::from(self.spec.positions_in_block(number));
        if block.positions != positions {
            return wrong(format!("{positions} positions"), block.positions.to_string());
        }
        Ok(())
    }

    fn complete(&self, side: Color) -> Result<(), SpecError> {
        let (stored, pushed) = (self.spec.stored_blocks(side), self.pushed[side]);
        if pushed == stored {
            return Ok(());
        }
        Err(SpecError::Block {
            side,
            block: pushed,
            expected: format!("{stored} blocks"),
            found: format!("only {pushed}"),
        })
    }

    /// Writes header and index and gives back what was written to, flushed, and its length in bytes.
    pub(super) fn finish(mut self) -> Result<(W, u64), EncodeError> {
        for side in Color::ALL {
            self.complete(side)?;
        }
        let header = Header::write(&self.spec, self.end, crc32c::crc32c(&self.index));
        self.sink.seek(SeekFrom::Start(0))?;
        self.sink.write_all(&header)?;
        self.sink.write_all(&self.index)?;
        self.sink.flush()?;
        Ok((self.sink, self.end))
    }
}

/// Writes one table: every block of White, then every block of Black, each in order.
///
/// The file stands under a temporary name until [`finish`](TableWriter::finish); dropped before, it is removed.
#[derive(Debug)]
pub struct TableWriter {
    // Before `temporary`: a file is closed before it is removed, as Windows wants it.
    encoder: Encoder<BufWriter<File>>,
    temporary: Temporary,
    target: PathBuf,
}

/// A table that stands under its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The file.
    pub path: PathBuf,
    /// Its length.
    pub bytes: u64,
}

impl TableWriter {
    /// Begins the table that `spec` describes, in a folder that exists.
    ///
    /// # Errors
    ///
    /// A spec that no table can have, or a file that can't be created.
    pub fn create(folder: &Path, spec: Spec) -> Result<TableWriter, FormatError> {
        // Before the name becomes part of a path.
        spec.check().map_err(|error| Problem::BadSpec(error).at(folder))?;
        let name = spec.file_name();
        let target = folder.join(&name);
        let (temporary, file) = Temporary::create(folder, &name)?;
        let encoder = Encoder::new(BufWriter::with_capacity(1 << 18, file), spec)
            .map_err(|error| located(error, temporary.path()))?;
        Ok(TableWriter { encoder, temporary, target })
    }

    /// Appends the next block. A constant side, of one value, has none.
    ///
    /// # Errors
    ///
    /// A block that is not the one to come next (side, positions, width of codes), or a file that can't be written.
    pub fn push(&mut self, side: Color, block: &EncodedBlock) -> Result<(), FormatError> {
        self.encoder.push(side, block).map_err(|error| located(error, self.temporary.path()))
    }

    /// Completes the file, makes it durable and gives it its name, replacing an older table of that name.
    ///
    /// # Errors
    ///
    /// Blocks are missing, or the file can't be written or renamed; it is removed then.
    pub fn finish(self) -> Result<Written, FormatError> {
        let TableWriter { encoder, temporary, target } = self;
        let (sink, bytes) = encoder.finish().map_err(|error| located(error, temporary.path()))?;
        let file = sink.into_inner().map_err(|error| located(error.into_error().into(), temporary.path()))?;
        file.sync_all().map_err(Problem::io("sync the file", temporary.path()))?;
        // The lock, which the file holds, lasts until the temporary name is gone.
        temporary.publish(&target)?;
        drop(file);
        Ok(Written { path: target, bytes })
    }
}

fn located(error: EncodeError, path: &Path) -> FormatError {
    match error {
        EncodeError::Spec(error) => Problem::BadSpec(error).at(path),
        EncodeError::Io(error) => Problem::io("write the file", path)(error),
    }
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;
    use std::io::Cursor;

    use super::*;
    use crate::format::{Codes, Kind, Metric, Table, Value, ValueList};
    use crate::index::Symmetry;

    fn spec() -> Spec {
        let two = ValueList::new(vec![(Value::Draw, 3), (Value::Win(1), 5)]).unwrap();
        let one = ValueList::new(vec![(Value::Draw, 8)]).unwrap();
        Spec {
            material: "KRvK".to_owned(),
            metric: Metric::Dtm,
            slice: 0,
            symmetry: Symmetry::EightFold,
            rules: "makruk".to_owned(),
            generator: "test 1".to_owned(),
            axes: "R".to_owned(),
            slabs: 1,
            slab_len: 8,
            block_len: 8,
            values: ByColor { white: two, black: one },
        }
    }

    fn write(sink: impl Write + Seek) -> Result<u64, EncodeError> {
        let mut encoder = Encoder::new(sink, spec())?;
        encoder.push(Color::White, &EncodedBlock::encode(Codes::One(&[0, 1, 1, 0, 1, 0, 1, 1]), 3))?;
        encoder.finish().map(|(_, bytes)| bytes)
    }

    /// A disk with room for so many bytes.
    struct SmallDisk(Cursor<Vec<u8>>, u64);

    impl Write for SmallDisk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.0.position() + bytes.len() as u64 > self.1 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.0.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Seek for SmallDisk {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.0.seek(to)
        }
    }

    #[test]
    fn memory_is_as_good_as_a_file() {
        let mut sink = Cursor::new(Vec::new());
        let bytes = write(&mut sink).ok().unwrap();
        let table = Table::from_bytes(sink.into_inner(), "memory").unwrap();
        assert_eq!(table.verify().unwrap().bytes, bytes);
        assert_eq!(table.value(Color::White, 1).unwrap(), Value::Win(1));
    }

    #[test]
    fn a_full_disk_is_said_to_be_full_wherever_it_fills() {
        let needed = write(Cursor::new(Vec::new())).ok().unwrap();
        for room in 0..=needed {
            let result = write(SmallDisk(Cursor::new(Vec::new()), room));
            assert_eq!(result.is_ok(), room == needed, "{room} of {needed} bytes");
            if let Err(error) = result {
                let error = located(error, Path::new("tables/.KRvK.dtm.1-0.tmp"));
                assert_eq!(error.kind(), Kind::Io);
                let text = error.to_string();
                assert!(text.starts_with("tables/.KRvK.dtm.1-0.tmp: can't write the file: "), "{text}");
                assert!(
                    text.ends_with("free some space, or name another folder with --tables or MAKRUK_TABLES"),
                    "{text}"
                );
            }
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_device_is_full_at_the_flush_too() {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let Err(EncodeError::Io(error)) = write(BufWriter::new(full)) else { panic!("/dev/full took it") };
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    }
}
