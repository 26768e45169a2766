//! The command `makruk-gen plan`.

use std::collections::HashSet;
use std::fmt::Write;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use makruk_format::TableFolder;
use makruk_generator::{Gib, MaterialPlan, counted, plans};

use super::allowed_memory::AllowedMemory;
use super::arguments::PlannedBuild;
use super::print::{print, print_json};

#[derive(Args)]
pub(super) struct PlanArgs {
    #[command(flatten)]
    build: PlannedBuild,
    /// Print one JSON object for each material.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &PlanArgs) -> Result<ExitCode> {
    // A folder that does not exist yet has no tables.
    let path = args.build.folder.path();
    let folder = if path.exists() { Some(TableFolder::open_existing(path)?) } else { None };
    let options = args.build.options()?;
    let materials = args.build.materials.in_build_order()?;
    let mut plans: Vec<MaterialPlan> = plans(&materials, folder.as_ref(), &options).collect();
    let mut refused = HashSet::new();
    for plan in &mut plans {
        plan.buildable |= plan.built;
        plan.buildable &= !plan.children.iter().any(|child| refused.contains(child));
        if !plan.buildable {
            refused.insert(plan.material.clone());
        }
    }
    if args.json {
        plans.iter().try_for_each(print_json)?;
    } else {
        print(&text(&plans, options.memory)?);
    }
    Ok(ExitCode::SUCCESS)
}

fn text(plans: &[MaterialPlan], memory: Option<u64>) -> Result<String, std::fmt::Error> {
    let mut out = String::new();
    let mib = |bytes: u64| bytes.div_ceil(1 << 20);
    writeln!(
        out,
        "{:<12} {:>16} {:>12} {:>12} {:>12} {:>12} {:>12} {:>10}",
        "material", "positions", "memory MiB", "least MiB", "disk MiB", "working MiB", "moved MiB", "core hours"
    )?;
    for plan in plans {
        writeln!(
            out,
            "{:<12} {:>16} {:>12} {:>12} {:>12} {:>12} {:>12} {:>10.2}  {}{}",
            plan.material,
            plan.positions,
            mib(plan.memory_bytes),
            mib(plan.least_memory_bytes),
            mib(plan.disk_bytes),
            mib(plan.working_bytes),
            mib(plan.moved_bytes),
            plan.core_seconds / 3600.0,
            state(plan, memory),
            if plan.listed { "" } else { " unlisted" }
        )?;
    }
    let built = plans.iter().filter(|plan| plan.built).count();
    let most = |of: fn(&MaterialPlan) -> u64| plans.iter().map(of).max().unwrap_or(0);
    writeln!(out)?;
    let (materials, positions) = (counted(plans.len() as u64, "material"), sum(plans, |plan| plan.positions));
    writeln!(out, "{materials}, {built} built, {positions} positions")?;
    writeln!(
        out,
        "memory: {} for the largest, {} at least; disk: {} in all, and at most {} more while one is built",
        Gib(most(|plan| plan.memory_bytes)),
        Gib(most(|plan| plan.least_memory_bytes)),
        Gib(sum(plans, |plan| plan.disk_bytes)),
        Gib(most(|plan| plan.working_bytes)),
    )?;
    writeln!(
        out,
        "work: {:.2} core hours; working files: {} written and read",
        plans.iter().map(|plan| plan.core_seconds).sum::<f64>() / 3600.0,
        Gib(sum(plans, |plan| plan.moved_bytes)),
    )?;
    let unlisted = plans.iter().filter(|plan| !plan.listed).count() as u64;
    if unlisted > 0 {
        writeln!(out, "{} not in the program's list", counted(unlisted, "material"))?;
    }
    writeln!(out, "a build here may take {}", AllowedMemory::here())?;
    if let Some(memory) = memory {
        let fitting = plans.iter().filter(|plan| plan.buildable).count();
        writeln!(out, "{fitting} of {} can be built within {}", counted(plans.len() as u64, "material"), Gib(memory))?;
    }
    Ok(out)
}

fn sum(plans: &[MaterialPlan], of: fn(&MaterialPlan) -> u64) -> u64 {
    plans.iter().map(of).sum()
}

fn state(plan: &MaterialPlan, memory: Option<u64>) -> String {
    if plan.built {
        "built".to_owned()
    } else if plan.buildable {
        if memory.is_some() { "fits".to_owned() } else { String::new() }
    } else {
        "does not fit".to_owned()
    }
}
