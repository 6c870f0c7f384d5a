//~ `SipKeyed` cannot be made again from its seed
//~ `load_with`

use bouquet::{Decode, SipKeyed, StandardBloom};

fn main() {
    let filter = <StandardBloom<SipKeyed> as Decode>::load("seen.bouquet").unwrap();
    assert!(filter.contains("rose"));
}
