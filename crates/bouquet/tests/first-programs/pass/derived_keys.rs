// Structs and enums are keys by their fields.
use bouquet::{Key, StandardBloom};

#[derive(Key)]
struct User<'a> {
    id: u64,
    name: &'a str,
}

#[derive(Key)]
struct Id(u32);

#[derive(Key)]
struct Pair<A, B>(A, B);

#[derive(Key)]
enum Event {
    Start,
    Login { user: u64, at: String },
    Moved(i32, i32),
}

#[derive(Key)]
struct Nothing;

#[derive(Key)]
enum Never {}

// Generic types with all kinds of parameters, and names that the derived code also uses.
#[derive(Key)]
struct Borrowed<'a, T: ?Sized>(&'a T);

#[derive(Key)]
struct Fixed<const N: usize = 4> {
    parts: [u8; N],
    f: bool,
}

#[derive(Key)]
enum Either<L, R>
where
    L: Clone,
{
    Left { parts: L, r#type: u8 },
    Right(R),
}

// Types in scope have the same names as those that the derived code uses.
mod beside {
    pub struct Option;
    pub struct KeyParts;

    #[derive(bouquet::Key)]
    pub struct Both(pub &'static str, pub u8);

    #[derive(bouquet::Key)]
    pub enum Either {
        None,
        Some(u8),
    }
}

fn bytes(key: &(impl Key + ?Sized)) -> Vec<u8> {
    key.with_bytes(<[u8]>::to_vec)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut seen = StandardBloom::new(1_000, 1e-9)?;
    let user = User {
        id: 7,
        name: "alice",
    };
    assert!(seen.insert(&user) && seen.contains(&(7, "alice")));
    assert!(seen.insert(&Id(42)) && seen.contains(&42));
    assert!(seen.insert(&Pair("ab", true)) && seen.contains(&("ab", true)));
    assert!(seen.insert(&Event::Start));
    let login = |user| Event::Login {
        user,
        at: "noon".into(),
    };
    assert!(seen.insert(&login(7)) && !seen.insert(&login(7)) && !seen.contains(&login(8)));
    assert!(seen.insert(&Event::Moved(-1, 1)) && !seen.contains(&Event::Moved(1, -1)));
    assert!(seen.insert(&Nothing) && seen.contains(""));

    assert!(seen.insert(&Borrowed("lily")) && seen.contains("lily"));
    let fixed: Fixed = Fixed {
        parts: *b"rose",
        f: true,
    };
    assert!(seen.insert(&fixed) && seen.contains(&(*b"rose", true)));
    let left: Either<_, char> = Either::Left {
        parts: "rose",
        r#type: 1,
    };
    assert!(seen.insert(&left) && seen.contains(&(0, "rose", 1)));
    assert!(seen.insert(&Either::<u8, _>::Right('a')) && seen.contains(&(1, 'a')));

    let _ = (beside::Option, beside::KeyParts);
    assert_eq!(bytes(&beside::Both("rose", 1)), bytes(&("rose", 1)));
    assert_eq!(bytes(&beside::Either::None), bytes(&0));
    assert_eq!(bytes(&beside::Either::Some(7)), bytes(&(1, 7)));

    // The bytes of derived keys must never change.
    assert_eq!(bytes(&Event::Start), bytes(&0));
    assert_eq!(bytes(&login(7)), bytes(&(1, 7, "noon")));
    assert_eq!(bytes(&Event::Moved(-1, 1)), bytes(&(2, -1, 1)));
    assert_eq!(Id::LEN, Some(8));
    assert_eq!(Pair::<u8, [u8; 3]>::LEN, Some(19));
    assert_eq!((User::LEN, Event::LEN, Nothing::LEN), (None, None, Some(0)));
    let none: Option<Never> = None;
    assert!(none.is_none_or(|key| seen.contains(&key)));
    Ok(())
}
