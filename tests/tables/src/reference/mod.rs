//! A slow solver, written plainly against the rules alone: legal moves, captures, promotions and the count. It shares
//! nothing with the generator but [`makruk_rules`]: no word-wise sets, no index, no table files, no
//! colour-flipped forms.
//!
//! A material is solved as it is named, White first: `KRvKS` and `KSvKR` are two materials here, each with a place for
//! every position. All legal positions are visited, their legal moves generated, the graph of the moves turned round,
//! and the wins of each side found breadth first, ply by ply. Each side is solved as the attacker by itself.

mod count;
mod material;
mod places;
mod retro;

use std::collections::BTreeMap;

use makruk_rules::{Color, CountingRules, Position};
use rayon::prelude::*;

pub use count::moves_left_after_last_pawn;
use count::{moves_left_after_baring, suffice};
pub use material::NamedMaterial;
use places::Places;
use retro::{Graph, NEVER};

/// The distance, as `RULES.md` defines it under "The values of the tables".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distance {
    /// Plies to mate, without a count.
    Mate,
    /// Plies to mate, or to the move that settles the count. That is a baring capture after which the count leaves time
    /// for mate. With a pawn on the board it is the attacker's move that ends the last pawn, if it wins under the count
    /// that begins with it.
    Conversion,
}

/// The solved materials.
pub struct Reference {
    rules: CountingRules,
    solved: BTreeMap<NamedMaterial, Solved>,
}

/// One material: for each side as attacker the plies in which it wins the position at a place, or [`NEVER`].
struct Solved {
    places: Places,
    /// The number of places that hold a position, with White and with Black to move.
    legal: [u64; 2],
    mate: [Vec<u16>; 2],
    /// `None` if a king is bare and no pawn is on the board: there it is the distance to mate.
    conversion: Option<[Vec<u16>; 2]>,
}

impl Reference {
    /// A solver for these counting rules that has solved nothing yet.
    pub fn new(rules: CountingRules) -> Reference {
        Reference { rules, solved: BTreeMap::new() }
    }

    /// Solves a material, White's men first (`KRvKS`), and before it all that captures and promotions lead to.
    ///
    /// # Panics
    ///
    /// If the name is not a material of at most four men.
    pub fn solve(&mut self, name: &str) {
        self.solve_material(&NamedMaterial::named(name));
    }

    fn solve_material(&mut self, material: &NamedMaterial) {
        if material.is_bare_kings() || self.solved.contains_key(material) {
            return;
        }
        for child in material.after_an_exit() {
            self.solve_material(&child);
        }
        let solved = self.solved_material(material);
        self.solved.insert(material.clone(), solved);
    }

    fn solved_material(&self, material: &NamedMaterial) -> Solved {
        let places = Places::new(material.clone());
        let graph = Graph::new(&places);
        let by_attacker = |distance| {
            Color::ALL.map(|attacker| {
                graph.solve(&places, attacker, |exit| self.after(material, &exit.child, attacker, distance))
            })
        };
        let mate = by_attacker(Distance::Mate);
        let conversion = (material.is_armed() || material.has_pawns()).then(|| by_attacker(Distance::Conversion));
        for distance in std::iter::once(&mate).chain(&conversion) {
            let both =
                distance[0].par_iter().zip(&distance[1]).any(|(&white, &black)| white != NEVER && black != NEVER);
            assert!(!both, "{material}: a position won by both sides");
        }
        Solved { legal: graph.legal(), places, mate, conversion }
    }

    /// The plies after an exit to `child` in which the attacker wins, or [`NEVER`].
    fn after(&self, material: &NamedMaterial, child: &Position, attacker: Color, distance: Distance) -> u16 {
        match distance {
            Distance::Mate => self.plies(child, attacker, Distance::Mate),
            // No count begins, whatever is captured or promoted.
            Distance::Conversion if child.board().has_pawns() => self.plies(child, attacker, Distance::Conversion),
            Distance::Conversion if material.has_pawns() => self.after_last_pawn(child, attacker),
            Distance::Conversion => self.after_capture(child, attacker),
        }
    }

    /// The plies to the conversion after a capture without pawns on the board.
    fn after_capture(&self, child: &Position, attacker: Color) -> u16 {
        // The side that is to move now has lost a man by the capture.
        if !child.board().is_bare(child.turn()) {
            return self.plies(child, attacker, Distance::Conversion);
        }
        if child.turn() == attacker {
            // The attacker is bared: an escape.
            return NEVER;
        }
        match self.plies(child, attacker, Distance::Mate) {
            plies if plies != NEVER && suffice(Some(moves_left_after_baring(&self.rules, child, attacker)), plies) => 0,
            _ => NEVER,
        }
    }

    /// The plies to the conversion after the last pawn's end.
    fn after_last_pawn(&self, child: &Position, attacker: Color) -> u16 {
        let board = child.board();
        if board.is_bare(attacker) {
            return NEVER;
        }
        let distance = if board.is_bare(!attacker) { Distance::Mate } else { Distance::Conversion };
        let plies = self.plies(child, attacker, distance);
        if plies == NEVER || !suffice(moves_left_after_last_pawn(&self.rules, child, attacker), plies) {
            NEVER
        } else if child.turn() == attacker {
            // The defender ended the last pawn: the distance goes on.
            plies
        } else {
            // The attacker did: this is the conversion.
            0
        }
    }

    fn plies(&self, position: &Position, attacker: Color, distance: Distance) -> u16 {
        self.find(position).map_or(NEVER, |(solved, place)| solved.plies(attacker, distance)[place])
    }

    /// A position's material and place; `None` for two bare kings.
    fn find(&self, position: &Position) -> Option<(&Solved, usize)> {
        let material = NamedMaterial::of(position.board());
        if material.is_bare_kings() {
            return None;
        }
        let solved = self.solved.get(&material).unwrap_or_else(|| panic!("{material} is solved before it is asked"));
        Some((solved, solved.places.place(position)))
    }

    /// Signed plies from the side to move, as users read them: positive wins, negative (or 0, mated) loses, `None` a
    /// draw.
    ///
    /// # Panics
    ///
    /// If the position's material has not been solved.
    pub fn value(&self, position: &Position, distance: Distance) -> Option<i32> {
        let (solved, place) = self.find(position)?;
        let winner = |attacker| match solved.plies(attacker, distance)[place] {
            NEVER => None,
            plies => Some(i32::from(plies)),
        };
        let turn = position.turn();
        winner(turn).or_else(|| winner(!turn).map(|plies| -plies))
    }

    /// Every legal position of a solved material, up to left-right symmetry, in parallel.
    ///
    /// # Panics
    ///
    /// If the material has not been solved.
    pub fn positions(&self, name: &str) -> impl ParallelIterator<Item = Position> + '_ {
        let places = &self.of(name).places;
        (0..places.len()).into_par_iter().filter_map(|place| places.position(place))
    }

    /// The number of legal positions of a solved material on the full board, both sides to move together.
    ///
    /// # Panics
    ///
    /// If the material has not been solved.
    pub fn legal(&self, name: &str) -> u64 {
        2 * self.of(name).legal.iter().sum::<u64>()
    }

    fn of(&self, name: &str) -> &Solved {
        self.solved.get(&NamedMaterial::named(name)).unwrap_or_else(|| panic!("{name} has been solved"))
    }
}

impl Solved {
    fn plies(&self, attacker: Color, distance: Distance) -> &[u16] {
        let by_attacker = match (distance, &self.conversion) {
            (Distance::Conversion, Some(conversion)) => conversion,
            _ => &self.mate,
        };
        &by_attacker[attacker as usize]
    }
}
