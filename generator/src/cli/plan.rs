//! `makruk-gen plan`.

use std::collections::HashSet;
use std::fmt::Write;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use makruk_generator::{MOST_MEN, SetPlan, default_threads, plan};
use makruk_tables::format::TableFolder;

use super::{Folder, Memory, Sets, Threads, gib, print, print_json};

#[derive(Args)]
pub(super) struct PlanArgs {
    #[command(flatten)]
    sets: Sets,
    #[command(flatten)]
    folder: Folder,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    memory: Memory,
    /// Print one JSON object per set.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &PlanArgs) -> Result<ExitCode> {
    // A folder that is not there yet has no tables: nothing is built.
    let path = args.folder.path();
    let folder = if path.exists() { Some(TableFolder::open_existing(path)?) } else { None };
    let threads = args.threads.number().unwrap_or_else(default_threads);
    let memory = args.memory.bytes()?;
    let mut plans = Vec::new();
    let mut refused = HashSet::new();
    for set in args.sets.in_build_order()? {
        let mut plan = plan(set, folder.as_ref(), threads);
        let fits = plan.built || memory.is_none_or(|memory| plan.memory_bytes <= memory);
        plan.buildable &= fits && !plan.children.iter().any(|child| refused.contains(child));
        if !plan.buildable {
            refused.insert(plan.material.clone());
        }
        plans.push(plan);
    }
    if args.json {
        plans.iter().try_for_each(print_json)?;
    } else {
        print(&text(&plans, memory)?);
    }
    Ok(ExitCode::SUCCESS)
}

fn text(plans: &[SetPlan], memory: Option<u64>) -> Result<String, std::fmt::Error> {
    let mut out = String::new();
    let mib = |bytes: u64| bytes.div_ceil(1 << 20);
    writeln!(out, "{:<12} {:>16} {:>12} {:>12} {:>12}", "set", "positions", "memory MiB", "disk MiB", "working MiB")?;
    for plan in plans {
        writeln!(
            out,
            "{:<12} {:>16} {:>12} {:>12} {:>12}  {}",
            plan.material,
            plan.positions,
            mib(plan.memory_bytes),
            mib(plan.disk_bytes),
            mib(plan.working_bytes),
            state(plan, memory)
        )?;
    }
    let built = plans.iter().filter(|plan| plan.built).count();
    let most = |of: fn(&SetPlan) -> u64| plans.iter().map(of).max().unwrap_or(0);
    writeln!(out)?;
    writeln!(out, "{} sets, {built} of them built, {} positions", plans.len(), sum(plans, |plan| plan.positions))?;
    writeln!(
        out,
        "memory: {:.2} GiB for the largest; disk: {:.2} GiB in all, and at most {:.2} GiB more while one is built",
        gib(most(|plan| plan.memory_bytes)),
        gib(sum(plans, |plan| plan.disk_bytes)),
        gib(most(|plan| plan.working_bytes)),
    )?;
    writeln!(out, "work: {:.3e} position-passes", sum(plans, |plan| plan.work) as f64)?;
    if let Some(memory) = memory {
        let fitting = plans.iter().filter(|plan| plan.buildable).count();
        writeln!(out, "{fitting} of the {} sets can be built within {:.2} GiB", plans.len(), gib(memory))?;
    }
    Ok(out)
}

fn sum(plans: &[SetPlan], of: fn(&SetPlan) -> u64) -> u64 {
    plans.iter().map(of).sum()
}

fn state(plan: &SetPlan, memory: Option<u64>) -> String {
    if plan.built {
        "built".to_owned()
    } else if plan.men > MOST_MEN {
        format!("more than {MOST_MEN} men cannot be built")
    } else if plan.buildable {
        if memory.is_some() { "fits".to_owned() } else { String::new() }
    } else {
        "does not fit".to_owned()
    }
}
