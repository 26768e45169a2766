//! The positions after promotions: a build that solves them keeps their codes for the material with the pawn.
//!
//! A promotion leads to positions with a met on one of eight squares. To read their values from a table, all of its
//! blocks have to be decoded, and a side that it omits has to be derived. So a build that has solved a material keeps
//! their codes in a working file until the material with the pawn is built. Where they are not kept, the table is read.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};

use makruk_format::index::{Layout, SlabPart};
use makruk_format::{FormatError, lock};
use makruk_rules::{Bitboard, Color, Piece, Role};
use makruk_tables::material::Material;
use makruk_tables::tablebase::{ReadCost, SideReader, SideSource, TableError, TableId};
use makruk_tables::value::{Metric, Value};

use crate::distance_source::{DistanceSource, Known, SlabDistances};
use crate::error::BuildError;
use crate::solve::work_store::{Blob, WorkStore};

/// The materials that the promotions of a material lead to.
pub(crate) fn promoted(material: Material) -> impl Iterator<Item = Material> {
    material.children().into_iter().filter(move |child| child.men() == material.men())
}

/// The positions after promotions that are kept.
#[derive(Debug, Default)]
pub(crate) struct Promotions {
    /// The materials that are still to be built, by the material that their promotions lead to, and the side to move.
    wanted: HashMap<(Material, Color), Vec<Material>>,
    kept: Mutex<HashMap<(TableId, Color), Arc<KeptSide>>>,
}

impl Promotions {
    /// Those of some materials that will be built.
    pub(crate) fn of(materials: impl IntoIterator<Item = Material>) -> Promotions {
        let mut promotions = Promotions::default();
        for material in materials {
            let exits = Color::ALL.into_iter().flat_map(|mover| material.exits(mover));
            for exit in exits.filter(|exit| exit.is_promotion && exit.captured.is_none()) {
                promotions.wanted.entry((exit.child.material, exit.turn())).or_default().push(material);
            }
        }
        promotions
    }

    /// Whether a material is still to be built whose promotions lead to this one.
    #[cfg(test)]
    pub(crate) fn wants(&self, material: Material) -> bool {
        self.wanted.keys().any(|&(wanted, _)| wanted == material)
    }

    /// Gives up what was kept for a material alone.
    pub(crate) fn give_up(&mut self, material: Material) {
        let Promotions { wanted, kept } = self;
        wanted.values_mut().for_each(|materials| materials.retain(|&wants| wants != material));
        wanted.retain(|_, materials| !materials.is_empty());
        lock(kept).retain(|&(id, side), _| wanted.contains_key(&(id.material, side)));
    }

    /// Begins to keep sides of a material that was solved under every metric; none if it was not. A side whose working
    /// file cannot be created is not kept.
    ///
    /// # Errors
    ///
    /// The material has too many values.
    pub(crate) fn begin(&self, source: &DistanceSource<'_>, folder: &Path) -> Result<NewSides, BuildError> {
        let material = source.material;
        let is_solved = |known: &&Known<'_>| matches!(known, Known::Solved(_));
        let mut sides = NewSides::default();
        if source.dtz.is_some() != material.has_dtz() || ![&source.dtm, source.conversions()].iter().all(is_solved) {
            return Ok(sides);
        }
        for &metric in material.distance_metrics() {
            let known = if metric == Metric::Dtm { &source.dtm } else { source.conversions() };
            let values = known.values()?;
            for side in Color::ALL.into_iter().filter(|&side| self.wanted.contains_key(&(material, side))) {
                let values = values[side].values().collect();
                sides.0.extend(KeptSide::new(material, side, values, folder).map(|kept| (metric, side, kept)).ok());
            }
        }
        Ok(sides)
    }

    /// Keeps the sides of a material.
    pub(crate) fn keep(&self, material: Material, NewSides(sides): NewSides) {
        let sides = sides.into_iter();
        lock(&self.kept)
            .extend(sides.map(|(metric, side, kept)| ((TableId { material, metric }, side), Arc::new(kept))));
    }
}

/// The sides of a material that are to be kept.
#[derive(Debug, Default)]
pub(crate) struct NewSides(Vec<(Metric, Color, KeptSide)>);

impl NewSides {
    /// Whether there is any of this side to move.
    pub(crate) fn has(&self, side: Color) -> bool {
        self.0.iter().any(|&(_, kept, _)| kept == side)
    }

    /// Takes what is to be kept of a slab.
    pub(crate) fn add(&self, side: Color, slab: usize, distances: &SlabDistances) {
        for (metric, _, kept) in self.0.iter().filter(|&&(_, of, _)| of == side) {
            kept.add(slab, if *metric == Metric::Dtm { &distances.mates } else { distances.conversions() });
        }
    }
}

/// A side to move of a material under one metric: of each slab the part that promotions lead to.
#[derive(Debug)]
struct KeptSide {
    /// The values of the codes.
    values: Vec<Value>,
    part: SlabPart,
    /// The offsets of the part in a slab of `slab_len`, and their number.
    ranges: Vec<Range<usize>>,
    len: usize,
    slab_len: usize,
    /// The codes of the part, by slab.
    slabs: Vec<OnceLock<Blob>>,
    store: WorkStore,
}

impl KeptSide {
    fn new(material: Material, side: Color, values: Vec<Value>, folder: &Path) -> Result<KeptSide, FormatError> {
        let layout = Layout::new(material);
        let met = Piece::new(!side, Role::Met);
        // Kings on places that the material's symmetries take to each other share a slab.
        let images = layout.symmetry().transforms().map(|map| map.bits(met.color.promotion_squares().0));
        let squares = Bitboard(images.fold(0, |all, squares| all | squares));
        let axis = layout.axes().iter().position(|axis| axis.piece == met).expect("promotions make a met");
        let part = SlabPart { axis, squares };
        let ranges = part.offsets(&layout);
        Ok(KeptSide {
            values,
            part,
            len: ranges.iter().map(Range::len).sum(),
            ranges,
            slab_len: layout.slab_len() as usize,
            slabs: (0..layout.slabs()).map(|_| OnceLock::new()).collect(),
            store: WorkStore::in_folder(folder, 0, 1, true)?,
        })
    }

    /// Keeps the part of a slab with these codes, unless the disk is full: the table is read then.
    fn add(&self, slab: usize, codes: &[u16]) {
        let mut bytes = vec![0; size_of::<u16>() * self.len];
        let mut rest = bytes.as_chunks_mut().0;
        for range in &self.ranges {
            let (to, after) = rest.split_at_mut(range.len());
            to.iter_mut().zip(&codes[range.clone()]).for_each(|(to, code)| *to = code.to_le_bytes());
            rest = after;
        }
        if let Ok(blob) = self.store.keep(bytes) {
            self.slabs[slab].get_or_init(|| blob);
        }
    }

    /// The codes of a part of a slab, zeros elsewhere; false if they are not kept or cannot be read.
    fn read(&self, slab: usize, part: SlabPart, codes: &mut Vec<u16>) -> bool {
        let is_kept = part.axis == self.part.axis && (part.squares - self.part.squares).is_empty();
        let buffer = &mut Vec::new();
        let Some(blob) = self.slabs.get(slab).and_then(OnceLock::get).filter(|_| is_kept) else { return false };
        let Ok(bytes) = self.store.read(blob, buffer) else { return false };
        codes.clear();
        codes.resize(self.slab_len, 0);
        let mut rest = bytes.as_chunks().0;
        for range in &self.ranges {
            let (read, after) = rest.split_at(range.len());
            codes[range.clone()].iter_mut().zip(read).for_each(|(code, &read)| *code = u16::from_le_bytes(read));
            rest = after;
        }
        true
    }
}

/// Sides of tables, of some of which what promotions lead to is kept.
pub(crate) struct WithKept<'a> {
    pub promotions: &'a Promotions,
    pub source: &'a dyn SideSource,
}

impl SideSource for WithKept<'_> {
    fn side(&self, id: TableId, side: Color) -> Result<Arc<dyn SideReader>, TableError> {
        let reader = self.source.side(id, side)?;
        let kept = lock(&self.promotions.kept).get(&(id, side)).cloned();
        Ok(match kept.filter(|kept| kept.values == reader.values()) {
            Some(kept) => Arc::new(PartlyKept { reader, kept }),
            None => reader,
        })
    }
}

/// A side of a table of which a part is kept.
#[derive(Debug)]
struct PartlyKept {
    reader: Arc<dyn SideReader>,
    kept: Arc<KeptSide>,
}

impl SideReader for PartlyKept {
    fn values(&self) -> &[Value] {
        self.reader.values()
    }

    fn slab(&self, slab: usize, codes: &mut Vec<u16>) -> Result<(), TableError> {
        self.reader.slab(slab, codes)
    }

    fn part(&self, slab: usize, part: SlabPart, codes: &mut Vec<u16>) -> Result<(), TableError> {
        if self.kept.read(slab, part, codes) { Ok(()) } else { self.reader.part(slab, part, codes) }
    }

    fn has_cheap_parts(&self, axis: usize) -> bool {
        self.reader.has_cheap_parts(axis)
    }

    fn read_cost(&self) -> ReadCost {
        self.reader.read_cost()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::{build, build_keeping};
    use crate::child::stored_tables;
    use crate::options::Options;
    use crate::progress::Silent;
    use makruk_format::TableFolder;

    /// A source that gives whole slabs alone of the materials that are kept.
    struct Whole<'a>(&'a dyn SideSource, &'a Promotions);

    impl SideSource for Whole<'_> {
        fn side(&self, id: TableId, side: Color) -> Result<Arc<dyn SideReader>, TableError> {
            let reader = self.0.side(id, side)?;
            Ok(if self.1.wants(id.material) { Arc::new(WholeSlabs(reader)) } else { reader })
        }
    }

    #[derive(Debug)]
    struct WholeSlabs(Arc<dyn SideReader>);

    impl SideReader for WholeSlabs {
        fn values(&self) -> &[Value] {
            self.0.values()
        }

        fn slab(&self, slab: usize, codes: &mut Vec<u16>) -> Result<(), TableError> {
            self.0.slab(slab, codes)
        }

        fn part(&self, slab: usize, part: SlabPart, _: &mut Vec<u16>) -> Result<(), TableError> {
            panic!("{part:?} of slab {slab} is read")
        }

        fn read_cost(&self) -> ReadCost {
            ReadCost::Copy
        }
    }

    /// Compares what is kept for a material with the tables, and builds it from that.
    fn compare(name: &str) {
        let (material, options): (Material, _) = (name.parse().unwrap(), Options::default());
        let place = tempfile::tempdir().unwrap();
        let folder = TableFolder::create(place.path()).unwrap();
        let stored = stored_tables(&folder, &options.rules);
        let mut promotions = Promotions::of([material]);
        let build_keeping = |material: Material, promotions, source| {
            let metrics: Vec<Metric> = material.tables().map(|id| id.metric).collect();
            build_keeping(&folder, material, &metrics, &WithKept { promotions, source }, &options, &Silent).unwrap();
        };
        for child in material.children() {
            if promotions.wants(child) {
                build(&folder, child.children(), &options, &Silent).unwrap();
                build_keeping(child, &promotions, &stored);
            } else if child != Material::BARE_KINGS {
                build(&folder, [child], &options, &Silent).unwrap();
            }
        }
        let mut compared = 0;
        for (&(id, side), kept) in &*lock(&promotions.kept) {
            let (reader, layout) = (stored.side(id, side).unwrap(), Layout::new(id.material));
            let (mut found, mut expected) = (Vec::new(), Vec::new());
            for slab in 0..layout.slabs() {
                assert!(kept.read(slab, kept.part, &mut found), "{name} {id}");
                reader.slab(slab, &mut expected).unwrap();
                for offset in kept.ranges.iter().cloned().flatten() {
                    let number = slab as u64 * layout.slab_len() + offset as u64;
                    if layout.position_at(side, number).is_some() {
                        assert_eq!(found[offset], expected[offset], "{name} {id} {side:?} {number}");
                        compared += 1;
                    }
                }
            }
            let others = SlabPart { squares: !kept.part.squares, ..kept.part };
            assert!(!kept.read(0, others, &mut found));
            assert_eq!(kept.values, reader.values());
        }
        assert!(compared > 0);
        build_keeping(material, &promotions, &Whole(&stored, &promotions));
        promotions.give_up(material);
        assert!(lock(&promotions.kept).is_empty());
    }

    #[test]
    fn what_is_kept_is_what_tables_have_and_they_are_not_read() {
        compare("KMvKP");
        compare("KSPvK");
    }

    #[test]
    #[ignore = "five men, of which tables omit this side: twenty seconds"]
    fn what_is_kept_of_an_omitted_side_is_what_would_be_derived() {
        compare("KPPvKM");
    }
}
