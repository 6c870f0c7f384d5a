//! Tests TLS connections to a real server with a certificate.
#![cfg(feature = "tls")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy sees tests only in what is marked as one"
)]

mod common;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, id},
    time::Duration,
};

use bouquet_redis::{Error, Native, Reconnecting, RemoteBitmap, Retry, tls_client};
use common::{Server, keys};
use redis::{Client, TlsCertificates};

/// A certificate authority with a certificate for this machine and one for another machine.
struct Certificates(PathBuf);

impl Drop for Certificates {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Certificates {
    /// Makes the certificates; `None` if `openssl` is not installed.
    fn make() -> Option<Self> {
        if Command::new("openssl").arg("version").output().is_err() {
            eprintln!("SKIPPED: there is no openssl here to make certificates with");
            return None;
        }
        let all = Self(env::temp_dir().join(format!("bouquet-tls-{}", id())));
        fs::create_dir_all(&all.0).unwrap();
        for authority in ["ca", "other"] {
            all.openssl(&format!(
                "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN={authority} \
                 -keyout {authority}.key -out {authority}.pem"
            ));
        }
        for (name, address) in [("here", "127.0.0.1"), ("there", "192.0.2.1")] {
            all.openssl(&format!(
                "req -newkey rsa:2048 -nodes -subj /CN={name} -keyout {name}.key -out {name}.csr \
                 -addext subjectAltName=IP:{address}"
            ));
            all.openssl(&format!(
                "x509 -req -days 2 -in {name}.csr -CA ca.pem -CAkey ca.key -CAcreateserial \
                 -copy_extensions copy -out {name}.pem"
            ));
        }
        Some(all)
    }

    fn openssl(&self, args: &str) {
        let done = Command::new("openssl")
            .args(args.split_whitespace())
            .current_dir(&self.0)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "openssl {args}: {said}");
    }

    fn path(&self, file: &str) -> String {
        self.0.join(file).to_str().unwrap().to_owned()
    }

    /// Starts a server with the certificate of this name; returns it with its TLS port.
    fn server(&self, name: &str) -> (Server, u16) {
        let port = common::free_port();
        let server = Server::redis(&[
            "--tls-port",
            &port.to_string(),
            "--tls-auth-clients",
            "no",
            "--tls-cert-file",
            &self.path(&format!("{name}.pem")),
            "--tls-key-file",
            &self.path(&format!("{name}.key")),
            "--tls-ca-cert-file",
            &self.path("ca.pem"),
        ]);
        (server.unwrap(), port)
    }

    fn client(&self, port: u16, authority: &str) -> Client {
        let certificates = TlsCertificates {
            client_tls: None,
            root_cert: Some(fs::read(self.0.join(format!("{authority}.pem"))).unwrap()),
        };
        tls_client(format!("rediss://127.0.0.1:{port}/"), certificates).unwrap()
    }
}

/// Whether the system's Redis was built with TLS.
fn has_tls(program: &Path) -> bool {
    // The program ends in any case: if it was built with TLS, it ends because it has no
    // certificate.
    let said = Command::new(program)
        .args(["--port", "0", "--tls-port", "1"])
        .output()
        .unwrap();
    let text = [said.stdout, said.stderr].concat();
    !String::from_utf8_lossy(&text).contains("Bad directive")
}

#[test]
fn answers_come_with_tls_and_errors_from_whom_is_not_trusted() {
    let Some(program) = common::redis() else {
        return;
    };
    if !has_tls(&program) {
        eprintln!("SKIPPED: this redis-server was built without TLS");
        return;
    }
    let Some(certificates) = Certificates::make() else {
        return;
    };
    let (server, port) = certificates.server("here");
    let wait = Duration::from_secs(2);
    let client = certificates.client(port, "ca");
    let connection = &mut Reconnecting::new(client.clone(), wait);
    let scheme = Native::new(10_000, 0.01).unwrap();
    let filter = RemoteBitmap::create(connection, "f", scheme).unwrap();
    let members = keys(0..5_000);
    filter.insert_batch(connection, &members).unwrap();
    let found = filter.contains_batch(connection, &members).unwrap();
    assert!(found.iter().all(|found| *found));
    let plain = RemoteBitmap::<Native>::join(&mut server.connect(), "f").unwrap();
    assert!(plain.contains(&mut server.connect(), &members[7]).unwrap());
    // All of these must fail: a client that trusts only the system's authorities, one that trusts
    // another authority, one without TLS, one whose server has no TLS, and one whose server has the
    // certificate of another machine.
    let (_other, elsewhere) = certificates.server("there");
    let system = tls_client(
        format!("rediss://127.0.0.1:{port}/"),
        TlsCertificates {
            client_tls: None,
            root_cert: None,
        },
    );
    let rejected = [
        system.unwrap(),
        certificates.client(port, "other"),
        Client::open(format!("redis://127.0.0.1:{port}/")).unwrap(),
        certificates.client(server.port, "ca"),
        certificates.client(elsewhere, "ca"),
    ];
    for (i, client) in rejected.into_iter().enumerate() {
        let connection = &mut Reconnecting::new(client, wait);
        let answer = filter.clone().with_retry(Retry::NEVER);
        let answer = { answer }.contains(connection, &members[7]);
        assert!(
            matches!(answer, Err(Error::Redis { .. })),
            "{i}: {answer:?}"
        );
    }
    #[cfg(feature = "async-tls")]
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let mut connection = client.get_multiplexed_async_connection().await.unwrap();
        let filter = bouquet_redis::aio::RemoteBitmap::from(filter.clone());
        let found = filter.contains_batch(&mut connection, &members).await;
        assert!(found.unwrap().iter().all(|found| *found));
    });
}

#[test]
fn what_is_no_certificate_is_an_error() {
    let certificates = TlsCertificates {
        client_tls: None,
        root_cert: Some(b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".to_vec()),
    };
    assert!(tls_client("rediss://127.0.0.1:1/", certificates.clone()).is_err());
    assert!(tls_client("rediss://", certificates).is_err());
}
