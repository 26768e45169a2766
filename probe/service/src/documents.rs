//! The answers that depend on nothing but the tables, for a site without a server.

use std::collections::BTreeSet;
use std::time::Duration;

use bytes::Bytes;
use makruk_tables::material::Material;
use thiserror::Error;

use crate::backend::Backend;
use crate::http::lists::{example_saves, list_materials};
use crate::http::page;
use crate::http::response::json_bytes;
use crate::server::Server;
use crate::status::Failure;
use crate::tables::watch::scan;

/// The pause between two looks at a search.
const PAUSE: Duration = Duration::from_millis(200);

/// The place of a document: its path, and the tables that it depends on.
#[derive(Clone, Debug)]
pub struct DocumentPlace {
    /// The path from the site's root: `answers/saves/KRvK.json`.
    pub path: String,
    /// The material that it is about.
    pub material: Material,
    /// Bytes of the tables that it is made from.
    pub bytes: u64,
}

/// An answer that depends on nothing but the tables.
#[derive(Clone, Debug)]
pub struct Document {
    /// The path from the site's root: `answers/materials.json`.
    pub path: String,
    /// The answer.
    pub json: Bytes,
}

/// A document that cannot be made.
#[derive(Debug, Error)]
#[error("cannot create the answer to {path}: {reason}")]
pub struct DocumentError {
    path: String,
    reason: String,
}

impl Server {
    /// Makes all documents of a site, one after the other. They are the list of materials and, for each that has its
    /// tables, its statistics with the longest wins, its example saves and its numbers of saves. The deadline of the
    /// settings is that of each document. `is_wanted` is asked before each document after the list; those that it does
    /// not want are left out.
    ///
    /// # Errors
    ///
    /// A table fails, or `keep` does.
    pub async fn documents<E: From<DocumentError>>(
        self,
        mut is_wanted: impl FnMut(&DocumentPlace) -> bool,
        mut keep: impl FnMut(Document) -> Result<(), E>,
    ) -> Result<(), E> {
        let backend = &self.backend;
        scan(backend, false).await;
        let path = "answers/materials.json".to_owned();
        let list = list_materials(backend, None).await;
        keep(Document { json: made(&path, list)?, path })?;
        let tables = backend.tables(None);
        let materials: BTreeSet<Material> = tables.iter().map(|table| table.material).collect();
        for material in materials {
            let of_material: Vec<_> = tables.iter().filter(|table| table.material == material).collect();
            if of_material.len() < material.distance_metrics().len() {
                continue;
            }
            let bytes = of_material.iter().map(|table| table.bytes).sum();
            let name = material.to_string();
            for kind in ["statistics", "saves", "counts"] {
                let place = DocumentPlace { path: format!("answers/{kind}/{name}.json"), material, bytes };
                if is_wanted(&place) {
                    let json = match kind {
                        "statistics" => statistics(backend, &name).await,
                        "saves" => example_saves(backend, &name).await,
                        _ => backend.save_statistics(&name, 0).await.map(|counts| json_bytes(&*counts)),
                    };
                    keep(Document { json: made(&place.path, json)?, path: place.path })?;
                }
            }
        }
        Ok(())
    }
}

/// The files of the page and of the module that answers for it without a server, by name.
pub fn page_files() -> Vec<(String, Bytes)> {
    page::embedded()
}

/// The statistics of a material, when the searches for its longest wins are over.
async fn statistics(backend: &Backend, name: &str) -> Result<Bytes, Failure> {
    loop {
        let statistics = backend.statistics(&backend.shared_context(), name, true).await?;
        if !statistics.is_pending() {
            return Ok(json_bytes(&statistics));
        }
        tokio::time::sleep(PAUSE).await;
    }
}

fn made(path: &str, json: Result<Bytes, Failure>) -> Result<Bytes, DocumentError> {
    json.map_err(|failure| DocumentError { path: path.to_owned(), reason: failure.refusal().error.clone() })
}
