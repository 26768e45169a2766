//! `serve`: the gRPC service.

use std::io::{IsTerminal, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
#[cfg(feature = "build")]
use makruk_generator::{Console, MOST_MEN, Options, build};
use makruk_probe::service::{Limits, Server, Shutdown};
use makruk_probe::{Prober, Tables};
use makruk_tables::format::{TableFolder, locate};
use tracing_subscriber::EnvFilter;

use super::SUCCESS;

/// How long blocking work that nobody waits for any more may hold up the end.
const LAST_WORK: Duration = Duration::from_secs(1);

/// Answer over gRPC: makruk.v1.Tablebase, health and reflection
///
/// Prints "listening on ADDRESS" to standard output when it does, and logs to standard error; RUST_LOG says what, such as
/// debug or warn (default: info). SIGTERM and Ctrl-C end it: requests under way are answered first; a second one ends it
/// at once. A call that fails has a gRPC code, a google.rpc.ErrorInfo with a reason such as MISSING_TABLE, and a sentence.
#[derive(Args, Debug)]
pub(super) struct Serve {
    /// The folder of the tables; else MAKRUK_TABLES, ./tables/data if it is there, or the user's data folder. Tables that
    /// are added to it are found without a restart
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Address and port to listen on; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:50051")]
    listen: SocketAddr,
    /// First build what is missing of all sets of 3 to N men, kings included
    #[cfg(feature = "build")]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(3..=MOST_MEN as i64))]
    build: Option<u8>,
    /// Requests in work at a time, waiting or running; more are turned away with RESOURCE_EXHAUSTED
    #[arg(long, value_name = "REQUESTS", default_value_t = Limits::IN_FLIGHT as u32,
        value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    in_flight: u32,
    /// Threads that probe, which may wait for the disk; 4 for each core if not given
    #[arg(long, value_name = "THREADS", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Bytes of a request's message; a longer one fails with OUT_OF_RANGE
    #[arg(long, value_name = "BYTES", default_value_t = Limits::MESSAGE_BYTES as u32,
        value_parser = clap::value_parser!(u32).range(256..=1 << 24))]
    message_bytes: u32,
    /// Milliseconds for a request; a slower one fails with DEADLINE_EXCEEDED. A client's own deadline holds if it is shorter
    #[arg(long, value_name = "MS", default_value_t = Limits::DEADLINE.as_millis() as u32,
        value_parser = clap::value_parser!(u32).range(1..))]
    deadline_ms: u32,
    /// Milliseconds for a new connection to begin as HTTP/2 does; then it is closed
    #[arg(long, value_name = "MS", default_value_t = Limits::HANDSHAKE.as_millis() as u32,
        value_parser = clap::value_parser!(u32).range(1..))]
    handshake_ms: u32,
    /// Milliseconds that requests under way have to end when the server is told to
    #[arg(long, value_name = "MS", default_value_t = Limits::DRAIN.as_millis() as u32)]
    drain_ms: u32,
}

impl Serve {
    pub(super) fn run(&self) -> anyhow::Result<u8> {
        let filter = EnvFilter::builder().with_default_directive(tracing::Level::INFO.into()).from_env_lossy();
        let ansi = std::io::stderr().is_terminal();
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(ansi).init();
        let folder = locate(self.tables.as_deref());
        self.build(&folder)?;
        TableFolder::open_existing(&folder)?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .max_blocking_threads(self.threads())
            .build()
            .context("the threads could not be started")?;
        let ended = runtime.block_on(self.serve(folder));
        runtime.shutdown_timeout(LAST_WORK);
        match ended? {
            Shutdown::Drained => tracing::info!("all requests answered"),
            Shutdown::CutOff => tracing::warn!("{} ms were not enough for all connections to end", self.drain_ms),
        }
        Ok(SUCCESS)
    }

    async fn serve(&self, folder: PathBuf) -> anyhow::Result<Shutdown> {
        // Watched for before anyone can know that there is something to stop.
        let stop = stop_signal()?;
        let listener = tokio::net::TcpListener::bind(self.listen).await.with_context(|| self.cannot_listen())?;
        let address = listener.local_addr().with_context(|| self.cannot_listen())?;
        tracing::info!(%address, tables = %folder.display(), limits = ?self.limits(), "listening");
        // Whoever started this without reading its output still wants it to serve.
        let mut out = std::io::stdout();
        let _ = writeln!(out, "listening on {address}").and_then(|()| out.flush());
        let server = Server::new(Prober::new(Tables::new(folder)), self.limits());
        Ok(server.run(listener, stop).await?)
    }

    /// Builds what was asked for.
    #[cfg(feature = "build")]
    fn build(&self, folder: &std::path::Path) -> anyhow::Result<()> {
        let Some(men) = self.build else { return Ok(()) };
        // A port that is taken shows before a build that may take hours.
        drop(std::net::TcpListener::bind(self.listen).with_context(|| self.cannot_listen())?);
        let sets = (3..=usize::from(men)).flat_map(makruk_tables::material::Material::all);
        let console = Console::new(std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false)));
        build(&TableFolder::create(folder)?, sets, &Options::default(), &console)?;
        Ok(())
    }

    #[cfg(not(feature = "build"))]
    fn build(&self, _: &std::path::Path) -> anyhow::Result<()> {
        Ok(())
    }

    fn cannot_listen(&self) -> String {
        format!("can't listen on {}", self.listen)
    }

    fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(|| 4 * cores(), usize::from)
    }

    fn limits(&self) -> Limits {
        Limits {
            in_flight: self.in_flight as usize,
            message_bytes: self.message_bytes as usize,
            deadline: Duration::from_millis(self.deadline_ms.into()),
            handshake: Duration::from_millis(self.handshake_ms.into()),
            drain: Duration::from_millis(self.drain_ms.into()),
        }
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
