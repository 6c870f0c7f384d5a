//! The experiments that the flags make.

use anyhow::Result;

use super::{Args, targets};
use bouquet_lab::experiment::{Experiment, Fpr, Phases, Profile, Profiled, Sweep, Ways};

const ANALYSIS: &str = "\
Each filter is filled with members of a key set and asked for non-members that are \
none of them. The hits are compared with the FPR that the bits of each filter give, which does not \
vary from one filter to the next by chance, and their mean over filters of several seeds against \
the exact formula of the layout. A pass says that the rate is within 10 % of theory.

How to misread it: one filter is one sample; its own FPR differs from the mean by a few percent, \
and that is no fault. A rate that only had to be below twice theory is not known to 10 %.";

const LIFECYCLE: &str = "\
Each filter is filled to its capacity, emptied by half if it removes keys, filled to four times its \
capacity, and written out and read back; others are made one, and filled from four threads, as far \
as they can. After every phase each key that must be present is looked up: a Bloom filter \
has no false negatives, whatever its FPR has come to. Nothing is promised for a rejected key.";

const WAYS: &str = "\
Each filter is filled by single calls, in batches, and by Extend where it has it, and asked for \
members and non-members by single calls and in batches, once sized for its keys and once for so many \
more that no cache holds it. All must be the same filter with the same answers: one answer that \
differs fails, whatever the rates are.";

/// A sweep or several, the phases and the ways, with what was cut in the first two.
pub fn made(
    args: &Args,
    capacity: u64,
    filters: &[String],
    [in_sweeps, in_phases]: [&[String]; 2],
) -> Result<Vec<Experiment>> {
    let datasets = datasets(args.flags.effort.profile()).iter();
    let datasets: Vec<String> = datasets.map(ToString::to_string).collect();
    let about = |name: String, title: &str, analysis: String| Experiment {
        name,
        title: title.into(),
        analysis,
        datasets: datasets.clone(),
        ..Experiment::default()
    };
    let filters = || filters.to_vec();
    let bits_per_key = || args.bits_per_key.clone().map_or(Vec::new(), |bits| bits.0);
    let rates = |varied: Varied| Experiment {
        fpr: Some(Fpr {
            sweep: varied.sweep,
            points: Profiled::One(varied.points),
            capacity,
            target_fpr: varied.target_fpr,
            filters: filters(),
            replicates: each(8, 16, 32),
            hits: each(4_000, 4_000, 10_000),
            max_non_members: each(20_000_000, 20_000_000, 100_000_000),
        }),
        ..about(
            varied.name,
            "Is the FPR what theory says?",
            with_notes(ANALYSIS, in_sweeps),
        )
    };
    let phases = Experiment {
        phases: Some(Phases {
            capacity,
            target_fprs: targets(args),
            bits_per_key: bits_per_key(),
            filters: filters(),
            replicates: each(1, 2, 4),
        }),
        ..about(
            "phases".into(),
            "Does a filter keep its keys?",
            with_notes(LIFECYCLE, in_phases),
        )
    };
    let ways = Experiment {
        ways: Some(Ways {
            capacity,
            target_fprs: targets(args),
            bits_per_key: bits_per_key(),
            filters: filters(),
            replicates: each(1, 2, 4),
            non_members: each(20_000, 50_000, 500_000),
        }),
        ..about(
            "ways".into(),
            "Is a batch the same as so many single calls?",
            WAYS.into(),
        )
    };
    let all = sweeps(args).into_iter().map(rates).chain([phases, ways]);
    all.map(Experiment::checked).collect()
}

/// A paragraph of notes below the analysis, if there are any.
fn with_notes(analysis: &str, notes: &[String]) -> String {
    let notes = notes.join(" ");
    format!("{analysis}\n\n{notes}").trim_end().to_owned()
}

/// The key sets of a profile.
pub fn datasets(profile: Profile) -> &'static [&'static str] {
    match profile {
        Profile::Quick => &["random-u64"],
        Profile::Default => &["urls", "random-u64"],
        Profile::Full => &["words", "urls", "packages", "sequential", "random-u64"],
    }
}

/// What is varied.
struct Varied {
    name: String,
    sweep: Sweep,
    points: Vec<f64>,
    target_fpr: Option<f64>,
}

/// At other loads than 1 each target is a sweep of its own.
fn sweeps(args: &Args) -> Vec<Varied> {
    let over = |name: &str, sweep, points| Varied {
        name: name.to_owned(),
        sweep,
        points,
        target_fpr: None,
    };
    if let Some(bits) = &args.bits_per_key {
        return vec![over("fpr-over-bits", Sweep::BitsPerKey, bits.0.clone())];
    }
    let Some(loads) = &args.load else {
        return vec![over("fpr-at-target", Sweep::TargetFpr, targets(args))];
    };
    let of_target = |fpr: f64| Varied {
        target_fpr: Some(fpr),
        ..over(
            &format!("fpr-over-load-{fpr:?}"),
            Sweep::Load,
            loads.0.clone(),
        )
    };
    targets(args).into_iter().map(of_target).collect()
}

fn each<T>(quick: T, default: T, full: T) -> Profiled<T> {
    Profiled::Each {
        quick,
        default,
        full,
    }
}
