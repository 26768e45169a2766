//! Whole tables, written from values and decoded.

use makruk_format::index::Layout;
use makruk_format::{FileTable, Listed, Sample, SideCodec, Spec, Storage, TableFolder, TableWriter, Trainer};
use makruk_generator::stored_tables;
use makruk_rules::{ByColor, Color, CountingRules, Position};
use makruk_tables::material::Material;
use makruk_tables::tablebase::TableId;
use makruk_tables::value::{Metric, Value};

/// Writes a table of these values, by number; it refers to no other.
///
/// # Panics
///
/// If a value is not in its list, or the file cannot be written.
pub fn write<V: Listed>(folder: &TableFolder, layout: &Layout, spec: Spec<V>, values: &ByColor<Vec<V>>) {
    let slab_len = layout.slab_len() as usize;
    let sample = |side: Color, slab: usize| {
        let code = |&value: &V| spec.values[side].code(value).expect("a listed value");
        let codes = values[side][slab * slab_len..][..slab_len].iter().map(code).collect();
        Sample { slab, codes, reference: None }
    };
    let mut codecs: ByColor<Option<SideCodec>> = ByColor::default();
    for side in Color::ALL.into_iter().filter(|&side| spec.storage(side) == Storage::Blocks) {
        let samples: Vec<Sample> = (0..layout.slabs()).step_by(3).map(|slab| sample(side, slab)).collect();
        codecs[side] = Some(Trainer::new(layout, spec.metric, side, spec.values[side].len()).train(samples, None));
    }
    let mut writer = TableWriter::create(folder.path(), spec.clone(), &codecs).expect("a writer");
    for side in Color::ALL {
        if let Some(codec) = &codecs[side] {
            for slab in 0..layout.slabs() {
                writer.push(side, &codec.encode_slab(slab, &sample(side, slab).codes, None)).expect("the next slab");
            }
        }
    }
    writer.finish(None).expect("the table");
}

/// All values of one table, decoded.
pub struct Decoded {
    layout: Layout,
    values: ByColor<Vec<Value>>,
}

impl Decoded {
    /// Reads a whole table.
    ///
    /// # Panics
    ///
    /// If it is not there or damaged.
    pub fn read(folder: &TableFolder, material: Material, metric: Metric) -> Decoded {
        let layout = Layout::new(material);
        let tables = stored_tables(folder, &CountingRules::MAKRUK);
        let values = ByColor::from_fn(|side| {
            let reader = tables.side(TableId { material, metric }, side).expect("a table");
            let (mut codes, mut values) = (Vec::new(), Vec::new());
            for slab in 0..layout.slabs() {
                reader.slab(slab, &mut codes).expect("sound blocks");
                values.extend(codes.iter().map(|&code| reader.values()[usize::from(code)]));
            }
            values
        });
        Decoded { layout, values }
    }

    /// The value of a legal position of the material.
    ///
    /// # Panics
    ///
    /// If the position is of another material.
    pub fn value(&self, position: &Position) -> Value {
        let (side, number) = self.layout.number(position).expect("a position of the material");
        self.values[side][number as usize]
    }

    /// All values with this side to move, by number.
    pub fn side(&self, side: Color) -> &[Value] {
        &self.values[side]
    }

    /// The material's layout.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }
}

/// All values that a table stores for a side to move, by number.
///
/// # Panics
///
/// If the table is damaged.
#[must_use]
pub fn values_of<V: Listed>(table: &FileTable<V>, side: Color) -> Vec<V> {
    let (mut codes, mut values) = (Vec::new(), Vec::new());
    for slab in 0..table.spec().slabs() {
        table.slab_codes(side, slab, &mut codes).expect("sound blocks");
        values.extend(codes.iter().map(|&code| table.spec().values[side].value(code).expect("a listed value")));
    }
    values
}
