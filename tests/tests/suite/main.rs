//! Tests that cross crates and need no other program.

mod benches;
mod category;
mod consistency;
mod count;
mod dialects;
mod documents;
mod doors;
mod end_to_end;
mod facts;
mod games_of_others;
mod generated;
mod manifest;
mod notation;
mod puzzles;
mod reference;
mod serve;
mod tablebase;
