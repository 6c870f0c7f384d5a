//~ consider borrowing here
use bouquet::StandardBloom; fn main(){ let mut f=StandardBloom::new(1000,0.01).unwrap(); f.insert(42u64); }
