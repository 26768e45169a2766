//! The table file from outside: what is written is read, and what is broken is reported.

#![allow(clippy::unwrap_used)] // helpers outside of test functions

use std::fs;
use std::path::Path;

use makruk_tables::format::{
    CodeWidth, Codes, EncodedBlock, FormatError, Kind, MappedTable, Metric, Problem, Spec, SpecError, Table,
    TableFolder, TableName, TableWriter, Value, ValueList, sweep_orphans,
};
use makruk_tables::index::Symmetry;
use makruk_tables::rules::{ByColor, Color};
use proptest::prelude::*;

/// The codes of both sides.
type AllCodes = ByColor<Vec<u16>>;

/// A list of `len` values: a draw, then wins and losses.
fn list(len: usize) -> ValueList {
    let wins = (len - 1).div_ceil(2);
    let win = |n: usize| Value::Win(2 * n as u16 + 1);
    let loss = |n: usize| Value::Loss(2 * n as u16);
    let values = [Value::Draw].into_iter().chain((0..wins).map(win)).chain((0..len - 1 - wins).map(loss));
    ValueList::new(values.enumerate().map(|(at, value)| (value, at as u64 + 1)).collect()).unwrap()
}

fn spec(slabs: u64, slab_len: u64, block_len: u32, lens: [usize; 2]) -> Spec {
    Spec {
        material: "KRvK".to_owned(),
        metric: Metric::Dtm,
        slice: 0,
        symmetry: Symmetry::EightFold,
        rules: "makruk".to_owned(),
        generator: "test 1".to_owned(),
        axes: "R".to_owned(),
        slabs,
        slab_len,
        block_len,
        values: ByColor { white: list(lens[0]), black: list(lens[1]) },
    }
}

fn encode(spec: &Spec, side: Color, codes: &[u16]) -> Vec<EncodedBlock> {
    let chunks = codes.chunks(spec.block_len as usize);
    match spec.values[side].width() {
        CodeWidth::Constant => Vec::new(),
        CodeWidth::One => chunks
            .map(|chunk| chunk.iter().map(|&code| code as u8).collect::<Vec<_>>())
            .map(|chunk| EncodedBlock::encode(Codes::One(&chunk), 3))
            .collect(),
        CodeWidth::Two => chunks.map(|chunk| EncodedBlock::encode(Codes::Two(chunk), 3)).collect(),
    }
}

fn write(folder: &Path, spec: &Spec, codes: &AllCodes) -> Vec<u8> {
    let mut writer = TableWriter::create(folder, spec.clone()).unwrap();
    for side in Color::ALL {
        for block in encode(spec, side, &codes[side]) {
            writer.push(side, &block).unwrap();
        }
    }
    let written = writer.finish().unwrap();
    let bytes = fs::read(&written.path).unwrap();
    assert_eq!(written.bytes, bytes.len() as u64);
    bytes
}

/// Codes without much order, all of them within the lists.
fn some_codes(spec: &Spec) -> AllCodes {
    ByColor::from_fn(|side| {
        let values = spec.values[side].len() as u64;
        (0..spec.positions()).map(|at| (at * at / 7 % values) as u16).collect()
    })
}

/// A table of 40 + 40 positions in blocks of 16, one side with one-byte codes, the other with two-byte ones.
fn small(folder: &Path) -> (Spec, AllCodes, Vec<u8>) {
    let spec = spec(4, 10, 16, [5, 257]);
    let codes = some_codes(&spec);
    let bytes = write(folder, &spec, &codes);
    (spec, codes, bytes)
}

fn open(bytes: &[u8]) -> Result<Table<&[u8]>, FormatError> {
    Table::from_bytes(bytes, "KRvK.dtm")
}

/// Every value of both sides, one by one; the first error.
fn all_values<B: AsRef<[u8]>>(table: &Table<B>) -> Result<ByColor<Vec<Value>>, FormatError> {
    let side = |side| (0..table.positions()).map(|position| table.value(side, position)).collect::<Result<Vec<_>, _>>();
    Ok(ByColor { white: side(Color::White)?, black: side(Color::Black)? })
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
    // 156 fixed, 12 for each value, 4 for the checksum; no blocks, no index.
    let constant = spec(462, 64, 1 << 15, [1, 1]);
    assert_eq!(write(folder.path(), &constant, &ByColor::default()).len(), 156 + 2 * 12 + 4);
    // 3 + 3 blocks.
    let (_, _, bytes) = small(folder.path());
    let header = 156 + (5 + 257) * 12 + 4;
    assert_eq!(bytes[12..16], (header as u32).to_le_bytes());
    let first_block = u64::from_le_bytes(bytes[header..header + 8].try_into().unwrap());
    assert_eq!(first_block, header as u64 + 6 * 16);
    assert_eq!(bytes[16..24], (bytes.len() as u64).to_le_bytes());
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
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read(
        slabs in 1u64..6,
        slab_len in 1u64..300,
        block_len in 1u32..400,
        white in prop::sample::select(vec![1usize, 2, 3, 255, 256, 257, 700]),
        black in prop::sample::select(vec![1usize, 2, 3, 255, 256, 257, 700]),
        seed in any::<u64>(),
        from in 0u64..1800,
        len in 0u64..1800,
    ) {
        let spec = spec(slabs, slab_len, block_len, [white, black]);
        let codes: AllCodes = ByColor::from_fn(|side| {
            let mut state = seed | 1;
            (0..spec.positions()).map(|_| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                ((state >> 33) % spec.values[side].len() as u64) as u16
            }).collect()
        });
        let folder = tempfile::tempdir().unwrap();
        let bytes = write(folder.path(), &spec, &codes);
        prop_assert_eq!(&bytes, &write(folder.path(), &spec, &codes), "the same bytes again");
        let table = MappedTable::open(&folder.path().join("KRvK.dtm")).unwrap();
        prop_assert_eq!(table.spec(), &spec);
        let blocks = spec.stored_blocks(Color::White) + spec.stored_blocks(Color::Black);
        let verified = table.verify().unwrap();
        prop_assert_eq!((verified.blocks, verified.bytes), (blocks, bytes.len() as u64));
        let values = all_values(&table).unwrap();
        let range = from.min(spec.positions())..(from + len).min(spec.positions());
        for side in Color::ALL {
            let expected: Vec<Value> =
                codes[side].iter().map(|&code| spec.values[side].value(code).unwrap()).collect();
            prop_assert_eq!(&values[side], &expected);
            let places = range.start as usize..range.end as usize;
            let mut run = vec![Value::Loss(2)];
            table.decode_range(side, range.clone(), &mut run).unwrap();
            prop_assert_eq!(&run[..], &expected[places.clone()]);
            let mut run = vec![9];
            table.decode_codes(side, range.clone(), &mut run).unwrap();
            prop_assert_eq!(&run[..], &codes[side][places]);
            prop_assert!(table.value(side, spec.positions()).is_err());
            prop_assert!(table.value(side, u64::MAX).is_err());
            prop_assert!(table.decode_block(side, u64::MAX, &mut Vec::new()).is_err());
        }
    }

    #[test]
    fn no_bytes_panic(mut bytes in prop::collection::vec(any::<u8>(), 0..600), start in 0usize..30) {
        let folder = tempfile::tempdir().unwrap();
        let (_, _, sound) = small(folder.path());
        // A sound beginning, then anything: far enough in, only the checksums can tell.
        let keep = (start * 100).min(sound.len());
        bytes.splice(0..0, sound[..keep].iter().copied());
        prop_assert!(open(&bytes).is_err());
    }
}

#[test]
fn every_flipped_byte_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let (_, _, sound) = small(folder.path());
    let right = all_values(&open(&sound).unwrap()).unwrap();
    for at in 0..sound.len() {
        for mask in [0x01, 0x10, 0x80, 0xff] {
            let mut bytes = sound.clone();
            bytes[at] ^= mask;
            let Ok(table) = open(&bytes) else { continue };
            let error = table.verify().expect_err("a flipped byte beyond the header");
            assert_eq!(error.kind(), Kind::Corrupt, "{error}");
            // Position by position: right, or an error. Never wrong.
            let mut errors = 0;
            for side in Color::ALL {
                for position in 0..table.positions() {
                    match table.value(side, position) {
                        Ok(value) => assert_eq!(value, right[side][position as usize], "byte {at}"),
                        Err(error) => {
                            assert_eq!(error.kind(), Kind::Corrupt, "{error}");
                            errors += 1;
                        }
                    }
                }
            }
            assert!(errors > 0, "byte {at} belongs to some block");
        }
    }
}

#[test]
fn every_truncation_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let (_, _, sound) = small(folder.path());
    for len in 0..sound.len() {
        let error = open(&sound[..len]).expect_err("a truncated file");
        assert!(matches!(error.problem(), Problem::Truncated { .. }), "{len}: {error}");
    }
    let mut long = sound;
    long.push(0);
    assert!(matches!(open(&long).unwrap_err().problem(), Problem::Overlong { .. }));
}

#[test]
fn errors_say_what_and_where_and_what_to_do() {
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
    assert_eq!(foreign.kind(), Kind::Corrupt);
    assert!(foreign.to_string().starts_with("KRvK.dtm: not a Makruk table: it begins with"), "{foreign}");
    let older = changed(8, &0u32.to_le_bytes());
    assert_eq!(older.kind(), Kind::Unsupported);
    assert_eq!(
        older.to_string(),
        "KRvK.dtm: format version (offset 8): expected 1, found 0, an older one; delete the file and `makruk-gen build KRvK`"
    );
    let newer = changed(8, &2u32.to_le_bytes());
    assert_eq!(newer.kind(), Kind::Unsupported);
    assert!(newer.to_string().contains("update this program"), "{newer}");
    // Fields that make no sense under a checksum that holds.
    let fields: [(usize, &[u8]); 12] = [
        (24, &[0; 8]),
        (24, &[0xff; 8]),
        (32, &[0xff; 8]),
        (40, &[0; 4]),
        (40, &[0xff; 4]),
        (44, &[1]),
        (46, &[2]),
        (47, &[2]),
        (48, b"KQ"),
        (79, b"x"),
        (128, b"\x00x"),
        (156, &[0, 0, 9, 0]),
    ];
    for (at, to) in fields {
        let error = changed(at, to);
        assert_eq!(error.kind(), Kind::Corrupt, "{error}");
        assert!(matches!(error.problem(), Problem::HeaderField { .. } | Problem::Spec(_)), "{at}: {error}");
    }
    assert!(matches!(changed(16, &[sound[16] ^ 1]).problem(), Problem::Truncated { .. } | Problem::Overlong { .. }));
    assert!(matches!(changed(header - 1, &[1]).problem(), Problem::HeaderChecksum { .. }));
    assert!(matches!(changed(header, &[1]).problem(), Problem::IndexChecksum { .. }));
    // A probe, too, tells a damaged index from a damaged block.
    for at in [header, header + 8, header + 12] {
        let mut bytes = sound.clone();
        bytes[at] ^= 1;
        let error = open(&bytes).unwrap().value(Color::White, 0).unwrap_err();
        assert!(matches!(error.problem(), Problem::IndexChecksum { .. }), "{error}");
    }
    let last = changed(sound.len() - 1, &[sound[sound.len() - 1] ^ 1]);
    assert!(last.to_string().starts_with("KRvK.dtm: Black block 2 (offset "), "{last}");
    assert!(matches!(last.problem(), Problem::BlockChecksum { side: Color::Black, block: 2, .. }));
}

/// A file whose one block is replaced under checksums that hold: what only the decoder can notice.
fn with_block(block: &[u8], offset: Option<u64>) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let spec = spec(1, 40, 64, [5, 1]);
    let mut bytes = write(folder.path(), &spec, &some_codes(&spec));
    let header = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    bytes.truncate(header + 16);
    bytes.extend_from_slice(block);
    let offset = offset.unwrap_or(header as u64 + 16);
    bytes[header..header + 8].copy_from_slice(&offset.to_le_bytes());
    bytes[header + 8..header + 12].copy_from_slice(&(block.len() as u32).to_le_bytes());
    bytes[header + 12..header + 16].copy_from_slice(&crc32c::crc32c(block).to_le_bytes());
    let index = crc32c::crc32c(&bytes[header..header + 16]);
    bytes[144..148].copy_from_slice(&index.to_le_bytes());
    let len = bytes.len() as u64;
    bytes[16..24].copy_from_slice(&len.to_le_bytes());
    reseal(&mut bytes);
    bytes
}

#[test]
fn blocks_that_lie_under_good_checksums() {
    let pack = |codes: &[u8]| zstd::bulk::compress(codes, 3).unwrap();
    let problem = |bytes: &[u8]| {
        let table = open(bytes).unwrap();
        let probe = table.value(Color::White, 0);
        let error = table.verify().unwrap_err();
        assert_eq!(error.kind(), Kind::Corrupt, "{error}");
        (format!("{:?}", error.problem()).split([' ', '(']).next().unwrap().to_owned(), probe.is_err())
    };
    assert!(open(&with_block(&pack(&[1; 40]), None)).unwrap().verify().is_ok());
    assert_eq!(problem(&with_block(b"no frame", None)), ("Zstd".to_owned(), true));
    assert_eq!(problem(&with_block(&pack(&[1; 39]), None)), ("BlockLength".to_owned(), true));
    // A block that would fill the memory is refused before it does.
    let bomb = problem(&with_block(&pack(&vec![0; 1 << 26]), None));
    assert!(bomb.1 && ["Zstd", "BlockLength"].contains(&bomb.0.as_str()), "{bomb:?}");
    let mut codes = [1; 40];
    codes[39] = 5;
    assert_eq!(problem(&with_block(&pack(&codes), None)), ("CodeRange".to_owned(), false));
    let table = with_block(&pack(&codes), None);
    let error = open(&table).unwrap().value(Color::White, 39).unwrap_err();
    assert!(error.to_string().contains("White position 39: expected a code below 5, found 5"), "{error}");
    for offset in [0, 1 << 40, u64::MAX] {
        assert_eq!(problem(&with_block(&pack(&[1; 40]), Some(offset))), ("IndexEntry".to_owned(), true));
    }
}

#[test]
fn huge_tables_of_one_value_take_no_memory() {
    let folder = tempfile::tempdir().unwrap();
    let spec = spec(1 << 24, 1 << 24, 1 << 20, [1, 1]);
    write(folder.path(), &spec, &ByColor::default());
    let table = TableFolder::open_existing(folder.path()).unwrap().open("KRvK", Metric::Dtm).unwrap();
    assert_eq!(table.value(Color::White, (1 << 48) - 1).unwrap(), Value::Draw);
    assert_eq!(table.verify().unwrap().blocks, 0);
    assert!(table.decode_range(Color::White, 0..1 << 48, &mut Vec::new()).is_err());
}

#[test]
fn the_writer_takes_only_what_fits() {
    let folder = tempfile::tempdir().unwrap();
    let spec = spec(1, 40, 16, [5, 257]);
    let one = |len: usize| EncodedBlock::encode(Codes::One(&vec![0; len]), 1);
    let two = |len: usize| EncodedBlock::encode(Codes::Two(&vec![0; len]), 1);
    let mut writer = TableWriter::create(folder.path(), spec.clone()).unwrap();
    for (side, block) in [
        (Color::White, one(15)),
        (Color::White, one(17)),
        (Color::White, two(16)),
        (Color::Black, two(16)), // before White's are complete
    ] {
        let error = writer.push(side, &block).unwrap_err();
        assert_eq!(error.kind(), Kind::Misuse, "{error}");
    }
    for len in [16, 16, 8] {
        writer.push(Color::White, &one(len)).unwrap();
    }
    assert!(writer.push(Color::White, &one(8)).is_err(), "one too many");
    for len in [16, 16] {
        writer.push(Color::Black, &two(len)).unwrap();
    }
    let error = writer.finish().unwrap_err();
    assert!(matches!(error.problem(), Problem::BadSpec(SpecError::Block { side: Color::Black, block: 2, .. })));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "the temporary is removed");

    let bad = |change: fn(&mut Spec)| {
        let mut bad = spec.clone();
        change(&mut bad);
        let error = TableWriter::create(folder.path(), bad).unwrap_err();
        assert_eq!(error.kind(), Kind::Misuse, "{error}");
    };
    bad(|spec| spec.material = "../KRvK".to_owned());
    bad(|spec| spec.rules = String::new());
    bad(|spec| spec.generator = "x".repeat(33));
    bad(|spec| spec.axes = "PQ".to_owned());
    bad(|spec| spec.slice = 1);
    bad(|spec| spec.block_len = 0);
    bad(|spec| spec.slabs = 1 << 60);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn temporaries_come_and_go() {
    let folder = tempfile::tempdir().unwrap();
    let names = || {
        let entries = fs::read_dir(folder.path()).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect::<Vec<_>>()
    };
    let writer = TableWriter::create(folder.path(), spec(1, 40, 16, [5, 5])).unwrap();
    let [name] = &names()[..] else { panic!("one temporary") };
    assert!(name.starts_with(&format!(".KRvK.dtm.{}-", std::process::id())) && name.ends_with(".tmp"), "{name}");
    assert_eq!(sweep_orphans(folder.path()).unwrap(), [] as [&Path; 0], "a live writer's file stays");
    drop(writer);
    assert!(names().is_empty());

    let orphan = folder.path().join(".KRvK.dtm.4194305-0.tmp");
    for other in ["KRvK.dtm", ".KRvK.dtm.tmp", ".KRvK.dtm.12.tmp", "notes.tmp", ".x-1.tmp"] {
        fs::write(folder.path().join(other), "").unwrap();
    }
    fs::write(&orphan, "half a table").unwrap();
    assert_eq!(sweep_orphans(folder.path()).unwrap(), [orphan.as_path()]);
    assert!(!orphan.exists());
    assert_eq!(names().len(), 5);
}

#[test]
fn a_folder_answers_for_its_tables() {
    let here = tempfile::tempdir().unwrap();
    let path = here.path().join("deep/tables");
    let missing = TableFolder::open_existing(&path).unwrap_err();
    assert_eq!(missing.kind(), Kind::Missing);
    assert!(missing.to_string().contains("the table folder does not exist; name another with --tables"), "{missing}");
    let folder = TableFolder::create(&path).unwrap();
    assert_eq!(fs::read_dir(&path).unwrap().count(), 0, "trying to write leaves nothing behind");

    let error = folder.open("KRvK", Metric::Dtm).unwrap_err();
    assert_eq!(error.kind(), Kind::Missing);
    assert!(
        error.to_string().ends_with("KRvK.dtm: there is no such table; `makruk-gen build KRvK` makes it"),
        "{error}"
    );
    assert_eq!(folder.open("../KRvK", Metric::Dtm).unwrap_err().kind(), Kind::Misuse);

    small(folder.path());
    assert!(folder.contains("KRvK", Metric::Dtm) && !folder.contains("KRvK", Metric::Dtz));
    assert!(folder.open("KRvK", Metric::Dtm).unwrap().verify().is_ok());
    // Another table under a table's name, by set and by metric; and no table at all. The sound one stays usable.
    fs::copy(folder.path_of("KRvK", Metric::Dtm), folder.path_of("KNvK", Metric::Dtm)).unwrap();
    fs::copy(folder.path_of("KRvK", Metric::Dtm), folder.path_of("KRvK", Metric::Dtz)).unwrap();
    fs::write(folder.path_of("KSvK", Metric::Dtm), "").unwrap();
    fs::write(path.join("notes.txt"), "").unwrap();
    fs::create_dir(folder.path_of("KMvK", Metric::Dtm)).unwrap();
    for (material, metric) in [("KNvK", Metric::Dtm), ("KRvK", Metric::Dtz)] {
        let error = folder.open(material, metric).unwrap_err();
        assert_eq!(error.kind(), Kind::Corrupt);
        assert!(error.to_string().contains("the table inside is KRvK.dtm: expected"), "{error}");
    }
    assert!(matches!(folder.open("KSvK", Metric::Dtm).unwrap_err().problem(), Problem::Truncated { .. }));
    assert_eq!(folder.open("KMvK", Metric::Dtm).unwrap_err().kind(), Kind::Io);
    assert!(folder.open("KRvK", Metric::Dtm).is_ok());
    let listed: Vec<String> = folder.list().unwrap().iter().map(TableName::to_string).collect();
    assert_eq!(listed, ["KNvK.dtm", "KRvK.dtm", "KRvK.dtz", "KSvK.dtm"]);

    let file = path.join("notes.txt");
    for error in [TableFolder::open_existing(&file).unwrap_err(), TableFolder::create(&file).unwrap_err()] {
        assert!(matches!(error.problem(), Problem::NotAFolder), "{error}");
    }
    fs::remove_dir_all(&path).unwrap();
    let gone = TableWriter::create(&path, spec(1, 40, 16, [5, 5])).unwrap_err();
    assert_eq!(gone.kind(), Kind::Io);
    assert!(gone.to_string().contains("is gone"), "{gone}");
}

#[cfg(unix)]
#[test]
fn a_read_only_folder_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
    // The superuser may write anyway.
    if fs::write(folder.path().join("trial"), "").is_err() {
        let error = TableFolder::create(folder.path()).unwrap_err();
        assert_eq!(error.kind(), Kind::Io);
        let text = error.to_string();
        assert!(text.contains(folder.path().to_str().unwrap()) && text.contains("change its permissions"), "{text}");
    }
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_table_of_another_shape_is_refused_for_its_set() {
    let layout = makruk_tables::index::Layout::new("KRvK".parse().unwrap());
    let place = tempfile::tempdir().unwrap();
    let folder = makruk_tables::format::TableFolder::open_existing(place.path()).unwrap();
    let sound = spec(462, 64, 1 << 15, [1, 1]);
    write(place.path(), &sound, &some_codes(&sound));
    assert_eq!(folder.open_set(&layout, Metric::Dtm).unwrap().positions(), 462 * 64);
    let symmetry = Symmetry::Mirror;
    let axes = "N".to_owned();
    for other in [
        spec(461, 64, 64, [1, 1]),
        spec(462, 63, 64, [1, 1]),
        Spec { symmetry, ..sound.clone() },
        Spec { axes, ..sound },
    ] {
        write(place.path(), &other, &some_codes(&other));
        let error = folder.open_set(&layout, Metric::Dtm).unwrap_err();
        assert!(matches!(error.problem(), Problem::Shape { .. }) && error.kind() == Kind::Corrupt, "{error}");
    }
}
