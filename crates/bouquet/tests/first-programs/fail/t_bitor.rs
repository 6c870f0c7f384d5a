//~ filters have no `|=`
//~ write `filter.union_with(&other)?`
use bouquet::StandardBloom; fn main(){ let mut f=StandardBloom::new(1000,0.01).unwrap(); let g=f.clone(); f |= &g; }
