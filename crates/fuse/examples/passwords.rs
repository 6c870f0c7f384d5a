//! A list of leaked passwords, shipped as a file and asked without reading all of it.
//!
//! cargo run --example passwords

use std::error::Error;

use bouquet_fuse::{Bits12, Builder, Folded, FuseFilter, FuseView, View};

fn leaked() -> impl Iterator<Item = String> {
    (0..200_000).map(|i| format!("password{i}"))
}

fn main() -> Result<(), Box<dyn Error>> {
    let filter: FuseFilter<Bits12> = Builder::new(Folded::new()).from_keys(leaked())?;
    let shipped = filter.encode();
    let view: FuseView<'_, Bits12> = View::open(&shipped)?;
    if let Some(lost) = leaked().find(|password| !view.contains(password)) {
        return Err(format!("{lost} was leaked and is absent").into());
    }
    let others = (0..200_000).map(|i| format!("correct horse {i}"));
    let wrong = others.filter(|password| view.contains(password)).count();
    println!(
        "{} passwords in {} bytes; {wrong} of as many others were taken for leaked",
        filter.keys(),
        shipped.len()
    );
    if wrong > 200 {
        return Err("more than one in a thousand".into());
    }
    Ok(())
}
