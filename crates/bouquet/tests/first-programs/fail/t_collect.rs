//~ write `from_keys(keys, 0.01)?` in its place
fn main(){ let f: bouquet::StandardBloom = ["a"].iter().collect(); let _=f; }
