//! An advice in sentences, each of which follows from its table.

mod notes;

use bouquet_advise::recommend::{Advice, Bytes, Candidate, Offer, Workload, share_words};
use bouquet_ground::units::time;

pub use notes::notes;

/// The choice, what a lower FPR would save, and why it is taken.
pub fn reason(workload: &Workload, advice: &Advice) -> String {
    let choice = &advice.choice;
    if choice.candidate() == Candidate::None {
        return no_filter(workload, advice);
    }
    let exact = if choice.fpr == 0.0 {
        "and is never wrong".to_owned()
    } else {
        format!("at an FPR of {}", share_words(choice.fpr))
    };
    format!(
        "Take {} with {:.1} bits per key {exact}, {} in all.{} The expected cost per lookup is \
         {} with it and {} without a filter, and {}{}.",
        choice.candidate().name(),
        choice.line.bits_per_key,
        Bytes(choice.line.memory),
        lower_fpr(advice).unwrap_or_default(),
        time(choice.line.at(advice.work)),
        time(wasted(workload, advice)),
        choice.candidate().facts().virtue,
        plainest_of(advice, "it").map_or_else(String::new, |words| format!("; {words}")),
    )
}

/// What a lower FPR than the target would save.
fn lower_fpr(advice: &Advice) -> Option<String> {
    let Offer { line, fpr, .. } = advice.at_lower_fpr.as_ref()?;
    let (fpr, bits, memory) = (share_words(*fpr), line.bits_per_key, Bytes(line.memory));
    let cost = time(line.at(advice.work));
    let words = format!("it would take {bits:.1} bits per key, {memory} in all");
    Some(format!(
        " At an FPR of {fpr} {words}, at an expected cost per lookup of {cost}."
    ))
}

/// The expected cost per lookup without a filter.
fn wasted(workload: &Workload, advice: &Advice) -> f64 {
    workload.wasted() * advice.work
}

fn no_filter(workload: &Workload, advice: &Advice) -> String {
    let is_least = advice.rows.iter().all(|row| {
        row.candidate() == Candidate::None
            || row.line.at(advice.work) > advice.choice.line.at(advice.work)
    });
    let why = plainest_of(advice, "no filter")
        .unwrap_or_else(|| "every filter takes longer than it saves".to_owned());
    let when = match advice.needed.first {
        _ if !is_least => format!(
            "It is as close up to a backing lookup of {}",
            time(advice.needed.close_to)
        ),
        Some((first, from)) => format!(
            "The first to pay is {}, from a backing lookup of {} on",
            first.name(),
            time(from)
        ),
        None => "Nothing pays for any backing lookup".to_owned(),
    };
    format!(
        "Take no filter: a backing lookup costs {} and {} of the lookups are unnecessary, an expected \
         cost per lookup of {}, and {why}. {when}.",
        time(advice.work),
        share_words(workload.wasted()),
        time(wasted(workload, advice)),
    )
}

/// Why the choice goes before those that are too close to call, if there are any,
/// and who of them is smaller, if that can be seen in what is printed.
fn plainest_of(advice: &Advice, choice: &str) -> Option<String> {
    let is_close = |row: &&Offer| advice.too_close.contains(&row.candidate());
    let smallest = advice
        .rows
        .iter()
        .filter(is_close)
        .min_by(|a, b| a.line.memory.total_cmp(&b.line.memory))?;
    let names: Vec<&str> = advice.too_close.iter().map(|one| one.name()).collect();
    let words = format!(
        "of those too close to call ({}) {choice} is the plainest",
        names.join(", ")
    );
    Some(match is_smaller(smallest, &advice.choice) {
        true => format!(
            "{words}, though {} takes less memory, {}",
            smallest.candidate().name(),
            Bytes(smallest.line.memory)
        ),
        false => words,
    })
}

/// Whether one takes less memory than the other by what is printed of both.
fn is_smaller(one: &Offer, other: &Offer) -> bool {
    let [one, other] = [one, other].map(|row| row.line.memory);
    one < other && Bytes(one).to_string() != Bytes(other).to_string()
}

/// The next best, and when it would win.
pub fn runner_up(advice: &Advice) -> String {
    let Some(next) = &advice.runner_up else {
        return "Nothing else can do it.".into();
    };
    let wins: Vec<String> = advice
        .envelope
        .iter()
        .filter(|piece| piece.candidate == next.candidate())
        .map(|piece| format!("from {} to {}", time(piece.from), time(piece.to)))
        .collect();
    let when = if wins.is_empty() {
        let memory = is_smaller(next, &advice.choice).then_some("; it takes less memory");
        let memory = memory.unwrap_or_default();
        format!("It has the least cost for no backing lookup from 1 ns to 1 s{memory}.")
    } else {
        format!(
            "It has the least cost for backing lookups {}.",
            wins.join(", ")
        )
    };
    format!(
        "The runner-up is {}: {} per lookup, {:.1} bits per key, {} in all. {when}",
        next.candidate().name(),
        time(next.line.at(advice.work)),
        next.line.bits_per_key,
        Bytes(next.line.memory)
    )
}
