//! The tables agree with the reference solver in every position of all three-men materials, in both colourings, and of
//! some with four men. These are with and without khons and pawns, with like men, with captures and promotions into
//! other symmetries and into colour-flipped materials. So what `facts` says of the tables holds of the solver too.

mod pawns;

use std::time::Instant;

use makruk_rules::CountingRules;
use makruk_tables::material::Material;
use makruk_tables::value::Metric;
use makruk_tests::whole_table::Decoded;
use rayon::prelude::*;
use test_tables::reference::{Distance, Reference};

/// Compares every position of the material, as it is named: `KvKR` is compared with the table KRvK.
fn compare(name: &str) {
    let material: Material = name.parse().expect("a material");
    let folder = test_tables::usual([material]);
    let start = Instant::now();
    let mut reference = Reference::new(CountingRules::MAKRUK);
    reference.solve(name);
    let solved = start.elapsed();

    let dtm = Decoded::read(&folder, material, Metric::Dtm);
    let dtz = material.has_dtz().then(|| Decoded::read(&folder, material, Metric::Dtz));
    let positions = reference
        .positions(name)
        .map(|position| {
            let expected = reference.value(&position, Distance::Mate);
            assert_eq!(dtm.value(&position).signed_plies(), expected, "DTM of {position:?}");
            let expected = reference.value(&position, Distance::Conversion);
            let found = dtz.as_ref().unwrap_or(&dtm).value(&position);
            assert_eq!(found.signed_plies(), expected, "DTZ of {position:?}");
        })
        .count();
    assert_eq!(2 * positions as u64, reference.legal(name));
    println!("{name}: {positions} positions agree in DTM and DTZ; solved in {:.1} s", solved.as_secs_f64());
}

#[test]
fn four_materials_of_three_men() {
    ["KRvK", "KSvK", "KvKM", "KPvK"].into_iter().for_each(compare);
}

#[test]
#[ignore = "the other materials of three men, in both colours: some seconds"]
fn all_three_men() {
    ["KNvK", "KMvK", "KvKR", "KvKN", "KvKS", "KvKP"].into_iter().for_each(compare);
}

#[test]
#[ignore = "more of the same, for many minutes"]
fn more_of_four_men() {
    let pawnless = ["KNMvK", "KNNvK", "KMMvK", "KSMvK", "KSSvK", "KRvKR", "KRvKN", "KRvKS", "KMvKS", "KvKRR"];
    let pawnful = ["KPPvK", "KRPvK", "KNPvK", "KSPvK", "KMPvK", "KRvKP", "KvKPS", "KNvKP", "KSvKP", "KMvKP", "KPvKP"];
    pawnless.into_iter().chain(pawnful).for_each(compare);
}
