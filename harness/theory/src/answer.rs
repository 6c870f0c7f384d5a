//! The result of a calculation: quantities by name.

use super::field::FIELDS;

/// The value of a quantity.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    Count(u64),
    Number(f64),
    Words(String),
    YesNo(bool),
    Nothing,
}

macro_rules! values {
    ($($from:ty => $value:expr,)*) => {$(
        impl From<$from> for Value {
            fn from(from: $from) -> Self {
                $value(from)
            }
        }
    )*};
}
values! {
    u64 => Self::Count,
    u32 => |count: u32| Self::Count(count.into()),
    f64 => Self::Number,
    &str => |words: &str| Self::Words(words.to_owned()),
    bool => Self::YesNo,
}

/// The quantities, in the order of [`FIELDS`].
#[derive(Clone, PartialEq, Debug)]
pub struct Answer(Vec<Value>);

/// An answer in which no quantity is set.
impl Default for Answer {
    fn default() -> Self {
        Self(vec![Value::Nothing; FIELDS.len()])
    }
}

impl Answer {
    /// Sets a quantity. The name must be in [`FIELDS`]; otherwise every test of the filter fails.
    pub fn set(&mut self, name: &'static str, value: impl Into<Value>) {
        let at = FIELDS.iter().position(|field| field.name == name);
        debug_assert!(at.is_some(), "{name}");
        if let Some(at) = at {
            self.0[at] = value.into();
        }
    }

    /// The values, one for each field.
    pub fn values(&self) -> &[Value] {
        &self.0
    }

    /// The number with this name; NaN if it is not set.
    #[cfg(test)]
    pub fn number(&self, name: &str) -> f64 {
        let at = FIELDS.iter().position(|field| field.name == name).unwrap();
        match self.0[at] {
            Value::Count(count) => count as f64,
            Value::Number(number) => number,
            _ => f64::NAN,
        }
    }
}
