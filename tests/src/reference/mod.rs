//! A slow solver, written plainly against the rules alone: legal moves, captures and the count. It shares nothing with
//! the generator but [`makruk_tables::rules`]: no word-wise sets, no index, no table files, no colour twins.
//!
//! A material is solved as it is named, White first: `KRvKS` and `KSvKR` are two materials here, each with a place for every
//! position. All legal positions are visited, their legal moves generated, the graph of the moves turned round, and the
//! wins of each side found breadth first, ply by ply.

mod places;
mod retro;

use std::collections::BTreeMap;

use makruk_tables::rules::{Color, CountingRules, Piece, Position};
use rayon::prelude::*;

pub use places::{NamedMaterial, Places};
use retro::{Capture, Graph, NEVER};

/// The distance, as `RULES.md` defines it under "The values of the tables".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distance {
    /// Plies to mate, without a count.
    Mate,
    /// Plies to mate, or to a baring capture after which the count leaves time for it.
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
    legal: u64,
    mate: [Vec<u16>; 2],
    /// `None` if a king is bare: there it is the distance to mate.
    conversion: Option<[Vec<u16>; 2]>,
}

/// Figures of one side to move of a material, over the full board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Legal positions won by the side to move.
    pub wins: u64,
    /// Legal positions lost by the side to move.
    pub losses: u64,
    /// The longest win, in plies.
    pub longest_win: u16,
    /// The longest loss, in plies.
    pub longest_loss: u16,
}

impl Reference {
    /// A solver for these counting rules that has solved nothing yet.
    pub fn new(rules: CountingRules) -> Reference {
        Reference { rules, solved: BTreeMap::new() }
    }

    /// Solves a material, White's men first (`KRvKS`), and before it all that captures lead to.
    ///
    /// # Panics
    ///
    /// If the name is no material of at most four men.
    pub fn solve(&mut self, name: &str) {
        self.solve_material(&NamedMaterial::named(name));
    }

    fn solve_material(&mut self, material: &NamedMaterial) {
        if material.is_bare_kings() || self.solved.contains_key(material) {
            return;
        }
        for child in material.after_a_capture() {
            self.solve_material(&child);
        }
        let solved = self.solved_material(material);
        self.solved.insert(material.clone(), solved);
    }

    fn solved_material(&self, material: &NamedMaterial) -> Solved {
        let places = Places::new(material.clone());
        let graph = Graph::new(&places);
        let by_attacker = |distance| {
            Color::ALL.map(|attacker| graph.solve(&places, attacker, |capture| self.after(capture, attacker, distance)))
        };
        let mate = by_attacker(Distance::Mate);
        let conversion = material.is_armed().then(|| by_attacker(Distance::Conversion));
        for distance in std::iter::once(&mate).chain(&conversion) {
            let both =
                distance[0].par_iter().zip(&distance[1]).any(|(&white, &black)| white != NEVER && black != NEVER);
            assert!(!both, "{material}: a position won by both sides");
        }
        Solved { legal: graph.legal(), places, mate, conversion }
    }

    /// The plies after this capture in which the attacker wins, or [`NEVER`].
    fn after(&self, capture: &Capture, attacker: Color, distance: Distance) -> u16 {
        let board = capture.child.board();
        // The side that is to move now has lost a man by the capture.
        let bares = board.is_bare(capture.child.turn());
        match distance {
            Distance::Mate => self.plies(&capture.child, attacker, Distance::Mate),
            Distance::Conversion if !bares => self.plies(&capture.child, attacker, Distance::Conversion),
            // The attacker is bared: an escape.
            Distance::Conversion if capture.child.turn() == attacker => NEVER,
            // The defender is bared: his count begins, all men on the board counted already.
            Distance::Conversion => {
                let limit = self.rules.pieces_limit(|role| board.by_piece(Piece::new(attacker, role)).len());
                let moves_left = limit.saturating_sub(board.men());
                match self.plies(&capture.child, attacker, Distance::Mate) {
                    NEVER => NEVER,
                    // With the defender to move every second ply is the attacker's. 0 is mate, which no count stops.
                    plies if u32::from(plies) / 2 <= moves_left => 0,
                    _ => NEVER,
                }
            }
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
        2 * self.of(name).legal
    }

    /// The figures of a solved material with this side to move.
    ///
    /// # Panics
    ///
    /// If the material has not been solved.
    pub fn totals(&self, name: &str, turn: Color, distance: Distance) -> Totals {
        let solved = self.of(name);
        let mut totals = Totals::default();
        for place in solved.places.of_side(turn) {
            let won = solved.plies(turn, distance)[place];
            if won != NEVER {
                totals.wins += 2;
                totals.longest_win = totals.longest_win.max(won);
            }
            let lost = solved.plies(!turn, distance)[place];
            if lost != NEVER {
                totals.losses += 2;
                totals.longest_loss = totals.longest_loss.max(lost);
            }
        }
        totals
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
