//! The table file from outside: what is written is read, and what is broken is reported.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use makruk_format::value::{Metric, Value};
use makruk_format::{
    Access, FORMAT_VERSION, FileTable, Foreign, FormatError, Kind, SideCodec, Spec, StripeAddress, Table, TableFolder,
    TableWriter, ValueList,
};
use makruk_rules::{ByColor, Color};

use crate::common::{AllCodes, id, rook, some_codes, spec, value, write};
use proptest::prelude::*;

fn small(folder: &Path) -> (Spec, AllCodes, Vec<u8>) {
    let spec = rook([5, 257]);
    let codes = some_codes(&spec, 1);
    let (_, bytes) = write(folder, &spec, &codes, None);
    (spec, codes, bytes)
}

fn open(bytes: &[u8]) -> Result<Table<&[u8]>, FormatError> {
    Table::from_bytes(bytes, "KRvK.dtm")
}

#[allow(unsafe_code)]
fn mapped() -> Access {
    // SAFETY: no test changes a table in place while it is mapped.
    unsafe { Access::mapped() }
}

/// The numbers of a side's legal positions.
fn legal(spec: &Spec, side: Color) -> Vec<u64> {
    let layout = spec.layout();
    (0..spec.positions()).filter(|&number| layout.position_at(side, number).is_some()).collect()
}

/// Puts the checksum over the header right again after a change to it.
fn reseal(bytes: &mut [u8]) {
    let end = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize - 4;
    let crc = crc32c::crc32c(&bytes[..end]);
    bytes[end..end + 4].copy_from_slice(&crc.to_le_bytes());
}

#[test]
fn sizes_are_as_specified() {
    let folder = tempfile::tempdir().unwrap();
    // 188 fixed, 12 for each value, 4 for the checksum; no blocks.
    let (_, bytes) = write(folder.path(), &rook([1, 1]), &ByColor::default(), None);
    assert_eq!(bytes.len(), 188 + 2 * 12 + 4);
    let (_, _, bytes) = small(folder.path());
    let number = |at: usize, len: usize| bytes[at..at + len].iter().rev().fold(0, |n, &byte| n << 8 | u64::from(byte));
    let header = 188 + (5 + 257) * 12 + 4;
    assert_eq!(number(12, 4), header);
    assert_eq!(number(16, 8), bytes.len() as u64);
    let side = |at: usize| {
        let groups = (462 * 1u64.div_ceil(number(at + 2, 1))).div_ceil(64);
        number(at + 4, 4) + number(at + 8, 8) + (groups + 1) * 5
    };
    let body = side(156) + side(172);
    assert_eq!(bytes.len() as u64, header + body + 4 * body.div_ceil(1 << 16));
}

#[test]
fn a_value_list_counts() {
    let entries =
        vec![(Value::Draw, 7), (Value::Win(1), 2), (Value::Win(9), 0), (Value::Loss(0), 1), (Value::Loss(4), 3)];
    let list = ValueList::new(entries).unwrap();
    assert_eq!((list.won(), list.drawn(), list.lost()), (2, 7, 4));
    assert_eq!((list.max_win_plies(), list.max_loss_plies()), (1, 4), "values of fillers alone don't count");
    assert_eq!(list.code(Value::Loss(0)), Some(3));
    assert_eq!(list.code(Value::Loss(2)), None);
    for (bad, what) in [
        (vec![], "empty"),
        (vec![(Value::Draw, 1); 2], "twice"),
        (vec![(Value::Win(1), 1), (Value::Draw, 1)], "descending"),
        (vec![(Value::Win(2), 1)], "even win"),
        (vec![(Value::Loss(1), 1)], "odd loss"),
        (vec![(Value::Draw, u64::MAX), (Value::Win(1), 1)], "overflow"),
    ] {
        assert!(ValueList::new(bad).is_err(), "{what}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read(
        name in prop::sample::select(vec!["KRvK", "KSvK", "KMvK"]),
        white in prop::sample::select(vec![1usize, 2, 3, 255, 256, 257, 700]),
        black in prop::sample::select(vec![1usize, 2, 3, 255, 256, 257, 700]),
        seed in any::<u64>(),
        slab in 0usize..462,
    ) {
        let spec = spec(name, Metric::Dtm, [white, black]);
        let codes = some_codes(&spec, seed);
        let folder = tempfile::tempdir().unwrap();
        let (_, bytes) = write(folder.path(), &spec, &codes, None);
        prop_assert_eq!(&bytes, &write(folder.path(), &spec, &codes, None).1, "the same bytes again");
        let path = folder.path().join(format!("{name}.dtm"));
        let table = FileTable::<Value>::open(&path, mapped()).unwrap();
        let positional = FileTable::<Value>::open(&path, Access::positional()).unwrap();
        prop_assert_eq!(table.spec(), &spec);
        prop_assert_eq!(table.verify().unwrap().bytes, bytes.len() as u64);
        prop_assert_eq!(table.verify().unwrap(), positional.verify().unwrap());
        let start = slab as u64 * spec.slab_len();
        for side in Color::ALL {
            let (mut run, mut again) = (vec![9], Vec::new());
            table.slab_codes(side, slab, &mut run).unwrap();
            positional.slab_codes(side, slab, &mut again).unwrap();
            prop_assert_eq!(run.len() as u64, spec.slab_len());
            prop_assert_eq!(&run, &again);
            prop_assert!(run.iter().all(|&code| usize::from(code) < spec.values[side].len()));
            for number in legal(&spec, side).into_iter().step_by(3) {
                let code = codes[side][number as usize];
                let expected = spec.values[side].value(code).unwrap();
                prop_assert_eq!(value(&table, side, number).unwrap(), expected);
                if number % 16 == 3 {
                    prop_assert_eq!(value(&positional, side, number).unwrap(), expected);
                }
                if number / spec.slab_len() == slab as u64 {
                    let at = (number - start) as usize;
                    prop_assert_eq!(run[at], if spec.values[side].len() == 1 { 0 } else { code });
                }
            }
            prop_assert!(value(&table, side, spec.positions()).is_err());
            prop_assert!(value(&table, side, u64::MAX).is_err());
            prop_assert!(table.slab_codes(side, spec.slabs(), &mut run).is_err());
            prop_assert!(table.slab_codes(side, usize::MAX, &mut run).is_err());
            for address in [(usize::MAX, 0), (0, usize::MAX), (spec.slabs(), 0), (0, table.stripes(side))] {
                let (slab, stripe) = address;
                let beyond = table.stripe_codes(side, StripeAddress { slab, stripe });
                prop_assert!(beyond.is_err());
            }
        }
    }

    #[test]
    fn no_bytes_panic(mut bytes in prop::collection::vec(any::<u8>(), 0..600), start in 0usize..300) {
        let folder = tempfile::tempdir().unwrap();
        let (_, _, sound) = small(folder.path());
        // An intact beginning, then random bytes: beyond the header, only the checksums reveal them.
        let keep = (start * 100).min(sound.len());
        bytes.splice(0..0, sound[..keep].iter().copied());
        prop_assert!(open(&bytes).is_err());
    }
}

#[test]
fn a_table_that_refers_to_another() {
    let folder = tempfile::tempdir().unwrap();
    let (dtm, dtz) = (spec("KRvKN", Metric::Dtm, [30, 1]), spec("KRvKN", Metric::Dtz, [20, 7]));
    let first = some_codes(&dtm, 5);
    // Mostly the first table's codes, so that the reference helps.
    let second: AllCodes = ByColor::from_fn(|side| {
        let values = dtz.values[side].len() as u16;
        first[side]
            .iter()
            .enumerate()
            .map(|(at, code)| if at % 9 == 0 { at as u16 % values } else { (code + 3) % values })
            .collect()
    });
    let zeros = ByColor { white: first.white.clone(), black: vec![0; first.black.len()] };
    let (codecs, bytes) = write(folder.path(), &dtm, &first, None);
    let crc = open(&bytes).unwrap().header().checksum();
    let (_, own) = write(folder.path(), &dtz, &second, Some((&zeros, &codecs, crc)));
    let tables = TableFolder::open_existing(folder.path()).unwrap();
    let table = tables.clone().with_access(mapped()).open::<Value>(id("KRvKN.dtz")).unwrap();
    table.verify().unwrap();
    let positional = tables.open::<Value>(id("KRvKN.dtz")).unwrap();
    for side in Color::ALL {
        for number in legal(&dtz, side).into_iter().step_by(101) {
            let expected = dtz.values[side].value(second[side][number as usize]).unwrap();
            assert_eq!(value(&table, side, number).unwrap(), expected);
            assert_eq!(value(&positional, side, number).unwrap(), expected);
        }
    }
    // Without the reference, with another table in its place, and with its file removed.
    let alone = Table::<_, Value>::from_bytes(own.as_slice(), "KRvKN.dtz").unwrap();
    let error = value(&alone, Color::White, 40_000).unwrap_err();
    assert!(error.to_string().contains("DTM table of its material, which is not open"), "{error}");
    let other = some_codes(&dtm, 6);
    let (_, bytes) = write(folder.path(), &dtm, &other, None);
    let other = Arc::new(open(&bytes).unwrap());
    assert!(alone.with_reference(other).unwrap_err().to_string().contains("refers to a DTM table with checksum"));
    let error = tables.open::<Value>(id("KRvKN.dtz")).unwrap_err();
    assert_eq!(error.kind(), Kind::OtherBuild, "{error}");
    fs::remove_file(folder.path().join("KRvKN.dtm")).unwrap();
    let error = tables.open::<Value>(id("KRvKN.dtz")).unwrap_err();
    assert!(error.kind() == Kind::NoTable && error.to_string().contains("KRvKN.dtm"), "{error}");
}

#[test]
fn an_omitted_side_has_no_values() {
    let folder = tempfile::tempdir().unwrap();
    let spec = Spec { stored: ByColor { white: true, black: false }, ..rook([5, 9]) };
    let (_, bytes) = write(folder.path(), &spec, &some_codes(&spec, 3), None);
    let table = open(&bytes).unwrap();
    assert_eq!(table.spec(), &spec);
    table.verify().unwrap();
    assert!(value(&table, Color::White, 5).is_ok());
    for error in [
        value(&table, Color::Black, 5).unwrap_err(),
        table.slab_codes(Color::Black, 0, &mut Vec::new()).unwrap_err(),
        table.stripe_codes(Color::Black, StripeAddress { slab: 0, stripe: 0 }).unwrap_err(),
    ] {
        assert!(error.to_string().contains(": Black to move is not stored"), "{error}");
    }
}

#[test]
fn every_flipped_byte_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let (spec, codes, sound) = small(folder.path());
    let numbers = ByColor::from_fn(|side| legal(&spec, side));
    for at in (0..sound.len()).step_by(7).chain(0..300).chain(sound.len() - 20..sound.len()) {
        let mut bytes = sound.clone();
        bytes[at] ^= [0x01, 0x10, 0x80, 0xff][at % 4];
        let Ok(table) = open(&bytes) else { continue };
        let error = table.verify().expect_err("a flipped byte beyond the models");
        assert_eq!(error.kind(), Kind::Corrupt, "{error}");
        // Position by position: right, or an error. Never wrong.
        let mut errors = 0;
        for side in Color::ALL {
            for &number in numbers[side].iter().step_by(613) {
                match value(&table, side, number) {
                    Ok(value) => {
                        assert_eq!(spec.values[side].code(value), Some(codes[side][number as usize]), "byte {at}")
                    }
                    Err(error) => {
                        assert_eq!(error.kind(), Kind::Corrupt, "{error}");
                        errors += 1;
                    }
                }
            }
        }
        assert!(errors > 0, "byte {at} belongs to some 64 KiB that are read");
    }
}

#[test]
fn every_truncation_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let (_, _, sound) = small(folder.path());
    for len in (0..sound.len()).step_by(11).chain([sound.len() - 1]) {
        let error = open(&sound[..len]).expect_err("a truncated file");
        assert_eq!(error.kind(), Kind::Truncated, "{len}: {error}");
        assert!(error.to_string().contains("truncated: expected"), "{len}: {error}");
    }
    let mut long = sound;
    long.push(0);
    assert_eq!(open(&long).unwrap_err().kind(), Kind::Overlong);
}

#[test]
fn errors_name_the_problem_and_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let (_, _, sound) = small(folder.path());
    let header = u32::from_le_bytes(sound[12..16].try_into().unwrap()) as usize;
    let changed = |at: usize, to: &[u8]| {
        let mut bytes = sound.clone();
        bytes[at..at + to.len()].copy_from_slice(to);
        if at < header - 4 {
            reseal(&mut bytes);
        }
        match open(&bytes) {
            Err(error) => error,
            Ok(table) => table.verify().unwrap_err(),
        }
    };
    let foreign = changed(0, b"\x7fELF");
    assert_eq!(foreign.kind(), Kind::Foreign(Foreign::Other));
    let start = "KRvK.dtm: not a Makruk table but another file: it begins with";
    assert!(foreign.to_string().starts_with(start), "{foreign}");
    let older = changed(8, &1u32.to_le_bytes());
    assert_eq!(older.kind(), Kind::Older);
    assert_eq!(older.to_string(), "KRvK.dtm: format version (offset 8): expected 6, found 1, an older one");
    let newer = changed(8, &(FORMAT_VERSION + 1).to_le_bytes());
    assert_eq!(newer.kind(), Kind::Newer);
    assert!(newer.to_string().ends_with("expected 6, found 7, a newer one"), "{newer}");
    // Fields that make no sense under a checksum that holds.
    let fields: [(usize, &[u8]); 16] = [
        (40, &[1; 4]),
        (44, &[1]),
        (46, &[3]),
        (47, &[2]),
        (48, b"KQ"),
        (48, b"KvKR"),
        (79, b"x"),
        (128, b"\x00x"),
        (156, &[3]),
        (156, &[1]),
        (158, &[0]),
        (158, &[9]),
        (159, &[17]),
        (163, &[1]),
        (164, &[0xff; 8]),
        (188, &[0, 0, 9, 0]),
    ];
    for (at, to) in fields {
        let error = changed(at, to);
        assert_eq!(error.kind(), Kind::Corrupt, "{error}");
        assert!([" (offset ", ": header: "].iter().any(|part| error.to_string().contains(part)), "{at}: {error}");
    }
    let shapes: [(usize, &[u8]); 9] = [
        (24, &[0; 8]),
        (24, &[0xff; 8]),
        (24, &463u64.to_le_bytes()),
        (32, &[0xff; 8]),
        (32, &65u64.to_le_bytes()),
        (47, &[0]),
        (48, b"KNvK"),
        (128, b"N"),
        (157, &[1]),
    ];
    for (at, to) in shapes {
        let error = changed(at, to);
        assert!(error.to_string().contains(" for its material") && error.kind() == Kind::Corrupt, "{at}: {error}");
    }
    assert_eq!(changed(16, &[sound[16] ^ 1]).kind(), Kind::Corrupt);
    assert!(changed(header - 1, &[sound[header - 1] ^ 1]).to_string().contains(": header checksum (offset "));
    let model = changed(header, &[sound[header] ^ 1]);
    assert!(model.to_string().contains(": White's model (the chunk at offset "), "{model}");
    let list = changed(sound.len() - 1, &[sound[sound.len() - 1] ^ 1]);
    assert!(list.to_string().contains(": list of checksums (offset "), "{list}");
}

/// Recomputes all checksums after changes anywhere after the header.
fn reseal_all(bytes: &mut [u8]) {
    let header = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    // A chunk has 64 KiB and four bytes of the list.
    let chunks = (bytes.len() - header).div_ceil((1 << 16) + 4);
    let list = bytes.len() - 4 * chunks;
    for chunk in 0..chunks {
        let start = header + (chunk << 16);
        let crc = crc32c::crc32c(&bytes[start..list.min(start + (1 << 16))]);
        bytes[list + 4 * chunk..][..4].copy_from_slice(&crc.to_le_bytes());
    }
    let crc = crc32c::crc32c(&bytes[list..]);
    bytes[144..148].copy_from_slice(&crc.to_le_bytes());
    reseal(bytes);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    /// Damaged bytes under repaired checksums may give other values, but neither a crash nor a value that is in no
    /// list.
    #[test]
    fn bytes_that_lie(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20), near in any::<bool>()) {
        let folder = tempfile::tempdir().unwrap();
        let (spec, _, mut bytes) = small(folder.path());
        let header = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
        for (at, byte) in changes {
            // Near the beginning of the models, or anywhere.
            let at = header + at.index(if near { 600 } else { bytes.len() - header });
            bytes[at] = byte;
        }
        reseal_all(&mut bytes);
        if let Ok(table) = open(&bytes) {
            let sound = table.verify().is_ok();
            for side in Color::ALL {
                for number in (0..spec.positions()).step_by(97) {
                    prop_assert!(value(&table, side, number).is_ok() || !sound);
                }
            }
        }
    }
}

#[test]
fn huge_tables_of_one_value_take_no_memory() {
    let folder = tempfile::tempdir().unwrap();
    // Seven men: 1806 slabs of 64^5 positions.
    let spec = spec("KRNSMvKM", Metric::Dtm, [1, 1]);
    TableWriter::create(folder.path(), spec.clone(), &ByColor::default()).unwrap().finish(None).unwrap();
    let table = TableFolder::open_existing(folder.path()).unwrap().open::<Value>(id("KRNSMvKM.dtm")).unwrap();
    assert_eq!((table.spec().slabs(), table.spec().slab_len()), (1806, 1 << 30));
    assert_eq!(table.spec(), &spec);
    let squares = spec.layout().squares_at((1 << 30) - 1);
    assert_eq!(table.value(Color::White, 1805, &squares).unwrap(), Value::Draw);
    assert!(table.value(Color::White, 1806, &squares).is_err());
    assert_eq!(table.verify().unwrap().blocks, 0);
}

#[test]
fn the_writer_takes_only_what_fits() {
    let folder = tempfile::tempdir().unwrap();
    let spec = rook([5, 257]);
    let codes = some_codes(&spec, 1);
    let (codecs, _) = write(folder.path(), &spec, &codes, None);
    fs::remove_file(folder.path().join("KRvK.dtm")).unwrap();
    let slab =
        |side, slab: usize| codecs[side].as_ref().unwrap().encode_slab(slab, &codes[side][slab * 64..][..64], None);
    let refused = |codecs: &ByColor<Option<SideCodec>>, spec: &Spec| {
        let error = TableWriter::create(folder.path(), spec.clone(), codecs).unwrap_err();
        assert_eq!(error.kind(), Kind::Misuse, "{error}");
    };
    refused(&ByColor::default(), &spec);
    refused(&codecs, &rook([5, 1]));
    refused(&codecs.clone().swap(), &spec);
    refused(&codecs, &Spec { material: "KNvK".parse().unwrap(), ..spec.clone() });

    let mut writer = TableWriter::create(folder.path(), spec.clone(), &codecs).unwrap();
    assert_eq!(
        writer.push(Color::Black, &slab(Color::Black, 0)).unwrap_err().kind(),
        Kind::Misuse,
        "White comes first"
    );
    for number in 0..462 {
        writer.push(Color::White, &slab(Color::White, number)).unwrap();
    }
    assert!(writer.push(Color::White, &slab(Color::White, 461)).is_err(), "one too many");
    writer.push(Color::Black, &slab(Color::Black, 0)).unwrap();
    assert!(writer.push(Color::White, &slab(Color::White, 0)).is_err(), "Black has begun");
    let error = writer.finish(None).unwrap_err();
    assert!(error.to_string().contains(": Black: expected "), "{error}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "the temporary is removed");

    let bad = |change: fn(&mut Spec)| {
        let mut bad = spec.clone();
        change(&mut bad);
        refused(&codecs, &bad);
    };
    bad(|spec| spec.rules = String::new());
    bad(|spec| spec.rules = "x".repeat(17));
    bad(|spec| spec.generator = "\u{e01}".to_owned());
    bad(|spec| spec.generator = "x".repeat(33));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
