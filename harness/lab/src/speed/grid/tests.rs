//! What is counted of a filter in the race.

use super::*;
use crate::registry::racers;
use crate::speed::Kind;

/// Rejects some keys, and denies all that it is asked for.
struct Denying {
    rejected: u64,
}

impl BenchLoop for Denying {
    fn ways(&self) -> &'static [Way] {
        &[Way::OneByOne]
    }

    fn insert(&mut self, _: Way, stream: &Stream) -> u64 {
        stream.count - self.rejected
    }

    fn finish(&mut self) -> Result<()> {
        Ok(())
    }

    fn ask(&self, _: Way, _: &Stream) -> u64 {
        0
    }

    fn ask_in_turn(&self, _: &Stream) -> u64 {
        0
    }
}

/// Keys rejected, and false negatives.
fn counted_of(make: crate::registry::MakeBenchLoop) -> (u64, u64) {
    let racer = Racer {
        make,
        ..racers().swap_remove(0)
    };
    let race = Race {
        column: Column {
            kind: Kind::U64,
            capacity: 300,
            target_fpr: 0.01,
        },
        racers: vec![&racer],
        effort: Effort {
            repetitions: 1,
            inserted: 300,
            asked: 1_000,
        },
        seed: 1,
    };
    let (mut refused, mut denied) = (0, 0);
    let mut emit = |measured| {
        if let Measured::Filter(row) = measured {
            assert_eq!(row.error, "");
            refused += row.refused;
            denied += row.false_negatives;
        }
        Ok(())
    };
    race.run(&mut emit).unwrap();
    (refused, denied)
}

#[test]
fn a_key_that_may_have_been_rejected_is_no_false_negative() {
    let sound = counted_of(|_, _, _| Ok(Box::new(Denying { rejected: 0 })));
    // One by one and in turn.
    assert_eq!(sound, (0, 2_000));
    let rejecting = counted_of(|_, _, _| Ok(Box::new(Denying { rejected: 1 })));
    assert_eq!(rejecting, (1, 0));
}
