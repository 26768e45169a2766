//! TLS, and clients that show certificates.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arc_swap::ArcSwap;
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use thiserror::Error;
use tokio_rustls::TlsAcceptor;

/// The files of a server that speaks TLS, all PEM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsFiles {
    /// Its certificate, followed by those between it and the root.
    pub certificate: PathBuf,
    /// Its private key.
    pub key: PathBuf,
    /// The authorities that clients' certificates must come from; without, clients need none.
    pub client_authorities: Option<PathBuf>,
}

/// Why there is no TLS with these files.
#[derive(Debug, Error)]
pub enum TlsError {
    /// A file can't be read, or is not PEM.
    #[error("{}: {source}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: rustls_pki_types::pem::Error,
    },
    /// A file has none of what it should have.
    #[error("{}: it holds no certificate", .path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// They don't fit together.
    #[error("{}: {source}", .path.display())]
    Unfit {
        /// The file at fault, as far as can be told.
        path: PathBuf,
        /// What is wrong.
        source: rustls::Error,
    },
    /// The authorities of clients make no verifier.
    #[error("{}: {source}", .path.display())]
    Verifier {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: rustls::server::VerifierBuilderError,
    },
}

/// TLS by files that can be read again.
#[derive(Debug)]
pub(super) struct Tls {
    files: TlsFiles,
    now: ArcSwap<ServerConfig>,
}

impl Tls {
    /// # Errors
    ///
    /// If the files can't be read or don't fit together.
    pub(super) fn new(files: TlsFiles) -> Result<Tls, TlsError> {
        let now = ArcSwap::from(load(&files)?);
        Ok(Tls { files, now })
    }

    /// Reads the files again. If that fails, new connections are taken on with what was read before.
    pub(super) fn reload(&self) -> Result<(), TlsError> {
        self.now.store(load(&self.files)?);
        Ok(())
    }

    /// For the next connection.
    pub(super) fn acceptor(&self) -> TlsAcceptor {
        TlsAcceptor::from(self.now.load_full())
    }
}

fn load(files: &TlsFiles) -> Result<Arc<ServerConfig>, TlsError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let unfit = |path: &Path| {
        let path = path.to_owned();
        move |source| TlsError::Unfit { path, source }
    };
    let chain = certificates(&files.certificate)?;
    let key = PrivateKeyDer::from_pem_file(&files.key)
        .map_err(|source| TlsError::File { path: files.key.clone(), source })?;
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(unfit(&files.certificate))?;
    let builder = match &files.client_authorities {
        None => builder.with_no_client_auth(),
        Some(path) => {
            let mut roots = RootCertStore::empty();
            for certificate in certificates(path)? {
                roots.add(certificate).map_err(unfit(path))?;
            }
            let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build();
            let verifier = verifier.map_err(|source| TlsError::Verifier { path: path.clone(), source })?;
            builder.with_client_cert_verifier(verifier)
        }
    };
    let mut config = builder.with_single_cert(chain, key).map_err(unfit(&files.key))?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let file = |source| TlsError::File { path: path.to_owned(), source };
    let all: Vec<_> = CertificateDer::pem_file_iter(path).map_err(file)?.collect::<Result<_, _>>().map_err(file)?;
    if all.is_empty() { Err(TlsError::Empty { path: path.to_owned() }) } else { Ok(all) }
}
