use super::{
    super::{
        requirements::Requirements,
        value::{Count, Fpr, Share},
    },
    *,
};

#[test]
fn a_filter_pays_from_where_the_envelope_leaves_none() {
    let times = Times::committed("u64", false).unwrap();
    for (work, hits) in [("1ns", 0.5), ("80us", 0.5), ("150ms", 0.9)] {
        let requirements = Requirements {
            capacity: Some(Count(1_000_000)),
            work_cost: work.parse().ok(),
            hits: Some(Share(hits)),
            ..Requirements::default()
        };
        let workload = Workload::new(&requirements, None, None).unwrap();
        let advice = advise(&workload, &times).unwrap();
        let first = &advice.envelope[0];
        assert_eq!(first.candidate, Candidate::None, "{work}");
        let (candidate, from) = advice.needed.first.unwrap();
        assert_eq!(candidate, advice.envelope[1].candidate, "{work}");
        assert!(
            (from / first.to - 1.0).abs() < 1e-9,
            "{work}: {from}, {first:?}"
        );
    }
}

fn advice(change: impl FnOnce(&mut Requirements)) -> Advice {
    let mut requirements = Requirements {
        capacity: Some(Count(1_000_000)),
        work_cost: "80us".parse().ok(),
        hits: Some(Share(0.7)),
        ..Requirements::default()
    };
    change(&mut requirements);
    let workload = Workload::new(&requirements, None, None).unwrap();
    advise(&workload, &Times::committed("u64", false).unwrap()).unwrap()
}

#[test]
fn memory_that_costs_more_is_spent_less() {
    let prices = ["1ns", "100ns", "10us", "1ms"];
    let bits = prices.map(|price| {
        let priced = advice(|required| required.memory_cost = price.parse().ok());
        priced.choice.line.bits_per_key
    });
    assert!(bits.windows(2).all(|pair| pair[0] >= pair[1]), "{bits:?}");
    assert!(bits[0] > 2.0 * bits[3], "{bits:?}");
}

#[test]
fn a_bound_without_a_price_is_the_target() {
    let of = |at_most| {
        advice(|required: &mut Requirements| match at_most {
            true => required.fpr_at_most = Some(Fpr(0.01)),
            false => required.fpr = Some(Fpr(0.01)),
        })
    };
    let [bound, target] = [true, false].map(of);
    assert_eq!(bound.choice.line, target.choice.line);
    let limited = advice(|required| {
        required.fpr_at_most = Some(Fpr(0.01));
        required.memory = "4MB".parse().ok();
    });
    assert!(limited.choice.fpr < 0.5 * target.choice.fpr);
}

#[test]
fn an_exact_set_may_lose_to_what_has_no_time() {
    let of = |memory: Option<&str>| {
        let advice = advice(|required| {
            required.memory = memory.and_then(|memory| memory.parse().ok());
            required.work_cost = "1s".parse().ok();
        });
        assert_eq!(advice.choice.candidate(), Candidate::HashSet);
        advice.may_lose
    };
    // Without a memory filters have 32 bits per key, hardly more than there are times for.
    assert!(of(Some("25MB")) && !of(None));
}

#[test]
fn where_a_false_positive_is_a_loss_the_work_does_not_change_the_size() {
    let of = |work: &str| {
        advice(|required| {
            required.fpr = Some(Fpr(0.01));
            required.false_positive_loses = Some(true);
            required.work_cost = work.parse().ok();
        })
    };
    let [cheap, dear] = ["1us", "1s"].map(of);
    assert_eq!(cheap.choice.line, dear.choice.line);
    assert!(dear.at_lower_fpr.is_none() && dear.choice.line.slope == 0.0);
    // Without a filter what is in the set is done once more.
    let none = dear
        .rows
        .iter()
        .find(|row| row.candidate() == Candidate::None);
    assert!((none.unwrap().line.at(1e9) - 0.7e9).abs() < 1.0);
}
