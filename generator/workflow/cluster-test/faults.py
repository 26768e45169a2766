"""What goes wrong on a cluster, done to the workflow that runs on it."""

import os
import re
import signal
import time

from cluster import Failure, output, wait_for


class Faults:
    def __init__(self, cluster, workflow):
        self.cluster = cluster
        self.workflow = workflow
        # How the first job of a material ended. The accounting must have that at the end, and a complete job after it.
        self.expected = {}

    def catch(self, node=None):
        return self.workflow.catch(node, self.expected)

    def states(self, material):
        return [job.state for job in self.workflow.jobs_of(material)]

    def ended(self, material, state):
        """Waits until the accounting has the material's first job with this state, which it must keep to the end."""
        self.expected[material] = state
        wait_for(f"the job of {material} is {state}", lambda: self.states(material)[:1] == [state], 60, 0.5)
        return material

    def take_memory(self, material):
        """A job takes more than it asked for. Slurm says so in the log of its slurmd, or of its slurmstepd."""
        # The job's own Snakemake reports the step that Slurm has killed.
        self.ended(material, "FAILED")
        number = self.workflow.jobs_of(material)[0].number
        logs = [self.cluster.log(node) for node in self.cluster.nodes] + list(self.workflow.job_logs(number))
        for log in logs:
            said = re.search(rf"(Job {number}|StepId={number}\.\d+) exceeded memory limit \(.*?\)", log.read_text())
            if said:
                return f"{material}: {said[0]}"
        raise Failure(f"Slurm has not killed job {number}, which took more memory than it asked for")

    def kill_generator(self):
        caught = self.catch()
        os.kill(caught.process, signal.SIGKILL)
        return self.ended(caught.material, "FAILED")

    def cancel_job(self):
        caught = self.catch()
        output("scancel", caught.job)
        return self.ended(caught.material, "CANCELLED")

    def lose_node(self, name):
        """A node dies in the middle of a job and stays away until another node has done the job."""
        caught = self.catch(name)
        begun = time.monotonic()
        self.cluster.kill_node(name)
        wait_for(f"Slurm misses {name}", lambda: self.cluster.node_state(name).startswith("down"), 60)
        missed = time.monotonic() - begun
        wait_for(f"{caught.material} is built elsewhere", lambda: "COMPLETED" in self.states(caught.material), 120, 0.5)
        built = time.monotonic() - begun
        self.cluster.start_node(name)
        wait_for(f"{name} is back", lambda: not self.cluster.node_state(name).startswith("down"), 60)
        self.expected[caught.material] = "NODE_FAIL"
        return f"{caught.material}; missed after {missed:.0f} s, built elsewhere after {built:.0f} s"

    def interrupt_snakemake(self):
        """Ctrl-C: its jobs are cancelled, and the same command continues."""
        caught = self.catch()
        begun = time.monotonic()
        self.workflow.interrupt()
        wait_for("the jobs are cancelled", lambda: not output("squeue", "-h").strip(), 30)
        cancelled = time.monotonic() - begun
        self.workflow.start()
        return f"while {caught.material} was built; no job is left after {cancelled:.0f} s"

    def kill_snakemake(self):
        """Its jobs run on; the next run of Snakemake starts jobs beside them."""
        caught = self.catch()
        self.workflow.kill()
        os.kill(caught.process, signal.SIGCONT)
        self.workflow.start("--unlock")
        self.workflow.end()
        self.workflow.start()
        return f"while {caught.material} was built"

    def check(self):
        """The accounting has every fault, and what became of it."""
        for material, expected in self.expected.items():
            first, *others = self.workflow.jobs_of(material)
            states = self.states(material)
            if first.state != expected or "COMPLETED" not in states:
                raise Failure(f"{material}: the jobs' states are {states}, expected {expected}, then COMPLETED")
            if expected == "NODE_FAIL" and others[0].number != first.number:
                raise Failure(f"{material}: job {others[0].number} was submitted beside job {first.number}, which Slurm requeues")
