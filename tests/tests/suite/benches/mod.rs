//! The programs of `makruk-benches`: the referee, the shares and the test of matches, the modes of `probe-rate`, and
//! the attacks of
//! `makruk-torture`.

mod matches;
mod probe_rate;
mod shares;
mod sprt;
mod torture;
