// Empty text, empty arrays and types without data are keys too, and all of them are the same key.
use bouquet::{Key, ShardedBloom, StandardBloom};

#[derive(Clone, Key)]
struct Nothing;

#[derive(Key)]
struct Tag<const N: usize>([u64; N]);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut seen = StandardBloom::new(100, 1e-6)?;
    assert!(!seen.contains(""));
    assert!(seen.insert(""));
    assert!(seen.contains(&[0u8; 0]));
    assert!(!seen.insert(&Vec::<u8>::new()));
    assert!(!seen.insert(&[0u64; 0]) && !seen.insert(&Nothing) && !seen.insert(&Tag([])));
    assert!(!seen.contains(" "));

    // Any number of them can be inserted: they take no memory and are all the same key.
    let mut many = StandardBloom::new(100, 1e-6)?;
    assert_eq!(many.insert_batch(&[[0u8; 0]; 1_000]), 1);
    many.extend(std::iter::repeat_n(Nothing, 1_000));
    let mut found = [false; 1_000];
    many.contains_batch(&[const { Nothing }; 1_000], &mut found);
    assert!(found.iter().all(|found| *found));
    assert!(many.estimated_keys() < 1.5);
    let sharded = ShardedBloom::from_keys([Nothing, Nothing], 0.01)?;
    assert!(sharded.contains("") && sharded.insert_batch(&[[0u32; 0]; 300]) == 0);
    Ok(())
}
