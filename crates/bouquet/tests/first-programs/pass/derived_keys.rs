// Structs and enums by their fields.
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

    // The bytes do not change.
    assert_eq!(bytes(&Event::Start), bytes(&0));
    assert_eq!(bytes(&login(7)), bytes(&(1, 7, "noon")));
    assert_eq!(bytes(&Event::Moved(-1, 1)), bytes(&(2, -1, 1)));
    assert_eq!(Id::LEN, Some(8));
    assert_eq!(Pair::<u8, [u8; 3]>::LEN, Some(11));
    assert_eq!((User::LEN, Event::LEN, Nothing::LEN), (None, None, Some(0)));
    let none: Option<Never> = None;
    assert!(none.is_none_or(|key| seen.contains(&key)));
    Ok(())
}
