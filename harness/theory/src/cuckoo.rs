//! Cuckoo filters: each key has a fingerprint in one of two buckets.

use anyhow::{Result, bail, ensure};
use bouquet_core::{MAX_SIZE_BITS, Spec, math::expected_fill};
use bouquet_cuckoo::{
    Geometry,
    math::{BUCKET_SLOTS, fpr_at_load},
};

use super::{
    Answer, Form, Request,
    request::at_most,
    solve::{at_equal_memory, common},
};

/// The load that a cuckoo filter with buckets of four slots reaches (Fan et al. 2014, section 5).
const USUAL_LOAD: f64 = 0.95;
/// The widest fingerprint of our filter, up to which the closed forms are valid too.
const WIDEST: u32 = 32;

pub const CUCKOO: Form = Form {
    name: "",
    about: "Fingerprints in two buckets",
    takes: &["bits", "bits_per_key", "bucket", "fingerprint_bits", "load"],
    answer,
};

fn answer(request: &Request) -> Result<Answer> {
    let bucket = request.bucket.unwrap_or(BUCKET_SLOTS as u32);
    at_most("--bucket", Some(bucket.into()), 1 << 16)?;
    let load = request.load.unwrap_or(USUAL_LOAD);
    if !(load > 0.0 && load <= 1.0) {
        bail!("--load {load}: give the share of slots taken, above 0 and at most 1");
    }
    let (capacity, bits) = fingerprint(request, bucket, load)?;
    let exact = fpr_at_load(bucket, bits, load);
    let all = f64::from(bits).exp2();
    let per_key = f64::from(bits) / load;
    let mut answer = Answer::default();
    answer.set("filter", request.form.name);
    answer.set("exact_fpr", exact);
    answer.set("fingerprint_bits", bits);
    answer.set("bucket", bucket);
    answer.set("load", load);
    answer.set("bound_fpr", 2.0 * f64::from(bucket) / all);
    // The same formula as in `fpr_at_load`, but no value of the fingerprint is reserved.
    let met = 2.0 * f64::from(bucket) * load;
    answer.set("all_values_fpr", expected_fill(1 << bits, met));
    at_equal_memory(&mut answer, per_key, exact);
    if let Some(target) = request.fpr {
        answer.set("target_fpr", target);
        answer.set("keeps_target", exact <= target);
    }
    if let Some(capacity) = capacity {
        let slots = (capacity as f64 / load).ceil();
        let size_bits = slots * f64::from(bits);
        if size_bits > MAX_SIZE_BITS as f64 {
            bail!("{capacity} keys would take {size_bits:.3e} bits, more than 2^48");
        }
        common(&mut answer, request, capacity, size_bits as u64, exact);
        answer.set("slots", slots as u64);
        if let Some(target) = request.fpr.filter(|_| u64::from(bucket) == BUCKET_SLOTS) {
            // The size of our filter, which is filled up to the usual load.
            let geometry = Geometry::from_spec(&Spec::new(capacity, target)?);
            if let Ok(geometry) = geometry {
                answer.set("least_size_bits", geometry.size_bits());
            }
        }
    }
    Ok(answer)
}

/// The capacity, if it is known, and the bits of a fingerprint.
fn fingerprint(request: &Request, bucket: u32, load: f64) -> Result<(Option<u64>, u32)> {
    let per_key = match (request.capacity, request.bits, request.bits_per_key) {
        (_, _, Some(per_key)) => Some(per_key),
        (Some(capacity), Some(bits), None) => Some(bits as f64 / capacity as f64),
        _ => None,
    };
    let by_memory = per_key.map(|per_key| (per_key * load + 1e-9).floor());
    if request.fingerprint_bits.is_some() && per_key.is_some() {
        bail!(
            "--fingerprint-bits and the bits per key contradict each other: with --load one gives \
             the other"
        );
    }
    let bits = match (request.fingerprint_bits, by_memory, request.fpr) {
        (Some(bits), None, _) => f64::from(bits),
        (None, Some(bits), _) => bits,
        (None, None, Some(target)) => {
            let keeps = |bits: &u32| fpr_at_load(bucket, *bits, load) <= target;
            let Some(bits) = (1..=WIDEST).find(keeps) else {
                bail!("no fingerprint of up to {WIDEST} bits keeps {target:?}")
            };
            f64::from(bits)
        }
        _ => bail!(
            "a cuckoo filter takes one of --fingerprint-bits, --bits-per-key, --fpr, or --capacity \
             with --bits; --load is 0.95 and --bucket 4 unless given"
        ),
    };
    if bits < 1.0 {
        bail!("less than one bit of fingerprint at a load of {load}: give more bits per key");
    }
    if bits > f64::from(WIDEST) {
        bail!("fingerprints of {bits} bits: at most {WIDEST}");
    }
    let capacity = match (request.capacity, request.bits) {
        (Some(capacity), _) => Some(capacity),
        (None, Some(size_bits)) => Some((size_bits as f64 / bits * load) as u64),
        (None, None) => None,
    };
    ensure!(capacity != Some(0), "the bits given hold no key");
    Ok((capacity, bits as u32))
}
