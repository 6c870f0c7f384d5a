//! Whose the times are, in sentences.

use bouquet_advise::recommend::{Cache, Times, Workload};
use bouquet_render::number;

/// What a time is.
const KIND: &str = "a throughput in caches that the loop has warmed";

pub fn of_committed(workload: &Workload, times: &Times, has_keys: bool) -> String {
    let mut words = format!(
        "Times came with the program (harness/advise/data): they are of another machine, of made \
         keys given one at a time, {KIND}."
    );
    words += &of_speed(times);
    words += &ends(workload, times);
    if has_keys {
        words += " Your keys were counted, and not measured with.";
    }
    words
}

/// Which of the times that came with the program are those of the report on speed.
fn of_speed(committed: &Times) -> String {
    let keys = committed.speed_keys();
    let keys = number::listed(keys.into_iter().map(number::count));
    format!(
        " Of {keys} keys they are those of reports/speed where it has the filter; the others are \
         scaled to these."
    )
}

/// Where the times that came with the program end before the keys do.
fn ends(workload: &Workload, committed: &Times) -> String {
    let most = committed.most_keys();
    if workload.final_keys() <= most {
        return String::new();
    }
    let most = number::count(most);
    format!(" They end at {most} keys; out of the caches lookups take longer than they say.")
}

pub fn whose(cache: &Cache, now: bool, keys: u64) -> String {
    let kind = format!("with {keys} keys given one at a time, {KIND}");
    if now {
        return format!("Times were measured now, on this machine, {kind}.");
    }
    let mut words = format!("Times were measured on this machine by an earlier run, {kind}.");
    if let Some(path) = cache.path() {
        words += &format!(
            " They are kept in {}; --measure-again forgets them.",
            path.display()
        );
    }
    words
}

pub fn scaled(workload: &Workload, committed: &Times) -> String {
    format!(
        " More would take too long: for {} they are scaled by the times that came with the \
         program.{}{}",
        workload.final_keys(),
        of_speed(committed),
        ends(workload, committed)
    )
}
