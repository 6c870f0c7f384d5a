use super::*;
use crate::advise::workload;
use bouquet_record::TimeRow;

fn advice(text: &str) -> Advice {
    of(&workload(&format!("capacity = 1e6\n{text}")))
}

fn of(workload: &Workload) -> Advice {
    advise(workload, &Times::committed("u64", false).unwrap()).unwrap()
}

#[test]
fn a_filter_pays_from_where_it_costs_no_more_than_none() {
    let at = |work: f64| advice(&format!("fpr = 0.01\nhits = 0.7\nwork-cost = \"{work}ns\""));
    for work in [1.0, 80e3, 150e6] {
        let (candidate, from) = at(work).first_to_pay.unwrap();
        let rows = at(from).rows;
        let cost = |one| rows.iter().find(|row| row.candidate() == one).unwrap().cost;
        let [own, none] = [candidate, Candidate::None].map(cost);
        assert!((own / none - 1.0).abs() < 1e-9, "{work}: {own} {none}");
        let is_least = rows.iter().all(|row| row.cost >= own * (1.0 - 1e-9));
        assert!(is_least, "{work}");
    }
    assert_eq!(at(1.0).choice.candidate(), Candidate::None);
}

#[test]
fn an_exact_set_of_far_more_bits_than_the_smallest_filter_is_out() {
    let reasons = |only: Vec<Candidate>| {
        let mut workload = workload("capacity = 1e6\nfpr = 1e-6");
        workload.only = only;
        let advice = of(&workload);
        let mut out = advice.rejected.into_iter();
        out.find(|one| one.candidate.name() == "hash-set")
            .map(|one| one.reasons.join("; "))
    };
    assert!(reasons(Vec::new()).unwrap().contains("151.0 bits per key"));
    // If the user names a candidate, it is not rejected for taking more bits than others.
    let named = ["standard", "hash-set"].map(|name| Candidate::named(name).unwrap());
    assert_eq!(reasons(named.into()), None);
}

/// Few keys, but a filter costs less than any set of the keys themselves.
#[test]
fn an_exact_set_of_few_keys_is_taken_at_about_the_lowest_cost_alone() {
    let chosen = |work: &str| {
        let text = format!("capacity = 300\nfpr = 0.01\nwork-cost = {work:?}");
        of(&workload(&text)).choice.candidate()
    };
    assert!(chosen("60ns").is_sized());
    assert_eq!(chosen("100us").name(), "hash-set");
}

#[test]
fn where_a_false_positive_is_a_loss_the_work_does_not_change_the_size() {
    let loss = "fpr = 0.01\nhits = 0.7\nfalse-positive-loses = true";
    let of = |work: &str| advice(&format!("{loss}\nwork-cost = {work:?}"));
    let [cheap, dear] = ["1us", "1s"].map(of);
    let figures = |advice: &Advice| advice.choice.sizing.target_fpr;
    assert_eq!(figures(&cheap), figures(&dear));
    assert_eq!(dear.choice.unnecessary, 0.0);
    // Without a filter, the work for keys that are in the set is repeated.
    let mut rows = dear.rows.iter();
    let none = rows.find(|row| row.candidate() == Candidate::None);
    assert!((none.unwrap().cost - 0.7e9).abs() < 1.0);
}

#[test]
fn of_candidates_that_tie_to_the_byte_the_plainer_one_is_taken() {
    let mut workload = workload("capacity = 300\nfpr = 0.01\nstatic = true\nthreads = 4");
    let names = ["sharded", "partitioned", "atomic", "standard"];
    workload.only = names.map(|name| Candidate::named(name).unwrap()).into();
    let rows = names.into_iter().flat_map(|name| {
        Operations::NAMES.map(|operation| TimeRow {
            candidate: name.into(),
            hash: "default".into(),
            keys: "u64".into(),
            capacity: 300,
            grown: 1.0,
            target_fpr: 0.01,
            operation: operation.into(),
            net_ns_per_key: 20.0,
            low: 19.0,
            high: 21.0,
            source: String::new(),
        })
    });
    let advice = advise(&workload, &Times::new(rows.collect(), "u64", false)).unwrap();
    let of = |name| {
        let mut rows = advice.rows.iter();
        let row = rows.find(|row| row.candidate().name() == name).unwrap();
        (row.memory, row.fpr, row.cost)
    };
    assert_eq!(of("standard"), of("atomic"));
    assert_eq!(advice.choice.candidate().name(), "standard");
}

#[test]
fn a_filter_without_times_is_measured_on_request() {
    let mut workload = workload("capacity = 1e6\nfpr = 0.01");
    workload.only = vec![Candidate::PLAIN];
    let none = Times::new(Vec::new(), "u64", false);
    let said = advise(&workload, &none).err().unwrap().to_string();
    assert!(said.starts_with("standard: its times are not known") && said.contains("--measure"));
}

/// Rows of times: a name, and the half width of the interval.
fn timed(all: &[(&str, f64)]) -> Times {
    let rows = all.iter().flat_map(|(name, half)| {
        Operations::NAMES.map(|operation| TimeRow {
            candidate: (*name).into(),
            hash: "default".into(),
            keys: "u64".into(),
            capacity: 1_000_000,
            grown: 1.0,
            target_fpr: 0.01,
            operation: operation.into(),
            net_ns_per_key: 20.0,
            low: 20.0 - half,
            high: 20.0 + half,
            source: String::new(),
        })
    });
    Times::new(rows.collect(), "u64", false)
}

#[test]
fn filters_that_were_not_measured_are_not_worse_than_exact_sets() {
    for fpr in ["", "fpr = 0.01"] {
        let workload = workload(&format!("capacity = 1e6\n{fpr}"));
        let said = advise(&workload, &timed(&[("hash-set", 1.0)]));
        let said = said.err().unwrap().to_string();
        assert!(said.contains(NO_TIMES), "{said}");
        let advice = advise(&workload, &timed(&[("hash-set", 1.0), ("standard", 1.0)])).unwrap();
        assert_eq!(advice.choice.candidate(), Candidate::PLAIN);
        let of = |one: &&Rejected| one.candidate.name() == "cuckoo";
        let cuckoo = advice.rejected.iter().find(of).unwrap();
        assert_eq!(cuckoo.reasons, [NO_TIMES]);
    }
}

#[test]
fn a_noisier_rival_changes_nothing() {
    let workload = workload("capacity = 1e6\nfpr = 0.01");
    for half in [0.1, 5.0, 19.0] {
        for noisy in ["standard", "blocked", "cuckoo"] {
            let all = ["standard", "blocked", "cuckoo"];
            let all = all.map(|name| (name, if name == noisy { half } else { 1.0 }));
            let advice = advise(&workload, &timed(&all)).unwrap();
            assert_eq!(advice.choice.candidate(), Candidate::PLAIN);
        }
    }
}
