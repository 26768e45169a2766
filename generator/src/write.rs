//! A solved material becomes a file.

use makruk_tables::format::{
    Codecs, FileTable, FormatError, Listed, Sample, SideCodec, Spec, Storage, TableFolder, TableId, TableWriter,
    Trainer, ValueList,
};
use makruk_tables::index::Layout;
use makruk_tables::rules::{ByColor, Color};
use makruk_tables::value::Metric;

use crate::budget::{SAMPLE_POSITIONS, SAMPLE_SLABS};
use crate::built::WrittenTable;
use crate::error::BuildError;
use crate::options::Options;
use crate::parallel::try_map;
use crate::progress::Progress;
use crate::solve::file_order::Encoder;

/// The program's name and version, as it stands in headers.
pub const GENERATOR: &str = concat!("makruk-gen ", env!("CARGO_PKG_VERSION"));

/// The source of a table's codes, slab by slab.
pub(crate) trait Slabs: Sync {
    /// A slab's codes, and those of the table that they refer to.
    fn slab(&self, side: Color, slab: usize) -> Result<Sample, BuildError>;
}

/// The folder that a material's tables are written to, and the options of the build.
#[derive(Clone, Copy)]
pub(crate) struct Output<'a> {
    pub folder: &'a TableFolder,
    pub layout: &'a Layout,
    pub options: &'a Options,
    pub progress: &'a dyn Progress,
}

impl Output<'_> {
    /// The spec of a table whose values these are.
    pub(crate) fn spec<V>(&self, metric: Metric, stored: ByColor<bool>, values: ByColor<ValueList<V>>) -> Spec<V> {
        Spec {
            material: self.layout.material(),
            metric,
            rules: self.options.rules.name().to_owned(),
            generator: GENERATOR.to_owned(),
            stored,
            values,
        }
    }

    /// Writes the table of a solved material; it appears in the folder when it is whole. DTZ refers to the folder's DTM, which
    /// is read from there unless its solution is still in memory: `mates`.
    pub(crate) fn write_solved(
        &self,
        metric: Metric,
        encoder: &Encoder<'_>,
        mates: Option<&Encoder<'_>>,
    ) -> Result<WrittenTable, BuildError> {
        let values = |side| ValueList::new(encoder.histogram(side).to_vec());
        let values = ByColor { white: values(Color::White)?, black: values(Color::Black)? };
        let longest_win = values.iter().map(|values| values.max_win_plies().max(values.max_loss_plies())).max();
        let spec = self.spec(metric, self.options.stored.of(self.layout.material()), values);
        let has_blocks = Color::ALL.into_iter().any(|side| spec.storage(side) == Storage::Blocks);
        let reference = match metric {
            Metric::Dtz if has_blocks => Some(self.folder.open(TableId { metric: Metric::Dtm, ..spec.id() })?),
            _ => None,
        };
        let mates = reference.as_ref().map(|table| Source::new(table, mates));
        let slabs = SolvedSlabs { encoder, mates };
        let written = self.write_slabs(spec, reference.as_ref(), &slabs)?;
        Ok(WrittenTable { longest_win, ..written })
    }

    /// Writes a table, which refers to another if that is given.
    pub(crate) fn write_slabs<V: Listed>(
        &self,
        spec: Spec<V>,
        reference: Option<&FileTable>,
        source: &impl Slabs,
    ) -> Result<WrittenTable, BuildError> {
        let Output { folder, layout, progress, .. } = *self;
        let metric = spec.metric;
        let sides: Vec<Color> = Color::ALL.into_iter().filter(|&side| spec.storage(side) == Storage::Blocks).collect();
        let mut codecs = Codecs { reference: reference.map(|table| table.header().checksum()), ..Codecs::default() };
        let train = |&side: &Color| -> Result<_, BuildError> {
            let sample = sample(layout, source, side)?;
            let reference = reference.and_then(|table| table.codec(side));
            Ok(Trainer::new(layout, side, spec.values[side].len()).train(&sample, reference.as_ref()))
        };
        let trained: Vec<SideCodec> = try_map(&sides, train)?;
        for (&side, codec) in sides.iter().zip(trained) {
            codecs.sides[side] = Some(codec);
        }
        let mut writer = TableWriter::create(folder.path(), spec.clone(), codecs.clone())?;
        let total = (sides.len() * layout.slabs()) as u64;
        let mut written = 0;
        for side in sides {
            let Some(codec) = &codecs.sides[side] else { continue };
            let slabs = layout.slabs();
            let batch = self.options.budget.batch_positions.div_ceil(layout.slab_len()).max(1) as usize;
            for start in (0..slabs).step_by(batch) {
                progress.check()?;
                let encode = |slab| -> Result<_, BuildError> {
                    let sample = source.slab(side, slab)?;
                    Ok(codec.encode_slab(slab, &sample.codes, sample.reference.as_deref()))
                };
                for slab in &try_map(start..slabs.min(start + batch), encode)? {
                    writer.push(side, slab)?;
                    written += 1;
                    progress.written(metric, written, total);
                }
            }
        }
        let bytes = writer.finish()?.bytes;
        Ok(WrittenTable { metric, bytes, longest_win: None })
    }
}

/// Slabs spread over a side, as training data of the codec.
fn sample(layout: &Layout, source: &impl Slabs, side: Color) -> Result<Vec<Sample>, BuildError> {
    let slabs = layout.slabs() as u64;
    let count = (SAMPLE_POSITIONS / layout.slab_len()).max(SAMPLE_SLABS).min(slabs);
    try_map(0..count, |at| source.slab(side, (at * slabs / count) as usize))
}

/// The source of a table's codes: the solution, if it is still in memory, otherwise the file.
#[derive(Clone, Copy)]
pub(crate) enum Source<'a> {
    Solved(&'a Encoder<'a>),
    Stored(&'a FileTable),
}

impl<'a> Source<'a> {
    pub(crate) fn new(table: &'a FileTable, solved: Option<&'a Encoder<'a>>) -> Source<'a> {
        solved.map_or(Source::Stored(table), Source::Solved)
    }

    /// The codes of a slab, by offset.
    pub(crate) fn slab(self, side: Color, slab: usize) -> Result<Vec<u16>, FormatError> {
        match self {
            Source::Solved(encoder) => encoder.slab(side, slab),
            Source::Stored(table) => {
                let mut codes = Vec::new();
                table.slab_codes(side, slab, &mut codes)?;
                Ok(codes)
            }
        }
    }
}

/// Slabs of a solution, with the DTM that they refer to.
struct SolvedSlabs<'a> {
    encoder: &'a Encoder<'a>,
    mates: Option<Source<'a>>,
}

impl Slabs for SolvedSlabs<'_> {
    fn slab(&self, side: Color, slab: usize) -> Result<Sample, BuildError> {
        let codes = self.encoder.slab(side, slab)?;
        let reference = self.mates.map(|mates| mates.slab(side, slab)).transpose()?;
        Ok(Sample { slab, codes, reference })
    }
}
