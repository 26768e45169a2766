//! Who may ask.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arc_swap::ArcSwapOption;
use http::HeaderValue;
use subtle::ConstantTimeEq;

/// The bearer tokens that let a call in. Without any, every call is let in.
#[derive(Default)]
pub(super) struct Tokens {
    file: Option<PathBuf>,
    now: ArcSwapOption<Vec<String>>,
}

impl Tokens {
    /// The tokens of a file, one a line; empty lines and those that begin with `#` are left out.
    ///
    /// # Errors
    ///
    /// If it can't be read, or holds none: an empty file would let everyone in.
    pub(super) fn of_file(file: &Path) -> io::Result<Tokens> {
        let tokens = Tokens { file: Some(file.to_owned()), now: ArcSwapOption::empty() };
        tokens.reload()?;
        Ok(tokens)
    }

    /// Reads the file again; those that were valid stay so if it can't be read.
    pub(super) fn reload(&self) -> io::Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        let text = std::fs::read_to_string(file)?;
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let tokens: Vec<String> = lines.map(str::to_owned).collect();
        if tokens.is_empty() {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "it holds no token"));
        }
        self.now.store(Some(Arc::new(tokens)));
        Ok(())
    }

    /// Whether a call with this `authorization` header is let in. How long it takes says nothing of the tokens but their
    /// number.
    pub(super) fn allow(&self, header: Option<&HeaderValue>) -> bool {
        let Some(tokens) = &*self.now.load() else { return true };
        let given = header.and_then(|value| value.as_bytes().split_at_checked("bearer ".len()));
        let Some((scheme, given)) = given else { return false };
        if !scheme.eq_ignore_ascii_case(b"bearer ") {
            return false;
        }
        tokens.iter().fold(false, |found, token| found | bool::from(token.as_bytes().ct_eq(given)))
    }
}

impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What they are is nobody's business.
        f.debug_struct("Tokens").field("file", &self.file).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_token_of_the_file_lets_in() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tokens");
        assert!(Tokens::of_file(&file).is_err());
        std::fs::write(&file, "# nobody\n\n").unwrap();
        assert!(Tokens::of_file(&file).is_err());
        std::fs::write(&file, "one\n  two \n# three\n").unwrap();
        let tokens = Tokens::of_file(&file).unwrap();
        let allow = |text: &'static str| tokens.allow(Some(&HeaderValue::from_static(text)));
        assert!(allow("Bearer one") && allow("bearer two"));
        for bad in ["", "Bearer", "Bearer ", "Bearer on", "Bearer onee", "Basic one", "one", "Bearer # three"] {
            assert!(!allow(bad), "{bad:?}");
        }
        assert!(!tokens.allow(None));
        std::fs::write(&file, "").unwrap();
        assert!(tokens.reload().is_err() && allow("Bearer one"));
        std::fs::write(&file, "four").unwrap();
        assert!(tokens.reload().is_ok() && !allow("Bearer one") && allow("Bearer four"));
        assert!(Tokens::default().allow(None));
        assert!(!format!("{tokens:?}").contains("four"));
    }
}
