"""The test, as the first process of its namespaces. `run` starts it."""

import shutil
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from cluster import NODES, Cluster, Failure, output
from faults import Faults
from workflow import Workflow

ROOT = Path("/run/makruk-cluster")


class Report:
    """What was done, and the seconds it took."""

    def __init__(self):
        self.begun = time.monotonic()

    def __call__(self, what, function, *arguments):
        begun = time.monotonic()
        print(f"{what} ...", flush=True)
        seen = function(*arguments)
        print(f"{time.monotonic() - begun:6.1f} s  {seen or 'done'}", flush=True)


def test(cluster, generator, snakemake):
    report = Report()
    print(f"{output('slurmctld', '-V').strip()}, two nodes; no cgroups: Slurm enforces memory by its own accounting, once a second")
    report("The cluster starts", cluster.start)
    workflow = Workflow(cluster, generator, snakemake)
    faults = Faults(cluster, workflow)

    begun = time.monotonic()
    workflow.be_greedy("KNvK")
    workflow.start()
    report("A job takes more memory than it asked for", faults.take_memory, "KNvK")
    report("A generator is killed", faults.kill_generator)
    report("A job is cancelled", faults.cancel_job)
    report("A node dies, and comes back", faults.lose_node, "node2")
    report("Snakemake is interrupted, and started again", faults.interrupt_snakemake)
    report("Snakemake is killed, and started again", faults.kill_snakemake)
    report("The workflow ends", workflow.end)
    seconds = time.monotonic() - begun
    workflow.check()
    faults.check()
    jobs = workflow.jobs()
    for node in cluster.nodes:
        if not any(job.node == node and job.state == "COMPLETED" for job in jobs):
            raise Failure(f"{node} has done no job")

    workflow.start()
    report("A second run has nothing to do", workflow.end)
    if len(workflow.jobs()) != len(jobs):
        raise Failure("the second run has started jobs")

    print(f"\nAll tables of four men are those of MANIFEST.tsv, after {seconds:.0f} s.")
    print(f"Jobs: {len(jobs)} runs; {', '.join(f'{state} {count}' for state, count in Counter(job.state for job in jobs).items())}")
    for material in faults.expected:
        runs = (f"{job.state} on {job.node}" for job in jobs if job.material == material and job.node in NODES)
        print(f"{material:>8}: {', then '.join(runs)}")
    print(f"{time.monotonic() - report.begun:.0f} s in all")


def main():
    generator, snakemake, *logs = sys.argv[1:]
    cluster = Cluster(ROOT)
    try:
        test(cluster, generator, snakemake)
    except (Failure, OSError, subprocess.SubprocessError) as failure:
        for log in sorted((ROOT / "log").glob("*.log")):
            lines = [line[:300] for line in log.read_text(errors="replace").splitlines()[-20:]]
            print(f"\n== The end of {log.name}", *lines, sep="\n", file=sys.stderr)
        sys.exit(f"\nFAILED: {failure}")
    finally:
        for source, to in ((ROOT / "log", "."), (ROOT / "work" / ".snakemake" / "slurm_logs", "jobs")):
            if logs and source.is_dir():
                shutil.copytree(source, Path(logs[0], to), dirs_exist_ok=True)


main()
