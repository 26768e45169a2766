//! The functions of the module. Only numbers and addresses in its memory are passed.
//!
//! - `makruk_room(len)` makes room for `len` bytes and returns its address. The caller writes its argument there; the
//!   next call that takes bytes takes all of them.
//! - `makruk_open(most_bytes)` takes the file of a catalogue and opens its tables, of which at most `most_bytes` are
//!   kept. It returns 1, or 0 if the catalogue cannot be read; the result is then the reason.
//! - `makruk_begin()` takes a question as JSON and returns its number, or 0 if it is not valid. `makruk_go_on(number)`
//!   continues it, and `makruk_end(number)` forgets it.
//! - `makruk_give(name_len, offset)` takes the name of a file, `name_len` bytes long, followed by the file's bytes from
//!   `offset` on. It returns 1, or 0 if they are refused; the result is then the reason.
//! - `makruk_result()` is the address of the result of the last call, as JSON, and `makruk_result_len()` its length.

// A module's functions are found by their names.
#![allow(unsafe_code)]

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use makruk_probe::Tablebase;
use makruk_remote::{AskingSource, Catalogue, GiveError, RemoteFile, RemoteStore};
use serde_json::json;

use crate::{Outcome, Question, Session};

/// Bytes of decoded stripes that are kept.
const STRIPE_BYTES: usize = 8 << 20;

/// The tables that are open.
struct Opened {
    store: RemoteStore,
    source: Arc<AskingSource>,
}

#[derive(Default)]
struct Module {
    opened: Option<Opened>,
    room: Vec<u8>,
    result: Vec<u8>,
    sessions: HashMap<u32, Session>,
    last: u32,
}

thread_local! {
    static MODULE: RefCell<Module> = RefCell::default();
}

fn with<T>(act: impl FnOnce(&mut Module) -> T) -> T {
    MODULE.with_borrow_mut(act)
}

/// Makes room for `len` bytes.
#[unsafe(no_mangle)]
pub extern "C" fn makruk_room(len: usize) -> *mut u8 {
    with(|module| {
        module.room = vec![0; len];
        module.room.as_mut_ptr()
    })
}

/// The place of the last result.
#[unsafe(no_mangle)]
pub extern "C" fn makruk_result() -> *const u8 {
    with(|module| module.result.as_ptr())
}

/// The length of the last result.
#[unsafe(no_mangle)]
pub extern "C" fn makruk_result_len() -> usize {
    with(|module| module.result.len())
}

/// Opens the tables of the catalogue in the room.
#[unsafe(no_mangle)]
pub extern "C" fn makruk_open(most_bytes: usize) -> u32 {
    with(|module| {
        let room = std::mem::take(&mut module.room);
        match Catalogue::read(&room) {
            Ok(catalogue) => {
                let tables: Vec<String> = catalogue.tables().map(|(id, _)| id.to_string()).collect();
                let fingerprint = format!("{:016x}", catalogue.fingerprint());
                let address = catalogue.address().to_owned();
                let store = RemoteStore::new(catalogue, most_bytes);
                let tablebase = Tablebase::builder().store(Arc::new(store.clone())).cache_bytes(STRIPE_BYTES).build();
                module.opened = Some(Opened { source: Arc::new(AskingSource::new(tablebase)), store });
                module.sessions.clear();
                module.result = json!({ "tables": tables, "address": address, "fingerprint": fingerprint })
                    .to_string()
                    .into_bytes();
                1
            }
            Err(error) => {
                module.result = json!({ "error": error.to_string() }).to_string().into_bytes();
                0
            }
        }
    })
}

/// Begins the question in the room.
#[unsafe(no_mangle)]
pub extern "C" fn makruk_begin() -> u32 {
    with(|module| {
        let room = std::mem::take(&mut module.room);
        match serde_json::from_slice::<Question>(&room) {
            Ok(question) => {
                module.last = module.last.wrapping_add(1).max(1);
                module.sessions.insert(module.last, Session::new(question));
                module.last
            }
            Err(error) => {
                module.result = Outcome::refused("bad_request", format!("not a valid question: {error}")).to_json();
                0
            }
        }
    })
}

/// Continues a question.
#[unsafe(no_mangle)]
pub extern "C" fn makruk_go_on(number: u32) {
    with(|module| {
        let outcome = match (module.sessions.get_mut(&number), &module.opened) {
            (Some(session), Some(Opened { store, source })) => session.go_on(source, store),
            _ => Outcome::refused("internal", "there is no such question".to_owned()),
        };
        module.result = outcome.to_json();
    });
}

/// Forgets a question.
#[unsafe(no_mangle)]
pub extern "C" fn makruk_end(number: u32) {
    with(|module| {
        module.sessions.remove(&number);
    });
}

/// Takes the bytes of a file out of the room, where they follow its name.
#[unsafe(no_mangle)]
pub extern "C" fn makruk_give(name_len: usize, offset: f64) -> u32 {
    with(|module| {
        let room = std::mem::take(&mut module.room);
        let Some(Opened { store, .. }) = &module.opened else { return 0 };
        let Some((name, bytes)) = room.split_at_checked(name_len) else { return 0 };
        let file = std::str::from_utf8(name).ok().and_then(|name| name.parse::<RemoteFile>().ok());
        let given = file.map(|file| store.give(file, offset as u64, bytes));
        match given {
            Some(Ok(())) => 1,
            Some(Err(error)) => {
                let guide = match &error {
                    GiveError::Damaged { guide, .. } => guide.map(|(file, offset)| (file.to_string(), offset)),
                    _ => None,
                };
                module.result = json!({ "error": error.to_string(), "guide": guide }).to_string().into_bytes();
                0
            }
            None => {
                module.result = json!({ "error": "there is no such file" }).to_string().into_bytes();
                0
            }
        }
    })
}
