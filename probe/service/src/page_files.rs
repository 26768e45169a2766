//! The files of the page, which are built from `probe/web` and stand in the program.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::sync::{LazyLock, Mutex, PoisonError};

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use rust_embed::RustEmbed;
use serde::Deserialize;

/// The page as esbuild writes it; `npm run build` rebuilds it.
#[derive(RustEmbed)]
#[folder = "page"]
pub(crate) struct Files;

/// The page's HTML, which has the address of the server itself.
pub(crate) const HTML: &str = "index.html";
/// The files that only a site without a server needs.
const OF_SITES: [&str; 3] = ["site.js", "makruk.wasm", "element.js"];
/// The file that only the service reads.
const OF_SERVICE: &str = "preview.json";

/// The addresses and names of the page's files: those that were built, whatever their names. The HTML has its address
/// even if nothing was built.
pub(crate) fn files() -> impl Iterator<Item = (String, Cow<'static, str>)> {
    let is_served = |name: &Cow<'static, str>| name != HTML && name != OF_SERVICE && !OF_SITES.contains(&&**name);
    let others = Files::iter().filter(is_served).map(|name| (format!("/{name}"), name));
    std::iter::once(("/".to_owned(), HTML.into())).chain(others)
}

/// A file that was built with the page.
pub(crate) fn file(name: &str) -> Option<Bytes> {
    Some(Bytes::from_owner(Files::get(name)?.data))
}

/// The files that a browser gets compressed, by name. Each is compressed when it is first wanted.
static COMPRESSED: LazyLock<Mutex<HashMap<String, Bytes>>> = LazyLock::new(Mutex::default);

/// A file of the page in gzip's format.
pub(crate) fn compressed(name: &str, data: &[u8]) -> Bytes {
    let mut files = COMPRESSED.lock().unwrap_or_else(PoisonError::into_inner);
    let compress = || {
        let mut writer = GzEncoder::new(Vec::new(), Compression::best());
        // Writing to memory does not fail.
        let written = writer.write_all(data).and_then(|()| writer.finish());
        Bytes::from(written.unwrap_or_default())
    };
    files.entry(name.to_owned()).or_insert_with(compress).clone()
}

/// The files of the page and of the module that answers for it without a server, by name.
pub fn page_files() -> Vec<(String, Bytes)> {
    Files::iter().filter(|name| name != OF_SERVICE).filter_map(|name| Some((name.to_string(), file(&name)?))).collect()
}

/// The parts of the page that the service uses: the men, the lessons and the words of each language.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Preview {
    /// The sets of men by their names, each by the men's letters.
    pub(crate) men: BTreeMap<String, BTreeMap<char, Shape>>,
    /// The positions of lessons.
    pub(crate) lessons: BTreeMap<String, String>,
    pub(crate) languages: BTreeMap<String, Words>,
}

/// A man in a square of 48: outlines to fill, and the lines upon them.
#[derive(Debug, Deserialize)]
pub(crate) struct Shape {
    pub(crate) body: Vec<String>,
    pub(crate) lines: Vec<String>,
}

/// The words of a language. Pairs are of White and Black, or of a title and a sentence; `{}` stands for a number.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Words {
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) sides: [String; 2],
    /// The men as they are named in an ending, by their letters; and what stands between its two sides.
    pub(crate) ending: BTreeMap<char, String>,
    pub(crate) against: String,
    pub(crate) tomove: [String; 2],
    pub(crate) wins: [String; 2],
    pub(crate) draw: String,
    pub(crate) by_count: String,
    pub(crate) needs: String,
    pub(crate) has: String,
    /// One move, and a number of moves.
    pub(crate) moves: [String; 2],
    /// The task of a side that is to win, and of one that is to save the draw.
    pub(crate) win: [String; 2],
    pub(crate) save: [String; 2],
    pub(crate) lost: String,
    /// The themes of puzzles by their names.
    pub(crate) themes: BTreeMap<String, String>,
    /// The endings, the puzzle of the day, the course and its lessons.
    pub(crate) pages: BTreeMap<String, [String; 2]>,
}

pub(crate) static PREVIEW: LazyLock<Preview> =
    LazyLock::new(|| file(OF_SERVICE).and_then(|json| serde_json::from_slice(&json).ok()).unwrap_or_default());
