//~ E0596
//~ cannot borrow `seen` as mutable

fn main() {
    let seen = bouquet::StandardBloom::new(10, 0.01).unwrap();
    seen.insert("rose");
}
