use super::*;

fn whole_range(text: &str, steps: Steps) -> Vec<u64> {
    counts(steps)(text).unwrap().0
}

#[test]
fn whole_numbers() {
    for (text, want) in [
        ("0", 0),
        ("1000000", 1_000_000),
        ("1_000_000", 1_000_000),
        ("1e6", 1_000_000),
        ("1.5e3", 1_500),
        ("1.50e1", 15),
        ("0.5e1", 5),
        ("1e+3", 1_000),
        ("2.0", 2),
        ("9007199254740993", 9_007_199_254_740_993),
        ("18446744073709551615", u64::MAX),
        ("0e99", 0),
        ("10M", 10_000_000),
        ("1.5k", 1_500),
        ("1.5Ki", 1_536),
        ("0.5Gi", 1 << 29),
        ("15e-1k", 1_500),
        ("1_000k", 1_000_000),
        ("2^0", 1),
        ("2^48", 1 << 48),
        ("2^63", 1 << 63),
    ] {
        assert_eq!(whole::<u64>(text), Ok(want), "{text}");
    }
    let wrong = "-1 1.5 1e-3 ten 1__0 _1 1_ 1e e6 . 0x10 NaN inf 18446744073709551616 1e20 1e999 \
                 0.3Ki 1.5e-3k 10K 10kB 10B 1% k 17179869184Gi 2^64 2^-1 2^ 2^x 3^2";
    for text in wrong.split(' ').chain(["", "1 000"]) {
        assert!(whole::<u64>(text).is_err(), "{text}");
    }
    assert_eq!(whole("4294967295"), Ok(u32::MAX));
    assert!(whole::<u32>("4Gi").unwrap_err().contains("2^32"));
    assert_eq!(
        whole::<u64>("-5"),
        Err("-5 is below 0: give a whole number such as 1000000".into())
    );
}

#[test]
fn shares_and_bytes_have_marks_of_their_own() {
    for (text, want) in [
        ("1%", 0.01),
        ("0.3 %", 0.003),
        ("1e-6", 1e-6),
        ("2^-10", 1.0 / 1_024.0),
    ] {
        assert_eq!(share(text), Ok(want), "{text}");
    }
    assert!(fpr("100%").is_err() && fpr("0").is_err() && fpr("1e-9").is_ok());
    let rates = shares(Steps::Decades)("10%..0.1%").unwrap().0;
    assert_eq!(rates, [0.1, 0.01, 0.001]);
    for (text, want) in [
        ("4096", 4_096.0),
        ("16MiB", 16_777_216.0),
        ("16Mi", 16_777_216.0),
        ("1.5 GB", 1.5e9),
        ("7B", 7.0),
        ("2^20", 1_048_576.0),
        ("1e3 kB", 1e6),
    ] {
        assert_eq!(bytes(text), Ok(want), "{text}");
    }
    for text in ["MiB", "12XB", "BB", "1%", "1BM", "1kMB", ""] {
        assert!(bytes(text).is_err(), "{text}");
    }
}

#[test]
fn numbers() {
    for (text, want) in [
        ("0.01", 0.01),
        ("1e-6", 1e-6),
        ("9.585", 9.585),
        ("1_0.5", 10.5),
    ] {
        assert_eq!(real(text), Ok(want));
    }
    for text in ["", "1%", "NaN", "inf", "infinity", "1e999", "--1", "0,01"] {
        assert!(real(text).is_err(), "{text}");
    }
}

#[test]
fn ranges_have_both_ends_and_clean_digits() {
    let decades = whole_range("1e3..1e6", Steps::Decades);
    assert_eq!(decades, [1_000, 10_000, 100_000, 1_000_000]);
    assert_eq!(whole_range("7..500", Steps::Decades), [7, 70, 500]);
    assert_eq!(whole_range("4..4", Steps::Decades), [4]);
    assert_eq!(whole_range("3..1", Steps::By(1.0)), [3, 2, 1]);
    assert_eq!(whole_range("1e3,5,7", Steps::Decades), [1_000, 5, 7]);
    let rates = reals(Steps::Decades)("0.1..1e-6").unwrap().0;
    assert_eq!(rates, [0.1, 0.01, 1e-3, 1e-4, 1e-5, 1e-6]);
    let tenths = reals(Steps::By(0.1))("0.1..0.5").unwrap().0;
    assert_eq!(tenths, [0.1, 0.2, 0.3, 0.4, 0.5]);
    let last = u64::MAX.to_string();
    assert_eq!(
        whole_range(&format!("1e19..{last}"), Steps::Decades),
        [10_000_000_000_000_000_000, u64::MAX]
    );
}

#[test]
fn ranges_that_are_none() {
    for text in ["1..", "..", "..5", "0..9", "1..2..3", "a..b"] {
        assert!(counts::<u64>(Steps::Decades)(text).is_err(), "{text}");
    }
    assert!(counts::<u64>(Steps::By(1.0))("1..1e9").is_err());
    assert!(counts::<u32>(Steps::By(1.0))("4294967296").is_err());
}
