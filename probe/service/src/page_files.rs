//! The files of the page, which are built from `probe/web` and stand in the program.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use bytes::Bytes;
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
fn file(name: &str) -> Option<Bytes> {
    Some(Bytes::from_owner(Files::get(name)?.data))
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
    /// The endings, the puzzle of the day, the course and its lessons.
    pub(crate) pages: BTreeMap<String, [String; 2]>,
}

pub(crate) static PREVIEW: LazyLock<Preview> =
    LazyLock::new(|| file(OF_SERVICE).and_then(|json| serde_json::from_slice(&json).ok()).unwrap_or_default());
