//! A file with games or positions.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
#[cfg(feature = "research")]
use makruk_console::warn;
#[cfg(feature = "research")]
use makruk_research::GamePositions;
#[cfg(feature = "research")]
use makruk_rules::CountingRules;
use makruk_rules::{Reading, TextEncoding, decode, printable};

/// The most bytes of a file: a device may have no end.
const MOST_BYTES: u64 = 1 << 28;

/// The text of a file.
pub(crate) struct GameFile {
    /// The name, for messages.
    pub(crate) name: String,
    /// The text.
    pub(crate) text: String,
    /// The note on the encoding that the text was read in, unless it is a Unicode one.
    pub(crate) note: Option<String>,
}

impl GameFile {
    /// The files that are named, and those of games, `.pgn` and `.txt`, in the folders that are named: in the order of
    /// their names, with those of folders within.
    pub(crate) fn list(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for path in paths {
            if !path.is_dir() {
                files.push(path.clone());
                continue;
            }
            let cannot = || format!("cannot read the folder {}", path.display());
            let entries =
                fs::read_dir(path).with_context(cannot)?.collect::<Result<Vec<_>, _>>().with_context(cannot)?;
            let mut within: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
            let is_of_games = |path: &PathBuf| {
                let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
                path.is_dir() || ending.is_some_and(|ending| ending == "pgn" || ending == "txt")
            };
            within.retain(is_of_games);
            within.sort();
            files.extend(GameFile::list(&within)?);
        }
        Ok(files)
    }

    /// Reads a file; `-` is standard input.
    pub(crate) fn read(path: &Path) -> anyhow::Result<GameFile> {
        let mut bytes = Vec::new();
        let mut name = printable(&path.display().to_string());
        if name == "-" {
            "standard input".clone_into(&mut name);
            io::stdin().lock().take(MOST_BYTES + 1).read_to_end(&mut bytes).context("cannot read standard input")?;
        } else {
            match File::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes)) {
                Err(_) if Reading::parse(&name).is_ok() => bail!("{}", is_position(&name)),
                read => read.with_context(|| format!("cannot read {name}"))?,
            };
        }
        ensure!(bytes.len() as u64 <= MOST_BYTES, "{name} has more than {} MiB: split it", MOST_BYTES >> 20);
        let (text, encoding) = decode(&bytes);
        let note = format!("the text is not UTF-8: it was read as {encoding}, the Thai code page");
        let note = (encoding == TextEncoding::Windows874).then_some(note);
        Ok(GameFile { name, text: text.into_owned(), note })
    }

    /// The positions of the games, or of the list. Notes and errors are printed with the name of the command.
    #[cfg(feature = "research")]
    pub(crate) fn positions(&self, rules: &CountingRules, command: &str) -> GamePositions {
        let positions = GamePositions::parse(&self.text, rules);
        let notes = self.note.iter().chain(&positions.notes).cloned();
        let errors = positions.errors.iter().map(ToString::to_string);
        for sentence in notes.chain(errors) {
            warn(&format!("makruk-probe research {command}: {}: {sentence}", self.name));
        }
        positions
    }
}

/// The sentence for a position where games are expected.
pub(crate) fn is_position(text: &str) -> String {
    format!("\"{text}\" is a position, not a game: `makruk-probe query \"{text}\"` prints its verdict")
}
