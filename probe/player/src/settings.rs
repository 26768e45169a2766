//! The options of both protocols.

use std::path::PathBuf;
use std::time::Duration;

use makruk_console::locate;
use thiserror::Error;

use makruk_probe::{CountMode, Tablebase, split_path_list};

/// The options that a user may set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The folders of the tables; if empty, the one that every command uses by default.
    pub folders: Vec<PathBuf>,
    /// Whether a count that runs out draws the game.
    pub use_count: bool,
    /// The number of lines to show.
    pub multi_pv: usize,
    /// Memory for decoded stripes, in MiB.
    pub cache_mib: usize,
    /// The time that each move loses on its way to the other program.
    pub overhead: Duration,
}

/// An option that is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SettingError {
    /// There is no option of that name.
    #[error("there is no option {0:?}")]
    Unknown(String),
    /// The option cannot have this value.
    #[error("{name} cannot be {value:?}: expected {expected}")]
    Value {
        /// The option.
        name: &'static str,
        /// The value given.
        value: String,
        /// The values that it can have.
        expected: String,
    },
}

/// The bounds of an option that is a number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spin {
    pub(super) name: &'static str,
    pub(super) default: usize,
    pub(super) least: usize,
    pub(super) most: usize,
}

/// The number of lines to show.
pub(super) const MULTI_PV: Spin = Spin { name: "MultiPV", default: 1, least: 1, most: 256 };
/// Memory for decoded stripes, in MiB.
pub(super) const HASH: Spin = Spin { name: "Hash", default: 64, least: 1, most: 65_536 };
/// Milliseconds that each move loses on its way.
pub(super) const OVERHEAD: Spin = Spin { name: "Move Overhead", default: 20, least: 0, most: 5000 };
/// The search has one thread; interfaces set this before all else.
pub(super) const THREADS: Spin = Spin { name: "Threads", default: 1, least: 1, most: 1 };

/// The folders of the tables.
pub(super) const PATH: &str = "MakrukPath";
/// Whether a count that runs out draws the game.
pub(super) const USE_COUNT: &str = "MakrukUseCount";
/// The empty text in UCI.
pub(super) const EMPTY: &str = "<empty>";

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            folders: Vec::new(),
            use_count: true,
            multi_pv: MULTI_PV.default,
            cache_mib: HASH.default,
            overhead: Duration::from_millis(OVERHEAD.default as u64),
        }
    }
}

impl Settings {
    /// Sets an option by its name, in any case.
    ///
    /// # Errors
    ///
    /// If there is no such option, or it cannot have this value; it then stays as it is.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        let is = |option: &str| name.eq_ignore_ascii_case(option);
        if is(PATH) {
            self.folders = if value == EMPTY { Vec::new() } else { split_path_list(value) };
        } else if is(USE_COUNT) {
            self.use_count = check(USE_COUNT, value)?;
        } else if is(MULTI_PV.name) {
            self.multi_pv = MULTI_PV.read(value)?;
        } else if is(HASH.name) {
            self.cache_mib = HASH.read(value)?;
        } else if is(OVERHEAD.name) {
            self.overhead = Duration::from_millis(OVERHEAD.read(value)? as u64);
        } else if is(THREADS.name) {
            THREADS.read(value)?;
        } else if is("Ponder") || is("UCI_AnalyseMode") {
            check(if is("Ponder") { "Ponder" } else { "UCI_AnalyseMode" }, value)?;
        } else if is("UCI_Variant") {
            if !value.eq_ignore_ascii_case("makruk") {
                return Err(refused("UCI_Variant", value, "makruk".to_owned()));
            }
        } else {
            return Err(SettingError::Unknown(name.to_owned()));
        }
        Ok(())
    }

    /// The count's part in the game.
    pub const fn count_mode(&self) -> CountMode {
        if self.use_count { CountMode::Applied } else { CountMode::Ignored }
    }

    /// The folders of the tables.
    pub fn folders(&self) -> Vec<PathBuf> {
        if self.folders.is_empty() { vec![locate(None)] } else { self.folders.clone() }
    }

    /// The tables, of which none is opened yet. Their files are read by position: a file that is cut short while it is
    /// read is an error and does not end the game.
    pub fn tables(&self) -> Tablebase {
        Tablebase::builder().folders(self.folders()).cache_bytes(self.cache_mib << 20).build()
    }
}

impl Spin {
    fn read(self, value: &str) -> Result<usize, SettingError> {
        let number = value.parse().ok().filter(|number| (self.least..=self.most).contains(number));
        number.ok_or_else(|| refused(self.name, value, format!("a whole number from {} to {}", self.least, self.most)))
    }
}

fn check(name: &'static str, value: &str) -> Result<bool, SettingError> {
    match value.to_ascii_lowercase().as_str() {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err(refused(name, value, "true or false".to_owned())),
    }
}

fn refused(name: &'static str, value: &str, expected: String) -> SettingError {
    SettingError::Value { name, value: value.to_owned(), expected }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_by_name_and_what_they_refuse() {
        let mut settings = Settings::default();
        for (name, value) in [
            ("makrukpath", "a;b"),
            ("MakrukUseCount", "false"),
            ("MultiPV", "3"),
            ("Hash", "16"),
            ("move overhead", "5"),
        ] {
            settings.set(name, value).unwrap();
        }
        let expected = Settings {
            folders: vec!["a".into(), "b".into()],
            use_count: false,
            multi_pv: 3,
            cache_mib: 16,
            overhead: Duration::from_millis(5),
        };
        assert_eq!(settings, expected);
        for (name, value) in [
            ("MultiPV", "0"),
            ("MultiPV", "many"),
            ("Hash", "-1"),
            ("Threads", "2"),
            ("MakrukUseCount", "perhaps"),
            ("UCI_Variant", "chess"),
            ("Contempt", "1"),
        ] {
            assert!(settings.set(name, value).is_err(), "{name} {value}");
            assert_eq!(settings, expected);
        }
        settings.set("MakrukPath", EMPTY).unwrap();
        assert_eq!(settings.folders().len(), 1);
    }
}
