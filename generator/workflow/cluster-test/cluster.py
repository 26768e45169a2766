"""A Slurm cluster in the namespaces of this process: MUNGE, MariaDB, slurmdbd, slurmctld, and two nodes."""

import fcntl
import os
import signal
import socket
import struct
import subprocess
import time
from pathlib import Path

ADDRESS = "10.0.0.1"
NODES = {"node1": 6821, "node2": 6822}
# What Slurm believes that a node has: cores, and memory in MB. So every machine runs as many jobs side by side.
NODE_CPUS, NODE_MEMORY = 2, 4000

SLURM_CONF = """
ClusterName=makruk
SlurmctldHost=head({address})
SlurmUser=root
# A requeued job waits until the credential of its first run has expired.
AuthInfo=cred_expire=5
StateSaveLocation={root}/state
SlurmdSpoolDir={root}/spool-%n
SlurmctldPidFile={root}/slurmctld.pid
SlurmdPidFile={root}/slurmd-%n.pid
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
PropagateResourceLimits=NONE
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SlurmdParameters=config_overrides
# Memory is enforced by Slurm's own accounting, which needs no control groups of the machine.
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=head
AccountingStoreFlags=job_comment
KillWait=2
SlurmdTimeout=10
ReturnToService=2
SchedulerParameters=sched_interval=2,bf_interval=2
{nodes}
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""

SLURMDBD_CONF = """
DbdHost=head
SlurmUser=root
StorageType=accounting_storage/mysql
StorageHost=localhost
StorageUser=root
PidFile={root}/slurmdbd.pid
"""


class Failure(Exception):
    """Something that must hold does not."""


def wait_for(what, condition, seconds=30, step=0.1):
    """The condition's value as soon as it is true."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise Failure(f"{what}: not within {seconds} seconds")
        time.sleep(step)


def output(*command):
    """What a command of Slurm prints."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        raise Failure(f"{' '.join(map(str, command))}: {done.stderr.strip()}")
    return done.stdout


def succeeds(*command):
    return subprocess.run(list(command), capture_output=True, timeout=60).returncode == 0


def private_system(root):
    """A /run, an /etc/slurm, an /etc/hosts, a host name and a loopback interface that no other process sees."""

    def mount(*arguments):
        subprocess.run(["mount", *map(str, arguments)], check=True)

    mount("-t", "tmpfs", "-o", "mode=755", "tmpfs", "/run")
    for folder in ("log", "etc", "state", "tmp", "home", "work", *(f"spool-{node}" for node in NODES)):
        (root / folder).mkdir(parents=True)
    hosts = root / "hosts"
    hosts.write_text(f"127.0.0.1 localhost\n{ADDRESS} head {' '.join(NODES)}\n")
    mount("--bind", hosts, "/etc/hosts")
    mount("--bind", root / "etc", "/etc/slurm")
    socket.sethostname("head")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        set_flags, set_address, up = 0x8914, 0x8916, 1
        fcntl.ioctl(any_socket, set_flags, struct.pack("16sH14x", b"lo", up))
        # Names have no addresses on a machine without any besides 127.0.0.1.
        address = socket.inet_aton(ADDRESS)
        fcntl.ioctl(any_socket, set_address, struct.pack("16sHH4s8x", b"lo:1", socket.AF_INET, 0, address))
    for name in [name for name in os.environ if name.startswith(("SLURM", "SBATCH", "SRUN", "SACCT", "SNAKEMAKE"))]:
        del os.environ[name]
    os.environ.update(TMPDIR=str(root / "tmp"), HOME=str(root / "home"), XDG_CACHE_HOME=str(root / "home"))


class Cluster:
    def __init__(self, root):
        self.root = Path(root)
        self.nodes = {}

    def start(self):
        private_system(self.root)
        nodes = "\n".join(
            f"NodeName={name} NodeHostname={name} NodeAddr={ADDRESS} Port={port} CPUs={NODE_CPUS} RealMemory={NODE_MEMORY}"
            for name, port in NODES.items()
        )
        self.configure("slurm.conf", SLURM_CONF.format(root=self.root, address=ADDRESS, nodes=nodes))
        self.configure("slurmdbd.conf", SLURMDBD_CONF.format(root=self.root))
        self.start_munge()
        self.start_database()
        self.daemon("slurmdbd", "slurmdbd", "-D")
        wait_for("slurmdbd answers", lambda: succeeds("sacctmgr", "-n", "show", "cluster"))
        output("sacctmgr", "-i", "add", "cluster", "makruk")
        self.daemon("slurmctld", "slurmctld", "-D")
        wait_for("slurmctld answers", lambda: succeeds("scontrol", "ping"))
        for name in NODES:
            self.start_node(name)
        for name in NODES:
            wait_for(f"{name} is idle", lambda: self.node_state(name) == "idle")

    def configure(self, name, text):
        path = self.root / "etc" / name
        path.write_text(text)
        path.chmod(0o600)

    def log(self, name):
        return self.root / "log" / f"{name}.log"

    def daemon(self, name, *command):
        with self.log(name).open("ab") as log:
            return subprocess.Popen(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def start_munge(self):
        folder = Path("/run/munge")
        folder.mkdir(mode=0o755)
        key = folder / "key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        files = [f"--{what}={folder}/{what}" for what in ("log-file", "pid-file", "seed-file")]
        self.daemon("munged", "munged", "--foreground", f"--key-file={key}", f"--socket={folder}/munge.socket.2", *files)
        wait_for("munged answers", lambda: succeeds("munge", "-n"))

    def start_database(self):
        """MariaDB without a network; root logs in as root."""
        folder = self.root / "database"
        Path("/run/mysqld").mkdir()
        options = ["--no-defaults", "--user=root", f"--datadir={folder}"]
        install = ["mariadb-install-db", *options, "--skip-test-db", "--auth-root-authentication-method=socket"]
        small = ["--innodb-log-file-size=16M", "--innodb-buffer-pool-size=64M", "--innodb-flush-log-at-trx-commit=0"]
        with self.log("mariadb-install").open("wb") as log:
            if subprocess.run([*install, *small], stdin=subprocess.DEVNULL, stdout=log, stderr=log).returncode != 0:
                raise Failure("MariaDB's folder cannot be made")
        listen = ["--skip-networking", "--socket=/run/mysqld/mysqld.sock", f"--pid-file={self.root}/mariadb.pid"]
        self.daemon("mariadb", "mariadbd", *options, *small, *listen)
        wait_for("MariaDB listens", lambda: Path("/run/mysqld/mysqld.sock").exists())

    def start_node(self, name):
        """A node is a namespace of processes with a host name. Its first process only waits for the others."""
        first = 'echo "$1" >/proc/sys/kernel/hostname; slurmd -D -N "$1" & wait'
        namespaces = ["unshare", "--pid", "--mount", "--uts", "--fork", "--kill-child", "--mount-proc"]
        self.nodes[name] = self.daemon(name, *namespaces, "bash", "-c", first, "node", name)

    def kill_node(self, name):
        """As when the power fails: slurmd, the steps and the jobs end at once, without a word."""
        node = self.nodes.pop(name)
        node.send_signal(signal.SIGKILL)
        node.wait()

    def node_state(self, name):
        return output("sinfo", "-h", "-n", name, "-o", "%t").strip()

    def host_of(self, process):
        """The node that a process runs on, or None."""
        for name, node in self.nodes.items():
            # `unshare` has the node's namespace of host names itself, and not that of processes.
            if namespace(node.pid) == namespace(process):
                return name
        return None


def namespace(process):
    try:
        return os.readlink(f"/proc/{process}/ns/uts")
    except OSError:
        return None
