//~ E0277
//~ no client of Redis sends a `{float}`
//~ such as `value.to_string()`

fn main() {
    let filter = bouquet::interop::RedisBloom::reserve(0.01, 1_000, None).unwrap();
    assert!(!filter.contains(&4.2));
}
