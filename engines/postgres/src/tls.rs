//! Whether the way to the server is encrypted, and whom it is trusted to lead to.
//!
//! Rows are private on their way, too. So a server on another computer is spoken to in TLS with a
//! certificate that fits its name, unless the address says `sslmode=disable`. What other programs
//! call `require` takes any certificate; here every mode that encrypts also checks.

use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::fail::Failure;

/// How to speak with the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TlsWish {
    Plain,
    Encrypted,
}

impl TlsWish {
    /// By the mode of the address, else of `PGSSLMODE`, else by where the server is.
    pub fn new(mode: Option<&str>, is_near: bool) -> Result<Self, Failure> {
        let variable = std::env::var("PGSSLMODE").ok().filter(|mode| !mode.is_empty());
        match mode.or(variable.as_deref()) {
            Some("disable") => Ok(Self::Plain),
            Some("require" | "verify-ca" | "verify-full") => Ok(Self::Encrypted),
            None | Some("allow" | "prefer") => Ok(if is_near { Self::Plain } else { Self::Encrypted }),
            Some(_) => Err(Failure::mistake("there is no such sslmode", "write disable, require or verify-full")),
        }
    }
}

/// What encrypts: with the certificates of the system, and those of `PGSSLROOTCERT`.
pub(crate) fn encrypted() -> Result<MakeRustlsConnect, Failure> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if let Some(path) = std::env::var_os("PGSSLROOTCERT").filter(|path| !path.is_empty()) {
        for certificate in certificates(Path::new(&path))? {
            roots.add(certificate).map_err(|_| unreadable())?;
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|_| Failure::mistake("encryption could not be set up", "this is a mistake in lookalike"))?;
    Ok(MakeRustlsConnect::new(config.with_root_certificates(roots).with_no_client_auth()))
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, Failure> {
    let found: Result<Vec<_>, _> = CertificateDer::pem_file_iter(path).map_err(|_| unreadable())?.collect();
    found.map_err(|_| unreadable())
}

fn unreadable() -> Failure {
    Failure::mistake("the file of PGSSLROOTCERT cannot be used", "give a file of certificates in PEM form")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leaves_the_computer_is_encrypted() {
        let wish = |mode, is_near| TlsWish::new(mode, is_near).map_err(|_| "refused");
        assert_eq!(wish(Some("prefer"), false), Ok(TlsWish::Encrypted));
        assert_eq!(wish(Some("prefer"), true), Ok(TlsWish::Plain));
        assert_eq!(wish(Some("disable"), false), Ok(TlsWish::Plain));
        assert_eq!(wish(Some("require"), true), Ok(TlsWish::Encrypted));
        assert_eq!(wish(Some("no"), true), Err("refused"));
    }
}
