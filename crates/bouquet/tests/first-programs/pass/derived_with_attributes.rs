// Attributes say what a field is that is no key, or that does not count.
use std::collections::BTreeSet;

use bouquet::{Key, KeyParts, StandardBloom};

struct Celsius(f64);

fn bits(celsius: &Celsius) -> u64 {
    celsius.0.to_bits()
}

#[derive(Key)]
struct Measured {
    #[key(with = bits)]
    at: Celsius,
    station: &'static str,
    #[key(skip)]
    #[allow(dead_code, reason = "the key does not read it")]
    note: Celsius,
    #[key(hash)]
    tags: BTreeSet<&'static str>,
}

// A type parameter of a field that is skipped or hashed need not be a key.
#[derive(Key)]
struct Marked<K, M> {
    key: K,
    #[key(skip)]
    #[allow(dead_code, reason = "the key does not read it")]
    mark: M,
}

trait Table {
    type Id;
}

struct Users;

impl Table for Users {
    type Id = u64;
}

#[derive(Key)]
struct Row<T: Table> {
    id: T::Id,
}

#[derive(Key)]
enum Tree {
    Leaf,
    Node(u8, Box<Tree>),
}

#[derive(Key)]
enum Shape<'a> {
    Round(#[key(with = bits)] Celsius),
    Named {
        name: &'a str,
        #[key(skip)]
        #[allow(dead_code, reason = "the key does not read it")]
        size: Celsius,
    },
}

#[derive(Key)]
#[key(crate = bouquet::standard)]
struct ByItsCrate(u8, #[key(hash)] char);

fn bytes(key: &(impl Key + ?Sized)) -> Vec<u8> {
    key.with_bytes(<[u8]>::to_vec)
}

fn measured(at: f64, note: f64, tags: &[&'static str]) -> Measured {
    Measured {
        at: Celsius(at),
        station: "north",
        note: Celsius(note),
        tags: tags.iter().copied().collect(),
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut seen = StandardBloom::new(1_000, 1e-9)?;
    assert!(seen.insert(&measured(1.5, 0.0, &["a", "b"])));
    assert!(!seen.insert(&measured(1.5, 7.0, &["b", "a"])));
    assert!(!seen.contains(&measured(1.6, 0.0, &["a", "b"])));
    assert!(!seen.contains(&measured(1.5, 0.0, &["ab"])));

    // What is left of a struct is one field.
    let marked = Marked {
        key: 42u8,
        mark: Celsius(0.0),
    };
    assert_eq!(bytes(&marked), bytes(&42));
    assert_eq!(bytes(&Row::<Users> { id: 42 }), bytes(&42));
    let named = Shape::Named {
        name: "a",
        size: Celsius(1.0),
    };
    assert_eq!(bytes(&named), bytes(&(1, "a")));
    assert_eq!(bytes(&Shape::Round(Celsius(1.5))), bytes(&(0, 1.5f64.to_bits())));
    assert_eq!(bytes(&ByItsCrate(7, 'a'))[..8], 7u64.to_le_bytes());

    // The time of a deep value is proportional to its size.
    let mut tree = Tree::Leaf;
    for level in 0..20_000u32 {
        tree = Tree::Node(level as u8, Box::new(tree));
    }
    let length = bytes(&tree).len();
    assert_eq!(length, 20_000 * 24 + 8);
    assert!(seen.insert(&tree) && seen.contains(&tree));
    // Without recursion, which the drop of so deep a value would need.
    while let Tree::Node(_, inner) = tree {
        tree = *inner;
    }

    let mut parts = KeyParts::new();
    parts.part("north");
    assert_eq!(parts.bytes(), bytes(&["north"]));
    Ok(())
}
