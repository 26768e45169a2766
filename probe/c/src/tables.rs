//! Open tables.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::PathBuf;

use makruk_locate::locate;
use makruk_tables::format::Outline;
use makruk_tables::material::{MAX_MEN, Material};
use makruk_tables::value::Metric;
use prober::{Access, DEFAULT_CACHE_BYTES, Inventory, Prober, TableError, TableId, Tablebase, split_path_list};

use crate::guard::{guarded, write_text};
use crate::position::string;
use crate::result::{
    MAKRUK_BAD_ARGUMENT, MAKRUK_MISSING_TABLE, MAKRUK_NO_TABLES, MAKRUK_OK, MAKRUK_STOPPED, table_failure,
};

/// The tables of a material that could be opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stock {
    /// The WDL table, with the category for a count that begins now.
    pub(crate) wdl: bool,
    /// The search table, with bounds of the plies to the conversion.
    pub(crate) search: bool,
    /// Plies to mate.
    pub(crate) dtm: bool,
    /// Plies to the conversion; with a bare king and no pawn those to mate.
    pub(crate) dtz: bool,
    /// The reason why a table that exists cannot be used.
    pub(crate) failure: Option<i32>,
}

impl Stock {
    /// The bits MAKRUK_HAS_... of a material.
    fn bits(&self, material: Material) -> i32 {
        let bit = |has, bit| if has { bit } else { 0 };
        let known = bit(self.wdl, MAKRUK_HAS_WDL) | bit(self.search, MAKRUK_HAS_SEARCH);
        known | bit(self.dtm, MAKRUK_HAS_DTM) | bit(self.dtz && material.has_dtz(), MAKRUK_HAS_DTZ)
    }
}

/// Open tables. Made by makruk_open(), ended by makruk_free().
pub struct MakrukTables {
    pub(crate) prober: Prober,
    inventory: Inventory,
    /// The tables of each material that has some, by key.
    stock: Vec<(u64, Stock)>,
}

/// The reason why tables cannot be opened: the result and a sentence.
struct Refusal {
    result: i32,
    why: String,
}

impl MakrukTables {
    /// Opens all tables, and says of the first that cannot be used why. If `strict`, that is an error.
    fn open(
        folders: Vec<PathBuf>,
        cache_bytes: usize,
        access: Access,
        strict: bool,
    ) -> Result<(MakrukTables, String), Refusal> {
        if let Some(folder) = folders.iter().find(|folder| strict && !folder.is_dir()) {
            let why = format!("{}: there is no such folder", folder.display());
            return Err(Refusal { result: MAKRUK_NO_TABLES, why });
        }
        let inventory = Inventory::of(&folders);
        let tables = Tablebase::builder().folders(folders.clone()).access(access).cache_bytes(cache_bytes).build();
        let prober = Prober::new(tables);
        let mut stock: Vec<(u64, Stock)> = Vec::new();
        let mut first: Option<TableError> = None;
        for material in inventory.materials() {
            let mut found = Stock::default();
            let mut open = |metric| {
                let id = TableId { material, metric };
                match prober.source().open(id) {
                    Ok(_) => return true,
                    // A missing table is not a failure.
                    Err(_) if !inventory.has(id) => {}
                    Err(error) => {
                        found.failure = found.failure.or(Some(table_failure(&error)));
                        first.get_or_insert(error);
                    }
                }
                false
            };
            let (wdl, search, dtm) = (open(Metric::Wdl), open(Metric::Search), open(Metric::Dtm));
            let dtz = if material.has_dtz() { open(Metric::Dtz) && dtm } else { dtm };
            found = Stock { wdl, search, dtm, dtz, ..found };
            if found != Stock::default() {
                stock.push((material.key(), found));
            }
        }
        let why = first.as_ref().map(TableError::to_string);
        if let (Some(error), true) = (&first, strict) {
            return Err(Refusal { result: table_failure(error), why: why.unwrap_or_default() });
        }
        if stock.is_empty() {
            let list = folders.iter().map(|folder| folder.display().to_string()).collect::<Vec<_>>().join(", ");
            return Err(Refusal { result: MAKRUK_NO_TABLES, why: format!("there are no tables in {list}") });
        }
        stock.sort_by_key(|&(key, _)| key);
        Ok((MakrukTables { prober, inventory, stock }, why.unwrap_or_default()))
    }

    /// The tables of a material.
    pub(crate) fn stock(&self, material: Material) -> Result<Stock, i32> {
        let at = self.stock.binary_search_by_key(&material.key(), |&(key, _)| key).map_err(|_| MAKRUK_MISSING_TABLE)?;
        Ok(self.stock[at].1)
    }
}

/// For makruk_open(): a folder that is not there or a table that cannot be used fails, instead of being left out.
pub const MAKRUK_STRICT: u32 = 1;
/// For makruk_open(): files are read by position and not mapped.
pub const MAKRUK_POSITIONAL: u32 = 2;

/// A table of makruk_has(): the category for a count that begins now.
pub const MAKRUK_HAS_WDL: i32 = 1;
/// Plies to mate; with a bare king and no pawn those to the conversion too.
pub const MAKRUK_HAS_DTM: i32 = 2;
/// Plies to the conversion.
pub const MAKRUK_HAS_DTZ: i32 = 4;
/// Bounds of the plies to the conversion, which decide most counts that run.
pub const MAKRUK_HAS_SEARCH: i32 = 8;

/// Opens the tables in a list of folders, separated by ':' or ';' (on Windows by ';' alone). NULL or an empty list: the
/// folder that MAKRUK_TABLES names, else ./tables/data if it is there, else the user's data folder. A table is taken from the
/// first folder that has it. flags are MAKRUK_STRICT and MAKRUK_POSITIONAL. cache_bytes is the memory for decoded stripes; 0
/// is 64 MiB, 1 is none.
///
/// Returns MAKRUK_OK and sets *tables; or MAKRUK_NO_TABLES if none of the folders has a table, or MAKRUK_BAD_ARGUMENT; with
/// MAKRUK_STRICT also MAKRUK_CORRUPT_TABLE, MAKRUK_UNREADABLE_TABLE, MAKRUK_UNSUPPORTED_TABLE or MAKRUK_MISSING_TABLE. The
/// first size bytes of a sentence about a failure are written to why, which may be NULL; without MAKRUK_STRICT that is the
/// first table left out, or an empty text.
///
/// # Safety
///
/// `paths` is NULL or a string, `tables` a place for a pointer, `why` NULL or room for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn makruk_open(
    paths: *const c_char,
    cache_bytes: u64,
    flags: u32,
    tables: *mut *mut MakrukTables,
    why: *mut c_char,
    size: usize,
) -> i32 {
    guarded(|| {
        if tables.is_null() || flags & !(MAKRUK_STRICT | MAKRUK_POSITIONAL) != 0 {
            return Err(MAKRUK_BAD_ARGUMENT);
        }
        // SAFETY: it is not null, and the caller has promised that a pointer can be written there.
        unsafe { tables.write(std::ptr::null_mut()) };
        let list = if paths.is_null() {
            ""
        } else {
            // SAFETY: it is not null, and the caller has promised a string.
            unsafe { CStr::from_ptr(paths) }.to_str().map_err(|_| MAKRUK_BAD_ARGUMENT)?
        };
        let mut folders = split_path_list(list);
        if folders.is_empty() {
            folders.push(locate(None));
        }
        let cache_bytes = match cache_bytes {
            0 => DEFAULT_CACHE_BYTES,
            bytes => usize::try_from(bytes).map_err(|_| MAKRUK_BAD_ARGUMENT)?,
        };
        let access = if flags & MAKRUK_POSITIONAL != 0 {
            Access::positional()
        } else {
            // SAFETY: the header tells callers that table files must not be modified or cut short in place while they are
            // open.
            unsafe { Access::mapped() }
        };
        let opened = MakrukTables::open(folders, cache_bytes, access, flags & MAKRUK_STRICT != 0);
        let sentence = match &opened {
            Ok((_, sentence)) => sentence,
            Err(refusal) => &refusal.why,
        };
        // SAFETY: null or room, as the caller has promised.
        unsafe { write_text(sentence, why, size) };
        let (opened, _) = opened.map_err(|refusal| refusal.result)?;
        // SAFETY: as above.
        unsafe { tables.write(Box::into_raw(Box::new(opened))) };
        Ok(MAKRUK_OK)
    })
}

/// Called while tables are preloaded, with the bytes read and those to read in all. Any result but 0 stops.
pub type MakrukProgress = Option<unsafe extern "C" fn(data: *mut c_void, done: u64, all: u64) -> c_int>;

/// Reads tables into memory and compares all of their checksums, so that probes need not. what is a list, separated by
/// spaces or commas, of materials ("KRvKS", in either order of the sides) and numbers of men ("4": all of up to four men);
/// NULL is all tables. progress may be NULL.
///
/// Returns MAKRUK_OK, MAKRUK_BAD_ARGUMENT, MAKRUK_MISSING_TABLE if a material of the list has no table, MAKRUK_STOPPED,
/// MAKRUK_CORRUPT_TABLE or MAKRUK_UNREADABLE_TABLE. The tables before a failure stay in memory.
///
/// # Safety
///
/// `tables` is NULL or comes from makruk_open(), `what` is NULL or a string, `progress` NULL or a function that may be called
/// with `data`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn makruk_preload(
    tables: *const MakrukTables,
    what: *const c_char,
    progress: MakrukProgress,
    data: *mut c_void,
) -> i32 {
    guarded(|| {
        // SAFETY: null, or open tables, as the caller has promised.
        let tables = unsafe { tables.as_ref() }.ok_or(MAKRUK_BAD_ARGUMENT)?;
        let what = if what.is_null() {
            None
        } else {
            // SAFETY: it is not null, and the caller has promised a string.
            Some(unsafe { CStr::from_ptr(what) }.to_str().map_err(|_| MAKRUK_BAD_ARGUMENT)?)
        };
        let source = tables.prober.source();
        let ids: Vec<TableId> = tables.selected(what)?.into_iter().filter(|&id| source.open(id).is_ok()).collect();
        let bytes = |id| source.open(id).map_or(0, Outline::file_len);
        let all = ids.iter().copied().map(bytes).sum();
        let mut done = 0;
        for id in ids {
            done += source.preload(id).map_err(|error| table_failure(&error))?;
            // SAFETY: the caller has promised a function that may be called with `data`.
            if progress.is_some_and(|progress| unsafe { progress(data, done, all) } != 0) {
                return Err(MAKRUK_STOPPED);
            }
        }
        Ok(MAKRUK_OK)
    })
}

impl MakrukTables {
    /// The tables that a list names.
    fn selected(&self, what: Option<&str>) -> Result<Vec<TableId>, i32> {
        let mut wanted = Vec::new();
        let Some(what) = what else { return Ok(self.inventory.tables().collect()) };
        for word in what.split([' ', ',', '\t', '\n']).filter(|word| !word.is_empty()) {
            if let Ok(men) = word.parse::<usize>() {
                wanted.extend(self.inventory.tables().filter(|id| id.material.men() <= men));
                continue;
            }
            let material: Material = word.parse().map_err(|_| MAKRUK_BAD_ARGUMENT)?;
            self.stock(material)?;
            wanted.extend(self.inventory.tables().filter(|id| id.material == material));
        }
        wanted.sort();
        wanted.dedup();
        Ok(wanted)
    }
}

/// Closes tables. NULL is ignored.
///
/// # Safety
///
/// `tables` is NULL or comes from makruk_open(), and is not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn makruk_free(tables: *mut MakrukTables) {
    guarded(|| {
        if !tables.is_null() {
            // SAFETY: it comes from `Box::into_raw` in `makruk_init`, and the caller has promised to use it no more.
            drop(unsafe { Box::from_raw(tables) });
        }
        Ok(MAKRUK_OK)
    });
}

/// The number of men of the largest material that has a table, both kings included; 0 for NULL. A search need not probe
/// positions with more.
///
/// # Safety
///
/// `tables` is NULL or comes from makruk_open().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn makruk_largest(tables: *const MakrukTables) -> i32 {
    // SAFETY: null, or open tables, as the caller has promised.
    guarded(|| Ok(unsafe { tables.as_ref() }.map_or(0, |tables| tables.inventory.largest() as i32)))
}

/// The number of materials with a table that can be opened; 0 for NULL.
///
/// # Safety
///
/// `tables` is NULL or comes from makruk_open().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn makruk_materials(tables: *const MakrukTables) -> i32 {
    // SAFETY: null, or open tables, as the caller has promised.
    guarded(|| Ok(unsafe { tables.as_ref() }.map_or(0, |tables| tables.stock.len() as i32)))
}

/// The number of materials that have all tables of these kinds, such as MAKRUK_HAS_SEARCH; 0 for NULL.
///
/// # Safety
///
/// `tables` is NULL or comes from makruk_open().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn makruk_materials_with(tables: *const MakrukTables, kinds: i32) -> i32 {
    guarded(|| {
        // SAFETY: null, or open tables, as the caller has promised.
        let Some(tables) = (unsafe { tables.as_ref() }) else { return Ok(0) };
        let has_all =
            |&material: &Material| tables.stock(material).is_ok_and(|stock| stock.bits(material) & kinds == kinds);
        Ok((3..=MAX_MEN).flat_map(Material::all).filter(has_all).count() as i32)
    })
}

/// The largest number of men such that each material of up to that many men can be probed under any count: it has DTM and, with
/// both sides armed or a pawn on the board, DTZ. 2 if there is none; 0 for NULL.
///
/// # Safety
///
/// `tables` is NULL or comes from makruk_open().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn makruk_complete(tables: *const MakrukTables) -> i32 {
    guarded(|| {
        // SAFETY: null, or open tables, as the caller has promised.
        let Some(tables) = (unsafe { tables.as_ref() }) else { return Ok(0) };
        let is_complete = |&men: &usize| {
            Material::all(men).into_iter().all(|material| tables.stock(material).is_ok_and(|stock| stock.dtz))
        };
        Ok(2 + (3..=MAX_MEN).take_while(is_complete).count() as i32)
    })
}

/// The tables of a material such as "KRvKS", in either order of the sides: the bits MAKRUK_HAS_...; or MAKRUK_BAD_ARGUMENT.
///
/// # Safety
///
/// `tables` is NULL or comes from makruk_open(), `material` is NULL or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn makruk_has(tables: *const MakrukTables, material: *const c_char) -> i32 {
    guarded(|| {
        // SAFETY: null, or open tables, as the caller has promised.
        let tables = unsafe { tables.as_ref() }.ok_or(MAKRUK_BAD_ARGUMENT)?;
        // SAFETY: null or a string, as the caller has promised.
        let name = unsafe { string(material)? }.to_str().map_err(|_| MAKRUK_BAD_ARGUMENT)?;
        let material: Material = name.parse().map_err(|_| MAKRUK_BAD_ARGUMENT)?;
        Ok(tables.stock(material).map_or(0, |stock| stock.bits(material)))
    })
}
