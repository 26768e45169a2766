//! The format is little-endian on every machine: no source depends on the machine's order of bytes or on the width of
//! its words. The tests of the format read the numbers of a header.

use std::fs;
use std::path::{Path, PathBuf};

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
    // The handler of a signal calls a function by its address, and texts in UTF-16 say their order: no table is read.
    for file in files.into_iter().filter(|file| !file.ends_with("truncation.rs") && !file.ends_with("encoding.rs")) {
        let text = fs::read_to_string(&file).unwrap();
        little += text.matches("_le_bytes").count();
        for word in NATIVE {
            assert!(!text.contains(word), "{} has {word}", file.display());
        }
    }
    assert!(little > 5, "numbers are read by from_le_bytes");
}
