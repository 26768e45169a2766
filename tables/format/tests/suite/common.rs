//! Tables of made-up values.

use std::fs;
use std::path::Path;

use makruk_format::value::{Metric, Value};
use makruk_format::{
    FormatError, Listed, Sample, SideCodec, Source, Spec, Storage, Table, TableId, TableWriter, Trainer, ValueList,
};
use makruk_rules::{ByColor, Color};

/// The table of this name.
pub(crate) fn id(name: &str) -> TableId {
    name.parse().unwrap()
}

/// A table of one rook, with a number of values on either side.
pub(crate) fn rook(lens: [usize; 2]) -> Spec {
    spec("KRvK", Metric::Dtm, lens)
}

/// A list of `len` values: a draw, then wins and losses.
pub(crate) fn list(len: usize) -> ValueList {
    let wins = (len - 1).div_ceil(2);
    let win = |n: usize| Value::Win(2 * n as u16 + 1);
    let loss = |n: usize| Value::Loss(2 * n as u16);
    let values = [Value::Draw].into_iter().chain((0..wins).map(win)).chain((0..len - 1 - wins).map(loss));
    ValueList::new(values.enumerate().map(|(at, value)| (value, at as u64 + 1)).collect()).unwrap()
}

pub(crate) fn spec(name: &str, metric: Metric, lens: [usize; 2]) -> Spec {
    Spec {
        material: name.parse().unwrap(),
        metric,
        rules: "makruk".to_owned(),
        generator: "test 1".to_owned(),
        stored: ByColor { white: true, black: true },
        values: ByColor { white: list(lens[0]), black: list(lens[1]) },
    }
}

/// The value of a table at a position's number.
pub(crate) fn value<B: Source, V: Listed>(table: &Table<B, V>, side: Color, number: u64) -> Result<V, FormatError> {
    let layout = table.spec().layout();
    let (slab, offset) = (number / layout.slab_len(), number % layout.slab_len());
    table.value(side, slab as usize, &layout.squares_at(offset))
}

/// Codes by side and number.
pub(crate) type AllCodes = ByColor<Vec<u16>>;

/// Codes with some order and some noise, all of them within the lists.
pub(crate) fn some_codes<V: Listed>(spec: &Spec<V>, seed: u64) -> AllCodes {
    ByColor::from_fn(|side| {
        let values = spec.values[side].len() as u64;
        let mut state = seed | 1;
        (0..spec.positions())
            .map(|at| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let noise = state >> 33;
                ((if noise.is_multiple_of(5) { noise / 5 } else { at / 11 }) % values) as u16
            })
            .collect()
    })
}

/// Writes a table; with a reference, its codes and the checksum of its header.
pub(crate) fn write<V: Listed>(
    folder: &Path,
    spec: &Spec<V>,
    codes: &AllCodes,
    reference: Option<(&AllCodes, &ByColor<Option<SideCodec>>, u32)>,
) -> (ByColor<Option<SideCodec>>, Vec<u8>) {
    let layout = spec.layout();
    let slab_len = spec.slab_len() as usize;
    let part = |codes: &[u16], slab: usize| codes[slab * slab_len..][..slab_len].to_vec();
    let sample = |side: Color, slab: usize| Sample {
        slab,
        codes: part(&codes[side], slab),
        reference: reference.map(|(codes, ..)| part(&codes[side], slab)),
    };
    let mut codecs = ByColor::default();
    for side in Color::ALL.into_iter().filter(|&side| spec.storage(side) == Storage::Blocks) {
        let samples: Vec<Sample> = (0..layout.slabs()).step_by(7).map(|slab| sample(side, slab)).collect();
        let trainer = Trainer::new(&layout, spec.metric, side, spec.values[side].len());
        codecs[side] = Some(trainer.train(samples, reference.and_then(|(_, codecs, _)| codecs[side].as_ref())));
    }
    let mut writer = TableWriter::create(folder, spec.clone(), &codecs).unwrap();
    for side in Color::ALL {
        if let Some(codec) = &codecs[side] {
            for slab in 0..layout.slabs() {
                let sample = sample(side, slab);
                writer.push(side, &codec.encode_slab(slab, &sample.codes, sample.reference.as_deref())).unwrap();
            }
        }
    }
    let written = writer.finish(reference.map(|(.., crc)| crc)).unwrap();
    let bytes = fs::read(&written.path).unwrap();
    assert_eq!(written.bytes, bytes.len() as u64);
    (codecs, bytes)
}
