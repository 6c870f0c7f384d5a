//! What is the same in every command that measures and writes a folder.

use std::time::Instant;

use bouquet_ground::{
    command, machine,
    record::{RunRow, SCHEMA_VERSION},
};
use bouquet_lab::experiment::Profile;

/// The facts of a run, with the command that repeats it.
pub fn facts(profile: Option<Profile>, seed: u64, started: Instant) -> Vec<RunRow> {
    let seconds = started.elapsed().as_secs_f64();
    let own = [
        ("schema_version", SCHEMA_VERSION.to_string()),
        ("version", env!("CARGO_PKG_VERSION").to_string()),
        ("revision", machine::revision()),
        ("command", command::own()),
    ];
    let profile = profile.map(|profile| ("profile", profile.name().to_string()));
    let of_run = [
        ("seed", seed.to_string()),
        ("duration_s", format!("{seconds:.1}")),
    ];
    let all = own.into_iter().chain(profile).chain(of_run);
    rows(all.chain(machine::facts()))
}

/// Facts as rows.
pub fn rows(facts: impl IntoIterator<Item = (&'static str, String)>) -> Vec<RunRow> {
    let row = |(name, value): (&str, String)| RunRow {
        name: name.into(),
        value,
    };
    facts.into_iter().map(row).collect()
}
