//! The tables that answer questions: those of folders, or those of a site.

use std::sync::{Arc, Mutex, PoisonError};

use makruk_answers::{Ask, Door, Reason, Refusal, Remedy, Statistics, ask_in_rounds, json};
use makruk_remote::{MirrorUrl, RemoteTables, SiteError};
use makruk_tables::material::Material;
use prober::{Prober, Reason as Failed, TableId};

use crate::error::DOOR;

/// An answer, or the reason why there is none.
pub(crate) type Answered<T> = Result<T, Box<Refusal>>;

/// Open tables.
#[derive(Clone)]
pub(crate) enum Tables {
    /// Those of folders.
    Folders(Prober),
    /// Those of a site, which answers one question at a time: the bytes of one are fetched together.
    Site(Arc<Mutex<RemoteTables>>),
}

/// The interpreter as a place for questions about the tables of a site.
const SITE: Door = Door { remedy: Remedy::Site, ..DOOR };

impl Tables {
    pub(crate) fn of_site(site: RemoteTables) -> Tables {
        Tables::Site(Arc::new(Mutex::new(site)))
    }

    /// The answer to a question.
    pub(crate) fn ask<Q: Ask>(&self, question: Q) -> Answered<Q::Answer> {
        match self {
            Tables::Folders(prober) => question.ask(prober.clone(), DOOR),
            Tables::Site(site) => {
                let site = site.lock().unwrap_or_else(PoisonError::into_inner);
                ask_in_rounds(question, site.prober(), SITE, || site.fetch().map_err(text))
            }
        }
    }

    /// The totals in the headers of the tables of some materials, as JSON. Files of folders are closed again.
    pub(crate) fn statistics(&self, materials: &[Material]) -> Answered<String> {
        let (prober, door) = match self {
            Tables::Folders(prober) => (Prober::new(prober.source().reopened()), DOOR),
            Tables::Site(site) => {
                let site = site.lock().unwrap_or_else(PoisonError::into_inner);
                let tables = |&material: &Material| {
                    material.distance_metrics().iter().map(move |&metric| TableId { material, metric })
                };
                site.open_tables(&materials.iter().flat_map(tables).collect::<Vec<_>>()).map_err(refusal)?;
                (Prober::new(site.tablebase().clone()), SITE)
            }
        };
        let answer = |&material: &Material| Statistics { material, longest: None }.ask(prober.clone(), door);
        Ok(json(&materials.iter().map(answer).collect::<Result<Vec<_>, _>>()?))
    }
}

fn refusal(error: SiteError) -> Box<Refusal> {
    Box::new(Refusal::new(Reason::Probe(Failed::UnreadableTable), text(error)))
}

/// The sentence of an error.
pub(crate) fn text(error: SiteError) -> String {
    let remedy = |address: &MirrorUrl| makruk_console::address_remedy(&address.to_string());
    makruk_console::sentence(&error, |_| error.without_catalogue().map(remedy))
}
