//! Games of our engine against another, from positions whose values are known, with a referee that uses the rules
//! alone.

use fastrand::Rng;
use makruk_probe::judge::moves_in;
use makruk_probe::{Category, Prober, Verdict};
use makruk_rules::{Color, Count, CountingRules, Fen, Move, ToMove};
use makruk_tables::material::Material;
use test_tables::random_position_of;
use test_tables::reference::NamedMaterial;

use crate::engine::Engine;

/// The promise that a game tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Ours wins, within the count and never later than promised.
    Win,
    /// The same, with a running count that leaves exactly the moves needed.
    TightWin,
    /// Ours, to move, would lose without the count, which begins now, and draws.
    Save,
    /// Ours, to move, would lose if the count began now, but the count has run so far that the attacker lacks one move.
    LateSave,
    /// Neither side wins, and ours does not lose.
    Draw,
}

/// The start of a game.
#[derive(Clone, Debug)]
pub struct Start {
    /// The promise.
    pub kind: Kind,
    /// The material.
    pub material: Material,
    /// The position, its count written out.
    pub fen: Fen,
    /// Our side.
    pub ours: Color,
    /// The result that is promised for it.
    pub verdict: Verdict,
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// This side has mated.
    Mate(Color),
    /// The count has run out.
    Count,
    /// Stalemate.
    Stalemate,
    /// Two bare kings.
    BareKings,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// Its start.
    pub start: Start,
    /// The moves.
    pub moves: Vec<String>,
    /// Its end.
    pub end: End,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 5] = [Kind::Win, Kind::TightWin, Kind::Save, Kind::LateSave, Kind::Draw];

    /// A random position of the material that is of this kind, if one is found soon.
    ///
    /// # Panics
    ///
    /// If a table is missing.
    pub fn start(self, prober: &Prober, material: Material, rng: &mut Rng) -> Option<Start> {
        let named = NamedMaterial::named(&material.to_string());
        (0..10_000).find_map(|_| {
            let position = random_position_of(rng, &named);
            let turn = position.turn();
            if !position.has_legal_move() {
                return None;
            }
            let count = prober.rules().start(position.board(), turn)?;
            let mut fen = Fen::new(position, Some(count));
            let mut verdict = prober.probe(&fen).expect("a table");
            let needed = moves_in(verdict.dtz.plies().unwrap_or(0));
            let left = match self {
                Kind::TightWin => Some(needed),
                Kind::LateSave => needed.checked_sub(1),
                _ => None,
            };
            if let Some(left) = left {
                let decided = matches!(verdict.category, Category::Win | Category::Loss) && needed > 1;
                let attacker = verdict.winner().filter(|_| decided)?;
                fen.count = Some(run_until(count, left, attacker == turn)?);
                verdict = prober.probe(&fen).expect("a table");
            }
            let ours = match (self, verdict.category) {
                // At least a few moves are to be made.
                (Kind::Win | Kind::TightWin, Category::Win) if needed > 2 => turn,
                (Kind::Win | Kind::TightWin, Category::Loss) if needed > 2 => !turn,
                (Kind::Save | Kind::LateSave, Category::BlessedLoss) => turn,
                (Kind::Draw, Category::Draw) if rng.bool() => turn,
                (Kind::Draw, Category::Draw) => !turn,
                _ => return None,
            };
            Some(Start { kind: self, material, fen, ours, verdict })
        })
    }
}

/// The count, advanced until the attacker has this number of moves left; `None` if it never leaves exactly that number.
fn run_until(mut count: Count, left: u32, attacker_to_move: bool) -> Option<Count> {
    while count.attacker_moves_left(ToMove::attacker_if(attacker_to_move)) > left {
        count = count.step();
    }
    (count.attacker_moves_left(ToMove::attacker_if(attacker_to_move)) == left).then_some(count)
}

/// Plays a game to its end and checks the promise for our engine.
///
/// # Panics
///
/// If either engine makes an illegal move, or ours does not keep the promise.
pub fn play(prober: &Prober, start: Start, ours: &mut Engine, theirs: &mut Engine, limit: &str) -> Played {
    let rules = CountingRules::MAKRUK;
    let root = start.fen.to_string();
    ours.new_game();
    theirs.new_game();
    let (mut now, mut moves) = (start.fen.clone(), Vec::new());
    let wins = matches!(start.kind, Kind::Win | Kind::TightWin);
    // Our moves to the conversion, then to mate.
    let mut promised = moves_in(start.verdict.dtz.plies().unwrap_or(0));
    let end = loop {
        let position = &now.position;
        if let Some(end) = end(&now) {
            break end;
        }
        let is_ours = position.turn() == start.ours;
        let engine = if is_ours { &mut *ours } else { &mut *theirs };
        let (text, told) = engine.best_move(&root, &moves, limit);
        let mv = Move::from_uci(position, &text).unwrap_or_else(|error| panic!("{root} {moves:?}: {error}"));
        let next = now.play(&rules, mv);
        if is_ours {
            assert!(told.iter().all(|line| !line.contains("no table has this")), "{root} {moves:?}: {told:?}");
            if wins {
                assert!(promised > 0, "{root} {moves:?}: later than promised");
                promised -= 1;
                let board = next.position.board();
                if board.is_bare(next.position.turn()) && position.captured(mv).is_some() {
                    let dtm = prober.distances(&next.position).expect("a table").dtm;
                    promised = moves_in(dtm.plies().unwrap_or_else(|| panic!("{root} {moves:?}: {mv} draws")));
                }
            }
        }
        moves.push(text);
        now = next;
    };
    let kept = match start.kind {
        Kind::Win | Kind::TightWin => end == End::Mate(start.ours),
        Kind::Save | Kind::LateSave | Kind::Draw => end != End::Mate(!start.ours),
    };
    assert!(kept, "{root}: {:?} for {} ended with {end:?} after {moves:?}", start.kind, start.ours);
    Played { start, moves, end }
}

fn end(now: &Fen) -> Option<End> {
    let position = &now.position;
    if position.is_checkmate() {
        Some(End::Mate(!position.turn()))
    } else if position.is_stalemate() {
        Some(End::Stalemate)
    } else if now.count.is_some_and(Count::is_expired) {
        Some(End::Count)
    } else if Color::ALL.into_iter().all(|color| position.board().is_bare(color)) {
        Some(End::BareKings)
    } else {
        None
    }
}
