//! Which attacks are made on which hash functions.

use anyhow::Result;
use bouquet_core::{KeyHasher, Spec};
use bouquet_counting::CountingBloom;
use bouquet_cuckoo::CuckooFilter;
use bouquet_hash::{SipKeyed, Xxh3, Xxh3Wide, murmur3::x64_128};
use bouquet_standard::StandardBloom;

use super::{
    bloom::Go,
    case::Case,
    collision::collision,
    definition::Plan,
    deletion::{by_collision, by_search},
    forging::forging,
    keys::member,
    murmur::{Murmur3, preimage, sibling},
    pollution::pollution,
    record::AttackRow,
    xxh3::twin,
};
use crate::{
    staging::{Interrupted, interrupted},
    workload::mix,
};

/// The name of the hash that must withstand.
pub const KEYED: &str = "sip-keyed";

/// All attacks, in the order of the report. `Interrupted` if Ctrl-C was pressed.
pub fn run(plan: &Plan, seed: u64) -> Result<Vec<AttackRow>> {
    let case = |hashing, knows| Case {
        plan,
        seed,
        hashing,
        knows,
    };
    let parts: [&dyn Fn() -> Result<Vec<AttackRow>>; 5] = [
        &|| xxh3(&case("xxh3", "all")),
        &|| {
            let hasher = Xxh3Wide::with_seed(seed);
            let case = case("xxh3-wide", "all");
            Ok([
                bits(&case, hasher, hasher)?,
                removals(&case, hasher, hasher)?,
            ]
            .concat())
        },
        &|| murmur(&case("murmur3", "all")),
        &|| secret_seed(&case("murmur3", "all but the seed")),
        &|| {
            let case = case(KEYED, "all but the key");
            let (real, guess) = (secret(seed, "key"), secret(seed, "guess"));
            Ok([bits(&case, real, guess)?, removals(&case, real, guess)?].concat())
        },
    ];
    let mut rows = Vec::new();
    for part in parts {
        rows.extend(part()?);
        if interrupted() {
            return Err(Interrupted.into());
        }
    }
    Ok(rows)
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

fn spec(case: &Case<'_>) -> Result<Spec> {
    Ok(Spec::new(case.plan.capacity, case.plan.target_fpr)?)
}

/// The attacks on a filter of bits, its hasher `real`, the attacker's `guess`.
fn bits<H: KeyHasher>(case: &Case<'_>, real: H, guess: H) -> Result<Vec<AttackRow>> {
    let filter =
        |hasher: &H| -> Result<_> { Ok(StandardBloom::with_hasher(spec(case)?, hasher.clone())?) };
    Ok(vec![
        pollution(case, filter(&real)?, filter(&guess)?)?,
        forging(case, filter(&real)?, &filter(&guess)?)?,
    ])
}

/// The same on filters that remove.
fn removals<H: KeyHasher>(case: &Case<'_>, real: H, guess: H) -> Result<Vec<AttackRow>> {
    let counting = |hasher: &H| {
        CountingBloom::with_hasher(spec(case)?, hasher.clone()).map_err(anyhow::Error::from)
    };
    let cuckoo = |hasher: &H| {
        CuckooFilter::with_hasher(spec(case)?, hasher.clone()).map_err(anyhow::Error::from)
    };
    Ok(vec![
        by_search(case, counting(&real)?, counting(&guess)?),
        by_search(case, cuckoo(&real)?, cuckoo(&guess)?),
    ])
}

fn xxh3(case: &Case<'_>) -> Result<Vec<AttackRow>> {
    let hasher = Xxh3::with_seed(case.seed);
    let twin = |victim: &[u8; 32]| twin(hasher, victim).to_vec();
    let forged: Vec<_> = case.members().map(|key| (twin(&key), key)).collect();
    let standard = StandardBloom::with_hasher(spec(case)?, hasher)?;
    let counting = CountingBloom::with_hasher(spec(case)?, hasher)?;
    let cuckoo = CuckooFilter::with_hasher(spec(case)?, hasher)?;
    let mut rows = bits(case, hasher, hasher)?;
    rows.push(collision(case, "preimage", &standard, forged.into_iter()));
    rows.extend(removals(case, hasher, hasher)?);
    rows.push(by_collision(case, "preimage", counting, twin));
    rows.push(by_collision(case, "preimage", cuckoo, twin));
    Ok(rows)
}

/// As bits-and-blooms has it; for removals, in our own filters.
fn murmur(case: &Case<'_>) -> Result<Vec<AttackRow>> {
    let size = bouquet_standard::Geometry::from_spec(&spec(case)?)?;
    let go = || Go::new(size.size_bits(), size.hashes());
    let victim = member(case.seed, 0);
    let collide = |victim: &[u8; 32], index| preimage(x64_128(victim, 0), 0, index).to_vec();
    let many = usize::try_from(case.plan.collisions)?;
    let forged = (0..many).map(|index| (collide(&victim, index as u64), victim));
    let counting = CountingBloom::with_hasher(spec(case)?, Murmur3(0))?;
    let cuckoo = CuckooFilter::with_hasher(spec(case)?, Murmur3(0))?;
    let mut rows = vec![
        pollution(case, go()?, go()?)?,
        forging(case, go()?, &go()?)?,
        collision(case, "preimage", &go()?, forged),
    ];
    rows.extend(removals(case, Murmur3(0), Murmur3(0))?);
    rows.push(by_collision(case, "preimage", counting, |victim| {
        collide(victim, 0)
    }));
    rows.push(by_collision(case, "preimage", cuckoo, |victim| {
        collide(victim, 0)
    }));
    Ok(rows)
}

/// A seed that the attacker does not know, nor guesses.
fn secret_seed(case: &Case<'_>) -> Result<Vec<AttackRow>> {
    let hasher = Murmur3(mix(case.seed) as u32);
    let standard = StandardBloom::with_hasher(spec(case)?, hasher)?;
    let counting = CountingBloom::with_hasher(spec(case)?, hasher)?;
    let cuckoo = CuckooFilter::with_hasher(spec(case)?, hasher)?;
    let sibling = |victim: &[u8; 32]| sibling(victim).to_vec();
    let forged: Vec<_> = case.members().map(|key| (sibling(&key), key)).collect();
    Ok(vec![
        collision(case, "sibling", &standard, forged.into_iter()),
        by_collision(case, "sibling", counting, sibling),
        by_collision(case, "sibling", cuckoo, sibling),
    ])
}
