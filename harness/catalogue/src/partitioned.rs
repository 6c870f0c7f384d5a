use bouquet_partitioned::{Geometry, PartitionedBloom};

use crate::{part::high, prelude::*};

pub struct Partitioned;

catalogue_filter! { [H: Hasher] PartitionedBloom<H>: insert, extend, unites; }

impl Sizable for PartitionedBloom {
    fn of_size_bits(size_bits: u64, hashes: u32) -> Result<Geometry> {
        Ok(Geometry::new(size_bits, hashes)?)
    }
}

impl FilterInfo for Partitioned {
    const FACTS: Facts = Facts {
        name: "partitioned",
        about: "k partitions of m/k bits, one probe in each",
        about_file: Some("A range of bits for every probe"),
        theory: "(1 - (1 - 1/s)^n)^k, s = m/k, exact",
        reference: Some(|hash, parts, visit| {
            let bits = parts[0].values;
            for (word, i) in Probes::new(hash).zip(parts[0].probes.clone()) {
                visit(u64::from(i) * bits + high(word, bits), 1);
            }
        }),
        style: Style::new("green", "triangle", "solid"),
        rationale: "each probe has a part of the bits to itself",
        simplicity_rank: 60,
        snippet: Snippet::new("partitioned", "PartitionedBloom<H>"),
        ..PLAIN
    };
    const SIZING: SizingFn = sizing::whole::<PartitionedBloom>;
    const BY_SIZE: Option<BySize> = Some(BySize::whole::<PartitionedBloom>());

    const GEOMETRY: Option<Geometries> = Some(|slots, probes, _| {
        let geometry = Geometry::new(slots, probes)?;
        let bits = geometry.partition_bits();
        let slot = Part::new("slot in its partition", 0..probes, 1, bits);
        Ok((Box::new(geometry), vec![slot]))
    });

    impl_bit_array!(PartitionedBloom);

    fn form<H: Hasher>(filter: &PartitionedBloom<H>, _: u64) -> Option<Form> {
        let hashes = filter.hashes();
        Some(Form::Array(Array {
            groups: 1,
            ranges: hashes,
            slots: filter.size_bits() / u64::from(hashes),
            throws: 1,
        }))
    }

    fn words<H: Hasher>(filter: &PartitionedBloom<H>) -> Option<Vec<Vec<u64>>> {
        Some(vec![filter.bits().words().to_vec()])
    }

    fn stored(header: &Header) -> Option<Shape> {
        let [bits, partitions, ..] = header.parameters();
        (header.variant() == id::PARTITIONED).then(|| Shape {
            size_bits: bits * partitions,
            hashes: Some(partitions),
            made_of: Some(("partitions", partitions)),
            slot_bits: None,
        })
    }
}
