//! Groups of slabs: what a pass goes through at a time.

use makruk_rules::{ByColor, Color};

use super::geometry::Geometry;

/// The groups that a pass goes through, by the side that moves.
#[derive(Debug)]
pub(crate) struct Groups(ByColor<Vec<Vec<usize>>>);

impl Groups {
    /// This number of slabs in each group: for passes over sets that are in memory. Slabs between which the king of the
    /// side that moves goes are near each other.
    pub(crate) fn of_slabs(geometry: &Geometry, slabs: usize) -> Groups {
        Groups(Groups::closed(geometry).0.map(|closed| closed.concat().chunks(slabs).map(<[usize]>::to_vec).collect()))
    }

    /// Groups that the moves of a side's king do not leave. In each, the other king is on one square or on its images
    /// under the symmetry. A pass over such a group needs no other slab.
    pub(crate) fn closed(geometry: &Geometry) -> Groups {
        Groups(ByColor::from_fn(|mover| closed_under(geometry, mover)))
    }

    /// The groups of a pass in which `mover` moves.
    pub(crate) fn of(&self, mover: Color) -> &[Vec<usize>] {
        &self.0[mover]
    }

    /// The slabs of the largest group.
    pub(crate) fn largest(&self) -> usize {
        self.0.iter().flatten().map(Vec::len).max().unwrap_or(0)
    }
}

fn closed_under(geometry: &Geometry, mover: Color) -> Vec<Vec<usize>> {
    let mut is_grouped = vec![false; geometry.slabs()];
    let mut groups = Vec::new();
    for first in 0..geometry.slabs() {
        if std::mem::replace(&mut is_grouped[first], true) {
            continue;
        }
        let mut group = vec![first];
        let mut next = 0;
        while let Some(&slab) = group.get(next) {
            next += 1;
            for king_move in geometry.king_moves(mover, slab) {
                if !std::mem::replace(&mut is_grouped[king_move.slab], true) {
                    group.push(king_move.slab);
                }
            }
        }
        group.sort_unstable_by_key(|&slab| geometry.layout().kings().pair(slab)[mover]);
        groups.push(group);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_king_move_leaves_its_group() {
        // A king has 3612 places for the other: 45 to 60 for each of its squares, of which two or eight are alike.
        for (material, groups, largest) in [("KSvK", 32, 60), ("KRvK", 10, 60)] {
            let geometry = Geometry::new(material.parse().unwrap());
            let closed = Groups::closed(&geometry);
            for mover in Color::ALL {
                let mut group_of = vec![None; geometry.slabs()];
                for (number, group) in closed.of(mover).iter().enumerate() {
                    for &slab in group {
                        assert_eq!(group_of[slab].replace(number), None, "slab {slab} is in two groups");
                    }
                }
                for slab in 0..geometry.slabs() {
                    assert!(group_of[slab].is_some());
                    let moves = geometry.king_moves(mover, slab);
                    assert!(moves.iter().all(|king_move| group_of[king_move.slab] == group_of[slab]));
                }
                assert_eq!(closed.of(mover).len(), groups, "{material}");
            }
            assert!(closed.largest() <= largest, "{material}: {}", closed.largest());
        }
    }
}
