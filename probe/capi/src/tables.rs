//! Open tables.

use std::ffi::{CStr, c_char};
use std::path::PathBuf;

use makruk_locate::locate;
use makruk_tables::material::Material;
use makruk_tables::value::Metric;
use prober::{Access, DEFAULT_CACHE_BYTES, Inventory, Prober, TableError, TableId, Tablebase, split_path_list};

use crate::guard::guarded;
use crate::result::{MAKRUK_BAD_ARGUMENT, MAKRUK_MISSING_TABLE, MAKRUK_NO_TABLES, MAKRUK_OK};

/// The tables of a material that could be opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stock {
    /// The WDL table, with the category for a count that begins now.
    pub(crate) wdl: bool,
    /// Plies to mate.
    pub(crate) dtm: bool,
    /// Plies to the conversion; with a bare king those to mate.
    pub(crate) dtz: bool,
    /// One of them is damaged.
    pub(crate) corrupt: bool,
}

/// Open tables. Made by makruk_init(), ended by makruk_free().
pub struct MakrukTables {
    pub(crate) prober: Prober,
    inventory: Inventory,
    /// The tables of each material that has some, by key.
    stock: Vec<(u64, Stock)>,
}

impl MakrukTables {
    fn open(folders: Vec<PathBuf>, cache_bytes: usize) -> Option<MakrukTables> {
        let inventory = Inventory::of(&folders);
        // SAFETY: the header tells callers that table files must not be modified or cut short in place while they are open.
        let access = unsafe { Access::mapped() };
        let tables = Tablebase::builder().folders(folders).access(access).cache_bytes(cache_bytes).build();
        let prober = Prober::new(tables);
        let mut stock: Vec<(u64, Stock)> = Vec::new();
        for material in inventory.materials() {
            let mut found = Stock::default();
            let mut open = |metric| match prober.source().open(TableId { material, metric }) {
                Ok(()) => true,
                Err(TableError::Corrupt { .. }) => {
                    found.corrupt = true;
                    false
                }
                Err(_) => false,
            };
            let (wdl, dtm) = (open(Metric::Wdl), open(Metric::Dtm));
            let dtz = dtm && (!material.is_armed() || open(Metric::Dtz));
            found = Stock { wdl, dtm, dtz, ..found };
            if found != Stock::default() {
                stock.push((material.key(), found));
            }
        }
        stock.sort_by_key(|&(key, _)| key);
        Some(MakrukTables { prober, inventory, stock })
    }

    /// The tables of a material.
    pub(crate) fn stock(&self, material: Material) -> Result<Stock, i32> {
        let at = self.stock.binary_search_by_key(&material.key(), |&(key, _)| key).map_err(|_| MAKRUK_MISSING_TABLE)?;
        Ok(self.stock[at].1)
    }
}

/// Opens the tables in a list of folders, separated by ':' or ';' (on Windows by ';' alone). NULL or an empty list: the
/// folder that MAKRUK_TABLES names, else ./tables/data if it is there, else the user's data folder. A table is taken from the
/// first folder that has it. cache_bytes is the memory for decoded
/// stripes; 0 is 64 MiB, 1 is none. Table files must not change in place while they are open (see CONTRACT above).
///
/// Returns MAKRUK_OK and sets *tables, or MAKRUK_NO_TABLES if none of the folders has a table, or MAKRUK_BAD_ARGUMENT.
///
/// # Safety
///
/// `paths` is NULL or a string, `tables` a place for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn makruk_init(paths: *const c_char, cache_bytes: u64, tables: *mut *mut MakrukTables) -> i32 {
    guarded(|| {
        if tables.is_null() {
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
        let opened = MakrukTables::open(folders, cache_bytes).filter(|opened| !opened.stock.is_empty());
        let opened = opened.ok_or(MAKRUK_NO_TABLES)?;
        // SAFETY: as above.
        unsafe { tables.write(Box::into_raw(Box::new(opened))) };
        Ok(MAKRUK_OK)
    })
}

/// Closes tables. NULL is ignored.
///
/// # Safety
///
/// `tables` is NULL or comes from makruk_init(), and is not used afterwards.
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
/// `tables` is NULL or comes from makruk_init().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn makruk_largest(tables: *const MakrukTables) -> i32 {
    // SAFETY: null, or open tables, as the caller has promised.
    guarded(|| Ok(unsafe { tables.as_ref() }.map_or(0, |tables| tables.inventory.largest() as i32)))
}

/// The number of materials with a table that can be opened; 0 for NULL.
///
/// # Safety
///
/// `tables` is NULL or comes from makruk_init().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn makruk_sets(tables: *const MakrukTables) -> i32 {
    // SAFETY: null, or open tables, as the caller has promised.
    guarded(|| Ok(unsafe { tables.as_ref() }.map_or(0, |tables| tables.stock.len() as i32)))
}

/// The library's version, such as "0.1.0". The text lives as long as the program.
#[unsafe(no_mangle)]
pub extern "C" fn makruk_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}
