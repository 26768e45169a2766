//! The tables agree with the reference solver in every position: all three-men sets in both colourings, and four-men
//! sets with and without khons, with like men, with captures into other symmetries and into colour twins.

use std::time::Instant;

use makruk_tables::format::Metric;
use makruk_tables::material::Material;
use makruk_tables::rules::CountingRules;
use makruk_tests::built::{self, Decoded};
use makruk_tests::reference::{Distance, Reference};
use rayon::prelude::*;

/// Compares every position of the set, as it is named: `KvKR` is held against the table KRvK.
fn compare(name: &str) {
    let set: Material = name.parse().expect("a set");
    let folder = built::small_tables();
    let start = Instant::now();
    let mut reference = Reference::new(CountingRules::MAKRUK);
    reference.solve(name);
    let solved = start.elapsed();

    let dtm = Decoded::read(&folder, set, Metric::Dtm);
    let dtz = set.is_armed().then(|| Decoded::read(&folder, set, Metric::Dtz));
    let positions = reference
        .positions(name)
        .map(|position| {
            let expected = reference.value(&position, Distance::Mate);
            assert_eq!(dtm.value(&position).signed_plies(), expected, "DTM of {position:?}");
            let expected = reference.value(&position, Distance::Event);
            let found = dtz.as_ref().unwrap_or(&dtm).value(&position);
            assert_eq!(found.signed_plies(), expected, "DTZ of {position:?}");
        })
        .count();
    assert_eq!(2 * positions as u64, reference.legal(name));
    println!("{name}: {positions} positions agree in DTM and DTZ; solved in {:.1} s", solved.as_secs_f64());
}

#[test]
fn three_men() {
    for name in ["KRvK", "KNvK", "KSvK", "KMvK", "KvKR", "KvKN", "KvKS", "KvKM"] {
        compare(name);
    }
}

macro_rules! four_men {
    ($($test:ident $name:literal)*) => {
        $(
            #[test]
            fn $test() {
                compare($name);
            }
        )*
    };
}

four_men! {
    khon_and_met "KSMvK"
    knight_and_met "KNMvK"
    rook_against_khon "KRvKS"
    rook_against_rook "KRvKR"
    rook_against_knight "KRvKN"
    met_against_khon_a_colour_twin "KMvKS"
    two_khons "KSSvK"
    a_lone_king_against_two_rooks "KvKRR"
}
