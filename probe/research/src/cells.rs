//! The categories of whole slabs.

use std::sync::Arc;

use makruk_format::index::{Layout, Stripes};
use makruk_probe::{ProbeError, Prober, ValueSource};
use makruk_rules::{ByColor, Category, Color, Fen};
use makruk_tables::material::Material;
use makruk_tables::tablebase::{SideReader, TableError, TableId};
use makruk_tables::value::{Metric, MovesLeft, Score};

/// The cells of a material's slabs: the categories of their positions, for a count that begins now.
#[derive(Debug)]
pub struct Cells {
    /// The stripes of the slabs, which say what cells hold legal positions.
    stripes: Stripes,
    left: MovesLeft,
    sides: ByColor<CellSource>,
}

/// The source of a side's cells.
#[derive(Debug)]
enum CellSource {
    /// The side of a tablebase.
    Slabs(Arc<dyn SideReader<Score>>),
    /// Probes of single positions.
    Probes,
}

impl CellSource {
    fn of<S: ValueSource>(prober: &Prober<S>, material: Material, side: Color) -> Result<CellSource, ProbeError> {
        let Some(tablebase) = prober.source().tablebase() else { return Ok(CellSource::Probes) };
        Ok(CellSource::Slabs(tablebase.scores_side(material, side)?))
    }
}

impl Cells {
    /// The cells of a material, from its category table. With a bare king to move, they are from DTM.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged.
    pub fn open<S: ValueSource>(prober: &Prober<S>, material: Material) -> Result<Cells, ProbeError> {
        let layout = Layout::new(material);
        let Some(stripes) = Stripes::of_last_axis(layout.clone()) else {
            let id = TableId { material, metric: Metric::Category };
            return Err(TableError::Missing { id, path: id.to_string().into(), source: None }.into());
        };
        let source = |side| CellSource::of(prober, material, side);
        Ok(Cells {
            stripes,
            left: MovesLeft::of(material, prober.rules()),
            sides: ByColor { white: source(Color::White)?, black: source(Color::Black)? },
        })
    }

    /// The order of the material's positions.
    pub fn layout(&self) -> &Layout {
        self.stripes.layout()
    }

    /// The cells of a slab, by offset; `None` in a cell without a legal position. Positions that a slab holds twice
    /// have two cells.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged.
    pub fn slab<S: ValueSource>(
        &self,
        prober: &Prober<S>,
        side: Color,
        slab: usize,
        cells: &mut Vec<Option<Category>>,
    ) -> Result<(), ProbeError> {
        cells.clear();
        cells.resize(self.layout().slab_len() as usize, None);
        let category = |score| Some(self.left.category(score));
        match &self.sides[side] {
            CellSource::Slabs(reader) => {
                let mut codes = Vec::new();
                reader.slab(slab, &mut codes)?;
                let by_code: Vec<Option<Category>> = reader.values().iter().map(|&score| category(score)).collect();
                let fill = |offset: usize| cells[offset] = by_code[usize::from(codes[offset])];
                self.stripes.for_each_legal(slab, None, side, fill);
            }
            CellSource::Probes => {
                let start = slab as u64 * self.layout().slab_len();
                for (offset, cell) in cells.iter_mut().enumerate() {
                    if let Some(position) = self.layout().position_at(side, start + offset as u64) {
                        *cell = category(prober.probe(&Fen::new(position, None))?.distances().into());
                    }
                }
            }
        }
        Ok(())
    }
}
