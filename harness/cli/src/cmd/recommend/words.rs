//! Explains the recommendation in sentences.

use crate::advise::{
    Advice, Bytes, Candidate, Class, Growth, LOCKED, Offer, TIE, Workload, keys_that_fit,
    share_words,
};
use bouquet_catalogue::{Facts, Unites};
use bouquet_record::units::{grouped, time};

/// The choice and the reason for it.
pub fn reason(workload: &Workload, advice: &Advice) -> String {
    let choice = &advice.choice;
    let (saved, work) = (share_words(workload.wasted()), time(workload.work_cost));
    let without = time(workload.wasted() * workload.work_cost);
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
    let (decided, rationale) = (decided(advice), capital(rationale));
    format!(
        "Take {name} with {bits:.1} bits per key at an FPR of {fpr}, {memory} in all. The expected \
         cost per lookup is {cost} with it and {without} without a filter: {decided}. {rationale}."
    )
}

/// What decided: that the keys are few, memory and then simplicity, or the cost.
fn decided(advice: &Advice) -> String {
    let (choice, near) = (&advice.choice, &advice.near);
    let names = |all: Vec<&Offer>| {
        let names: Vec<&str> = all.iter().map(|one| one.candidate().name()).collect();
        names.join(", ")
    };
    if advice.is_few {
        return "a filter does not pay for so few keys".into();
    }
    if let [next] = &near[..]
        && next.memory > TIE * choice.memory
    {
        return format!(
            "{}, whose cost differs by less than a hundredth of what it saves, takes {:.1} times the memory",
            next.candidate().name(),
            next.memory / choice.memory
        );
    }
    if !near.is_empty() {
        let as_small = near.iter().filter(|one| one.memory <= TIE * choice.memory);
        let simpler = match names(as_small.collect()) {
            names if names.is_empty() => names,
            names => format!("; what takes as little is less simple ({names})"),
        };
        return format!(
            "it takes the least memory of those whose cost differs by less than a hundredth of what it \
             saves ({}){simpler}",
            names(near.iter().collect())
        );
    }
    let is_other = |row: &Offer| ![choice.candidate(), Candidate::None].contains(&row.candidate());
    match advice.rows.iter().any(is_other) {
        true => "no other costs about as little".into(),
        false => "nothing else meets the requirements".into(),
    }
}

/// The same text with a capital letter at the beginning.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// An offer with its cost and its memory.
pub fn figures(offer: &Offer) -> String {
    let cost = time(offer.cost);
    if offer.candidate() == Candidate::None {
        return format!("no filter: {cost} per lookup, no memory");
    }
    let (name, memory) = (offer.candidate().name(), Bytes(offer.memory));
    let bits = offer.sizing.bits_per_key();
    format!("{name}: {cost} per lookup, {bits:.1} bits per key, {memory} in all")
}

pub const NO_OTHER: &str = "No other candidate meets the requirements.";

/// The others that are nearest, by time and by memory.
pub fn runner_up(advice: &Advice) -> String {
    let (Some(next), smallest) = (&advice.runner_up, &advice.smallest) else {
        return NO_OTHER.into();
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
const FORGETS: &str = "Until the time or the keys of --expires are over, every key is remembered. Then \
                       it is forgotten soon, but not at once: for a while it still counts as seen.";
const XORF: &str = "The crate xorf can answer single lookups of so many keys sooner; it takes hashes, which \
                    must differ: `cargo add xorf`, `xorf::BinaryFuse8::try_from(&hashes)?` (below 0.39 % BinaryFuse16).";
const ONE_WRITES: &str = "Processes that all insert share no filter in memory: one inserts for all, and the others \
                          read its file (a filter by `Mapped`), or all use a server (bouquet-redis).";
const ALL_READ: &str = "All processes map one file of it (`Mapped`), which is in memory once.";
const EACH_FILLS: &str = "Each process fills one of its own, and they are united.";
const SECRET: &str = "Keys are hashed under a secret key (SipKeyed), which is not in the filter's file: keep it \
                      where passwords are kept, never beside the file.";
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
        // docs/COMPARE.md.
        (is_ours && candidate.is_static() && choice.sizing.keys >= 10_000_000).then_some(XORF),
        (workload.processes > 1 && is_static && is_ours).then_some(ALL_READ),
        (workload.processes > 1 && !is_static && !is_shared).then_some(ONE_WRITES),
        (workload.processes > 1 && is_shared).then_some(EACH_FILLS),
        facts.forgets.then_some(FORGETS),
        (workload.fp_is_loss && choice.fpr > 0.0).then_some(&*lost),
        grows.then_some(&*sized),
        (is_ours && workload.memory.is_some() && workload.growth == Growth::Unknown)
            .then_some(&*fitting),
        (threads && !is_static && candidate.is_lockable() && !is_shared_aging).then_some(LOCKED),
        (is_shared && facts.unites == Unites::IfRoom).then_some(IF_ROOM),
        (is_shared && facts.unites == Unites::Same && is_ours)
            .then_some("`union_with` unites two of the same size."),
        (workload.hostile && is_ours).then_some(SECRET),
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
