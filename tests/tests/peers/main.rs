//! Our programs and tables beside those of others: Fairy-Stockfish, pyffish, a reader of tables in Python, gRPC
//! clients, reverse proxies, Snakemake and shells. All are ignored unless asked for; `.ci/run` installs what they need.

mod c_fens;
mod c_library;
mod c_reader;
mod clients;
mod count;
mod fairy_builds;
mod fairy_patches;
mod fairy_stockfish;
mod fairy_tables;
mod format_page;
mod play;
mod proxies;
mod pyffish;
mod rules;
mod windows;
mod workflow;
