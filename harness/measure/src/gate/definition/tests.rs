//! Tests the options that can be set for a filter besides its size, and their effects.

use super::*;
use crate::gate::{Sampling, exact, statistical};
use bouquet_record::{Figure, GateRecords};

fn parsed(filter: &str, more: &str) -> Result<Definition> {
    let text = format!(
        "[key_sets]\nk = {{ generator = \"uuid\" }}\n[[filter]]\nname = \"f\"\nkeys = \"k\"\n\
         filter = \"{filter}\"\ncapacity = 2_000\n{more}\n"
    );
    Definition::parse(&text, Path::new("."))
}

fn of_target(filter: &str, more: &str) -> Result<Definition> {
    parsed(filter, &format!("fpr = 0.01\n{more}"))
}

/// Runs the gate's exact checks on the definition's only filter. Returns each value by its name.
fn values(definition: Result<Definition>) -> BTreeMap<String, String> {
    let rows = exact(&definition.unwrap());
    let values = rows.into_iter().map(|row| {
        let value = match row.value.unwrap() {
            Figure::Digest { sha256 } => sha256,
            Figure::Count { count, .. } => count.to_string(),
            other => panic!("{}: {other:?}", row.what),
        };
        (row.what, value)
    });
    values.collect()
}

fn differ(one: &BTreeMap<String, String>, other: &BTreeMap<String, String>) -> Vec<&'static str> {
    let mut what = vec!["memory", "stored bytes", "answers", "locations"];
    what.retain(|what| one[*what] != other[*what]);
    what
}

/// Each line: a filter, an additional setting, and the expected error message.
const REJECTED: &str = "\
standard | counter_bits = 8 | f: standard has no counter_bits: leave it out
standard | shards = 2 | f: standard has no shards: leave it out
standard | stage_growth = 2 | f: standard has no stage_growth: leave it out
counting | stage_tightening = 0.5 | f: counting has no stage_tightening
cuckoofilter | seed = 1 | cuckoofilter has no seed: leave it out
cuckoofilter | hasher = \"xxh3\" | cuckoofilter has no hasher: leave it out
ours | counter_bits = 8 | f: standard has no counter_bits
counting | counter_bits = 5 | f: counter_bits = 5: a counter has 4 bits or 8
counting | counter_bits = -4 | expected u32
sharded | shards = 0 | f: shards = 0: give 1 to 65536
sharded | shards = 2_001 | no more than the capacity of 2000 keys
scalable | stage_growth = 0 | f: stage_growth: growth 0 is not within 1 to 1024
scalable | stage_growth = 1_025 | growth 1025 is not within
scalable | stage_tightening = 0.0 | f: stage_tightening: tightening 0 is not above
scalable | stage_tightening = 1.0 | at most 0.99
scalable | stage_tightening = nan | tightening NaN
standard | seed = -1 | expected u64
standard | seeds = 1 | unknown field `seeds`
blocked | layout = \"line\" | unknown field `layout`
standard | hasher = \"murmur3\" | f: no hasher is called \"murmur3\"; there are folded, xxh3
standard | hasher = \"sip-keyed\" | no hasher is called
standard | hasher = 3 | expected a string
stanard |  | are \"standard\",
standard | bits_per_key = 9 | give fpr or bits_per_key, not both
standard | growth = 0.5 | a growth of 0.5 is none
standard | growth = nan | a growth of NaN is none
standard | growth = 2 | a growth of 2.0 is none
standard | [[filter]]\\nname = \"f\"\\nfilter = \"standard\"\\nkeys = \"k\"\\nfpr = 0.1\\ncapacity = 9 | two filters
standard | [[filter]]\\nname = \"reference\"\\nfilter = \"standard\" | a control has this name
standard | [[filter]]\\nname = \"control truncated-16\"\\nfilter = \"standard\" | a control has this name
standard | [[filter]]\\nfilter = \"standard\"\\nkeys = \"k\"\\nfpr = 0.1 | give a capacity
standard | [[filter]]\\nfilter = \"standard\"\\nkeys = \"k\"\\ncapacity = 9 | give fpr or bits_per_key
standard | [[filter]]\\nfilter = \"standard\"\\nkeys = \"k\"\\ncapacity = 9\\nfpr = 1.5 | between 0 and 1
standard | [[filter]]\\nfilter = \"standard\"\\nkeys = \"k\"\\ncapacity = 9\\nbits_per_key = -1.0 | a number above 0
standard | [[filter]]\\nfilter = \"standard\"\\nkeys = \"k\"\\ncapacity = 9\\nbits_per_key = 4097 | 4096 at most
standard | [[filter]]\\nfilter = \"standard\"\\nkeys = \"l\"\\ncapacity = 9\\nfpr = 0.1 | no set called";

#[test]
fn what_a_filter_has_not_or_is_out_of_bounds_is_rejected() {
    for line in REJECTED.lines() {
        let [filter, more, words] = line.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let error = of_target(filter, &more.replace("\\n", "\n")).err();
        let said = format!("{:#}", error.unwrap_or_else(|| panic!("{line}")));
        assert!(said.contains(words), "{more}: {said}");
    }
    for (text, words) in [
        ("capacity = 1", "no [[filter]]"),
        (
            "[key_sets]\nk = { generator = \"guid\" }\n[[filter]]\nfilter = \"standard\"",
            "no generator",
        ),
        (
            "[key_sets]\nk = \"none.txt\"\n[[filter]]\nfilter = \"standard\"",
            "none.txt",
        ),
    ] {
        let said = format!(
            "{:#}",
            Definition::parse(text, Path::new(".")).err().unwrap()
        );
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn what_is_chosen_is_what_is_measured() {
    let changed = |filter: &str, more: &str| {
        let (plain, chosen) = (
            values(of_target(filter, "")),
            values(of_target(filter, more)),
        );
        let changed = differ(&plain, &chosen);
        (
            changed,
            plain["memory"].parse::<f64>().unwrap(),
            chosen["memory"].parse::<f64>().unwrap(),
        )
    };
    // With 8 bits, there are as many counters as with 4, but each is twice as wide.
    let (what, four, eight) = changed("counting", "counter_bits = 8");
    assert_eq!(what, ["memory", "stored bytes"]);
    assert!((1.9..2.1).contains(&(eight / four)), "{four} {eight}");
    let (what, ..) = changed("sharded", "shards = 3");
    assert_eq!(what, ["memory", "stored bytes", "answers", "locations"]);
    // With a lower tightening r, the first stage is smaller, because it gets the share 1 - r of the
    // target FPR. A just full filter has one stage, so the growth factor changes only its header.
    let (what, plain, tighter) = changed("scalable", "stage_tightening = 0.5");
    assert!(
        what.contains(&"stored bytes") && tighter < plain,
        "{what:?}"
    );
    assert_eq!(changed("scalable", "stage_growth = 4").0, ["stored bytes"]);
    assert_eq!(
        changed("standard", "seed = 8").0,
        ["stored bytes", "answers", "locations"]
    );
    for same in ["counter_bits = 4", &format!("seed = {SEED}")] {
        assert_eq!(changed("counting", same).0, [""; 0], "{same}");
    }
    assert_eq!(changed("sharded", "shards = 8").0, [""; 0]);
    let policy = "stage_growth = 2\nstage_tightening = 0.8";
    assert_eq!(changed("scalable", policy).0, [""; 0]);
}

#[test]
fn sizes_by_bits_have_what_is_chosen_too() {
    let values =
        |filter, more: &str| values(parsed(filter, &format!("bits_per_key = 40.96\n{more}")));
    let counting = [
        values("counting", ""),
        values("counting", "counter_bits = 8"),
    ];
    // With 8-bit counters, the memory is the same, so there are half as many counters. The capacity
    // times 40.96 bits needs no rounding.
    assert_eq!(
        differ(&counting[0], &counting[1]),
        ["stored bytes", "answers", "locations"]
    );
    let sharded = [values("sharded", ""), values("sharded", "shards = 3")];
    assert!(differ(&sharded[0], &sharded[1]).contains(&"stored bytes"));
}

/// Compares the total size of the stages, which depends on the growth policy.
#[test]
fn a_growth_policy_reaches_the_filter_that_grew() {
    let stages = |more: &str| {
        let guarded = of_target("scalable", more).unwrap().filters.remove(0);
        let mut filter = guarded.make(SEED).unwrap();
        (0..20_000_u64).for_each(|key| assert!(filter.insert(&key.to_le_bytes())));
        filter.state(20_000).agreed().unwrap().size_bits
    };
    let sizes = [
        stages(""),
        stages("stage_growth = 1"),
        stages("stage_growth = 10"),
    ];
    assert!(
        sizes[0] != sizes[1] && sizes[0] != sizes[2] && sizes[1] != sizes[2],
        "{sizes:?}"
    );
}

#[test]
fn what_stands_at_the_top_goes_for_filters_that_say_nothing() {
    let text = "seed = 5\nhasher = \"xxh3\"\nkeys = \"k\"\ncapacity = 10\nfpr = 0.1\n\
                [key_sets]\nk = { generator = \"uuid\" }\n\
                [[filter]]\nfilter = \"standard\"\n[[filter]]\nfilter = \"counting\"\nseed = 6\nhasher = \"folded\"\n";
    let definition = Definition::parse(text, Path::new(".")).unwrap();
    let seeds: Vec<_> = definition
        .filters
        .iter()
        .map(|filter| filter.seed)
        .collect();
    assert_eq!(seeds, [Some(5), Some(6)]);
    let hashers = definition
        .filters
        .iter()
        .map(|filter| filter.of.options.hasher);
    assert_eq!(hashers.collect::<Vec<_>>(), [Some("xxh3"), Some("folded")]);
}

/// With these options, too, the filter's own statistics agree with the independently computed ones.
#[test]
fn what_is_chosen_is_as_it_is_expected() {
    for (filter, more) in [
        ("counting", "counter_bits = 8"),
        ("sharded", "shards = 5"),
        ("standard", "hasher = \"xxh3-wide\""),
        ("scalable", "stage_growth = 3\nstage_tightening = 0.6"),
    ] {
        let guarded = of_target(filter, more).unwrap().filters.remove(0);
        let mut made = guarded.make(1).unwrap();
        for keys in [1_000, 2_000] {
            (0..keys).for_each(|key: u64| _ = made.insert(&key.to_le_bytes()));
            made.state(keys).agreed().unwrap();
        }
    }
}

#[test]
fn what_is_chosen_is_said() {
    let definition =
        of_target("counting", "hasher = \"xxh3\"\ncounter_bits = 8\nseed = 9").unwrap();
    let own = &definition.filters[0];
    let setting = own.setting("keys");
    assert!(
        setting.ends_with("a target of 0.01, counter_bits 8, hasher xxh3, seed 9"),
        "{setting}"
    );
    let recorded = &definition.configurations()[0].chosen;
    assert_eq!(
        (recorded.seed, recorded.counter_bits, recorded.shards),
        (Some(9), Some(8), None)
    );
    assert_eq!(
        of_target("counting", "").unwrap().configurations()[0].chosen,
        Default::default()
    );
}

#[test]
fn each_hasher_makes_another_filter_of_every_kind() {
    for entry in ["standard", "blocked", "scalable", "cuckoo"] {
        let [folded, xxh3, wide] = ["", "hasher = \"xxh3\"", "hasher = \"xxh3-wide\""]
            .map(|hasher| values(of_target(entry, hasher)));
        for (one, other) in [(&folded, &xxh3), (&xxh3, &wide)] {
            let mut what = differ(one, other);
            // A hasher's own size is part of the memory; the bits are as many.
            what.retain(|what| *what != "memory");
            assert_eq!(what, ["stored bytes", "answers", "locations"], "{entry}");
        }
    }
}

/// The uniformity tests recompute the locations of a filter from the hash of a key, so they must
/// use the filter's hasher.
#[test]
fn locations_are_judged_by_the_hasher_that_is_chosen() {
    let of = |hasher: &str| of_target("standard", &format!("hasher = \"{hasher}\"")).unwrap();
    let effort = Sampling {
        hits: 200,
        replicates: 2,
        most_non_members: 40_000,
        located: 20_000,
    };
    for hasher in ["folded", "xxh3", "xxh3-wide"] {
        let mut records = GateRecords::default();
        statistical(&of(hasher), effort, 1, 1, &mut records).unwrap();
        let exact = records
            .battery
            .iter()
            .find(|row| row.subject == "f" && row.item == "exact");
        assert_eq!(exact.unwrap().statistic, 0.0, "{hasher}");
        assert!(
            records.fpr.iter().all(|row| row.error.is_empty()),
            "{hasher}"
        );
    }
    let rates = ["folded", "xxh3"].map(|hasher| {
        let mut records = GateRecords::default();
        statistical(&of(hasher), effort, 1, 1, &mut records).unwrap();
        records
            .fpr
            .iter()
            .map(|row| row.false_positives)
            .collect::<Vec<_>>()
    });
    assert_ne!(rates[0], rates[1]);
}
