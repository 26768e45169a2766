//! The answers that depend on nothing but the tables, for a site without a server.

use std::collections::BTreeSet;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use http::Request;
use makruk_tables::material::Material;
use thiserror::Error;
use tower::ServiceExt;

use crate::http::page;
use crate::server::Server;
use crate::tables::monitor::ListedTable;

/// The pause between two looks at a search.
const PAUSE: Duration = Duration::from_millis(200);
/// The most bytes of a document, far more than any has.
const MOST_BYTES: usize = 1 << 26;

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
        let (router, tables) = self.offline().await;
        keep(Document { path: "answers/materials.json".to_owned(), json: answer(&router, "/v1/materials").await? })?;
        let materials: BTreeSet<Material> = tables.iter().map(|table| table.material).collect();
        for material in materials {
            let of = |table: &&ListedTable| table.material == material;
            let has_all = material
                .distance_metrics()
                .iter()
                .all(|metric| tables.iter().filter(of).any(|table| table.metric == *metric));
            if !has_all {
                continue;
            }
            let bytes = tables.iter().filter(of).map(|table| table.bytes).sum();
            let name = material.to_string();
            for (path, question) in [
                (format!("answers/statistics/{name}.json"), format!("/v1/tables/{name}?longest=true")),
                (format!("answers/saves/{name}.json"), format!("/v1/tables/{name}/saves")),
                (format!("answers/counts/{name}.json"), format!("/v1/saves/{name}")),
            ] {
                let place = DocumentPlace { path, material, bytes };
                if is_wanted(&place) {
                    let json = statistics(&router, &question).await?;
                    keep(Document { path: place.path, json })?;
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

/// The answer to a path, when its searches for the longest wins, if it has any, are over.
async fn statistics(router: &Router, path: &str) -> Result<Bytes, DocumentError> {
    loop {
        let json = answer(router, path).await?;
        if !json.windows(PENDING.len()).any(|window| window == PENDING) {
            return Ok(json);
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// A search that is not over.
const PENDING: &[u8] = b"\"longest_pending\":true";

/// The router's answer to a path.
async fn answer(router: &Router, path: &str) -> Result<Bytes, DocumentError> {
    let failed = |reason: String| DocumentError { path: path.to_owned(), reason };
    let request = Request::get(path).body(Body::empty()).map_err(|error| failed(error.to_string()))?;
    let response = match router.clone().oneshot(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    };
    let status = response.status();
    let json = to_bytes(response.into_body(), MOST_BYTES).await.map_err(|error| failed(error.to_string()))?;
    if status.is_success() { Ok(json) } else { Err(failed(String::from_utf8_lossy(&json).into_owned())) }
}
