//! Workloads for which none of the candidates is right: they need another crate, or a server.

use bouquet_catalogue::{Facts, Foreign};
use bouquet_interop::redisbloom::Sizing;
use bouquet_record::CandidateRow;

use super::{
    Advice, Bytes, Candidate, FEW_BYTES, Growth, Workload,
    advice::TOO_MANY_BITS,
    code::{self, ADDRESS},
    requirements::Expires,
    share_words,
    sizing::sizing,
};

/// What is recommended in place of a candidate.
pub struct Elsewhere {
    pub row: CandidateRow,
    pub reason: String,
    pub notes: Vec<&'static str>,
    /// The beginning of the sentence on the best of the candidates.
    pub beside: &'static str,
    /// The command that adds it, and a program.
    pub code: (String, String),
}

impl Elsewhere {
    /// Its name in the records and in a sentence, and why it is right; its target FPR, its expected FPR
    /// and its memory in bytes; notes, and the code.
    fn new(
        workload: &Workload,
        [name, whole_name, why]: [&str; 3],
        [target_fpr, fpr, memory]: [f64; 3],
        notes: Vec<&'static str>,
        code: (String, String),
    ) -> Self {
        let bits = 8.0 * memory / (workload.final_keys() * workload.filters) as f64;
        let row = CandidateRow {
            candidate: name.into(),
            class: "other".into(),
            outcome: "choice".into(),
            target_fpr: Some(target_fpr),
            bits_per_key: Some(bits),
            expected_fpr: Some(fpr),
            memory_bytes: Some(memory),
            ..CandidateRow::default()
        };
        let (fpr, memory) = (share_words(fpr), Bytes(memory));
        let reason = format!(
            "Take {whole_name} with {bits:.1} bits per key at an FPR of {fpr}, {memory} in all: {why}. \
             Its times were not measured."
        );
        Self {
            row,
            reason,
            notes,
            beside: "The best candidate is",
            code,
        }
    }
}

const MAP: [&str; 3] = [
    "hash-map",
    "a map from each key to when it came (`HashMap`)",
    "so few keys need no filter, and a map forgets to the moment and is never wrong",
];
/// An integer, a time and the table's own, with a quarter of it empty.
const BYTES_A_MAPPED_KEY: u64 = 32;
const REMOVES: &str = "keys are removed and nobody knows how many come, and no filter of this project both removes and grows";
const UNITES: &str = "several are united and nobody knows how many keys come, and no filter of this project that grows can be united";
const GROWS: &str = "It doubles up to the second number of keys, here ten times the first: give a higher one \
                     if there can be more. A doubling takes a bit per key. At the end inserting fails.";
const UNITED: &str = "`merge` unites two that were made alike.";
pub const LOCKED: &str = "It is behind one lock: threads take turns.";
const ON_A_SERVER: [&str; 3] = [
    "bouquet-redis",
    "a filter on Redis or Valkey (bouquet-redis)",
    "processes that all insert share no filter in memory, but one on a server",
];
const ROUND_TRIP: &str = "Each call is a round trip to the server.";
/// On a filter of a fixed size, and on one that grows.
const SERVED: [&str; 2] = [
    "It does not grow. `RemoteBf` does, on a server with the module RedisBloom.",
    "It grows by parts, on a server with the module RedisBloom. On others take `RemoteBitmap`, for the highest \
     number of keys.",
];
const HASHED: &str = "Its hash is public: insert and look up a keyed hash of each key (SipHash), under a secret key \
                      that all processes have and the server has not. Keep it where passwords are kept.";

/// What is right in place of the candidates, if something is. `advice` is that on the candidates, if
/// one of them meets the requirements.
pub fn elsewhere(workload: &Workload, advice: Option<&Advice>) -> Option<Elsewhere> {
    let is_settled = |one: &Advice| one.is_few || one.choice.candidate() == Candidate::None;
    if advice.is_some_and(is_settled) || !workload.only.is_empty() {
        return None;
    }
    let target_fpr = workload.fpr.unwrap_or(0.01);
    let found = expiring_map(workload);
    let found = found.or_else(|| quotients(workload, advice, target_fpr));
    let found = found.or_else(|| on_a_server(workload, target_fpr))?;
    let fits = found.row.memory_bytes <= workload.memory.or(found.row.memory_bytes);
    fits.then_some(found)
}

/// A map from each of few keys to when it came. A number of insertions is left to a filter: a map would
/// need their order as well.
fn expiring_map(workload: &Workload) -> Option<Elsewhere> {
    let Some(Expires::Seconds(seconds)) = workload.expires else {
        return None;
    };
    let memory = (BYTES_A_MAPPED_KEY * workload.final_keys() * workload.filters) as f64;
    if memory > FEW_BYTES || workload.threads > 1 || workload.persist {
        return None;
    }
    let program = include_str!("../../programs/expiring-map.txt");
    let program = program.replace("$seconds", &seconds.to_string());
    let code = (String::new(), code::elsewhere(&program, workload, 0.0));
    let figures = [0.0, 0.0, memory];
    Some(Elsewhere::new(workload, MAP, figures, Vec::new(), code))
}

/// A quotient filter, of which keys can be removed, and which grows.
fn quotients(workload: &Workload, advice: Option<&Advice>, target_fpr: f64) -> Option<Elsewhere> {
    // Its hash with a secret key cannot be stored, nor be that of another machine.
    let is_stored = workload.persist || workload.shared;
    let is_asked = workload.deletes || workload.shared;
    if !is_asked || workload.growth != Growth::Unknown || workload.hostile && is_stored {
        return None;
    }
    let [name, whole_name] = ["qfilter", "the crate qfilter, a quotient filter,"];
    let why = if workload.deletes { REMOVES } else { UNITES };
    let keys = workload.final_keys() as f64;
    // The slots are a power of two, and at most 95 % of them are filled. A block of 64 has 17 bytes
    // beside its remainders.
    let slots = (keys / 0.95).log2().ceil().exp2().max(64.0);
    let remainder = (-target_fpr.log2()).ceil().max(1.0);
    let memory = (slots / 64.0 * (17.0 + 8.0 * remainder) + 8.0) * workload.filters as f64;
    let is_larger = |advice: &Advice| TOO_MANY_BITS * memory >= advice.choice.memory;
    if slots.log2() + remainder > 64.0 || advice.is_some_and(is_larger) {
        return None;
    }
    let command = match is_stored {
        true => "cargo add qfilter@0.3 --features serde\ncargo add serde_json@1\n",
        false => "cargo add qfilter@0.3\n",
    };
    let program = include_str!("../../programs/qfilter.txt");
    let program = code::elsewhere(program, workload, target_fpr);
    let united = workload.shared.then_some(UNITED);
    let locked = (workload.threads > 1).then_some(LOCKED);
    let fpr = -(-keys / slots * (-remainder).exp2()).exp_m1();
    let notes = [GROWS].into_iter().chain(united).chain(locked).collect();
    let (code, figures) = ((command.into(), program), [target_fpr, fpr, memory]);
    Some(Elsewhere::new(
        workload,
        [name, whole_name, why],
        figures,
        notes,
        code,
    ))
}

/// A filter on Redis, into which any number of processes insert.
fn on_a_server(workload: &Workload, target_fpr: f64) -> Option<Elsewhere> {
    let all_write = workload.processes > 1 && !workload.is_static && !workload.shared;
    // A command to a server takes 50 us, even on the same machine.
    if !all_write || workload.work_cost < 50e3 {
        return None;
    }
    let grows = workload.growth == Growth::Unknown;
    let (fpr, memory) = match grows {
        true => growing_on_a_server(workload, target_fpr)?,
        false => {
            // Its blocks are those of a candidate.
            let is_alike = |facts: &Facts| facts.foreign == Some(Foreign::Blocks256);
            let mut all = Candidate::all().into_iter();
            let alike = all.find(|one| one.ours().is_some_and(is_alike))?;
            let sizing = sizing(alike, workload, target_fpr).ok()?;
            (sizing.fpr, sizing.bytes(workload))
        }
    };
    let program = include_str!("../../programs/redis.txt");
    let command = format!("cargo add bouquet-redis {ADDRESS}\n");
    let hashed = workload.hostile.then_some(HASHED);
    let notes = [ROUND_TRIP, SERVED[usize::from(grows)]];
    Some(Elsewhere {
        beside: "If one process inserts for all, saves the filter, and the others map its file (`Mapped`), the \
                 best candidate is",
        ..Elsewhere::new(
            workload,
            ON_A_SERVER,
            [target_fpr, fpr, memory],
            notes.into_iter().chain(hashed).collect(),
            (command, code::elsewhere(program, workload, target_fpr)),
        )
    })
}

/// The expected FPR and the memory in bytes of a filter of RedisBloom that has grown to all keys, by
/// parts of which each is twice as large as the one before.
fn growing_on_a_server(workload: &Workload, target_fpr: f64) -> Option<(f64, f64)> {
    let mut link = Sizing::first_link(workload.capacity, target_fpr, true).ok()?;
    let (mut keys, mut bits, mut absent) = (link.capacity, link.size_bits, 1.0 - link.target_fpr);
    while keys < workload.final_keys() {
        link = link.next_link(2).ok()?;
        keys = keys.saturating_add(link.capacity);
        bits = bits.saturating_add(link.size_bits);
        absent *= 1.0 - link.target_fpr;
    }
    Some((1.0 - absent, bits as f64 / 8.0 * workload.filters as f64))
}
