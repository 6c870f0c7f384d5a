//~ a filter has no default
//~ write `StandardBloom::new(1_000, 0.01)?`
#[derive(Default)] struct S { f: bouquet::StandardBloom } fn main(){ let _=S::default(); }
