//! What else a reader of an advice should know.

use bouquet_advise::recommend::{Advice, Candidate, Class, Offer, Workload, share_words};
use bouquet_catalogue::Unites;
use bouquet_ground::units::time;

/// What is said below the reasons.
pub fn notes(workload: &Workload, advice: &Advice) -> Vec<String> {
    let candidate = advice.choice.candidate();
    let mut notes = Vec::new();
    if candidate.class() == Class::Exact {
        let is_filter = |row: &Offer| matches!(row.candidate().class(), Class::Ours | Class::Other);
        let note = if advice.may_lose {
            "This exact set costs least of what has a time: filters for lower FPRs have none, and \
             may cost less (without --no-measure they are measured)."
        } else if advice.rows.iter().any(is_filter) {
            "An exact set wins here: no Bloom filter is needed, and no false positive comes."
        } else {
            "This is an exact set, and no false positive comes: no filter is left to compare it with."
        };
        notes.push(note.into());
    }
    if candidate.class() == Class::Other {
        notes.push(
            "A static filter of another crate, xorf, wins here: the set never changes, which Bloom \
             filters do not make use of."
                .into(),
        );
    }
    notes.extend(more_bits(workload, advice));
    notes.extend(at_target(workload, advice));
    notes.extend(in_steps(workload, advice));
    if workload.fp_is_loss && advice.choice.fpr > 0.0 {
        notes.push(format!(
            "A false positive is a loss: {} of the absent keys that are looked up, whatever a \
             backing lookup costs.",
            share_words(advice.choice.fpr)
        ));
    }
    if workload.grows() && candidate != Candidate::None && !candidate.facts().grows {
        notes.push(format!(
            "It is sized for the final {} keys at once.",
            workload.final_keys()
        ));
    }
    notes.extend(headers(workload, &advice.choice));
    if workload.threads > 1 && !workload.is_static && candidate.facts().lockable {
        notes.push("It is behind one lock: threads take turns.".into());
    }
    if workload.threads > 1 {
        notes.push(
            "Times are of one thread; how threads share a filter: bouquet speed --threads.".into(),
        );
    }
    if workload.shared && candidate.facts().unites == Unites::IfRoom {
        notes.push(
            "Made one, it holds a key once for each machine that inserted it, and there must be room \
             for all: the capacity is theirs together."
                .into(),
        );
    }
    if workload.hostile && candidate.class() == Class::Ours {
        notes.push(
            "Filters are hashed under a secret key (SipKeyed): keep it, and keep it apart from them."
                .into(),
        );
    }
    notes
}

/// Why the choice has more bits than the target FPR takes.
fn more_bits(workload: &Workload, advice: &Advice) -> Option<String> {
    let (bits, overhead) = advice.at_asked_fpr?;
    let most = match workload.memory {
        Some(_) => "up to the memory given",
        None => "as far as its price lets them",
    };
    Some(format!(
        "The target FPR, {}, would take {bits:.1} bits per key, at an expected cost per lookup of \
         {}: more bits pay, {most}.",
        share_words(workload.fpr?),
        time(overhead)
    ))
}

/// Whose expected cost would be less by its own FPR than by the target.
fn at_target(workload: &Workload, advice: &Advice) -> Option<String> {
    let below = advice.rows.iter().filter(|row| row.is_counted_higher());
    let below: Vec<String> = below
        .map(|row| format!("{} ({})", row.candidate().name(), share_words(row.fpr)))
        .collect();
    let fpr = workload
        .fpr
        .filter(|_| !below.is_empty() && !workload.fp_is_loss)?;
    Some(format!(
        "Expected costs are at the target FPR, {}, also where the sizes that there are have a lower one, \
         which nothing asked for: {}.",
        share_words(fpr),
        below.join(", ")
    ))
}

/// Why the choice is far below the target FPR.
fn in_steps(workload: &Workload, advice: &Advice) -> Option<String> {
    let choice = &advice.choice;
    let is_target = workload.fpr_is_target;
    let fpr = workload
        .fpr
        .filter(|fpr| is_target && choice.is_far_below(*fpr))?;
    let steps = choice.candidate().facts().steps?;
    let mut filters = advice.rows.iter().filter(|row| row.candidate().is_sized());
    let is_least = filters.all(|row| row.line.memory >= choice.line.memory);
    let least = match is_least {
        true => ", and no filter that can do it is smaller",
        false => "",
    };
    Some(format!(
        "Its FPR is far below the target, {}: {steps}{least}.",
        share_words(fpr)
    ))
}

/// Of many small sets: what each takes beside its bits.
fn headers(workload: &Workload, choice: &Offer) -> Option<String> {
    let payload = choice.sizing.payload_bytes;
    let beside = |all: f64| all / workload.filters as f64 - payload;
    // What has no size to choose has no header of ours either.
    let (memory, stored) = (beside(choice.line.memory), beside(choice.stored?));
    (workload.filters > 1 || memory > 0.02 * payload).then(|| {
        format!(
            "Each set takes {memory:.0} bytes beside its {payload:.0} bytes of bits in memory, and \
             {stored:.0} in a file."
        )
    })
}
