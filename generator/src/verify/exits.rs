//! The material that a capture or a promotion leads to, maybe colour-flipped, and the count that begins there.

use arrayvec::ArrayVec;
use makruk_tables::index::{Layout, MAX_AXES};
use makruk_tables::material::{Material, MaterialSide, Orientation, Oriented};
use makruk_tables::rules::{ByColor, ByRole, Color, CountingRules, Piece, Role, Square};
use makruk_tables::value::Value;

use super::setup::Setup;

/// The men of a capture or a promotion, by their numbers: the man that is taken, the pawn that is promoted.
type ManPair = (Option<usize>, Option<usize>);

/// An exit of certain men of a material.
pub(super) struct Exit {
    /// The number of the child that is reached, among the material's children; `None` for two bare kings.
    child: Option<usize>,
    /// The orientation of the material that is reached.
    orientation: Orientation,
    /// The men left, in the order of the child's axes.
    order: ArrayVec<usize, MAX_AXES>,
    count: Option<Begun>,
}

/// The count that begins with an exit. It does with the last pawn's end, and with the capture that bares an armed
/// opponent.
#[derive(Clone, Copy)]
struct Begun {
    /// The attacker's moves with the defender to move; `None` without a limit.
    moves: Option<u32>,
}

impl Begun {
    fn new(men: ByColor<&[Piece]>, rules: &CountingRules) -> Begun {
        let all = 2 + men.iter().map(|men| men.len()).sum::<usize>() as u32;
        let moves = match men.iter().find(|men| men.is_empty()) {
            None => rules.board_limit(all),
            Some(_) => {
                let attackers = men.iter().find(|men| !men.is_empty()).copied().unwrap_or_default();
                let limit = rules.pieces_limit(|role| attackers.iter().filter(|man| man.role == role).count() as u32);
                Some(limit.saturating_sub(all))
            }
        };
        Begun { moves }
    }

    /// The DTZ value of the exit, from the value of the position that it leads to.
    fn value(self, after: Value) -> Value {
        match (after, self.moves) {
            (Value::Loss(plies), Some(moves)) if plies > 0 && u32::from(plies / 2) > moves => Value::Draw,
            (Value::Loss(_), _) => Value::Win(1),
            // The attacker is to move: he has one move more.
            (Value::Win(plies), Some(moves)) if u32::from(plies.div_ceil(2)) > moves + 1 => Value::Draw,
            (value, _) => value.one_ply_earlier(),
        }
    }
}

/// The positions of a child that exits lead to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reached {
    /// Captures, too, lead to the material.
    All,
    /// Only promotions do: a met of the side that has moved is on a square of promotion, or on an image of one.
    Promoted,
}

/// All exits of a material.
pub(super) struct Exits {
    /// By [`Exits::place`].
    by_men: Vec<Option<Exit>>,
}

impl Exits {
    /// The exits of a material, its children being given.
    pub(super) fn new(layout: &Layout, children: &[&Layout], rules: &CountingRules) -> Exits {
        let pieces: ArrayVec<Piece, MAX_AXES> = layout.men().collect();
        let numbers = || std::iter::once(None).chain((0..pieces.len()).map(Some));
        let is_exit = |(taken, promoted): ManPair| {
            let promoted = promoted.map(|man| pieces[man]);
            (taken.is_some() || promoted.is_some())
                && promoted.is_none_or(|pawn| pawn.role == Role::Pawn)
                && taken.is_none_or(|man| promoted.is_none_or(|pawn| pawn.color != pieces[man].color))
        };
        let mut by_men: Vec<Option<Exit>> = Vec::new();
        by_men.resize_with((MAX_AXES + 1) * (MAX_AXES + 1), || None);
        for men in
            numbers().flat_map(|taken| numbers().map(move |promoted| (taken, promoted))).filter(|&men| is_exit(men))
        {
            by_men[Exits::place(men)] = Some(Exit::new(layout, &pieces, men, children, rules));
        }
        Exits { by_men }
    }

    /// The exit of these men.
    #[inline]
    pub(super) fn of(&self, men: ManPair) -> &Exit {
        self.by_men[Exits::place(men)].as_ref().expect("every exit was listed")
    }

    /// The positions of a child that exits lead to.
    pub(super) fn reached(&self, child: usize) -> Reached {
        let mut captures = (0..MAX_AXES).filter_map(|taken| self.by_men[Exits::place((Some(taken), None))].as_ref());
        if captures.any(|exit| exit.child == Some(child)) { Reached::All } else { Reached::Promoted }
    }

    /// The place of the exit of these men.
    #[inline]
    fn place((taken, promoted): ManPair) -> usize {
        let place = |man: Option<usize>| man.map_or(0, |man| man + 1);
        place(taken) * (MAX_AXES + 1) + place(promoted)
    }
}

impl Exit {
    fn new(
        layout: &Layout,
        pieces: &[Piece],
        (taken, promoted): ManPair,
        children: &[&Layout],
        rules: &CountingRules,
    ) -> Exit {
        let role = |man| if promoted == Some(man) { Role::Met } else { pieces[man].role };
        let left: Vec<(usize, Piece)> = (0..pieces.len())
            .filter(|&man| taken != Some(man))
            .map(|man| (man, Piece::new(pieces[man].color, role(man))))
            .collect();
        let men = ByColor::from_fn(|color| {
            left.iter().map(|&(_, piece)| piece).filter(|piece| piece.color == color).collect::<Vec<_>>()
        });
        let count = |men: &[Piece]| {
            MaterialSide::new(ByRole::from_fn(|role| men.iter().filter(|piece| piece.role == role).count() as u8))
        };
        let Oriented { material, orientation } = Material::of_sides(count(&men.white), count(&men.black));
        let child = children.iter().position(|child| child.material() == material);
        let mut order = ArrayVec::<usize, MAX_AXES>::new();
        for piece in child.iter().flat_map(|&child| children[child].men()) {
            let piece = orientation.piece(piece);
            order.extend(
                left.iter().find(|&&(man, found)| found == piece && !order.contains(&man)).map(|&(man, _)| man),
            );
        }
        let is_pawn = |piece: &Piece| piece.role == Role::Pawn;
        let had_pawns = pieces.iter().any(is_pawn);
        let has_pawns = left.iter().any(|(_, piece)| is_pawn(piece));
        let was_armed = layout.material().is_armed();
        let bares = was_armed && men.iter().any(Vec::is_empty);
        let begins = !has_pawns && (had_pawns || bares);
        let count = begins.then(|| Begun::new(ByColor { white: &men.white[..], black: &men.black[..] }, rules));
        Exit { child, orientation, order, count }
    }

    /// The number of the child that is reached, among the material's children; `None` for two bare kings.
    pub(super) const fn child(&self) -> Option<usize> {
        self.child
    }

    /// Whether a count begins.
    pub(super) const fn begins_count(&self) -> bool {
        self.count.is_some()
    }

    /// The DTZ value of the exit, from the value of the position that it leads to, DTM under pieces' honour.
    pub(super) fn value(&self, after: Value) -> Value {
        self.count.map_or(after.one_ply_earlier(), |count| count.value(after))
    }

    /// The place of what is left of a setup with `turn` to move: the child's side to move, and the number.
    pub(super) fn number(&self, child: &Layout, setup: &Setup<'_>, turn: Color) -> (Color, u64) {
        let orient = |square: Square| self.orientation.square(square);
        let kings = if self.orientation.is_flipped() { setup.kings.swap() } else { setup.kings };
        let kings = ByColor { white: orient(kings.white), black: orient(kings.black) };
        let mut men = [Square::A1; MAX_AXES];
        self.order.iter().zip(&mut men).for_each(|(&man, square)| *square = orient(setup.squares[man]));
        let (slab, offset) = child.slab_and_offset_of(kings, &men[..self.order.len()]).expect("the kings are apart");
        (self.orientation.color(turn), slab as u64 * child.slab_len() + offset)
    }
}
