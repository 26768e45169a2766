//! The results of functions.

use std::ffi::{CStr, c_char};

use prober::{Category, ProbeError, Reason, TableError};

/// Lost, also under the count. Categories are seen by the side to move, or by the side that makes a move.
pub const MAKRUK_LOSS: i32 = 1;
/// Lost without the count, drawn by it.
pub const MAKRUK_BLESSED_LOSS: i32 = 2;
/// Drawn: neither side forces mate.
pub const MAKRUK_DRAW: i32 = 3;
/// Won without the count, drawn by it.
pub const MAKRUK_CURSED_WIN: i32 = 4;
/// Won, also under the count.
pub const MAKRUK_WIN: i32 = 5;

/// Success, for functions that return no category and no number.
pub const MAKRUK_OK: i32 = 0;
/// The table of the position, or of a position that a capture or promotion leads to, is not there.
pub const MAKRUK_MISSING_TABLE: i32 = -1;
/// The category depends on the distance, and the table that has it (`.dtz`; without pawns against a bare king `.dtm`) is
/// not there.
pub const MAKRUK_COUNT_UNDECIDED: i32 = -2;
/// No table can have such a position: it has more than seven men.
pub const MAKRUK_NOT_COVERED: i32 = -3;
/// The position breaks the rules: bitboards that contradict each other, touching kings, the side not to move in check, a pawn
/// outside the third to the fifth rank from its side, more men than a side can have.
pub const MAKRUK_ILLEGAL_POSITION: i32 = -4;
/// The count's limit or ply is above 9999.
pub const MAKRUK_BAD_COUNT: i32 = -5;
/// The table is damaged. Other tables are not affected.
pub const MAKRUK_CORRUPT_TABLE: i32 = -6;
/// The text is not a FEN.
pub const MAKRUK_BAD_FEN: i32 = -7;
/// The move is not legal, or there is none to make.
pub const MAKRUK_NO_MOVE: i32 = -8;
/// A null pointer, a text that is not UTF-8, or a name or number without a meaning.
pub const MAKRUK_BAD_ARGUMENT: i32 = -9;
/// There are no tables in any of the folders.
pub const MAKRUK_NO_TABLES: i32 = -10;
/// An error in this library.
pub const MAKRUK_INTERNAL_ERROR: i32 = -11;
/// The answer is not in memory, and MAKRUK_IN_MEMORY was asked for.
pub const MAKRUK_NOT_IN_MEMORY: i32 = -12;
/// The table is there, but the system cannot read it.
pub const MAKRUK_UNREADABLE_TABLE: i32 = -13;
/// The table has another version of the format, or other counting rules.
pub const MAKRUK_UNSUPPORTED_TABLE: i32 = -14;
/// The progress function has asked to stop.
pub const MAKRUK_STOPPED: i32 = -15;
/// Memory is exhausted. No function returns it here; the reader in one file does.
pub const MAKRUK_OUT_OF_MEMORY: i32 = -16;

pub(crate) const fn category(category: Category) -> i32 {
    match category {
        Category::Loss => MAKRUK_LOSS,
        Category::BlessedLoss => MAKRUK_BLESSED_LOSS,
        Category::Draw => MAKRUK_DRAW,
        Category::CursedWin => MAKRUK_CURSED_WIN,
        Category::Win => MAKRUK_WIN,
    }
}

pub(crate) const fn failure(error: &ProbeError) -> i32 {
    if let ProbeError::Table(error) = error {
        return table_failure(error);
    }
    match error.reason() {
        Reason::BadFen => MAKRUK_BAD_FEN,
        Reason::IllegalPosition => MAKRUK_ILLEGAL_POSITION,
        Reason::TooManyMen => MAKRUK_NOT_COVERED,
        Reason::BadCount => MAKRUK_BAD_COUNT,
        Reason::MissingTable => MAKRUK_MISSING_TABLE,
        Reason::UnreadableTable => MAKRUK_UNREADABLE_TABLE,
        Reason::CorruptTable => MAKRUK_CORRUPT_TABLE,
    }
}

pub(crate) const fn table_failure(error: &TableError) -> i32 {
    match error {
        TableError::TooManyMen(_) => MAKRUK_NOT_COVERED,
        TableError::Missing { .. } => MAKRUK_MISSING_TABLE,
        TableError::Unreadable { .. } => MAKRUK_UNREADABLE_TABLE,
        TableError::Unsupported { .. } => MAKRUK_UNSUPPORTED_TABLE,
        TableError::Corrupt { .. } => MAKRUK_CORRUPT_TABLE,
    }
}

const NAMES: [(i32, &CStr); 22] = [
    (MAKRUK_OK, c"ok"),
    (MAKRUK_LOSS, c"loss"),
    (MAKRUK_BLESSED_LOSS, c"blessed-loss"),
    (MAKRUK_DRAW, c"draw"),
    (MAKRUK_CURSED_WIN, c"cursed-win"),
    (MAKRUK_WIN, c"win"),
    (MAKRUK_MISSING_TABLE, c"missing table"),
    (MAKRUK_COUNT_UNDECIDED, c"count undecided"),
    (MAKRUK_NOT_COVERED, c"not covered"),
    (MAKRUK_ILLEGAL_POSITION, c"illegal position"),
    (MAKRUK_BAD_COUNT, c"bad count"),
    (MAKRUK_CORRUPT_TABLE, c"corrupt table"),
    (MAKRUK_BAD_FEN, c"bad FEN"),
    (MAKRUK_NO_MOVE, c"no move"),
    (MAKRUK_BAD_ARGUMENT, c"bad argument"),
    (MAKRUK_NO_TABLES, c"no tables"),
    (MAKRUK_INTERNAL_ERROR, c"internal error"),
    (MAKRUK_NOT_IN_MEMORY, c"not in memory"),
    (MAKRUK_UNREADABLE_TABLE, c"unreadable table"),
    (MAKRUK_UNSUPPORTED_TABLE, c"unsupported table"),
    (MAKRUK_STOPPED, c"stopped"),
    (MAKRUK_OUT_OF_MEMORY, c"out of memory"),
];

/// The name of a result: "ok", a category, or a failure in two or three words; "unknown" for any other number. The text
/// lives as long as the program.
#[unsafe(no_mangle)]
pub extern "C" fn makruk_result_name(result: i32) -> *const c_char {
    let name = NAMES.iter().find(|(named, _)| *named == result).map(|(_, name)| name);
    name.map_or(c"unknown", |name| name).as_ptr()
}
