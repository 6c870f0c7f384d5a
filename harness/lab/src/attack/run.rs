//! Which attacks are made on which hash functions.

use anyhow::Result;
use bouquet_core::KeyHasher;
use bouquet_hash::{SipKeyed, Xxh3, Xxh3Wide};

use super::{
    case::Case,
    definition::Plans,
    pieces::{
        collisions, folded, murmur, of_scheme, searches, secret_seed, secret_seed_of_folded, xxh3,
    },
};
use crate::schemes::{Scheme, schemes};
use crate::workload::mix;
use bouquet_ground::parallel;
use bouquet_ground::record::{ALL, AttackRow, KEYED};

/// Makes all attacks on `jobs` threads and hands their rows to `take`, in the
/// order of the report. `Interrupted` if Ctrl-C was pressed.
pub fn run(
    plans: &Plans,
    seed: u64,
    jobs: usize,
    mut take: impl FnMut(AttackRow) -> Result<()>,
) -> Result<()> {
    let case = |hashing, knows| Case {
        plan: &plans.filters,
        seed,
        hashing,
        knows,
    };
    let of_schemes = |hashing| Case {
        plan: &plans.schemes,
        ..case(hashing, ALL)
    };
    let all = schemes();
    let wide = Xxh3Wide::with_seed(seed);
    let (real, guess) = (secret(seed, "key"), secret(seed, "guess"));
    let mut pieces = folded(case("folded", ALL));
    pieces.push(secret_seed_of_folded(case("folded", "all but the seed")));
    pieces.extend(xxh3(case("xxh3", ALL)));
    pieces.extend(searches(case("xxh3-wide", ALL), wide, wide));
    pieces.extend(murmur(case("murmur3", ALL)));
    pieces.extend(secret_seed(case("murmur3", "all but the seed")));
    for scheme in all.iter().filter(|scheme| is_under_attack(scheme)) {
        pieces.extend(of_scheme(of_schemes(scheme.name), scheme));
        if ["bits-and-blooms", "go-zero"].contains(&scheme.name) {
            pieces.push(collisions(case(scheme.name, ALL), scheme));
        }
    }
    pieces.extend(searches(case(KEYED, "all but the key"), real, guess));
    parallel::in_order(&pieces, jobs, |piece| piece(), |row| take(row?))
}

/// The default one is in the standard filter, and what is weak without an adversary
/// needs none.
fn is_under_attack(scheme: &Scheme) -> bool {
    scheme.name != "default" && scheme.role != "known-bad"
}

/// A key of the seed, so that a run can be repeated. What guards a filter comes
/// from the system's random source.
fn secret(seed: u64, whose: &str) -> SipKeyed {
    let whose = Xxh3::new().hash(whose.as_bytes()).place;
    let words = [mix(seed ^ whose), mix(!seed ^ whose)];
    let mut key = [0; 16];
    key[..8].copy_from_slice(&words[0].to_le_bytes());
    key[8..].copy_from_slice(&words[1].to_le_bytes());
    SipKeyed::with_key(key)
}
