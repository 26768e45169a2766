//! Lists of folders.

use std::path::PathBuf;

/// The folders of a list in the form of `PATH`: separated by `;` and, except on Windows, also by `:`. Empty parts
/// are skipped.
pub fn split_path_list(list: &str) -> Vec<PathBuf> {
    let separates = |c: char| c == ';' || (c == ':' && cfg!(not(windows)));
    list.split(separates).map(str::trim).filter(|part| !part.is_empty()).map(PathBuf::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_split() {
        let split = |list| split_path_list(list).iter().map(|path| path.display().to_string()).collect::<Vec<_>>();
        assert_eq!(split("a;b c; d;"), ["a", "b c", "d"]);
        assert!(split(" ;").is_empty());
        #[cfg(not(windows))]
        assert_eq!(split("/a:/b;/c"), ["/a", "/b", "/c"]);
    }
}
