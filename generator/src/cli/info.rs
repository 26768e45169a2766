//! The command `makruk-gen info`.

use std::fmt::Write;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use makruk_format::TableFolder;
use makruk_generator::{MaterialInfo, MetricInfo, counted};
use makruk_rules::{CountingRules, printable};
use makruk_tables::material::Material;
use makruk_tables::value::Metric;

use super::arguments::{Folder, refuse_bare_kings};
use super::print::{print, print_json};

#[derive(Args)]
pub(super) struct InfoArgs {
    /// A material, such as KRRvKR; without one, the materials that have tables in the folder are listed.
    #[arg(value_name = "MATERIAL")]
    material: Option<Material>,
    #[command(flatten)]
    folder: Folder,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &InfoArgs) -> Result<ExitCode> {
    let folder = args.folder.open()?;
    let Some(material) = args.material else { return list(&folder, args.json) };
    refuse_bare_kings(&[material])?;
    let info = MaterialInfo::read(&folder, material, &CountingRules::MAKRUK)?;
    if args.json {
        print_json(&info)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = format!("{}\n", info.material);
    write_metric(&mut text, Metric::Dtm, &info.dtm)?;
    match &info.dtz {
        Some(dtz) => write_metric(&mut text, Metric::Dtz, dtz)?,
        None => writeln!(text, "  against a bare king DTZ is DTM")?,
    }
    print(&text);
    Ok(ExitCode::SUCCESS)
}

/// The winner's moves in the plies of a distance.
fn moves(plies: u16) -> String {
    counted(plies.div_ceil(2).into(), "move")
}

/// The tables of a material that are there.
#[derive(serde::Serialize)]
struct Listed {
    material: String,
    men: usize,
    tables: Vec<&'static str>,
    bytes: u64,
}

/// Prints the materials whose tables are there, by their files alone.
fn list(folder: &TableFolder, json: bool) -> Result<ExitCode> {
    let ids = folder.list()?;
    let place = printable(&folder.path().to_string_lossy());
    anyhow::ensure!(!ids.is_empty(), "{place} has no tables; --tables names another folder");
    let mut listed: Vec<Listed> = Vec::new();
    for id in ids {
        let material = id.material.to_string();
        if listed.last().is_none_or(|last| last.material != material) {
            listed.push(Listed { men: id.material.men(), material, tables: Vec::new(), bytes: 0 });
        }
        let bytes = std::fs::metadata(folder.path().join(id.to_string()))?.len();
        if let Some(last) = listed.last_mut() {
            last.tables.push(id.metric.name());
            last.bytes += bytes;
        }
    }
    if json {
        listed.iter().try_for_each(print_json)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = String::new();
    for Listed { material, tables, bytes, .. } in &listed {
        writeln!(text, "{material:<10} {bytes:>12} bytes  {}", tables.join(", "))?;
    }
    let (tables, bytes) = listed.iter().fold((0, 0), |(n, bytes), one| (n + one.tables.len(), bytes + one.bytes));
    let materials = counted(listed.len() as u64, "material");
    writeln!(text, "{materials}, {}, {bytes} bytes in {place}", counted(tables as u64, "table"))?;
    print(&text);
    Ok(ExitCode::SUCCESS)
}

fn write_metric(text: &mut String, metric: Metric, info: &MetricInfo) -> std::fmt::Result {
    let is_mate = metric == Metric::Dtm;
    let (title, what) = match is_mate {
        true => ("distance to mate (DTM)", "mate"),
        false => ("distance to the conversion that settles the count (DTZ)", "conversion"),
    };
    writeln!(text, "  {title}, {} bytes", info.bytes)?;
    for (name, side) in [("White", &info.white), ("Black", &info.black)] {
        // A conversion that comes too late is none.
        let longest = |plies| if is_mate { format!(" (longest mate {})", moves(plies)) } else { String::new() };
        writeln!(
            text,
            "    {name} to move: {} won{}, {} drawn, {} lost{}",
            side.win,
            longest(side.max_win_plies),
            side.draw,
            side.loss,
            longest(side.max_loss_plies),
        )?;
        if let (Some(win), Some(loss), Some(longest)) =
            (side.win_within_count, side.loss_within_count, side.max_win_within_count_plies)
        {
            let longest = moves(longest);
            writeln!(text, "      within the count, begun now: {win} won (longest {what} {longest}), {loss} lost")?;
        }
    }
    Ok(())
}
