//~ a union cannot be a key: which of its fields is set is not known
#[derive(bouquet::Key)]
union Word {
    number: u32,
    bytes: [u8; 4],
}

fn main() {
    let _ = Word { number: 7 };
}
