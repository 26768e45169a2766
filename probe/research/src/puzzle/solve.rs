//! The solution of a puzzle.

use makruk_probe::{Category, LineMove, ProbeError, Prober, RankedMove, SacrificeKind, ValueSource};
use makruk_rules::{Fen, Move, Position};

use super::PuzzleTheme;

/// The fewest legal moves in the first position of a puzzle.
const LEAST_LEGAL: usize = 5;
/// The longest solution, in plies.
const MOST_PLIES: usize = 15;

/// A puzzle's theme and solution.
pub(super) struct Solved {
    pub(super) theme: PuzzleTheme,
    pub(super) solution: Vec<LineMove>,
    pub(super) legal: usize,
    pub(super) tries: usize,
}

/// The solution of a position whose count is resolved, if it is a puzzle.
pub(super) fn solve<S: ValueSource>(prober: &Prober<S>, root: &Fen) -> Result<Option<Solved>, ProbeError> {
    let moves = prober.moves(root)?;
    let Some(&first) = moves.first() else { return Ok(None) };
    let keeps = match first.category {
        Category::Win => |category: Category| category == Category::Win,
        // A draw that the count gives: without the count the position is lost.
        Category::BlessedLoss => Category::is_drawn,
        _ => return Ok(None),
    };
    let is_only = moves.len() >= LEAST_LEGAL && moves.iter().filter(|mv| keeps(mv.category)).count() == 1;
    if !is_only {
        return Ok(None);
    }
    let theme = match first.category {
        Category::Win => theme_of_win(&moves),
        _ => theme_of_save(prober, root, first)?,
    };
    let takes = root.position.captured(first.mv).is_some();
    // A capture that keeps the result is not a puzzle, unless it promotes or gives a man away.
    if takes && matches!(theme, PuzzleTheme::Win | PuzzleTheme::Save) {
        return Ok(None);
    }
    let solution = line(prober, root, theme, first, keeps)?;
    if solution.len().div_ceil(2) < theme.least_moves() {
        return Ok(None);
    }
    let natural = |mv: &&RankedMove| !keeps(mv.category) && is_natural(&root.position, mv.mv);
    let tries = moves.iter().filter(natural).count();
    Ok(Some(Solved { theme, solution, legal: moves.len(), tries }))
}

fn theme_of_win(moves: &[RankedMove]) -> PuzzleTheme {
    let spoils = |is_of_class: fn(&RankedMove) -> bool| {
        moves.iter().any(|mv| is_of_class(mv) && mv.category != Category::Win && mv.category >= Category::Draw)
    };
    if moves[0].mv.promotion {
        PuzzleTheme::Promote
    } else if spoils(|mv| mv.mv.promotion) {
        PuzzleTheme::Wait
    } else if spoils(|mv| mv.capture) {
        PuzzleTheme::Refuse
    } else {
        PuzzleTheme::Win
    }
}

fn theme_of_save<S: ValueSource>(prober: &Prober<S>, root: &Fen, first: RankedMove) -> Result<PuzzleTheme, ProbeError> {
    let given = prober.sacrifice(root, first.mv)?;
    Ok(match given.map(|given| given.kind) {
        Some(SacrificeKind::Offer) => PuzzleTheme::Give,
        _ => PuzzleTheme::Save,
    })
}

/// The solution: it ends with the solver's last move that has no equal.
fn line<S: ValueSource>(
    prober: &Prober<S>,
    root: &Fen,
    theme: PuzzleTheme,
    first: RankedMove,
    keeps: fn(Category) -> bool,
) -> Result<Vec<LineMove>, ProbeError> {
    let (mut solution, mut only) = (Vec::new(), first);
    let mut now = push(prober, &mut solution, root, first);
    loop {
        // With the conversion a new count begins, and a new task.
        let is_over = now.count.is_some_and(|count| count.is_expired()) || only.begins_count;
        if is_over || solution.len() + 2 > MOST_PLIES {
            return Ok(solution);
        }
        let replies = prober.moves(&now)?;
        let reply = if theme.is_win() { replies.first().copied() } else { hardest(prober, &now, &replies)? };
        let Some(reply) = reply else { return Ok(solution) };
        let after = now.play(prober.rules(), reply.mv);
        // A man that is taken was given; what follows is another ending.
        if !theme.is_win() && reply.begins_count {
            return Ok(solution);
        }
        let moves = prober.moves(&after)?;
        let mut keeping = moves.iter().filter(|mv| keeps(mv.category));
        let (Some(&next), None, true) = (keeping.next(), keeping.next(), moves.len() > 1) else { return Ok(solution) };
        let kept = solution.len();
        now = push(prober, &mut solution, &now, reply);
        now = push(prober, &mut solution, &now, next);
        only = next;
        if is_repeated(root, &solution) || is_repeated(root, &solution[..kept + 1]) {
            solution.truncate(kept);
            return Ok(solution);
        }
    }
}

/// Appends a move to a solution; returns the position after it.
fn push<S: ValueSource>(prober: &Prober<S>, solution: &mut Vec<LineMove>, now: &Fen, mv: RankedMove) -> Fen {
    let made = LineMove::new(prober.rules(), now, mv);
    let after = made.after.clone();
    solution.push(made);
    after
}

/// Whether the last position of a solution is a repetition.
fn is_repeated(root: &Fen, solution: &[LineMove]) -> bool {
    let Some((last, before)) = solution.split_last() else { return false };
    let position = &last.after.position;
    root.position == *position || before.iter().any(|mv| mv.after.position == *position)
}

/// The attacker's move, of those that keep the result, after which the fewest moves draw; of several the one ranked
/// first.
fn hardest<S: ValueSource>(
    prober: &Prober<S>,
    now: &Fen,
    replies: &[RankedMove],
) -> Result<Option<RankedMove>, ProbeError> {
    let Some(first) = replies.first() else { return Ok(None) };
    let mut hardest: Option<(usize, RankedMove)> = None;
    for &mv in replies.iter().filter(|mv| mv.category == first.category) {
        let answers = prober.moves(&now.play(prober.rules(), mv.mv))?;
        let drawing = answers.iter().filter(|mv| mv.category.is_drawn()).count();
        if hardest.is_none_or(|(fewest, _)| drawing < fewest) {
            hardest = Some((drawing, mv));
        }
    }
    Ok(hardest.map(|(_, mv)| mv))
}

/// Whether a move is natural: a capture, a check, or a man's flight from an attack.
pub(super) fn is_natural(position: &Position, mv: Move) -> bool {
    let attacked = !position.board().attackers(mv.from, !position.turn()).is_empty();
    let flees = attacked && position.king(position.turn()) != mv.from;
    position.captured(mv).is_some() || flees || position.play(mv).is_check()
}
