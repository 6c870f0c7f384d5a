//! Explains the recommendation in sentences.

use crate::advise::{
    Advice, Bytes, Candidate, Class, Growth, Offer, Workload, keys_that_fit, share_words,
};
use bouquet_catalogue::{Facts, Unites};
use bouquet_record::units::{grouped, time};

/// The choice and the reason for it.
pub fn reason(workload: &Workload, advice: &Advice) -> String {
    let choice = &advice.choice;
    let (saved, work) = (share_words(workload.wasted()), time(workload.work_cost));
    let without = time(workload.wasted() * workload.work_cost);
    let names: Vec<&str> = advice.near.iter().map(|one| one.name()).collect();
    let others = names.join(", ");
    let cheapest = advice
        .rows
        .first()
        .is_some_and(|row| row.cost == choice.cost);
    let decided = match (names.is_empty(), cheapest) {
        (true, _) => "no other costs about as little".to_owned(),
        (false, true) => format!(
            "it costs the least, and takes no more memory than what costs about as little ({others})"
        ),
        (false, false) => format!(
            "it takes the least memory of those whose cost differs by less than a hundredth of what it saves ({others})"
        ),
    };
    if choice.candidate() == Candidate::None {
        let mut first = "Nothing pays for any backing lookup".to_owned();
        if let Some((one, from)) = advice.first_to_pay {
            let (name, from) = (one.name(), time(from));
            first = format!("The first to pay is {name}, from a backing lookup of {from} on");
        }
        return format!(
            "Take no filter: {saved} of the lookups need no backing lookup of {work}, an expected \
             cost per lookup of {without}, and every filter costs about as much or more. {first}."
        );
    }
    let Facts {
        name, rationale, ..
    } = choice.candidate().facts();
    let (bits, fpr) = (choice.sizing.bits_per_key(), share_words(choice.fpr));
    let (memory, cost) = (Bytes(choice.memory), time(choice.cost));
    let rationale = capital(rationale);
    format!(
        "Take {name} with {bits:.1} bits per key at an FPR of {fpr}, {memory} in all. The expected \
         cost per lookup is {cost} with it and {without} without a filter: {decided}. {rationale}."
    )
}

/// The same text with a capital letter at the beginning.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// The others that are nearest, by time and by memory.
pub fn runner_up(advice: &Advice) -> String {
    let figures = |offer: &Offer| {
        let (name, cost) = (offer.candidate().name(), time(offer.cost));
        let (bits, memory) = (offer.sizing.bits_per_key(), Bytes(offer.memory));
        format!("{name}: {cost} per lookup, {bits:.1} bits per key, {memory} in all")
    };
    let (Some(next), smallest) = (&advice.runner_up, &advice.smallest) else {
        return "No other candidate meets the requirements.".into();
    };
    match smallest {
        Some(small) if small.candidate() != next.candidate() => format!(
            "The runner-up by cost is {}. The one by memory is {}.",
            figures(next),
            figures(small)
        ),
        _ => format!("The runner-up is {}.", figures(next)),
    }
}

const STATIC: &str = "It is built once from all keys: a later key needs a new filter.";
const FORGETS: &str = "After the time or the keys of --expires a key is forgotten soon, but not at \
                       once: a new one can count as seen for a while longer.";
const IF_ROOM: &str = "`union_with` unites two: a key is then stored once for each machine that \
                       inserted it, so the capacity is that of all machines together.";

/// Notes on the choice, for the user.
pub fn notes(workload: &Workload, advice: &Advice) -> Vec<String> {
    let choice = &advice.choice;
    let candidate = choice.candidate();
    let (facts, class) = (candidate.facts(), candidate.class());
    let (is_ours, is_shared) = (class == Class::Ours, workload.shared);
    let (threads, is_static) = (workload.threads > 1, workload.is_static);
    let grows = workload.grows() && candidate != Candidate::None && !facts.grows;
    let fitting = keys_that_fit(workload, choice).unwrap_or(0);
    let fitting = format!(
        "The memory holds about {} keys at this FPR.",
        grouped(fitting, ',')
    );
    let is_shared_aging = facts.forgets && !workload.persist && !workload.hostile;
    let lost = share_words(choice.fpr);
    let lost = format!("A false positive is a loss: {lost} of the absent keys that are looked up.");
    let sized = format!("It is sized for the final {} keys.", workload.final_keys());
    let notes = [
        (class == Class::Exact).then_some("An exact set wins here: it has no false positives."),
        (is_ours && candidate.is_static()).then_some(STATIC),
        workload.expires.is_some().then_some(FORGETS),
        (workload.fp_is_loss && choice.fpr > 0.0).then_some(&*lost),
        grows.then_some(&*sized),
        (workload.memory.is_some() && workload.growth == Growth::Unknown).then_some(&*fitting),
        (threads && !is_static && candidate.is_lockable() && !is_shared_aging)
            .then_some("It is behind one lock: threads take turns."),
        (is_shared && facts.unites == Unites::IfRoom).then_some(IF_ROOM),
        (is_shared && facts.unites == Unites::Same && is_ours)
            .then_some("`union_with` unites two of the same size."),
        (workload.hostile && is_ours)
            .then_some("They are hashed under a secret key (SipKeyed): store it apart."),
    ];
    let notes = notes.into_iter().flatten().map(str::to_owned);
    notes.chain(headers(workload, choice)).collect()
}

/// A note on the overhead of each filter, if there are several or the overhead is large.
fn headers(workload: &Workload, choice: &Offer) -> Option<String> {
    let payload = choice.sizing.payload_bytes;
    let beside = |all: f64| all / workload.filters as f64 - payload;
    // `stored` is `None` for a candidate that has no Bouquet file format: it gets no note.
    let (memory, stored) = (beside(choice.memory), beside(choice.stored?));
    (workload.filters > 1 || memory > 0.02 * payload).then(|| {
        format!(
            "Each set takes {memory:.0} bytes beside its {payload:.0} bytes of bits in memory, and \
             {stored:.0} in a file."
        )
    })
}

/// A sentence on where the times come from.
pub fn source(is_measured: bool) -> String {
    let times = match is_measured {
        true => "Times were measured now, on this machine.",
        false => "Times come with the program, from another machine: --measure measures here.",
    };
    format!(
        "{times} They are for one thread. Where there is none for this number of keys or this FPR, \
         the nearest is used."
    )
}
