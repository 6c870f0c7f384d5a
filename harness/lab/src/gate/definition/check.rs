//! What must hold of a definition's lists.

use anyhow::{Result, ensure};

use super::{Catalogue, members, of_systems, raw::Raw};
use crate::experiment::few;
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
