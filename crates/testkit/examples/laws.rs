//! Calls laws by hand: a correct filter passes them, and a filter with a fault fails.
//!
//! cargo run --example laws

use std::error::Error;

use bouquet_core::Spec;
use bouquet_testkit::{
    Verdict, laws,
    toy::{Fault, Toy},
};

/// Some laws, each with a fault that violates it.
const LAWS: [(&str, Fault); 3] = [
    ("empty", Fault::StartsDirty),
    ("equality", Fault::EqualityIgnoresSeed),
    ("union", Fault::UnionIsIntersection),
];

fn verdict(law: &str, fault: Fault) -> Result<Verdict, Box<dyn Error>> {
    // The laws choose the specs, and each of them is valid.
    let make = |spec: Spec, seed| match Toy::faulty(spec, seed, fault) {
        Ok(toy) => toy,
        Err(error) => unreachable!("{spec:?}: {error}"),
    };
    Ok(match law {
        "empty" => laws::empty(make),
        "equality" => laws::equality(make),
        "union" => laws::union(make),
        _ => return Err(format!("no law {law} here").into()),
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    for (law, fault) in LAWS {
        verdict(law, Fault::None)?.map_err(|why| format!("{law}: a sound filter fails: {why}"))?;
        match verdict(law, fault)? {
            Ok(()) => return Err(format!("{law} does not find {fault:?}").into()),
            Err(why) => println!("{law} finds {fault:?}: {why}"),
        }
    }
    Ok(())
}
