//! The files on the server.

use std::fmt;
use std::str::FromStr;

use makruk_format::TableId;
use makruk_tables::material::Material;
use makruk_tables::value::Metric;
use thiserror::Error;

/// Tables of a material that are read together: those of its distances, or the category table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Family {
    /// The material.
    pub material: Material,
    /// Whether it is the category table.
    pub is_category: bool,
}

impl Family {
    /// The family of a table.
    pub fn of(id: TableId) -> Family {
        Family { material: id.material, is_category: id.metric == Metric::Category }
    }

    /// The tables that a family may have, in the order in which files have them.
    pub fn tables(self) -> impl Iterator<Item = TableId> {
        let metrics = if self.is_category { &[Metric::Category][..] } else { &Metric::DISTANCES };
        metrics.iter().map(move |&metric| TableId { material: self.material, metric })
    }
}

/// `KRRvKR` or `KRRvKR.category`.
impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.material, if self.is_category { ".category" } else { "" })
    }
}

/// A file on the server. Its text is the path from the site's root, but for tables only the name: they may be
/// elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RemoteFile {
    /// The headers and models of a family: `guide/KRRvKR.heads`.
    Heads(Family),
    /// The places and checksums of a family's groups of blocks: `guide/KRRvKR.groups`.
    Groups(Family),
    /// A table: `KRRvKR.dtm`.
    Table(TableId),
}

/// The folder of the guide.
pub(crate) const GUIDE: &str = "guide";

impl fmt::Display for RemoteFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RemoteFile::Heads(family) => write!(f, "{GUIDE}/{family}.heads"),
            RemoteFile::Groups(family) => write!(f, "{GUIDE}/{family}.groups"),
            RemoteFile::Table(id) => write!(f, "{id}"),
        }
    }
}

/// A text that names no file of a site.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is not a file of a site with tables")]
pub struct ParseRemoteFileError(String);

impl FromStr for RemoteFile {
    type Err = ParseRemoteFileError;

    fn from_str(text: &str) -> Result<RemoteFile, ParseRemoteFileError> {
        let wrong = || ParseRemoteFileError(text.chars().take(80).collect());
        let Some(guide) = text.strip_prefix(GUIDE).and_then(|rest| rest.strip_prefix('/')) else {
            return text.parse().map(RemoteFile::Table).map_err(|_| wrong());
        };
        let (name, kind) = guide.rsplit_once('.').ok_or_else(wrong)?;
        let (name, is_category) = name.strip_suffix(".category").map_or((name, false), |name| (name, true));
        let material: Material = name.parse().map_err(|_| wrong())?;
        let family = Family { material, is_category };
        match kind {
            "heads" => Ok(RemoteFile::Heads(family)),
            "groups" => Ok(RemoteFile::Groups(family)),
            _ => Err(wrong()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for material in (3..=5).flat_map(Material::all) {
            for family in [false, true].map(|is_category| Family { material, is_category }) {
                let tables = family.tables().map(RemoteFile::Table);
                for file in tables.chain([RemoteFile::Heads(family), RemoteFile::Groups(family)]) {
                    assert_eq!(file.to_string().parse(), Ok(file));
                }
            }
        }
        for wrong in ["guide/KRvK.txt", "guide/KRvK", "guide/catalogue", "page.js", "guide/xx.heads", ""] {
            assert!(wrong.parse::<RemoteFile>().is_err(), "{wrong}");
        }
    }
}
