//! Probes of open tables.

use std::ffi::c_char;

use makruk_tables::rules::{Count, Fen, MAX_MOVES, Move, Position};
use makruk_tables::value::Value;
use prober::{CountBounds, Policy, RankedMove, Verdict, judge};

use crate::guard::{guarded, write_text};
use crate::position::{MakrukPosition, string};
use crate::result::{MAKRUK_BAD_ARGUMENT, MAKRUK_NO_MOVE, MAKRUK_OK, category};
use crate::tables::MakrukTables;

/// The distance of a draw.
pub const MAKRUK_NO_DISTANCE: i32 = -32768;
/// The upper bound on the number of legal moves.
pub const MAKRUK_MAX_MOVES: usize = 128;
/// The bound of a category that holds for every count on one side.
pub const MAKRUK_ANY_COUNT: i32 = 32767;
/// For makruk_probe_search(): the answer only if no byte of a file has to be read for the first time.
pub const MAKRUK_IN_MEMORY: u32 = 4;
/// For makruk_probe_search(): the answer only if the search table or the WDL table decides it; otherwise
/// MAKRUK_COUNT_UNDECIDED. The distances are not read.
pub const MAKRUK_SEARCH_ONLY: u32 = 8;

const _: () = assert!(MAKRUK_MAX_MOVES >= MAX_MOVES);

/// The counts for which a category holds: those with holds_from <= limit - ply <= holds_to. A bound of -MAKRUK_ANY_COUNT or
/// MAKRUK_ANY_COUNT is none.
///
/// limit and ply are those of a count that runs. The limit 0 of a position whose count has not begun says nothing about the plies
/// left: a hash table must not be asked for 0 - ply. Take the limit and the ply of the count that begins, which makruk_probe()
/// gives in MakrukVerdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct MakrukBounds {
    /// The fewest plies left.
    pub holds_from: i32,
    /// The most plies left.
    pub holds_to: i32,
}

impl MakrukBounds {
    fn of(bounds: CountBounds) -> MakrukBounds {
        MakrukBounds {
            holds_from: bounds.fewest.unwrap_or(-MAKRUK_ANY_COUNT),
            holds_to: bounds.most.unwrap_or(MAKRUK_ANY_COUNT),
        }
    }
}

/// The verdict on a position, from the side to move. Distances are signed plies: positive wins, negative loses, 0 is mated.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct MakrukVerdict {
    /// MAKRUK_LOSS to MAKRUK_WIN, under the count.
    pub category: i32,
    /// Plies to mate without a count, or MAKRUK_NO_DISTANCE.
    pub dtm: i32,
    /// Plies to the conversion, which settles the count (mate; a capture that bares the loser's king with enough moves left;
    /// with pawns on the board the winner's move that ends the last one, with enough moves left), or MAKRUK_NO_DISTANCE. With
    /// a bare king and no pawn the same as dtm.
    pub dtz: i32,
    /// The limit of the count that the verdict uses, in plies; 0 if there is none, as with pawns on the board. That count is
    /// the one given or, without, the one that begins with the defender's next move.
    pub limit: u32,
    /// The plies on the clock of that count.
    pub ply: u32,
    /// The winner's moves left under that count; -1 if neither side wins or there is no count.
    pub attacker_moves_left: i32,
    /// Those less the moves to the conversion: negative if the winner is short of moves; MAKRUK_NO_DISTANCE if there is no
    /// conversion or no count.
    pub slack: i32,
    /// The counts for which the category holds.
    pub bounds: MakrukBounds,
    /// 1 if the side to move is mated; the category is MAKRUK_DRAW if the count had drawn the game before.
    pub checkmate: u8,
    /// 1 if it is stalemated.
    pub stalemate: u8,
}

/// A legal move and its verdict, from the side that makes it, the move itself included: a mating move has dtm 1.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct MakrukMove {
    /// MAKRUK_LOSS to MAKRUK_WIN, under the root's count carried on.
    pub category: i32,
    /// Plies to mate without a count, or MAKRUK_NO_DISTANCE.
    pub dtm: i32,
    /// Plies to the conversion, or MAKRUK_NO_DISTANCE.
    pub dtz: i32,
    /// 0 for the best moves; moves of equal rank are equally good.
    pub rank: u32,
    /// The winner's moves left after the move less those to the conversion, or MAKRUK_NO_DISTANCE.
    pub slack: i32,
    /// The limit of the count after the move, in plies; 0 if none runs.
    pub limit: u32,
    /// The plies on the clock of that count.
    pub ply: u32,
    /// The square left, 0 (a1) to 63 (h8).
    pub from: u8,
    /// The square reached.
    pub to: u8,
    /// 1 if it takes a man.
    pub capture: u8,
    /// 1 if it bares an opponent who had a man left.
    pub bares_king: u8,
    /// 1 if a pawn becomes a met.
    pub promotion: u8,
    /// The move in UCI notation, with a null at its end: "e2e3", with a promotion "e5e6m".
    pub uci: [c_char; 7],
}

/// A root: its verdict, and its legal moves, best first.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MakrukRoot {
    /// The verdict.
    pub verdict: MakrukVerdict,
    /// The number of moves.
    pub count: u32,
    /// The moves. Best first: a win by the shortest dtz and then dtm, a cursed win by the shortest dtm, a draw, a blessed loss by
    /// the longest dtm, a loss by the longest dtz and then dtm. Equals have one rank and are ordered by their UCI notation.
    pub moves: [MakrukMove; MAKRUK_MAX_MOVES],
}

fn plies(value: Value) -> i32 {
    value.signed_plies().map_or(MAKRUK_NO_DISTANCE, |plies| plies)
}

fn count(count: Option<Count>) -> (u32, u32) {
    count.map_or((0, 0), |count| (count.limit(), count.ply()))
}

impl MakrukVerdict {
    fn of(verdict: &Verdict) -> MakrukVerdict {
        let (limit, ply) = count(verdict.count.running);
        MakrukVerdict {
            category: category(verdict.category),
            dtm: plies(verdict.dtm),
            dtz: plies(verdict.dtz),
            limit,
            ply,
            attacker_moves_left: verdict.count.attacker_moves_left.map_or(-1, |left| left as i32),
            slack: judge::slack(verdict.dtz, verdict.count.attacker_moves_left).unwrap_or(MAKRUK_NO_DISTANCE),
            bounds: MakrukBounds::of(
                verdict
                    .count
                    .running
                    .map_or(CountBounds::default(), |_| CountBounds::of(verdict.distances(), verdict.category)),
            ),
            checkmate: u8::from(verdict.checkmate),
            stalemate: u8::from(verdict.stalemate),
        }
    }
}

impl MakrukMove {
    /// A move's squares and count.
    pub(crate) fn without_verdict(before: &Position, mv: Move, after: Option<Count>) -> MakrukMove {
        let (limit, ply) = count(after);
        let captured = before.captured(mv).is_some();
        let mut uci = [0; 7];
        for (place, byte) in uci.iter_mut().zip(mv.to_string().bytes().take(6)) {
            *place = byte as c_char;
        }
        MakrukMove {
            limit,
            ply,
            from: mv.from.number(),
            to: mv.to.number(),
            capture: u8::from(captured),
            bares_king: u8::from(captured && before.play(mv).board().is_bare(!before.turn())),
            promotion: u8::from(mv.promotion),
            uci,
            ..MakrukMove::default()
        }
    }

    fn of(ranked: &RankedMove, before: &Position, rank: u32) -> MakrukMove {
        MakrukMove {
            category: category(ranked.category),
            dtm: plies(ranked.dtm),
            dtz: plies(ranked.dtz),
            rank,
            slack: ranked.slack().unwrap_or(MAKRUK_NO_DISTANCE),
            ..MakrukMove::without_verdict(before, ranked.mv, ranked.count)
        }
    }
}

/// Tables and a position of the caller.
///
/// # Safety
///
/// Both are null or valid.
unsafe fn asked<'a>(
    tables: *const MakrukTables,
    position: *const MakrukPosition,
) -> Result<(&'a MakrukTables, Fen), i32> {
    // SAFETY: null or open tables, as the caller has promised.
    let tables = unsafe { tables.as_ref() }.ok_or(MAKRUK_BAD_ARGUMENT)?;
    // SAFETY: null or a position, as the caller has promised.
    let fen = unsafe { position.as_ref() }.ok_or(MAKRUK_BAD_ARGUMENT)?.read()?;
    Ok((tables, fen))
}

/// The category of a position under its count: the probe for a search. It trusts its caller that the position is legal; the
/// answer of another position has no meaning. flags are MAKRUK_IN_MEMORY and MAKRUK_SEARCH_ONLY. bounds may be NULL. It allocates no memory and
/// takes no lock.
///
/// Returns MAKRUK_LOSS to MAKRUK_WIN, or MAKRUK_MISSING_TABLE, MAKRUK_COUNT_UNDECIDED, MAKRUK_NOT_COVERED,
/// MAKRUK_ILLEGAL_POSITION, MAKRUK_BAD_COUNT, MAKRUK_CORRUPT_TABLE, MAKRUK_UNREADABLE_TABLE, MAKRUK_NOT_IN_MEMORY or
/// MAKRUK_BAD_ARGUMENT.
///
/// # Safety
///
/// `tables` is NULL or comes from makruk_open(), `position` is NULL or a position, `bounds` NULL or a place for bounds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn makruk_probe_search(
    tables: *const MakrukTables,
    position: *const MakrukPosition,
    flags: u32,
    bounds: *mut MakrukBounds,
) -> i32 {
    guarded(|| {
        // SAFETY: null, or open tables, as the caller has promised.
        let tables = unsafe { tables.as_ref() }.ok_or(MAKRUK_BAD_ARGUMENT)?;
        // SAFETY: null or a position, as the caller has promised.
        let fen = unsafe { position.as_ref() }.ok_or(MAKRUK_BAD_ARGUMENT)?.trusted()?;
        if flags & !(MAKRUK_IN_MEMORY | MAKRUK_SEARCH_ONLY) != 0 {
            return Err(MAKRUK_BAD_ARGUMENT);
        }
        let (found, holds) = tables.category(&fen, flags)?;
        if !bounds.is_null() {
            // SAFETY: it is not null, and the caller has promised that bounds can be written there.
            unsafe { bounds.write(MakrukBounds::of(holds)) };
        }
        Ok(category(found))
    })
}

/// As makruk_probe_search(), of any position: MAKRUK_ILLEGAL_POSITION or MAKRUK_BAD_COUNT if it breaks the rules.
///
/// # Safety
///
/// `tables` is NULL or comes from makruk_open(), `position` is NULL or a position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn makruk_probe_category(tables: *const MakrukTables, position: *const MakrukPosition) -> i32 {
    guarded(|| {
        // SAFETY: as the caller has promised.
        let (tables, fen) = unsafe { asked(tables, position)? };
        tables.category(&fen, 0).map(|(found, _)| category(found))
    })
}

/// The whole verdict on a position: category, distances and count.
///
/// Returns MAKRUK_OK or a failure of makruk_probe_category(). *verdict is written only on success.
///
/// # Safety
///
/// `tables` is NULL or comes from makruk_open(), `position` is NULL or a position, `verdict` NULL or a place for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn makruk_probe(
    tables: *const MakrukTables,
    position: *const MakrukPosition,
    verdict: *mut MakrukVerdict,
) -> i32 {
    guarded(|| {
        // SAFETY: as the caller has promised.
        let (tables, fen) = unsafe { asked(tables, position)? };
        let found = tables.prober.probe(&fen).map_err(|error| tables.failed(&fen, &error))?;
        if verdict.is_null() {
            return Err(MAKRUK_BAD_ARGUMENT);
        }
        // SAFETY: it is not null, and the caller has promised that a verdict can be written there.
        unsafe { verdict.write(MakrukVerdict::of(&found)) };
        Ok(MAKRUK_OK)
    })
}

/// A root with its legal moves, best first. Following the first move is perfect play: the winner mates within the count, the
/// loser holds out the longest. An engine that prefers to choose calls makruk_root_keep_category(); in a won
/// position it may keep only the moves with enough slack. For drawn positions see makruk_best_move().
///
/// Returns MAKRUK_OK or a failure of makruk_probe_category(), also for the materials that captures and promotions lead to. *root is written
/// only on success. A mated or stalemated root has no moves.
///
/// # Safety
///
/// `tables` is NULL or comes from makruk_open(), `position` is NULL or a position, `root` NULL or a place for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn makruk_probe_root(
    tables: *const MakrukTables,
    position: *const MakrukPosition,
    root: *mut MakrukRoot,
) -> i32 {
    guarded(|| {
        // SAFETY: as the caller has promised.
        let (tables, fen) = unsafe { asked(tables, position)? };
        let failed = |error| tables.failed(&fen, &error);
        let analysis = tables.prober.analysis(&fen).map_err(failed)?;
        let ranked = analysis.moves().map_err(failed)?;
        if root.is_null() {
            return Err(MAKRUK_BAD_ARGUMENT);
        }
        let mut found = MakrukRoot {
            verdict: MakrukVerdict::of(analysis.verdict()),
            count: ranked.len() as u32,
            moves: [MakrukMove::default(); MAKRUK_MAX_MOVES],
        };
        let mut rank = 0;
        let pairs = ranked.iter().zip(std::iter::once(None).chain(ranked.iter().map(Some)));
        for (place, (ranked, better)) in found.moves.iter_mut().zip(pairs) {
            rank += u32::from(better.is_some_and(|better| !better.is_as_good_as(ranked)));
            *place = MakrukMove::of(ranked, &fen.position, rank);
        }
        // SAFETY: it is not null, and the caller has promised that a root can be written there.
        unsafe { root.write(found) };
        Ok(MAKRUK_OK)
    })
}

/// Keeps the moves of a root that have the category of the best one, and removes the others: the moves among which an engine's
/// own search may choose. Returns the number of moves left, or MAKRUK_BAD_ARGUMENT.
///
/// # Safety
///
/// `root` is NULL or a root that may be changed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn makruk_root_keep_category(root: *mut MakrukRoot) -> i32 {
    guarded(|| {
        // SAFETY: null or a root that nobody else uses meanwhile, as the caller has promised.
        let root = unsafe { root.as_mut() }.ok_or(MAKRUK_BAD_ARGUMENT)?;
        let moves = root.moves.get(..root.count as usize).ok_or(MAKRUK_BAD_ARGUMENT)?;
        // The order goes by category first.
        let kept = moves.iter().take_while(|mv| mv.category == moves[0].category).count();
        root.count = kept as u32;
        Ok(kept as i32)
    })
}

/// The move that a perfect player makes. `policy` is its choice among moves that keep the category of the position:
/// "safest" (the first of makruk_probe_root()), "fastest" (the winner mates soonest, whatever the count), "stubborn" (the loser
/// puts off mate the longest, whatever the count) or "tricky" (the loser, and either side in a draw, leaves the opponent the
/// smallest share of replies that keep the result). NULL is "safest".
///
/// Returns MAKRUK_OK, MAKRUK_NO_MOVE if the game is over (mate, stalemate, a count that has run out), or as
/// makruk_probe_root().
///
/// # Safety
///
/// `tables` is NULL or comes from makruk_open(), `position` is NULL or a position, `policy` NULL or a string, `move` NULL or a
/// place for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn makruk_best_move(
    tables: *const MakrukTables,
    position: *const MakrukPosition,
    policy: *const c_char,
    r#move: *mut MakrukMove,
) -> i32 {
    guarded(|| {
        // SAFETY: as the caller has promised.
        let (tables, fen) = unsafe { asked(tables, position)? };
        let policy = if policy.is_null() {
            Policy::Safest
        } else {
            // SAFETY: it is not null, and the caller has promised a string.
            let name = unsafe { string(policy)? }.to_str().map_err(|_| MAKRUK_BAD_ARGUMENT)?;
            Policy::from_name(name).ok_or(MAKRUK_BAD_ARGUMENT)?
        };
        let chosen = tables.prober.play(&fen, policy).map_err(|error| tables.failed(&fen, &error))?;
        let chosen = chosen.ok_or(MAKRUK_NO_MOVE)?;
        if r#move.is_null() {
            return Err(MAKRUK_BAD_ARGUMENT);
        }
        // SAFETY: it is not null, and the caller has promised that a move can be written there.
        unsafe { r#move.write(MakrukMove::of(&chosen, &fen.position, 0)) };
        Ok(MAKRUK_OK)
    })
}

/// Explains why the probe of a position fails, in a sentence that names the table that is missing or damaged; an empty text if
/// the probe succeeds. The text is cut off if the buffer is too small.
///
/// Returns the length of the sentence without the null at its end, or a negative result if the position is not legal.
///
/// # Safety
///
/// `tables` is NULL or comes from makruk_open(), `position` is NULL or a position, `buffer` NULL or room for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn makruk_explain(
    tables: *const MakrukTables,
    position: *const MakrukPosition,
    buffer: *mut c_char,
    size: usize,
) -> i32 {
    guarded(|| {
        // SAFETY: as the caller has promised.
        let (tables, fen) = unsafe { asked(tables, position)? };
        let text = match tables.prober.probe(&fen) {
            Ok(_) => String::new(),
            Err(error) => error.to_string(),
        };
        // SAFETY: null or room, as the caller has promised.
        Ok(unsafe { write_text(&text, buffer, size) })
    })
}
