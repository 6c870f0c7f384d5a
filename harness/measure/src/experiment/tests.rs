use super::*;

#[test]
fn shipped_definitions_parse_and_have_different_names() {
    let mut names: Vec<_> = Experiment::shipped()
        .unwrap()
        .into_iter()
        .map(|e| e.name)
        .collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 8);
}

#[test]
fn a_wrong_definition_says_what_is_wrong() {
    let memory = include_str!("../../../experiments/memory.toml");
    let error = |text: &str| format!("{:#}", Experiment::parse(text).unwrap_err());
    assert!(error(&memory.replace("capacities", "capacity")).contains("capacity"));
    assert!(error(&memory.replace("[memory]", "[memmory]")).contains("memmory"));
    assert!(error(&memory[..memory.find("[memory]").unwrap()]).contains("exactly one"));
    let fpr = include_str!("../../../experiments/fpr-over-load.toml");
    assert!(error(&fpr.replace("target_fpr = 0.01", "")).contains("target_fpr"));
    assert!(error(&fpr.replace("8_192", "0")).contains("capacity"));
    for sweep in ["churn", "memory", "rounds"] {
        let other = fpr.replace("sweep = \"load\"", &format!("sweep = \"{sweep}\""));
        assert!(error(&other).contains("bits-per-key"), "{other}");
    }
    let churn = include_str!("../../../experiments/churn.toml");
    assert!(error(&churn.replace("capacity = 8_192", "capacity = 0")).contains("key"));
    for fpr in ["1.5", "1e-300"] {
        let other = churn.replace("target_fpr = 0.01", &format!("target_fpr = {fpr}"));
        assert!(error(&other).contains("2^-64 to below 1"), "{other}");
    }
    let uniformity = include_str!("../../../experiments/uniformity.toml");
    let slots = uniformity.replace("1_099_511_627_776", "9_223_372_036_854_775_807");
    assert!(error(&slots).contains("2 to 2^56 slots"));
}

#[test]
fn what_would_run_for_ever_is_rejected() {
    let error = |text: &str| format!("{:#}", Experiment::parse(text).unwrap_err());
    for (text, capacity) in [
        (
            include_str!("../../../experiments/fpr-over-bits.toml"),
            "capacity = 10_000",
        ),
        (
            include_str!("../../../experiments/churn.toml"),
            "capacity = 8_192",
        ),
        (
            include_str!("../../../experiments/memory.toml"),
            "capacities = [1, 76, 10_000",
        ),
    ] {
        assert!(text.contains(capacity), "{capacity}");
        let (before, _) = capacity.rsplit_once(' ').unwrap();
        let with = |keys: &str| text.replace(capacity, &format!("{before} {keys}"));
        assert!(Experiment::parse(&with("4_294_967_296")).is_ok());
        for keys in ["4_294_967_297", "9_223_372_036_854_775_807"] {
            let said = error(&with(keys));
            assert!(said.contains("a capacity of 1 to 2^32 keys"), "{said}");
        }
    }
    let far = include_str!("../../../experiments/growth-far.toml");
    assert!(error(&far.replace("4095]", "1e12]")).contains("2^32 keys"));
    let bits = include_str!("../../../experiments/fpr-over-bits.toml");
    assert!(Experiment::parse(&bits.replace("16, 20]", "16, 4096]")).is_ok());
    assert!(error(&bits.replace("16, 20]", "16, 1e300]")).contains("4096 at most"));
    let hits = "hits = { quick = 4_000, default = 4_000, full = 10_000 }";
    assert!(far.contains(hits));
    assert!(error(&far.replace(hits, "hits = 4_294_967_297")).contains("2^32 hits"));
}

#[test]
fn what_is_repeated_for_ever_or_never_is_rejected() {
    for (text, repeats) in [
        (
            include_str!("../../../experiments/fpr-at-target.toml"),
            "replicates",
        ),
        (
            include_str!("../../../experiments/churn.toml"),
            "replicates",
        ),
        (include_str!("../../../experiments/churn.toml"), "rounds"),
    ] {
        let line = text
            .lines()
            .find(|line| line.starts_with(&format!("{repeats} = ")))
            .unwrap();
        let with = |count: &str| text.replace(line, &format!("{repeats} = {count}"));
        assert!(Experiment::parse(&with("65_536")).is_ok());
        for count in ["0", "65_537", "4_294_967_295"] {
            let error = format!("{:#}", Experiment::parse(&with(count)).unwrap_err());
            assert!(error.contains(&format!("1 to 65536 {repeats}")), "{error}");
        }
    }
}

/// Parses a built-in definition in which the list or top-level setting `name` has another value.
fn with(text: &str, name: &str, value: &str) -> Result<Experiment> {
    let mut whole: toml::Table = text.parse()?;
    let value: toml::Table = format!("{name} = {value}").parse()?;
    let table = if whole.contains_key(name) {
        &mut whole
    } else {
        let tables = whole.iter_mut().filter(|(name, _)| *name != "seconds");
        tables
            .filter_map(|(_, value)| value.as_table_mut())
            .next()
            .unwrap()
    };
    table.extend(value);
    Experiment::parse(&whole.to_string())
}

#[test]
fn no_list_may_be_empty() {
    let fpr = include_str!("../../../experiments/fpr-at-target.toml");
    let uniformity = include_str!("../../../experiments/uniformity.toml");
    let memory = include_str!("../../../experiments/memory.toml");
    let churn = include_str!("../../../experiments/churn.toml");
    for (text, name, entry) in [
        (fpr, "datasets", "'urls'"),
        (fpr, "points", "0.01"),
        (fpr, "filters", "'ours'"),
        (uniformity, "slots", "64"),
        (uniformity, "subjects", "'ours'"),
        (memory, "capacities", "1"),
        (memory, "target_fprs", "0.01"),
        (memory, "filters", "'ours'"),
        (churn, "filters", "'removing'"),
    ] {
        let of = |entries: usize| {
            with(
                text,
                name,
                &format!("[{}]", [entry].repeat(entries).join(",")),
            )
        };
        assert!(of(1).is_ok() && of(0).is_err(), "{name}");
    }
    for points in ["[]", "{ quick = [], default = [0.1], full = [0.1] }"] {
        let said = with(fpr, "points", points).unwrap_err().to_string();
        assert_eq!(said, "[fpr] has no points: give at least one");
    }
}
