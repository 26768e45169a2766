//! The moves that lead out of a material.

use super::{Material, Oriented};
use makruk_rules::{Color, Piece, Role};

/// A kind of move that leads to another material: a capture, a promotion, or both.
///
/// Everything that follows from the materials alone is found here: which material is left and how it is oriented, and
/// whether a count begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit {
    /// The side that moves, in the colours of the material that is left behind.
    pub mover: Color,
    /// The man that is taken, in the same colours.
    pub captured: Option<Piece>,
    /// Whether a pawn of the mover becomes a met.
    pub is_promotion: bool,
    /// The material that is reached, and the orientation of the one left behind against it. May be
    /// [`Material::BARE_KINGS`].
    pub child: Oriented,
    begins_count: bool,
}

impl Exit {
    fn new(parent: Material, mover: Color, captured: Option<Role>, is_promotion: bool) -> Option<Exit> {
        let (mut own, mut other) = (parent.side(mover), parent.side(!mover));
        if let Some(role) = captured {
            other = other.without(role)?;
        }
        if is_promotion {
            own = own.promoted()?;
        }
        let (white, black) = if mover == Color::White { (own, other) } else { (other, own) };
        let child = Material::of_sides(white, black);
        // As `rules::begins_count` has it for two boards.
        let bares = other.is_bare() && !parent.side(!mover).is_bare() && !parent.side(mover).is_bare();
        let begins_count = !child.material.has_pawns() && (parent.has_pawns() || bares);
        let captured = captured.map(|role| Piece::new(!mover, role));
        Some(Exit { mover, captured, is_promotion, child, begins_count })
    }

    /// Whether a count begins with the move, whatever ran before. It does so if the move ends the last pawn, or if it
    /// bares an armed opponent.
    pub(crate) const fn begins_count(&self) -> bool {
        self.begins_count
    }

    /// The pawn that becomes a met.
    pub fn promoted(&self) -> Option<Piece> {
        self.is_promotion.then_some(Piece::new(self.mover, Role::Pawn))
    }

    /// The side to move after the exit, in the colours of the material that is reached.
    pub fn turn(&self) -> Color {
        self.child.orientation.color(!self.mover)
    }
}

impl Material {
    /// The kinds of moves by which a side leaves this material, each once: captures, promotions, captures that promote.
    pub fn exits(&self, mover: Color) -> impl Iterator<Item = Exit> + use<> {
        let parent = *self;
        let promotions: &[bool] = if parent.side(mover).count(Role::Pawn) > 0 { &[false, true] } else { &[false] };
        promotions.iter().flat_map(move |&is_promotion| {
            let captured = Role::IN_LAYOUTS.into_iter().map(Some).chain(is_promotion.then_some(None));
            captured.filter_map(move |captured| Exit::new(parent, mover, captured, is_promotion))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exits(material: &str, mover: Color) -> Vec<String> {
        let material: Material = material.parse().unwrap();
        let text = |exit: Exit| {
            let taken = exit.captured.map_or(String::new(), |piece| format!("x{}", piece.letter()));
            let (promotes, counts) = (if exit.is_promotion { "=" } else { "" }, exit.begins_count());
            let flipped = if exit.child.orientation.is_flipped() { " flipped" } else { "" };
            let count = if counts { " count" } else { "" };
            format!("{taken}{promotes} {}{flipped}{count}", exit.child.material)
        };
        material.exits(mover).map(text).collect()
    }

    #[test]
    fn captures_and_promotions_lead_out_of_a_material() {
        assert_eq!(exits("KRRvKR", Color::White), ["xr KRRvK count"]);
        assert_eq!(exits("KRRvKR", Color::Black), ["xR KRvKR"]);
        assert_eq!(exits("KRvKN", Color::Black), ["xR KNvK flipped count"]);
        assert_eq!(exits("KRNvK", Color::Black), ["xR KNvK", "xN KRvK"]);
        assert_eq!(exits("KPvK", Color::White), ["= KMvK count"]);
        assert_eq!(exits("KPvK", Color::Black), ["xP KvK count"]);
        assert_eq!(exits("KRPvKP", Color::White), ["xp KRPvK", "xp= KRMvK count", "= KRMvKP"]);
        assert_eq!(exits("KNvKP", Color::Black), ["xN KPvK flipped", "xN= KMvK flipped count", "= KNvKM count"]);
        // A king that is bared while a pawn is on the board begins no count.
        assert_eq!(exits("KRPvKN", Color::White), ["xn KRPvK", "xn= KRMvK count", "= KRMvKN count"]);
        assert!(exits("KRvK", Color::White).is_empty());
    }
}
