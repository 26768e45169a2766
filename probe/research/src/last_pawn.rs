//! The moment at which the last pawn goes: who gains by it, and who does better to wait.

use std::ops::AddAssign;

use makruk_probe::{Category, ProbeError, Prober, RankedMove, ValueSource};
use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::{ByColor, Color, Fen};
use rayon::prelude::*;

/// Declares sums, so that each is listed once with its name.
macro_rules! sums {
    ($(#[$about:meta])* $sums:ident { $($(#[$doc:meta])* $name:ident,)* }) => {
        $(#[$about])*
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct $sums {
            $($(#[$doc])* pub $name: u64,)*
        }

        impl $sums {
            /// The names of the numbers, in their order.
            pub const NAMES: [&'static str; [$(stringify!($name)),*].len()] = [$(stringify!($name)),*];

            /// The numbers.
            pub const fn values(&self) -> [u64; $sums::NAMES.len()] {
                [$(self.$name),*]
            }
        }

        impl AddAssign<&$sums> for $sums {
            fn add_assign(&mut self, other: &$sums) {
                $(self.$name += other.$name;)*
            }
        }
    };
}

sums! {
    /// Positions with a side to move, counted by what their moves that end the last pawn do. Each position is one of the full
    /// board.
    LastPawnSums {
        /// The legal positions that were looked at.
        positions,
        /// The side to move wins.
        won,
        /// The won positions in which some move ends the last pawn.
        won_can_end,
        /// Those among them in which some such move wins without the count only, because the count that it begins leaves too few
        /// moves.
        ending_throws,
        /// Those among them in which no such move wins, so that waiting alone does.
        must_wait,
        /// The won positions in which every winning move ends the last pawn.
        must_end,
        /// The side to move loses without the count, and draws by it.
        saved,
        /// The saved positions in which some drawing move takes the last pawn.
        saved_by_taking,
        /// The saved positions in which some drawing move promotes the last pawn.
        saved_by_promoting,
        /// The saved positions in which every drawing move ends the last pawn.
        saved_by_ending_only,
    }
}

impl LastPawnSums {
    /// The sums of one position, by its ranked moves.
    fn of(ranked: &[RankedMove]) -> LastPawnSums {
        let mut sums = LastPawnSums { positions: 1, ..LastPawnSums::default() };
        let Some(best) = ranked.first() else { return sums };
        let ends = |mv: &&RankedMove| mv.begins_count;
        let keeping = || ranked.iter().filter(|mv| mv.category == best.category);
        match best.category {
            Category::Win => {
                let of = |category| ranked.iter().filter(ends).filter(|mv| mv.category == category).count();
                let (ending, winning, cursed) =
                    (ranked.iter().filter(ends).count(), of(Category::Win), of(Category::CursedWin));
                sums.won += 1;
                sums.won_can_end += u64::from(ending > 0);
                sums.ending_throws += u64::from(cursed > 0);
                sums.must_wait += u64::from(cursed > 0 && winning == 0);
                sums.must_end += u64::from(keeping().all(|mv| mv.begins_count));
            }
            Category::BlessedLoss => {
                sums.saved += 1;
                sums.saved_by_taking += u64::from(keeping().filter(ends).any(|mv| mv.capture));
                sums.saved_by_promoting += u64::from(keeping().filter(ends).any(|mv| mv.mv.promotion));
                sums.saved_by_ending_only += u64::from(keeping().all(|mv| mv.begins_count));
            }
            Category::CursedWin | Category::Draw | Category::Loss => {}
        }
        sums
    }
}

/// Some positions that are worth showing: won only by waiting, because the count that begins with
/// the last pawn's end is too short.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LastPawnSample {
    /// By the side to move.
    pub sums: ByColor<LastPawnSums>,
    /// The positions that are won only by waiting, those with a single winning move first, then those that take longest; as FENs
    /// with the plies to the conversion.
    pub waits: Vec<(u16, usize, String)>,
}

/// The most positions of [`LastPawnSample::waits`].
const MOST_WAITS: usize = 5;

/// Numbers that one thread looks at together.
const CHUNK: u64 = 1 << 10;

/// Looks at about this number of legal positions of each side to move of a material with pawns, spread evenly over its table.
///
/// # Errors
///
/// If a table is missing or damaged.
pub fn last_pawn<S: ValueSource + Sync>(
    prober: &Prober<S>,
    material: Material,
    wanted: u64,
) -> Result<LastPawnSample, ProbeError> {
    let layout = Layout::new(material);
    let mut sample = LastPawnSample::default();
    for side in Color::ALL {
        let population = layout.positions()[side];
        // About half of all numbers are legal positions.
        let places = (2 * wanted).min(population);
        let chunks: Vec<u64> = (0..places).step_by(CHUNK as usize).collect();
        let of_chunk = |&first: &u64| -> Result<LastPawnSample, ProbeError> {
            let mut found = LastPawnSample::default();
            for place in first..places.min(first + CHUNK) {
                let number = (u128::from(place) * u128::from(population) / u128::from(places)) as u64;
                let Some(position) = layout.position_at(side, number) else { continue };
                let fen = Fen { position, count: None, fullmove: 1 };
                let ranked = prober.moves(&fen)?;
                let sums = LastPawnSums::of(&ranked);
                if sums.must_wait > 0 {
                    found.keep_wait(&fen, &ranked);
                }
                found.sums[side] += &sums;
            }
            Ok(found)
        };
        for found in chunks.par_iter().map(of_chunk).collect::<Result<Vec<_>, _>>()? {
            sample.sums[side] += &found.sums[side];
            sample.waits.extend(found.waits);
        }
        sample.sort_waits();
    }
    Ok(sample)
}

impl LastPawnSample {
    fn keep_wait(&mut self, fen: &Fen, ranked: &[RankedMove]) {
        let winning = ranked.iter().filter(|mv| mv.category == Category::Win).count();
        let plies = ranked.first().and_then(|best| best.dtz.plies()).unwrap_or(0);
        self.waits.push((plies, winning, fen.to_string()));
        self.sort_waits();
    }

    fn sort_waits(&mut self) {
        self.waits.sort_by(|a, b| (a.1 > 1, b.0, &a.2).cmp(&(b.1 > 1, a.0, &b.2)));
        self.waits.truncate(MOST_WAITS);
    }
}
