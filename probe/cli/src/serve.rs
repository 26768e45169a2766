//! `serve`: the service.

mod options;
mod signals;

use std::collections::HashSet;
use std::io::{self, IsTerminal, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use makruk_console::locate;
use makruk_format::TableFolder;
use makruk_probe::Inventory;
use makruk_rules::printable;
use makruk_service::{Server, Shutdown};
use tokio::net::TcpListener;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use self::options::{LogFormat, ServeOptions, check_environment, with_variable};
pub(crate) use self::signals::stop_signal;
use super::remedy::no_tables;
use super::sentences::counted;
use super::table_builder::build_up_to;
use crate::exit_status::SUCCESS;

/// The time that the end waits for blocking work whose result is dropped.
const LAST_WORK: Duration = Duration::from_secs(1);

/// Serve the tables over gRPC and HTTP, with a page for browsers
///
/// One port has makruk.v1.Tablebase over gRPC and gRPC-web, health, reflection, JSON under /v1, metrics, and the page
/// at /.
/// Every option but --check may also be set in the environment: --in-flight is MAKRUK_SERVE_IN_FLIGHT there, and
/// --tables is MAKRUK_TABLES. Flags override the environment.
///
/// Prints "listening on ADDRESS" to standard output when it listens, and logs to standard error; RUST_LOG sets the
/// filter of the log, such as debug or warn (default: info). On SIGTERM or Ctrl-C the server reports NOT_SERVING,
/// finishes running requests and exits with 0; a second signal ends it at once. On SIGHUP it reloads its tables and
/// tokens; Windows has no SIGHUP, and tokens are read at the start alone. A call that fails has a gRPC code, a
/// google.rpc.ErrorInfo with a reason such as MISSING_TABLE, and a sentence.
#[derive(Args, Debug)]
#[command(after_long_help = crate::manuals::SERVE, mut_args = with_variable)]
pub(crate) struct Serve {
    /// Check the options, the tokens and the folder of the tables, and exit
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    options: ServeOptions,
}

impl Serve {
    /// Serves until a signal ends it.
    pub(crate) fn run(&self) -> anyhow::Result<u8> {
        let command = Serve::augment_args(clap::Command::new("serve"));
        check_environment(&command, std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()))?;
        let options = &self.options;
        check_addresses(options)?;
        let _log = log(options.log_format);
        let folder = locate(options.tables.as_deref());
        if !self.check {
            build_missing(options, &folder)?;
        }
        let tables = TableFolder::open_existing(&folder)?;
        let mut settings = options.settings();
        if !self.check {
            settings.limits.connections = allowed_connections(settings.limits.connections);
        }
        // The origins are valid.
        let server = Server::new(&folder, settings).context("--token-file")?;
        if self.check {
            let found = tables.list()?;
            let materials: HashSet<_> = found.iter().map(|id| id.material).collect();
            anyhow::ensure!(!found.is_empty(), "{}", no_tables(&folder));
            let (tables, of) =
                (counted(u32::try_from(found.len())?, "table"), counted(u32::try_from(materials.len())?, "material"));
            let place = printable(&folder.to_string_lossy());
            writeln!(io::stdout(), "{tables} of {of} in {place}; would listen on {}", options.listen)?;
            return Ok(SUCCESS);
        }
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .max_blocking_threads(options.threads())
            .build()
            .context("cannot start the threads")?;
        let ended = runtime.block_on(serve(server, options, &folder));
        runtime.shutdown_timeout(LAST_WORK);
        match ended? {
            Shutdown::Drained => tracing::info!("all requests answered"),
            Shutdown::CutOff => {
                tracing::warn!("some connections did not end within {:?}", options.settings().limits.drain);
            }
        }
        Ok(SUCCESS)
    }
}

async fn serve(server: Server, options: &ServeOptions, folder: &Path) -> anyhow::Result<Shutdown> {
    // Signals are handled before the address is printed, which a supervisor may wait for.
    let stop = stop_signal()?;
    #[cfg(unix)]
    signals::reload_signal(server.reload())?;
    let bind = async |option: &str, address: SocketAddr| -> anyhow::Result<(TcpListener, SocketAddr)> {
        let cannot = |error| cannot_listen(option, address, &error);
        let listener = TcpListener::bind(address).await.map_err(cannot)?;
        let address = listener.local_addr().map_err(cannot)?;
        Ok((listener, address))
    };
    let (listener, address) = bind("--listen", options.listen).await?;
    let mut out = std::io::stdout();
    let server = match options.admin {
        None => server,
        Some(admin) => {
            let (listener, address) = bind("--admin", admin).await?;
            tracing::info!("metrics and health at http://{address}/metrics, /healthz and /readyz");
            server.with_admin(listener)
        }
    };
    let tables = Inventory::of([folder]);
    let tokens = if options.settings().token_file.is_some() { "on" } else { "off" };
    tracing::info!(
        "listening on {address}: {} tables of up to {} men in {}; tokens {tokens}",
        tables.tables().len(),
        tables.largest(),
        printable(&folder.to_string_lossy())
    );
    // A closed standard output does not stop the server.
    let _ = writeln!(out, "listening on {address}").and_then(|()| out.flush());
    Ok(server.run(listener, Box::pin(stop)).await)
}

/// Begins the log, which ends when the guard is dropped. A slow reader of the log loses lines and does not delay the
/// server.
fn log(format: LogFormat) -> tracing_appender::non_blocking::WorkerGuard {
    let (writer, guard) = tracing_appender::non_blocking(std::io::stderr());
    // h2 warns of every frame that a client should not have sent: as many lines as clients like.
    let directives = std::env::var("RUST_LOG").unwrap_or_else(|_| "info,h2=error".to_owned());
    let log = tracing_subscriber::registry().with(log_filter(&directives));
    let lines = tracing_subscriber::fmt::layer().with_writer(writer);
    match format {
        LogFormat::Text => log.with(lines.with_ansi(std::io::stderr().is_terminal())).init(),
        LogFormat::Json => log.with(lines.json().flatten_event(true).with_span_list(false)).init(),
    }
    guard
}

/// The filter of directives such as `info,h2=error`. Those that cannot be parsed are ignored; without any, errors alone
/// are logged.
fn log_filter(directives: &str) -> Targets {
    let parsed = directives.split(',').filter(|one| !one.is_empty() && one.parse::<Targets>().is_ok());
    parsed.collect::<Vec<_>>().join(",").parse().unwrap_or_default()
}

/// Builds the missing tables that the options name.
fn build_missing(options: &ServeOptions, folder: &Path) -> anyhow::Result<()> {
    let Some(men) = options.build else { return Ok(()) };
    // A port in use is reported before a build that may take hours.
    let listener = std::net::TcpListener::bind(options.listen);
    drop(listener.map_err(|error| cannot_listen("--listen", options.listen, &error))?);
    build_up_to(men, folder)
}

/// The error of an address that an option names, with the remedy.
fn cannot_listen(option: &str, address: SocketAddr, error: &io::Error) -> anyhow::Error {
    let remedy = match error.kind() {
        io::ErrorKind::AddrInUse => {
            format!("; end the program that uses it, or give {option} another port; port 0 takes a free one")
        }
        io::ErrorKind::AddrNotAvailable => {
            format!("; give {option} an address of this machine, such as 127.0.0.1 or 0.0.0.0 (all addresses)")
        }
        io::ErrorKind::PermissionDenied => {
            format!("; give {option} a port from 1024 on, or the privilege to use lower ones")
        }
        _ => String::new(),
    };
    anyhow::anyhow!("cannot listen on {address}: {error}{remedy}")
}

/// Fails if the system allows the process fewer addresses than it takes: where an allocation fails, the process ends.
fn check_addresses(options: &ServeOptions) -> anyhow::Result<()> {
    #[cfg(target_os = "linux")]
    {
        /// Mebibytes of the program, and of the answers to a few clients.
        const PROGRAM_MIB: u64 = 96;
        let needed = PROGRAM_MIB + options.settings().cache_bytes as u64 / (1 << 20) + 2 * options.threads() as u64;
        let have = rlimit::Resource::AS.get_soft()? >> 20;
        anyhow::ensure!(
            have >= needed,
            "the system allows {have} MiB of addresses (`ulimit -v`), and the service takes {needed} MiB: allow more, or \
             give --cache-mib or --threads a smaller number"
        );
    }
    let _ = options;
    Ok(())
}

/// Raises the limit of open files, and returns the number of connections that it allows besides the tables' files:
/// with more connections, tables could not be opened.
fn allowed_connections(connections: usize) -> usize {
    /// Descriptors of everything but connections and tables, and of tables while they are opened.
    const OTHERS: usize = 32;
    /// Of tables that are read by position, this many are open at a time: the system may refuse any map.
    const TABLES: usize = 128;
    let reserved = OTHERS + TABLES;
    match rlimit::increase_nofile_limit((connections + reserved) as u64) {
        Ok(have) if have < (connections + reserved) as u64 => {
            let have = usize::try_from(have).unwrap_or(usize::MAX);
            // If there are not enough for the tables, connections have half of them.
            let allowed = have.saturating_sub(reserved).max(have.saturating_sub(OTHERS) / 2).max(1);
            tracing::warn!("the system allows {have} open files: {allowed} connections instead of {connections}");
            allowed
        }
        Ok(_) => connections,
        Err(error) => {
            tracing::warn!("cannot raise the limit of open files: {error}");
            connections
        }
    }
}
