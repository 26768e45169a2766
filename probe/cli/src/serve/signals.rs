//! The signals that a server heeds.

use std::future::Future;

use anyhow::Context;
#[cfg(unix)]
use tokio::signal::unix::{SignalKind, signal};

/// A future that is ready on the first SIGTERM or Ctrl-C; on Windows, Ctrl-Break is what programs send each other
/// instead of SIGTERM. The second ends the process at once.
pub(crate) fn stop_signal() -> anyhow::Result<impl Future<Output = ()> + Send> {
    #[cfg(unix)]
    let watched = (signal(SignalKind::terminate()), signal(SignalKind::interrupt()));
    #[cfg(windows)]
    let watched = (tokio::signal::windows::ctrl_break(), tokio::signal::windows::ctrl_c());
    const CANNOT: &str = "cannot register the signal handlers";
    let (mut terminate, mut interrupt) = (watched.0.context(CANNOT)?, watched.1.context(CANNOT)?);
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

/// Reloads a server on every SIGHUP; SIGUSR1, SIGUSR2 and SIGALRM do nothing.
#[cfg(unix)]
pub(super) fn reload_signal(reload: std::sync::Arc<tokio::sync::Notify>) -> anyhow::Result<()> {
    let watch = |kind| signal(kind).context("cannot register the signal handlers");
    // Without a handler these end the process; programs that rotate logs send some of them.
    for kind in [SignalKind::user_defined1(), SignalKind::user_defined2(), SignalKind::alarm()] {
        let mut ignored = watch(kind)?;
        tokio::spawn(async move { while ignored.recv().await.is_some() {} });
    }
    let mut hangups = watch(SignalKind::hangup())?;
    tokio::spawn(async move {
        while hangups.recv().await.is_some() {
            reload.notify_one();
        }
    });
    Ok(())
}
