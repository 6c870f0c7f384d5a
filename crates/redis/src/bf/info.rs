//! Statistics of a filter.

use std::collections::HashMap;

use redis::{Value, cmd, from_redis_value_ref};

use super::RemoteBf;
use crate::{Result, calls::calls, error::unexpected};

/// The reply to `BF.INFO`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct BfInfo {
    /// The number of keys for which all links together are sized.
    pub capacity: u64,
    /// Size in the server's memory, in bytes.
    pub memory_bytes: u64,
    /// Number of links (filters of the chain).
    pub links: u64,
    /// The number of keys that were new when they were inserted, including this crate's own four.
    pub keys: u64,
    /// The ratio of the next link's capacity to that of the last one; `None` if the filter does not
    /// grow.
    pub expansion: Option<u64>,
}

calls! {
    impl [] RemoteBf[] {
        /// Reads the filter's statistics with `BF.INFO`.
        ///
        /// # Errors
        ///
        /// [`Error`](crate::Error).
        fn info[](&self) -> BfInfo {
            |wire| {
                let asked = cmd("BF.INFO").arg(self.name()).to_owned();
                of_reply(self.reply_to(wire, "BF.INFO", &asked).await?)
            }
        }
    }
}

fn of_reply(reply: Value) -> Result<BfInfo> {
    const COMMAND: &str = "BF.INFO";
    let fields: HashMap<String, Value> =
        from_redis_value_ref(&reply).map_err(|_| unexpected(COMMAND, &reply))?;
    let number = |field: &str| match fields.get(field) {
        Some(Value::Int(number)) if *number >= 0 => Ok(*number as u64),
        other => Err(unexpected(COMMAND, other.unwrap_or(&Value::Nil))),
    };
    Ok(BfInfo {
        capacity: number("Capacity")?,
        memory_bytes: number("Size")?,
        links: number("Number of filters")?,
        keys: number("Number of items inserted")?,
        expansion: match fields.get("Expansion rate") {
            Some(Value::Nil) => None,
            _ => Some(number("Expansion rate")?),
        },
    })
}
