//! What must hold of a definition's lists.

use anyhow::{Result, ensure};
use bouquet_core::math::MAX_HASHES;

use super::{Catalogue, members, raw::Raw};
use crate::experiment::MAX_KEYS;
use crate::plan::MAX_CELLS;

/// Rejects lists that guard nothing or make too much together, before a key is read.
pub fn check(raw: &Raw, known: &Catalogue) -> Result<()> {
    ensure!(
        !raw.filters.is_empty(),
        "there is no [[filter]]: nothing would be guarded"
    );
    let (memory, locations) = (&raw.memory, &raw.locations);
    ensure!(
        memory.capacities.iter().all(|n| (1..=MAX_KEYS).contains(n)),
        "[memory] needs capacities of 1 to 2^32 keys"
    );
    ensure!(
        memory.fprs.iter().all(|fpr| *fpr > 0.0 && *fpr < 1.0),
        "[memory] needs fprs between 0 and 1"
    );
    ensure!(
        !locations.slots.contains(&0),
        "[locations] needs slots, 1 at least"
    );
    ensure!(
        locations.slots.is_empty() || (1..=MAX_HASHES).contains(&locations.probes),
        "[locations] needs 1 to {MAX_HASHES} probes"
    );
    let filters = |names| members(&known.filters, names).len();
    let sizes = memory.capacities.len() * memory.fprs.len();
    let located = locations.schemes.len() + filters(&locations.filters);
    for (table, rows) in [
        ("memory", filters(&memory.filters) * sizes),
        ("locations", located * locations.slots.len()),
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

    const FILTER: &str =
        "[[filter]]\nfilter = \"standard\"\ncapacity = 9\nfpr = 0.1\nkeys = \"k\"\n";
    const KEYS: &str = "[key_sets]\nk = { generator = \"uuid\" }\n";

    fn error(text: &str) -> String {
        let error = Definition::parse(text, Path::new(".")).err();
        format!("{:#}", error.unwrap())
    }

    fn memory(capacities: &str, fprs: &str) -> String {
        format!("[memory]\nfilters = [\"ours\"]\ncapacities = [{capacities}]\nfprs = [{fprs}]")
    }

    fn located(slots: &str, probes: u32) -> String {
        format!("[locations]\nfilters = [\"ours\"]\nslots = [{slots}]\nprobes = {probes}")
    }

    #[test]
    fn sizes_that_guard_nothing_or_are_too_many_are_rejected() {
        let many = |one: &str| vec![one; 1_000].join(", ");
        for (table, words) in [
            (memory("0", "0.1"), "[memory] needs capacities"),
            (memory("4294967297", "0.1"), "[memory] needs capacities"),
            (memory("9", "0"), "[memory] needs fprs"),
            (memory("9", "nan"), "[memory] needs fprs"),
            (located("0", 1), "[locations] needs slots"),
            (located("9", 0), "[locations] needs 1 to"),
            (memory(&many("1"), &many("0.1")), "more than 262144: "),
            (
                located(&vec!["1"; 50_000].join(","), 1),
                "more than 262144: ",
            ),
        ] {
            let text = format!("{KEYS}{FILTER}{table}\n");
            let said = error(&text);
            assert!(said.contains(words), "{said}");
        }
        let sized = FILTER.replace("fpr = 0.1", "bits_per_key = 4097");
        assert!(error(&format!("{KEYS}{sized}")).contains("4096 at most"));
    }
}
