"""The workflow on the cluster: Snakemake, the generators that its jobs run, and Slurm's accounting of the jobs."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

from cluster import Failure, output, wait_for

WORKFLOW = Path(__file__).resolve().parent.parent
MANIFEST = WORKFLOW.parent.parent / "tables" / "MANIFEST.tsv"

# The generator of the test. It takes more memory than the plan says once, for a material with a file beside it.
GREEDY = """#!/bin/sh
if [ "$1" = build ] && rm "{marks}/greedy-$2" 2>/dev/null; then
    exec {python} -c 'import time; taken = b"x" * (2 << 30); time.sleep(60)'
fi
exec {generator} "$@"
"""


class Job(NamedTuple):
    """A run of a job: a job that was requeued has several."""

    number: str
    state: str
    node: str
    material: str


class Generator(NamedTuple):
    """A process that builds."""

    process: int
    material: str
    job: str


class Workflow:
    def __init__(self, cluster, generator, snakemake):
        self.cluster = cluster
        self.generator = generator
        self.snakemake = snakemake
        self.folder = cluster.root / "work"
        self.tables = self.folder / "tables"
        self.process = None
        self.program = self.folder / "makruk-gen"
        self.program.write_text(GREEDY.format(marks=self.folder, python=sys.executable, generator=generator))
        self.program.chmod(0o755)

    def command(self, *options):
        command = [self.snakemake, "--snakefile", WORKFLOW / "Snakefile"]
        command += ["--workflow-profile", WORKFLOW / "profiles" / "slurm"]
        # The jobs take seconds, and the folder is on this machine.
        command += ["--slurm-init-seconds-before-status-checks", 5, "--latency-wait", 5]
        command += [*options, "--config", "men=4", f"tables={self.tables}", f"makruk_gen={self.program}", "threads=1"]
        return list(map(str, command))

    def start(self, *options):
        with self.cluster.log("snakemake").open("ab") as log:
            self.process = subprocess.Popen(
                self.command(*options), cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )

    def end(self):
        """Waits until Snakemake has ended well: as long as jobs end, it writes or it computes, and a minute longer."""
        seen, since = None, time.monotonic()
        while self.process.poll() is None:
            now = self.progress()
            if now != seen:
                seen, since = now, time.monotonic()
            elif time.monotonic() - since > 60:
                raise Failure("Snakemake is not done, and for a minute no job has ended")
            time.sleep(0.5)
        if self.process.returncode != 0:
            raise Failure(f"Snakemake ended with status {self.process.returncode}")

    def progress(self):
        """The jobs that have ended, the length of the log, and the processor time: one grows, or it is stuck."""
        ended = sum(job.state not in ("PENDING", "RUNNING") for job in self.jobs())
        return ended, self.cluster.log("snakemake").stat().st_size, int(seconds_of(self.process.pid))

    def interrupt(self):
        os.killpg(self.process.pid, signal.SIGINT)
        self.process.wait(timeout=60)

    def kill(self):
        """Snakemake on the machine where it was started, not its jobs."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def be_greedy(self, material):
        (self.folder / f"greedy-{material}").touch()

    def jobs(self):
        """All runs of jobs, in order."""
        fields = "JobIDRaw,State,NodeList,Comment"
        jobs = []
        for line in output("sacct", "--allusers", "-D", "-X", "-P", "-n", "-S", "now-1hours", f"--format={fields}").splitlines():
            number, state, node, comment = line.split("|")
            if "_wildcards_" in comment:
                jobs.append(Job(number, state.split()[0], node, comment.rpartition("_")[2]))
        return jobs

    def job_logs(self, number):
        """What a job has printed."""
        return (self.folder / ".snakemake" / "slurm_logs").rglob(f"{number}.log")

    def jobs_of(self, material):
        return [job for job in self.jobs() if job.material == material]

    def generators(self):
        """The generators that run on the nodes."""
        for process in filter(str.isdigit, os.listdir("/proc")):
            try:
                words = Path("/proc", process, "cmdline").read_bytes().decode().split("\0")
                if words[0] != str(self.generator) or words[1] != "build":
                    continue
                environment = Path("/proc", process, "environ").read_bytes().decode().split("\0")
                job = next(word.partition("=")[2] for word in environment if word.startswith("SLURM_JOB_ID="))
                yield Generator(int(process), words[2], job)
            except (OSError, IndexError, StopIteration):
                continue

    def caught(self, node, but):
        """A generator that has begun its work and is stopped in the middle of it."""
        for found in self.generators():
            if found.material in but or (node and self.cluster.host_of(found.process) != node):
                continue
            try:
                if seconds_of(found.process) < 0.1:
                    continue
                os.kill(found.process, signal.SIGSTOP)
            except OSError:
                continue
            # Its last table is the category table.
            if not (self.tables / f"{found.material}.category").exists():
                return found
            os.kill(found.process, signal.SIGCONT)
        return None

    def catch(self, node=None, but=()):
        return wait_for(f"a job builds on {node or 'a node'}", lambda: self.caught(node, but), 90, 0.01)

    def check(self):
        """Fails unless the bytes of the tables are those of the manifest."""
        output(self.generator, "manifest", "--tables", self.tables, "--check", MANIFEST, "--men", 4)
        left = sorted(path.name for path in self.tables.iterdir() if path.name.endswith(".tmp"))
        if left:
            raise Failure(f"temporary files are left: {' '.join(left)}")


def seconds_of(process):
    """The processor time that a process has taken."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
