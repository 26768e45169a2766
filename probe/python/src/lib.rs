//! The prober as a Python module.
//!
//! `README.md`, beside this crate's manifest, has an example and lists all classes; `makruk_probe.pyi` is the manual.

mod category;
mod definition;
mod error;
mod position_text;
mod tablebase;
mod tables;
mod verdict;

use pyo3::prelude::*;

/// The endgame tablebase of Makruk (Thai chess).
#[pymodule]
fn makruk_probe(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<tablebase::Tablebase>()?;
    category::add(module)?;
    module.add_function(wrap_pyfunction!(tablebase::open_tablebase, module)?)?;
    module.add_class::<verdict::Count>()?;
    module.add_class::<verdict::Verdict>()?;
    module.add_class::<verdict::Move>()?;
    tablebase::count_forks(module)?;
    error::add(module)
}
