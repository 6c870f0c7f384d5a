//! The notes below the reasons.

use std::iter::Peekable;

use bouquet_cuckoo::FingerprintBits;

use crate::recommend_words::{
    answer::{Answer, Line},
    reader::Reader,
};

/// All notes there should be, and each of them.
pub fn notes<'a>(answer: &Answer, said: &mut Peekable<impl Iterator<Item = &'a str>>) {
    let (request, choice) = (&answer.request, answer.choice());
    exact(answer, said);
    let mut fixed = |is_there: bool, words: &str| {
        if is_there {
            assert_eq!(said.next(), Some(words));
        }
    };
    fixed(
        choice.class == "other",
        "A static filter of another crate, xorf, wins here: the set never changes, which Bloom \
         filters do not make use of.",
    );
    assert!(choice.class != "other" || request.has("--static"));
    more_bits(answer, said);
    at_target(answer, said);
    in_steps(answer, said);
    if request.fp_is_loss && choice.fpr > 0.0 {
        loss(choice.fpr, said.next().unwrap());
    }
    let grows = [
        "none",
        "scalable",
        "scalable-in-shards",
        "hash-set",
        "bitmap",
        "roaring",
    ];
    if request.grows() && !grows.contains(&choice.candidate.as_str()) {
        let mut note = Reader::new(said.next().unwrap());
        note.words("It is sized for the final ");
        note.decimal(request.keys(), 0);
        note.words(" keys at once.");
        note.end();
    }
    headers(answer, said);
    let mut fixed = |is_there: bool, words: &str| {
        if is_there {
            assert_eq!(said.next(), Some(words));
        }
    };
    fixed(
        request.threads > 1.0 && !request.has("--static") && choice.candidate == "hash-set",
        "It is behind one lock: threads take turns.",
    );
    fixed(
        request.threads > 1.0,
        "Times are of one thread; how threads share a filter: bouquet speed --threads.",
    );
    fixed(
        request.has("--shared") && choice.candidate.starts_with("cuckoo"),
        "Made one, it holds a key once for each machine that inserted it, and there must be room \
         for all: the capacity is theirs together.",
    );
    fixed(
        request.has("--hostile") && choice.class == "ours",
        "Filters are hashed under a secret key (SipKeyed): keep it, and keep it apart from them.",
    );
}

/// What an exact set has won against.
fn exact<'a>(answer: &Answer, said: &mut impl Iterator<Item = &'a str>) {
    let (request, choice) = (&answer.request, answer.choice());
    if choice.class != "exact" {
        return;
    }
    let is_filter = |class: &str| ["ours", "other"].contains(&class);
    let note = said.next().unwrap();
    if !answer.rows.iter().any(|row| is_filter(&row.class)) {
        assert_eq!(
            note,
            "This is an exact set, and no false positive comes: no filter is left to compare it with."
        );
        return;
    }
    let has_target = request.target().is_some();
    if note.starts_with("An exact set wins here") {
        assert_eq!(
            note,
            "An exact set wins here: no Bloom filter is needed, and no false positive comes."
        );
        let wins = has_target || !standard_may_win(answer);
        assert!(wins, "{choice:?}");
    } else {
        assert_eq!(
            note,
            "This exact set costs least of what has a time: filters for lower FPRs have none, and \
             may cost less (without --no-measure they are measured)."
        );
        let is_faster = |line: &Line| line.candidate != "none" && line.base < choice.overhead;
        assert!(
            !has_target && answer.lines.iter().any(is_faster),
            "{choice:?}"
        );
    }
}

/// Whether the standard filter would cost clearly less with all the bits that it may have, if it were
/// as fast as the largest that there is a line for.
fn standard_may_win(answer: &Answer) -> bool {
    let request = &answer.request;
    let sets = request.keys() * request.filters;
    let most = request.memory.map_or(32.0, |memory| 8.0 * memory / sets);
    let own = answer
        .lines
        .iter()
        .filter(|line| line.candidate == "standard");
    let largest = own.max_by(|a, b| a.bits.total_cmp(&b.bits));
    largest.is_some_and(|line| {
        // Of the lowest FPR that is looked at, 1e-9, at the most.
        let fpr = 0.6185f64.powf(most).max(1e-9);
        let least = line.base + request.wasted_behind(fpr) * request.work;
        most > line.bits + 2.0 && least < 0.9 * answer.choice().overhead
    })
}

/// Who is so far below the target that its own FPR would make it cost less.
fn at_target<'a>(answer: &Answer, said: &mut impl Iterator<Item = &'a str>) {
    let rows = answer.rows.iter();
    let below: Vec<_> = rows
        .filter(|row| row.fpr < 0.95 * answer.counted_from(row))
        .collect();
    if below.is_empty() || answer.request.fp_is_loss {
        return;
    }
    let mut note = Reader::new(said.next().unwrap());
    note.words("Expected costs are at the target FPR, ");
    note.is_share(answer.request.fpr.unwrap());
    note.words(", also where the sizes that there are have a lower one, which nothing asked for: ");
    for (at, row) in below.into_iter().enumerate() {
        note.words(if at == 0 { "" } else { ", " });
        note.words(&format!("{} (", row.candidate));
        note.is_share(row.fpr);
        note.words(")");
    }
    note.words(".");
    note.end();
}

/// Only what comes in steps is chosen far below the target, if nothing smaller can do it.
fn in_steps<'a>(answer: &Answer, said: &mut impl Iterator<Item = &'a str>) {
    let choice = answer.choice();
    let is_far = |fpr: &f64| choice.class == "ours" && choice.fpr < 0.4 * fpr;
    let Some(fpr) = answer.request.target().filter(is_far) else {
        return;
    };
    let mut note = Reader::new(said.next().unwrap());
    note.words("Its FPR is far below the target, ");
    note.is_share(fpr);
    if choice.candidate.starts_with("scalable") {
        note.words(": its stages share that, those that may still come too");
    } else {
        assert!(choice.candidate.starts_with("cuckoo"), "{choice:?}");
        let widths = FingerprintBits::ALL.map(|width| width.bits().to_string());
        let (last, others) = widths.split_last().unwrap();
        note.words(&format!(
            ": its fingerprints come in {} and {last} bits",
            others.join(", ")
        ));
    }
    note.words(", and no filter that can do it is smaller.");
    note.end();
    let mut filters = answer.rows.iter().filter(|row| row.class == "ours");
    assert!(filters.all(|row| row.memory >= choice.memory), "{choice:?}");
}

fn loss(fpr: f64, note: &str) {
    let mut note = Reader::new(note);
    note.words("A false positive is a loss: ");
    note.is_share(fpr);
    note.words(" of the absent keys that are looked up, whatever a backing lookup costs.");
    note.end();
}

/// What the choice would take and cost at just the target FPR.
fn more_bits<'a>(answer: &Answer, said: &mut impl Iterator<Item = &'a str>) {
    let (request, choice) = (&answer.request, answer.choice());
    let own = answer
        .lines
        .iter()
        .filter(|line| line.candidate == choice.candidate);
    let fewest = own.min_by(|a, b| a.bits.total_cmp(&b.bits)).unwrap();
    let overhead = fewest.at(request.work);
    // The last digit is not printed.
    let is_dearer = overhead > choice.overhead * (1.0 + 1e-12);
    let Some(fpr) = request.fpr.filter(|_| is_dearer) else {
        return;
    };
    let mut note = Reader::new(said.next().unwrap());
    note.words("The target FPR, ");
    note.is_share(fpr);
    note.words(", would take ");
    note.decimal(fewest.bits, 1);
    note.words(" bits per key, at an expected cost per lookup of ");
    note.is_time(overhead);
    note.words(": more bits pay, ");
    assert!(fewest.bits < choice.bits && fewest.slope <= request.wasted_behind(fpr));
    match request.memory {
        Some(_) => note.words("up to the memory given."),
        None => {
            assert!(request.memory_cost.is_some());
            note.words("as far as its price lets them.");
            let itself = 8.0 * BESIDE / request.keys();
            assert!(choice.bits <= 32.0 + itself, "{choice:?}");
        }
    }
    note.end();
}

/// Bytes that a filter may take beside its bits: a line to begin on, and itself.
const BESIDE: f64 = 256.0;

/// What each of many sets, or a small one, takes beside its bits.
fn headers<'a>(answer: &Answer, said: &mut Peekable<impl Iterator<Item = &'a str>>) {
    let (request, choice) = (&answer.request, answer.choice());
    // What has no size to choose has no header of ours.
    let Some(stored) = choice.stored else {
        return;
    };
    let Some(note) = said.next_if(|note| note.starts_with("Each set")) else {
        assert_eq!(request.filters, 1.0);
        return;
    };
    let mut note = Reader::new(note);
    note.words("Each set takes ");
    let memory = note.number();
    note.words(" bytes beside its ");
    let payload = note.number();
    note.words(" bytes of bits in memory, and ");
    let file = note.number();
    note.words(" in a file.");
    note.end();
    let whole = [memory, file].map(|beside| beside + payload);
    let table = [choice.memory, stored].map(|all| all / request.filters);
    for (whole, table) in whole.into_iter().zip(table) {
        assert!((whole - table).abs() <= 1.0, "{whole} of {table}");
    }
    assert!(request.filters > 1.0 || memory > 0.02 * (payload - 0.5));
}
