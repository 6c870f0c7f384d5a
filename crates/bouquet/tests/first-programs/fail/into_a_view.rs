//~ no method named `insert` found for struct `StandardView

use bouquet::{StandardView, View};

fn main() {
    let bytes = Vec::new();
    let mut view: StandardView<'_> = StandardView::open(&bytes).unwrap();
    view.insert("rose");
}
