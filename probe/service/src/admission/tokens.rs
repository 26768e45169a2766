//! The bearer tokens that admit calls.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arc_swap::ArcSwapOption;
use http::HeaderValue;
use subtle::ConstantTimeEq;

/// The bearer tokens of a server. Without a file of tokens every call is admitted.
#[derive(Default)]
pub(crate) struct Tokens {
    file: Option<PathBuf>,
    current: ArcSwapOption<Vec<String>>,
}

impl Tokens {
    /// The tokens of a file, one a line; empty lines and lines that begin with `#` are ignored.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or holds no token: an empty file would admit everyone.
    pub(crate) fn of_file(file: &Path) -> io::Result<Tokens> {
        let tokens = Tokens { file: Some(file.to_owned()), current: ArcSwapOption::empty() };
        tokens.reload()?;
        Ok(tokens)
    }

    /// Reads the file again. If that fails, the tokens stay as they are.
    pub(crate) fn reload(&self) -> io::Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        let text = std::fs::read_to_string(file)?;
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let tokens: Vec<String> = lines.map(str::to_owned).collect();
        if tokens.is_empty() {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "it holds no token"));
        }
        self.current.store(Some(Arc::new(tokens)));
        Ok(())
    }

    /// Whether calls need a token.
    pub(crate) const fn are_needed(&self) -> bool {
        self.file.is_some()
    }

    /// Whether a call with this `authorization` header is admitted. The time that this takes depends on the number and
    /// the lengths of the tokens, not on their content.
    pub(crate) fn allow(&self, header: Option<&HeaderValue>) -> bool {
        let Some(tokens) = &*self.current.load() else { return true };
        let given = header.and_then(|value| value.as_bytes().split_at_checked("bearer ".len()));
        let Some((scheme, given)) = given else { return false };
        if !scheme.eq_ignore_ascii_case(b"bearer ") {
            return false;
        }
        tokens.iter().fold(false, |found, token| found | bool::from(token.as_bytes().ct_eq(given)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_token_of_the_file_admits() {
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
    }
}
