//! `bouquet recommend`: recommends a filter for a workload.

mod words;

use anyhow::{Context, Result, bail};

use crate::advise::{
    Advice, Candidate, Elsewhere, Offer, Own, Requirements, Sample, Times, Workload, advise, code,
    elsewhere, measured,
};
use crate::output::{Format, print, say, screen};
use bouquet_record::unknown::unknown;
use bouquet_record::{CandidateRow, Recommendation, in_csv};
use bouquet_report::recommend;

const HELP: &str = "\
The number of keys is needed: --capacity, --keys or --use-case. The answer lists
the defaults for the rest. Without --fpr the size with the least cost per lookup
is chosen, within --memory or 32 bits per key.

A workload file has the names of the flags, as in `capacity = 1e6`, and
use-case, bits-per-key, lookups-per-build, filters-count, integers-below and
false-positive-loses.

Examples:
  bouquet recommend --capacity 1e6 --fpr 0.01 --work-cost 80us
  bouquet recommend --use-case crawler --keys urls.txt --measure
  bouquet recommend --use-case workload.toml --hits 0.1 --format json";

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = HELP)]
pub struct Args {
    #[command(flatten)]
    requirements: Requirements,
    /// Consider only these candidates (and no filter at all), even if they have unneeded features.
    #[arg(long, alias = "filter", value_delimiter = ',', value_name = "NAME,…")]
    filters: Vec<String>,
    /// Measure times on this machine for some seconds, instead of those that come with the program.
    #[arg(long)]
    measure: bool,
    /// The format of the output; CSV has only the candidates.
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Measure almost nothing, for tests.
    #[arg(long, hide = true, requires = "measure")]
    tiny: bool,
}

/// The seed of the keys that are used for measuring.
const SEED: u64 = 1;

pub fn run(args: &Args) -> Result<u8> {
    if args.measure && !args.tiny && cfg!(debug_assertions) {
        bail!("--measure: times of a debug build are meaningless: build with --release");
    }
    let keys = args.requirements.keys_file()?;
    let own = keys.map(|path| Own::read(&path)).transpose()?;
    if let Some(warning) = own.as_ref().and_then(|own| own.warning.as_ref()) {
        say(&format!("warning: {warning}"));
    }
    let facts = own.as_ref().map(|own| own.facts);
    let mut workload = Workload::new(&args.requirements, facts)?;
    let known: Vec<&str> = Candidate::all().iter().map(|one| one.name()).collect();
    let only = args.filters.iter().map(|name| {
        let hint = "`bouquet recommend --capacity 1e6` lists all";
        Candidate::named(name).with_context(|| unknown("candidate", name, &known, hint))
    });
    workload.only = only.collect::<Result<_>>()?;
    let times = if args.measure {
        let most = if args.tiny { 300 } else { u64::MAX };
        let sample = Sample::new(&workload, own.as_ref(), SEED, most)?;
        say(&format!("measuring with {} keys", sample.members.len()));
        measured(&workload, &sample, args.tiny)?
    } else {
        Times::committed(workload.key_kind.name(), workload.hostile)?.grown(workload.grown())
    };
    let advice = advise(&workload, &times);
    let other = elsewhere(&workload, advice.as_ref().ok());
    let advice = match &other {
        Some(_) => advice.ok(),
        None => Some(advice?),
    };
    let mut answer = Recommendation {
        version: env!("CARGO_PKG_VERSION").into(),
        capacity: workload.capacity,
        final_keys: workload.final_keys(),
        work_cost_ns: workload.work_cost,
        hits: workload.hits,
        assumed: workload.assumed.clone(),
        times: words::source(args.measure),
        ..Recommendation::default()
    };
    if let Some(advice) = &advice {
        of_candidates(&mut answer, &workload, advice);
    }
    if let Some(other) = other {
        of_elsewhere(&mut answer, advice.as_ref(), other);
    }
    print(&match args.format {
        Format::Table => recommend::text(&answer, screen()),
        Format::Md => recommend::markdown(&answer),
        Format::Json => recommend::json(&answer)?,
        Format::Csv => in_csv(&answer.candidates)?,
    })?;
    Ok(0)
}

/// Fills in the choice among the candidates.
fn of_candidates(answer: &mut Recommendation, workload: &Workload, advice: &Advice) {
    let choice = &advice.choice;
    let name = |offer: &Offer| offer.candidate().name().to_owned();
    let rejected = advice.rejected.iter().map(|one| CandidateRow {
        candidate: one.candidate.name().into(),
        class: one.candidate.class().name().into(),
        outcome: "rejected".into(),
        reasons: one.reasons.join("; "),
        ..CandidateRow::default()
    });
    let rows = advice.rows.iter().map(|row| candidate_row(advice, row));
    answer.choice = name(choice);
    answer.reason = words::reason(workload, advice);
    answer.runner_up = advice.runner_up.as_ref().map(name);
    answer.runner_up_reason = words::runner_up(advice);
    answer.notes = words::notes(workload, advice);
    answer.candidates = rows.chain(rejected).collect();
    (answer.cargo_add, answer.rust) = code(choice.candidate(), workload, choice.sizing.target_fpr);
}

/// Puts what is none of the candidates in place of the choice, which becomes the runner-up.
fn of_elsewhere(answer: &mut Recommendation, advice: Option<&Advice>, other: Elsewhere) {
    for row in &mut answer.candidates {
        if row.candidate == answer.choice {
            row.outcome = "runner-up".into();
        } else if row.outcome == "runner-up" {
            row.outcome = "possible".into();
        }
    }
    answer.choice.clone_from(&other.row.candidate);
    answer.reason = other.reason;
    answer.runner_up = advice.map(|advice| advice.choice.candidate().name().into());
    let best = |one: &Advice| format!("{} {}.", other.beside, words::figures(&one.choice));
    answer.runner_up_reason = advice.map_or(words::NO_OTHER.into(), best);
    answer.notes = other.notes.into_iter().map(str::to_owned).collect();
    answer.candidates.insert(0, other.row);
    (answer.cargo_add, answer.rust) = other.code;
}

fn candidate_row(advice: &Advice, row: &Offer) -> CandidateRow {
    let candidate = row.candidate();
    let outcome = match &advice.runner_up {
        _ if candidate == advice.choice.candidate() => "choice",
        Some(other) if candidate == other.candidate() => "runner-up",
        _ => "possible",
    };
    CandidateRow {
        candidate: candidate.name().into(),
        class: candidate.class().name().into(),
        outcome: outcome.into(),
        target_fpr: candidate.is_sized().then_some(row.sizing.target_fpr),
        bits_per_key: Some(row.sizing.bits_per_key()),
        expected_fpr: (candidate != Candidate::None).then_some(row.fpr),
        hit_ns: Some(row.times.hit),
        miss_ns: Some(row.times.miss),
        insert_ns: Some(row.times.insert),
        build_s: Some(row.build_s()),
        memory_bytes: Some(row.memory),
        stored_bytes: row.stored,
        overhead_ns: Some(row.cost),
        reasons: String::new(),
    }
}
