//! The memory that a build may take where no option gives it: the least that the machine, the control group and the
//! process allow.

use std::fmt;
use std::path::Path;

use makruk_generator::Gib;

/// A limit of memory, and what sets it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AllowedMemory {
    /// Bytes that a build may take; no limit if the system reports none.
    pub bytes: u64,
    source: Source,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Machine,
    ControlGroup,
    Process,
}

impl AllowedMemory {
    /// The limit of this process.
    pub(super) fn here() -> AllowedMemory {
        let group = std::fs::read_to_string("/proc/self/cgroup");
        let group = group.ok().and_then(|groups| group_limit(&groups, Path::new("/sys/fs/cgroup")));
        AllowedMemory::least(installed(), group, process_limit())
    }

    /// The least of these limits. A group or a process ends at its limit, so a build leaves an eighth of it to tables
    /// that are mapped and to the system.
    fn least(installed: Option<u64>, group: Option<u64>, process: Option<u64>) -> AllowedMemory {
        let of = |source, bytes: Option<u64>| AllowedMemory { bytes: bytes.unwrap_or(u64::MAX), source };
        let within = |bytes: Option<u64>| bytes.map(|bytes| bytes - bytes / 8);
        let machine = of(Source::Machine, installed);
        [of(Source::ControlGroup, within(group)), of(Source::Process, within(process))]
            .into_iter()
            .fold(machine, |least, next| if next.bytes < least.bytes { next } else { least })
    }
}

impl fmt::Display for AllowedMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = Gib(self.bytes);
        match self.source {
            Source::Machine if self.bytes == u64::MAX => f.write_str("the system reports no limit of memory"),
            Source::Machine => write!(f, "{bytes}, which is installed"),
            Source::ControlGroup => write!(f, "{bytes}, seven eighths of the limit of its control group"),
            Source::Process => write!(f, "{bytes}, seven eighths of the process's limit (ulimit -v)"),
        }
    }
}

/// The least limit of the control groups that this process is in, by `/proc/self/cgroup`. A group is bounded by those
/// that it is in.
fn group_limit(groups: &str, root: &Path) -> Option<u64> {
    groups.lines().filter_map(|line| limit_of_line(line, root)).min()
}

/// The limit of one hierarchy: `0::/path` of version 2, or `n:memory:/path` of version 1.
fn limit_of_line(line: &str, root: &Path) -> Option<u64> {
    let (_, rest) = line.split_once(':')?;
    let (controllers, path) = rest.split_once(':')?;
    let (root, file) = match controllers {
        "" => (root.to_owned(), "memory.max"),
        _ if controllers.split(',').any(|name| name == "memory") => (root.join("memory"), "memory.limit_in_bytes"),
        _ => return None,
    };
    // Within a container the path may be that of the host, of which only the root is there.
    let group = root.join(path.trim_start_matches('/'));
    let folders = group.ancestors().take_while(|folder| folder.starts_with(&root));
    folders.filter_map(|folder| std::fs::read_to_string(folder.join(file)).ok()?.trim().parse().ok()).min()
}

/// The memory of the machine, in bytes.
#[cfg(not(windows))]
fn installed() -> Option<u64> {
    let mut system = sysinfo::System::new();
    system.refresh_memory();
    Some(system.total_memory()).filter(|&bytes| bytes > 0)
}

#[cfg(windows)]
#[allow(unsafe_code)]
fn installed() -> Option<u64> {
    use windows_sys::Win32::System::SystemInformation::{GlobalMemoryStatusEx, MEMORYSTATUSEX};

    let mut status = MEMORYSTATUSEX { dwLength: size_of::<MEMORYSTATUSEX>() as u32, ..Default::default() };
    // SAFETY: the structure is as long as it says.
    (unsafe { GlobalMemoryStatusEx(&mut status) } != 0).then_some(status.ullTotalPhys)
}

#[cfg(unix)]
fn process_limit() -> Option<u64> {
    let (soft, _) = rlimit::getrlimit(rlimit::Resource::AS).ok()?;
    Some(soft).filter(|&bytes| bytes != rlimit::INFINITY)
}

#[cfg(not(unix))]
fn process_limit() -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_least_limit_counts() {
        let gib = |n: u64| Some(n << 30);
        assert_eq!(AllowedMemory::least(gib(24), None, None).to_string(), "24.00 GiB, which is installed");
        let group = AllowedMemory::least(gib(24), gib(8), None);
        assert_eq!((group.bytes, group.source), (7 << 30, Source::ControlGroup));
        assert_eq!(AllowedMemory::least(gib(24), gib(8), gib(4)).source, Source::Process);
        assert_eq!(AllowedMemory::least(gib(2), gib(8), gib(4)).source, Source::Machine);
        assert_eq!(AllowedMemory::least(None, None, None).bytes, u64::MAX);
    }

    #[test]
    fn a_group_is_bounded_by_those_that_it_is_in() {
        let root = tempfile::tempdir().unwrap();
        let (outer, inner) = (root.path().join("outer"), root.path().join("outer/inner"));
        fs::create_dir_all(&inner).unwrap();
        let limit = |groups| group_limit(groups, root.path());
        assert_eq!(limit("0::/outer/inner\n"), None);
        fs::write(inner.join("memory.max"), "max\n").unwrap();
        assert_eq!(limit("0::/outer/inner\n"), None);
        fs::write(outer.join("memory.max"), "419430400\n").unwrap();
        assert_eq!(limit("0::/outer/inner\n"), Some(400 << 20));
        // The group of the host, which a container does not see.
        fs::write(root.path().join("memory.max"), "1000\n").unwrap();
        assert_eq!(limit("0::/elsewhere\n"), Some(1000));
        let old = root.path().join("memory/of");
        fs::create_dir_all(&old).unwrap();
        fs::write(old.join("memory.limit_in_bytes"), "2000\n").unwrap();
        assert_eq!(limit("4:cpu,memory:/of\n3:pids:/of\n"), Some(2000));
        assert_eq!(limit("no groups"), None);
    }
}
