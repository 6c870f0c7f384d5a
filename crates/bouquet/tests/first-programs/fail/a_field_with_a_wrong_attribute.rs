//~ a field takes `#[key(with = path)]`, `#[key(hash)]` or `#[key(skip)]`
//~ a type takes `#[key(crate = path)]` alone
//~ only one of these can be given

use bouquet::Key;

#[derive(Key)]
struct Field(#[key(ignore)] u8);

#[derive(Key)]
#[key(skip)]
struct Type(u8);

#[derive(Key)]
struct Both(#[key(skip, hash)] u8);

fn main() {}
