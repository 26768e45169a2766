//! Solves materials of at most four men with the slow reference solver, and prints the figures of each as a line of
//! JSON, in the shape of `makruk-gen info --json`.

use std::process::ExitCode;
use std::time::Instant;

use makruk_tables::rules::CountingRules;
use test_tables::reference::{NamedMaterial, Reference};

fn main() -> ExitCode {
    let names: Vec<String> = std::env::args().skip(1).collect();
    if names.is_empty() {
        eprintln!("usage: reference-totals MATERIAL...");
        return ExitCode::from(2);
    }
    let mut reference = Reference::new(CountingRules::MAKRUK);
    for name in names {
        let name = NamedMaterial::named(&name).canonical().to_string();
        let start = Instant::now();
        reference.solve(&name);
        eprintln!("{name}: {:.1} s, with the materials before it", start.elapsed().as_secs_f64());
        match serde_json::to_string(&reference.material_totals(&name)) {
            Ok(line) => println!("{line}"),
            Err(error) => {
                eprintln!("{name}: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}
