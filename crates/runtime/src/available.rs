//! How much memory the machine can still give.
//!
//! Linux promises more memory than there is and kills who uses it, so it has to be asked first: what the kernel
//! says is available, and what the control group of the process still allows. Where these files are not
//! there nothing is known, and the system refuses memory itself.

use std::fs;
use std::path::PathBuf;

/// The bytes that could be used without anybody being killed, if that is known.
pub fn available() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| kibibytes(&text, "MemAvailable:"));
    match (machine, group_left()) {
        (Some(machine), Some(group)) => Some(machine.min(group)),
        (machine, group) => machine.or(group),
    }
}

/// How much memory programs may use by default.
pub fn usual_limit() -> u64 {
    available().map_or(u64::MAX, |bytes| bytes / 10 * 9)
}

fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let number: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    number.checked_mul(1024)
}

/// What is left of the limit of the control group, in either version of them.
fn group_left() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let path = groups.lines().find_map(|line| line.strip_prefix("0::/")).unwrap_or("");
    let places = [
        (PathBuf::from("/sys/fs/cgroup").join(path), "memory.max", "memory.current"),
        (PathBuf::from("/sys/fs/cgroup"), "memory.max", "memory.current"),
        (PathBuf::from("/sys/fs/cgroup/memory"), "memory.limit_in_bytes", "memory.usage_in_bytes"),
    ];
    places.iter().find_map(|(folder, limit, used)| {
        let read = |name: &str| fs::read_to_string(folder.join(name)).ok()?.trim().parse::<u64>().ok();
        let limit = read(limit)?;
        let used = read(used)?.saturating_sub(reclaimable(folder));
        Some(limit.saturating_sub(used))
    })
}

/// Contents of files that the group holds in memory and can drop.
fn reclaimable(group: &std::path::Path) -> u64 {
    let stat = fs::read_to_string(group.join("memory.stat")).unwrap_or_default();
    let bytes = stat.lines().find_map(|line| line.strip_prefix("inactive_file "));
    bytes.and_then(|number| number.trim().parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::kibibytes;

    #[test]
    fn lines_of_meminfo_are_read() {
        let text = "MemTotal:       24682416 kB\nMemAvailable:   16 kB\n";
        assert_eq!(kibibytes(text, "MemAvailable:"), Some(16 << 10));
        assert_eq!(kibibytes("MemAvailable: many", "MemAvailable:"), None);
    }
}
