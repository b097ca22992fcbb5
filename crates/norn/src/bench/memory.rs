//! How much memory this process has used at most.
//!
//! The system keeps that number, and on Linux it can be asked to begin again. It is memory that was
//! touched, with the inputs and the compiler's own; where the system does not tell, there is no number.

/// Begins again with what is in use now.
pub fn reset_peak() {
    #[cfg(target_os = "linux")]
    {
        // Where this is not permitted the peak is that of the whole life of the process.
        let _ = std::fs::write("/proc/self/clear_refs", "5");
    }
}

/// In bytes.
pub fn peak_bytes() -> Option<u64> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    parse_peak(&std::fs::read_to_string("/proc/self/status").ok()?)
}

/// The line `VmHWM:  1234 kB` of the status of a process.
fn parse_peak(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_found_in_the_status() {
        assert_eq!(parse_peak("Name:\tnorn\nVmPeak:\t 9 kB\nVmHWM:\t    2048 kB\n"), Some(2 << 20));
        assert_eq!(parse_peak("Name:\tnorn\n"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn memory_that_was_touched_counts() {
        let touched = vec![1u8; 64 << 20];
        assert!(std::hint::black_box(&touched).iter().all(|&byte| byte == 1));
        assert!(peak_bytes().unwrap() >= 64 << 20);
    }
}
