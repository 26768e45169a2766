//! The folder that the programs keep their tables in.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use directories::ProjectDirs;

/// The environment variable that names the table folder.
pub const TABLES_VARIABLE: &str = "MAKRUK_TABLES";

/// The table folder of a checkout, seen from its root.
const CHECKOUT: &str = "tables/data";

/// The table folder: `explicit` (`--tables`), else [`TABLES_VARIABLE`], else `./tables/data` or, beside the program,
/// `tables` if it is there, else the user's data folder (`~/.local/share/makruk/tables` on Linux). The folder need not
/// exist.
pub fn locate(explicit: Option<&Path>) -> PathBuf {
    // Without a home there is no data folder: the checkout's name then stands for "here".
    let user = ProjectDirs::from("", "", "makruk").map(|dirs| dirs.data_dir().join("tables"));
    // As archives for Windows have them.
    let beside = env::current_exe().ok().and_then(|program| Some(program.parent()?.join("tables")));
    let other = beside.filter(|folder| folder.is_dir()).or(user);
    choose(explicit, env::var_os(TABLES_VARIABLE), Path::new(CHECKOUT), other)
}

/// The folder for bytes of remote tables (`~/.cache/makruk/remote` on Linux); none without a home.
pub fn remote_caches() -> Option<PathBuf> {
    Some(ProjectDirs::from("", "", "makruk")?.cache_dir().join("remote"))
}

/// Whether a folder is the address of a site of tables.
pub fn is_address(folder: &Path) -> bool {
    folder.to_str().is_some_and(|folder| folder.starts_with("http://") || folder.starts_with("https://"))
}

fn choose(explicit: Option<&Path>, variable: Option<OsString>, checkout: &Path, other: Option<PathBuf>) -> PathBuf {
    if let Some(folder) = explicit {
        return folder.to_owned();
    }
    // An empty variable is how shells unset one for a single command.
    if let Some(folder) = variable.filter(|folder| !folder.is_empty()) {
        return folder.into();
    }
    match other {
        Some(other) if !checkout.is_dir() => other,
        _ => checkout.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_that_is_named_wins() {
        let here = tempfile::tempdir().unwrap();
        let (there, nowhere) = (here.path(), here.path().join("nowhere"));
        let user = || Some(PathBuf::from("/user"));
        let variable = || Some(OsString::from("/variable"));
        assert_eq!(choose(Some(Path::new("/option")), variable(), there, user()), Path::new("/option"));
        assert_eq!(choose(None, variable(), there, user()), Path::new("/variable"));
        assert_eq!(choose(None, Some(OsString::new()), there, user()), there);
        assert_eq!(choose(None, None, there, user()), there);
        assert_eq!(choose(None, None, &nowhere, user()), Path::new("/user"));
        assert_eq!(choose(None, None, &nowhere, None), nowhere);
    }
}
