//~ E0499
//~ cannot borrow `seen` as mutable more than once at a time

fn main() {
    let mut seen = bouquet::StandardBloom::new(10, 0.01).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| seen.insert("rose"));
        scope.spawn(|| seen.insert("tulip"));
    });
}
