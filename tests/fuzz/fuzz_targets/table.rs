//! Any bytes as a table: opening, decoding and verifying give an error or an answer, never a crash, and agree with each
//! other.

#![no_main]

use libfuzzer_sys::fuzz_target;
use makruk_tables::format::Table;
use makruk_tables::rules::Color;

fuzz_target!(|data: &[u8]| {
    // Past the checksums, which no mutation would hit: the fuzzer's bytes are also tried with ones that hold.
    for bytes in [data.to_vec(), with_checksums(data)] {
        let Ok(table) = Table::from_bytes(bytes, "KRvK.dtm") else { continue };
        let last = table.positions() - 1;
        // Sets of three men alone are read as a whole: more would be too slow.
        let sound = last < 1 << 18 && table.verify().is_ok();
        let mut values = Vec::new();
        for side in Color::ALL {
            for position in [0, last / 3, last / 2, last] {
                let value = table.value(side, position);
                let by_range = table.decode_range(side, position..position + 1, &mut values).is_ok();
                assert_eq!(value.as_ref().ok(), values.first().filter(|_| by_range));
                assert!(value.is_ok() || !sound || table.storage(side) == makruk_tables::format::Storage::Absent);
            }
            assert!(table.value(side, last + 1).is_err());
        }
    }
});

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
    // A chunk has 64 KiB and four bytes of the list.
    let chunks = (bytes.len() - header).div_ceil((1 << 16) + 4);
    let list = bytes.len().saturating_sub(4 * chunks).max(header);
    for chunk in 0..(bytes.len() - list) / 4 {
        let start = (header + (chunk << 16)).min(list);
        let crc = crc32c::crc32c(&bytes[start..list.min(start + (1 << 16))]);
        bytes[list + 4 * chunk..][..4].copy_from_slice(&crc.to_le_bytes());
    }
    let crc = crc32c::crc32c(&bytes[list..]);
    bytes[144..148].copy_from_slice(&crc.to_le_bytes());
    let crc = crc32c::crc32c(&bytes[..header - 4]);
    bytes[header - 4..header].copy_from_slice(&crc.to_le_bytes());
    bytes
}
