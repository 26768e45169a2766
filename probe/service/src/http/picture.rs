//! `/board.png`: a position as a picture, for the programs that show a link with one.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use makruk_rules::Fen;
use serde::Deserialize;

use crate::admission::jobs::Cost;
use crate::admission::request_context::RequestContext;
use crate::backend::Backend;
use crate::drawing::{Men, View, png};
use crate::http::response::UrlQuery;
use crate::status::Failure;

#[derive(Debug, Deserialize)]
pub(crate) struct PictureQuery {
    fen: String,
    /// Present if the board is seen from Black's side.
    flip: Option<String>,
    #[serde(default)]
    men: Men,
}

/// The picture of a position. Drawing takes as long as a batch of positions, so it is a job of that lane.
pub(crate) async fn board(
    State(backend): State<Arc<Backend>>,
    Extension(context): Extension<RequestContext>,
    UrlQuery(query): UrlQuery<PictureQuery>,
) -> Result<Response, Failure> {
    let parsed: Result<Fen, _> = query.fen.parse();
    let fen = parsed.map_err(|error| Failure::from(makruk_probe::ProbeError::from(error)).about(&query.fen))?;
    let text = fen.to_string();
    let view = View {
        board: fen.position.board().clone(),
        turn: fen.position.turn(),
        is_flipped: query.flip.is_some(),
        men: query.men,
    };
    let pictures = &backend.kept.pictures;
    let png = match pictures.get(&view).await {
        Some(png) => png,
        None => {
            let drawn = view.clone();
            let drawing = backend.run(&context, Cost::batch(1), move |_, _| Some(png(&drawn)));
            let (png, _) = drawing.await.map_err(|failure| failure.about(&text))?;
            pictures.insert(view, png.clone()).await;
            png
        }
    };
    // A board looks the same for ever.
    Ok(([(CONTENT_TYPE, "image/png"), (CACHE_CONTROL, "public, max-age=604800")], png).into_response())
}
