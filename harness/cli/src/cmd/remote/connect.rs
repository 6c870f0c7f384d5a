//! From flags and the environment to a connection. What may be a password is never printed.

use std::{path::PathBuf, time::Duration};

use anyhow::{Context, Result, bail};
use bouquet_ground::text;
use bouquet_redis::{
    AnyFilter, Reconnecting, Retry,
    redis::{Client, ConnectionInfo, IntoConnectionInfo},
};

use crate::cmd::files::note;
use bouquet_theory as theory;

const URL: &str = "BOUQUET_REDIS_URL";
const USER: &str = "BOUQUET_REDIS_USER";
const PASSWORD: &str = "BOUQUET_REDIS_PASSWORD";

/// Which filter of which server.
#[derive(clap::Args, Clone, Debug)]
pub struct ServerFlags {
    /// The server: redis://HOST:PORT/DB, without a password. [default: BOUQUET_REDIS_URL]
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// A file with the password. [default: BOUQUET_REDIS_PASSWORD]
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
    /// Seconds to wait for a reply, and to repeat an insert or a query after failures that may
    /// pass (opening or making a filter: 2).
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = theory::whole::<u32>)]
    timeout: u32,
    /// The name of the filter on the server.
    #[arg(value_name = "NAME")]
    pub name: String,
}

/// A connection that is made when it is first used.
pub type Connection = Reconnecting<Client>;

impl ServerFlags {
    pub fn connect(&self) -> Result<Connection> {
        let client = Client::open(self.address()?);
        let client = client.map_err(|error| bad_url(&error))?;
        Ok(Reconnecting::new(client, self.wait()))
    }

    /// The filter, and a connection to it.
    pub fn join(&self) -> Result<(Connection, AnyFilter)> {
        let mut connection = self.connect()?;
        let filter = AnyFilter::join(&mut connection, &self.name)?;
        Ok((connection, filter.with_retry(self.retry())))
    }

    pub fn retry(&self) -> Retry {
        Retry {
            deadline: self.wait(),
            ..Retry::default()
        }
    }

    fn wait(&self) -> Duration {
        // None is no time to connect in.
        Duration::from_secs(self.timeout.max(1).into())
    }

    /// Says something of the filter on standard error.
    pub fn note(&self, words: &str) {
        note(&format!("{}: {words}", self.name));
    }

    fn address(&self) -> Result<ConnectionInfo> {
        let (url, is_ours) = match (&self.url, variable(URL)?) {
            (Some(url), _) => (url.clone(), false),
            (None, Some(url)) => (url, true),
            (None, None) => bail!("which server? Give --url redis://HOST:PORT, or {URL}"),
        };
        let info = url.as_str().into_connection_info();
        let info = info.map_err(|error| bad_url(&error))?;
        let mut settings = info.redis_settings().clone();
        if settings.password().is_some() && !is_ours {
            bail!(
                "--url: a password on the command line is seen by other users of the machine: \
                 give it in {PASSWORD} or with --password-file"
            );
        }
        if let Some(user) = variable(USER)? {
            settings = settings.set_username(user);
        }
        if let Some(password) = self.password()? {
            settings = settings.set_password(password);
        }
        Ok(info.set_redis_settings(settings))
    }

    fn password(&self) -> Result<Option<String>> {
        let Some(file) = &self.password_file else {
            return variable(PASSWORD);
        };
        let text = text::of_at_most(1, file)
            .with_context(|| format!("cannot read the password in {}", file.display()))?;
        let line = text.strip_suffix('\n').unwrap_or(&text);
        let line = line.strip_suffix('\r').unwrap_or(line);
        if line.is_empty() || line.contains('\n') {
            bail!("{}: not one line with a password", file.display());
        }
        Ok(Some(line.to_owned()))
    }
}

/// A variable of the environment; an empty one is none.
fn variable(name: &str) -> Result<Option<String>> {
    match std::env::var(name) {
        Ok(value) => Ok(Some(value).filter(|value| !value.is_empty())),
        Err(std::env::VarError::NotPresent) => Ok(None),
        Err(std::env::VarError::NotUnicode(_)) => bail!("{name} is not UTF-8"),
    }
}

/// What is wrong with a URL, without the URL.
fn bad_url(error: &bouquet_redis::redis::RedisError) -> anyhow::Error {
    let detail = error
        .detail()
        .map_or(String::new(), |of| format!(" ({of})"));
    anyhow::anyhow!("the URL of the server cannot be used{detail}: give redis://HOST:PORT/DB")
}
