//! The memory of this process at its largest.

/// Peak resident bytes so far; 0 where the system does not say.
pub(crate) fn peak_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse::<u64>().ok());
    peak.unwrap_or(0) * 1024
}
