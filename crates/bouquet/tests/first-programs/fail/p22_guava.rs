//~ trait `WriteInsert` which provides
//~ trait `WriteContains` which provides
//~ trait `WriteEstimatedFpr` which provides
//~ trait `WriteEstimatedKeys` which provides
use bouquet::StandardBloom;
fn main() {
    let mut f = StandardBloom::new(1000, 0.01).unwrap();
    f.put("a");
    assert!(f.might_contain("a"));
    println!("{}", f.expected_fpp());
    println!("{}", f.approximate_element_count());
}
