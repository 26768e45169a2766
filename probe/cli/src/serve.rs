//! `serve`: the service.

mod config;

use std::io::{IsTerminal, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use clap::Args;
#[cfg(feature = "build")]
use makruk_generator::{Console, Options, build};
use makruk_locate::locate;
use makruk_service::{Reloader, Server, Shutdown, survive_truncated_tables};
use makruk_tables::format::TableFolder;
use tokio::net::TcpListener;
use tracing_subscriber::EnvFilter;

use self::config::{Config, Flags, LogFormat};
use super::SUCCESS;

/// How long blocking work that nobody waits for any more may hold up the end.
const LAST_WORK: Duration = Duration::from_secs(1);

/// Answer over gRPC, gRPC-web and HTTP on one port: makruk.v1.Tablebase, health, reflection, JSON under /v1, metrics, and a
/// page to look positions up on at /
///
/// Every option but --config and --check may also stand in a TOML file and in the environment: --in-flight is in_flight in
/// the file and MAKRUK_SERVE_IN_FLIGHT in the environment. Flags come before the environment, the environment before the
/// file, the file before the defaults.
///
/// Prints "listening on ADDRESS" to standard output when it does, and logs to standard error; RUST_LOG says what, such as
/// debug or warn (default: info). SIGTERM and Ctrl-C end it: requests under way are answered first; a second one ends it
/// at once. SIGHUP has it look at its tables, tokens and certificates again. A call that fails has a gRPC code, a
/// google.rpc.ErrorInfo with a reason such as MISSING_TABLE, and a sentence.
#[derive(Args, Debug)]
pub(super) struct Serve {
    /// A TOML file with options
    #[arg(long, value_name = "FILE", env = "MAKRUK_SERVE_CONFIG")]
    config: Option<PathBuf>,
    /// Look whether all is well with the options, the certificates and the folder of the tables, and end
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    flags: Flags,
}

impl Serve {
    pub(super) fn run(&self) -> anyhow::Result<u8> {
        let config = Config::read(&self.flags, self.config.as_deref())?;
        let _log = log(config.log_format);
        let folder = locate(config.tables.as_deref());
        if !self.check {
            build_missing(&config, &folder)?;
        }
        TableFolder::open_existing(&folder)?;
        let server = Server::new(&folder, config.settings())?;
        if self.check {
            return Ok(SUCCESS);
        }
        survive_truncated_tables().context("SIGBUS can't be caught")?;
        raise_open_files(config.settings().limits.connections as u64);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .max_blocking_threads(threads(&config))
            .build()
            .context("the threads could not be started")?;
        let ended = runtime.block_on(serve(server, &config, &folder));
        runtime.shutdown_timeout(LAST_WORK);
        match ended? {
            Shutdown::Drained => tracing::info!("all requests answered"),
            Shutdown::CutOff => {
                tracing::warn!("{:?} were not enough for all connections to end", config.settings().limits.drain);
            }
        }
        Ok(SUCCESS)
    }
}

async fn serve(server: Server, config: &Config, folder: &Path) -> anyhow::Result<Shutdown> {
    // Watched for before anyone can know that there is something to stop.
    let stop = stop_signal()?;
    reload_signal(server.reloader())?;
    let bind = async |address: SocketAddr| -> anyhow::Result<(TcpListener, SocketAddr)> {
        let cannot = || cannot_listen(address);
        let listener = TcpListener::bind(address).await.with_context(cannot)?;
        let address = listener.local_addr().with_context(cannot)?;
        Ok((listener, address))
    };
    let (listener, address) = bind(config.listen).await?;
    let mut out = std::io::stdout();
    let server = match config.admin {
        None => server,
        Some(admin) => {
            let (listener, address) = bind(admin).await?;
            tracing::info!(%address, "metrics and health");
            server.with_admin(listener)
        }
    };
    tracing::info!(%address, tables = %folder.display(), settings = ?config.settings(), "listening");
    // Whoever started this without reading its output still wants it to serve.
    let _ = writeln!(out, "listening on {address}").and_then(|()| out.flush());
    Ok(server.run(listener, stop).await)
}

/// The log ends when what is returned goes. Whoever is too slow to read it loses lines, but does not hold up the server.
fn log(format: LogFormat) -> tracing_appender::non_blocking::WorkerGuard {
    let (writer, guard) = tracing_appender::non_blocking(std::io::stderr());
    let filter = EnvFilter::builder().with_default_directive(tracing::Level::INFO.into()).from_env_lossy();
    let subscriber = tracing_subscriber::fmt().with_env_filter(filter).with_writer(writer);
    match format {
        LogFormat::Text => subscriber.with_ansi(std::io::stderr().is_terminal()).init(),
        LogFormat::Json => subscriber.json().flatten_event(true).with_span_list(false).init(),
    }
    guard
}

/// Builds what was asked for.
#[cfg(feature = "build")]
fn build_missing(config: &Config, folder: &Path) -> anyhow::Result<()> {
    let Some(men) = config.build else { return Ok(()) };
    // A port that is taken shows before a build that may take hours.
    drop(std::net::TcpListener::bind(config.listen).with_context(|| cannot_listen(config.listen))?);
    let sets = (3..=usize::from(men)).flat_map(makruk_tables::material::Material::all);
    let console = Console::new(std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false)));
    build(&TableFolder::create(folder)?, sets, &Options::default(), &console)?;
    Ok(())
}

#[cfg(not(feature = "build"))]
fn build_missing(config: &Config, _: &Path) -> anyhow::Result<()> {
    anyhow::ensure!(config.build.is_none(), "this program can't build tables: makruk-gen can");
    Ok(())
}

fn cannot_listen(address: SocketAddr) -> String {
    format!("can't listen on {address}")
}

fn threads(config: &Config) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    config.threads.map_or_else(|| 4 * cores(), usize::from)
}

/// Connections are open files, and so is what tables need for a moment.
fn raise_open_files(connections: u64) {
    const OTHERS: u64 = 256;
    match rlimit::increase_nofile_limit(connections + OTHERS) {
        Ok(have) if have < connections + OTHERS => {
            tracing::warn!("the system allows {have} open files: not enough for {connections} connections");
        }
        Ok(_) => {}
        Err(error) => tracing::warn!("the limit of open files stays as it is: {error}"),
    }
}

/// Ready when the process is told to end. The second time it ends at once.
#[cfg(unix)]
fn stop_signal() -> anyhow::Result<impl Future<Output = ()> + Send> {
    use tokio::signal::unix::{SignalKind, signal};

    let watch = |kind| signal(kind).context("signals can't be watched for");
    let (mut terminate, mut interrupt) = (watch(SignalKind::terminate())?, watch(SignalKind::interrupt())?);
    let mut next = async move || {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    };
    Ok(async move {
        next().await;
        tokio::spawn(async move {
            next().await;
            std::process::exit(130);
        });
    })
}

/// Ready when the process is told to end. The second time it ends at once.
#[cfg(not(unix))]
fn stop_signal() -> anyhow::Result<impl Future<Output = ()> + Send> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
        tokio::spawn(async {
            let _ = tokio::signal::ctrl_c().await;
            std::process::exit(130);
        });
    })
}

/// Has a server look at its files again whenever the process gets SIGHUP.
#[cfg(unix)]
fn reload_signal(reloader: Reloader) -> anyhow::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut hangups = signal(SignalKind::hangup()).context("signals can't be watched for")?;
    tokio::spawn(async move {
        while hangups.recv().await.is_some() {
            reloader.reload();
        }
    });
    Ok(())
}

/// There is no such signal.
#[cfg(not(unix))]
fn reload_signal(_: Reloader) -> anyhow::Result<()> {
    Ok(())
}
