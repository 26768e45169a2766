//! The memory of a process.

/// Bytes of resident memory of a process, or of this one; `None` if the system does not report it.
pub fn resident_bytes(pid: Option<u32>) -> Option<u64> {
    let process = pid.map_or_else(|| "self".to_owned(), |pid| pid.to_string());
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let kib: u64 =
        text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?.split_whitespace().next()?.parse().ok()?;
    Some(kib << 10)
}
