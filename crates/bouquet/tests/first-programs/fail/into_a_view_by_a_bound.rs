//~ `StandardView<'_>` takes no keys
//~ views are read-only

use bouquet::{StandardView, TryInsert, View};

fn fill(_: &mut impl TryInsert) {}

fn main() {
    let bytes = Vec::new();
    let mut view: StandardView<'_> = StandardView::open(&bytes).unwrap();
    fill(&mut view);
}
