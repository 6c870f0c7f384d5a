//! Compares `ParquetBloom` with the filter of the crate `parquet`: the same keys give the same
//! bytes, and a filter written by either one gives the same answers when the other opens it.

use bouquet_interop::{ParquetBloom, parquet::blocks_for};
use parquet::bloom_filter::Sbbf;

use crate::value::{ABSENT, Value, agree, bytes_of};

/// Builds one filter of `blocks` blocks with each library and inserts the same `members` keys into
/// both.
fn pair(blocks: u32, members: u64) -> (ParquetBloom, Sbbf) {
    let mut ours = ParquetBloom::new(blocks).unwrap();
    let mut theirs = Sbbf::new(&vec![0; 32 * blocks as usize]);
    for i in 0..members {
        Value::any(i).insert(&mut ours, &mut theirs);
    }
    (ours, theirs)
}

#[test]
fn both_ways_with_any_number_of_blocks() {
    // The sizes cover headers of 15 to 18 bytes, powers of two and other numbers of blocks.
    for blocks in [
        1, 2, 3, 7, 64, 100, 255, 256, 300, 1_000, 4_096, 32_768, 40_000,
    ] {
        // 14 bits per key: the FPR is about 1 in 500.
        let members = u64::from(blocks) * 256 / 14;
        let (ours, theirs) = pair(blocks, members);
        let bytes = bytes_of(&theirs);
        assert_eq!(ours.to_bytes(), bytes, "{blocks}");

        let opened = ParquetBloom::from_bytes(&bytes).unwrap();
        assert_eq!(opened, ours, "{blocks}");
        let opened_there = Sbbf::from_bytes(&ours.to_bytes()).unwrap();
        assert_eq!(opened_there.num_blocks(), blocks as usize);

        let positives = agree(&opened, &theirs, members);
        assert!(
            (1..ABSENT / 10).contains(&positives),
            "{blocks}: {positives}"
        );
        assert_eq!(agree(&ours, &opened_there, members), positives, "{blocks}");
    }
}

#[test]
fn empty_and_overfull() {
    let (ours, theirs) = pair(5, 0);
    assert_eq!(ours.to_bytes(), bytes_of(&theirs));
    assert_eq!(agree(&ours, &theirs, 0), 0);
    let (ours, theirs) = pair(5, 20_000);
    assert_eq!(ours.to_bytes(), bytes_of(&theirs));
    assert_eq!(agree(&ours, &theirs, 20_000), ABSENT);
}

#[test]
fn sized_alike() {
    let mut sizes = Vec::new();
    for capacity in [
        0,
        1,
        2,
        10,
        99,
        1_000,
        12_345,
        1_000_000,
        7_654_321,
        1 << 40,
    ] {
        for target_fpr in [0.9, 0.5, 0.1, 0.05, 0.01, 0.001, 1e-4, 1e-6, 1e-9, 1e-12] {
            let theirs = Sbbf::new_with_ndv_fpp(capacity, target_fpr).unwrap();
            let ours = blocks_for(capacity, target_fpr).unwrap();
            assert_eq!(
                ours as usize,
                theirs.num_blocks(),
                "{capacity} {target_fpr}"
            );
            sizes.push(ours);
        }
    }
    sizes.sort_unstable();
    sizes.dedup();
    assert!(sizes.len() > 15, "{sizes:?}");
}

#[test]
fn folded_alike() {
    let mut folds = Vec::new();
    for (blocks, members, target_fpr) in [
        (4_096, 100, 0.01),
        (4_096, 5_000, 0.01),
        (4_096, 5_000, 1e-6),
        (4_096, 70_000, 1e-6),
        (64, 1, 0.5),
        (64, 0, 0.01),
    ] {
        let (ours, mut theirs) = pair(blocks, members);
        theirs.fold_to_target_fpp(target_fpr);
        let ours = ours.folded_to(target_fpr).unwrap();
        let count = (blocks / ours.blocks()).ilog2();
        assert_eq!(ours.to_bytes(), bytes_of(&theirs), "{blocks} {members}");
        agree(&ours, &theirs, members);
        folds.push(count);
    }
    assert_eq!((folds[3], folds[4], folds[5]), (0, 6, 6));
    assert!(
        folds[0] > folds[1] && folds[1] > folds[2] && folds[2] > 0,
        "{folds:?}"
    );
}

#[test]
fn what_they_reject_we_reject() {
    let bytes = pair(3, 10).0.to_bytes();
    let longer = [&bytes[..], &[0]].concat();
    for bad in [
        &bytes[..0],
        &bytes[..10],
        &bytes[..bytes.len() - 1],
        &longer,
    ] {
        assert!(Sbbf::from_bytes(bad).is_err());
        assert!(ParquetBloom::from_bytes(bad).is_err());
    }
}
