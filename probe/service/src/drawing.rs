//! A position as a picture.

use bytes::Bytes;
use makruk_rules::{Board, Color};
use resvg::{tiny_skia, usvg};
use serde::Deserialize;

use crate::page_files::{PREVIEW, Shape};

/// The size that programs show without cutting anything off, in pixels.
const WIDTH: u32 = 1200;
const HEIGHT: u32 = 630;
/// The board, in the colours of the page.
const BOARD: &str = include_str!("board.svg");
/// The place of the men in it, where squares have sides of 46.
const PLACE: &str = "<!-- the men, and a disc beside the edge of the side to move -->";

/// Which men are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Men {
    #[default]
    Modern,
    /// The men of a Thai board.
    Traditional,
}

/// The content of a picture.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct View {
    pub(crate) board: Board,
    pub(crate) turn: Color,
    pub(crate) is_flipped: bool,
    pub(crate) men: Men,
}

/// The board as a PNG.
pub(crate) fn png(view: &View) -> Bytes {
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
    use makruk_rules::Fen;

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
