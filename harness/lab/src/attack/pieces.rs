//! The attacks on one hash function, still to be made.

use anyhow::Result;
use bouquet_catalogue::{File, Hasher};
use bouquet_core::Spec;
use bouquet_counting::CountingBloom;
use bouquet_cuckoo::CuckooFilter;
use bouquet_hash::{Folded, Xxh3, murmur3::x64_128};
use bouquet_standard::{Geometry, StandardBloom};

use super::{
    bloom::ByScheme,
    case::Case,
    collision::collision,
    deletion::{by_collision, by_search},
    folded,
    forging::forging,
    keys::member,
    murmur::{Murmur3, preimage, sibling},
    pollution::pollution,
    removing::Removing,
    xxh3,
};
use crate::schemes::{Scheme, Wanted};
use crate::workload::mix;
use bouquet_ground::record::AttackRow;

/// An attack that is still to be made.
pub type Piece<'a> = Box<dyn Fn() -> Result<AttackRow> + Sync + 'a>;

fn spec(case: Case<'_>) -> Result<Spec> {
    Ok(Spec::new(case.plan.capacity, case.plan.target_fpr)?)
}

/// An empty filter of the plan's size.
fn made<F: File<Hasher: Clone>>(case: Case<'_>, hasher: &F::Hasher) -> Result<F> {
    Ok(F::made(spec(case)?, hasher.clone())?)
}

/// What is done by search: to a filter with the hasher `real`, by him who has
/// `guess`.
pub fn searches<'a, H: Hasher + Copy>(case: Case<'a>, real: H, guess: H) -> Vec<Piece<'a>> {
    let standard = move |hasher: &H| made::<StandardBloom<H>>(case, hasher);
    let mut pieces: Vec<Piece<'a>> = vec![
        Box::new(move || pollution(&case, standard(&real)?, standard(&guess)?)),
        Box::new(move || forging(&case, standard(&real)?, &standard(&guess)?)),
    ];
    pieces.extend(removals(case, real, guess));
    pieces
}

fn removals<'a, H: Hasher + Copy>(case: Case<'a>, real: H, guess: H) -> [Piece<'a>; 2] {
    fn of<'a, F>(case: Case<'a>, real: F::Hasher, guess: F::Hasher) -> Piece<'a>
    where
        F: File<Hasher: Copy + Sync + 'a> + Removing,
    {
        Box::new(move || {
            let (real, copy) = (made::<F>(case, &real)?, made(case, &guess)?);
            Ok(by_search(&case, real, copy))
        })
    }
    [
        of::<CountingBloom<H>>(case, real, guess),
        of::<CuckooFilter<H>>(case, real, guess),
    ]
}

/// What keys computed to collide with others do: to the bits of all members, and
/// removed from filters that remove.
fn computed<'a, H, C>(case: Case<'a>, method: &'static str, hasher: H, collide: C) -> [Piece<'a>; 3]
where
    H: Hasher + Copy,
    C: Fn(&[u8; 32]) -> Vec<u8> + Copy + Sync + 'a,
{
    let [counting, cuckoo] = computed_removals(case, method, hasher, collide);
    let all = move || {
        let forged: Vec<_> = case.members().map(|key| (collide(&key), key)).collect();
        let filter = made::<StandardBloom<H>>(case, &hasher)?;
        Ok(collision(&case, method, &filter, forged.into_iter()))
    };
    [Box::new(all), counting, cuckoo]
}

fn computed_removals<'a, H, C>(
    case: Case<'a>,
    method: &'static str,
    hasher: H,
    collide: C,
) -> [Piece<'a>; 2]
where
    H: Hasher + Copy,
    C: Fn(&[u8; 32]) -> Vec<u8> + Copy + Sync + 'a,
{
    [
        Box::new(move || {
            let filter = made::<CountingBloom<H>>(case, &hasher)?;
            Ok(by_collision(&case, method, filter, collide))
        }),
        Box::new(move || {
            let filter = made::<CuckooFilter<H>>(case, &hasher)?;
            Ok(by_collision(&case, method, filter, collide))
        }),
    ]
}

pub fn folded(case: Case<'_>) -> Vec<Piece<'_>> {
    by_twins(case, Folded::with_seed(case.seed), folded::twin)
}

pub fn xxh3(case: Case<'_>) -> Vec<Piece<'_>> {
    by_twins(case, Xxh3::with_seed(case.seed), xxh3::twin)
}

/// By search, and by keys that are computed to have the hash of another.
fn by_twins<'a, H: Hasher + Copy, const N: usize>(
    case: Case<'a>,
    hasher: H,
    twin: fn(H, &[u8; 32]) -> [u8; N],
) -> Vec<Piece<'a>> {
    let collide = move |victim: &[u8; 32]| twin(hasher, victim).to_vec();
    let mut pieces = searches(case, hasher, hasher);
    pieces.extend(computed(case, "preimage", hasher, collide));
    pieces
}

/// MurmurHash3 in filters of ours that remove; for bits see the schemes.
pub fn murmur(case: Case<'_>) -> Vec<Piece<'_>> {
    let collide = |victim: &[u8; 32]| preimage(x64_128(victim, 0), 0, 0).to_vec();
    let mut pieces = Vec::from(removals(case, Murmur3(0), Murmur3(0)));
    pieces.extend(computed_removals(case, "preimage", Murmur3(0), collide));
    pieces
}

/// A seed that the attacker does not know, nor guesses: he chooses both keys, for of most keys
/// none is known that collides with it.
pub fn secret_seed_of_folded(case: Case<'_>) -> Piece<'_> {
    Box::new(move || {
        let all = case.members().map(|key| folded::siblings(&key));
        let pairs: Vec<_> = all.map(|[one, other]| (other.to_vec(), one)).collect();
        let hasher = Folded::with_seed(mix(case.seed));
        let filter = made::<StandardBloom<Folded>>(case, &hasher)?;
        Ok(collision(&case, "sibling", &filter, pairs.into_iter()))
    })
}

/// The same of MurmurHash3, of which every key has another.
pub fn secret_seed(case: Case<'_>) -> [Piece<'_>; 3] {
    let hasher = Murmur3(mix(case.seed) as u32);
    computed(case, "sibling", hasher, |victim| sibling(victim).to_vec())
}

/// Bits under the scheme, of the size that the spec asks for.
fn bits(case: Case<'_>, scheme: &Scheme) -> Result<ByScheme> {
    let size = Geometry::from_spec(&spec(case)?)?;
    ByScheme::new((scheme.make)(Wanted::new(
        size.size_bits(),
        size.hashes(),
        case.seed,
    ))?)
}

pub fn of_scheme<'a>(case: Case<'a>, scheme: &'a Scheme) -> [Piece<'a>; 2] {
    [
        Box::new(move || pollution(&case, bits(case, scheme)?, bits(case, scheme)?)),
        Box::new(move || forging(&case, bits(case, scheme)?, &bits(case, scheme)?)),
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
        Ok(collision(&case, "preimage", &bits(case, scheme)?, forged))
    })
}
