//! The notes below the reasons.

use std::iter::Peekable;

use crate::{answer::Answer, reader::Reader};

/// All notes there should be, and each of them.
pub fn notes<'a>(answer: &Answer, said: &mut Peekable<impl Iterator<Item = &'a str>>) {
    let (request, choice) = (&answer.request, answer.choice());
    let mut fixed = |is_there: bool, words: &str| {
        if is_there {
            assert_eq!(said.next(), Some(words));
        }
    };
    fixed(
        choice.class == "exact",
        "An exact set wins here: no Bloom filter is needed, and no false positive comes.",
    );
    fixed(
        choice.class == "other",
        "A static filter of another crate, xorf, wins here: the set never changes, which Bloom \
         filters do not make use of.",
    );
    assert!(choice.class != "other" || request.has("--static"));
    more_bits(answer, said);
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
        request.has("--hostile") && choice.class == "ours",
        "Filters are hashed under a secret key (SipKeyed): keep it, and keep it apart from them.",
    );
}

fn loss(fpr: f64, note: &str) {
    let mut note = Reader::new(note);
    note.words("A false positive is a loss: ");
    note.is_share(fpr);
    note.words(" of the absent keys that are looked up, whatever the work costs.");
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
