//~ E0277
//~ a Go program chooses which bytes a `u64` is
//~ `value.to_be_bytes()` as the README of bits-and-blooms, `value.to_string()` as most users of go-zero

fn main() {
    let filter = bouquet::interop::GoBloom::with_estimates(1_000, 0.01).unwrap();
    assert!(!filter.contains(&42u64));
}
