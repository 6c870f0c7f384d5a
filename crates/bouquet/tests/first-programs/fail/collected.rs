//~ a filter cannot be collected
//~ `from_keys(keys, 0.01)?`

use bouquet::StandardBloom;

fn main() {
    let filter: StandardBloom = ["rose", "tulip"].into_iter().collect();
    assert!(filter.contains("rose"));
}
