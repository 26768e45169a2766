//! The sentence of an error, with the command or option that helps. The generator knows the remedies of builds and
//! fetching; the program's others are here.

use std::error::Error;

use makruk_answers::{Door, Remedy};
#[cfg(feature = "serve")]
use makruk_console::shell_word;
use makruk_console::{file_remedy, table_remedy};
use makruk_format::FormatError;
use makruk_probe::{ProbeError, TableError};
#[cfg(feature = "research")]
use makruk_research::{PlotError, ResearchError};
use makruk_rules::FenError;
use makruk_tables::material::Material;

/// The command line as a place for questions.
pub(crate) const DOOR: Door =
    Door { remedy: Remedy::Folder(|error: &ProbeError| sentence(error)), most_positions: usize::MAX };

/// An error and its causes, with the remedy if there is one.
pub(crate) fn sentence(error: &(dyn Error + 'static)) -> String {
    makruk_console::sentence(error, remedy)
}

/// The remedy for the first error of a chain that has one.
fn remedy(error: &(dyn Error + 'static)) -> Option<String> {
    #[cfg(feature = "research")]
    let error = probe_error(error);
    let own = if let Some(ProbeError::Table(error)) = error.downcast_ref() {
        table_remedy(error).map(|remedy| remedy + or_build(error))
    } else if let Some(ProbeError::Fen(error)) = error.downcast_ref() {
        fen_remedy(error)
    } else if let Some(error) = error.downcast_ref::<TableError>() {
        table_remedy(error)
    } else if let Some(error) = error.downcast_ref::<FormatError>() {
        file_remedy(error)
    } else {
        None
    };
    #[cfg(feature = "remote")]
    let own = own.or_else(|| {
        let address = error.downcast_ref::<makruk_remote::SiteError>()?.without_catalogue()?;
        Some(makruk_console::address_remedy(&address.to_string()))
    });
    #[cfg(feature = "research")]
    let own = own.or_else(|| match error.downcast_ref()? {
        PlotError::Omitted(_) => Some("--attacker names the other side".to_owned()),
        _ => None,
    });
    #[cfg(feature = "build")]
    let own = own.or_else(|| makruk_generator::remedy(error));
    own.or_else(|| remedy(error.source()?))
}

/// The option that builds a missing table at once, if this program has it.
fn or_build(error: &TableError) -> &'static str {
    match error {
        #[cfg(feature = "build")]
        TableError::Missing { id, source: None, .. } if id.material.men() <= makruk_generator::MOST_MEN_IN_MEMORY => {
            ", or --build here"
        }
        _ => "",
    }
}

/// The sentence for a folder without tables.
#[cfg(feature = "serve")]
pub(crate) fn no_tables(folder: &std::path::Path) -> String {
    let option = shell_word(folder);
    format!("{} has no tables; `makruk-gen build --men 4 --tables {option}` makes some", folder.display())
}

/// The command for a text that is not a position.
fn fen_remedy(error: &FenError) -> Option<String> {
    match error {
        FenError::Material(name) => {
            let material: Material = name.parse().ok()?;
            Some(format!("the totals of a material: `makruk-gen info {material}`"))
        }
        FenError::FileName(_) => Some(
            "games of a file: `makruk-probe analyse FILE`; a list of positions: `makruk-probe query < FILE`".to_owned(),
        ),
        _ => None,
    }
}

/// The error of the prober, if an error of research shows it as its own; else the error.
#[cfg(feature = "research")]
fn probe_error<'a>(error: &'a (dyn Error + 'static)) -> &'a (dyn Error + 'static) {
    if let Some(ResearchError::Probe(error)) = error.downcast_ref() {
        error
    } else if let Some(PlotError::Probe(error)) = error.downcast_ref() {
        error
    } else {
        error
    }
}

#[cfg(test)]
mod tests {
    use anyhow::Context;

    use super::*;

    #[test]
    fn errors_have_the_remedy_of_their_cause() {
        let place = tempfile::tempdir().unwrap();
        let prober = makruk_probe::Prober::new(makruk_probe::Tablebase::new(place.path()));
        let fen = "8/8/8/3k4/8/8/1R6/K7 w - - 0 1".parse().unwrap();
        let missing = prober.probe(&fen).unwrap_err();
        let build = format!("`makruk-gen build KRvK --tables {}`", place.path().display());
        assert!(sentence(&missing).contains(&format!("; {build} makes it")), "{}", sentence(&missing));
        assert_eq!(sentence(&missing).ends_with(", or --build here"), cfg!(feature = "build"));
        let wrapped: anyhow::Error = Err::<(), _>(missing).context("cannot analyse").unwrap_err();
        let text = sentence(wrapped.as_ref());
        assert!(text.starts_with("cannot analyse: ") && text.contains("makes it"), "{text}");
        let nowhere = makruk_format::TableFolder::open_existing(place.path().join("nowhere")).unwrap_err();
        assert!(sentence(&nowhere).contains("MAKRUK_TABLES"), "{}", sentence(&nowhere));
        std::fs::write(place.path().join("KRvK.dtm"), "damaged").unwrap();
        let damaged = prober.probe(&fen).unwrap_err();
        assert!(sentence(&damaged).ends_with(&format!("elsewhere and run {build}")), "{}", sentence(&damaged));
        let other = std::io::Error::other("no such luck");
        assert_eq!(sentence(&other), "no such luck");
    }
}
