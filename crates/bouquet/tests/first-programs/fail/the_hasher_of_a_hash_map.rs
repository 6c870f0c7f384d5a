//~ `RandomState` is not a hasher of keys
//~ `StdHasher<RandomState>`
//~ `Folded`, `Xxh3`, `Xxh3Wide` or `SipKeyed`

use std::hash::RandomState;

use bouquet::StandardBloom;

fn main() {
    let filter: Option<StandardBloom<RandomState>> = None;
    assert!(filter.is_none());
}
