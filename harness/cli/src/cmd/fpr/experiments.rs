//! The experiments that the flags make.

use anyhow::Result;

use super::{Args, targets};
use bouquet_lab::experiment::{Experiment, Fpr, Profile, Profiled, Sweep};

const ANALYSIS: &str = "\
Each filter is filled with members of a key set and asked for non-members that are \
none of them. The hits are compared with the FPR that the bits of each filter give, which does not \
vary from one filter to the next by chance, and their mean over filters of several seeds against \
the exact formula of the layout. What a pass leaves open is printed.

How to misread it: one filter is one sample; its own FPR differs from the mean by a few percent, \
and that is no fault.";

/// A sweep or several, with what was cut in them.
pub fn made(
    args: &Args,
    capacity: u64,
    filters: &[String],
    in_sweeps: &[String],
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
    let all = sweeps(args).into_iter().map(rates);
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
