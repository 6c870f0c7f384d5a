//~ trait `WriteContainsBytes` which provides
use bouquet::*; fn g<F: Filter>(f:&F)->bool { f.contains("a") } fn main(){ g(&StandardBloom::new(10,0.1).unwrap()); }
