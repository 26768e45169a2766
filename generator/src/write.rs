//! A solved set becomes a file.

use makruk_tables::format::{
    CodeWidth, Codes, DEFAULT_BLOCK_LEN, EncodedBlock, Metric, Spec, TableFolder, TableWriter, ValueList,
};
use makruk_tables::index::Layout;
use makruk_tables::rules::{ByColor, Color, CountingRules};
use rayon::prelude::*;

use crate::built::WrittenTable;
use crate::encode::{Code, Encoder};
use crate::error::BuildError;
use crate::progress::Progress;

/// The program's name and version, as headers have it.
pub const GENERATOR: &str = concat!("makruk-gen ", env!("CARGO_PKG_VERSION"));

/// How many positions are turned into codes and compressed at a time: they wait in memory meanwhile.
pub(crate) const BATCH_POSITIONS: u64 = 1 << 25;

/// Writes the table of a solved set; it appears in the folder when it is whole.
pub(crate) fn write_table(
    folder: &TableFolder,
    layout: &Layout,
    metric: Metric,
    encoder: &Encoder<'_>,
    rules: &CountingRules,
    level: i32,
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
        block_len: DEFAULT_BLOCK_LEN,
        values: ByColor { white: values(Color::White)?, black: values(Color::Black)? },
    };
    let blocks = ByColor::from_fn(|side| spec.stored_blocks(side));
    let widths = ByColor::from_fn(|side| spec.values[side].width());
    let mut writer = TableWriter::create(folder.path(), spec.clone())?;
    let mut written = 0;
    let mut push = |side, block| -> Result<(), BuildError> {
        writer.push(side, &block)?;
        written += 1;
        progress.written(metric, written, blocks.white + blocks.black);
        Ok(())
    };
    for side in Color::ALL {
        match widths[side] {
            CodeWidth::Constant => {}
            CodeWidth::One => {
                write_side(layout, encoder, side, level, progress, |codes: &[u8]| Codes::One(codes), &mut push)?
            }
            CodeWidth::Two => {
                write_side(layout, encoder, side, level, progress, |codes: &[u16]| Codes::Two(codes), &mut push)?
            }
        }
    }
    let bytes = writer.finish()?.bytes;
    Ok(WrittenTable { metric, bytes, values: spec.values })
}

/// Writes the blocks of one side to move, a batch of slabs at a time: coded in parallel, then compressed in parallel,
/// then pushed in order.
fn write_side<C: Code>(
    layout: &Layout,
    encoder: &Encoder<'_>,
    side: Color,
    level: i32,
    progress: &dyn Progress,
    codes_of: impl Fn(&[C]) -> Codes<'_> + Sync,
    push: &mut impl FnMut(Color, EncodedBlock) -> Result<(), BuildError>,
) -> Result<(), BuildError> {
    let slabs = layout.slabs();
    let block_len = DEFAULT_BLOCK_LEN as usize;
    let batch = BATCH_POSITIONS.div_ceil(layout.slab_len()).max(1) as usize;
    let mut waiting: Vec<C> = Vec::new();
    for start in (0..slabs).step_by(batch) {
        progress.check()?;
        let end = slabs.min(start + batch);
        let coded: Vec<Vec<C>> =
            (start..end).into_par_iter().map(|slab| encoder.slab(side, slab)).collect::<Result<_, _>>()?;
        for codes in coded {
            waiting.extend(codes);
        }
        let whole = if end == slabs { waiting.len() } else { waiting.len() / block_len * block_len };
        let blocks: Vec<EncodedBlock> =
            waiting[..whole].par_chunks(block_len).map(|codes| EncodedBlock::encode(codes_of(codes), level)).collect();
        waiting.drain(..whole);
        for block in blocks {
            push(side, block)?;
        }
    }
    Ok(())
}
