//! What other systems do, by their own arithmetic. A system's scheme is added
//! here, through its [`Locate`](bouquet_core::Locate) and its hash.

use bouquet_hash::{
    murmur3::{Murmur3, four_words},
    scheme::BitsAndBlooms,
};

use super::{Located, Pairs, Part, Probing, Scheme};

pub fn schemes() -> Vec<Scheme> {
    vec![
        Scheme {
            name: "bits-and-blooms",
            about: "That of Go bits-and-blooms/bloom v3: four words of MurmurHash3; it has no seed",
            role: "known-good",
            make: |slots, probes, _| {
                let geometry = BitsAndBlooms::new(slots, probes)?;
                let parts = vec![Part::slot(probes, slots).pairs(Pairs::FourWords)];
                Ok(Box::new(Located::of_parts(geometry, four_words, parts)))
            },
        },
        Scheme {
            name: "go-zero",
            about: "That of go-zero: location i is MurmurHash3 of the key and the byte i, mod m",
            role: "known-good",
            make: |slots, probes, _| {
                let hash = |key: &[u8]| Murmur3::of(key, 0);
                Probing::boxed(slots, probes, hash, move |state, i| {
                    state.finish_with(i as u8)[0] % slots
                })
            },
        },
    ]
}
