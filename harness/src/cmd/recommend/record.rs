//! An advice as it is recorded and told.

use crate::{
    recommend::{
        Advice, Bytes, Candidate, Paper, Piece, Rival, Row, Workload, code, overhead, share_words,
    },
    record::{
        AssumedRow, BandRow, CandidateRow, EnvelopeRow, LineRow, RECOMMENDATION_VERSION,
        Recommendation, SensitivityRow,
    },
    units::time,
};

/// The advice in full; `times` says whose the times are.
pub fn records(workload: &Workload, advice: &Advice, times: &str) -> Recommendation {
    let choice = &advice.choice;
    let code = code(choice.candidate(), workload, choice.paper.target_fpr);
    let rows = advice.rows.iter().map(|row| candidate_row(advice, row));
    let rejected = advice.rejected.iter().map(|one| CandidateRow {
        candidate: one.candidate.name().into(),
        class: one.candidate.class().name().into(),
        outcome: "rejected".into(),
        reasons: one.reasons.join("; "),
        ..CandidateRow::default()
    });
    let names = |all: &[Candidate]| all.iter().map(|one| one.name().to_owned()).collect();
    Recommendation {
        schema_version: RECOMMENDATION_VERSION,
        version: env!("CARGO_PKG_VERSION").into(),
        capacity: workload.capacity,
        final_keys: workload.final_keys(),
        work_cost_ns: advice.work,
        hits: workload.hits,
        assumed: workload.assumed.iter().map(assumed_row).collect(),
        choice: choice.candidate().name().into(),
        reason: reason(workload, advice),
        runner_up: advice
            .runner_up
            .as_ref()
            .map(|row| row.candidate().name().into()),
        runner_up_reason: runner_up(advice),
        too_close: names(&advice.too_close),
        notes: notes(workload, advice),
        times: times.into(),
        candidates: rows.chain(rejected).collect(),
        envelope: advice
            .envelope
            .iter()
            .map(|piece| EnvelopeRow {
                from_ns: piece.from,
                to_ns: piece.to,
                candidate: piece.candidate.name().into(),
                bits_per_key_from: piece.bits[0],
                bits_per_key_to: piece.bits[1],
                too_close: rivals(piece),
            })
            .collect(),
        bands: advice.envelope.iter().flat_map(bands).collect(),
        sensitivity: advice
            .sensitivity
            .iter()
            .map(|one| SensitivityRow {
                times_the_keys: one.times,
                expected_fpr: one.fpr,
                overhead_ns: one.overhead,
                best: one.best.name().into(),
            })
            .collect(),
        lines: advice
            .lines
            .iter()
            .map(|line| LineRow {
                candidate: line.candidate.name().into(),
                bits_per_key: line.bits_per_key,
                base_ns: line.base,
                base_low_ns: line.low,
                base_high_ns: line.high,
                slope: line.slope,
            })
            .collect(),
        cargo_toml: code.dependencies,
        rust: code.rust,
    }
}

/// Who is too close to call, with the bounds that are within the stretch.
fn rivals(piece: &Piece) -> String {
    let words = |rival: &Rival| {
        let name = rival.candidate.name();
        let (from, to) = (time(rival.from), time(rival.to));
        match (rival.from > piece.from, rival.to < piece.to) {
            (false, false) => name.to_owned(),
            (false, true) => format!("{name} (to {to})"),
            (true, false) => format!("{name} (from {from})"),
            (true, true) => format!("{name} ({from} to {to})"),
        }
    };
    let all: Vec<String> = piece.too_close.iter().map(words).collect();
    all.join(", ")
}

fn bands(piece: &Piece) -> impl Iterator<Item = BandRow> {
    piece.too_close.iter().map(|rival| BandRow {
        candidate: rival.candidate.name().into(),
        from_ns: rival.from,
        to_ns: rival.to,
        best: piece.candidate.name().into(),
    })
}

fn assumed_row([flag, value, whence]: &[String; 3]) -> AssumedRow {
    AssumedRow {
        flag: flag.clone(),
        value: value.clone(),
        whence: whence.clone(),
    }
}

fn candidate_row(advice: &Advice, row: &Row) -> CandidateRow {
    let candidate = row.candidate();
    let is_runner_up = advice
        .runner_up
        .as_ref()
        .is_some_and(|other| other.candidate() == candidate);
    let outcome = if candidate == advice.choice.candidate() {
        "choice"
    } else if is_runner_up {
        "runner-up"
    } else {
        "possible"
    };
    let is_none = candidate == Candidate::None;
    CandidateRow {
        candidate: candidate.name().into(),
        class: candidate.class().name().into(),
        outcome: outcome.into(),
        target_fpr: candidate.is_sized().then_some(row.paper.target_fpr),
        bits_per_key: Some(row.line.bits_per_key),
        expected_fpr: (!is_none).then_some(row.fpr),
        hit_ns: Some(row.times.hit.median),
        miss_ns: Some(row.times.miss.median),
        insert_ns: Some(row.times.insert.median),
        build_s: Some(row.build_s()),
        memory_bytes: Some(row.line.memory),
        stored_bytes: row.stored,
        overhead_ns: Some(row.line.at(advice.work)),
        reasons: String::new(),
    }
}

/// In two sentences: the choice, and why.
fn reason(workload: &Workload, advice: &Advice) -> String {
    let choice = &advice.choice;
    let (name, work) = (choice.candidate().name(), advice.work);
    let wasted = (1.0 - workload.hits) * work;
    if choice.candidate() == Candidate::None {
        let from = advice.pays_from.map_or("nowhere up to 1 s".into(), |from| {
            format!("from a work cost of {} on", time(from))
        });
        return format!(
            "Take no filter: a lookup behind it costs {} and {} of the lookups are needless, and \
             what would answer first takes as long as it saves. A filter pays {from}.",
            time(work),
            share_words(1.0 - workload.hits)
        );
    }
    let exact = if choice.fpr == 0.0 {
        "and is never wrong".to_owned()
    } else {
        format!("at an FPR of {}", share_words(choice.fpr))
    };
    format!(
        "Take {name} with {:.1} bits a key {exact}, {} in all. A lookup loses {} with it where it \
         loses {} without a filter, and {}{}.",
        choice.line.bits_per_key,
        Bytes(choice.line.memory),
        time(choice.line.at(work)),
        time(wasted),
        choice.candidate().virtue(),
        match &advice.too_close[..] {
            [] => String::new(),
            near => format!(
                "; of those too close to call ({}) it takes the least memory",
                near.iter()
                    .map(|one| one.name())
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
        }
    )
}

/// The next best, and when it would win.
fn runner_up(advice: &Advice) -> String {
    let Some(next) = &advice.runner_up else {
        return "Nothing else can do it.".into();
    };
    let name = next.candidate().name();
    let loses = format!(
        "The runner-up is {name}: {} a lookup, {:.1} bits a key, {} in all.",
        time(next.line.at(advice.work)),
        next.line.bits_per_key,
        Bytes(next.line.memory)
    );
    let wins: Vec<String> = advice
        .envelope
        .iter()
        .filter(|piece| piece.candidate == next.candidate())
        .map(|piece| format!("from {} to {}", time(piece.from), time(piece.to)))
        .collect();
    let when = if wins.is_empty() {
        let smaller = next.line.memory < advice.choice.line.memory;
        let memory = if smaller {
            "; it would win by memory alone"
        } else {
            ""
        };
        format!("It has the least cost at no work cost from 1 ns to 1 s{memory}.")
    } else {
        format!("It has the least cost at work costs {}.", wins.join(", "))
    };
    format!("{loses} {when}")
}

fn notes(workload: &Workload, advice: &Advice) -> Vec<String> {
    let mut notes = Vec::new();
    let choice = &advice.choice;
    if choice.candidate().class().name() == "exact" {
        notes.push(
            "An exact set wins here: no Bloom filter is needed, and no false positive comes."
                .into(),
        );
    }
    if choice.candidate().class().name() == "other" {
        notes.push(
            "A static filter of another crate, xorf, wins here: the set never changes, which Bloom \
             filters do not make use of."
                .into(),
        );
    }
    if let Some((bits, overhead)) = advice.at_asked_fpr {
        let asked = workload.fpr.map_or_else(String::new, share_words);
        notes.push(format!(
            "The FPR asked for, {asked}, would take {bits:.1} bits a key, and a lookup would lose \
             {}: more bits pay, up to the memory given or 32 bits a key.",
            time(overhead)
        ));
    }
    if workload.grows() && choice.candidate() != Candidate::Scalable {
        notes.push(format!(
            "It is made for the {} keys of the end at once.",
            workload.final_keys()
        ));
    }
    if let Some(own) = headers(workload, &choice.paper) {
        notes.push(own);
    }
    if workload.threads > 1 {
        notes.push(
            "Times are of one thread; how threads share a filter: bouquet speed --threads.".into(),
        );
    }
    if workload.hostile {
        notes.push(
            "Filters are hashed under a secret key (SipKeyed): keep it, and keep it apart from them."
                .into(),
        );
    }
    notes
}

/// Of many small sets: what each takes beside its bits.
fn headers(workload: &Workload, paper: &Paper) -> Option<String> {
    let over = overhead(paper.candidate, workload, paper.target_fpr).ok()?;
    let is_small = paper.candidate.is_sized() && over.memory > 0.02 * paper.payload_bytes;
    (workload.filters > 1 || is_small).then(|| {
        format!(
            "Each set takes {:.0} bytes beside its {:.0} bytes of bits in memory, and {:.0} in a \
             file.",
            over.memory, paper.payload_bytes, over.stored
        )
    })
}
