//~ trait `WriteNew` which provides
use bouquet::BloomFilter;
fn main() {
    let mut filter = BloomFilter::with_false_pos(0.001).expected_items(1000);
    filter.insert(&"42");
    assert!(filter.contains(&"42"));
}
