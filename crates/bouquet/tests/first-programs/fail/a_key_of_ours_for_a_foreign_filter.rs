//~ E0271
//~ expected `KeyHash`, found `ParquetHash`

use bouquet::{FilterExt, interop::ParquetBloom};

fn main() {
    let column = ParquetBloom::new(8).unwrap();
    assert!(!column.contains_key(&42u64));
}
