//! `uci` and `xboard`: the player for graphical interfaces.

use std::io::{BufReader, stdin, stdout};
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use makruk_player::{Settings, uci, xboard};

use crate::exit_status::SUCCESS;

/// Play over UCI: perfectly where the tables have the position, by a small search elsewhere
///
/// Options of the protocol: MakrukPath (folders of tables, separated by : or ;), MakrukUseCount, MultiPV, Hash (MiB of
/// decoded stripes), Move Overhead (ms), Ponder, UCI_AnalyseMode, UCI_Variant (makruk).
#[derive(Args, Debug)]
#[command(after_long_help = crate::manuals::UCI)]
pub(crate) struct Uci {
    #[command(flatten)]
    folders: FolderArgs,
}

/// Play over the XBoard protocol (CECP 2): perfectly where the tables have the position, by a small search elsewhere
///
/// XBoard starts it with -variant makruk. The folders of tables come from `egtpath makruk DIR`, from the option
/// MakrukPath, or from --tables.
#[derive(Args, Debug)]
#[command(after_long_help = crate::manuals::XBOARD)]
pub(crate) struct Xboard {
    #[command(flatten)]
    folders: FolderArgs,
}

/// The folders of a player's tables.
#[derive(Args, Clone, Debug)]
struct FolderArgs {
    /// A folder of tables, repeated for several; otherwise MAKRUK_TABLES, ./tables/data or `tables` beside the program
    /// if it exists, or the user's data folder
    #[arg(long, value_name = "DIR")]
    tables: Vec<PathBuf>,
}

impl FolderArgs {
    fn settings(&self) -> Settings {
        Settings { folders: self.tables.clone(), ..Settings::default() }
    }
}

impl Uci {
    pub(crate) fn run(&self) -> anyhow::Result<u8> {
        uci(BufReader::new(stdin()), stdout(), self.folders.settings()).context("cannot read standard input")?;
        Ok(SUCCESS)
    }
}

impl Xboard {
    pub(crate) fn run(&self) -> anyhow::Result<u8> {
        xboard(BufReader::new(stdin()), stdout(), self.folders.settings()).context("cannot read standard input")?;
        Ok(SUCCESS)
    }
}
