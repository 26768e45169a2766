//! The manual pages: the end of each command's help, and the command that writes all pages, for packages.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Args, Command};
use makruk_console::write_manuals;

#[derive(Args)]
pub(super) struct ManualsArgs {
    /// The folder for the files. It must exist.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub(super) fn run(args: &ManualsArgs, program: &Command) -> Result<ExitCode> {
    write_manuals(program, &args.folder).with_context(|| args.folder.display().to_string())?;
    Ok(ExitCode::SUCCESS)
}

pub(super) const PROGRAM: &str = "\
Examples:
  makruk-gen build --men 4
  makruk-gen info KRRvKR

Exit status:
  0    success
  1    the command failed; standard error gives the reason and the remedy
  2    the command line is invalid";

pub(super) const BUILD: &str = "\
A table appears under its name only when it is complete and on disk, so a build may be stopped in any way. The same command \
continues from the complete tables and removes the temporary files of killed builds (.KRRvKR.dtm.123-0.tmp). With six men it \
continues after the last finished ply (KNNvKMM.dtm.unfinished). Several builds may run in one folder at once.

Examples:
  makruk-gen build --men 4
  makruk-gen build KSSvK KRRvKR
  makruk-gen build --men 5 --tables /srv/makruk/tables --quiet

Exit status:
  0    all tables exist
  1    the build failed; standard error gives the reason and the remedy
  2    the command line is invalid
  129  stopped by SIGHUP
  130  stopped by Ctrl-C; a second one stops at once
  143  stopped by SIGTERM; a second one stops at once";

pub(super) const FETCH: &str = "\
No mirror is trusted. A table appears under its name only when its length and its SHA-256 are those of the program's own list, so a \
fetch may be stopped in any way. The same command continues where a table broke off (.KRRvKR.dtm.part). A mirror that gives other \
bytes, sends nothing for half a minute, or redirects more than five times or from https to http, is used no more, and the next one \
is tried.

Examples:
  makruk-gen fetch --from https://example.org/makruk/ --men 4
  makruk-gen fetch --from https://example.org/makruk/ --from http://localhost:8000/ KRRvKR KSSvK
  makruk-gen fetch --dry-run --men 5
  makruk-gen fetch --from https://example.org/six/ --manifest KNMMvKS.tsv KNMMvKS

Exit status:
  0    all tables are there
  1    tables are missing; standard error gives the reason and the remedy
  2    the command line is invalid
  129  stopped by SIGHUP
  130  stopped by Ctrl-C; a second one stops at once
  143  stopped by SIGTERM; a second one stops at once";

pub(super) const VERIFY: &str = "\
Examples:
  makruk-gen verify
  makruk-gen verify KRvKR
  makruk-gen verify --sample 10000 KNMMvKS
  makruk-gen verify --checksums

Exit status:
  0    the tables are right
  1    a table is wrong, damaged or missing
  2    the command line is invalid
  129  stopped by SIGHUP
  130  stopped by Ctrl-C; a second one stops at once
  143  stopped by SIGTERM; a second one stops at once";

pub(super) const INFO: &str = "\
Examples:
  makruk-gen info
  makruk-gen info KRRvKR
  makruk-gen info --json KRRvKR

Exit status:
  0    success
  1    a table is missing or damaged
  2    the command line is invalid";

pub(super) const MANIFEST: &str = "\
Examples:
  makruk-gen manifest --men 4
  makruk-gen manifest --men 5 --check tables/MANIFEST.tsv

Exit status:
  0    the list is printed, or the tables are those of --check
  1    a table is missing or damaged, or differs from --check
  2    the command line is invalid";

pub(super) const PLAN: &str = "\
Columns:
  positions    of the index, both sides to move
  memory MiB   the most memory that building it takes, within --memory
  least MiB    the least memory in which it can be built, with more time and more disk
  disk MiB     the length of its tables; an estimate if they are unlisted
  working MiB  the most disk that working files take besides, at one time
  moved MiB    what is written to working files and read from them in all
  core hours   the processor time, an estimate: the time on two cores is half of it
  (the last)   built: its tables are there; fits, does not fit: in the memory of --memory, with all materials that it needs;
               unlisted: the program's list has no checksums of its tables (tables/SIX-MEN.md)

Examples:
  makruk-gen plan --men 5
  makruk-gen plan --memory 4 KNMMvKS
  makruk-gen plan --men 6 --json

Exit status:
  0    the plan is printed
  1    the folder of the tables cannot be read
  2    the command line is invalid";
