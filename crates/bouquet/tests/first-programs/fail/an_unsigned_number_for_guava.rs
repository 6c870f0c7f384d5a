//~ E0277
//~ no funnel of Guava feeds a `u32`
//~ `value as i64` for a `longFunnel`, `value as i32` for an `integerFunnel`

fn main() {
    let filter = bouquet::interop::GuavaBloom::create(bouquet::interop::guava::Release::V33, 1_000, 0.01).unwrap();
    assert!(!filter.contains(&42u32));
}
