//! The workloads.

const CAPACITIES: [&str; 4] = ["100", "30000", "1e6", "2e7"];
const FPRS: [&str; 2] = ["", "--fpr 0.01"];
const WORK: [&str; 5] = ["20ns", "l3-miss", "3us", "ssd-read", "cross-region-rpc"];

/// One requirement at a time, or two that meet.
const OTHERS: [&str; 78] = [
    // About where a filter begins to pay, and is too close to none.
    "--capacity 1e6 --fpr 0.01 --work-cost 34ns",
    "--capacity 1e6 --fpr 0.01 --work-cost 35.5ns",
    "--capacity 1e6 --fpr 0.01 --work-cost 36.5ns",
    "--capacity 1e6 --hits 0.9 --work-cost 190ns",
    "--capacity 1e6 --hits 0.9999 --work-cost 3us",
    "--capacity 30000 --work-cost 1ns",
    "--capacity 30000 --work-cost 2s",
    // Shares of hits, lookups for each building.
    "--capacity 1e6 --fpr 0.01 --hits 0",
    "--capacity 1e6 --fpr 0.01 --hits 0.05 --work-cost 3us",
    "--capacity 30000 --hits 0.95 --work-cost same-dc-rpc",
    "--capacity 1e6 --lookups-per-build 1e5 --work-cost 3us",
    "--capacity 1e6 --lookups-per-build 1e9 --work-cost 3us",
    // Memory.
    "--capacity 1e6 --memory 1000000",
    "--capacity 1e6 --fpr 0.01 --memory 2000000 --work-cost 80us",
    "--capacity 30000 --bits-per-key 6",
    "--capacity 30000 --bits-per-key 16 --work-cost l3-miss",
    "--capacity 1e6 --bits-per-key 12 --work-cost 3us",
    "--capacity 1e6 --bits-per-key 200 --work-cost 1s",
    "--capacity 1e6 --fpr 1e-5",
    "--capacity 1e6 --fpr-at-most 0.01",
    "--capacity 1e6 --fpr-at-most 0.01 --memory 2000000 --work-cost 80us",
    "--capacity 1e6 --fpr-at-most 0.01 --memory-cost 100ns --work-cost 80us",
    "--capacity 1e6 --memory-cost 5ns --work-cost 80us",
    // False positives that nothing makes good.
    "--capacity 1e6 --fpr 0.01 --false-positive-loses --hits 0.7",
    "--capacity 30000 --fpr 0.001 --false-positive-loses --hits 1 --work-cost 50ns",
    "--capacity 1e6 --fpr 0.01 --false-positive-loses --static --memory-cost 10ns",
    "--capacity 1e6 --fpr 0.2 --work-cost 500ns",
    "--capacity 1e6 --fpr 0.003 --threads 4",
    "--capacity 100 --static --fpr 0.009 --work-cost 80us",
    // Texts.
    "--capacity 1000 --key-kind url --fpr 0.01",
    "--capacity 30000 --key-kind url --work-cost 3us",
    "--capacity 1e6 --key-kind url --fpr 0.001 --work-cost l3-miss",
    "--capacity 1e6 --key-kind url --hits 0.9",
    "--capacity 1e6 --key-kind url --hostile --fpr 0.01",
    // Keys that are removed.
    "--capacity 1e6 --deletes",
    "--capacity 30000 --deletes --fpr 0.01 --work-cost 3us",
    "--capacity 1e6 --deletes --work-cost l3-miss",
    "--capacity 1000 --deletes --shared",
    "--capacity 1e6 --deletes --work-cost 1s",
    "--capacity 1e6 --deletes --fpr 1e-4 --work-cost 80us",
    "--capacity 1e5 --threads 4 --deletes --fpr 0.0015 --work-cost 80us",
    // Sets that never change.
    "--capacity 1e6 --static --fpr 0.01",
    "--capacity 1e6 --static --bits-per-key 9.3 --work-cost 80us --key-kind url",
    "--capacity 30000 --static --work-cost 3us",
    "--capacity 100 --static --fpr 0.01",
    "--capacity 1e6 --static --key-kind url --fpr 0.001 --hits 0.001 --work-cost cross-region-rpc --persist",
    "--capacity 1e6 --static --hostile --fpr 0.01",
    "--capacity 1e6 --static --threads 4 --bits-per-key 10 --work-cost 3us",
    // Sets that grow.
    "--capacity 30000 --growth 4",
    "--capacity 1e6 --growth 1.5 --fpr 0.01 --work-cost 3us",
    "--capacity 1e5 --growth unknown",
    "--capacity 1000 --growth unknown --key-kind url --persist --fpr 0.001",
    "--capacity 1e5 --growth 3 --deletes",
    // Threads.
    "--capacity 1000 --threads 4",
    "--capacity 1000 --threads 4 --fpr 0.01 --work-cost 3us",
    "--capacity 2000 --threads 4 --deletes",
    "--capacity 1000 --threads 2 --growth 2 --work-cost l3-miss",
    "--capacity 1e5 --threads 4 --growth unknown --persist",
    "--capacity 1e5 --threads 4 --growth 3 --deletes --fpr 0.01",
    "--capacity 1e5 --threads 4 --deletes --hostile --persist",
    "--capacity 1e5 --growth unknown --deletes",
    "--capacity 1e8 --fpr 0.01",
    "--capacity 3e8 --threads 4 --fpr 0.001",
    // Integers of a range.
    "--capacity 1e6 --integers-below 2e6 --work-cost 80us",
    "--capacity 1e6 --integers-below 1e8",
    "--capacity 30000 --integers-below 1e12 --work-cost l3-miss",
    "--capacity 1e6 --integers-below 5e6 --persist --deletes",
    // Many sets, stored and sent.
    "--capacity 1000 --filters-count 100000 --fpr 0.001 --persist --work-cost same-dc-rpc",
    "--capacity 100 --filters-count 1000 --deletes --work-cost 3us",
    "--capacity 1e6 --persist --fpr 0.01 --hostile --hits 0.9",
    "--capacity 1e6 --shared --work-cost 3us",
    "--capacity 1e6 --shared --deletes --fpr 0.01",
    "--capacity 1e5 --shared --deletes --threads 4 --fpr 0.01 --hostile",
    "--capacity 1e6 --shared --growth unknown --fpr 0.01",
    "--capacity 1e5 --shared --growth 4 --threads 4 --persist",
    "--capacity 1e6 --fpr 1e-9 --filters hash-set",
    // By their names.
    "--capacity 1e6 --filters standard,blocked,scalable,counting --work-cost 3us",
    "--capacity 1000 --filters sharded,atomic,counting,scalable",
];

pub fn grid() -> Vec<String> {
    let mut all: Vec<String> = OTHERS.map(str::to_owned).into();
    for capacity in CAPACITIES {
        for fpr in FPRS {
            let own = WORK.map(|work| format!("--capacity {capacity} {fpr} --work-cost {work}"));
            all.extend(own);
        }
    }
    all
}
