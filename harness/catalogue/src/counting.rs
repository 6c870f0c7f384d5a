use bouquet_counting::{CounterBits, CountingBloom, Geometry};

use bouquet_stats::reference::met_at_least;

use crate::{OwnStatistic, options::COUNTER_BITS, prelude::*};

pub struct Counting;

/// The default width of a counter.
const FOUR: CounterBits = CounterBits::Four;

fn width(options: &Options) -> Result<CounterBits> {
    Ok(match options.counter_bits {
        None | Some(4) => FOUR,
        Some(8) => CounterBits::Eight,
        Some(bits) => bail!("{COUNTER_BITS} = {bits}: a counter has 4 bits or 8"),
    })
}

catalogue_filter! { [H: Hasher] CountingBloom<H>: insert, insert_batch, unites; }

impl Sizable for CountingBloom {
    const UNIT: u64 = 4;

    fn of_size_bits(size_bits: u64, hashes: u32) -> Result<Geometry> {
        Ok(Geometry::new(size_bits / 4, hashes, FOUR)?)
    }
}

impl FilterInfo for Counting {
    const FACTS: Facts = Facts {
        name: "counting",
        about: "Counters of 4 bits instead of bits: keys can be removed",
        about_file: Some("Counters of 4 bits: a program can remove keys"),
        removes: true,
        counts: true,
        options: &[COUNTER_BITS],
        style: Style::new("pink", "diamond", "solid"),
        rationale: "it removes keys and takes every key it is given",
        simplicity_rank: 130,
        snippet: Snippet::new("counting", "CountingBloom<H>"),
        ..PLAIN
    };
    const SIZING: SizingFn = sizing::whole::<CountingBloom>;
    const BY_SIZE: Option<BySize> = Some(BySize::whole::<CountingBloom>());
    const GEOMETRY: Option<Geometries> =
        Some(|slots, probes, _| Ok(variant::whole(Geometry::new(slots, probes, FOUR)?)));

    type Filter<H: Hasher> = CountingBloom<H>;

    fn make<H: Hasher>(spec: Spec, hasher: H) -> Result<CountingBloom<H>> {
        Ok(CountingBloom::with_hasher(spec, hasher)?)
    }

    fn load<H: Hasher, L: Load<Hasher = H>>(_: Option<&Header>, load: &L) -> Result<L::Loaded> {
        load.load::<CountingBloom<H>>()
    }

    fn stored(header: &Header) -> Option<Shape> {
        let [counters, hashes, width, ..] = header.parameters();
        (header.variant() == id::COUNTING).then(|| Shape {
            size_bits: counters * width,
            hashes: Some(hashes),
            made_of: None,
            slot_bits: Some(width),
        })
    }

    fn check(_: u64, options: &Options) -> Result<()> {
        width(options).map(drop)
    }

    fn evaluated<H: Hasher>(request: &Request, hasher: H) -> Result<CountingBloom<H>> {
        let width = width(&request.options)?;
        let Size::BitsPerKey(bits) = request.size else {
            return Ok(CountingBloom::with_counter_bits(
                request.spec()?,
                width,
                hasher,
            )?);
        };
        let of = Geometry::with_bits_per_key(request.capacity, bits, width)?;
        Ok(CountingBloom::from_parts(
            of.counters(),
            of.hashes(),
            width,
            hasher,
        )?)
    }

    fn of_size<H: Hasher>(size: &ExactSize, hasher: H) -> Result<CountingBloom<H>> {
        let (counters, hashes) = (size.units(4)?, size.hashes()?);
        Ok(CountingBloom::from_parts(counters, hashes, FOUR, hasher)?)
    }

    fn form<H: Hasher>(filter: &CountingBloom<H>, _: u64) -> Option<Form> {
        let counters = filter.counters().len();
        Some(Form::Array(Array::whole(counters, filter.hashes())))
    }

    /// The counters as bits: the bit of a counter is set if the counter is not zero.
    fn words<H: Hasher>(filter: &CountingBloom<H>) -> Option<Vec<Vec<u64>>> {
        let counters = filter.counters();
        let mut words = vec![0_u64; counters.len().div_ceil(64) as usize];
        for i in (0..counters.len()).filter(|i| counters.get(*i) > 0) {
            words[(i / 64) as usize] |= 1 << (i % 64);
        }
        Some(vec![words])
    }

    fn occupancy<H: Hasher>(filter: &CountingBloom<H>) -> Option<Occupancy> {
        Some(filter.geometry().occupancy())
    }

    fn fpr_deviation<H: Hasher>(filter: &CountingBloom<H>, keys: u64) -> Option<f64> {
        Some(filter.geometry().fpr_deviation(keys))
    }

    fn own_statistics<H: Hasher>(filter: &CountingBloom<H>, keys: u64) -> Vec<OwnStatistic> {
        let counters = filter.counters();
        let most = u64::from(filter.counter_bits().max());
        let at_most = (0..counters.len()).filter(|i| u64::from(counters.get(*i)) == most);
        let throws = u64::from(filter.hashes()) * keys;
        let chance = met_at_least(counters.len(), throws, most);
        vec![
            OwnStatistic {
                what: "saturated counters",
                own: filter.saturated() as f64,
                independent: at_most.count() as f64,
            },
            OwnStatistic {
                what: "expected saturated counters",
                own: filter.expected_saturated(keys),
                independent: counters.len() as f64 * chance,
            },
        ]
    }

    fn remove<H: Hasher>(filter: &mut CountingBloom<H>, key: &[u8]) -> bool {
        filter.remove(key)
    }
}
