// Functions that borrow a filter, with every trait in scope: method calls take the same key types
// as on the filter itself.
use bouquet::*;

fn shared(sharded: &mut ShardedBloom, atomic: &mut AtomicBloom) {
    assert!(sharded.insert("rose") && atomic.insert("rose"));
    assert!(sharded.insert(&42u64) && !atomic.insert("rose"));
    assert_eq!(sharded.insert_batch(&["rose", "tulip"]), 1);
    assert_eq!(atomic.insert_batch(&[1u32, 2, 3]), 3);
    let lily = sharded.hash("lily");
    assert!(sharded.insert_hash(lily) && sharded.contains("lily"));
    assert_eq!(sharded.insert_hash_batch(&[lily]), 0);
    let mut found = [false; 2];
    sharded.contains_batch(&["tulip", "daisy"], &mut found);
    assert_eq!(found, [true, false]);
    assert!(sharded.estimated_keys() > 3.0 && atomic.estimated_fpr() < 0.1);
}

fn counted(sharded: &mut ShardedBloom<CountingBloom>, counting: &mut CountingBloom) {
    assert!(sharded.insert("rose") && counting.insert("rose"));
    assert!(sharded.remove("rose") && counting.remove("rose"));
    assert!(!sharded.remove("rose") && !counting.remove(&7));
}

fn limited(scalable: &mut ScalableBloom, cuckoo: &mut CuckooFilter) -> Result<(), scalable::Full> {
    assert!(scalable.try_insert("rose")? && !scalable.insert("rose"));
    assert_eq!(scalable.insert_batch(&["rose", "tulip"]), 1);
    assert_eq!(scalable.try_insert_batch(&[1u8, 2]), Ok(2));
    assert!(cuckoo.insert("rose").is_ok() && cuckoo.remove("rose"));
    assert_eq!(cuckoo.insert_batch(&["tulip"]), Ok(1));
    Ok(())
}

fn single(standard: &mut StandardBloom, blocked: &mut BlockedBloom) {
    assert!(standard.insert("rose") && blocked.insert("rose"));
    assert_eq!(standard.insert_batch(&[1u8, 2]), 2);
    assert_eq!(blocked.insert_batch(&["rose", "tulip"]), 1);
    standard.extend(["lily"]);
    assert!(standard.contains("lily") && standard.union_with(&standard.clone()).is_ok());
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let spec = Spec::new(100, 1e-9)?;
    shared(
        &mut ShardedBloom::with_hasher(spec, Folded::new())?,
        &mut AtomicBloom::with_hasher(spec, Folded::new())?,
    );
    counted(
        &mut ShardedBloom::with_hasher(spec, Folded::new())?,
        &mut CountingBloom::with_hasher(spec, Folded::new())?,
    );
    limited(
        &mut ScalableBloom::with_hasher(spec, Folded::new())?,
        &mut CuckooFilter::with_hasher(spec, Folded::new())?,
    )?;
    single(
        &mut StandardBloom::with_hasher(spec, Folded::new())?,
        &mut BlockedBloom::with_hasher(spec, Folded::new())?,
    );
    Ok(())
}
