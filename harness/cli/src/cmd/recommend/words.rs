//! The recommendation in sentences; each follows from the table.

use crate::advise::{Advice, Bytes, Candidate, Class, Offer, Workload, share_words};
use bouquet_catalogue::Unites;
use bouquet_ground::units::time;

/// The choice and the reason for it.
pub fn reason(workload: &Workload, advice: &Advice) -> String {
    let choice = &advice.choice;
    let without = time(workload.wasted() * workload.work_cost);
    if choice.candidate() == Candidate::None {
        return format!(
            "Take no filter: {} of the lookups need no backing lookup of {}, an expected cost per \
             lookup of {without}, and {}. {}.",
            share_words(workload.wasted()),
            time(workload.work_cost),
            simplest(advice, "no filter")
                .unwrap_or("every filter takes longer than it saves".into()),
            first_to_pay(advice),
        );
    }
    let exact = match choice.fpr {
        0.0 => "and is never wrong".to_owned(),
        fpr => format!("at an FPR of {}", share_words(fpr)),
    };
    format!(
        "Take {} with {:.1} bits per key {exact}, {} in all. The expected cost per lookup is {} with \
         it and {without} without a filter, and {}{}.",
        choice.candidate().name(),
        choice.sizing.bits_per_key(),
        Bytes(choice.memory),
        time(choice.cost),
        choice.candidate().facts().virtue,
        simplest(advice, "it").map_or_else(String::new, |words| format!("; {words}")),
    )
}

fn first_to_pay(advice: &Advice) -> String {
    match advice.first_to_pay {
        Some((first, from)) => format!(
            "The first to pay is {}, from a backing lookup of {} on",
            first.name(),
            time(from)
        ),
        None => "Nothing pays for any backing lookup".to_owned(),
    }
}

/// Why the choice precedes candidates whose costs are too close to call; `None` if there are none.
fn simplest(advice: &Advice, choice: &str) -> Option<String> {
    let names: Vec<&str> = advice.too_close.iter().map(|one| one.name()).collect();
    let words = "of those whose costs are too close to call";
    (!names.is_empty()).then(|| format!("{words} ({}) {choice} is the simplest", names.join(", ")))
}

/// A sentence about the runner-up.
pub fn runner_up(advice: &Advice) -> String {
    let Some(next) = &advice.runner_up else {
        return "Nothing else can do it.".into();
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
    let mut notes = Vec::new();
    let mut note = |is_so: bool, words: &str| {
        if is_so {
            notes.push(words.to_owned());
        }
    };
    note(
        class == Class::Exact,
        "An exact set wins here: no Bloom filter is needed, and no false positive comes.",
    );
    note(
        class == Class::Other,
        "A static filter of another crate, xorf, wins here: it is built once, of all keys, and a key \
         that comes later needs a new one.",
    );
    if workload.fp_is_loss && choice.fpr > 0.0 {
        let lost = format!(
            "A false positive is a loss: {} of the absent keys that are looked up, whatever a \
             backing lookup costs.",
            share_words(choice.fpr)
        );
        note(true, &lost);
    }
    let sized = format!("It is sized for the final {} keys.", workload.final_keys());
    let is_fixed = candidate != Candidate::None && !facts.grows;
    note(workload.grows() && is_fixed, &sized);
    if let Some(beside) = headers(workload, choice) {
        note(true, &beside);
    }
    note(
        workload.threads > 1 && !workload.is_static && candidate.is_lockable(),
        "It is behind one lock: threads take turns.",
    );
    note(
        workload.shared && facts.unites == Unites::IfRoom,
        "Two are united by `union_with`: a key is then there once for each machine that inserted it, \
         so the capacity is that of all machines together.",
    );
    note(
        workload.shared && facts.unites == Unites::Same && class == Class::Ours,
        "Two of one size are united by `union_with`.",
    );
    note(
        workload.hostile && class == Class::Ours,
        "Filters are hashed under a secret key (SipKeyed): keep it, and keep it apart from them.",
    );
    notes
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

/// Where the times come from.
pub fn source(is_measured: bool, has_keys: bool) -> String {
    let times = match (is_measured, has_keys) {
        (true, true) => "Times were measured now, on this machine, with your keys.",
        (true, false) => "Times were measured now, on this machine, with synthetic keys.",
        (false, _) => {
            "Times came with the program, of another machine and synthetic keys: --measure measures \
             here."
        }
    };
    format!(
        "{times} They are of one thread. Where there is none for so many keys or such an FPR, the \
         nearest is used."
    )
}
