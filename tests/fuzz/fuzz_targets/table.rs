//! Any bytes as a table: opening, decoding and verifying give an error or an answer, never a crash, and agree with each
//! other.

#![no_main]

use libfuzzer_sys::fuzz_target;
use makruk_format::{AnyValue, Storage, Table, ValueList};
use makruk_rules::Color;

fuzz_target!(|data: &[u8]| {
    // No mutation would hit the checksums: the fuzzer's bytes are also tried with repaired checksums.
    for bytes in [data.to_vec(), with_checksums(data)] {
        let Ok(table) = Table::<_, AnyValue>::from_bytes(bytes, "KRvK.dtm") else { continue };
        let (slabs, last) = (table.spec().slabs(), table.positions() - 1);
        let layout = table.spec().layout();
        // Only materials of three men are read as a whole: more men would be too slow.
        let sound = last < 1 << 18 && table.verify().is_ok();
        let mut codes = Vec::new();
        for side in Color::ALL {
            let list = &table.spec().values[side];
            for slab in [0, slabs / 3, slabs / 2, slabs - 1] {
                let whole = sound && table.slab_codes(side, slab, &mut codes).is_ok();
                for offset in [0, layout.slab_len() / 3, layout.slab_len() - 1] {
                    let value = table.value(side, slab, &layout.squares_at(offset));
                    assert!(value.is_ok() || !sound || table.storage(side) == Storage::Absent);
                    let number = slab as u64 * layout.slab_len() + offset;
                    if whole && layout.position_at(side, number).is_some() {
                        assert_eq!(value.ok(), list.value(codes[offset as usize]));
                    }
                }
            }
            assert!(table.value(side, slabs, &layout.squares_at(0)).is_err());
            check_list(list);
        }
    }
});

/// Checks that the values of a list differ and that the classes of a category table have their ends in order.
fn check_list(list: &ValueList<AnyValue>) {
    if let Ok(beyond) = u16::try_from(list.len()) {
        assert_eq!(list.value(beyond), None);
    }
    let mut before = None;
    for value in list.values() {
        let is_ordered = match value {
            AnyValue::Bounds(bounds) => bounds.worst <= bounds.best,
            AnyValue::Distance(_) => true,
        };
        assert!(is_ordered && before != Some(value), "{value:?} after {before:?}");
        before = Some(value);
    }
}

/// The same bytes with the file's length and all checksums put right where there is room.
fn with_checksums(data: &[u8]) -> Vec<u8> {
    let mut bytes = data.to_vec();
    let count =
        |at: usize| data.get(at..at + 4).map_or(0, |raw| u32::from_le_bytes([raw[0], raw[1], raw[2], raw[3]]) as usize);
    let header = count(148).saturating_add(count(152)).saturating_mul(12).saturating_add(192);
    if header > bytes.len() || bytes.len() < 216 {
        return bytes;
    }
    let file_len = bytes.len() as u64;
    bytes[12..16].copy_from_slice(&(header as u32).to_le_bytes());
    bytes[16..24].copy_from_slice(&file_len.to_le_bytes());
    // A chunk has 64 KiB or 4 KiB, and four bytes of the list.
    let chunk_bytes: usize = if data[44] == 12 { 1 << 12 } else { 1 << 16 };
    let chunks = (bytes.len() - header).div_ceil(chunk_bytes + 4);
    let list = bytes.len().saturating_sub(4 * chunks).max(header);
    for chunk in 0..(bytes.len() - list) / 4 {
        let start = (header + chunk * chunk_bytes).min(list);
        let crc = crc32c::crc32c(&bytes[start..list.min(start + chunk_bytes)]);
        bytes[list + 4 * chunk..][..4].copy_from_slice(&crc.to_le_bytes());
    }
    let crc = crc32c::crc32c(&bytes[list..]);
    bytes[144..148].copy_from_slice(&crc.to_le_bytes());
    let crc = crc32c::crc32c(&bytes[..header - 4]);
    bytes[header - 4..header].copy_from_slice(&crc.to_le_bytes());
    bytes
}
