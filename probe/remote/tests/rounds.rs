//! Questions to tables on a server, asked again until their bytes are here, against the tables themselves.

#![allow(clippy::unwrap_used)] // helpers outside of test functions

use std::fs;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use makruk_format::index::Layout;
use makruk_format::{Storage, TableFolder};
use makruk_probe::{Attempt, Prober, TableError, Tablebase, ValueSource};
use makruk_remote::{Catalogue, GiveError, PublishError, RemoteFile, RemoteProber, RemoteStore, Want, publish};
use makruk_rules::{Color, Fen};

/// A site with tables that omit Black to move.
struct Site {
    folder: tempfile::TempDir,
}

impl Site {
    /// The site that all tests ask.
    fn shared() -> &'static Site {
        static SITE: OnceLock<Site> = OnceLock::new();
        SITE.get_or_init(Site::new)
    }

    fn new() -> Site {
        let materials = test_tables::materials(&["KRvKN", "KSvK"]);
        let folder = test_tables::own(&test_tables::one_sided(materials.clone()), materials);
        let tables = TableFolder::create(folder.path()).unwrap();
        publish(&tables, folder.path(), ".", |_, _| Ok::<_, PublishError>(())).unwrap();
        Site { folder }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn store(&self, most_bytes: usize) -> RemoteStore {
        let catalogue = Catalogue::read(&fs::read(self.path().join(Catalogue::PATH)).unwrap()).unwrap();
        RemoteStore::new(catalogue, most_bytes)
    }

    /// Bytes of a file, as a server would give them.
    fn fetch(&self, want: &Want) -> Vec<u8> {
        let mut file = fs::File::open(self.path().join(want.file.to_string())).unwrap();
        file.seek(SeekFrom::Start(want.offset)).unwrap();
        let mut bytes = Vec::new();
        file.take(want.len.unwrap_or(u64::MAX)).read_to_end(&mut bytes).unwrap();
        bytes
    }

    /// Asks until all bytes are here. Returns the answer and the number of rounds.
    fn ask<P: Attempt, T>(&self, store: &RemoteStore, prober: &P, ask: impl Fn(&Prober<P::Source>) -> T) -> (T, usize) {
        for round in 0..8 {
            if let Some(answer) = prober.attempt(&ask) {
                return (answer, round);
            }
            let wants = store.take_wants();
            assert!(!wants.is_empty(), "an incomplete question wants bytes");
            for want in wants {
                store.give(want.file, want.offset, &self.fetch(&want)).unwrap();
            }
        }
        panic!("more than 8 rounds");
    }
}

fn remote(store: &RemoteStore) -> RemoteProber {
    RemoteProber::new(Tablebase::builder().store(Arc::new(store.clone())).cache_bytes(1 << 20).build())
}

/// The legal positions of a material, one of each `stride` numbers.
fn positions(material: &str, stride: u64) -> impl Iterator<Item = Fen> {
    let layout = Layout::new(material.parse().unwrap());
    let numbers = layout.slabs() as u64 * layout.slab_len();
    let all = (0..numbers).step_by(stride as usize).flat_map(move |number| {
        Color::ALL.map(|side| layout.position_at(side, number)).into_iter().flatten().collect::<Vec<_>>()
    });
    all.map(|position| Fen::new(position, None))
}

#[test]
fn remote_tables_give_the_answers_of_the_tables() {
    let site = Site::shared();
    let tables = Prober::new(Tablebase::new(site.path()));
    let id = "KRvKN.dtz".parse().unwrap();
    assert_eq!(tables.source().open(id).unwrap().side(Color::Black).storage, Storage::Absent);
    let mut worst = 0;
    for (material, stride) in [("KRvK", 431), ("KNvK", 6007), ("KSvK", 3011), ("KRvKN", 80_021)] {
        // A store of its own for each position at first, so that each is cold; then one for all.
        let shared = site.store(1 << 18);
        let shared_prober = remote(&shared);
        for (at, fen) in positions(material, stride).enumerate() {
            let store = if at % 8 == 0 { site.store(1 << 20) } else { shared.clone() };
            let prober = if at % 8 == 0 { remote(&store) } else { shared_prober.clone() };
            let ((verdict, moves), rounds) =
                site.ask(&store, &prober, |prober| (prober.probe(&fen).unwrap(), prober.moves(&fen).unwrap()));
            assert_eq!(verdict, tables.probe(&fen).unwrap(), "{fen}");
            assert_eq!(moves, tables.moves(&fen).unwrap(), "{fen}");
            worst = worst.max(rounds);
            let (bounds, rounds) =
                site.ask(&store, &prober, |prober| prober.source().category_bounds(&fen.position).unwrap());
            assert_eq!(bounds, tables.source().bounds(&fen.position).unwrap(), "{fen}");
            assert!(rounds <= 2);
        }
        assert!(shared.held_bytes() <= 1 << 18, "{}", shared.held_bytes());
    }
    assert_eq!(worst, 2, "rounds of a position with all its moves");
}

#[test]
fn damaged_bytes_are_refused_and_asked_for_again() {
    let site = Site::shared();
    let tables = Prober::new(Tablebase::new(site.path()));
    let (mut fetched, mut refused, mut of_guide) = (0_usize, 0, 0);
    for fen in positions("KRvKN", 90_001).take(40) {
        let store = site.store(1 << 20);
        let prober = remote(&store);
        let mut rounds = 0;
        let verdict = loop {
            if let Some(verdict) = prober.attempt(|prober| prober.probe(&fen)) {
                break verdict;
            }
            assert!(rounds < 40);
            rounds += 1;
            for want in store.take_wants() {
                let mut bytes = site.fetch(&want);
                assert!(store.give(want.file, want.offset, &bytes[1..]).is_err(), "{want:?}");
                fetched += 1;
                // One of three, which look random: the same piece is not damaged again and again.
                let is_damaged = ((fetched as u32).wrapping_mul(0x9e37_79b9) >> 16).is_multiple_of(3);
                match want.file {
                    _ if !is_damaged => {}
                    // Every checksum of the piece.
                    RemoteFile::Groups(_) => (5..bytes.len()).step_by(9).for_each(|at| bytes[at] ^= 1),
                    _ => {
                        let at = fetched * 31 % bytes.len();
                        bytes[at] ^= 1 << (fetched % 8);
                    }
                }
                match store.give(want.file, want.offset, &bytes) {
                    Ok(()) => assert!(!is_damaged || matches!(want.file, RemoteFile::Groups(_)), "{want:?}"),
                    Err(GiveError::Damaged { guide: Some(_), .. }) if !is_damaged => of_guide += 1,
                    Err(_) => refused += 1,
                }
            }
        };
        assert_eq!(verdict.unwrap(), tables.probe(&fen).unwrap(), "{fen}");
    }
    // A wrong checksum of the guide is noticed by the group that it is about.
    assert!(refused > 20 && of_guide > 0, "{refused} refused, {of_guide} by a damaged guide");
}

#[test]
fn a_table_that_the_server_lacks_is_missing() {
    let site = Site::shared();
    let store = site.store(1 << 20);
    let prober = Prober::new(Tablebase::builder().store(Arc::new(store)).build());
    let fen: Fen = "8/8/8/3k4/8/8/1RR5/K7 b - - 0 1".parse().unwrap();
    let error = prober.source().distances(&fen.position).unwrap_err();
    assert!(matches!(error, TableError::Missing { .. }), "{error}");
    let fen: Fen = "8/8/8/3k4/8/8/1R6/K7 b - - 0 1".parse().unwrap();
    let error = prober.source().distances(&fen.position).unwrap_err();
    assert!(error.wants_bytes(), "{error}");
}
