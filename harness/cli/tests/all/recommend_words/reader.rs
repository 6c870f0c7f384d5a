//! Reads a sentence from its beginning to its end.

/// What is left of a sentence. What does not go on as it should ends the test.
pub struct Reader<'a> {
    all: &'a str,
    rest: &'a str,
}

/// Names of units, and how much of the smallest each is.
type Units<'a> = &'a [(&'a str, f64)];

const TIMES: Units<'static> = &[
    (" ns", 1.0),
    (" us", 1e3),
    (" ms", 1e6),
    (" s", 1e9),
    (" min", 60e9),
    (" h", 3_600e9),
];

const BYTES: Units<'static> = &[
    (" B", 1.0),
    (" KiB", 1024.0),
    (" MiB", 1_048_576.0),
    (" GiB", 1_073_741_824.0),
    (" TiB", 1_099_511_627_776.0),
];

impl<'a> Reader<'a> {
    pub fn new(all: &'a str) -> Self {
        Self { all, rest: all }
    }

    /// Whether it goes on with these words; if so they are read.
    pub fn takes(&mut self, words: &str) -> bool {
        let rest = self.rest.strip_prefix(words);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    pub fn words(&mut self, words: &str) {
        let took = self.takes(words);
        assert!(took, "{words:?} is not at {:?} in: {}", self.rest, self.all);
    }

    /// What stands before these words; both are read.
    pub fn until(&mut self, words: &str) -> &'a str {
        let found = self.rest.split_once(words);
        assert!(found.is_some(), "{words:?} is not in: {}", self.all);
        let (before, rest) = found.unwrap();
        self.rest = rest;
        before
    }

    pub fn number(&mut self) -> f64 {
        let digits = |c: char| c.is_ascii_digit() || ".e-".contains(c);
        let end = self.rest.find(|c| !digits(c)).unwrap_or(self.rest.len());
        let text = self.rest[..end].trim_end_matches('.');
        let number = text.parse();
        assert!(
            number.is_ok(),
            "no number at {:?} in: {}",
            self.rest,
            self.all
        );
        self.rest = &self.rest[text.len()..];
        number.unwrap()
    }

    /// Reads a number that stands for another, rounded to its last decimal.
    pub fn decimal(&mut self, exact: f64, decimals: i32) {
        let printed = self.number();
        self.close(printed, exact, 0.5 * 10f64.powi(-decimals));
    }

    pub fn close(&self, printed: f64, exact: f64, by: f64) {
        assert!(
            (printed - exact).abs() <= 1.001 * by,
            "{printed} stands for {exact} in: {}",
            self.all
        );
    }

    fn unit(&mut self, units: Units<'_>) -> f64 {
        let fits = units.iter().filter(|(name, _)| self.rest.starts_with(name));
        let found = fits.max_by_key(|(name, _)| name.len());
        assert!(
            found.is_some(),
            "no unit at {:?} in: {}",
            self.rest,
            self.all
        );
        let (name, unit) = found.unwrap();
        self.words(name);
        *unit
    }

    /// A time with three digits at most, of which no more than two are decimals;
    /// and by how much it is rounded.
    pub fn time(&mut self) -> (f64, f64) {
        let number = self.number();
        let unit = self.unit(TIMES);
        let digits = match number {
            number if number < 10.0 => 2,
            number if number < 100.0 => 1,
            _ => 0,
        };
        (number * unit, 0.5 * 10f64.powi(-digits) * unit)
    }

    /// A time that stands for another.
    pub fn is_time(&mut self, exact: f64) {
        let (printed, by) = self.time();
        self.close(printed, exact, by);
    }

    /// Bytes with two decimals below ten of the unit, else with one; and by how
    /// much they are rounded.
    pub fn bytes(&mut self) -> (f64, f64) {
        let number = self.number();
        let unit = self.unit(BYTES);
        let by = match number {
            _ if unit == 1.0 => 0.5,
            number if number < 10.0 => 0.005,
            _ => 0.05,
        };
        (number * unit, by * unit)
    }

    /// Bytes that stand for others.
    pub fn is_bytes(&mut self, exact: f64) {
        let (printed, by) = self.bytes();
        self.close(printed, exact, by);
    }

    /// A share with two digits.
    pub fn is_share(&mut self, exact: f64) {
        let number = self.number();
        let unit = if self.takes(" %") { 100.0 } else { 1.0 };
        let by = 0.5 * 10f64.powf(number.log10().floor() - 1.0);
        self.close(number, exact * unit, by);
    }

    pub fn end(&self) {
        assert!(
            self.rest.is_empty(),
            "{:?} is left of: {}",
            self.rest,
            self.all
        );
    }
}
