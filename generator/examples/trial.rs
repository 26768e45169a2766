//! trial
use makruk_generator::*;
use makruk_tables::{
    format::{Metric, Value},
    material::Material,
    rules::{Color, CountingRules},
};
use std::time::Instant;
fn main() {
    let mut tables = MemoryTables::default();
    let wanted: Vec<Material> = std::env::args().skip(1).map(|a| a.parse().unwrap()).collect();
    for set in Material::with_descendants(wanted) {
        let t = Instant::now();
        let solved = solve_in_memory(set, &CountingRules::MAKRUK, &tables, &Silent).unwrap();
        println!("{set} {:.3}s", t.elapsed().as_secs_f64());
        for (metric, table) in solved {
            for side in Color::ALL {
                let h = table.histogram(side);
                let mut w = 0;
                let mut l = 0;
                let mut d = 0;
                let mut mw = 0;
                let mut ml = 0;
                for &(v, n) in h {
                    match v {
                        Value::Win(p) => {
                            w += n;
                            mw = mw.max(p)
                        }
                        Value::Loss(p) => {
                            l += n;
                            ml = ml.max(p)
                        }
                        Value::Draw => d += n,
                    }
                }
                println!("   {metric} {side}: win {w} (max {mw}) draw {d} loss {l} (max {ml})");
            }
            tables.insert(set, metric, table);
        }
        let _ = Metric::Dtm;
    }
}
