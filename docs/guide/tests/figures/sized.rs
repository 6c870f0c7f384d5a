//! Numbers that are computed from sizes alone, or that were counted once and are quoted.

use std::{fs, path::Path};

use bouquet::{Spec, StandardBloom, interop::RedisBloom};
use bouquet_core::{Inner, math};

use crate::{
    Figures,
    records::{digits, thousands},
};

const KEYS: u64 = 1_000_000;

/// The bits of a standard filter, computed without making it.
fn bits(keys: u64, fpr: f64) -> f64 {
    let spec = Spec::new(keys, fpr).unwrap();
    let geometry = <StandardBloom as Inner>::geometry_for(&spec).unwrap();
    <StandardBloom as Inner>::size_bits_of(geometry) as f64
}

fn steps() -> String {
    let of = |fpr| bits(KEYS, fpr) / KEYS as f64;
    let [one, tenth, hundredth] = [0.01, 0.001, 0.0001].map(of);
    let [first, second] = [tenth - one, hundredth - tenth].map(|step| format!("{step:.1}"));
    assert_eq!(first, second, "the steps are equal");
    format!(
        "For a million keys the standard filter takes {} bits per key at 1 %, {} at 0.1 % and {} at\n\
         0.01 %: {first} more for each step.",
        digits(one),
        digits(tenth),
        digits(hundredth)
    )
}

fn a_billion() -> String {
    let bytes = bits(1_000_000_000, 0.01) / 8.0;
    format!(
        "First: is it needed? A filter of a billion keys at 1 % takes {:.1} GB.",
        bytes / 1e9
    )
}

/// The extra bits per key for half the FPR: 1 / ln 2 in theory.
fn half_the_error() -> String {
    let bits = |expansion| {
        let filter = RedisBloom::reserve(0.01, KEYS, expansion).unwrap();
        filter.size_bits() as f64 / KEYS as f64
    };
    let more = bits(Some(2)) - bits(None);
    let theory = {
        let of = |fpr| math::estimate_parameters(KEYS, fpr).unwrap().size_bits;
        (of(0.005) - of(0.01)) as f64 / KEYS as f64
    };
    assert!((more / theory - 1.0).abs() < 0.01, "{more} {theory}");
    format!(
        "Two things to watch. The first link of a filter that may grow is sized for half of the error that\n\
         was asked for, so that it takes {} bits per key more.",
        digits(more)
    )
}

/// The counts that the README of the Redis client gives for its test of failovers: lost and
/// acknowledged keys, and those with `WAIT`. They are among the numbers after a known phrase.
fn counts(words: &str) -> [f64; 3] {
    let (_, counted) = words.split_once("with one 20 ms away ").unwrap();
    let numbers: Vec<f64> = counted
        .split(' ')
        .map(|word| {
            word.trim_matches(|c: char| !c.is_ascii_digit())
                .replace(',', "")
        })
        .filter_map(|word| word.parse().ok())
        .collect();
    // The numbers are: keys lost, keys acknowledged, the most lost at once, the replicas of `WAIT`,
    // and the number of keys of which none was lost with it.
    let [lost, acknowledged, _, _, waited] = numbers[..5] else {
        unreachable!("five were taken");
    };
    [lost, acknowledged, waited]
}

fn failovers() -> String {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/redis/README.md");
    let words = fs::read_to_string(readme).unwrap();
    let [lost, acknowledged, waited] =
        counts(&words.split_whitespace().collect::<Vec<_>>().join(" "));
    format!(
        "Over twenty failovers, with a replica 20 ms away, {} of {} keys were lost. With `WAIT 1` after\n\
         each insert none of {} was, at 1/{:.0} of the rate.",
        thousands(lost),
        thousands(acknowledged),
        thousands(waited),
        acknowledged / waited
    )
}

pub fn add(figures: &mut Figures) {
    figures.insert("steps", steps());
    figures.insert("a-billion", a_billion());
    figures.insert("half-the-error", half_the_error());
    figures.insert("failovers", failovers());
}
