//! `makruk-torture`: attacks a server for a bounded time, and prints which bounds held.
//!
//! ```sh
//! makruk-probe serve --tables TABLES &
//! makruk-torture --pid $!
//! ```
//!
//! Attack only your own servers: a server on another machine is attacked only with `--i-own-this-server`. The exit
//! status is 1 if a bound did not hold.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use makruk_benches::torture::report::HEAD;
use makruk_benches::torture::{ATTACKS, MOST_ADDRESSES, Target, run};

/// Attack a server for a bounded time, and print which bounds held
#[derive(Parser, Debug)]
#[command(name = "makruk-torture", version)]
struct Options {
    /// Address of the server
    #[arg(long, default_value = "127.0.0.1:50051")]
    server: SocketAddr,
    /// Allow a server that is not on this machine
    #[arg(long)]
    i_own_this_server: bool,
    /// The server's process, to measure its memory
    #[arg(long)]
    pid: Option<u32>,
    /// Seconds for each attack
    #[arg(long, default_value_t = 5)]
    seconds: u64,
    /// The most connections of an attack
    #[arg(long, default_value_t = 20)]
    connections: usize,
    /// Addresses that each attack comes from, 127.0.1.1 and those after it; with several numbers, as `2,10,100`, each
    /// attack is made with each of them
    #[arg(long, value_delimiter = ',', default_value = "10", value_parser = clap::value_parser!(u8).range(1..=MOST_ADDRESSES as i64))]
    addresses: Vec<u8>,
    /// Connections, or calls, of attacks that take all places of one kind
    #[arg(long, default_value_t = 13_000)]
    crowd: usize,
    /// The most megabytes by which the server's memory may grow
    #[arg(long, default_value_t = 400)]
    megabytes: u64,
    /// The most milliseconds that 99 of 100 innocent probes may take
    #[arg(long, default_value_t = 500)]
    latency_ms: u64,
    /// The attacks to run; all if none is named
    attacks: Vec<String>,
}

fn main() -> anyhow::Result<ExitCode> {
    let options = Options::parse();
    anyhow::ensure!(
        options.i_own_this_server || options.server.ip().is_loopback(),
        "{} is not this machine: --i-own-this-server attacks it all the same",
        options.server
    );
    for name in &options.attacks {
        anyhow::ensure!(ATTACKS.iter().any(|attack| attack.name == name), "there is no attack {name:?}");
    }
    let files = options.crowd as u64 + 1000;
    let allowed = rlimit::increase_nofile_limit(files)?;
    anyhow::ensure!(
        allowed >= files,
        "--crowd {} needs {files} open files: the system allows {allowed}",
        options.crowd
    );
    let target = Target {
        address: options.server,
        pid: options.pid,
        time: Duration::from_secs(options.seconds),
        connections: options.connections,
        addresses: 0,
        crowd: options.crowd,
        most_growth: options.megabytes * 1_000_000,
        most_latency: Duration::from_millis(options.latency_ms),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let has_held = runtime.block_on(async {
        println!("{HEAD}");
        let mut has_held = true;
        for attack in ATTACKS {
            if options.attacks.is_empty() || options.attacks.iter().any(|name| name == attack.name) {
                for &addresses in &options.addresses {
                    let outcome = run(attack, Target { addresses: addresses.into(), ..target }).await;
                    has_held &= outcome.broken.is_empty();
                    println!("{outcome}");
                }
            }
        }
        has_held
    });
    Ok(if has_held { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
