//! `/board.png`: a position as a picture, for the programs that show a link with one.

use std::collections::BTreeMap;
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
use crate::http::response::{UrlQuery, failure_response, logged_failure};

/// The size that programs show without cutting anything off, in pixels.
const WIDTH: u32 = 1200;
const HEIGHT: u32 = 630;
/// A square, and the board's edges.
const CELL: u32 = 72;
const LEFT: u32 = (WIDTH - 8 * CELL) / 2;
const TOP: u32 = (HEIGHT - 8 * CELL) / 2;

/// Pictures that are kept: some 10 KiB each.
const KEPT: u64 = 500;

#[derive(Debug, Deserialize)]
pub(crate) struct PictureQuery {
    fen: String,
    /// Present if the board is seen from Black's side.
    flip: Option<String>,
}

/// A man in a square of 48, as the page draws it.
#[derive(Debug, Deserialize)]
struct Shape {
    body: Vec<String>,
    lines: Vec<String>,
}

/// The shapes, which the page draws too.
static SHAPES: LazyLock<BTreeMap<char, Shape>> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../shapes.json")).unwrap_or_default());

static DRAWN: LazyLock<Cache<(Board, bool), Bytes>> = LazyLock::new(|| Cache::new(KEPT));

/// The picture of a position. Drawing takes as long as a batch of positions, so it is a job of that lane.
pub(crate) async fn board(
    State(backend): State<Arc<Backend>>,
    Extension(context): Extension<RequestContext>,
    UrlQuery(query): UrlQuery<PictureQuery>,
) -> Response {
    let fen: Fen = match query.fen.parse() {
        Ok(fen) => fen,
        Err(error) => return failure_response(&query.fen, makruk_probe::ProbeError::from(error).into()),
    };
    let key = (fen.position.board().clone(), query.flip.is_some());
    if let Some(bytes) = DRAWN.get(&key).await {
        return png_response(bytes);
    }
    let (drawn, is_flipped) = key.clone();
    match backend.run(&context, Cost::batch(1), move |_, _| Some(png(&drawn, is_flipped))).await {
        Ok((Some(bytes), _permits)) => {
            DRAWN.insert(key, bytes.clone()).await;
            png_response(bytes)
        }
        Ok((None, _)) => (StatusCode::INTERNAL_SERVER_ERROR, "the picture cannot be drawn\n").into_response(),
        Err(failure) => logged_failure("a picture", &fen.to_string(), failure),
    }
}

fn png_response(png: Bytes) -> Response {
    // A board looks the same for ever.
    ([(CONTENT_TYPE, "image/png"), (CACHE_CONTROL, "public, max-age=604800")], png).into_response()
}

/// The board as a PNG.
fn png(board: &Board, is_flipped: bool) -> Option<Bytes> {
    Some(Bytes::from(rendered(&svg(board, is_flipped), WIDTH, HEIGHT)?.encode_png().ok()?))
}

/// The pixels of an SVG of this size.
fn rendered(svg: &str, width: u32, height: u32) -> Option<tiny_skia::Pixmap> {
    let tree = usvg::Tree::from_str(svg, &usvg::Options::default()).ok()?;
    let mut pixels = tiny_skia::Pixmap::new(width, height)?;
    resvg::render(&tree, tiny_skia::Transform::identity(), &mut pixels.as_mut());
    Some(pixels)
}

/// The board as SVG, in the colours of the page.
fn svg(board: &Board, is_flipped: bool) -> String {
    let side = 8 * CELL;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\">\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#f5efe3\"/>\
         <rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{side}\" height=\"{side}\" fill=\"#e5bd81\" stroke=\"#7a4c22\" stroke-width=\"3\"/>"
    );
    // Writing to a string cannot fail.
    let mut put = |text: std::fmt::Arguments<'_>| {
        let _ = svg.write_fmt(text);
    };
    for at in 1..8 {
        let (x, y) = (LEFT + at * CELL, TOP + at * CELL);
        put(format_args!("<path d=\"M{LEFT} {y}h{side}M{x} {TOP}v{side}\" stroke=\"#7a4c22\" stroke-width=\"1.5\"/>"));
    }
    for (square, piece) in board.pieces() {
        let (column, row) = cell_of(square, is_flipped);
        draw_man(&mut svg, piece, (LEFT + column * CELL, TOP + row * CELL), CELL);
    }
    svg.push_str("</svg>");
    svg
}

/// The column and the row of a square, from the upper left corner of the board.
fn cell_of(square: Square, is_flipped: bool) -> (u32, u32) {
    let (file, rank) = (u32::from(square.file()), u32::from(square.rank()));
    if is_flipped { (7 - file, rank) } else { (file, 7 - rank) }
}

/// Adds a man to an SVG, in a square of this size with this upper left corner.
fn draw_man(svg: &mut String, piece: Piece, (x, y): (u32, u32), size: u32) {
    let Some(Shape { body, lines }) = SHAPES.get(&piece.role.letter()) else { return };
    let (fill, line, detail) = match piece.color {
        Color::White => ("#fdf6e6", "#4a321c", "#4a321c"),
        Color::Black => ("#33221a", "#1a100a", "#cda877"),
    };
    let scale = f64::from(size) / 48.0;
    // Writing to a string cannot fail.
    let mut put = |text: std::fmt::Arguments<'_>| {
        let _ = svg.write_fmt(text);
    };
    put(format_args!(
        "<g transform=\"translate({x} {y}) scale({scale})\" stroke-width=\"1.7\" stroke-linejoin=\"round\" stroke-linecap=\"round\">"
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

    fn drawn(fen: &str, is_flipped: bool) -> Bytes {
        png(fen.parse::<Fen>().unwrap().position.board(), is_flipped).unwrap()
    }

    #[test]
    fn a_board_is_a_png_of_the_size_that_programs_show() {
        let bytes = drawn("1K6/8/5k2/8/1R6/4R3/7r/8 b", false);
        assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
        let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!((number(16), number(20)), (WIDTH, HEIGHT));
        assert!(bytes.len() < 100_000, "{} bytes", bytes.len());
    }

    #[test]
    fn every_man_is_drawn_in_its_colour_and_place() {
        let men = "RNSMP".chars().map(|letter| format!("8/8/8/8/{letter}7/8/8/K6k w"));
        let black = "rnsmp".chars().map(|letter| format!("8/8/8/{letter}7/8/8/8/K6k w"));
        let pictures: Vec<Bytes> = men.chain(black).map(|fen| drawn(&fen, false)).collect();
        for (at, picture) in pictures.iter().enumerate() {
            assert!(!pictures[..at].contains(picture), "man {at} looks like another");
        }
        let fen = "8/8/8/8/R7/8/8/K6k w";
        assert_ne!(drawn(fen, false), drawn(fen, true));
        assert_eq!(SHAPES.len(), 6);
    }
}
