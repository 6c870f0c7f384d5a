// A view of existing bytes copies nothing.
use bouquet::{BlockedBloom, BlockedView, StandardBloom, StandardView, View};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bytes = StandardBloom::from_keys(["rose"], 1e-6)?.encode();
    let view: StandardView<'_> = StandardView::open(&bytes)?;
    assert!(view.contains("rose") && !view.contains("tulip"));

    let bytes = BlockedBloom::from_keys(0..100u64, 1e-6)?.encode();
    let view: BlockedView<'_> = BlockedView::open(&bytes)?;
    assert!((0..100u64).all(|key| view.contains(&key)));
    Ok(())
}
