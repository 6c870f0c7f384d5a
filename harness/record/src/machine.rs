//! Describes the machine, as far as reports may publish it: no host name and no path.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    time::{Instant, SystemTime, UNIX_EPOCH},
};

use crate::{
    command,
    rows::{Fact, SCHEMA_VERSION},
};

/// The facts of a run, including the command that repeats it.
pub fn of_run(profile: Option<&str>, seed: u64, started: Instant) -> Vec<Fact> {
    let seconds = started.elapsed().as_secs_f64();
    let mut all = vec![
        ("schema_version", SCHEMA_VERSION.to_string()),
        ("version", env!("CARGO_PKG_VERSION").to_string()),
        ("revision", revision()),
        ("command", command::own()),
        ("seed", seed.to_string()),
        ("date", today()),
        ("duration_s", format!("{seconds:.1}")),
    ];
    all.extend(profile.map(|profile| ("profile", profile.to_owned())));
    all.extend(facts());
    all
}

/// Today's date in UTC, as 2026-01-31.
fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    date(since.map_or(0, |since| since.as_secs() / 86_400))
}

/// The date that is `days` days after 1970-01-01, by Howard Hinnant's `civil_from_days`, which
/// counts in eras of 400 years from 0000-03-01.
fn date(days: u64) -> String {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

pub fn facts() -> Vec<Fact> {
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let os = format!("{} {}", std::env::consts::OS, kernel.trim());
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let build = if cfg!(debug_assertions) {
        "debug"
    } else {
        "release"
    };
    vec![
        ("os", os.trim().to_string()),
        ("architecture", std::env::consts::ARCH.to_string()),
        ("cpu", proc_value("/proc/cpuinfo", "model name")),
        ("cores", cores.to_string()),
        ("memory", proc_value("/proc/meminfo", "MemTotal")),
        ("build", build.to_string()),
    ]
}

/// The properties of the machine's memory that times depend on: the cache sizes of a core, in
/// bytes, and the setting of transparent huge pages.
pub fn memory() -> Vec<Fact> {
    let read = |path: &Path| fs::read_to_string(path).unwrap_or_default();
    let cache = |level: &str| {
        let folders = fs::read_dir("/sys/devices/system/cpu/cpu0/cache").into_iter();
        let mut folders = folders
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.path()));
        let own = folders.find(|folder| {
            let is_of_code = read(&folder.join("type")).trim() == "Instruction";
            read(&folder.join("level")).trim() == level && !is_of_code
        });
        let size = own.map_or_else(String::new, |folder| read(&folder.join("size")));
        let kibibytes = size.trim().trim_end_matches('K').parse::<u64>();
        kibibytes.map_or_else(|_| String::new(), |size| (size * 1024).to_string())
    };
    let pages = read(Path::new("/sys/kernel/mm/transparent_hugepage/enabled"));
    let chosen = pages.split(['[', ']']).nth(1).unwrap_or_default();
    vec![
        ("cache_l1d", cache("1")),
        ("cache_l2", cache("2")),
        ("cache_l3", cache("3")),
        ("transparent_huge_pages", chosen.to_string()),
    ]
}

/// The revision of the source: the commit of the checkout in which the program runs; outside of a
/// checkout, the value of `BOUQUET_REVISION` at build time, or else the version.
pub fn revision() -> String {
    let git = |args: &[&str]| {
        let output = Command::new("git").args(args).stdin(Stdio::null()).output();
        let output = output.ok().filter(|output| output.status.success())?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let this_file = git(&["ls-files", "--full-name", "harness/record/src/machine.rs"]);
    let is_ours = this_file.is_some_and(|path| !path.is_empty());
    let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"]).filter(|_| is_ours) else {
        let version = concat!("version ", env!("CARGO_PKG_VERSION"));
        return option_env!("BOUQUET_REVISION").unwrap_or(version).into();
    };
    let sources = ["crates", "harness", "Cargo.lock"];
    let changed = git(&[&["status", "--porcelain", "--"], &sources[..]].concat());
    match changed.is_some_and(|text| text.is_empty()) {
        true => commit,
        false => commit + " with changes",
    }
}

/// The value after the first `name :` in a file of /proc; empty if there is none.
fn proc_value(file: &str, name: &str) -> String {
    let text = fs::read_to_string(file).unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with(name));
    line.and_then(|line| line.split_once(':'))
        .map_or("", |(_, value)| value.trim())
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_their_dates() {
        for (days, want) in [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (20_454, "2026-01-01"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(date(days), want);
        }
    }
}
