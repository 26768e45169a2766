//! The promises of the interface: no allocation in the search, distinct results, and an error for every argument that C can pass.
#![allow(clippy::unwrap_used)]

mod search;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ffi::{CStr, CString};
use std::path::Path;

use fastrand::Rng;
use makruk_tables::format::TableFolder;
use makruk_tables::material::Material;
use makruk_tables::rules::{Board, Color, Piece, Role, Square};

use crate::*;

/// The system's allocator, which counts the requests of this thread.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: everything is passed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: as the caller has promised.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as the caller has promised.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A folder with the tables of KRvKS, KRvK and KSvK.
fn folder() -> tempfile::TempDir {
    let materials = test_tables::materials(&["KRvKS"]);
    test_tables::own(&test_tables::usual(materials.clone()), materials)
}

fn open(folder: &Path) -> Result<*mut MakrukTables, i32> {
    let list = CString::new(folder.to_str().unwrap()).unwrap();
    let mut tables = std::ptr::null_mut();
    // SAFETY: a string and a place for a pointer.
    let result = unsafe { makruk_open(list.as_ptr(), 0, 0, &mut tables, std::ptr::null_mut(), 0) };
    if result == MAKRUK_OK { Ok(tables) } else { Err(result) }
}

fn position(fen: &str) -> MakrukPosition {
    let text = CString::new(fen).unwrap();
    let mut position = MakrukPosition::default();
    // SAFETY: a string and a place for a position.
    assert_eq!(unsafe { makruk_position_from_fen(text.as_ptr(), &mut position) }, MAKRUK_OK, "{fen}");
    position
}

fn random(material: Material, rng: &mut Rng) -> MakrukPosition {
    let mut board = Board::empty();
    for piece in Color::ALL.map(|color| Piece::new(color, Role::King)).into_iter().chain(material.pieces()) {
        board.set(Square::new(rng.u8(..64)), piece);
    }
    MakrukPosition { side: rng.u8(..2), ..MakrukPosition::on(&board) }
}

#[test]
fn moves_are_made_by_their_squares() {
    let before = position("8/8/8/3P4/8/4k3/8/KR6 w - - 0 1");
    for (from, to, uci, promotes) in [(1, 25, c"b1b4", false), (35, 43, c"d5d6m", true)] {
        let (mut by_squares, mut by_text) = (before, before);
        // SAFETY: positions and a string.
        unsafe {
            assert_eq!(makruk_position_move(&mut by_squares, from, to), MAKRUK_OK, "{uci:?}");
            assert_eq!(makruk_position_play(&mut by_text, uci.as_ptr()), MAKRUK_OK, "{uci:?}");
        }
        assert_eq!(by_squares.read().unwrap(), by_text.read().unwrap());
        assert_eq!(by_squares.mets != 0, promotes);
    }
    let mut same = before;
    for (from, to) in [(0, 0), (1, 0), (63, 62), (64, 255)] {
        // SAFETY: a position.
        assert_eq!(unsafe { makruk_position_move(&mut same, from, to) }, MAKRUK_NO_MOVE);
    }
    assert_eq!(same.read().unwrap(), before.read().unwrap());
}

#[test]
fn a_root_keeps_the_moves_of_the_best_category() {
    let folder = folder();
    let tables = open(folder.path()).unwrap();
    let mut root = std::mem::MaybeUninit::<MakrukRoot>::uninit();
    // SAFETY: open tables, a position, a place for a root; then a root.
    unsafe {
        let asked = position("8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1");
        assert_eq!(makruk_probe_root(tables, &asked, root.as_mut_ptr()), MAKRUK_OK);
        let mut root = root.assume_init();
        let all = root.count;
        assert_eq!(makruk_root_keep_category(&mut root), 4);
        assert!(root.count == 4 && all == 12, "{all}");
        assert!(root.moves[..4].iter().all(|mv| mv.category == MAKRUK_WIN) && root.moves[4].category != MAKRUK_WIN);
        root.count = 1000;
        assert_eq!(makruk_root_keep_category(&mut root), MAKRUK_BAD_ARGUMENT);
        makruk_free(tables);
    }
}

#[test]
fn a_search_probe_allocates_nothing() {
    // The tables omit a side to move, whose values are derived from its moves.
    let folder = test_tables::one_sided(test_tables::materials(&["KRvKM", "KMMvK"]));
    let tables = open(folder.path()).unwrap();
    let mut rng = Rng::with_seed(3);
    let mut found = [0u32; 6];
    for name in ["KRvKM", "KMMvK"] {
        let material: Material = name.parse().unwrap();
        let mut tried = 0;
        while tried < 2000 {
            let position = random(material, &mut rng);
            // The error of an illegal position has a text, which allocates.
            if position.read().is_err() || (position.white | position.black).count_ones() as usize != material.men() {
                continue;
            }
            let before = ALLOCATIONS.with(Cell::get);
            // SAFETY: open tables and a position.
            let category = unsafe { makruk_probe_category(tables, &position) };
            assert_eq!(ALLOCATIONS.with(Cell::get), before, "{position:?}");
            found[usize::try_from(category).unwrap()] += 1;
            tried += 1;
        }
    }
    assert!(found[1] > 0 && found[3] > 0 && found[5] > 0, "{found:?}");
    // SAFETY: they are not used any more.
    unsafe { makruk_free(tables) };
}

#[test]
fn search_tables_decide_most_counts_and_allocate_nothing() {
    let materials = ["KRvKM", "KMMvK"];
    let of_these = test_tables::materials(&materials);
    let folder = test_tables::own(&test_tables::one_sided(of_these.clone()), of_these);
    let tables = open(folder.path()).unwrap();
    // KRvK, KRvKM, KMvK, KMMvK.
    // SAFETY: open tables.
    let with = |kinds| unsafe { makruk_materials_with(tables, kinds) };
    assert_eq!((with(MAKRUK_HAS_SEARCH), with(MAKRUK_HAS_SEARCH | MAKRUK_HAS_DTZ)), (4, 1));
    let mut rng = Rng::with_seed(5);
    let (mut decided, mut undecided) = (0, 0);
    for name in materials {
        let text = CString::new(name).unwrap();
        // SAFETY: open tables and a string.
        let has = unsafe { makruk_has(tables, text.as_ptr()) };
        assert!(has & MAKRUK_HAS_SEARCH != 0 && has & MAKRUK_HAS_WDL != 0, "{name}: {has}");
        let material: Material = name.parse().unwrap();
        let mut tried = 0;
        while tried < 2000 {
            let position = MakrukPosition { limit: 128, ply: rng.u32(40..135), ..random(material, &mut rng) };
            if position.read().is_err() || (position.white | position.black).count_ones() as usize != material.men() {
                continue;
            }
            tried += 1;
            let mut verdict = MakrukVerdict::default();
            let mut bounds = MakrukBounds::default();
            // SAFETY: open tables, a position and places for a verdict and for bounds.
            let (alone, whole) = unsafe {
                assert_eq!(makruk_probe(tables, &position, &mut verdict), MAKRUK_OK);
                let before = ALLOCATIONS.with(Cell::get);
                let alone = makruk_probe_search(tables, &position, MAKRUK_SEARCH_ONLY, &mut bounds);
                assert_eq!(ALLOCATIONS.with(Cell::get), before, "{position:?}");
                (alone, makruk_probe_search(tables, &position, 0, std::ptr::null_mut()))
            };
            assert_eq!(whole, verdict.category, "{position:?}");
            if alone == MAKRUK_COUNT_UNDECIDED {
                undecided += 1;
                continue;
            }
            decided += 1;
            assert_eq!(alone, verdict.category, "{position:?}");
            let left = 128 - position.ply as i32;
            let exact = verdict.bounds;
            assert!(bounds.holds_from <= left && left <= bounds.holds_to, "{position:?}: {bounds:?}");
            assert!(exact.holds_from <= bounds.holds_from && bounds.holds_to <= exact.holds_to, "{bounds:?}");
        }
    }
    assert!(undecided > 0 && decided > 3 * undecided, "{decided} and {undecided}");
    // SAFETY: they are not used any more.
    unsafe { makruk_free(tables) };
}

#[test]
fn missing_tables_have_results_of_their_own() {
    let folder = folder();
    let category = |tables, fen| {
        // SAFETY: open tables and a position.
        unsafe { makruk_probe_category(tables, &position(fen)) }
    };
    let armed = "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1";
    let tables = open(folder.path()).unwrap();
    assert_eq!(category(tables, armed), MAKRUK_WIN);
    assert_eq!(category(tables, "8/8/8/8/8/4s1k1/4R3/K7 w - 128 85 1"), MAKRUK_CURSED_WIN);
    assert_eq!(category(tables, "8/8/8/8/8/6k1/8/K7 w - - 0 1"), MAKRUK_DRAW);
    assert_eq!(category(tables, "8/8/8/8/8/4n1k1/4R3/K7 w - - 0 1"), MAKRUK_MISSING_TABLE);
    assert_eq!(category(tables, "8/8/8/4p3/8/6k1/4R3/K7 w - - 0 1"), MAKRUK_MISSING_TABLE);
    assert_eq!(category(tables, "8/8/8/4pp2/3ppp2/6k1/4R3/K7 w - - 0 1"), MAKRUK_NOT_COVERED);
    // SAFETY: they are not used any more.
    unsafe { makruk_free(tables) };

    // Without distances the winner is known if the count begins now, but not always under another count.
    std::fs::remove_file(folder.path().join("KRvKS.dtz")).unwrap();
    let tables = open(folder.path()).unwrap();
    assert_eq!(category(tables, armed), MAKRUK_WIN);
    assert_eq!(category(tables, "8/8/8/8/8/4s1k1/4R3/K7 w - 128 85 1"), MAKRUK_COUNT_UNDECIDED);
    assert_eq!(category(tables, "8/8/8/8/8/4s1k1/4R3/K7 w - 128 129 1"), MAKRUK_CURSED_WIN);
    // SAFETY: they are not used any more.
    unsafe { makruk_free(tables) };
    std::fs::remove_file(folder.path().join("KRvKS.wdl")).unwrap();
    let tables = open(folder.path()).unwrap();
    assert_eq!(category(tables, armed), MAKRUK_COUNT_UNDECIDED);
    assert_eq!(category(tables, "7k/8/5K2/8/8/8/8/R7 w - - 0 1"), MAKRUK_WIN);
    // SAFETY: they are not used any more.
    unsafe { makruk_free(tables) };

    // A damaged table does not affect other tables.
    let damaged = folder.path().join("KRvKS.dtm");
    let mut bytes = std::fs::read(&damaged).unwrap();
    bytes[20] ^= 1;
    std::fs::write(&damaged, bytes).unwrap();
    let tables = open(folder.path()).unwrap();
    assert_eq!(category(tables, armed), MAKRUK_CORRUPT_TABLE);
    assert_eq!(category(tables, "7k/8/5K2/8/8/8/8/R7 w - - 0 1"), MAKRUK_WIN);
    let mut why = [0; 300];
    // SAFETY: open tables, a position and room.
    let length = unsafe { makruk_explain(tables, &position(armed), why.as_mut_ptr(), why.len()) };
    // SAFETY: a null was written at its end.
    let why = unsafe { CStr::from_ptr(why.as_ptr()) }.to_str().unwrap();
    assert!(length > 0 && why.contains("KRvKS"), "{why}");
    // SAFETY: they are not used any more.
    unsafe { makruk_free(tables) };
    assert_eq!(open(&folder.path().join("nowhere")).unwrap_err(), MAKRUK_NO_TABLES);
}

#[test]
fn nothing_that_can_be_sent_does_harm() {
    let folder = test_tables::usual(test_tables::materials(&["KRvK"]));
    let tables = open(folder.path()).unwrap();
    let (nothing, no_move, no_text) = (std::ptr::null(), std::ptr::null_mut(), std::ptr::null());
    // SAFETY: nulls are allowed everywhere.
    unsafe {
        assert_eq!(makruk_open(no_text, 0, 0, std::ptr::null_mut(), std::ptr::null_mut(), 0), MAKRUK_BAD_ARGUMENT);
        assert_eq!(makruk_probe_category(nothing, &position("8/8/8/8/8/6k1/4R3/K7 w")), MAKRUK_BAD_ARGUMENT);
        assert_eq!(makruk_probe_category(tables, std::ptr::null()), MAKRUK_BAD_ARGUMENT);
        assert_eq!(makruk_probe_root(tables, std::ptr::null(), std::ptr::null_mut()), MAKRUK_BAD_ARGUMENT);
        let bare = position("8/8/8/8/8/6k1/4R3/K7 w");
        assert_eq!(makruk_best_move(tables, &bare, c"brilliant".as_ptr(), no_move), MAKRUK_BAD_ARGUMENT);
        assert_eq!(makruk_position_from_fen(c"\xff".as_ptr(), std::ptr::null_mut()), MAKRUK_BAD_FEN);
        assert_eq!(makruk_position_from_fen(no_text, std::ptr::null_mut()), MAKRUK_BAD_ARGUMENT);
        assert_eq!((makruk_largest(nothing), makruk_materials(nothing)), (0, 0));
        assert_eq!(makruk_materials_with(nothing, MAKRUK_HAS_WDL), 0);
        makruk_free(std::ptr::null_mut());
        assert_eq!(CStr::from_ptr(makruk_result_name(99)), c"unknown");
        assert_eq!(CStr::from_ptr(makruk_result_name(MAKRUK_WIN)), c"win");
        // A buffer that is too small gets the beginning of the text.
        let mut short = [7; 4];
        assert!(makruk_position_to_fen(&bare, short.as_mut_ptr(), 3) > 3);
        assert_eq!(short, [b'8' as _, b'/' as _, 0, 7]);
        let mut played = bare;
        assert_eq!(makruk_position_play(&mut played, c"e2e9".as_ptr()), MAKRUK_NO_MOVE);
        assert_eq!(played, bare);
        assert_eq!(makruk_position_play(&mut played, c"e2e3".as_ptr()), MAKRUK_OK);
        assert_eq!((played.limit, played.ply, played.side), (32, 6, MAKRUK_BLACK));
    }
    let mut rng = Rng::with_seed(9);
    let mut bits = || rng.u64(..) & rng.u64(..) & rng.u64(..) & rng.u64(..) & rng.u64(..);
    for _ in 0..20_000 {
        let (white, black, kings, rooks) = (bits(), bits(), bits(), bits());
        let noise = MakrukPosition {
            white,
            black,
            kings,
            rooks,
            knights: bits(),
            khons: bits(),
            mets: bits(),
            pawns: bits(),
            limit: bits() as u32,
            ply: bits() as u32,
            fullmove: bits() as u32,
            side: bits() as u8,
        };
        let of_kings = MakrukPosition { black: kings & !white, white: white & kings, kings, side: 0, ..noise };
        for position in [noise, of_kings] {
            // SAFETY: open tables and a position.
            let category = unsafe { makruk_probe_category(tables, &position) };
            assert!(category != MAKRUK_INTERNAL_ERROR && category <= MAKRUK_WIN, "{position:?}");
        }
    }
    // SAFETY: they are not used any more.
    unsafe { makruk_free(tables) };
}

fn open_with(folder: &Path, flags: u32) -> (i32, String, *mut MakrukTables) {
    let list = CString::new(folder.to_str().unwrap()).unwrap();
    let (mut tables, mut why) = (std::ptr::null_mut(), [0; 300]);
    // SAFETY: a string, a place for a pointer, and room for a text.
    let result = unsafe { makruk_open(list.as_ptr(), 0, flags, &mut tables, why.as_mut_ptr(), why.len()) };
    // SAFETY: a null was written at its end.
    let why = unsafe { CStr::from_ptr(why.as_ptr()) }.to_str().unwrap().to_owned();
    (result, why, tables)
}

#[test]
fn a_promotion_has_its_mark_and_its_count() {
    let folder = test_tables::with_search(test_tables::materials(&["KRPvK"]));
    let tables = open(folder.path()).unwrap();
    // With the pawn on the board the count is dropped. Promoting at once leaves twelve moves, one too few.
    let asked = position("8/8/8/3P4/8/4k3/8/KR6 w - 128 9 1");
    assert_eq!((asked.limit, asked.ply), (0, 0));
    let counted = MakrukPosition { limit: 32, ply: 33, ..asked };
    let mut root =
        MakrukRoot { verdict: MakrukVerdict::default(), count: 0, moves: [MakrukMove::default(); MAKRUK_MAX_MOVES] };
    let (mut moves, mut after) =
        ([MakrukMove::default(); MAKRUK_MAX_MOVES], [MakrukPosition::default(); MAKRUK_MAX_MOVES]);
    // SAFETY: open tables, positions and places for the answers.
    let legal = unsafe {
        for position in [asked, counted] {
            let mut bounds = MakrukBounds::default();
            let before = ALLOCATIONS.with(Cell::get);
            for flags in [0, MAKRUK_SEARCH_ONLY] {
                assert_eq!(makruk_probe_search(tables, &position, flags, &mut bounds), MAKRUK_WIN);
                assert_eq!(bounds, MakrukBounds { holds_from: -MAKRUK_ANY_COUNT, holds_to: MAKRUK_ANY_COUNT });
            }
            assert_eq!(ALLOCATIONS.with(Cell::get), before);
            assert_eq!(makruk_probe_root(tables, &position, &mut root), MAKRUK_OK);
        }
        makruk_legal_moves(&asked, moves.as_mut_ptr(), after.as_mut_ptr())
    };
    let verdict = root.verdict;
    assert_eq!((verdict.category, verdict.dtm, verdict.dtz), (MAKRUK_WIN, 23, 3));
    assert_eq!((verdict.limit, verdict.attacker_moves_left, verdict.slack), (0, -1, MAKRUK_NO_DISTANCE));
    let ranked = &root.moves[..root.count as usize];
    let last = ranked.last().unwrap();
    assert_eq!((last.category, last.dtm, last.dtz), (MAKRUK_CURSED_WIN, 27, MAKRUK_NO_DISTANCE));
    assert_eq!((last.promotion, last.capture, last.limit, last.ply), (1, 0, 32, 8));
    // SAFETY: a null is at its end.
    assert_eq!(unsafe { CStr::from_ptr(last.uci.as_ptr()) }, c"d5d6m");
    assert!(
        ranked[..ranked.len() - 1].iter().all(|mv| mv.promotion == 0 && mv.category == MAKRUK_WIN && mv.limit == 0)
    );
    // The same moves without verdicts, and the position after the promotion.
    assert_eq!(legal as u32, root.count);
    let at = moves[..legal as usize].iter().position(|mv| mv.promotion == 1).unwrap();
    assert_eq!((moves[at].uci, moves[at].limit, moves[at].ply), (last.uci, 32, 8));
    let mut played = asked;
    // SAFETY: a position that may be changed, and a string; then the tables are not used any more.
    unsafe {
        assert_eq!(makruk_position_play(&mut played, c"d5d7m".as_ptr()), MAKRUK_NO_MOVE);
        assert_eq!(makruk_position_play(&mut played, c"d5d6m".as_ptr()), MAKRUK_OK);
        assert_eq!((played, played.limit, played.ply), (after[at], 32, 8));
        assert_eq!(makruk_probe_category(tables, &played), MAKRUK_BLESSED_LOSS);
        makruk_free(tables);
    }
}

#[test]
fn a_strict_opening_refuses_what_a_lenient_one_leaves_out() {
    let folder = folder();
    let (result, why, tables) = open_with(folder.path(), MAKRUK_STRICT);
    assert_eq!((result, why.as_str()), (MAKRUK_OK, ""));
    // SAFETY: open tables and strings; then they are not used any more.
    unsafe {
        assert_eq!(makruk_has(tables, c"KSvKR".as_ptr()), MAKRUK_HAS_WDL | MAKRUK_HAS_DTM | MAKRUK_HAS_DTZ);
        assert_eq!(makruk_has(tables, c"KRvK".as_ptr()), MAKRUK_HAS_WDL | MAKRUK_HAS_DTM);
        assert_eq!((makruk_has(tables, c"KNvK".as_ptr()), makruk_complete(tables)), (0, 2));
        assert_eq!(makruk_has(tables, c"KXvK".as_ptr()), MAKRUK_BAD_ARGUMENT);
        makruk_free(tables);
    }
    assert_eq!(open_with(&folder.path().join("nowhere"), MAKRUK_STRICT).0, MAKRUK_NO_TABLES);
    assert_eq!(open_with(folder.path(), 64).0, MAKRUK_BAD_ARGUMENT);
    let damaged = folder.path().join("KRvKS.dtz");
    let mut bytes = std::fs::read(&damaged).unwrap();
    bytes[20] ^= 1;
    std::fs::write(&damaged, bytes).unwrap();
    let (result, why, tables) = open_with(folder.path(), MAKRUK_STRICT);
    assert!(result == MAKRUK_CORRUPT_TABLE && why.contains("KRvKS.dtz") && tables.is_null(), "{result} {why}");
    let (result, why, tables) = open_with(folder.path(), 0);
    assert!(result == MAKRUK_OK && why.contains("KRvKS.dtz"), "{result} {why}");
    // SAFETY: they are not used any more.
    unsafe { makruk_free(tables) };
}

#[test]
fn a_search_can_ask_for_what_is_in_memory() {
    unsafe extern "C" fn stop(_: *mut std::ffi::c_void, done: u64, all: u64) -> std::ffi::c_int {
        i32::from(done < all)
    }
    let folder = folder();
    let asked = position("8/8/8/8/8/4s1k1/4R3/K7 w - 128 85 1");
    for flags in [0, MAKRUK_POSITIONAL] {
        let (_, _, tables) = open_with(folder.path(), flags);
        let mut bounds = MakrukBounds::default();
        // SAFETY: open tables, a position and a place for bounds, or nulls.
        let mut search = |flags| unsafe { makruk_probe_search(tables, &asked, flags, &mut bounds) };
        // KRvKS.dtz has more bytes than its model, which is read when the table is opened.
        assert_eq!(search(MAKRUK_IN_MEMORY), MAKRUK_NOT_IN_MEMORY);
        assert_eq!(search(16), MAKRUK_BAD_ARGUMENT);
        // SAFETY: open tables, strings and nulls.
        unsafe {
            let (none, data) = (std::ptr::null(), std::ptr::null_mut());
            assert_eq!(makruk_preload(tables, c"KNvK".as_ptr(), None, data), MAKRUK_MISSING_TABLE);
            assert_eq!(makruk_preload(tables, c"rook".as_ptr(), None, data), MAKRUK_BAD_ARGUMENT);
            assert_eq!(makruk_preload(tables, none, Some(stop), data), MAKRUK_STOPPED);
            assert_eq!(makruk_preload(tables, c"3, KSvKR".as_ptr(), None, data), MAKRUK_OK);
        }
        assert_eq!(search(MAKRUK_IN_MEMORY), MAKRUK_CURSED_WIN);
        // DTZ is 45.
        assert_eq!(bounds, MakrukBounds { holds_from: -MAKRUK_ANY_COUNT, holds_to: 43 });
        // SAFETY: they are not used any more.
        unsafe { makruk_free(tables) };
    }
}

#[test]
fn a_panic_stays_inside() {
    assert_eq!(crate::guard::guarded(|| panic!("of a test")), MAKRUK_INTERNAL_ERROR);
}
