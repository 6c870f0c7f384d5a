//! Members deleted by removing keys that were never inserted.

use super::{
    case::{Case, judge},
    cost::Cost,
    keys::member,
    removing::Removing,
};
use bouquet_catalogue::HASH_BITS;
use bouquet_ground::record::AttackRow;

/// Removals of one key in a row, at most: more than a counter of 4 bits counts.
const MOST_REMOVALS: u32 = 16;

/// Fills both with the members, and removes keys that pass in the attacker's
/// `copy` and take from the victim, until the copy no longer has it.
pub fn by_search<F: Removing>(case: &Case<'_>, mut real: F, mut copy: F) -> AttackRow {
    let (mut row, accepted) = filled(case, "search", &mut real);
    for member in case.members() {
        _ = copy.try_insert(&member);
    }
    let mut search = case.search();
    for index in victims(&accepted, row.wanted) {
        let victim = member(case.seed, index);
        while copy.contains(&victim) {
            let aim = copy.aim(&victim);
            let Some(key) = search.find(|key| copy.hits(key, &aim)) else {
                break;
            };
            copy.remove(key);
            row.removals_asked += 1;
            row.removals_taken += u64::from(real.remove(key));
        }
        if copy.contains(&victim) {
            break;
        }
        row.chosen += 1;
        row.succeeded += u64::from(!real.contains(&victim));
    }
    search.cost().put_into(&mut row);
    finished(case, row, &accepted, &real)
}

/// Fills `real` with the members, and removes a key that collides with the
/// victim for as long as the filter takes it. Needs no copy.
pub fn by_collision<F: Removing>(
    case: &Case<'_>,
    method: &str,
    mut real: F,
    collide: impl Fn(&[u8; 32]) -> Vec<u8>,
) -> AttackRow {
    let (mut row, accepted) = filled(case, method, &mut real);
    for index in victims(&accepted, row.wanted) {
        let victim = member(case.seed, index);
        let key = collide(&victim);
        row.chosen += 1;
        for _ in 0..MOST_REMOVALS {
            row.removals_asked += 1;
            if !real.remove(&key) {
                break;
            }
            row.removals_taken += 1;
        }
        row.succeeded += u64::from(!real.contains(&victim));
    }
    Cost::computed(row.chosen).put_into(&mut row);
    finished(case, row, &accepted, &real)
}

/// The first members that the filter took.
fn victims(accepted: &[bool], wanted: u64) -> impl Iterator<Item = u64> {
    let all = (0..wanted).zip(accepted);
    all.filter_map(|(index, taken)| taken.then_some(index))
}

/// The row of a filter that was given the members, and which of them it took:
/// what it rejected it may hold or not, and nobody asks for it.
fn filled<F: Removing>(case: &Case<'_>, method: &str, real: &mut F) -> (AttackRow, Vec<bool>) {
    let subject = AttackRow {
        filter: F::NAME.into(),
        size_bits: real.size_bits(),
        hashes: real.hashes(),
        expected_fpr: real.form().expected(case.plan.capacity, HASH_BITS).fpr,
        ..AttackRow::default()
    };
    let mut row = case.row("deletion", method, case.plan.victims, subject);
    let accepted: Vec<bool> = case
        .members()
        .map(|key| real.try_insert(&key).is_ok())
        .collect();
    let rejected = accepted.iter().filter(|taken| !**taken).count();
    if rejected > 0 {
        row.error = format!("{rejected} members were rejected");
    }
    row.random_key_rate = row.expected_fpr;
    (row, accepted)
}

fn finished<F: Removing>(
    case: &Case<'_>,
    mut row: AttackRow,
    accepted: &[bool],
    real: &F,
) -> AttackRow {
    let members = case.members().zip(accepted);
    let missing = members.filter(|(key, taken)| **taken && !real.contains(key));
    row.false_negatives = missing.count() as u64;
    judge(&mut row);
    row
}
