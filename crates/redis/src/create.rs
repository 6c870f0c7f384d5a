//! New filters, and strings of other programs that become filters.

use redis::{ConnectionLike, Value, cmd, pipe};

use crate::{
    Error, Redisson, RemoteBitmap, Result, Retry, Scheme,
    bitmap::whole,
    draft::Draft,
    error::{shown, unexpected},
    name::Name,
    publish::put_settings,
    scheme::sealed::Sealed,
    settings::{Fields, Settings, check_size},
    wire::{Attempts, Blocking, Wire, ask, now},
    witness,
};

impl<S: Scheme> RemoteBitmap<S> {
    /// A new filter, empty and with all its bits on the server.
    ///
    /// The string grows by 16 MiB at a time under another name.
    ///
    /// # Errors
    ///
    /// [`Error::Exists`] if there is anything of this name; [`Error::TooLarge`] for more
    /// bits than a string has.
    pub fn create(
        connection: &mut impl ConnectionLike,
        name: impl AsRef<[u8]>,
        scheme: S,
    ) -> Result<Self> {
        let wire = &mut Blocking(connection);
        now(Self::create_on(wire, name.as_ref(), scheme))
    }

    pub(crate) async fn create_on(wire: &mut impl Wire, name: &[u8], scheme: S) -> Result<Self> {
        let target = Name::new(name, S::HAS_CONFIG)?;
        check_size(scheme.size_bits())?;
        must_be_free(wire, &target).await?;
        let draft = Draft::begin(wire, target, Settings::new(scheme, None), false).await?;
        draft.publish_on(wire).await
    }

    /// Takes over a string that another program made, of the size that it uses: puts the
    /// mark behind its bits, and writes the settings beside it. The other program continues
    /// as before.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] if there is no such string: [`create`](Self::create) it.
    /// [`Error::Incompatible`] if the string is longer than this size.
    pub fn adopt(
        connection: &mut impl ConnectionLike,
        name: impl AsRef<[u8]>,
        scheme: S,
    ) -> Result<Self> {
        let wire = &mut Blocking(connection);
        now(Self::adopt_on(wire, name.as_ref(), scheme))
    }

    pub(crate) async fn adopt_on(wire: &mut impl Wire, name: &[u8], scheme: S) -> Result<Self> {
        let target = Name::new(name, S::HAS_CONFIG)?;
        check_size(scheme.size_bits())?;
        if !Self::fields(wire, &target, Retry::default())
            .await?
            .is_empty()
        {
            return Self::join_on(wire, name).await?.agreeing_on(&scheme);
        }
        let most = scheme.string_bytes();
        let mut settings = Settings::new(scheme, None);
        let draft = target.draft(settings.generation);
        let mut attempts = Attempts::new(Retry::default());
        let mut look = pipe();
        look.atomic();
        look.cmd("STRLEN").arg(&target.string);
        let mut mark = look.clone();
        let word = look.cmd("BITFIELD_RO").arg(&target.string);
        word.arg("GET").arg("u63").arg(settings.witness().offset);
        check_length(
            &target,
            most,
            &attempts.many(wire, "BITFIELD_RO", &look).await?,
        )?;
        mark.add_command(settings.witness().mark_first(&target.string));
        // Once more, because it may have vanished in between, and then only the mark is there.
        let marked = attempts.many(wire, "BITFIELD", &mark).await?;
        // Of whichever client was first.
        settings.generation = check_length(&target, most, &marked)?;
        settings.lineage = settings.generation;
        let mut write = pipe();
        put_settings(&mut write, &draft, &settings.to_fields(&target.string));
        write.cmd("PERSIST").arg(&draft.meta);
        write.cmd("RENAMENX").arg(&draft.meta).arg(&target.meta);
        // If another client was first.
        write.cmd("UNLINK").arg(&draft.meta);
        let written = attempts.many(wire, "RENAMENX", &write).await;
        let joined = Self::join_on(wire, name).await;
        match (written, joined) {
            // Of whichever client was first.
            (_, Ok(joined)) => joined.agreeing_on(&settings.scheme),
            (Err(error), Err(_)) | (Ok(_), Err(error)) => Err(error),
        }
    }
}

impl RemoteBitmap<Redisson> {
    /// Takes over a filter that Redisson made, with its stored settings.
    ///
    /// # Errors
    ///
    /// As [`adopt`](Self::adopt); [`Error::NotFound`] if there are no such settings.
    pub fn adopt_redisson(
        connection: &mut impl ConnectionLike,
        name: impl AsRef<[u8]>,
    ) -> Result<Self> {
        let wire = &mut Blocking(connection);
        now(async {
            let target = Name::new(name.as_ref(), true)?;
            let config = target.config.as_deref().unwrap_or_default();
            let asked = cmd("HGETALL").arg(config).to_owned();
            let reply = ask(wire, Retry::default(), "HGETALL", &asked).await?;
            let fields = Fields::of_reply(&target.string, reply)?;
            if fields.is_empty() {
                return Err(not_found(&target));
            }
            Self::adopt_on(wire, name.as_ref(), Redisson::take(&fields)?).await
        })
    }
}

/// Checks that a string has no bits past those of this size except for a mark; returns the
/// word of the mark. The replies are those to `STRLEN` and, last of `BITFIELD`, `GET`.
fn check_length(name: &Name, most: u64, replies: &[Value]) -> Result<u64> {
    let [there, Value::Array(words)] = replies else {
        return Err(unexpected("BITFIELD", &Value::Array(replies.to_vec())));
    };
    let there = whole("STRLEN", there)? as u64;
    let word = whole("BITFIELD", words.last().unwrap_or(&Value::Nil))? as u64;
    if there == 0 {
        return Err(not_found(name));
    }
    let is_marked = there == most + witness::BYTES && witness::is_generation(word);
    if there <= most || is_marked {
        return Ok(word);
    }
    Err(Error::Incompatible {
        name: shown(&name.string),
        parameter: "size in bytes",
        here: format!("at most {most}"),
        there: there.to_string(),
    })
}

fn not_found(name: &Name) -> Error {
    let name = shown(&name.string);
    Error::NotFound { name }
}

pub(crate) async fn must_be_free(wire: &mut impl Wire, name: &Name) -> Result<()> {
    for (key, what) in [
        (Some(&name.meta), "a filter"),
        (Some(&name.string), "a string or another key"),
        (name.config.as_ref(), "a filter of Redisson"),
    ] {
        let Some(key) = key else { continue };
        let reply = ask(wire, Retry::default(), "EXISTS", cmd("EXISTS").arg(key)).await?;
        if whole("EXISTS", &reply)? != 0 {
            return Err(exists(name, what));
        }
    }
    Ok(())
}

pub(crate) fn exists(name: &Name, what: &'static str) -> Error {
    let name = shown(&name.string);
    Error::Exists { name, what }
}
