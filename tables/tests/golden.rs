//! A table in the repository, read by this crate and by `FORMAT.md` alone.

#![allow(clippy::unwrap_used)] // helpers outside of test functions

use std::fs;
use std::path::{Path, PathBuf};

use makruk_tables::format::{
    Codes, EncodedBlock, FORMAT_VERSION, Metric, Spec, TableFolder, TableWriter, Value, ValueList,
};
use makruk_tables::index::Symmetry;
use makruk_tables::rules::{ByColor, Color};

const BYTES: usize = 315;
const POSITIONS: u64 = 70;

fn golden() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// No real table: three values with White to move, one with Black, in blocks of 32.
fn spec() -> Spec {
    let white = vec![(Value::Draw, 1000), (Value::Win(1), 20), (Value::Loss(358), 3_000_000_000)];
    Spec {
        material: "KNMvK".to_owned(),
        metric: Metric::Dtz,
        slice: 0,
        symmetry: Symmetry::EightFold,
        rules: "makruk".to_owned(),
        generator: "golden 1".to_owned(),
        axes: "NM".to_owned(),
        slabs: 7,
        slab_len: 10,
        block_len: 32,
        values: ByColor {
            white: ValueList::new(white).unwrap(),
            black: ValueList::new(vec![(Value::Loss(0), 12)]).unwrap(),
        },
    }
}

fn code(position: u64) -> u8 {
    (position * position / 5 % 3) as u8
}

fn write(folder: &Path) {
    let mut writer = TableWriter::create(folder, spec()).unwrap();
    let codes: Vec<u8> = (0..POSITIONS).map(code).collect();
    for block in codes.chunks(32) {
        writer.push(Color::White, &EncodedBlock::encode(Codes::One(block), 19)).unwrap();
    }
    writer.finish().unwrap();
}

/// After a change of the format, `GOLDEN=write cargo test -p makruk-tables --test golden` writes the file anew.
#[test]
fn the_golden_table_is_what_is_written() {
    if std::env::var_os("GOLDEN").is_some_and(|what| what == "write") {
        write(&golden());
    }
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    let (ours, theirs) = (fs::read(folder.path().join("KNMvK.dtz")), fs::read(golden().join("KNMvK.dtz")));
    assert_eq!(ours.unwrap(), theirs.unwrap(), "the format has changed, or the version of zstd in Cargo.lock");
}

#[test]
fn the_golden_table_reads() {
    let table = TableFolder::open_existing(golden()).unwrap().open("KNMvK", Metric::Dtz).unwrap();
    assert_eq!(table.spec(), &spec());
    assert_eq!(table.verify().unwrap().bytes, BYTES as u64);
    for position in 0..POSITIONS {
        let expected = spec().values.white.value(code(position).into()).unwrap();
        assert_eq!(table.value(Color::White, position).unwrap(), expected);
        assert_eq!(table.value(Color::Black, position).unwrap(), Value::Loss(0));
    }
}

/// What `FORMAT.md` says, in its order, with nothing of this crate's.
#[test]
fn the_golden_table_is_as_the_page_says() {
    let file = fs::read(golden().join("KNMvK.dtz")).unwrap();
    let number =
        |at: usize, bytes: usize| file[at..at + bytes].iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
    let text = |at: usize, bytes: usize| {
        let end = file[at..at + bytes].iter().position(|&byte| byte == 0).unwrap_or(bytes);
        assert!(file[at + end..at + bytes].iter().all(|&byte| byte == 0));
        std::str::from_utf8(&file[at..at + end]).unwrap()
    };
    assert_eq!(checksum(b"123456789"), 0xe306_9283);

    assert_eq!(file.len(), BYTES);
    assert_eq!(file[..8], [0x89, 0x4d, 0x4b, 0x54, 0x0d, 0x0a, 0x1a, 0x0a]);
    assert_eq!(number(8, 4), u64::from(FORMAT_VERSION));
    let header = 160 + 12 * (3 + 1);
    assert_eq!(number(12, 4), header as u64);
    assert_eq!(number(16, 8), file.len() as u64);
    assert_eq!((number(24, 8), number(32, 8), number(40, 4)), (7, 10, 32));
    assert_eq!((number(44, 2), number(46, 1), number(47, 1)), (0, 1, 1));
    assert_eq!((text(48, 32), text(80, 16), text(96, 32), text(128, 16)), ("KNMvK", "makruk", "golden 1", "NM"));
    assert_eq!((number(148, 4), number(152, 4)), (3, 1));
    let entry = |at: usize| (number(at, 2), number(at + 2, 2), number(at + 4, 8));
    assert_eq!(entry(156), (0, 0, 1000));
    assert_eq!(entry(168), (1, 1, 20));
    assert_eq!(entry(180), (358, 2, 3_000_000_000));
    assert_eq!(entry(192), (0, 2, 12));
    assert_eq!(number(204, 4), u64::from(checksum(&file[..204])));

    let blocks = 70usize.div_ceil(32);
    let first = header + 16 * blocks;
    assert_eq!(number(144, 4), u64::from(checksum(&file[header..first])));
    let mut end = first;
    let mut codes = Vec::new();
    for block in 0..blocks {
        let at = header + 16 * block;
        let (offset, length) = (number(at, 8) as usize, number(at + 8, 4) as usize);
        assert_eq!(offset, end);
        end += length;
        let frame = &file[offset..end];
        assert_eq!(number(at + 12, 4), u64::from(checksum(frame)));
        codes.extend(zstd::decode_all(frame).unwrap());
        assert_eq!(codes.len(), 70.min(32 * (block + 1)));
    }
    assert_eq!(end, file.len());
    assert_eq!(codes, (0..70).map(code).collect::<Vec<_>>());
}

/// CRC-32C, bit by bit.
fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = !0u32;
    for &byte in bytes {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0x82f6_3b78 } else { crc >> 1 };
        }
    }
    !crc
}
