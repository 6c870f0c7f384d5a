//! The attacks on one hash function, still to be made.

use anyhow::Result;
use bouquet_core::{KeyHasher, Spec};
use bouquet_counting::CountingBloom;
use bouquet_cuckoo::CuckooFilter;
use bouquet_hash::{Xxh3, murmur3::x64_128};
use bouquet_standard::{Geometry, StandardBloom};

use super::{
    bloom::ByScheme,
    case::Case,
    collision::collision,
    deletion::{by_collision, by_search},
    forging::forging,
    keys::member,
    murmur::{Murmur3, preimage, sibling},
    pollution::{Done, pollution},
    xxh3::twin,
};
use crate::schemes::Scheme;
use crate::workload::mix;

/// An attack that is still to be made.
pub type Piece<'a> = Box<dyn Fn() -> Result<Done> + Sync + 'a>;

fn spec(case: Case<'_>) -> Result<Spec> {
    Ok(Spec::new(case.plan.capacity, case.plan.target_fpr)?)
}

fn standard<H: KeyHasher>(case: Case<'_>, hasher: &H) -> Result<StandardBloom<H>> {
    Ok(StandardBloom::with_hasher(spec(case)?, hasher.clone())?)
}

fn counting<H: KeyHasher>(case: Case<'_>, hasher: &H) -> Result<CountingBloom<H>> {
    Ok(CountingBloom::with_hasher(spec(case)?, hasher.clone())?)
}

fn cuckoo<H: KeyHasher>(case: Case<'_>, hasher: &H) -> Result<CuckooFilter<H>> {
    Ok(CuckooFilter::with_hasher(spec(case)?, hasher.clone())?)
}

/// What is done by search: to a filter with the hasher `real`, by him who has
/// `guess`.
pub fn searches<'a, H>(case: Case<'a>, real: H, guess: H) -> Vec<Piece<'a>>
where
    H: KeyHasher + Copy + Sync + 'a,
{
    let mut pieces: Vec<Piece<'a>> = vec![
        Box::new(move || pollution(&case, standard(case, &real)?, standard(case, &guess)?)),
        Box::new(move || {
            let row = forging(&case, standard(case, &real)?, &standard(case, &guess)?)?;
            Ok(row.into())
        }),
    ];
    pieces.extend(removals(case, real, guess));
    pieces
}

fn removals<'a, H>(case: Case<'a>, real: H, guess: H) -> [Piece<'a>; 2]
where
    H: KeyHasher + Copy + Sync + 'a,
{
    [
        Box::new(move || {
            let (real, copy) = (counting(case, &real)?, counting(case, &guess)?);
            Ok(by_search(&case, real, copy).into())
        }),
        Box::new(move || {
            let (real, copy) = (cuckoo(case, &real)?, cuckoo(case, &guess)?);
            Ok(by_search(&case, real, copy).into())
        }),
    ]
}

/// Removals of keys computed to collide with their victims.
fn computed_removals<'a, H, C>(
    case: Case<'a>,
    method: &'static str,
    hasher: H,
    collide: C,
) -> [Piece<'a>; 2]
where
    H: KeyHasher + Copy + Sync + 'a,
    C: Fn(&[u8; 32]) -> Vec<u8> + Copy + Sync + 'a,
{
    [
        Box::new(move || {
            let filter = counting(case, &hasher)?;
            Ok(by_collision(&case, method, filter, collide).into())
        }),
        Box::new(move || {
            let filter = cuckoo(case, &hasher)?;
            Ok(by_collision(&case, method, filter, collide).into())
        }),
    ]
}

pub fn xxh3(case: Case<'_>) -> Vec<Piece<'_>> {
    let hasher = Xxh3::with_seed(case.seed);
    let collide = move |victim: &[u8; 32]| twin(hasher, victim).to_vec();
    let mut pieces = searches(case, hasher, hasher);
    pieces.push(Box::new(move || {
        let forged: Vec<_> = case.members().map(|key| (collide(&key), key)).collect();
        let filter = standard(case, &hasher)?;
        Ok(collision(&case, "preimage", &filter, forged.into_iter()).into())
    }));
    pieces.extend(computed_removals(case, "preimage", hasher, collide));
    pieces
}

/// MurmurHash3 in filters of ours that remove; for bits see the schemes.
pub fn murmur(case: Case<'_>) -> Vec<Piece<'_>> {
    let collide = |victim: &[u8; 32]| preimage(x64_128(victim, 0), 0, 0).to_vec();
    let mut pieces = Vec::from(removals(case, Murmur3(0), Murmur3(0)));
    pieces.extend(computed_removals(case, "preimage", Murmur3(0), collide));
    pieces
}

/// A seed that the attacker does not know, nor guesses.
pub fn secret_seed(case: Case<'_>) -> Vec<Piece<'_>> {
    let hasher = Murmur3(mix(case.seed) as u32);
    let collide = |victim: &[u8; 32]| sibling(victim).to_vec();
    let mut pieces: Vec<Piece<'_>> = vec![Box::new(move || {
        let forged: Vec<_> = case.members().map(|key| (collide(&key), key)).collect();
        let filter = standard(case, &hasher)?;
        Ok(collision(&case, "sibling", &filter, forged.into_iter()).into())
    })];
    pieces.extend(computed_removals(case, "sibling", hasher, collide));
    pieces
}

/// Bits under the scheme, of the size that the spec asks for.
fn bits(case: Case<'_>, scheme: &Scheme) -> Result<ByScheme> {
    let size = Geometry::from_spec(&spec(case)?)?;
    ByScheme::new((scheme.make)(size.size_bits(), size.hashes(), case.seed)?)
}

pub fn of_scheme<'a>(case: Case<'a>, scheme: &'a Scheme) -> [Piece<'a>; 2] {
    [
        Box::new(move || pollution(&case, bits(case, scheme)?, bits(case, scheme)?)),
        Box::new(move || Ok(forging(&case, bits(case, scheme)?, &bits(case, scheme)?)?.into())),
    ]
}

/// Many keys with all locations of one victim, where the scheme takes them from
/// MurmurHash3 without a seed.
pub fn collisions<'a>(case: Case<'a>, scheme: &'a Scheme) -> Piece<'a> {
    Box::new(move || {
        let victim = member(case.seed, 0);
        let many = usize::try_from(case.plan.collisions)?;
        let forged = (0..many).map(|index| {
            let key = preimage(x64_128(&victim, 0), 0, index as u64);
            (key.to_vec(), victim)
        });
        Ok(collision(&case, "preimage", &bits(case, scheme)?, forged).into())
    })
}
