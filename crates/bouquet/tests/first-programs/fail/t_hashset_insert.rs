//~ trait `WriteEstimatedKeys` which provides
use bouquet::StandardBloom; fn main(){ let mut f=StandardBloom::new(1000,0.01).unwrap(); let new: bool = f.insert("a"); assert!(new); assert!(!f.insert("a")); assert!(!f.is_empty()); let _=f.len(); }
