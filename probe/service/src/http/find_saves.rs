//! `/v1/saves`: the search for count saves, wins and zugzwangs, a page at a time.

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::response::Response;
use makruk_answers::json;
use makruk_research::FoundPage;

use crate::admission::request_context::RequestContext;
use crate::backend::Backend;
use crate::backend::save_search::{FoundSave, SaveQuery};
use crate::http::response::{UrlQuery, json_with};
use crate::status::Failure;

/// The default limit of a page.
const PAGE_SAVES: u64 = 20;

/// A page of saves.
pub(crate) async fn find(
    State(backend): State<Arc<Backend>>,
    Extension(context): Extension<RequestContext>,
    UrlQuery(query): UrlQuery<SaveQuery>,
) -> Result<Response, Failure> {
    let most = backend.pools.limits.batch as u64;
    if let Some(limit) = query.limit.filter(|limit| !(1..=most).contains(limit)) {
        return Err(Failure::unreadable("query", format!("limit is {limit}: expected 1 to {most}")));
    }
    let mut search = backend.search(&context, query, PAGE_SAVES)?;
    let mut saves = Vec::new();
    // As many as the limit allows and half of the time suffices to find.
    loop {
        // A page holds the permits of its last piece only: pages that held more would wait for each other.
        let ((found, rest), permits) = backend.search_on(&context, search).await?;
        search = rest;
        saves.extend(found.into_iter().map(|FoundSave { record, .. }| record));
        let is_late = tokio::time::Instant::now() + context.time / 2 > context.deadline;
        if search.search.is_over() || is_late {
            let cursor = search.search.cursor().map(|cursor| cursor.to_string());
            let page = FoundPage { saves, cursor, scanned: search.search.scanned().0 };
            return Ok(json_with(json(&page).into(), permits));
        }
    }
}
