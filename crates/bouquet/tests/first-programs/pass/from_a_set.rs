// `from_keys` replaces `collect`, which cannot take a target FPR.
use std::collections::HashSet;

use bouquet::StandardBloom;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let exact: HashSet<String> = ["rose", "tulip"].map(String::from).into();
    let filter = StandardBloom::from_keys(&exact, 0.01)?;
    assert!(exact.iter().all(|key| filter.contains(key)));
    assert_eq!(filter.capacity(), 2);
    Ok(())
}
