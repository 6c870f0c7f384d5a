//! An advice as it is recorded.

use super::words::{notes, reason, runner_up};
use bouquet_advise::recommend::{Advice, Candidate, Checkout, Offer, Piece, Rival, Workload, code};
use bouquet_ground::record::{BandRow, CandidateRow, EnvelopeRow, LineRow, Recommendation};
use bouquet_ground::units::time;

/// The advice in full; `times` says whose the times are, `checkout` where our crates are.
pub fn records(
    workload: &Workload,
    advice: &Advice,
    times: &str,
    checkout: Checkout,
) -> Recommendation {
    let choice = &advice.choice;
    let code = code(choice.candidate(), workload, choice.sizing.target_fpr);
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
        version: env!("CARGO_PKG_VERSION").into(),
        capacity: workload.capacity,
        final_keys: workload.final_keys(),
        work_cost_ns: advice.work,
        hits: workload.hits,
        assumed: workload.assumed.clone(),
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
        sensitivity: advice.sensitivity.clone(),
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
        cargo_toml: code.dependencies(checkout),
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

fn candidate_row(advice: &Advice, row: &Offer) -> CandidateRow {
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
        target_fpr: candidate.is_sized().then_some(row.sizing.target_fpr),
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
