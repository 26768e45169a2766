//! The programs of `makruk-benches`: the referee and the shares of matches, the modes of `probe-rate`, and the attacks of
//! `makruk-torture`.

mod matches;
mod probe_rate;
mod shares;
mod torture;
