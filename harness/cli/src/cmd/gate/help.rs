//! What `bouquet gate --help` says beside its flags.

pub const HELP: &str = "\
Measures the filters of a definition and compares them with a baseline, in three
tiers:
  exact        bytes, answers, locations, memory, no false negative: equal or
               not
  statistical  under a fixed seed: FPR against theory and the baseline, a
               battery on locations
  time         each operation on keys of the program's own, at most 100,000, as
               a ratio to a filter of the program's own, in turn; slower than
               tolerated fails if it is seen again when measured again. If the
               reference beside itself does not come out equal, or in a debug
               build, the tier is inconclusive

A filter whose keys are more than its capacity fails, unless it grows; no
baseline excuses it. Each filter is filled and asked by single calls and in
batches, and must be one filter with one answer.

The report in --out is written also when the gate fails: gate.json (schema:
docs/gate.schema.json), summary.md, comment.md, junit.xml, benchmark.json and
the samples and times in records/.

A definition says which filters, of what size, on which keys; files are named
from where it is:
  fpr = 0.01
  keys = \"urls\"
  [key_sets]
  urls = \"urls.txt\"
  [[filter]]
  filter = \"blocked\"
  capacity = 1_000_000
  growth = 1.5        # keys in the end by capacity: its FPR is judged there too
and where the project's filter is not the default one:
  hasher            folded, xxh3 or xxh3-wide; at the top, it goes for all
  seed              0 to 2^63 - 1, likewise: of the exact tier; rates are of
                    many seeds
  counter_bits      4 or 8: counting
  shards            1 to 65536, at most the capacity: sharded
  stage_growth      1 to 1024 times the keys of the stage before: scalable
  stage_tightening  above 0, at most 0.99: the FPR of a stage over that before:
                    scalable
Times are of the default one.

A file of a filter is judged by `bouquet inspect --keys --fail-above-fpr`.

Exit code: 0 good; 1 something failed, or a control was not found; 2 wrong usage
or input, or no baseline; 3 inconclusive, with --strict.

Examples:
  bouquet gate --quick
  bouquet gate --tiers exact,statistical --strict
  bouquet gate --define bouquet.toml --baseline bouquet-baseline
  bouquet gate --accept --reason \"blocks of 512 bits\"";
