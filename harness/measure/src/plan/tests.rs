//! Tests what the planner rejects.

use super::*;

/// The number of cells planned for an experiment with `sets` key sets, or the error.
fn planned(text: &str, sets: usize, profile: Profile) -> Result<usize> {
    let experiment = Experiment::parse(text)?;
    let set = Arc::new(KeySet::generated("random-u64", "random-u64", 1)?);
    let planner = Planner {
        catalogue: &Catalogue::new(),
        experiment: &experiment,
        sets: &vec![set; sets],
        filters: &[],
        schemes: &[],
        has_peers: false,
        profile,
        seed: 1,
    };
    Ok(planner.cells()?.len())
}

#[test]
fn no_shipped_experiment_is_near_the_most_cells() {
    for experiment in Experiment::shipped().unwrap() {
        let set = Arc::new(KeySet::generated("random-u64", "random-u64", 1).unwrap());
        let planner = Planner {
            catalogue: &Catalogue::new(),
            experiment: &experiment,
            sets: &vec![set; experiment.datasets.len()],
            filters: &[],
            schemes: &[],
            has_peers: true,
            profile: Profile::Full,
            seed: 1,
        };
        let cells = planner.cells().unwrap().len();
        assert!(
            5 * cells as u64 <= MAX_CELLS,
            "{}: {cells}",
            experiment.name
        );
    }
}

#[test]
fn short_lists_that_make_too_much_together_are_rejected_at_once() {
    let list = |of: &str| format!("[{}]", vec![of; 1_000].join(", "));
    let memory = include_str!("../../../experiments/memory.toml");
    let (before, _) = memory.split_once("capacities = ").unwrap();
    let (ones, rates) = (list("10"), list("0.01"));
    let memory =
        format!("{before}capacities = {ones}\ntarget_fprs = {rates}\nfilters = [\"ours\"]\n");
    let bits = include_str!("../../../experiments/fpr-over-bits.toml");
    let bits = bits.replace("8, 10, 12, 14, 16, 20]", &list("10")[1..]);
    let slots = include_str!("../../../experiments/uniformity.toml");
    let (before, after) = slots.split_once("slots = [").unwrap();
    let slots = format!(
        "{before}slots = {}{}",
        list("64"),
        after.split_once(']').unwrap().1
    );
    let churn = include_str!("../../../experiments/churn.toml");
    let often = |text: &str| {
        let line = text.lines().find(|line| line.starts_with("replicates = "));
        text.replace(line.unwrap(), "replicates = 65_536")
    };
    for text in [memory, bits, slots, often(churn)] {
        let error = planned(&text, 20, Profile::Full).unwrap_err().to_string();
        assert!(
            error.contains("measurements, more than 262144: "),
            "{error}"
        );
    }
}
