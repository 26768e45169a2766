//! The legal moves of a position, without tables.

use makruk_tables::rules::CountingRules;

use crate::guard::guarded;
use crate::position::{MakrukPosition, resolved};
use crate::probe::{MAKRUK_MAX_MOVES, MakrukMove};
use crate::result::MAKRUK_BAD_ARGUMENT;

/// The positions after the legal moves of a position, ordered by the moves' UCI notation; their counts are carried on. moves
/// and after are arrays of MAKRUK_MAX_MOVES, either may be NULL. In moves, the fields of verdicts are 0.
///
/// Returns the number of moves, or a failure of the position.
///
/// # Safety
///
/// `position` is NULL or a position, `moves` and `after` are NULL or have room for MAKRUK_MAX_MOVES.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn makruk_legal_moves(
    position: *const MakrukPosition,
    moves: *mut MakrukMove,
    after: *mut MakrukPosition,
) -> i32 {
    guarded(|| {
        // SAFETY: null or a position, as the caller has promised.
        let fen = unsafe { position.as_ref() }.ok_or(MAKRUK_BAD_ARGUMENT)?.read()?;
        let root = resolved(fen);
        let mut legal = root.position.legal_moves();
        legal.sort_unstable_by_key(|mv| mv.uci_order());
        for (at, &mv) in legal.iter().enumerate().take(MAKRUK_MAX_MOVES) {
            let reached = root.play(&CountingRules::MAKRUK, mv);
            // SAFETY: not null, with room for MAKRUK_MAX_MOVES, as the caller has promised.
            unsafe {
                if !moves.is_null() {
                    moves.add(at).write(MakrukMove::without_verdict(&root.position, mv, reached.count));
                }
                if !after.is_null() {
                    after.add(at).write(MakrukPosition::of(&reached));
                }
            }
        }
        Ok(legal.len() as i32)
    })
}
