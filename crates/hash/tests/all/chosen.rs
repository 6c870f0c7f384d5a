//! Attacks with keys chosen by an adversary who knows everything about a filter except a secret
//! key. The results are in `data/attacks.csv` and quoted in docs/TRUST.md and the guide.

use bouquet_core::{
    KeyHasher,
    math::{Parameters, min_bits_exact},
};
use bouquet_hash::{Folded, SipKeyed, Xxh3, Xxh3Wide, scheme::RotateAdd};

const KEYS: u64 = 4_096;
const TARGET: f64 = 0.01;
const FORGED: usize = 10_000;
const ASKED: u64 = 500_000;
const COLLISIONS: u64 = 100_000;

/// Attacks two filters of `KEYS` keys: one is filled with keys chosen so that every probe hits
/// an empty slot, the other with ordinary keys and queried with non-members chosen to pass. The
/// attacker searches keys with the hasher `known`; the filter hashes with `real`.
fn searched<H: KeyHasher>(name: &str, knows: &str, real: &H, known: &H, csv: &mut Vec<String>) {
    let Parameters { size_bits, hashes } = min_bits_exact(KEYS, TARGET).unwrap();
    let scheme = RotateAdd::new(size_bits, hashes).unwrap();
    let slots = |hasher: &H, key: &str| {
        let slots = scheme.locations(hasher.hash(key.as_bytes()));
        slots.map(|slot| slot as usize)
    };
    let passes = |hasher, filter: &[bool], key: &str| slots(hasher, key).all(|slot| filter[slot]);
    let absent = |filter: &[bool]| {
        let keys = (0..ASKED).map(|i| format!("absent-{i}"));
        keys.filter(|key| passes(real, filter, key)).count()
    };
    let empty = vec![false; size_bits as usize];

    let (mut filter, mut copy, mut fresh) = (empty.clone(), empty.clone(), 0);
    let mut tries = (0..).map(|i| format!("try-{i}"));
    for _ in 0..KEYS {
        let is_fresh = |key: &String| slots(known, key).all(|slot| !copy[slot]);
        let key = tries.find(is_fresh).unwrap();
        fresh += u64::from(slots(real, &key).all(|slot| !filter[slot]));
        slots(known, &key).for_each(|slot| copy[slot] = true);
        slots(real, &key).for_each(|slot| filter[slot] = true);
    }
    let wrong = absent(&filter);
    csv.push(format!(
        "{name},{knows},pollution,{KEYS},{fresh},{ASKED},{wrong}"
    ));

    let mut filter = empty;
    for i in 0..KEYS {
        slots(real, &format!("member-{i}")).for_each(|slot| filter[slot] = true);
    }
    let forged = tries.filter(|key| passes(known, &filter, key)).take(FORGED);
    let passed = forged.filter(|key| passes(real, &filter, key)).count();
    let wrong = absent(&filter);
    csv.push(format!(
        "{name},{knows},forged positives,{FORGED},{passed},{ASKED},{wrong}"
    ));
}

/// A lane of `Folded`, computed for the first or the last half of a key of 32 bytes.
fn lane([c, d]: [u64; 2], seed: u64, [u, v]: [u64; 2]) -> u64 {
    let product = u128::from(u ^ c) * u128::from(v ^ d ^ seed);
    (product >> 64) as u64 ^ product as u64
}

/// The constants of the first lane, and of the two lanes that both read the last half of the
/// key.
const FIRST: [u64; 2] = [0xa409_3822_299f_31d1, 0x082e_fa98_ec4e_6c89];
const LAST: [[u64; 2]; 2] = [
    [0xc0ac_29b7_c97c_50dd, 0xd131_0ba6_98df_b5ac],
    [0x3f84_d5b5_b547_0917, 0x2ffd_72db_d01a_dfb7],
];

fn bytes(words: [[u64; 2]; 2]) -> Vec<u8> {
    let words = words.concat().into_iter();
    words.flat_map(u64::to_le_bytes).collect()
}

/// Constructs a key that ends with `other` and has the same hash as the key of the given words.
/// One factor of its first lane is 1, so the lane's value equals the other factor, which can be
/// chosen freely.
fn twin(seed: u64, [first, last]: [[u64; 2]; 2], other: [u64; 2]) -> Vec<u8> {
    let both = |half| lane(LAST[0], seed, half) ^ lane(LAST[1], seed, half);
    let wanted = lane(FIRST, seed, first) ^ both(last) ^ both(other);
    bytes([[FIRST[0] ^ 1, wanted ^ FIRST[1] ^ seed], other])
}

#[test]
fn chosen_keys_do_harm_without_a_secret_key_alone() {
    let mut csv = vec!["hasher,knows,attack,chosen,succeeded,asked,false_positives".to_owned()];
    searched("Folded", "all", &Folded::new(), &Folded::new(), &mut csv);
    searched("Xxh3", "all", &Xxh3::new(), &Xxh3::new(), &mut csv);
    let wide = Xxh3Wide::new();
    searched("Xxh3Wide", "all", &wide, &wide, &mut csv);
    let [secret, guess] = [1, 2].map(|byte| SipKeyed::with_key([byte; 16]));
    searched("SipKeyed", "all but the key", &secret, &guess, &mut csv);

    let (seed, victim) = (1, [[2, 3], [4, 5]]);
    let hash = |seed, key: &[u8]| Folded::with_seed(seed).hash(key);
    let twins = (0..COLLISIONS).map(|i| twin(seed, victim, [i, !i]));
    let collides = |key: &Vec<u8>| hash(seed, key) == hash(seed, &bytes(victim));
    let found = twins.filter(collides).count();
    csv.push(format!("Folded,all,collision,{COLLISIONS},{found},0,0"));
    // A zero factor that does not depend on the seed removes the neighbouring word from the
    // hash.
    let siblings = (1..=COLLISIONS).filter(|i| {
        let [one, other] = [0, *i].map(|lost| bytes([[FIRST[0], lost], [6, 7]]));
        hash(*i, &one) == hash(*i, &other) && hash(!i, &one) == hash(!i, &other)
    });
    let found = siblings.count();
    csv.push(format!(
        "Folded,all but the seed,collision,{COLLISIONS},{found},0,0"
    ));

    let committed: Vec<_> = include_str!("../data/attacks.csv").lines().collect();
    assert_eq!(csv, committed);
}
