use super::*;
use crate::registry::contestants;
use crate::speed::{Insertable, Kind, single};

/// A filter that rejects the first `rejected` keys, and reports every key as absent.
struct Missing {
    rejected: u64,
}

impl<T: ?Sized> Insertable<T> for Missing {
    const REJECTS: bool = true;

    fn insert(&mut self, _: &T) -> bool {
        let is_rejected = self.rejected > 0;
        self.rejected -= u64::from(is_rejected);
        !is_rejected
    }

    fn contains(&self, _: &T) -> bool {
        false
    }
}

/// Measures `Missing`, and returns the numbers of rejected keys and of false negatives.
fn counted_of(rejected: u64) -> (u64, u64) {
    let contestant = Entry {
        make_loop: Some(Box::new(move |kind, _, _| {
            Ok(single(Missing { rejected }, kind))
        })),
        ..contestants().swap_remove(0)
    };
    let grid_run = GridRun {
        column: Column {
            kind: Kind::U64,
            capacity: 300,
            target_fpr: 0.01,
        },
        contestants: vec![&contestant],
        effort: Effort {
            repetitions: 1,
            inserted: 300,
            asked: 1_000,
            peers: None,
        },
        seed: 1,
    };
    let (mut rejected, mut missing) = (0, 0);
    let mut emit = |row: TimingRow| {
        assert_eq!(row.error, "");
        rejected += row.rejected;
        missing += row.false_negatives;
        Ok(())
    };
    grid_run.run(&mut emit).unwrap();
    (rejected, missing)
}

#[test]
fn a_key_that_may_have_been_rejected_is_no_false_negative() {
    let sound = counted_of(0);
    // 1,000 independent lookups of members, and 1,000 that each depend on the previous answer.
    assert_eq!(sound, (0, 2_000));
    // Filled twice: the answers are used, and dropped.
    let rejecting = counted_of(1);
    assert_eq!(rejecting, (2, 0));
}
