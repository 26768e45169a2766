//! The programs of `makruk-benches`: the modes of `probe-rate`, and the attacks of `makruk-torture`.

mod probe_rate;
mod torture;
