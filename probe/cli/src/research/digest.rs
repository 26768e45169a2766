//! The length and the SHA-256 of a file, as manifests have them.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use sha2::{Digest, Sha256};

/// The number of bytes of a file, and its SHA-256 in hexadecimal digits, as `sha256sum` prints it.
pub(super) fn digest(path: &Path) -> io::Result<(u64, String)> {
    let mut file = BufReader::with_capacity(1 << 20, File::open(path)?);
    let (mut sha256, mut bytes) = (Sha256::new(), 0);
    loop {
        let part = file.fill_buf()?;
        if part.is_empty() {
            return Ok((bytes, sha256.finalize().iter().map(|byte| format!("{byte:02x}")).collect()));
        }
        sha256.update(part);
        let len = part.len();
        bytes += len as u64;
        file.consume(len);
    }
}
