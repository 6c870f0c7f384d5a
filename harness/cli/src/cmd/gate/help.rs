//! The part of `bouquet gate --help` that does not describe flags.

pub const HELP: &str = "\
Three tiers:
  exact        bytes, answers, locations and memory are equal; no false negatives
  statistical  FPR against theory and the baseline, tests of locations
  time         each operation as a ratio to a reference filter, interleaved; what
               is slower fails if it is slower again in a second measurement.
               Inconclusive on a busy machine and in a debug build
A filter with more keys than its capacity fails, unless it grows.

The report in --out is written also when the gate fails: gate.json (schema:
docs/gate.schema.json), summary.md, comment.md, junit.xml, benchmark.json.

A definition; paths of key files are relative to it:
  fpr = 0.01
  keys = \"urls\"
  [key_sets]
  urls = \"urls.txt\"
  [[filter]]
  filter = \"blocked\"
  capacity = 1_000_000
  growth = 1.5        # also tested with 1.5 times the keys
A filter may also have: name, bits_per_key, hasher, seed, counter_bits (4 or 8),
shards, stage_growth and stage_tightening.

Exit code: 0 good; 1 something failed, or a control was not found; 2 wrong usage
or input, or no baseline; 3 inconclusive, with --strict.

  bouquet gate --tiers exact,statistical --strict
  bouquet gate --define bouquet.toml --baseline bouquet-baseline
  bouquet gate --accept --reason \"blocks of 512 bits\"";
