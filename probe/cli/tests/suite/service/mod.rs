//! `serve` as a process. The tests of the service itself are in its crate; these use their clients.

#[path = "../../../../service/src/tests/client.rs"]
mod client;
#[path = "../../../../service/src/tests/frames.rs"]
#[allow(dead_code)]
mod frames;
#[path = "../../../../service/src/tests/http.rs"]
#[allow(dead_code)]
mod http;
#[cfg(target_os = "linux")]
mod memory;
mod process;
