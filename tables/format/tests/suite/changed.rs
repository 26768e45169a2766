//! Bytes of a watched table that another program changes through a map of its own: the file's time stays as it was.

#![allow(unsafe_code)]

use std::fs::{self, OpenOptions};

use makruk_format::value::Value;
use makruk_format::{Access, Kind, StripeAddress, TableFolder, survive_truncated_tables};
use makruk_rules::Color;
use memmap2::MmapMut;

use crate::common::{id, rook, some_codes, write};

#[test]
fn an_answer_comes_from_bytes_that_were_checked() {
    let folder = tempfile::tempdir().unwrap();
    let spec = rook([5, 257]);
    write(folder.path(), &spec, &some_codes(&spec, 1), None);
    let path = folder.path().join("KRvK.dtm");
    let file = OpenOptions::new().read(true).write(true).open(&path).unwrap();
    // SAFETY: no reference to the map's bytes outlives a statement, and the table copies the file's by no code of Rust.
    let mut other = unsafe { MmapMut::map_mut(&file).unwrap() };
    // A page that is dirty already: the system notes no further change of it.
    for at in (0..other.len()).step_by(512) {
        other[at] = std::hint::black_box(other[at]);
    }
    let before = fs::metadata(&path).unwrap().modified().unwrap();
    for handler in [survive_truncated_tables().ok(), None] {
        let folder = TableFolder::open_existing(folder.path()).unwrap().with_access(Access::watched(handler));
        let table = folder.open::<Value>(id("KRvK.dtm")).unwrap();
        let read = || -> Vec<_> {
            let slab = |slab: usize| {
                let mut codes = Vec::new();
                let slabs = table.slab_codes(Color::Black, slab, &mut codes).map(|()| codes);
                let stripe = StripeAddress { slab, stripe: 0 };
                [slabs, table.stripe_codes(Color::Black, stripe).map(|stripes| stripes.concat())]
            };
            (0..462).flat_map(slab).map(|codes| codes.map_err(|error| error.kind())).collect()
        };
        let right = read();
        assert!(right.iter().all(Result::is_ok));
        // The header and the list of checksums were read when the table was opened.
        let places: Vec<usize> = (1000..other.len()).step_by(4000).collect();
        places.iter().for_each(|&at| other[at] ^= 0x10);
        let changed = read();
        places.iter().for_each(|&at| other[at] ^= 0x10);
        assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), before, "the system noted the change");
        let refused = changed.iter().filter(|codes| **codes == Err(Kind::Changed)).count();
        assert!(refused > 10, "{refused}");
        assert!(changed.iter().zip(&right).all(|(found, right)| found == right || *found == Err(Kind::Changed)));
        assert_eq!(read(), right, "the bytes are as they were");
    }
}
