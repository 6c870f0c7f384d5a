//~ `Hashed(&value)`
use bouquet::{Insert, Filter, StandardBloom, ScalableBloom};
struct Dedup<F> { f: F, dropped: u64 }
impl<F: Filter + Insert> Dedup<F> {
    fn see<K: std::hash::Hash>(&mut self, k: &K) -> bool {
        let new = self.f.insert(k);
        if !new { self.dropped += 1; }
        new
    }
}
fn main() {
    let mut d = Dedup { f: StandardBloom::new(10, 0.01).unwrap(), dropped: 0 };
    d.see(&"a");
    let mut e = Dedup { f: ScalableBloom::new(10, 0.01).unwrap(), dropped: 0 };
    e.see(&3);
}
