//! Any bytes as a table: opening, decoding and verifying give an error or an answer, never a crash, and agree with each
//! other.

#![no_main]

use libfuzzer_sys::fuzz_target;
use makruk_tables::format::Table;
use makruk_tables::rules::Color;

fuzz_target!(|data: &[u8]| {
    // Past the checksum of the header, which no mutation would hit: the fuzzer's bytes are also tried with one that holds.
    for bytes in [data.to_vec(), with_header_checksum(data)] {
        let Ok(table) = Table::from_bytes(bytes, "KRvK.dtm") else { continue };
        let sound = table.verify().is_ok();
        let last = table.positions() - 1;
        let (mut codes, mut values) = (Vec::new(), Vec::new());
        for side in Color::ALL {
            for position in [0, last / 2, last] {
                let value = table.value(side, position);
                let (block, place) = table.block_of(position);
                let by_block = table
                    .decode_block(side, block, &mut codes)
                    .and_then(|()| table.value_in(side, block, &codes, place));
                assert_eq!(value.as_ref().ok(), by_block.as_ref().ok());
                let by_range = table.decode_range(side, position..position + 1, &mut values).is_ok();
                assert_eq!(value.as_ref().ok(), values.first().filter(|_| by_range));
                assert!(value.is_ok() || !sound);
            }
            assert!(table.value(side, last + 1).is_err());
        }
    }
});

/// The same bytes with the header's length, the file's and the header's checksum put right where there is room.
fn with_header_checksum(data: &[u8]) -> Vec<u8> {
    let mut bytes = data.to_vec();
    if bytes.len() < 184 {
        return bytes;
    }
    let file_len = bytes.len() as u64;
    let count = |at: usize| u32::from_le_bytes([data[at], data[at + 1], data[at + 2], data[at + 3]]) as usize;
    let header_len = (count(148).saturating_add(count(152))).saturating_mul(12).saturating_add(160);
    if header_len > bytes.len() {
        return bytes;
    }
    bytes[12..16].copy_from_slice(&(header_len as u32).to_le_bytes());
    bytes[16..24].copy_from_slice(&file_len.to_le_bytes());
    let crc = crc32c::crc32c(&bytes[..header_len - 4]);
    bytes[header_len - 4..header_len].copy_from_slice(&crc.to_le_bytes());
    bytes
}
