//! The lists of positions that are in the repository, and their manifest.

use std::collections::BTreeMap;
use std::fs;

use makruk_research::ListKind;
use makruk_rules::Fen;
use makruk_tables::material::Material;
use sha2::{Digest, Sha256};

use super::tables;

/// The most bytes of a list that is in the repository.
const MOST_BYTES: usize = 32 * 1024;

#[test]
fn lists_are_as_long_as_the_manifest_says() {
    let folder = tables().join("stats");
    let manifest = fs::read_to_string(folder.join("LISTS.tsv")).unwrap();
    let mut lines = manifest.lines();
    assert_eq!(lines.next(), Some("kind\tmaterial\tpositions\tbytes\tsha256"));
    let (mut here, mut elsewhere) = (0, 0);
    let mut zugzwangs = BTreeMap::new();
    for line in lines {
        let [kind, material, positions, bytes, sha256] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        assert!(ListKind::ALL.iter().any(|known| known.name() == kind), "{line}");
        assert!(sha256.len() == 64 && sha256.bytes().all(|byte| byte.is_ascii_hexdigit()), "{line}");
        let (positions, bytes): (usize, usize) = (positions.parse().unwrap(), bytes.parse().unwrap());
        if kind == "zugzwangs" {
            zugzwangs.insert(material.to_owned(), positions);
        }
        let path = folder.join("lists").join(kind).join(format!("{material}.epd"));
        if bytes > MOST_BYTES {
            assert!(!path.exists(), "{}", path.display());
            elsewhere += 1;
            continue;
        }
        here += 1;
        let list = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!((list.len(), list.lines().count()), (bytes, positions), "{line}");
        let digest: String = Sha256::digest(&list).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(digest, sha256, "{line}");
        for line in list.lines() {
            let (fields, id) = line.split_once(" - - id \"").unwrap();
            let fen: Fen = format!("{fields} - - 0 1").parse().unwrap();
            assert_eq!(Material::of(fen.position.board()).unwrap().material.to_string(), material, "{line}");
            assert!(id.starts_with(&format!("{material}:{}:", fen.position.turn().name())), "{line}");
        }
    }
    assert!(here > 30 && elsewhere > 10, "{here} lists here, {elsewhere} elsewhere");
    // The numbers of zugzwangs, with the count or only without it, are those of the statistics.
    let statistics = super::data::Data::read(&folder);
    for (material, positions) in zugzwangs {
        let of = |column: &str| statistics.value(&format!("materials {material} white {column}"));
        let expected = of("zugzwangs_distinct") + of("zugzwangs_lifted_distinct");
        assert_eq!(positions as f64, expected, "{material}");
    }
}
