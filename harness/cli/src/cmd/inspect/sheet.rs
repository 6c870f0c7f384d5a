//! What is known of files, for people and programs.

use super::Seen;
use bouquet_render::columns::Table;

/// Every quantity with its unit.
pub fn table(all: &[Seen]) -> Table {
    Table::answer(all)
        .column("file", |seen| &seen.path)
        .column("verdict", |seen| seen.verdict.words())
        .column("format", |seen| seen.format.name())
        .column("filter", |seen| &*seen.facts.filter)
        .column("hash", |seen| &*seen.facts.hash)
        .column("seed", |seen| seen.facts.seed)
        .column("file_bytes", |seen| seen.file_bytes)
        .unit("bytes")
        .column("capacity", |seen| seen.facts.capacity)
        .unit("keys")
        .column("target_fpr", |seen| seen.facts.target_fpr)
        .unit("share")
        .column("size_bits", Seen::size_bits)
        .unit("bits")
        .column("hashes", |seen| seen.facts.hashes)
        .unit("probes per key")
        .column("slot_bits", |seen| seen.facts.slot_bits)
        .unit("bits per slot")
        .column("blocks", |seen| seen.parts("blocks"))
        .column("partitions", |seen| seen.parts("partitions"))
        .column("buckets", |seen| seen.parts("buckets"))
        .column("shards", |seen| seen.parts("shards"))
        .column("stages", |seen| seen.parts("stages"))
        .column("links", |seen| seen.parts("links"))
        .column("bits_per_key", Seen::bits_per_key)
        .unit("bits per key of the capacity")
        .column("fill_ratio", |seen| seen.facts.load.fill_ratio)
        .unit("share of slots")
        .column("counted_keys", |seen| seen.facts.load.counted_keys)
        .unit("keys")
        .column("estimated_keys", |seen| seen.facts.load.estimated_keys)
        .unit("keys, from the slots")
        .column("estimated_fpr", |seen| seen.facts.load.estimated_fpr)
        .unit("share, from the slots")
        .column("keys_left", |seen| seen.facts.load.keys_left)
        .unit("keys until the target is passed")
        .column("note", |seen| seen.facts.note)
        .table()
}

impl Seen {
    fn parts(&self, name: &str) -> Option<u64> {
        let parts = self.facts.made_of.filter(|(of, _)| *of == name);
        parts.map(|(_, parts)| parts)
    }

    fn size_bits(&self) -> Option<u64> {
        Some(self.facts.size_bits).filter(|bits| *bits > 0)
    }

    fn bits_per_key(&self) -> Option<f64> {
        Some(self.size_bits()? as f64 / self.facts.capacity? as f64)
    }
}
