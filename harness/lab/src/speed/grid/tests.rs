//! What is counted of a filter that is compared in speed.

use super::*;
use crate::registry::contestants;
use crate::speed::Kind;

/// Rejects some keys, and answers "definitely absent" to all lookups.
struct Missing {
    rejected: u64,
}

impl BenchLoop for Missing {
    fn ways(&self) -> &'static [Way] {
        &[Way::Single]
    }

    fn insert(&mut self, _: Way, stream: &Stream) -> u64 {
        stream.count - self.rejected
    }

    fn finish(&mut self) -> Result<()> {
        Ok(())
    }

    fn look_up(&self, _: Way, _: &Stream) -> u64 {
        0
    }

    fn look_up_in_turn(&self, _: &Stream) -> u64 {
        0
    }
}

/// Keys rejected, and false negatives.
fn counted_of(make: crate::registry::MakeBenchLoop) -> (u64, u64) {
    let contestant = Contestant {
        make,
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
    let sound = counted_of(|_, _, _| Ok(Box::new(Missing { rejected: 0 })));
    // One by one and in turn.
    assert_eq!(sound, (0, 2_000));
    let rejecting = counted_of(|_, _, _| Ok(Box::new(Missing { rejected: 1 })));
    assert_eq!(rejecting, (1, 0));
}
