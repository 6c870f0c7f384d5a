//~ E0596
//~ cannot borrow `*seen` as mutable

fn note(seen: &bouquet::StandardBloom, key: &str) {
    seen.insert(key);
}

fn main() {
    note(&bouquet::StandardBloom::new(10, 0.01).unwrap(), "rose");
}
