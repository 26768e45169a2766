//! The classes of category tables: into which ranges the moves to the conversion are cut.

use makruk_format::{SpecError, ValueList};
use makruk_rules::{ByColor, Color, CountRule, Role, ToMove};
use makruk_tables::material::Material;
use makruk_tables::value::{Bounds, MovesLeft};

/// The lists of classes of a material that has these lists of DTM, and of DTZ or what serves as it.
pub(crate) fn classes(
    material: Material,
    left: MovesLeft,
    mates: &ByColor<ValueList>,
    conversions: &ByColor<ValueList>,
) -> Result<ByColor<ValueList<Bounds>>, SpecError> {
    let ends = ByColor::from_fn(|attacker| {
        let wins = conversions[attacker].max_win_plies();
        let losses = conversions[!attacker].max_loss_plies();
        class_ends(material, wins.max(losses).div_ceil(2), left)
    });
    ByColor::try_from_fn(|side| ValueList::of_distances(&ends[side], &ends[!side], &mates[side], &conversions[side]))
}

/// The number of equal parts into which the classes cut the moves. A win often has time, or is short of it, by a few
/// moves: narrow classes decide more counts, and take more bytes. Against a bare king counts run out, so that they help
/// most. If both sides are armed, they help where the longest way is above twice the limit. They also help where White
/// alone has a rook, so that a short win lasts while the count runs down. Games reach such materials with mets, which
/// pawns become, and their tables are small. With a pawn no count runs, and the category needs no distance. Tables of
/// few men are small in any case. `tables/NOTES.md` has the trials.
fn parts(material: Material, moves: u16, longest: u16) -> u16 {
    let rooks = |side| material.side(side).count(Role::Rook);
    let has_rook_and_mets = rooks(Color::White) == 1
        && material.side(Color::White).roles().all(|role| matches!(role, Role::Rook | Role::Met));
    match (material.count_rule(), material.men()) {
        (CountRule::None, _) => 1,
        (CountRule::Board, ..=4) => moves.div_ceil(4).max(2),
        (CountRule::Board, _) if longest > 128 || has_rook_and_mets && rooks(Color::Black) == 0 => 4,
        (CountRule::Board, _) => 2,
        (CountRule::Pieces, ..=4) => moves.div_ceil(2).max(10),
        (CountRule::Pieces, _) => moves.div_ceil(4).max(4),
    }
}

/// The most moves of each class of a material's category table, ascending, for an attacker whose longest way takes
/// `longest` moves.
///
/// A class decides every count except those that leave a number of moves strictly between its ends. The bounds cut into
/// equal parts the moves of the longest way or, if these are fewer, the moves that a count leaves when it begins. The
/// moves that a count leaves when it begins are bounds, too, so that a class decides every position without a count. A
/// range that is derived from captures need not: the classes of the other material end where its own count begins.
fn class_ends(material: Material, longest: u16, left: MovesLeft) -> Vec<u16> {
    let capped = |moves: Option<u32>| moves.map_or(longest, |moves| longest.min(moves.try_into().unwrap_or(u16::MAX)));
    let (attacker, defender) = (capped(left.moves(ToMove::Attacker)), capped(left.moves(ToMove::Defender)));
    let parts = u32::from(parts(material, defender, longest));
    let part = |part: u32| (u32::from(defender) * part).div_ceil(parts) as u16;
    let mut ends: Vec<u16> = (1..=parts).map(part).chain([attacker, longest]).filter(|&end| end > 0).collect();
    ends.sort_unstable();
    ends.dedup();
    ends
}

#[cfg(test)]
mod tests {
    use makruk_rules::CountingRules;

    use super::*;

    #[test]
    fn classes_end_where_counts_begin() {
        let ends = |material: &str, longest| {
            let material = material.parse().unwrap();
            class_ends(material, longest, MovesLeft::of(material, &CountingRules::MAKRUK))
        };
        // 13 moves with the defender to move, 14 with the attacker.
        assert_eq!(ends("KRvK", 16), [2, 3, 4, 6, 7, 8, 10, 11, 12, 13, 14, 16]);
        assert_eq!(ends("KRvK", 4), [1, 2, 3, 4]);
        assert_eq!(ends("KRSMvK", 9), [3, 5, 7, 9]);
        assert_eq!(ends("KNMMvK", 44), [4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44]);
        assert_eq!(ends("KSMvKM", 145), [16, 32, 48, 64, 65, 145]);
        assert_eq!(ends("KSMvKR", 99), [32, 64, 65, 99]);
        assert_eq!(ends("KRNvKS", 37), [19, 37]);
        assert_eq!(ends("KRMvKS", 38), [10, 19, 29, 38]);
        assert_eq!(ends("KRMvKR", 24), [12, 24]);
        assert_eq!(ends("KRvKS", 37), [4, 8, 12, 15, 19, 23, 26, 30, 34, 37]);
        assert_eq!(ends("KNvKN", 0), [0; 0]);
        assert_eq!(ends("KRPvKR", 70), [70]);
    }
}
