//! What is known of a filter on a server.

use anyhow::Result;
use bouquet_redis::{AnyFilter, BfInfo, Dialect, RemoteBitmap, Scheme as Located};

use super::{Info, connect::Connection};
use crate::{
    cmd::files::percent,
    output::{Format, screen},
};
use bouquet_render::{columns::Table, terminal};

/// A line for each quantity that the kind of filter has.
#[derive(Default)]
struct Sheet {
    name: String,
    scheme: &'static str,
    size_bits: Option<u64>,
    hashes: Option<u64>,
    fill_ratio: Option<f64>,
    keys: Option<u64>,
    estimated_keys: Option<f64>,
    estimated_fpr: Option<f64>,
    capacity: Option<u64>,
    memory_bytes: Option<u64>,
    links: Option<u64>,
    expansion: Option<u64>,
    dialect: Option<&'static str>,
    expires: Option<f64>,
    note: Option<String>,
}

pub fn info(args: &Info) -> Result<u8> {
    let (mut connection, filter) = args.server.join()?;
    let sheet = match &filter {
        AnyFilter::GoZero(filter) => bitmap(filter, &mut connection)?,
        AnyFilter::Redisson(filter) => bitmap(filter, &mut connection)?,
        AnyFilter::Native(filter) => {
            let spec = filter.scheme().spec();
            Sheet {
                capacity: Some(spec.capacity()),
                ..bitmap(filter, &mut connection)?
            }
        }
        AnyFilter::Bf(filter) => chain(filter.info(&mut connection)?),
        _ => Sheet::default(),
    };
    let expires = filter.ttl(&mut connection)?;
    let sheet = Sheet {
        name: args.server.name.clone(),
        scheme: filter.scheme(),
        expires: expires.map(|left| left.as_secs_f64()),
        ..sheet
    };
    let table = sheet.table();
    args.format.print(&match args.format {
        Format::Table => terminal::lists(&table, screen()).concat(),
        format => format.text(&table, None)?,
    })?;
    Ok(0)
}

fn bitmap<S: Located>(filter: &RemoteBitmap<S>, connection: &mut Connection) -> Result<Sheet> {
    let info = filter.info(connection)?;
    let fill_ratio = info.fill_ratio();
    let full = || {
        let full = percent(fill_ratio);
        format!("{full} full: rebuild it for more keys (bouquet remote rebuild)")
    };
    Ok(Sheet {
        size_bits: Some(info.size_bits),
        hashes: Some(info.hashes.into()),
        fill_ratio: Some(fill_ratio),
        estimated_keys: Some(info.estimated_keys()),
        estimated_fpr: Some(info.estimated_fpr),
        note: info.is_full().then(full),
        ..Sheet::default()
    })
}

fn chain(info: BfInfo) -> Sheet {
    let dialect = match info.dialect {
        Dialect::RedisBloom => Some("RedisBloom"),
        Dialect::ValkeyBloom => Some("valkey-bloom"),
        _ => None,
    };
    let full = || format!("it has {} links: rebuild it for more keys", info.links);
    Sheet {
        keys: Some(info.keys),
        capacity: Some(info.capacity),
        memory_bytes: Some(info.memory_bytes),
        links: Some(info.links),
        expansion: info.expansion,
        dialect,
        // Each link is asked for every key.
        note: (info.links > 4).then(full),
        ..Sheet::default()
    }
}

impl Sheet {
    fn table(&self) -> Table {
        Table::answer([self])
            .column("name", |sheet| &sheet.name)
            .column("scheme", |sheet| sheet.scheme)
            .column("capacity", |sheet| sheet.capacity)
            .unit("keys")
            .column("size_bits", |sheet| sheet.size_bits)
            .unit("bits")
            .column("hashes", |sheet| sheet.hashes)
            .unit("probes per key")
            .column("fill_ratio", |sheet| sheet.fill_ratio)
            .unit("share of bits")
            .column("counted_keys", |sheet| sheet.keys)
            .unit("keys")
            .column("estimated_keys", |sheet| sheet.estimated_keys)
            .unit("keys, from the bits")
            .column("estimated_fpr", |sheet| sheet.estimated_fpr)
            .unit("share, from the bits")
            .column("memory_bytes", |sheet| sheet.memory_bytes)
            .unit("bytes")
            .column("links", |sheet| sheet.links)
            .column("expansion", |sheet| sheet.expansion)
            .column("dialect", |sheet| sheet.dialect)
            .column("expires_in", |sheet| sheet.expires)
            .unit("seconds")
            .column("note", |sheet| sheet.note.clone())
            .table()
    }
}
