//! The format is little-endian on every machine. The numbers of a golden file are where FORMAT.md has them, and no
//! source depends on the machine's order of bytes or on the width of its words.

use std::fs;
use std::path::{Path, PathBuf};

use makruk_tables::format::{AnyValue, TableFolder};

use crate::common::id;

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Memory that is read as a number without a word about the order of its bytes.
const NATIVE: [&str; 10] = [
    "_ne_bytes",
    "_be_bytes",
    "transmute",
    "align_to",
    "from_raw_parts",
    "read_unaligned",
    "write_unaligned",
    "target_endian",
    "bytemuck",
    "usize::from_le_bytes",
];

#[test]
fn every_number_is_read_with_its_order_of_bytes() {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    assert!(files.len() > 50, "{} files", files.len());
    let mut little = 0;
    // The handler of a signal calls a function by its address: no number is read there.
    for file in files.into_iter().filter(|file| !file.ends_with("truncation.rs")) {
        let text = fs::read_to_string(&file).unwrap();
        little += text.matches("_le_bytes").count();
        for word in NATIVE {
            assert!(!text.contains(word), "{} has {word}", file.display());
        }
    }
    assert!(little > 5, "numbers are read by from_le_bytes");
}

#[test]
fn the_numbers_of_a_golden_header_have_the_least_byte_first() {
    let folder = TableFolder::open_existing(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")).unwrap();
    for name in ["KMvK.dtm", "KMvK.dtz", "KMvK.category"] {
        let table = folder.open::<AnyValue>(id(name)).unwrap();
        let bytes = fs::read(folder.path_of(id(name))).unwrap();
        let number =
            |at: std::ops::Range<usize>| bytes[at].iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
        assert_eq!(number(8..12), 6, "the version");
        assert_eq!(number(12..16), 192 + 12 * (3 + 2), "the header's length");
        assert!(number(16..24) == bytes.len() as u64 && bytes.len() > 255, "the file's length");
        assert_eq!(table.header().file_len(), bytes.len() as u64);
        let header = number(12..16) as usize;
        assert_eq!(u64::from(table.header().checksum()), number(header - 4..header), "{name}");
    }
}
