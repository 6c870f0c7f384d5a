//! The available memory. Work that cannot fit is rejected before it begins, because a system that
//! runs out of memory kills the program without a message.

use std::fs;

use anyhow::{Result, ensure};

use crate::units;

/// Checks that `least_bytes` bytes of memory are available for `what`.
///
/// # Errors
///
/// Less memory is available.
pub fn check(what: &str, least_bytes: f64) -> Result<()> {
    let available = available();
    ensure!(
        least_bytes <= available,
        "{what} takes {} of memory at least, and {} are available: give fewer keys",
        units::bytes(least_bytes),
        units::bytes(available)
    );
    Ok(())
}

/// The memory that this program can still get, in bytes; infinite if the system does not say.
fn available() -> f64 {
    let text = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let free = kibibytes(&text, "MemAvailable:")
        .map(|free| (free + kibibytes(&text, "SwapFree:").unwrap_or(0.0)) * 1024.0);
    // The memory limit of the control group, for example of a container.
    let of_group = fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let of_group = of_group.and_then(|most| most.trim().parse().ok());
    let all = [free, limit(), of_group].into_iter().flatten();
    all.fold(f64::INFINITY, f64::min)
}

fn kibibytes(text: &str, name: &str) -> Option<f64> {
    let value = text.lines().find_map(|line| line.strip_prefix(name))?;
    value.trim().strip_suffix("kB")?.trim().parse().ok()
}

/// The limit set by `ulimit -v`.
#[cfg(unix)]
fn limit() -> Option<f64> {
    use rustix::process::{Resource, getrlimit};
    getrlimit(Resource::As).current.map(|bytes| bytes as f64)
}

#[cfg(not(unix))]
fn limit() -> Option<f64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn what_takes_more_than_there_is_is_rejected_in_words() {
        assert!(check("x", 1024.0).is_ok());
        let error = check("the filter x", 4e18).unwrap_err().to_string();
        let words = "the filter x takes 3637978.8 TiB of memory at least, and ";
        assert!(error.starts_with(words), "{error}");
        assert!(
            error.ends_with(" are available: give fewer keys"),
            "{error}"
        );
    }

    #[test]
    fn the_system_says_what_there_is() {
        let text = "MemTotal:       24000000 kB\nMemAvailable:   23000000 kB\nHuge: 3\n";
        assert_eq!(kibibytes(text, "MemAvailable:"), Some(23e6));
        assert_eq!(kibibytes(text, "Huge:"), None);
        assert_eq!(kibibytes(text, "Mem:"), None);
        assert!(check("nothing", 0.0).is_ok());
    }
}
