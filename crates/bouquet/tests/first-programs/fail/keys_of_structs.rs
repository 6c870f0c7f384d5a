//~ `Page` is not a key

struct Page(String);

fn main() {
    let pages = [Page("a".into()), Page("b".into())];
    let filter = bouquet::StandardBloom::from_keys(pages, 0.01).unwrap();
    assert!(filter.contains("a"));
}
