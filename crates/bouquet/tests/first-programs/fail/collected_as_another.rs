//~ a filter cannot be collected
//~ `from_keys(keys, 0.01)?`

fn main() {
    let filter = (0..100u64).collect::<bouquet::ScalableBloom>();
    assert!(filter.contains(&7));
}
