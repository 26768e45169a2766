//! Probes of open tables.

use std::ffi::c_char;

use makruk_tables::material::Material;
use makruk_tables::rules::{Count, Fen, MAX_MOVES};
use makruk_tables::value::{Metric, Value};
use prober::{Category, Policy, ProbeError, RankedMove, Verdict};

use crate::guard::{guarded, write_text};
use crate::position::{MakrukPosition, string};
use crate::result::{
    MAKRUK_BAD_ARGUMENT, MAKRUK_CORRUPT_TABLE, MAKRUK_COUNT_UNDECIDED, MAKRUK_MISSING_TABLE, MAKRUK_NO_MOVE,
    MAKRUK_NOT_COVERED, MAKRUK_OK, category, failure,
};
use crate::tables::MakrukTables;

/// The distance of a draw.
pub const MAKRUK_NO_DISTANCE: i32 = -32768;
/// The upper bound on the number of legal moves.
pub const MAKRUK_MAX_MOVES: usize = 128;

const _: () = assert!(MAKRUK_MAX_MOVES >= MAX_MOVES);

/// The verdict on a position, from the side to move. Distances are signed plies: positive wins, negative loses, 0 is mated.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct MakrukVerdict {
    /// MAKRUK_LOSS to MAKRUK_WIN, under the count.
    pub category: i32,
    /// Plies to mate without a count, or MAKRUK_NO_DISTANCE.
    pub dtm: i32,
    /// Plies to the conversion, which settles the count (mate, or a capture that bares the loser's king with enough moves
    /// left), or MAKRUK_NO_DISTANCE. With a bare king the same as dtm.
    pub dtz: i32,
    /// The limit of the count that the verdict uses, in plies; 0 if the rules have none. That count is the one given or,
    /// without, the one that begins with the defender's next move.
    pub limit: u32,
    /// The plies on the clock of that count.
    pub ply: u32,
    /// The winner's moves left under that count; -1 if neither side wins.
    pub attacker_moves_left: i32,
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
    /// 1 if it bares an opponent who had a piece left.
    pub zeroing: u8,
    /// The move in UCI notation, with a null at its end.
    pub uci: [c_char; 8],
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
    /// the longest dtm, a loss by the longest dtz and then dtm.
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
            checkmate: u8::from(verdict.checkmate),
            stalemate: u8::from(verdict.stalemate),
        }
    }
}

impl MakrukMove {
    fn of(ranked: &RankedMove) -> MakrukMove {
        let (limit, ply) = count(ranked.count);
        let mut uci = [0; 8];
        for (place, byte) in uci.iter_mut().zip(ranked.mv.to_string().bytes().take(7)) {
            *place = byte as c_char;
        }
        MakrukMove {
            category: category(ranked.category),
            dtm: plies(ranked.dtm),
            dtz: plies(ranked.dtz),
            limit,
            ply,
            from: ranked.mv.from.number(),
            to: ranked.mv.to.number(),
            capture: u8::from(ranked.capture),
            zeroing: u8::from(ranked.bares_king),
            uci,
        }
    }
}

impl MakrukTables {
    /// The category of a position. It allocates only if a table turns out to be damaged, or one of a material that a capture
    /// leads to is missing.
    fn category(&self, fen: &Fen) -> Result<i32, i32> {
        let material = Material::of(fen.position.board()).map_err(|_| MAKRUK_NOT_COVERED)?.material;
        let failed = |error| failure(&error);
        if material == Material::BARE_KINGS {
            return Ok(category(Category::Draw));
        }
        let stock = self.stock(material)?;
        if stock.wdl && stock.dtz {
            return self.prober.category(fen).map(category).map_err(failed);
        }
        if stock.wdl {
            return self.prober.wdl_category(fen).map_err(failed)?.map(category).ok_or(MAKRUK_COUNT_UNDECIDED);
        }
        if stock.dtz {
            return self.prober.probe(fen).map(|verdict| category(verdict.category)).map_err(failed);
        }
        if stock.corrupt {
            return Err(MAKRUK_CORRUPT_TABLE);
        }
        if !stock.dtm {
            return Err(MAKRUK_MISSING_TABLE);
        }
        match self.prober.value(&fen.position, Metric::Dtm).map_err(failed)? {
            Value::Draw => Ok(category(Category::Draw)),
            Value::Loss(0) => Ok(category(Category::Loss)),
            _ => Err(MAKRUK_COUNT_UNDECIDED),
        }
    }

    /// The failure of a probe, in terms of the category if that fails too.
    fn failed(&self, fen: &Fen, error: &ProbeError) -> i32 {
        self.category(fen).err().unwrap_or_else(|| failure(error))
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

/// The category of a position under its count: the probe for a search. It allocates no memory and takes no lock.
///
/// Returns MAKRUK_LOSS to MAKRUK_WIN, or MAKRUK_MISSING_TABLE, MAKRUK_COUNT_UNDECIDED, MAKRUK_NOT_COVERED,
/// MAKRUK_ILLEGAL_POSITION, MAKRUK_BAD_COUNT, MAKRUK_CORRUPT_TABLE or MAKRUK_BAD_ARGUMENT.
///
/// # Safety
///
/// `tables` is NULL or comes from makruk_init(), `position` is NULL or a position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn makruk_probe_category(tables: *const MakrukTables, position: *const MakrukPosition) -> i32 {
    guarded(|| {
        // SAFETY: as the caller has promised.
        let (tables, fen) = unsafe { asked(tables, position)? };
        tables.category(&fen)
    })
}

/// The whole verdict on a position: category, distances and count.
///
/// Returns MAKRUK_OK or a failure of makruk_probe_category(). *verdict is written only on success.
///
/// # Safety
///
/// `tables` is NULL or comes from makruk_init(), `position` is NULL or a position, `verdict` NULL or a place for one.
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
/// loser holds out the longest. For drawn positions see makruk_best_move().
///
/// Returns MAKRUK_OK or a failure of makruk_probe_category(), also for the materials that captures lead to. *root is written
/// only on success. A mated or stalemated root has no moves.
///
/// # Safety
///
/// `tables` is NULL or comes from makruk_init(), `position` is NULL or a position, `root` NULL or a place for one.
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
        for (place, ranked) in found.moves.iter_mut().zip(ranked) {
            *place = MakrukMove::of(ranked);
        }
        // SAFETY: it is not null, and the caller has promised that a root can be written there.
        unsafe { root.write(found) };
        Ok(MAKRUK_OK)
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
/// `tables` is NULL or comes from makruk_init(), `position` is NULL or a position, `policy` NULL or a string, `move` NULL or a
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
            let name = unsafe { string(policy) }.map_err(|_| MAKRUK_BAD_ARGUMENT)?;
            Policy::from_name(name).ok_or(MAKRUK_BAD_ARGUMENT)?
        };
        let chosen = tables.prober.play(&fen, policy).map_err(|error| tables.failed(&fen, &error))?;
        let chosen = chosen.ok_or(MAKRUK_NO_MOVE)?;
        if r#move.is_null() {
            return Err(MAKRUK_BAD_ARGUMENT);
        }
        // SAFETY: it is not null, and the caller has promised that a move can be written there.
        unsafe { r#move.write(MakrukMove::of(&chosen)) };
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
/// `tables` is NULL or comes from makruk_init(), `position` is NULL or a position, `buffer` NULL or room for `size` bytes.
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
