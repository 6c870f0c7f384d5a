//~ `StandardView<'_>` takes no keys, or may reject one
//~ views are read-only

use bouquet::{Insert, StandardView, View};

fn fill(_: &mut impl Insert) {}

fn main() {
    let bytes = Vec::new();
    let mut view: StandardView<'_> = StandardView::open(&bytes).unwrap();
    fill(&mut view);
}
