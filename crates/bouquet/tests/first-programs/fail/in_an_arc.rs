//~ E0596
//~ cannot borrow data in an `Arc` as mutable

use std::sync::Arc;

fn main() {
    let seen = Arc::new(bouquet::BlockedBloom::new(10, 0.01).unwrap());
    seen.insert("rose");
}
