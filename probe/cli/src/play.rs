//! `uci` and `xboard`: the player for graphical interfaces.

use std::io::{BufReader, stdin, stdout};
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use makruk_player::{Settings, uci, xboard};

use super::SUCCESS;

/// Play over UCI: perfect in the tables and within the count, a small search elsewhere
///
/// Options of the protocol: MakrukPath (folders of tables, separated by : or ;), MakrukUseCount, MultiPV, Hash (MiB of
/// decoded boards), Move Overhead (ms), Ponder, UCI_AnalyseMode, UCI_Variant (makruk).
#[derive(Args, Debug)]
pub(super) struct Uci {
    #[command(flatten)]
    folders: Folders,
}

/// Play over the XBoard protocol (CECP 2): perfect in the tables and within the count, a small search elsewhere
///
/// Give it to XBoard with -variant makruk. Folders of tables come from `egtpath makruk DIR`, from the option MakrukPath, or
/// from --tables.
#[derive(Args, Debug)]
pub(super) struct Xboard {
    #[command(flatten)]
    folders: Folders,
}

/// Where the tables are.
#[derive(Args, Clone, Debug)]
struct Folders {
    /// A folder of tables, several times for several; else MAKRUK_TABLES, ./tables/data if it is there, or the user's data
    /// folder
    #[arg(long, value_name = "DIR")]
    tables: Vec<PathBuf>,
}

impl Folders {
    fn settings(&self) -> Settings {
        Settings { folders: self.tables.clone(), ..Settings::default() }
    }
}

impl Uci {
    pub(super) fn run(&self) -> anyhow::Result<u8> {
        uci(BufReader::new(stdin()), stdout(), self.folders.settings()).context("standard input can't be read")?;
        Ok(SUCCESS)
    }
}

impl Xboard {
    pub(super) fn run(&self) -> anyhow::Result<u8> {
        xboard(BufReader::new(stdin()), stdout(), self.folders.settings()).context("standard input can't be read")?;
        Ok(SUCCESS)
    }
}
