//! The worth of whole slabs.

use std::sync::Arc;

use makruk_tables::index::{Layout, Stripes};
use makruk_tables::material::Material;
use makruk_tables::rules::{ByColor, Color, Fen};
use makruk_tables::tablebase::{SharedSlab, SideReader, SlabCache, TableError, TableId};
use makruk_tables::value::{Metric, MovesLeft, Wdl};

use super::{Cell, SlabSource};
use makruk_probe::{ProbeError, Prober};

/// The cells of a material's slabs for a count that begins now, whichever tables they come from.
#[derive(Debug)]
pub struct Cells {
    /// The slabs' stripes, by which legal positions are told.
    stripes: Stripes,
    left: MovesLeft,
    sides: ByColor<Origin>,
    /// Slabs that were read for the sake of the other side's moves.
    cache: ByColor<SlabCache<Cell>>,
}

/// Where a side's cells come from.
#[derive(Debug)]
enum Origin {
    /// A side of a tablebase; the cells by code.
    Slabs { reader: Arc<dyn SideReader>, cells: Vec<Cell> },
    /// Each position is asked for by itself.
    Probes,
}

impl Origin {
    fn of<S: SlabSource>(prober: &Prober<S>, material: Material, side: Color) -> Result<Origin, ProbeError> {
        let Some(tablebase) = prober.source().tablebase() else { return Ok(Origin::Probes) };
        let reader = tablebase.wdl_side(material, side)?;
        let cell = |&value| Wdl::from_value(value).map_or(Cell::Nothing, Cell::of_wdl);
        let cells = reader.values().iter().map(cell).collect();
        Ok(Origin::Slabs { reader, cells })
    }
}

impl Cells {
    /// The cells of a material: from its WDL table or, if that is missing, from the distances.
    ///
    /// # Errors
    ///
    /// If a table is damaged, or neither the WDL table nor those of distances are there.
    pub fn open<S: SlabSource>(prober: &Prober<S>, material: Material) -> Result<Cells, ProbeError> {
        let layout = Layout::new(material);
        let Some(stripes) = Stripes::of_last_axis(layout.clone()) else {
            let id = TableId { material, metric: Metric::Wdl };
            return Err(TableError::Missing { id, path: id.to_string().into(), source: None }.into());
        };
        let side = |side| Origin::of(prober, material, side);
        Ok(Cells {
            stripes,
            left: MovesLeft::of(material, prober.rules()),
            sides: ByColor { white: side(Color::White)?, black: side(Color::Black)? },
            cache: ByColor::from_fn(|_| SlabCache::new(layout.slab_len())),
        })
    }

    /// The order of the material's positions.
    pub fn layout(&self) -> &Layout {
        self.stripes.layout()
    }

    /// The cells of a slab, by offset. Positions that a slab holds twice have two cells.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged.
    pub fn slab<S: SlabSource>(
        &self,
        prober: &Prober<S>,
        side: Color,
        slab: usize,
        cells: &mut Vec<Cell>,
    ) -> Result<(), ProbeError> {
        cells.clear();
        cells.resize(self.layout().slab_len() as usize, Cell::Nothing);
        match &self.sides[side] {
            Origin::Slabs { reader, cells: by_code } => {
                let mut codes = Vec::new();
                reader.slab(slab, &mut codes)?;
                self.stripes.for_each_legal(slab, side, |offset| cells[offset] = by_code[usize::from(codes[offset])]);
                Ok(())
            }
            Origin::Probes => self.slab_of_probes(prober, side, slab, cells),
        }
    }

    /// The cells of a slab as the side sees them whose moves lead there, `side` being then to move.
    pub(super) fn after<S: SlabSource>(
        &self,
        prober: &Prober<S>,
        side: Color,
        slab: usize,
    ) -> Result<SharedSlab<Cell>, ProbeError> {
        self.cache[side].get(slab, || {
            let mut cells = Vec::new();
            self.slab(prober, side, slab, &mut cells)?;
            cells.iter_mut().for_each(|cell| *cell = cell.before());
            Ok(cells)
        })
    }

    fn slab_of_probes<S: SlabSource>(
        &self,
        prober: &Prober<S>,
        side: Color,
        slab: usize,
        cells: &mut [Cell],
    ) -> Result<(), ProbeError> {
        let start = slab as u64 * self.layout().slab_len();
        for (offset, cell) in cells.iter_mut().enumerate() {
            if let Some(position) = self.layout().position_at(side, start + offset as u64) {
                let distances = prober.probe(&Fen::new(position, None))?.distances();
                *cell = Cell::of_wdl(self.left.wdl(distances.dtm, distances.dtz));
            }
        }
        Ok(())
    }
}
