//! The available memory. Work that cannot fit is rejected before it begins, because a system that
//! runs out of memory kills the program without a message.

use std::fs;

use anyhow::{Result, ensure};

use crate::units;

/// Checks that `least_bytes` bytes are available for `what`.
///
/// # Errors
///
/// Less memory is available.
pub fn check(what: &str, least_bytes: f64) -> Result<()> {
    match available() {
        Some(available) => fits(what, least_bytes, available),
        None => Ok(()),
    }
}

fn fits(what: &str, least_bytes: f64, available: f64) -> Result<()> {
    ensure!(
        least_bytes <= available,
        "{what} takes {} of memory at least, and {} are available: give fewer keys",
        units::bytes(least_bytes),
        units::bytes(available)
    );
    Ok(())
}

/// The bytes that the system can give to this program; `None` if the system does not say.
fn available() -> Option<f64> {
    let text = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let of = |name| kibibytes(&text, name).map(|kibibytes| kibibytes * 1024.0);
    let free = of("MemAvailable").map(|memory| memory + of("SwapFree").unwrap_or(0.0));
    let all = [free, limit(), of_group()];
    all.into_iter().flatten().reduce(f64::min)
}

/// The memory limit of the control group of the process, as containers have one.
fn of_group() -> Option<f64> {
    let most = fs::read_to_string("/sys/fs/cgroup/memory.max").ok()?;
    most.trim().parse().ok()
}

fn kibibytes(text: &str, name: &str) -> Option<f64> {
    let mut values = text.lines().filter_map(|line| line.split_once(':'));
    let (_, value) = values.find(|(own, _)| *own == name)?;
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

    #[test]
    fn what_takes_more_than_there_is_is_rejected_in_words() {
        assert!(fits("x", 1024.0, 1024.0).is_ok());
        let error = fits("the filter x", 4e12, 2_147_483_648.0).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the filter x takes 3.64 TiB of memory at least, and 2.00 GiB are available: give \
             fewer keys"
        );
    }

    #[test]
    fn the_system_says_what_there_is() {
        let text = "MemTotal:       24000000 kB\nMemAvailable:   23000000 kB\nHuge: 3\n";
        assert_eq!(kibibytes(text, "MemAvailable"), Some(23e6));
        assert_eq!(kibibytes(text, "Huge"), None);
        assert_eq!(kibibytes(text, "Mem"), None);
        assert!(check("nothing", 0.0).is_ok());
    }
}
