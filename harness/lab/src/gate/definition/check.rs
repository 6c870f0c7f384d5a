//! What must hold of a definition's lists.

use anyhow::{Result, ensure};
use bouquet_core::math::MAX_HASHES;

use super::{Catalogue, members, of_systems, raw::Raw};
use crate::experiment::{MAX_KEYS, few};
use crate::plan::MAX_CELLS;

/// Rejects lists that guard nothing or are too long, each by itself and all of a table together,
/// before a key is read.
pub fn check(raw: &Raw, known: &Catalogue) -> Result<()> {
    ensure!(
        !raw.filters.is_empty(),
        "there is no [[filter]]: nothing would be guarded"
    );
    few("[[filter]]", raw.filters.len())?;
    few("[key_sets]", raw.key_sets.len())?;
    let (memory, locations, systems) = (&raw.memory, &raw.locations, &raw.systems);
    let sizes = [memory.capacities.len(), memory.fprs.len()];
    for (list, entries) in [
        ("[memory] filters", memory.filters.len()),
        ("[memory] capacities", sizes[0]),
        ("[memory] fprs", sizes[1]),
        ("[locations] schemes", locations.schemes.len()),
        ("[locations] filters", locations.filters.len()),
        ("[locations] slots", locations.slots.len()),
        ("[systems] formats", systems.formats.len()),
        ("[systems] capacities", systems.capacities.len()),
        ("[systems] fprs", systems.fprs.len()),
    ] {
        few(list, entries)?;
    }
    let are_keys = |capacities: &[u64]| capacities.iter().all(|own| (1..=MAX_KEYS).contains(own));
    let are_shares = |fprs: &[f64]| fprs.iter().all(|fpr| *fpr > 0.0 && *fpr < 1.0);
    let has_probes = locations.slots.is_empty() || (1..=MAX_HASHES).contains(&locations.probes);
    for (is_met, what) in [
        (
            are_keys(&memory.capacities),
            "[memory] needs capacities of 1 to 2^32 keys",
        ),
        (
            are_keys(&systems.capacities),
            "[systems] needs capacities of 1 to 2^32 keys",
        ),
        (
            are_shares(&memory.fprs),
            "[memory] needs fprs between 0 and 1",
        ),
        (
            are_shares(&systems.fprs),
            "[systems] needs fprs between 0 and 1",
        ),
        (
            !locations.slots.contains(&0),
            "[locations] needs slots, 1 at least",
        ),
        (
            has_probes,
            &format!("[locations] needs 1 to {MAX_HASHES} probes"),
        ),
    ] {
        ensure!(is_met, "{what}");
    }
    let filters = |names| members(&known.filters, names).len();
    let located = locations.schemes.len() + filters(&locations.filters);
    let of_system = systems.capacities.len() * systems.fprs.len();
    for (table, rows) in [
        ("memory", filters(&memory.filters) * sizes[0] * sizes[1]),
        ("locations", located * locations.slots.len()),
        ("systems", of_systems(raw)?.len() * of_system),
    ] {
        ensure!(
            rows as u64 <= MAX_CELLS,
            "[{table}] makes {rows} measurements, more than {MAX_CELLS}: give fewer in its lists"
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::Definition;
    use crate::experiment::MAX_ENTRIES;

    const FILTER: &str =
        "[[filter]]\nfilter = \"standard\"\ncapacity = 9\nfpr = 0.1\nkeys = \"k\"\n";
    const KEYS: &str = "[key_sets]\nk = { generator = \"uuid\" }\n";

    fn error(text: &str) -> String {
        format!(
            "{:#}",
            Definition::parse(text, Path::new(".")).err().unwrap()
        )
    }

    fn list(of: &str, entries: usize) -> String {
        format!("[{}]", vec![of; entries].join(", "))
    }

    #[test]
    fn every_list_has_an_end() {
        let many = MAX_ENTRIES + 1;
        let sets = (0..many).map(|i| format!("k{i} = \"no-such-file\"\n"));
        let sets = format!("[key_sets]\n{}{FILTER}", sets.collect::<String>());
        assert!(error(&sets).contains("[key_sets]: a list of 1025 entries"));
        let filters = format!("{KEYS}{}", FILTER.repeat(many));
        assert!(error(&filters).contains("[[filter]]: a list of 1025 entries"));
        for (table, long, of, others) in [
            (
                "memory",
                "filters",
                "\"ours\"",
                "capacities = []\nfprs = []",
            ),
            ("memory", "capacities", "1", "filters = []\nfprs = []"),
            ("memory", "fprs", "0.1", "filters = []\ncapacities = []"),
            (
                "locations",
                "schemes",
                "\"default\"",
                "slots = []\nprobes = 1",
            ),
            ("locations", "filters", "\"ours\"", "slots = []\nprobes = 1"),
            ("locations", "slots", "64", "probes = 1"),
            (
                "systems",
                "formats",
                "\"all\"",
                "capacities = []\nfprs = []",
            ),
            ("systems", "capacities", "1", "formats = []\nfprs = []"),
            ("systems", "fprs", "0.1", "formats = []\ncapacities = []"),
        ] {
            let with = |entries| {
                format!(
                    "{KEYS}{FILTER}[{table}]\n{long} = {}\n{others}\n",
                    list(of, entries)
                )
            };
            let said = error(&with(many));
            let wanted = format!("[{table}] {long}: a list of 1025 entries; give 1024 at most");
            assert!(said.contains(&wanted), "{said}");
            assert!(
                Definition::parse(&with(MAX_ENTRIES), Path::new(".")).is_ok(),
                "{table} {long}"
            );
        }
    }

    #[test]
    fn sizes_that_guard_nothing_are_rejected() {
        let memory = |capacity, fpr| {
            format!("[memory]\nfilters = [\"ours\"]\ncapacities = [{capacity}]\nfprs = [{fpr}]")
        };
        let located = |slots, probes| {
            format!("[locations]\nfilters = [\"ours\"]\nslots = [{slots}]\nprobes = {probes}")
        };
        for (table, words) in [
            (memory("0", "0.1"), "[memory] needs capacities"),
            (memory("4294967297", "0.1"), "[memory] needs capacities"),
            (memory("9", "0"), "[memory] needs fprs"),
            (memory("9", "nan"), "[memory] needs fprs"),
            (located("0", "1"), "[locations] needs slots"),
            (located("9", "0"), "[locations] needs 1 to"),
        ] {
            let said = error(&format!("{KEYS}{FILTER}{table}\n"));
            assert!(said.contains(words), "{said}");
        }
        let sized = FILTER.replace("fpr = 0.1", "bits_per_key = 4097");
        assert!(error(&format!("{KEYS}{sized}")).contains("4096 at most"));
    }

    #[test]
    fn short_lists_that_make_too_much_together_are_rejected() {
        let (ones, rates) = (list("1", 1_000), list("0.1", 1_000));
        for table in [
            format!("[memory]\nfilters = [\"ours\"]\ncapacities = {ones}\nfprs = {rates}"),
            format!(
                "[locations]\nfilters = {}\nslots = {ones}\nprobes = 1",
                list("\"ours\"", 99)
            ),
            format!("[systems]\nformats = [\"all\"]\ncapacities = {ones}\nfprs = {rates}"),
        ] {
            let said = error(&format!("{KEYS}{FILTER}{table}\n"));
            assert!(said.contains("measurements, more than 262144: "), "{said}");
        }
    }
}
