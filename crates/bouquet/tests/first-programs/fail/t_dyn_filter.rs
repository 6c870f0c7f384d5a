//~ `contains_bytes`
use bouquet::*; fn main(){ let v: Vec<Box<dyn Filter>> = vec![Box::new(StandardBloom::new(10,0.1).unwrap()), Box::new(BlockedBloom::new(10,0.1).unwrap())]; for f in &v { f.contains_key("a"); } }
