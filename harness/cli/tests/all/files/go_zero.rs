//! The size of a go-zero bitmap.

use crate::support::{Folder, lines};

#[test]
fn a_bitmap_of_go_zero_is_sized_by_capacity_and_fpr() {
    let folder = Folder::new();
    folder.file("keys", lines(0..1_000));
    folder.file("others", lines(1_000..51_000));
    folder.good("build --quiet --to go-zero --capacity 1000 --fpr 0.01 -o f keys");
    // The size that the documentation of `GoZeroBloom::for_target` gives.
    folder.good("build --quiet --to go-zero --bits 11011 -o same keys");
    assert_eq!(folder.bytes("f"), folder.bytes("same"));
    let read = "-q --as go-zero --bits 11011 f";
    assert_eq!(folder.count(&format!("{read} keys")), 1_000);
    // 1 % of 50,000 lookups is 500 false positives, with a standard deviation of 22. The variation
    // of the filter's fill ratio adds about as much.
    let false_positives = folder.count(&format!("{read} others"));
    assert!((340..=660).contains(&false_positives), "{false_positives}");
}
