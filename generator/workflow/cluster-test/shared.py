"""Two builds at once in one folder, each from a node of its own."""

import os
import signal
import subprocess

from cluster import Failure, wait_for

MATERIAL = "KSvKP"


class SharedFolder:
    def __init__(self, cluster, workflow):
        self.cluster = cluster
        self.workflow = workflow
        self.folder = cluster.root / "work" / "shared"
        self.folder.mkdir()

    def build(self, node):
        command = ["srun", "-w", node, "-n1", "--mem=400", self.workflow.generator, "build", MATERIAL, "--tables", self.folder]
        with self.cluster.log(f"shared-{node}").open("ab") as log:
            return subprocess.Popen(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def temporaries(self):
        return {path.name for path in self.folder.glob(f".{MATERIAL}.*.tmp")}

    def stopped_while_writing(self, node):
        """The generator on a node, stopped with a table half written, and that table's temporary name."""
        if not self.temporaries():
            return None
        for found in self.workflow.generators():
            if self.cluster.host_of(found.process) == node:
                os.kill(found.process, signal.SIGSTOP)
                names = self.temporaries()
                if names:
                    return found.process, names
                os.kill(found.process, signal.SIGCONT)
        return None

    def ends(self, build, node):
        if build.wait(timeout=120) != 0:
            raise Failure(f"the build on {node} failed")

    def begin_on_node1(self):
        """A build on node1, stopped with a table half written: the build, its process, and the names of what it writes."""
        build = self.build("node1")
        process, names = wait_for("node1 writes a table", lambda: self.stopped_while_writing("node1"), 60, 0.001)
        return build, process, names

    def end_whole(self):
        self.workflow.check(MATERIAL, tables=self.folder)
        for path in self.folder.iterdir():
            path.unlink()

    def test(self):
        # Both at once.
        builds = {node: self.build(node) for node in self.cluster.nodes}
        for node, build in builds.items():
            self.ends(build, node)
        self.end_whole()

        # One stops in the middle of a table; the other builds that table too, and leaves alone what the first has begun.
        first, process, names = self.begin_on_node1()
        self.ends(self.build("node2"), "node2")
        removed = names - self.temporaries()
        if removed:
            raise Failure(f"node2 removed what node1 writes: {' '.join(removed)}")
        os.kill(process, signal.SIGCONT)
        self.ends(first, "node1")
        self.end_whole()

        # One is killed at the same point: the other removes what is left of it, and builds.
        first, process, _ = self.begin_on_node1()
        os.kill(process, signal.SIGKILL)
        first.wait(timeout=60)
        self.ends(self.build("node2"), "node2")
        self.end_whole()
        return f"{MATERIAL} three times: at once, with one build stopped in the middle of a table, and with one killed there"
