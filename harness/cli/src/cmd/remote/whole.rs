//! Commands on a filter as a whole: create, delete, dump, restore.

use std::fs;

use anyhow::{Context, Result, anyhow, bail};
use bouquet_redis::{
    AnyFilter, GoZero, Native, RedisBloom, Redisson, RemoteBf, RemoteBitmap, Scheme as Located,
};

use super::{Create, Delete, Dump, Restore, Scheme, Size, connect::Connection};
use crate::cmd::files::grouped;
use bouquet_files::{self as files, Bitmap, Format};

/// By how much the next link of a chain is larger.
const EXPANSION: u32 = 2;

pub fn create(args: &Create) -> Result<u8> {
    let mut connection = args.server.connect()?;
    let Size { capacity, fpr } = args.size;
    let name = &args.server.name;
    let made = match args.scheme {
        Scheme::Native => bitmap(name, Native::new(capacity, fpr)?, &mut connection)?,
        Scheme::GoZero => bitmap(name, GoZero::for_target(capacity, fpr)?, &mut connection)?,
        Scheme::Redisson => bitmap(name, Redisson::new(capacity, fpr)?, &mut connection)?,
        Scheme::Bf => {
            RemoteBf::create(&mut connection, name, capacity, fpr, Some(EXPANSION))?;
            "bf, a chain that grows".to_owned()
        }
    };
    args.server.note(&format!("created: {made}"));
    Ok(0)
}

fn bitmap<S: Located>(name: &str, scheme: S, connection: &mut Connection) -> Result<String> {
    let made = RemoteBitmap::create(connection, name, scheme)?;
    let (bits, hashes) = (made.scheme().size_bits(), made.scheme().hashes());
    Ok(format!(
        "{}, {} bytes of bits, {hashes} probes per key",
        S::NAME,
        grouped(bits.div_ceil(8))
    ))
}

pub fn delete(args: &Delete) -> Result<u8> {
    let (mut connection, filter) = args.server.join()?;
    filter.delete(&mut connection)?;
    args.server.note("deleted");
    Ok(0)
}

pub fn dump(args: &Dump) -> Result<u8> {
    files::check_save(&args.output)?;
    let (mut connection, filter) = args.server.join()?;
    let sizes = |size_bits, hashes| (Some(size_bits), Some(hashes));
    let (bytes, format, (size_bits, hashes)) = match &filter {
        AnyFilter::Native(filter) => (filter.dump(&mut connection)?, "native", (None, None)),
        AnyFilter::Bf(filter) => {
            let chain = filter.pull(&mut connection)?;
            (chain.to_bytes(), "redisbloom", (None, None))
        }
        AnyFilter::GoZero(filter) => {
            let of = filter.scheme();
            let string = filter.string(&mut connection)?;
            (string, "go-zero", sizes(of.size_bits(), of.hashes()))
        }
        AnyFilter::Redisson(filter) => {
            let of = filter.scheme();
            let string = filter.string(&mut connection)?;
            (string, "redisson", sizes(of.size_bits(), of.hashes()))
        }
        other => bail!(
            "filters of the scheme {} are not dumped here",
            other.scheme()
        ),
    };
    files::save(&args.output, |out| out.write_all(&bytes))?;
    let flags = match (size_bits, hashes) {
        (Some(bits), Some(hashes)) => format!(" --bits {bits} --hashes {hashes}"),
        _ => String::new(),
    };
    args.server.note(&format!(
        "{} bytes; open {} with --as {format}{flags}",
        grouped(bytes.len() as u64),
        args.output.display()
    ));
    Ok(0)
}

pub fn restore(args: &Restore) -> Result<u8> {
    let shown = args.file.display().to_string();
    let bitmap = Bitmap {
        size_bits: args.bits,
        hashes: None,
    };
    // Of what format it is, and whether it is whole.
    let opened = files::open_for_inspection(&args.file, args.as_format, bitmap, None)?;
    let format = opened.filter.format();
    drop(opened);
    let bytes = fs::read(&args.file).with_context(|| format!("cannot read {shown}"))?;
    let mut connection = args.server.connect()?;
    let (connection, name) = (&mut connection, &args.server.name);
    match (format, args.bits) {
        (Format::Native, _) => {
            let restored = RemoteBitmap::<Native>::restore(connection, name, &bytes);
            restored.map(drop).with_context(|| {
                format!(
                    "{shown}: only native blocks of 256 bits with the default hash are restored"
                )
            })?;
        }
        (Format::Redisbloom, _) => {
            let chain = RedisBloom::from_bytes(&bytes);
            let chain = chain.map_err(|error| anyhow!("{shown}: {error}"))?;
            RemoteBf::push(connection, name, &chain)?;
        }
        (Format::GoZero, Some(bits)) => {
            RemoteBitmap::create_of(connection, name, GoZero::new(bits)?, &bytes)?;
        }
        (other, _) => bail!(
            "{shown}: filters of {other} are not restored: those of native, redisbloom and \
             go-zero are"
        ),
    }
    args.server
        .note(&format!("restored from {shown}, as {format}"));
    Ok(0)
}
