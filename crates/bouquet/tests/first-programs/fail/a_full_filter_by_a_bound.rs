//~ a filter that can reject a key, with `bouquet::bouquet_cuckoo::Full`, is no `Insert`
//~ use `TryInsert`: write it as the bound and call `try_insert`
//~ a filter that can reject a key, with `bouquet::bouquet_scalable::Full`, is no `Insert`

use bouquet::{CuckooFilter, Insert, ScalableBloom};

fn distinct(seen: &mut impl Insert) -> bool {
    seen.insert(b"rose")
}

fn main() {
    distinct(&mut CuckooFilter::new(10, 0.01).unwrap());
    distinct(&mut ScalableBloom::new(10, 0.01).unwrap());
}
