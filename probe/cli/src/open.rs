//! `open`: the page in the browser, for players.

use std::io;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread::JoinHandle;

use anyhow::Context;
use clap::Args;
use makruk_console::{locate, warn};
use makruk_format::TableFolder;
use makruk_generator::{FetchConsole, FetchLimits, Manifest, MirrorUrl, fetch, missing_tables};
use makruk_probe::Inventory;
use makruk_service::{Server, Settings};
use makruk_tables::material::Material;
use tokio::net::TcpListener;
use tokio::sync::Notify;

use super::exit_status::SUCCESS;
use super::remedy::sentence;
use super::serve::stop_signal;
use super::table_builder::build_up_to;

/// The men of the materials that are offered.
const MEN: u8 = 5;

/// Show the page in the browser, with the tables of this machine
///
/// Serves the page to this machine alone, at a free port of 127.0.0.1, prints its address, and opens it in the
/// browser. If tables of up to five men are missing, it offers to build them: `5` and Enter begins. The address of a
/// mirror and Enter fetches them instead, as `makruk-gen fetch` does. The page uses each table once it is complete, and
/// what was stopped continues next time. Enter or Ctrl-C ends it. On Windows, a double click on the program is this
/// command.
#[derive(Args, Debug)]
#[command(after_long_help = crate::manuals::OPEN)]
pub(crate) struct Open {
    /// The folder of the tables; otherwise MAKRUK_TABLES, ./tables/data or `tables` beside the program if it exists, or
    /// the user's data folder
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Fetch the missing tables of up to five men at once, from the address of a folder of tables, or of a site that
    /// `makruk-probe site` made. Several are tried in turn
    #[arg(long, value_name = "URL")]
    from: Vec<MirrorUrl>,
}

impl Open {
    /// Serves the page until it is ended.
    pub(crate) fn run(&self) -> anyhow::Result<u8> {
        let folder = locate(self.tables.as_deref());
        TableFolder::create(&folder)?;
        let runtime = tokio::runtime::Runtime::new().context("cannot start the threads")?;
        runtime.block_on(serve(&folder, self.from.clone()))?;
        // A build or a fetch that is under way is left where it is.
        runtime.shutdown_background();
        Ok(SUCCESS)
    }
}

async fn serve(folder: &Path, from: Vec<MirrorUrl>) -> anyhow::Result<()> {
    let (signal, enter) = (stop_signal()?, Arc::new(Notify::new()));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.context("cannot listen on 127.0.0.1")?;
    let page = format!("http://{}/", listener.local_addr()?);
    let server = Server::new(folder, Settings::default())?;
    warn(&format!("{page} shows the tables in {}", folder.display()));
    show(&page);
    let (folder, entered) = (folder.to_owned(), Arc::clone(&enter));
    std::thread::Builder::new().name("console".to_owned()).spawn(move || console(&folder, from, &entered))?;
    let stop = async move {
        tokio::select! {
            () = signal => {}
            () = enter.notified() => {}
        }
    };
    server.run(listener, Box::pin(stop)).await;
    Ok(())
}

/// Opens an address in the browser by the system's own command; a user can still open the printed one.
fn show(page: &str) {
    let browser = match std::env::consts::OS {
        "windows" => "explorer",
        "macos" => "open",
        _ => "xdg-open",
    };
    let started =
        Command::new(browser).arg(page).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if let Err(error) = started {
        warn(&format!("open {page} in a browser: {browser} cannot be started ({error})"));
    }
}

/// Reads lines from the console: an empty one ends the server, the number of men begins a build, an address a fetch.
/// Without a terminal a signal ends the server.
fn console(folder: &Path, from: Vec<MirrorUrl>, enter: &Notify) {
    let begin = |mirrors: Vec<MirrorUrl>| {
        let folder = folder.to_owned();
        let thread = std::thread::Builder::new().spawn(move || complete(&folder, &mirrors));
        thread.map_err(|error| warn(&format!("cannot start a thread: {error}"))).ok()
    };
    let mut work: Option<JoinHandle<()>> = None;
    if !from.is_empty() {
        work = begin(from);
    } else if lacks_tables(folder) {
        warn(&format!(
            "{MEN} and Enter builds the tables of up to {MEN} men: 4.9 GB, a quarter to half an hour on two cores"
        ));
        warn("the address of a mirror (https://...) and Enter fetches them from there");
    }
    warn("Enter ends this program");
    for line in io::stdin().lines().map_while(Result::ok) {
        let text = line.trim();
        if text.is_empty() {
            return enter.notify_one();
        }
        let mirror = if text.parse() == Ok(MEN) { None } else { Some(text.parse()) };
        match mirror.transpose() {
            Err(error) => warn(&format!("{text}: {error}")),
            Ok(_) if work.as_ref().is_some_and(|work| !work.is_finished()) => {
                warn("a build or a fetch is under way");
            }
            Ok(mirror) => work = begin(mirror.into_iter().collect()),
        }
    }
}

/// Fetches the missing tables of up to five men from mirrors, or builds them if there are none.
fn complete(folder: &Path, mirrors: &[MirrorUrl]) {
    let (verb, end) = match mirrors {
        [] => ("build", build_up_to(MEN, folder)),
        _ => ("fetch", fetch_missing(folder, mirrors)),
    };
    match end {
        Ok(()) => warn("all tables are here"),
        Err(error) => warn(&format!("makruk-probe: cannot {verb}: {}", sentence(error.as_ref()))),
    }
}

fn fetch_missing(folder: &Path, mirrors: &[MirrorUrl]) -> anyhow::Result<()> {
    let folder = TableFolder::create(folder)?;
    let mut list = Manifest::own().tables;
    list.retain(|line| line.id.material.men() <= MEN.into());
    let missing = missing_tables(Some(&folder), &list)?;
    let console = FetchConsole::new(&missing, false, Arc::default());
    Ok(fetch(&folder, &missing, mirrors, &FetchLimits::default(), &console)?)
}

/// Whether a table of up to five men is missing.
fn lacks_tables(folder: &Path) -> bool {
    let tables = Inventory::of([folder]);
    (3..=MEN.into()).flat_map(Material::all).flat_map(Material::tables).any(|id| !tables.has(id))
}

/// Whether the program was started without arguments and its console is its own, as by a double click.
#[cfg(windows)]
#[allow(unsafe_code)]
pub(crate) fn is_double_click() -> bool {
    let mut processes = [0; 2];
    // SAFETY: the length is that of the array, which the call fills with numbers of processes.
    std::env::args_os().len() == 1
        && unsafe { windows_sys::Win32::System::Console::GetConsoleProcessList(processes.as_mut_ptr(), 2) } == 1
}

/// Opens the page; after an error, keeps the window open until it was read.
#[cfg(windows)]
pub(crate) fn of_double_click(
    end: impl FnOnce(anyhow::Result<u8>) -> std::process::ExitCode,
) -> std::process::ExitCode {
    let result = Open { tables: None, from: Vec::new() }.run();
    let failed = result.is_err();
    let status = end(result);
    if failed {
        warn("Enter closes this window");
        let _ = io::stdin().read_line(&mut String::new());
    }
    status
}
