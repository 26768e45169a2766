//! The library against real tables of up to four men, which are built once.
#![allow(clippy::unwrap_used)]

mod analysis;
mod common;
mod policy;
mod prober;
mod source;

use fastrand::Rng;
use makruk_rules::Position;
use makruk_tables::material::Material;
use test_tables::random_position_of;
use test_tables::reference::NamedMaterial;

/// A random position of a material, in either orientation.
fn random(rng: &mut Rng, material: Material) -> Position {
    random_position_of(rng, &NamedMaterial::named(&material.to_string()))
}
