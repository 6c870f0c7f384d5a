//! Statistics of a filter.

use redis::{ConnectionLike, Value};

use super::RemoteBf;
use crate::{
    Result,
    batch::array,
    bitmap::whole,
    error::unexpected,
    marked::{Marked, following},
    wire::{Blocking, Wire, now},
};

/// Which module answers. They differ in what they hash and in how a filter is copied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Dialect {
    /// RedisBloom, or a compatible one.
    RedisBloom,
    /// valkey-bloom, which also reports the tightening of its links, and has no
    /// `BF.SCANDUMP`.
    ValkeyBloom,
}

/// `BF.INFO`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct BfInfo {
    /// Keys that all links together are sized for.
    pub capacity: u64,
    /// Bytes in the server's memory.
    pub memory_bytes: u64,
    /// Filters of the chain.
    pub links: u64,
    /// Keys that were new when they were inserted, this crate's own one included.
    pub keys: u64,
    /// By how much the next link is larger; `None` if the filter does not grow.
    pub expansion: Option<u64>,
    /// Which module answered.
    pub dialect: Dialect,
}

impl RemoteBf {
    /// `BF.INFO`.
    ///
    /// # Errors
    ///
    /// [`Error`](crate::Error).
    pub fn info(&self, connection: &mut impl ConnectionLike) -> Result<BfInfo> {
        now(self.info_on(&mut Blocking(connection)))
    }

    pub(super) async fn info_on(&self, wire: &mut impl Wire) -> Result<BfInfo> {
        following!(self, wire, |filter| filter.info_once(wire))
    }

    async fn info_once(&self, wire: &mut impl Wire) -> Result<BfInfo> {
        let mut all = self.transaction();
        all.cmd("BF.INFO").arg(&self.name.string);
        let mut replies = self.transact(wire, "BF.INFO", &all).await?;
        of_reply(replies.pop().unwrap_or_default())
    }

    /// `BF.CARD`: keys that were new when they were inserted, this crate's own included.
    ///
    /// # Errors
    ///
    /// [`Error`](crate::Error).
    pub fn card(&self, connection: &mut impl ConnectionLike) -> Result<u64> {
        now(self.card_on(&mut Blocking(connection)))
    }

    pub(super) async fn card_on(&self, wire: &mut impl Wire) -> Result<u64> {
        following!(self, wire, |filter| filter.card_once(wire))
    }

    async fn card_once(&self, wire: &mut impl Wire) -> Result<u64> {
        let mut all = self.transaction();
        all.cmd("BF.CARD").arg(&self.name.string);
        let replies = self.transact(wire, "BF.CARD", &all).await?;
        let count = whole("BF.CARD", replies.first().unwrap_or(&Value::Nil))?;
        u64::try_from(count).map_err(|_| unexpected("BF.CARD", &Value::Int(count)))
    }
}

fn of_reply(reply: Value) -> Result<BfInfo> {
    const COMMAND: &str = "BF.INFO";
    let pairs: Vec<(Value, Value)> = match reply {
        Value::Map(pairs) => pairs,
        other => {
            let mut flat = array(COMMAND, other)?.into_iter();
            std::iter::from_fn(|| Some((flat.next()?, flat.next()?))).collect()
        }
    };
    let find = |field: &str| {
        let is_it = |name: &Value| match name {
            Value::SimpleString(name) => name == field,
            Value::BulkString(name) => name == field.as_bytes(),
            _ => false,
        };
        pairs
            .iter()
            .find(|(name, _)| is_it(name))
            .map(|(_, value)| value)
    };
    let number = |field: &str| match find(field) {
        Some(Value::Int(number)) if *number >= 0 => Ok(*number as u64),
        other => Err(unexpected(COMMAND, other.unwrap_or(&Value::Nil))),
    };
    Ok(BfInfo {
        capacity: number("Capacity")?,
        memory_bytes: number("Size")?,
        links: number("Number of filters")?,
        keys: number("Number of items inserted")?,
        expansion: match find("Expansion rate") {
            Some(Value::Nil) => None,
            _ => Some(number("Expansion rate")?),
        },
        dialect: match find("Tightening ratio").or_else(|| find("Error rate")) {
            Some(_) => Dialect::ValkeyBloom,
            None => Dialect::RedisBloom,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flat(fields: &[(&str, i64)]) -> Value {
        let pairs = fields
            .iter()
            .flat_map(|(name, value)| [Value::SimpleString((*name).into()), Value::Int(*value)]);
        Value::Array(pairs.collect())
    }

    #[test]
    fn dialects_are_recognised_by_their_fields() {
        let mut fields = vec![
            ("Capacity", 100),
            ("Size", 240),
            ("Number of filters", 1),
            ("Number of items inserted", 7),
            ("Expansion rate", 2),
        ];
        let info = of_reply(flat(&fields)).unwrap_or_else(|error| unreachable!("{error}"));
        assert_eq!((info.capacity, info.expansion), (100, Some(2)));
        assert_eq!(info.dialect, Dialect::RedisBloom);
        fields.push(("Tightening ratio", 0));
        let info = of_reply(flat(&fields)).map(|info| info.dialect);
        assert_eq!(info.ok(), Some(Dialect::ValkeyBloom));
        assert!(of_reply(flat(&fields[1..])).is_err());
        assert!(of_reply(Value::Okay).is_err());
    }
}
