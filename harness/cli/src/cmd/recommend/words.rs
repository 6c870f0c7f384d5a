//! The recommendation in sentences; each follows from the table.

use crate::advise::{Advice, Bytes, Candidate, Class, Offer, Workload, share_words};
use bouquet_catalogue::Unites;
use bouquet_record::units::time;

/// The choice and the reason for it.
pub fn reason(workload: &Workload, advice: &Advice) -> String {
    let choice = &advice.choice;
    let (saved, work) = (share_words(workload.wasted()), time(workload.work_cost));
    let without = time(workload.wasted() * workload.work_cost);
    let close: Vec<&str> = advice.too_close.iter().map(|one| one.name()).collect();
    let simplest = match close.is_empty() {
        true => String::new(),
        false => format!(
            "; it is the simplest of those with a cost too close to call (the others: {})",
            close.join(", ")
        ),
    };
    if choice.candidate() == Candidate::None {
        let first = match advice.first_to_pay {
            Some((first, from)) => format!(
                "The first to pay is {}, from a backing lookup of {} on",
                first.name(),
                time(from)
            ),
            None => "Nothing pays for any backing lookup".to_owned(),
        };
        return format!(
            "Take no filter: {saved} of the lookups need no backing lookup of {work}, an expected \
             cost per lookup of {without}, and every filter costs about as much or more{simplest}. \
             {first}."
        );
    }
    let exact = match choice.fpr {
        0.0 => "and no false positives".to_owned(),
        fpr => format!("at an FPR of {}", share_words(fpr)),
    };
    format!(
        "Take {} with {:.1} bits per key {exact}, {} in all. The expected cost per lookup is {} with \
         it and {without} without a filter, and {}{simplest}.",
        choice.candidate().name(),
        choice.sizing.bits_per_key(),
        Bytes(choice.memory),
        time(choice.cost),
        choice.candidate().facts().virtue,
    )
}

/// A sentence about the runner-up.
pub fn runner_up(advice: &Advice) -> String {
    let Some(next) = &advice.runner_up else {
        return "No other candidate meets the requirements.".into();
    };
    format!(
        "The runner-up is {}: {} per lookup, {:.1} bits per key, {} in all.",
        next.candidate().name(),
        time(next.cost),
        next.sizing.bits_per_key(),
        Bytes(next.memory)
    )
}

/// Further notes for the reader.
pub fn notes(workload: &Workload, advice: &Advice) -> Vec<String> {
    let choice = &advice.choice;
    let candidate = choice.candidate();
    let (facts, class) = (candidate.facts(), candidate.class());
    let notes = [
        (class == Class::Exact).then(|| {
            "An exact set wins here: no Bloom filter is needed, and there are no false positives."
                .to_owned()
        }),
        (class == Class::Other).then(|| {
            "A static filter of another crate, xorf, wins here: it is built once from all keys, and \
             a later key needs a new filter."
                .to_owned()
        }),
        (workload.fp_is_loss && choice.fpr > 0.0).then(|| {
            let share = share_words(choice.fpr);
            format!("A false positive is a loss: {share} of the absent keys that are looked up.")
        }),
        (workload.grows() && candidate != Candidate::None && !facts.grows)
            .then(|| format!("It is sized for the final {} keys.", workload.final_keys())),
        headers(workload, choice),
        (workload.threads > 1 && !workload.is_static && candidate.is_lockable())
            .then(|| "It is behind one lock: threads take turns.".to_owned()),
        (workload.shared && facts.unites == Unites::IfRoom).then(|| {
            "`union_with` unites two: a key is then stored once for each machine that inserted it, \
             so the capacity is that of all machines together."
                .to_owned()
        }),
        (workload.shared && facts.unites == Unites::Same && class == Class::Ours)
            .then(|| "`union_with` unites two of the same size.".to_owned()),
        (workload.hostile && class == Class::Ours).then(|| {
            "Filters are hashed under a secret key (SipKeyed): store it apart from them.".to_owned()
        }),
    ];
    notes.into_iter().flatten().collect()
}

/// For many small sets: the overhead of each beside its bits.
fn headers(workload: &Workload, choice: &Offer) -> Option<String> {
    let payload = choice.sizing.payload_bytes;
    let beside = |all: f64| all / workload.filters as f64 - payload;
    // A candidate whose size cannot be chosen has no file format of ours, and so no header.
    let (memory, stored) = (beside(choice.memory), beside(choice.stored?));
    (workload.filters > 1 || memory > 0.02 * payload).then(|| {
        format!(
            "Each set takes {memory:.0} bytes beside its {payload:.0} bytes of bits in memory, and \
             {stored:.0} in a file."
        )
    })
}

/// The source of the times.
pub fn source(is_measured: bool, has_keys: bool) -> String {
    let times = match (is_measured, has_keys) {
        (true, true) => "Times were measured now, on this machine, with your keys.",
        (true, false) => "Times were measured now, on this machine, with synthetic keys.",
        (false, _) => {
            "Times come with the program, from another machine and synthetic keys: --measure measures \
             here."
        }
    };
    format!(
        "{times} They are for one thread. Where there is none for this number of keys or this FPR, \
         the nearest is used."
    )
}
