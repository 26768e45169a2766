//! `/board.png`: a position as a picture, for the programs that show a link with one.

use std::sync::Arc;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use makruk_tables::rules::{Board, Color, Fen};
use resvg::{tiny_skia, usvg};
use serde::Deserialize;

use crate::admission::jobs::Cost;
use crate::admission::request_context::RequestContext;
use crate::backend::Backend;
use crate::http::response::{HttpFailure, UrlQuery};
use crate::http::social::{PREVIEW, Shape};

/// The size that programs show without cutting anything off, in pixels.
const WIDTH: u32 = 1200;
const HEIGHT: u32 = 630;
/// The board, in the colours of the page.
const BOARD: &str = include_str!("board.svg");
/// The place of the men in it, where squares have sides of 46.
const PLACE: &str = "<!-- the men, and a disc beside the edge of the side to move -->";

#[derive(Debug, Deserialize)]
pub(crate) struct PictureQuery {
    fen: String,
    /// Present if the board is seen from Black's side.
    flip: Option<String>,
    #[serde(default)]
    men: Men,
}

/// Which men are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Men {
    #[default]
    Modern,
    /// Those of a Thai board.
    Traditional,
}

/// The content of a picture.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct View {
    board: Board,
    turn: Color,
    is_flipped: bool,
    men: Men,
}

/// The picture of a position. Drawing takes as long as a batch of positions, so it is a job of that lane.
pub(crate) async fn board(
    State(backend): State<Arc<Backend>>,
    Extension(context): Extension<RequestContext>,
    UrlQuery(query): UrlQuery<PictureQuery>,
) -> Result<Response, HttpFailure> {
    let parsed: Result<Fen, _> = query.fen.parse();
    let fen = parsed.map_err(|error| HttpFailure::about(&query.fen)(makruk_probe::ProbeError::from(error).into()))?;
    let view = View {
        board: fen.position.board().clone(),
        turn: fen.position.turn(),
        is_flipped: query.flip.is_some(),
        men: query.men,
    };
    let pictures = &backend.answers.pictures;
    let png = match pictures.get(&view).await {
        Some(png) => png,
        None => {
            let drawn = view.clone();
            let drawing = backend.run(&context, Cost::batch(1), move |_, _| Some(png(&drawn)));
            let (png, _) = drawing.await.map_err(HttpFailure::about(&query.fen))?;
            pictures.insert(view, png.clone()).await;
            png
        }
    };
    // A board looks the same for ever.
    Ok(([(CONTENT_TYPE, "image/png"), (CACHE_CONTROL, "public, max-age=604800")], png).into_response())
}

/// The board as a PNG.
fn png(view: &View) -> Bytes {
    let drawn = usvg::Tree::from_str(&svg(view), &usvg::Options::default()).ok().and_then(|tree| {
        let mut pixels = tiny_skia::Pixmap::new(WIDTH, HEIGHT)?;
        resvg::render(&tree, tiny_skia::Transform::identity(), &mut pixels.as_mut());
        pixels.encode_png().ok()
    });
    Bytes::from(drawn.expect("a picture of valid shapes"))
}

/// The board as SVG, with the men as large as the page draws them.
fn svg(view: &View) -> String {
    let is_near = (view.turn == Color::Black) == view.is_flipped;
    let mut men = format!(
        "<circle class=\"{}\" cx=\"391\" cy=\"{}\" r=\"9.7\"/>",
        view.turn.name(),
        if is_near { 345 } else { 23 }
    );
    let set = match view.men {
        Men::Modern => "today",
        Men::Traditional => "traditional",
    };
    for (square, piece) in view.board.pieces() {
        let Some(Shape { body, lines }) = PREVIEW.men.get(set).and_then(|men| men.get(&piece.role.letter())) else {
            continue;
        };
        let (file, rank) = (f64::from(square.file()), f64::from(square.rank()));
        let (column, row) = if view.is_flipped { (7.0 - file, rank) } else { (file, 7.0 - rank) };
        let (side, x, y) = (piece.color.name(), 46.0 * column - 1.0, 46.0 * row - 0.5);
        men += &format!("<g class=\"man {side}\" transform=\"translate({x} {y})\">");
        body.iter().for_each(|d| men += &format!("<path d=\"{d}\"/>"));
        lines.iter().for_each(|d| men += &format!("<path class=\"line\" d=\"{d}\"/>"));
        men += "</g>";
    }
    BOARD.replacen(PLACE, &men, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(fen: &str, is_flipped: bool, men: Men) -> Bytes {
        let Fen { position, .. } = fen.parse().unwrap();
        png(&View { board: position.board().clone(), turn: position.turn(), is_flipped, men })
    }

    #[test]
    fn every_man_is_drawn_in_its_colour_and_place() {
        let men = "RNSMP".chars().map(|letter| format!("8/8/8/8/{letter}7/8/8/K6k w"));
        let black = "rnsmp".chars().map(|letter| format!("8/8/8/{letter}7/8/8/8/K6k w"));
        let pictures: Vec<Bytes> = men
            .chain(black)
            .flat_map(|fen| [Men::Modern, Men::Traditional].map(|men| drawn(&fen, false, men)))
            .collect();
        for (at, picture) in pictures.iter().enumerate() {
            assert!(!pictures[..at].contains(picture), "man {at} looks like another");
        }
        let fen = "8/8/8/8/R7/8/8/K6k w";
        assert_ne!(drawn(fen, false, Men::Modern), drawn(fen, true, Men::Modern));
        // The side to move is seen.
        assert_ne!(drawn(fen, false, Men::Modern), drawn(&fen.replace(" w", " b"), false, Men::Modern));
    }
}
