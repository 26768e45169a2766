//! Writing a table: models and blocks in order, then indexes and checksums, then the header in front of them, then the
//! name.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::codec::{Codec, EncodedSlab, SideCodec};
use super::error::{FormatError, Problem};
use super::group::{self, GROUP_BLOCKS, OFFSET_BYTES};
use super::header::Header;
use super::listed::Listed;
use super::sections::{chunk_bytes, header_len};
use super::side_layout::SideLayout;
use super::spec::{Spec, Storage};
use super::spec_error::SpecError;
use super::temporary::Temporary;
use crate::value::Value;
use makruk_rules::{ByColor, Color};

/// An error of a [`TableSink`], which has no path.
#[derive(Debug, Error)]
pub(super) enum SinkError {
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Writes a table to anything that can be written and sought.
#[derive(Debug)]
pub(super) struct TableSink<W, V> {
    inner: W,
    spec: Spec<V>,
    sides: ByColor<SideLayout>,
    slab_blocks: ByColor<usize>,
    /// The number of slabs pushed.
    pushed: ByColor<usize>,
    /// The blocks that do not fill a group yet, all of one side.
    pending: EncodedSlab,
    /// The offset of each group within its side's blocks.
    offsets: ByColor<Vec<u64>>,
    checksums: Checksums,
}

/// The checksums of the bytes written, chunk by chunk.
#[derive(Debug)]
struct Checksums {
    chunk_bytes: u64,
    list: Vec<u8>,
    crc: u32,
    filled: u64,
}

impl Checksums {
    fn new(chunk_bytes: u64) -> Checksums {
        Checksums { chunk_bytes, list: Vec::new(), crc: 0, filled: 0 }
    }

    fn add(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let (now, rest) = bytes.split_at(bytes.len().min((self.chunk_bytes - self.filled) as usize));
            self.crc = crc32c::crc32c_append(self.crc, now);
            self.filled += now.len() as u64;
            if self.filled == self.chunk_bytes {
                self.end();
            }
            bytes = rest;
        }
    }

    fn end(&mut self) {
        if self.filled > 0 {
            self.list.extend_from_slice(&self.crc.to_le_bytes());
            self.crc = 0;
            self.filled = 0;
        }
    }
}

/// The codec of a side's blocks; `None` if the side has none.
fn side_codec<'a, V: Listed>(
    spec: &Spec<V>,
    codecs: &'a ByColor<Option<SideCodec>>,
    side: Color,
) -> Result<Option<&'a Codec>, SpecError> {
    let wrong =
        |expected: &str, found: &str| SpecError::Slab { side, expected: expected.to_owned(), found: found.to_owned() };
    match (&codecs[side], spec.storage(side)) {
        (None, Storage::Absent | Storage::Constant) => Ok(None),
        (None, Storage::Blocks) => Err(wrong("a codec for its blocks", "none")),
        (Some(_), Storage::Absent | Storage::Constant) => Err(wrong("no codec, since it has no blocks", "one")),
        (Some(SideCodec { codec, .. }), Storage::Blocks) => {
            if codec.side == side && codec.stripes.layout().material() == spec.material {
                Ok(Some(codec))
            } else {
                Err(wrong("a codec for this side of the material", "another"))
            }
        }
    }
}

impl<W: Write + Seek, V: Listed> TableSink<W, V> {
    /// Begins a table: skips the header, whose length the spec gives, and writes the models.
    pub(super) fn new(
        mut inner: W,
        spec: Spec<V>,
        codecs: &ByColor<Option<SideCodec>>,
    ) -> Result<TableSink<W, V>, SinkError> {
        spec.check()?;
        inner.seek(SeekFrom::Start(header_len(&spec.values) as u64))?;
        let checksums = Checksums::new(chunk_bytes(spec.metric));
        let mut sink = TableSink {
            inner,
            sides: ByColor::from_fn(|side| SideLayout { storage: spec.storage(side), ..SideLayout::default() }),
            spec,
            slab_blocks: ByColor::default(),
            pushed: ByColor::default(),
            pending: EncodedSlab::default(),
            offsets: ByColor::default(),
            checksums,
        };
        for side in Color::ALL {
            if let Some(codec) = side_codec(&sink.spec, codecs, side)? {
                sink.begin_side(side, codec)?;
            }
        }
        Ok(sink)
    }

    /// Writes the model of a side that has blocks.
    fn begin_side(&mut self, side: Color, codec: &Codec) -> Result<(), SinkError> {
        let mut model = Vec::new();
        codec.model.write(&mut model);
        self.write(&model)?;
        self.slab_blocks[side] = codec.slab_blocks();
        self.sides[side] = SideLayout {
            storage: Storage::Blocks,
            axis: codec.stripes.axis() as u8,
            block_stripes: codec.block_stripes as u8,
            model_len: model.len() as u32,
            blocks_len: 0,
        };
        Ok(())
    }

    /// Writes bytes; the checksums are those of these bytes, not of bytes read back.
    fn write(&mut self, bytes: &[u8]) -> Result<(), SinkError> {
        self.checksums.add(bytes);
        Ok(self.inner.write_all(bytes)?)
    }

    pub(super) fn push(&mut self, side: Color, slab: &EncodedSlab) -> Result<(), SinkError> {
        self.expect(side, slab)?;
        self.pending.lens.extend_from_slice(&slab.lens);
        self.pending.bytes.extend_from_slice(&slab.bytes);
        self.pushed[side] += 1;
        self.write_groups(side)
    }

    /// Writes the pending blocks that are whole groups; after the side's last slab, all of them.
    fn write_groups(&mut self, side: Color) -> Result<(), SinkError> {
        let EncodedSlab { lens, bytes } = std::mem::take(&mut self.pending);
        let last = self.pushed[side] == self.slabs(side);
        let mut out = Vec::new();
        let (mut done, mut start) = (0, 0);
        for lens in lens.chunks(GROUP_BLOCKS) {
            if lens.len() < GROUP_BLOCKS && !last {
                break;
            }
            let len: usize = lens.iter().map(|&len| usize::from(len)).sum();
            self.offsets[side].push(self.sides[side].blocks_len + out.len() as u64);
            group::write(lens, &bytes[start..start + len], &mut out);
            start += len;
            done += lens.len();
        }
        self.sides[side].blocks_len += out.len() as u64;
        self.pending = EncodedSlab { lens: lens[done..].to_vec(), bytes: bytes[start..].to_vec() };
        self.write(&out)
    }

    /// Checks that this slab may come next.
    fn expect(&self, side: Color, slab: &EncodedSlab) -> Result<(), SpecError> {
        let wrong = |expected: String, found: String| Err(SpecError::Slab { side, expected, found });
        if side == Color::Black {
            self.complete(Color::White)?;
        } else if self.pushed.black > 0 {
            return wrong("White's slabs before Black's".to_owned(), "one after".to_owned());
        }
        let slabs = self.slabs(side);
        if self.pushed[side] >= slabs {
            return wrong(format!("{slabs} slabs"), "one more".to_owned());
        }
        if slab.lens.len() != self.slab_blocks[side] {
            return wrong(format!("{} blocks in a slab", self.slab_blocks[side]), slab.lens.len().to_string());
        }
        Ok(())
    }

    /// The number of slabs that a side has in blocks.
    fn slabs(&self, side: Color) -> usize {
        if self.spec.storage(side) == Storage::Blocks { self.spec.slabs() } else { 0 }
    }

    fn complete(&self, side: Color) -> Result<(), SpecError> {
        let (slabs, pushed) = (self.slabs(side), self.pushed[side]);
        if pushed == slabs {
            return Ok(());
        }
        Err(SpecError::Slab { side, expected: format!("{slabs} slabs"), found: format!("only {pushed}") })
    }

    /// Writes indexes, checksums and header. Returns the inner writer, flushed, and the header with its checksum.
    pub(super) fn finish(mut self, reference: Option<u32>) -> Result<(W, Header<V>, u32), SinkError> {
        for side in Color::ALL {
            self.complete(side)?;
        }
        for side in Color::ALL {
            let offsets = std::mem::take(&mut self.offsets[side]);
            if !offsets.is_empty() {
                let end = self.sides[side].blocks_len;
                let all = offsets.iter().chain([&end]);
                let index: Vec<u8> =
                    all.flat_map(|offset| offset.to_le_bytes().into_iter().take(OFFSET_BYTES)).collect();
                self.write(&index)?;
            }
        }
        self.checksums.end();
        let list = std::mem::take(&mut self.checksums.list);
        self.inner.write_all(&list)?;
        let too_long = || SpecError::Slab {
            side: Color::Black,
            expected: "blocks of less than 2^40 bytes".to_owned(),
            found: "more".to_owned(),
        };
        let header = Header::new(self.spec, self.sides, reference, crc32c::crc32c(&list)).ok_or_else(too_long)?;
        self.inner.seek(SeekFrom::Start(0))?;
        let (bytes, checksum) = header.write();
        self.inner.write_all(&bytes)?;
        self.inner.flush()?;
        Ok((self.inner, header, checksum))
    }
}

/// Writes one table: every slab of White, then every slab of Black, each in order.
///
/// The file has a temporary name until [`finish`](TableWriter::finish); a writer that is dropped before removes it.
#[derive(Debug)]
pub struct TableWriter<V = Value> {
    // Before `temporary`: a file is closed before it is removed, as Windows demands.
    sink: TableSink<BufWriter<File>, V>,
    temporary: Temporary,
    target: PathBuf,
}

/// A finished table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The file.
    pub path: PathBuf,
    /// The file's length in bytes.
    pub bytes: u64,
    /// The checksum of its header.
    pub checksum: u32,
}

impl<V: Listed> TableWriter<V> {
    /// Begins the table that `spec` describes, in a folder that exists. There is a codec for each side of more than one
    /// value that is stored.
    ///
    /// # Errors
    ///
    /// If no table can have the spec, the codecs are not those of its stored sides, or the file can't be created.
    pub fn create(
        folder: &Path,
        spec: Spec<V>,
        codecs: &ByColor<Option<SideCodec>>,
    ) -> Result<TableWriter<V>, FormatError> {
        // Before the name becomes part of a path.
        spec.check().map_err(|error| Problem::BadSpec(error).at(folder))?;
        let name = spec.id().to_string();
        let target = folder.join(&name);
        let (temporary, file) = Temporary::create(folder, &name)?;
        let file = BufWriter::with_capacity(1 << 18, file);
        let sink = TableSink::new(file, spec, codecs).map_err(|error| located(error, temporary.path()))?;
        Ok(TableWriter { sink, temporary, target })
    }

    /// Appends the next slab. A side of one value, or that is omitted, has none.
    ///
    /// # Errors
    ///
    /// If the slab may not come next, or the file can't be written.
    pub fn push(&mut self, side: Color, slab: &EncodedSlab) -> Result<(), FormatError> {
        self.sink.push(side, slab).map_err(|error| located(error, self.temporary.path()))
    }

    /// Completes the file, makes it durable and renames it, replacing an older table of that name. The reference is the
    /// checksum of the header of the DTM table that the codecs were trained with, if they were.
    ///
    /// # Errors
    ///
    /// If slabs are missing, or the file can't be written or renamed. The temporary file is then removed.
    pub fn finish(self, reference: Option<u32>) -> Result<Written, FormatError> {
        let TableWriter { sink, temporary, target } = self;
        let (file, header, checksum) = sink.finish(reference).map_err(|error| located(error, temporary.path()))?;
        let file = file.into_inner().map_err(|error| located(error.into_error().into(), temporary.path()))?;
        file.sync_all().map_err(Problem::io("sync the file", temporary.path()))?;
        // The file holds the lock until the temporary name is gone.
        temporary.publish(&target)?;
        drop(file);
        Ok(Written { path: target, bytes: header.file_len(), checksum })
    }
}

fn located(error: SinkError, path: &Path) -> FormatError {
    match error {
        SinkError::Spec(error) => Problem::BadSpec(error).at(path),
        SinkError::Io(error) => Problem::io("write the file", path)(error),
    }
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;
    use std::io::Cursor;

    use super::*;
    use crate::index::Layout;
    use crate::value::{Metric, Value};
    use crate::{Kind, Sample, Trainer, ValueList};

    fn layout() -> Layout {
        Layout::new("KRvK".parse().unwrap())
    }

    fn spec() -> Spec {
        let two = ValueList::new(vec![(Value::Draw, 3), (Value::Win(1), 5)]).unwrap();
        let one = ValueList::new(vec![(Value::Draw, 8)]).unwrap();
        Spec {
            material: layout().material(),
            metric: Metric::Dtm,
            rules: "makruk".to_owned(),
            generator: "test 1".to_owned(),
            stored: ByColor { white: true, black: true },
            values: ByColor { white: two, black: one },
        }
    }

    fn code(slab: usize, offset: usize) -> u16 {
        u16::from((slab * 7 + offset * offset).is_multiple_of(5))
    }

    trait Disk: Write + Seek {}

    impl<W: Write + Seek> Disk for W {}

    /// Writes to any disk: for each kind the whole sink would be compiled once more.
    fn write(disk: &mut dyn Disk) -> Result<u64, SinkError> {
        let slab = |slab| Sample { slab, codes: (0..64).map(|offset| code(slab, offset)).collect(), reference: None };
        let codec = Trainer::new(&layout(), Metric::Dtm, Color::White, 2).train(vec![slab(0), slab(200)], None);
        let codecs = ByColor { white: Some(codec.clone()), black: None };
        let mut sink = TableSink::new(disk, spec(), &codecs)?;
        for number in 0..462 {
            sink.push(Color::White, &codec.encode_slab(number, &slab(number).codes, None))?;
        }
        sink.finish(None).map(|(_, header, _)| header.file_len())
    }

    /// A disk with room for a number of bytes.
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
    fn a_full_disk_is_an_error_wherever_it_fills() {
        let needed = write(&mut Cursor::new(Vec::new())).ok().unwrap();
        for room in (0..=needed).step_by(97).chain([needed - 1, needed]) {
            let result = write(&mut SmallDisk(Cursor::new(Vec::new()), room));
            assert_eq!(result.is_ok(), room == needed, "{room} of {needed} bytes");
            if let Err(error) = result {
                let error = located(error, Path::new("tables/.KRvK.dtm.1-0.tmp"));
                assert_eq!(error.kind(), Kind::Io);
                let text = error.to_string();
                assert!(text.starts_with("tables/.KRvK.dtm.1-0.tmp: can't write the file: "), "{text}");
                let source = std::error::Error::source(&error).and_then(|source| source.downcast_ref::<io::Error>());
                assert_eq!(source.map(io::Error::kind), Some(io::ErrorKind::StorageFull), "{text}");
            }
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_device_is_an_error_at_the_flush_too() {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let Err(SinkError::Io(error)) = write(&mut BufWriter::new(full)) else { panic!("/dev/full accepted it") };
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    }
}
