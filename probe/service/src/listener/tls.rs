//! TLS, and mutual TLS.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arc_swap::ArcSwap;
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_rustls::{Accept, TlsAcceptor};

use crate::admission::limits::TLS_SEND_BYTES;

/// The files of a TLS server, all PEM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificate, followed by the intermediate certificates.
    pub certificate: PathBuf,
    /// The private key of the certificate.
    pub key: PathBuf,
    /// The authorities that must have signed the clients' certificates; `None` if clients need no certificate.
    pub client_authorities: Option<PathBuf>,
}

/// A reason why the files of TLS cannot be used.
#[derive(Debug, Error)]
pub enum TlsError {
    /// A file cannot be read, or is not PEM.
    #[error("{}: {source}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: rustls_pki_types::pem::Error,
    },
    /// A file holds no certificate.
    #[error("{}: it holds no certificate", .path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// The files do not match each other.
    #[error("{}: {source}", .path.display())]
    Mismatch {
        /// The file that is most likely wrong.
        path: PathBuf,
        /// The cause.
        source: rustls::Error,
    },
    /// The authorities of clients' certificates cannot be used.
    #[error("{}: {source}", .path.display())]
    Verifier {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: rustls::server::VerifierBuilderError,
    },
}

/// TLS whose files can be reloaded.
#[derive(Debug)]
pub(crate) struct Tls {
    files: TlsFiles,
    current: ArcSwap<ServerConfig>,
}

impl Tls {
    /// # Errors
    ///
    /// If the files cannot be read or do not match each other.
    pub(crate) fn new(files: TlsFiles) -> Result<Tls, TlsError> {
        let current = ArcSwap::from(load(&files)?);
        Ok(Tls { files, current })
    }

    /// Reads the files again. If that fails, new connections use those read before.
    pub(crate) fn reload(&self) -> Result<(), TlsError> {
        self.current.store(load(&self.files)?);
        Ok(())
    }

    /// Begins TLS on a socket.
    pub(crate) fn accept<S: AsyncRead + AsyncWrite + Unpin>(&self, socket: S) -> Accept<S> {
        let acceptor = TlsAcceptor::from(self.current.load_full());
        acceptor.accept_with(socket, |connection| connection.set_buffer_limit(Some(TLS_SEND_BYTES)))
    }
}

fn load(files: &TlsFiles) -> Result<Arc<ServerConfig>, TlsError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mismatch = |path: &Path| {
        let path = path.to_owned();
        move |source| TlsError::Mismatch { path, source }
    };
    let chain = certificates(&files.certificate)?;
    let key = PrivateKeyDer::from_pem_file(&files.key)
        .map_err(|source| TlsError::File { path: files.key.clone(), source })?;
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(mismatch(&files.certificate))?;
    let builder = match &files.client_authorities {
        None => builder.with_no_client_auth(),
        Some(path) => {
            let mut roots = RootCertStore::empty();
            for certificate in certificates(path)? {
                roots.add(certificate).map_err(mismatch(path))?;
            }
            let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build();
            let verifier = verifier.map_err(|source| TlsError::Verifier { path: path.clone(), source })?;
            builder.with_client_cert_verifier(verifier)
        }
    };
    let mut config = builder.with_single_cert(chain, key).map_err(mismatch(&files.key))?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let file = |source| TlsError::File { path: path.to_owned(), source };
    let all: Vec<_> = CertificateDer::pem_file_iter(path).map_err(file)?.collect::<Result<_, _>>().map_err(file)?;
    if all.is_empty() { Err(TlsError::Empty { path: path.to_owned() }) } else { Ok(all) }
}
