//! TLS connections. Needs the feature `tls`.

use redis::{Client, IntoConnectionInfo, TlsCertificates};

use crate::{Error, Result};

/// A client for a URL `rediss://...`, that is, for a server with a TLS certificate.
///
/// If `certificates` contains no root certificate, the certificates of the system are trusted. The
/// cryptography provider is the one that the program has installed for rustls, otherwise `ring`.
///
/// ```no_run
/// use std::time::Duration;
///
/// use bouquet_redis::{Native, Reconnecting, RemoteBitmap, redis::TlsCertificates, tls_client};
///
/// let certificates = TlsCertificates {
///     client_tls: None,
///     root_cert: Some(std::fs::read("authority.pem")?),
/// };
/// let client = tls_client("rediss://cache.example:6380/", certificates)?;
/// let mut connection = Reconnecting::new(client, Duration::from_secs(1));
/// let filter = RemoteBitmap::<Native>::join(&mut connection, "seen")?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`Error::Redis`] if the URL or the certificates cannot be used.
pub fn tls_client(url: impl IntoConnectionInfo, certificates: TlsCertificates) -> Result<Client> {
    // This fails if the program has already installed a provider, which is fine.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::build_with_tls(url, certificates).map_err(|error| Error::Redis {
        command: "TLS",
        attempts: 0,
        after: std::time::Duration::ZERO,
        error,
    })
}
