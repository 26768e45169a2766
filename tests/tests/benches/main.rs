//! The programs of `makruk-benches`: the referee of matches, the modes of `probe-rate`, and the attacks of `makruk-torture`.

mod matches;
mod probe_rate;
mod torture;
