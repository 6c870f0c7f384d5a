//! What the attacks reach, at small sizes.

use bouquet_core::{Filter, Inspect, KeyHash, KeyHasher, Prehashed, Remove, Spec, TryInsert};
use bouquet_counting::CountingBloom;
use bouquet_cuckoo::CuckooFilter;
use bouquet_hash::{Folded, SipKeyed};
use bouquet_standard::StandardBloom;
use bouquet_stats::witness::Form;

use super::{
    case::Case,
    cost::cost_interval,
    definition::{Numbers, Plans},
    deletion::{by_collision, by_search},
    figures::{measured_fpr, trials_per_key},
    forging::forging,
    murmur::{Murmur3, sibling},
    pollution::pollution,
    removing::Removing,
    run::run,
    verdict::verdict,
};
use bouquet_ground::Outcome;
use bouquet_ground::record::{AttackRow, BROKEN, BUDGET_SPENT, KEYED, WITHSTANDS};

const PLAN: Numbers = Numbers {
    capacity: 256,
    target_fpr: 0.01,
    non_members: 20_000,
    forged: 1_000,
    collisions: 100,
    victims: 6,
    trials: 10_000_000,
};

fn plans(plan: Numbers) -> Plans {
    Plans {
        filters: plan,
        schemes: Numbers {
            capacity: 64,
            non_members: 2_000,
            forged: 100,
            ..plan
        },
    }
}

fn all_rows(plan: Numbers, jobs: usize) -> Vec<AttackRow> {
    let mut rows = Vec::new();
    let take = |row| {
        rows.push(row);
        Ok(())
    };
    run(&plans(plan), 1, jobs, take).unwrap();
    rows
}

fn case(plan: &Numbers) -> Case<'_> {
    Case {
        plan,
        seed: 3,
        hashing: "any",
        knows: "all",
    }
}

fn spec() -> Spec {
    Spec::new(PLAN.capacity, PLAN.target_fpr).unwrap()
}

fn standard<H: KeyHasher>(hasher: H) -> StandardBloom<H> {
    StandardBloom::with_hasher(spec(), hasher).unwrap()
}

fn counting<H: KeyHasher>(hasher: H) -> CountingBloom<H> {
    CountingBloom::with_hasher(spec(), hasher).unwrap()
}

fn cuckoo<H: KeyHasher>(hasher: H) -> CuckooFilter<H> {
    CuckooFilter::with_hasher(spec(), hasher).unwrap()
}

fn sip(byte: u8) -> SipKeyed {
    SipKeyed::with_key([byte; 16])
}

fn deleted(row: &AttackRow) -> (u64, u64, &str) {
    (row.chosen, row.succeeded, &row.outcome)
}

#[test]
fn victims_are_deleted_under_a_public_seed_and_not_under_a_key() {
    let case = case(&PLAN);
    let public = Folded::with_seed(5);
    let row = by_search(&case, counting(public), counting(public));
    assert_eq!(deleted(&row), (6, 6, BROKEN));
    assert_eq!(row.removals_taken, row.removals_asked);
    assert!(row.false_negatives >= 6);
    let row = by_search(&case, cuckoo(public), cuckoo(public));
    assert_eq!(deleted(&row), (6, 6, BROKEN));
    let row = by_search(&case, counting(sip(1)), counting(sip(2)));
    assert_eq!(deleted(&row), (6, 0, WITHSTANDS));
    let row = by_search(&case, cuckoo(sip(1)), cuckoo(sip(2)));
    assert_eq!(deleted(&row), (6, 0, WITHSTANDS));
}

/// It is the secret that protects, not SipHash.
#[test]
fn a_key_that_is_known_protects_nothing() {
    let case = case(&PLAN);
    let row = by_search(&case, counting(sip(1)), counting(sip(1)));
    assert_eq!(deleted(&row), (6, 6, BROKEN));
    let row = pollution(&case, standard(sip(1)), standard(sip(1))).unwrap();
    assert_eq!(deleted(&row), (256, 256, BROKEN));
    let row = forging(&case, standard(sip(1)), &standard(sip(1))).unwrap();
    assert_eq!(deleted(&row), (1_000, 1_000, BROKEN));
}

#[test]
fn a_secret_seed_is_no_key() {
    let case = case(&PLAN);
    for seed in [0, 1, 0x5eed_5eed] {
        let sibling = |victim: &[u8; 32]| sibling(victim).to_vec();
        let row = by_collision(&case, "sibling", counting(Murmur3(seed)), sibling);
        assert_eq!(deleted(&row), (6, 6, BROKEN));
        let row = by_collision(&case, "sibling", cuckoo(Murmur3(seed)), sibling);
        assert_eq!(deleted(&row), (6, 6, BROKEN));
    }
    // Where it collides with nothing it does nothing.
    let sibling = |victim: &[u8; 32]| sibling(victim).to_vec();
    let row = by_collision(&case, "sibling", counting(sip(1)), sibling);
    assert_eq!(deleted(&row), (6, 0, WITHSTANDS));
}

#[test]
fn pollution_fills_every_slot_it_probes() {
    let case = case(&PLAN);
    let hasher = Folded::with_seed(5);
    let row = pollution(&case, standard(hasher), standard(hasher)).unwrap();
    assert_eq!(deleted(&row), (256, 256, BROKEN));
    let throws = f64::from(row.hashes) * 256.0 / row.size_bits as f64;
    let fill = row.fill_ratio.unwrap();
    // Short of every probe by those of one key that meet.
    assert!(fill <= throws && fill > 0.97 * throws, "{fill} {throws}");
    assert!(measured_fpr(&row).unwrap().0 > 5.0 * row.expected_fpr);
    assert!(trials_per_key(&row).unwrap().0 > 50.0);
    let row = pollution(&case, standard(sip(1)), standard(sip(2))).unwrap();
    assert_eq!(row.outcome, WITHSTANDS);
    assert!(row.succeeded < 100, "{}", row.succeeded);
}

#[test]
fn forged_positives_cost_one_in_fpr_and_pass_only_under_a_public_seed() {
    let case = case(&PLAN);
    let hasher = Folded::with_seed(5);
    let row = forging(&case, standard(hasher), &standard(hasher)).unwrap();
    assert_eq!(deleted(&row), (1_000, 1_000, BROKEN));
    let (mean, trials) = (trials_per_key(&row).unwrap().0, row.trials as f64);
    let cost = cost_interval(mean, row.trials_sd / trials, 0.9999);
    let want = 1.0 / row.random_key_rate;
    assert!(cost.low < want && want < cost.high, "{cost:?} {want}");
    // Geometric: 1,000 of them are known to 3 %.
    let width = (cost.high - cost.low) / want;
    assert!((0.2..0.3).contains(&width), "{cost:?}");
    let row = forging(&case, standard(sip(1)), &standard(sip(2))).unwrap();
    assert_eq!(row.outcome, WITHSTANDS);
    assert!(row.succeeded < 50, "{}", row.succeeded);
}

#[test]
fn a_budget_that_is_spent_is_a_row() {
    let plan = Numbers { trials: 20, ..PLAN };
    let rows = all_rows(plan, 2);
    assert!(
        rows.iter()
            .all(|row| row.trials <= plan.trials || row.method != "search")
    );
    let spent = |row: &&AttackRow| row.method == "search" && row.hashing == KEYED;
    assert!(
        rows.iter()
            .filter(spent)
            .all(|row| row.outcome == BUDGET_SPENT)
    );
    assert_eq!(verdict(&rows), Outcome::Inconclusive);
    // What is computed needs no search.
    let computed = rows.iter().filter(|row| row.method != "search");
    assert!(computed.clone().count() > 0);
    assert!(computed.clone().all(|row| row.outcome == BROKEN));
}

#[test]
fn the_verdict_is_that_of_the_keyed_hash() {
    let rows = all_rows(PLAN, 2);
    assert_eq!(verdict(&rows), Outcome::Pass);
    let with = |hashing: &str, outcome: &str| {
        let mut rows = rows.clone();
        let row = rows
            .iter_mut()
            .find(|row| row.hashing == hashing && row.attack == "deletion");
        row.unwrap().outcome = outcome.into();
        verdict(&rows)
    };
    assert_eq!(with(KEYED, BROKEN), Outcome::Fail);
    assert_eq!(with(KEYED, BUDGET_SPENT), Outcome::Inconclusive);
    assert_eq!(with("xxh3", WITHSTANDS), Outcome::Void);
    assert_eq!(with("xxh3", BUDGET_SPENT), Outcome::Inconclusive);
    let changed = |change: fn(&mut AttackRow)| {
        let mut rows = rows.clone();
        rows.iter_mut().for_each(change);
        verdict(&rows)
    };
    let withstands = |row: &mut AttackRow| row.outcome = WITHSTANDS.into();
    assert_eq!(changed(withstands), Outcome::Void);
    let broken = |row: &mut AttackRow| row.outcome = BROKEN.into();
    assert_eq!(changed(broken), Outcome::Fail);
    assert_eq!(verdict(&[]), Outcome::Void);
    let keyed: Vec<_> = rows
        .into_iter()
        .filter(|row| row.hashing == KEYED)
        .collect();
    assert_eq!(verdict(&keyed), Outcome::Void);
}

/// Every hashing choice without a secret is there and falls, a cryptographic
/// hash too; what is computed collides, all of it.
#[test]
fn every_public_hash_falls() {
    let rows = all_rows(PLAN, 2);
    for hashing in [
        "folded",
        "xxh3",
        "xxh3-wide",
        "murmur3",
        "bits-and-blooms",
        "go-zero",
        "guava-64",
        "guava-32",
        "redisbloom",
        "redisson",
        "odd-double-hashing",
        "sha256-rounds",
        "fnv-double-hashing",
        "three-families",
    ] {
        let mut own = rows.iter().filter(|row| row.hashing == hashing).peekable();
        assert!(own.peek().is_some(), "{hashing}");
        for row in own {
            assert_eq!(row.succeeded, row.chosen, "{row:?}");
            assert_eq!(row.outcome, BROKEN, "{row:?}");
        }
    }
    let collisions = rows.iter().filter(|row| row.attack == "collision");
    assert!(collisions.clone().count() >= 4);
    assert!(collisions.clone().all(|row| row.succeeded == row.wanted));
}

#[test]
fn threads_change_nothing() {
    let plan = Numbers {
        trials: 100_000,
        ..PLAN
    };
    assert_eq!(all_rows(plan, 1), all_rows(plan, 3));
}

/// Accepts every second key, and keeps those.
#[derive(Default)]
struct Rejecting {
    given: u64,
    taken: Vec<KeyHash>,
}

impl Filter for Rejecting {
    fn contains(&self, key: &[u8]) -> bool {
        self.contains_hash(self.hash_key(key))
    }
}

impl Prehashed for Rejecting {
    type Hash = KeyHash;

    fn hash_key(&self, key: &[u8]) -> KeyHash {
        Folded::new().hash(key)
    }

    fn contains_hash(&self, hash: KeyHash) -> bool {
        self.taken.contains(&hash)
    }
}

impl TryInsert for Rejecting {
    type Error = ();

    fn try_insert_hash(&mut self, hash: KeyHash) -> Result<bool, ()> {
        self.given += 1;
        if !self.given.is_multiple_of(2) {
            return Err(());
        }
        self.taken.push(hash);
        Ok(true)
    }
}

impl Remove for Rejecting {
    fn remove_hash(&mut self, _: KeyHash) -> bool {
        false
    }
}

impl Inspect for Rejecting {
    fn capacity(&self) -> u64 {
        0
    }

    fn size_bits(&self) -> u64 {
        64
    }

    fn hashes(&self) -> u32 {
        1
    }

    fn fill_ratio(&self) -> f64 {
        0.0
    }

    fn memory_bytes(&self) -> usize {
        0
    }

    fn expected_fpr(&self, _: u64) -> f64 {
        0.0
    }

    fn estimated_fpr(&self) -> f64 {
        0.0
    }

    fn estimated_keys(&self) -> f64 {
        0.0
    }
}

impl Removing for Rejecting {
    const NAME: &'static str = "rejecting";
    type Aim = ();

    fn form(&self) -> Form {
        Form::Stages(Vec::new())
    }

    fn aim(&self, _: &[u8]) {}

    fn hits(&self, _: &[u8], (): &()) -> bool {
        false
    }
}

#[test]
fn members_that_were_rejected_are_no_victims() {
    let other = |_: &[u8; 32]| b"tulip".to_vec();
    let row = by_collision(&case(&PLAN), "other", Rejecting::default(), other);
    assert_eq!(row.error, "128 members were rejected");
    assert_eq!((row.chosen, row.succeeded, row.false_negatives), (3, 0, 0));
}
