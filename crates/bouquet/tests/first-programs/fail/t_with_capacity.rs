//~ trait `WriteNew` which provides
fn main(){ let _=bouquet::StandardBloom::with_capacity(1000); }
