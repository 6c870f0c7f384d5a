//! Rejections: why it cannot be, and what would do.

use std::process::Command;

use crate::recommend_words::{
    answer::{Answer, printed},
    reader::Reader,
    reasons,
    request::Request,
};

/// What standard error has, for requirements that nothing can meet.
fn rejection(args: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_bouquet"))
        .args(["recommend", "--no-measure", "-v"])
        .args(args.split_whitespace())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{args}: {text}");
    let text = text.trim_end().strip_prefix("bouquet: ").unwrap();
    // The sentence, and behind it the details.
    text.split_once('\n')
        .map_or(text, |(_, all)| all)
        .to_owned()
}

#[test]
fn a_rate_below_the_floor_of_the_hash_is_rejected_by_that_floor() {
    for args in ["--capacity 1e6 --fpr 1e-20", "--capacity 1e9 --fpr 1e-11"] {
        let (request, text) = (Request::new(args), rejection(args));
        let mut said = Reader::new(&text);
        said.words("--fpr ");
        assert_eq!(Some(said.number()), request.fpr);
        said.words(": ");
        said.decimal(request.keys(), 0);
        said.words(" keys with hashes of 64 bits have ");
        said.until("share a whole hash with a member, ");
        let (floor, own) = (said.number(), request.keys() / 2f64.powi(64));
        assert!((floor / own - 1.0).abs() < 0.006, "{text}");
        assert!(request.fpr.unwrap() <= own, "{text}");
        said.until("What would do: an --fpr of ");
        let fpr = said.number();
        assert!((2.0..2.3).contains(&(fpr / own)), "{text}");
        printed(&format!(
            "--capacity {} --fpr {fpr:e} --filters hash-set --format csv",
            request.capacity
        ));
    }
}

/// The flags of a workload, its FPR, its memory.
const TOO_LITTLE: [[&str; 3]; 7] = [
    ["--capacity 1e6", "--fpr 1e-6", "--bits-per-key 10"],
    ["--capacity 1e6 --deletes", "", "--bits-per-key 3"],
    [
        "--capacity 1e6 --static --key-kind url",
        "--fpr 1e-6",
        "--bits-per-key 19",
    ],
    [
        "--capacity 1e6 --static --filters xorf-fuse8,xorf-fuse16",
        "--fpr 1e-4",
        "--memory 1000000",
    ],
    [
        "--capacity 1e6 --filters counting",
        "--fpr 1e-4",
        "--memory 1000000",
    ],
    [
        "--capacity 100 --filters-count 1000",
        "--fpr 0.001",
        "--memory 130000",
    ],
    [
        "--capacity 1e5 --growth 7",
        "--fpr 0.001",
        "--memory 500000",
    ],
];

#[test]
fn too_little_memory_is_rejected_by_what_each_takes() {
    for [flags, fpr, memory] in TOO_LITTLE {
        let request = Request::new(&format!("{flags} {fpr} {memory}"));
        let text = rejection(&request.args);
        let mut said = Reader::new(&text);
        if said.takes("nothing can do all of this:\n") {
            while said.takes("  ") {
                let name = said.until(": ");
                reasons::of(&request, None, name, said.until("\n"));
            }
        } else {
            too_few_bits(&request, &mut said);
        }
        remedy(&request, &mut said, flags, fpr);
    }
}

/// Fewer bits than any filter can do with.
fn too_few_bits(request: &Request, said: &mut Reader<'_>) {
    let fpr = request.fpr.unwrap();
    let memory = request.memory.unwrap();
    said.is_bytes(memory);
    said.words(" of memory is too little for ");
    said.decimal(request.keys(), 0);
    said.words(" keys: ");
    let bits = 8.0 * memory / (request.keys() * request.filters);
    said.decimal(bits, 2);
    said.words(" bits per key, and an FPR of ");
    said.is_share(fpr);
    said.words(" takes at least log2(1/FPR) = ");
    said.decimal(-fpr.log2(), 2);
    said.words(". ");
    assert!(bits < -fpr.log2());
}

/// The memory that would do does, and less does not.
fn remedy(request: &Request, said: &mut Reader<'_>, flags: &str, fpr: &str) {
    said.words("What would do: ");
    let (bytes, by) = said.bytes();
    said.words(" for ");
    let name = said.until(", which takes ");
    // As it is printed; no less is.
    let memory = (bytes - 0.001 * by).ceil();
    let args = format!("{flags} {fpr} --memory {memory} --work-cost 1s");
    let answer = Answer::of(Request::new(&args));
    let row = answer.row(name);
    let bits = said.number();
    assert!(
        (0.97..1.02).contains(&(row.bits / bits)),
        "{args}: {bits} of {row:?}"
    );
    said.words(" bits per key at an FPR of ");
    let target = request.fpr.unwrap_or(0.01);
    if name.starts_with("xorf") {
        said.is_share(row.fpr);
    } else {
        said.is_share(target);
    }
    assert!(row.fpr <= 1.01 * target, "{args}: {row:?}");
    if !fpr.is_empty() {
        rejection(&format!(
            "{flags} {fpr} --memory {}",
            (0.97 * bytes).floor()
        ));
    }
}

#[test]
fn memory_for_any_number_of_keys_is_rejected_as_it_was_given() {
    let text = rejection("--capacity 1e6 --growth unknown --memory 1500000");
    let mut said = Reader::new(&text);
    said.words("--growth unknown in a --memory (or --bits-per-key) of ");
    said.is_bytes(1.5e6);
    said.words(": whatever holds any number of keys takes any amount of memory.");
    said.until("such as --growth 4 (the filter is sized for four times the keys at once)");
    said.words(", or no --memory");
    said.end();
}
