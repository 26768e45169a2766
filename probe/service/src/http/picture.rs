//! `/board.png`: a position as a picture, for the programs that show a link with one.

use std::fmt::Write;
use std::sync::{Arc, LazyLock};

use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use makruk_tables::rules::{Board, Color, Fen, Piece, Square};
use moka::future::Cache;
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
/// A square, and the board's edges.
const CELL: u32 = 76;
const LEFT: u32 = (WIDTH - SIDE) / 2;
const TOP: u32 = (HEIGHT - SIDE) / 2;
const SIDE: u32 = 8 * CELL;

/// Pictures that are kept: some 10 KiB each.
const KEPT: u64 = 500;

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
struct View {
    board: Board,
    turn: Color,
    is_flipped: bool,
    men: Men,
}

static DRAWN: LazyLock<Cache<View, Bytes>> = LazyLock::new(|| Cache::new(KEPT));

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
    if let Some(bytes) = DRAWN.get(&view).await {
        return Ok(png_response(bytes));
    }
    let drawn = view.clone();
    let drawing = backend.run(&context, Cost::batch(1), move |_, _| Some(png(&drawn)));
    let (drawn, _permits) = drawing.await.map_err(HttpFailure::about(&query.fen))?;
    match drawn {
        Some(bytes) => {
            DRAWN.insert(view, bytes.clone()).await;
            Ok(png_response(bytes))
        }
        None => Ok((StatusCode::INTERNAL_SERVER_ERROR, "the picture cannot be drawn\n").into_response()),
    }
}

fn png_response(png: Bytes) -> Response {
    // A board looks the same for ever.
    ([(CONTENT_TYPE, "image/png"), (CACHE_CONTROL, "public, max-age=604800")], png).into_response()
}

/// The board as a PNG.
fn png(view: &View) -> Option<Bytes> {
    let tree = usvg::Tree::from_str(&svg(view), &usvg::Options::default()).ok()?;
    let mut pixels = tiny_skia::Pixmap::new(WIDTH, HEIGHT)?;
    resvg::render(&tree, tiny_skia::Transform::identity(), &mut pixels.as_mut());
    Some(Bytes::from(pixels.encode_png().ok()?))
}

/// The board as SVG, in the colours of the page, with a disc beside the edge of the side to move.
fn svg(view: &View) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\">\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#f5efe3\"/>\
         <rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"#e5bd81\" stroke=\"#7a4c22\" stroke-width=\"3\"/>"
    );
    // Writing to a string cannot fail.
    let mut put = |text: std::fmt::Arguments<'_>| {
        let _ = svg.write_fmt(text);
    };
    for at in 1..8 {
        let (x, y) = (LEFT + at * CELL, TOP + at * CELL);
        put(format_args!("<path d=\"M{LEFT} {y}h{SIDE}M{x} {TOP}v{SIDE}\" stroke=\"#7a4c22\" stroke-width=\"1.5\"/>"));
    }
    let (fill, line, _) = colours(view.turn);
    let is_near = (view.turn == Color::Black) == view.is_flipped;
    let (x, y) = (LEFT + SIDE + CELL / 2, if is_near { TOP + SIDE - CELL / 2 } else { TOP + CELL / 2 });
    put(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"16\" fill=\"{fill}\" stroke=\"{line}\" stroke-width=\"3\"/>"));
    let set = match view.men {
        Men::Modern => "today",
        Men::Traditional => "traditional",
    };
    for (square, piece) in view.board.pieces() {
        let shape = PREVIEW.men.get(set).and_then(|men| men.get(&piece.role.letter()));
        let (column, row) = cell_of(square, view.is_flipped);
        if let Some(shape) = shape {
            draw_man(&mut svg, shape, piece, (LEFT + column * CELL, TOP + row * CELL));
        }
    }
    svg.push_str("</svg>");
    svg
}

/// The column and the row of a square, from the upper left corner of the board.
fn cell_of(square: Square, is_flipped: bool) -> (u32, u32) {
    let (file, rank) = (u32::from(square.file()), u32::from(square.rank()));
    if is_flipped { (7 - file, rank) } else { (file, 7 - rank) }
}

/// The colours of a side's men: of the body, its rim and the lines upon it.
const fn colours(side: Color) -> (&'static str, &'static str, &'static str) {
    match side {
        Color::White => ("#fdf6e6", "#4a321c", "#4a321c"),
        Color::Black => ("#33221a", "#1a100a", "#cda877"),
    }
}

/// Adds a man to an SVG, in a square with this upper left corner, as large as the page draws him.
fn draw_man(svg: &mut String, Shape { body, lines }: &Shape, piece: Piece, (x, y): (u32, u32)) {
    let (fill, line, detail) = colours(piece.color);
    let (middle, scale) = (x + CELL / 2, f64::from(CELL) / 46.0);
    // Writing to a string cannot fail.
    let mut put = |text: std::fmt::Arguments<'_>| {
        let _ = svg.write_fmt(text);
    };
    put(format_args!(
        "<g transform=\"translate({middle} {y}) scale({scale}) translate(-24 -.5)\" stroke-width=\"1.5\" stroke-linejoin=\"round\" stroke-linecap=\"round\">"
    ));
    for d in body {
        put(format_args!("<path d=\"{d}\" fill=\"{fill}\" stroke=\"{line}\"/>"));
    }
    for d in lines {
        put(format_args!("<path d=\"{d}\" fill=\"none\" stroke=\"{detail}\"/>"));
    }
    put(format_args!("</g>"));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(fen: &str, is_flipped: bool, men: Men) -> Bytes {
        let Fen { position, .. } = fen.parse().unwrap();
        png(&View { board: position.board().clone(), turn: position.turn(), is_flipped, men }).unwrap()
    }

    #[test]
    fn a_board_is_a_png_of_the_size_that_programs_show() {
        let bytes = drawn("1K6/8/5k2/8/1R6/4R3/7r/8 b", false, Men::Modern);
        assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
        let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!((number(16), number(20)), (WIDTH, HEIGHT));
        assert!(bytes.len() < 100_000, "{} bytes", bytes.len());
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
