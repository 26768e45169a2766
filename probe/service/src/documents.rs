//! The answers that depend on nothing but the tables, for a site without a server.

use std::collections::BTreeMap;
use std::time::Duration;

use bytes::Bytes;
use makruk_tables::material::Material;
use thiserror::Error;

use crate::http::lists::{example_saves, list_materials};
use crate::http::page;
use crate::http::response::json_bytes;
use crate::server::Server;
use crate::status::Failure;
use crate::tables::watch::scan;

/// The pause between two looks at a search.
const PAUSE: Duration = Duration::from_millis(200);

/// An answer that depends on nothing but the tables.
#[derive(Clone, Debug)]
pub struct Document {
    /// The path from the site's root: `answers/saves/KRvK.json`.
    pub path: String,
    /// The material that it is about; `None` for the list of all.
    pub material: Option<Material>,
    /// Bytes of the tables that it is made from.
    pub bytes: u64,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Materials,
    Statistics,
    Saves,
    Counts,
}

/// A document that cannot be made.
#[derive(Debug, Error)]
#[error("cannot create the answer to {path}: {reason}")]
pub struct DocumentError {
    path: String,
    reason: String,
}

impl Server {
    /// The documents of a site: the list of materials and, for each that has its tables, its statistics with the
    /// longest wins, its example saves and its numbers of saves.
    pub async fn documents(&self) -> Vec<Document> {
        scan(&self.backend, false).await;
        let mut tables: BTreeMap<Material, Vec<u64>> = BTreeMap::new();
        for table in self.backend.tables(None) {
            tables.entry(table.material).or_default().push(table.bytes);
        }
        tables.retain(|material, tables| tables.len() == material.distance_metrics().len());
        let path = "answers/materials.json".to_owned();
        let list = Document { path, material: None, bytes: 0, kind: Kind::Materials };
        let of_material = tables.into_iter().flat_map(|(material, tables)| {
            [("statistics", Kind::Statistics), ("saves", Kind::Saves), ("counts", Kind::Counts)].map(|(name, kind)| {
                let path = format!("answers/{name}/{material}.json");
                Document { path, material: Some(material), bytes: tables.iter().sum(), kind }
            })
        });
        std::iter::once(list).chain(of_material).collect()
    }

    /// Makes a document as JSON. The deadline of the settings is that of each search.
    ///
    /// # Errors
    ///
    /// A table fails.
    pub async fn make(&self, document: &Document) -> Result<Bytes, DocumentError> {
        let (backend, name) =
            (&self.backend, document.material.map(|material| material.to_string()).unwrap_or_default());
        let made = match document.kind {
            Kind::Materials => list_materials(backend, None).await,
            Kind::Statistics => self.statistics(&name).await,
            Kind::Saves => example_saves(backend, &name).await,
            Kind::Counts => backend.save_statistics(&name, 0).await.map(|counts| json_bytes(&*counts)),
        };
        let path = || document.path.clone();
        made.map_err(|failure| DocumentError { path: path(), reason: failure.refusal().error.clone() })
    }

    /// The statistics of a material, when the searches for its longest wins are over.
    async fn statistics(&self, name: &str) -> Result<Bytes, Failure> {
        loop {
            let statistics = self.backend.statistics(&self.backend.shared_context(), name, true).await?;
            if !statistics.is_pending() {
                return Ok(json_bytes(&statistics));
            }
            tokio::time::sleep(PAUSE).await;
        }
    }
}

/// The files of the page and of the module that answers for it without a server, by name.
pub fn page_files() -> Vec<(String, Bytes)> {
    page::embedded()
}
