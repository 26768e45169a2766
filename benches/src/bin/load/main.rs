//! `makruk-load`: calls a running server as fast as it answers, or at a steady rate, and reports rates and latencies.
//!
//! ```sh
//! makruk-probe serve --tables TABLES &
//! makruk-load --pid $! --seconds 20                               # as fast as 4 connections of 64 calls go
//! makruk-load --pid $! --seconds 20 --rate 8000                   # a steady rate, latencies from when a call was due
//! makruk-load --pid $! --seconds 20 --ask batch --batch 500 --calls 4
//! ```
//!
//! Every answer is compared with its request. The exit status is 1 if one was wrong, or failed with anything but
//! RESOURCE_EXHAUSTED.

mod ask;
mod tally;

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Parser;
use makruk_benches::positions;
use makruk_benches::torture::memory::resident_bytes;
use tonic::transport::{Channel, Endpoint};

use self::ask::{Ask, Questions};
use self::tally::Tally;

/// Call a running server for a bounded time, and report rates and latencies
#[derive(Parser, Debug)]
#[command(name = "makruk-load", version)]
struct Options {
    /// The server
    #[arg(long, default_value = "http://127.0.0.1:50051")]
    server: String,
    /// The kind of request
    #[arg(long, value_enum, default_value_t = Ask::Probe)]
    ask: Ask,
    /// For how long
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// Connections
    #[arg(long, default_value_t = 4)]
    connections: usize,
    /// Concurrent calls on each connection
    #[arg(long, default_value_t = 64)]
    calls: usize,
    /// Calls per second in all; 0 sets no limit
    #[arg(long, default_value_t = 0)]
    rate: u64,
    /// Positions of a batch
    #[arg(long, default_value_t = 500)]
    batch: usize,
    /// Request the moves too
    #[arg(long)]
    moves: bool,
    /// Materials of the positions
    #[arg(long, value_delimiter = ',', default_value = "KRvKR,KRvKS,KNMvK,KRvK")]
    materials: Vec<String>,
    /// The server's process, to report its memory
    #[arg(long)]
    pid: Option<u32>,
}

fn main() -> anyhow::Result<ExitCode> {
    let options = Options::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(run(Arc::new(options)))
}

async fn run(options: Arc<Options>) -> anyhow::Result<ExitCode> {
    let fens = options.materials.iter().flat_map(|material| positions(material)).map(|fen| fen.to_string()).collect();
    let questions = Arc::new(Questions::new(fens, options.ask, options.batch, options.moves));
    let mut channels = Vec::new();
    for _ in 0..options.connections {
        let endpoint: Endpoint = Channel::from_shared(options.server.clone())?.tcp_nodelay(true);
        channels.push(endpoint.connect().await.with_context(|| format!("no server at {}", options.server))?);
    }
    let memory = || resident_bytes(options.pid).unwrap_or_default() >> 20;
    let before = memory();
    let begun = Instant::now();
    let until = begun + Duration::from_secs(options.seconds);
    let next = Arc::new(AtomicU64::new(0));
    let callers: Vec<_> = (0..options.calls)
        .flat_map(|_| channels.iter().cloned())
        .map(|channel| {
            let (options, questions, next) = (Arc::clone(&options), Arc::clone(&questions), Arc::clone(&next));
            tokio::spawn(async move {
                let mut tally = Tally::new();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    // Latency is measured from the time at which a call was due, so that the time a call waits for
                    // earlier ones is included.
                    let due = match options.rate {
                        0 => Instant::now(),
                        rate => begun + Duration::from_secs_f64(number as f64 / rate as f64),
                    };
                    if due >= until || Instant::now() >= until {
                        return tally;
                    }
                    tokio::time::sleep_until(due.into()).await;
                    questions.ask(&channel, number, due, &mut tally).await;
                }
            })
        })
        .collect();
    let mut tally = Tally::new();
    for caller in callers {
        tally.add(caller.await?)?;
    }
    let took = begun.elapsed();
    println!("{options:?}");
    tally.print(took);
    if options.pid.is_some() {
        println!("the server's memory: {before} MiB before, {} MiB after", memory());
    }
    Ok(if tally.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
