//! New tables become files.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use makruk_format::lock;
use makruk_format::{AnyValue, EncodedSlab, Sample, SideCodec, TableFolder, TableWriter, Trainer};
use makruk_rules::{ByColor, Color};

use crate::distance_source::{DistanceSource, SlabDistances};
use crate::error::BuildError;
use crate::new_table::{NewTable, Reference};
use crate::options::{SAMPLE_POSITIONS, SAMPLE_SLABS};
use crate::output::Output;
use crate::parallel::{try_in_order, try_map};
use crate::progress::{Part, WrittenTable, timed};
use crate::promotions::NewSides;

impl Output<'_> {
    /// Writes tables of a material together: the distances of each slab are read once. The tables appear in the folder
    /// one after the other, when all blocks are written. What is to be kept is taken from the same distances.
    pub(crate) fn write(
        &self,
        tables: Vec<NewTable>,
        source: &DistanceSource<'_>,
        kept: &NewSides,
    ) -> Result<Vec<WrittenTable>, BuildError> {
        let Output { layout, progress, .. } = *self;
        let (files, mut writers) = timed(progress, Part::Codecs, || self.begin(tables, source))?;
        let is_read = |&side: &Color| kept.has(side) || files.iter().any(|file| file.codecs[side].is_some());
        let sides: Vec<Color> = Color::ALL.into_iter().filter(is_read).collect();
        let slabs = layout.slabs();
        let places: Vec<(Color, usize)> =
            sides.iter().flat_map(|&side| (0..slabs).map(move |slab| (side, slab))).collect();
        let waiting = (self.options.budget.waiting_positions / layout.slab_len()).max(1) as usize;
        let spare: Mutex<Vec<SlabBuffers>> = Mutex::default();
        let encode = |number: usize| -> Result<_, BuildError> {
            progress.check()?;
            let (side, slab) = places[number];
            let mut buffers = lock(&spare).pop().unwrap_or_default();
            source.read(side, slab, &mut buffers.distances)?;
            kept.add(side, slab, &buffers.distances);
            let encoded: Vec<Option<EncodedSlab>> =
                files.iter().map(|file| file.encode(side, slab, &mut buffers)).collect();
            lock(&spare).push(buffers);
            Ok((side, encoded))
        };
        let (mut written, mut on_disk) = (0, Duration::ZERO);
        let begun = Instant::now();
        try_in_order(places.len(), waiting + rayon::current_num_threads(), encode, |(side, encoded)| {
            let pushed = Instant::now();
            for (writer, slab) in writers.iter_mut().zip(&encoded) {
                if let Some(slab) = slab {
                    writer.push(side, slab)?;
                }
            }
            on_disk += pushed.elapsed();
            written += 1;
            progress.written(written, places.len() as u64);
            Ok(())
        })?;
        progress.took(Part::Coding, begun.elapsed().saturating_sub(on_disk));
        progress.took(Part::Disk, on_disk);
        let mut dtm = None;
        let all = files.into_iter().zip(writers);
        timed(progress, Part::Disk, || all.map(|(file, writer)| file.finish(writer, &mut dtm)).collect())
    }

    /// Trains the codecs of tables and begins their files.
    fn begin(
        &self,
        mut tables: Vec<NewTable>,
        source: &DistanceSource<'_>,
    ) -> Result<(Vec<NewFile>, Vec<TableWriter<AnyValue>>), BuildError> {
        let mut files: Vec<NewFile> = Vec::new();
        // DTM, to which DTZ refers, is the first of them.
        let others = tables.split_off(tables.len().min(1));
        for mut tables in [tables, others] {
            if let Some(NewFile { table: first, .. }) = files.first() {
                let refers = |table: &&mut NewTable| matches!(table.reference, Some(Reference::New));
                tables.iter_mut().filter(refers).for_each(|table| table.store_as(&first.spec));
            }
            let sides = |at: usize| Color::ALL.map(|side| (at, side));
            let trained = (0..tables.len()).flat_map(sides).filter(|&(at, side)| tables[at].has_blocks(side));
            let trained: Vec<(usize, Color)> = trained.collect();
            let train = |&(at, side): &(usize, Color)| -> Result<SideCodec, BuildError> {
                let table = &tables[at];
                let sample = self.sample(table, source, side)?;
                let trainer = Trainer::new(self.layout, table.spec.metric, side, table.spec.values[side].len());
                Ok(match &table.reference {
                    None => trainer.train(sample, None),
                    Some(Reference::New) => trainer.train(sample, files[0].codecs[side].as_ref()),
                    Some(Reference::Stored(dtm)) => trainer.train(sample, dtm.codec(side).as_ref()),
                })
            };
            let mut codecs: Vec<ByColor<Option<SideCodec>>> = tables.iter().map(|_| ByColor::default()).collect();
            for (&(at, side), codec) in trained.iter().zip(try_map(&trained, train)?) {
                codecs[at][side] = Some(codec);
            }
            for (mut table, mut codecs) in tables.into_iter().zip(codecs) {
                table.omit_larger(&mut codecs);
                files.push(NewFile { table, codecs });
            }
        }
        let writers: Vec<_> = files.iter().map(|file| file.create(self.folder)).collect::<Result<_, _>>()?;
        Ok((files, writers))
    }

    /// Slabs spread over a side, as training data of a table's codec.
    fn sample(&self, table: &NewTable, source: &DistanceSource<'_>, side: Color) -> Result<Vec<Sample>, BuildError> {
        let slabs = self.layout.slabs() as u64;
        let count = (SAMPLE_POSITIONS / self.layout.slab_len()).max(SAMPLE_SLABS).min(slabs);
        try_map(0..count, |at| {
            let slab = (at * slabs / count) as usize;
            let SlabBuffers { mut distances, mut codes } = SlabBuffers::default();
            source.read(side, slab, &mut distances)?;
            let (codes, reference) = table.codes(side, &distances, &mut codes);
            Ok(Sample { slab, codes: codes.to_vec(), reference: reference.map(<[u16]>::to_vec) })
        })
    }
}

/// The buffers that a thread keeps from slab to slab.
#[derive(Default)]
struct SlabBuffers {
    distances: SlabDistances,
    codes: Vec<u16>,
}

/// A new table, with the models by which its file is written.
struct NewFile {
    table: NewTable,
    codecs: ByColor<Option<SideCodec>>,
}

impl NewFile {
    /// The writer of the file, its models written.
    fn create(&self, folder: &TableFolder) -> Result<TableWriter<AnyValue>, BuildError> {
        Ok(TableWriter::create(folder.path(), self.table.spec.clone(), &self.codecs)?)
    }

    /// The blocks of a slab whose distances are read; `None` if the table has none of this side.
    fn encode(&self, side: Color, slab: usize, buffers: &mut SlabBuffers) -> Option<EncodedSlab> {
        let codec = self.codecs[side].as_ref()?;
        let (codes, reference) = self.table.codes(side, &buffers.distances, &mut buffers.codes);
        Some(codec.encode_slab(slab, codes, reference))
    }

    /// Completes the file, given the checksum of the new DTM table, or takes that.
    fn finish(self, writer: TableWriter<AnyValue>, dtm: &mut Option<u32>) -> Result<WrittenTable, BuildError> {
        let NewTable { spec, longest_win, reference, .. } = self.table;
        let reference = match reference {
            None => None,
            Some(Reference::New) => *dtm,
            Some(Reference::Stored(dtm)) => Some(dtm.header().checksum()),
        };
        let written = writer.finish(reference)?;
        dtm.get_or_insert(written.checksum);
        Ok(WrittenTable { metric: spec.metric, bytes: written.bytes, longest_win })
    }
}
