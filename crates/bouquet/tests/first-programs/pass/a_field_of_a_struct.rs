// The type of the default hasher need not be written.
use std::collections::HashMap;

use bouquet::{BlockedBloom, StandardBloom};

#[derive(Clone, Debug, PartialEq, Eq)]
struct Crawler {
    seen: StandardBloom,
    by_host: HashMap<String, BlockedBloom>,
    last: Option<StandardBloom>,
}

impl Crawler {
    fn visit(&mut self, url: &str) -> bool {
        self.seen.insert(url)
    }
}

fn empty() -> Result<StandardBloom, bouquet::SpecError> {
    StandardBloom::new(1_000, 1e-6)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut crawler = Crawler {
        seen: empty()?,
        by_host: HashMap::new(),
        last: None,
    };
    assert!(crawler.visit("https://example.org/"));
    assert!(!crawler.visit("https://example.org/"));
    let host = BlockedBloom::new(100, 0.01)?;
    crawler.by_host.insert(String::from("example.org"), host);
    crawler.last = Some(crawler.seen.clone());
    assert_eq!(crawler, crawler.clone());
    Ok(())
}
