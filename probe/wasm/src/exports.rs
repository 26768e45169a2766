//! The functions of the module. Only numbers and addresses in its memory are passed.
//!
//! - `makruk_room(len)` makes room for `len` bytes and returns its address. The caller writes its argument there; the
//!   next call that takes bytes takes all of them.
//! - `makruk_open(most_bytes)` takes the file of a catalogue and opens its tables, of which at most `most_bytes` are
//!   kept. It returns 1, or 0 if the catalogue cannot be read; the result is then the reason.
//! - `makruk_begin()` takes a question as JSON and returns its number, or 0 if it is not valid; the result is then the
//!   refusal. `makruk_go_on(number)`
//!   continues it, and `makruk_end(number)` forgets it.
//! - `makruk_give(name_len, offset)` takes the name of a file, `name_len` bytes long, followed by the file's bytes from
//!   `offset` on. It returns 1, or 0 if they are refused; the result is then the reason.
//! - `makruk_result()` is the address of the result of the last call, as JSON, and `makruk_result_len()` its length.

// A module's functions are found by their names.
#![allow(unsafe_code)]

use std::cell::RefCell;

use makruk_answers::{Asking, Question, Reason, Refusal};
use makruk_remote::{Catalogue, GiveError, RemoteFile, RemoteProber};
use serde::Serialize;

use crate::{Outcome, Site};

#[derive(Default)]
struct Module {
    site: Option<Site>,
    room: Vec<u8>,
    result: Vec<u8>,
    /// The questions under way with their numbers: few at a time.
    questions: Vec<(u32, Asking<RemoteProber, Question>)>,
    last: u32,
}

/// The tables that were opened.
#[derive(Serialize)]
struct Opened<'a> {
    tables: Vec<String>,
    address: &'a str,
    fingerprint: String,
}

/// The reason why bytes are refused, and the part of the guide that describes them.
#[derive(Serialize)]
struct Refused {
    error: String,
    guide: Option<(String, u64)>,
}

fn json(result: &impl Serialize) -> Vec<u8> {
    // Serialising fails only for maps whose keys are not texts, and no result has one.
    serde_json::to_vec(result).unwrap_or_default()
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
                module.result = json(&Opened { tables, address: catalogue.address(), fingerprint });
                module.site = Some(Site::new(catalogue, most_bytes));
                module.questions.clear();
                1
            }
            Err(error) => {
                module.result = json(&Refused { error: error.to_string(), guide: None });
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
        let question = serde_json::from_slice::<Question>(&room)
            .map_err(|error| Box::new(Refusal::new(Reason::BadRequest, format!("not a valid question: {error}"))));
        let site = module.site.as_ref().ok_or_else(no_question);
        match question.and_then(|question| site?.begin(question)) {
            Ok(asking) => {
                module.last = module.last.wrapping_add(1).max(1);
                module.questions.push((module.last, asking));
                module.last
            }
            Err(refusal) => {
                module.result = json(&Outcome::Refused(refusal));
                0
            }
        }
    })
}

/// Continues a question.
#[unsafe(no_mangle)]
pub extern "C" fn makruk_go_on(number: u32) {
    with(|module| {
        let asking = module.questions.iter_mut().find(|(of, _)| *of == number);
        let outcome = match (asking, &module.site) {
            (Some((_, asking)), Some(site)) => site.go_on(asking),
            _ => Outcome::Refused(no_question()),
        };
        module.result = json(&outcome);
    });
}

fn no_question() -> Box<Refusal> {
    Box::new(Refusal::new(Reason::INTERNAL, "there is no such question"))
}

/// Forgets a question.
#[unsafe(no_mangle)]
pub extern "C" fn makruk_end(number: u32) {
    with(|module| {
        module.questions.retain(|(of, _)| *of != number);
    });
}

/// Takes the bytes of a file out of the room, where they follow its name.
#[unsafe(no_mangle)]
pub extern "C" fn makruk_give(name_len: usize, offset: f64) -> u32 {
    with(|module| {
        let room = std::mem::take(&mut module.room);
        let Some(Site { store, .. }) = &module.site else { return 0 };
        let Some((name, bytes)) = room.split_at_checked(name_len) else { return 0 };
        let file = std::str::from_utf8(name).ok().and_then(|name| name.parse::<RemoteFile>().ok());
        let refused = match file.map(|file| store.give(file, offset as u64, bytes)) {
            Some(Ok(())) => return 1,
            Some(Err(error)) => {
                let guide = match &error {
                    GiveError::Damaged { guide, .. } => guide.map(|(file, offset)| (file.to_string(), offset)),
                    _ => None,
                };
                Refused { error: error.to_string(), guide }
            }
            None => Refused { error: "there is no such file".to_owned(), guide: None },
        };
        module.result = json(&refused);
        0
    })
}
