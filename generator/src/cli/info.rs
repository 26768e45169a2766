//! The command `makruk-gen info`.

use std::fmt::Write;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use makruk_generator::{MaterialInfo, MetricInfo, counted};
use makruk_tables::material::Material;
use makruk_tables::rules::CountingRules;

use super::{Folder, print, print_json, refuse_bare_kings};

#[derive(Args)]
pub(super) struct InfoArgs {
    /// A material, such as KRRvKR.
    #[arg(value_name = "MATERIAL")]
    material: Material,
    #[command(flatten)]
    folder: Folder,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &InfoArgs) -> Result<ExitCode> {
    refuse_bare_kings(&[args.material])?;
    let info = MaterialInfo::read(&args.folder.open()?, args.material, &CountingRules::MAKRUK)?;
    if args.json {
        print_json(&info)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = format!("{}\n", info.material);
    write_metric(&mut text, "distance to mate (DTM)", &info.dtm)?;
    match &info.dtz {
        Some(dtz) => write_metric(&mut text, "distance to the conversion that settles the count (DTZ)", dtz)?,
        None => writeln!(text, "  against a bare king DTZ is DTM")?,
    }
    print(&text);
    Ok(ExitCode::SUCCESS)
}

fn write_metric(text: &mut String, title: &str, metric: &MetricInfo) -> std::fmt::Result {
    writeln!(text, "  {title}, {} bytes", metric.bytes)?;
    for (name, side) in [("White", &metric.white), ("Black", &metric.black)] {
        writeln!(
            text,
            "    {name} to move: {} won (longest {}), {} drawn, {} lost (longest {})",
            side.win,
            counted(side.max_win_plies.div_ceil(2).into(), "move"),
            side.draw,
            side.loss,
            counted((side.max_loss_plies / 2).into(), "move"),
        )?;
        if let (Some(win), Some(loss)) = (side.win_within_count, side.loss_within_count) {
            writeln!(text, "      within the count, begun now: {win} won, {loss} lost")?;
        }
    }
    Ok(())
}
