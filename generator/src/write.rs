//! A solved set becomes a file.

use std::sync::Arc;

use makruk_tables::format::{
    Codecs, MappedTable, Metric, Sample, SideCodec, Spec, Storage, TableFolder, TableWriter, Trainer, ValueList,
};
use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::{ByColor, Color, CountingRules, Role};
use rayon::prelude::*;

use crate::built::WrittenTable;
use crate::encode::Encoder;
use crate::error::BuildError;
use crate::progress::Progress;

/// The program's name and version, as headers have it.
pub const GENERATOR: &str = concat!("makruk-gen ", env!("CARGO_PKG_VERSION"));

/// How many positions are turned into codes and compressed at a time: their blocks wait in memory meanwhile.
pub(crate) const BATCH_POSITIONS: u64 = 1 << 25;

/// How many positions models are learned from; they wait in memory meanwhile.
pub(crate) const SAMPLE_POSITIONS: u64 = 6 << 20;

/// The fewest slabs that models are learned from.
pub(crate) const SAMPLE_SLABS: u64 = 3;

/// Which sides to move have their values in the files of a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum StoredSides {
    /// White's; Black's too in sets of up to four men, and where Black has a rook. Elsewhere Black has a dozen moves at most on
    /// an average, and these say what his positions are worth.
    #[default]
    Usual,
    /// Both.
    Both,
    /// White's alone.
    White,
}

impl StoredSides {
    /// Which these are in a set.
    pub fn of(self, set: Material) -> ByColor<bool> {
        let black = match self {
            StoredSides::Usual => set.men() < 5 || set.side(Color::Black).count(Role::Rook) > 0,
            StoredSides::Both => true,
            StoredSides::White => false,
        };
        ByColor { white: true, black }
    }
}

/// Writes the table of a solved set; it appears in the folder when it is whole. DTZ refers to the folder's DTM.
pub(crate) fn write_table(
    folder: &TableFolder,
    layout: &Layout,
    metric: Metric,
    encoder: &Encoder<'_>,
    rules: &CountingRules,
    stored: StoredSides,
    progress: &dyn Progress,
) -> Result<WrittenTable, BuildError> {
    let values = |side| ValueList::new(encoder.histogram(side).to_vec());
    let spec = Spec {
        material: layout.material().to_string(),
        metric,
        slice: 0,
        symmetry: layout.symmetry(),
        rules: rules.name().to_owned(),
        generator: GENERATOR.to_owned(),
        axes: layout.axis_letters(),
        slabs: layout.slabs() as u64,
        slab_len: layout.slab_len(),
        stored: stored.of(layout.material()),
        values: ByColor { white: values(Color::White)?, black: values(Color::Black)? },
    };
    let sides: Vec<Color> = Color::ALL.into_iter().filter(|&side| spec.storage(side) == Storage::Blocks).collect();
    let reference = match metric {
        Metric::Dtz if !sides.is_empty() => Some(Arc::new(folder.open_set(layout, Metric::Dtm)?)),
        _ => None,
    };
    let source = Slabs { layout, encoder, reference: reference.as_deref() };
    let mut codecs =
        Codecs { reference: reference.as_ref().map(|table| table.header().checksum()), ..Codecs::default() };
    let trained =
        sides.par_iter().map(|&side| source.train(side, spec.values[side].len())).collect::<Result<Vec<_>, _>>()?;
    for (&side, codec) in sides.iter().zip(trained) {
        codecs.sides[side] = Some(codec);
    }
    let mut writer = TableWriter::create(folder.path(), spec.clone(), codecs.clone())?;
    let total = sides.len() as u64 * spec.slabs;
    let mut written = 0;
    for side in sides {
        let Some(codec) = &codecs.sides[side] else { continue };
        let slabs = layout.slabs();
        let batch = BATCH_POSITIONS.div_ceil(layout.slab_len()).max(1) as usize;
        for start in (0..slabs).step_by(batch) {
            progress.check()?;
            let encoded: Vec<_> = (start..slabs.min(start + batch))
                .into_par_iter()
                .map(|slab| {
                    let sample = source.slab(side, slab)?;
                    Ok(codec.encode_slab(slab, &sample.codes, sample.reference.as_deref()))
                })
                .collect::<Result<_, BuildError>>()?;
            for slab in &encoded {
                writer.push(side, slab)?;
                written += 1;
                progress.written(metric, written, total);
            }
        }
    }
    let bytes = writer.finish()?.bytes;
    Ok(WrittenTable { metric, bytes, values: spec.values })
}

/// Slabs in the file's codes, with what the table that they refer to says.
struct Slabs<'a> {
    layout: &'a Layout,
    encoder: &'a Encoder<'a>,
    reference: Option<&'a MappedTable>,
}

impl Slabs<'_> {
    fn slab(&self, side: Color, slab: usize) -> Result<Sample, BuildError> {
        let codes = self.encoder.slab::<u16>(side, slab)?;
        let reference = match self.reference {
            Some(table) => {
                let start = slab as u64 * self.layout.slab_len();
                let mut reference = Vec::new();
                table.decode_codes(side, start..start + self.layout.slab_len(), &mut reference)?;
                Some(reference)
            }
            None => None,
        };
        Ok(Sample { slab, codes, reference })
    }

    /// The codec of a side, learned from slabs all over the table.
    fn train(&self, side: Color, values: usize) -> Result<SideCodec, BuildError> {
        let slabs = self.layout.slabs() as u64;
        let count = (SAMPLE_POSITIONS / self.layout.slab_len()).max(SAMPLE_SLABS).min(slabs);
        let sample: Vec<Sample> = (0..count)
            .into_par_iter()
            .map(|at| self.slab(side, (at * slabs / count) as usize))
            .collect::<Result<_, BuildError>>()?;
        let reference = self.reference.and_then(|table| table.codec(side));
        Ok(Trainer::new(self.layout, side, values).train(&sample, reference.as_ref()))
    }
}
