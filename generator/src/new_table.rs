//! A table that is to be written.

use makruk_format::{AnyValue, FileTable, Listed, SideCodec, Spec, Storage, TableId};
use makruk_rules::{ByColor, Color};
use makruk_tables::value::{Distances, Metric, MovesLeft};

use crate::classes::classes;
use crate::distance_source::{DistanceSource, SlabDistances};
use crate::error::BuildError;
use crate::output::Output;

/// A table that is to be written.
pub(crate) struct NewTable {
    pub spec: Spec<AnyValue>,
    /// The table that the blocks of this one refer to.
    pub reference: Option<Reference>,
    /// The sides of which the larger one is omitted, if both are stored so far.
    pub omittable: ByColor<bool>,
    /// The longest win, whoever moves, in plies; `None` if the values are not distances.
    pub longest_win: Option<u16>,
    codes: CodesOf,
}

/// The DTM table that the blocks of a DTZ table refer to.
pub(crate) enum Reference {
    /// It is written together with this one.
    New,
    /// The folder has it.
    Stored(Box<FileTable>),
}

/// The codes of a table.
enum CodesOf {
    /// The codes of DTM.
    Mates,
    /// The codes of DTZ, which refer to the codes of DTM if the table refers to DTM.
    Conversions,
    /// One for each pair of distances.
    Pairs(ByColor<PairCodes>),
}

/// A code for each pair of distances: by the code of DTM, then that of DTZ.
struct PairCodes {
    codes: Vec<u16>,
    row: usize,
}

impl NewTable {
    /// The table of a metric, which is written together with those of others.
    pub(crate) fn new(
        output: &Output<'_>,
        metric: Metric,
        together: &[Metric],
        source: &DistanceSource<'_>,
    ) -> Result<NewTable, BuildError> {
        match metric {
            Metric::Dtm | Metric::Dtz => NewTable::of_distances(output, metric, together, source),
            Metric::Category => NewTable::of_categories(output, source),
        }
    }

    /// A table of distances. DTZ refers to DTM, if it has blocks.
    fn of_distances(
        output: &Output<'_>,
        metric: Metric,
        together: &[Metric],
        source: &DistanceSource<'_>,
    ) -> Result<NewTable, BuildError> {
        let (known, codes) = match metric {
            Metric::Dtz => (source.conversions(), CodesOf::Conversions),
            _ => (&source.dtm, CodesOf::Mates),
        };
        let values = known.values()?;
        let longest_win = values.iter().map(|values| values.max_win_plies().max(values.max_loss_plies())).max();
        let spec = output.spec(metric, ByColor { white: true, black: true }, values);
        let omittable = output.options.stored.omittable(spec.id());
        let mut table = NewTable { spec, reference: None, omittable, longest_win, codes };
        if metric == Metric::Dtz && Color::ALL.into_iter().any(|side| table.has_blocks(side)) {
            table.reference = Some(Reference::New);
            if !together.contains(&Metric::Dtm) {
                let dtm: FileTable = output.folder.open(TableId { metric: Metric::Dtm, ..table.spec.id() })?;
                table.store_as(dtm.spec());
                table.reference = Some(Reference::Stored(Box::new(dtm)));
            }
        }
        Ok(table)
    }

    /// Whether a side has blocks.
    pub(crate) fn has_blocks(&self, side: Color) -> bool {
        self.spec.storage(side) == Storage::Blocks
    }

    /// Stores the sides that the table stores which this one refers to: a side is predicted from the same side.
    pub(crate) fn store_as<V: Listed>(&mut self, reference: &Spec<V>) {
        (self.spec.stored, self.omittable) = (reference.stored, ByColor::default());
    }

    /// The category table, which follows from the distances. Any side may be omitted, because its bounds can always be
    /// derived from its moves, also where a capture changes the count.
    fn of_categories(output: &Output<'_>, source: &DistanceSource<'_>) -> Result<NewTable, BuildError> {
        let material = source.material;
        let (mates, conversions) = (source.dtm.values()?, source.conversions().values()?);
        let values = classes(material, MovesLeft::of(material, &output.options.rules), &mates, &conversions)?;
        let pairs = ByColor::from_fn(|side| {
            // A pair of distances that no position has may have no code.
            let code = |distances: Distances| values[side].class(distances.into()).unwrap_or(0);
            let row = |dtm| conversions[side].values().map(move |dtz| Distances { dtm, dtz });
            PairCodes { codes: mates[side].values().flat_map(row).map(code).collect(), row: conversions[side].len() }
        });
        let omitted = output.options.stored.omittable(TableId { material, metric: Metric::Category });
        let spec = output.spec(Metric::Category, omitted.map(|side| !side), values);
        let omittable = ByColor::default();
        Ok(NewTable { spec, reference: None, omittable, longest_win: None, codes: CodesOf::Pairs(pairs) })
    }

    /// Omits a side, if one may be: of two the one whose sample takes more bits with these codecs.
    pub(crate) fn omit_larger(&mut self, codecs: &mut ByColor<Option<SideCodec>>) {
        let bits = |side: Color| codecs[side].as_ref().and_then(SideCodec::sample_bits).unwrap_or(0);
        let may_omit = |side: &Color| self.omittable[*side];
        // White's has more moves, from which its values follow: it must be larger by a sixteenth.
        let weight = |&side: &Color| bits(side) * if side == Color::White { 16 } else { 17 };
        if let Some(side) = Color::ALL.into_iter().filter(may_omit).max_by_key(weight) {
            self.spec.stored[side] = false;
            codecs[side] = None;
        }
    }

    /// The codes of a slab, for which there is `room`, and those of the table that they refer to.
    pub(crate) fn codes<'a>(
        &self,
        side: Color,
        distances: &'a SlabDistances,
        room: &'a mut Vec<u16>,
    ) -> (&'a [u16], Option<&'a [u16]>) {
        let (mates, conversions) = (&distances.mates, distances.conversions());
        match &self.codes {
            CodesOf::Mates => (mates, None),
            CodesOf::Conversions => (conversions, self.reference.as_ref().map(|_| mates.as_slice())),
            CodesOf::Pairs(pairs) => {
                let PairCodes { codes, row } = &pairs[side];
                let code = |(&mate, &conversion)| codes[usize::from(mate) * row + usize::from(conversion)];
                room.clear();
                room.extend(mates.iter().zip(conversions).map(code));
                (room, None)
            }
        }
    }
}
