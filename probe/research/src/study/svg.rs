//! A board as SVG.

use std::fmt::Write;

use makruk_tables::rules::{Board, Color, Square};

const SIDE: u32 = 48;
const MARGIN: u32 = 24;

/// A board with coordinates, White at the bottom, and a caption. Men are letters on discs, light for White and dark for
/// Black.
pub fn board_svg(board: &Board, caption: &str) -> String {
    let (width, height) = (8 * SIDE + 2 * MARGIN, 8 * SIDE + 2 * MARGIN + 28);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" text-anchor=\"middle\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    // Writing to a string cannot fail.
    let mut put = |text: std::fmt::Arguments<'_>| {
        let _ = svg.write_fmt(text);
    };
    for square in Square::all() {
        let (x, y) = (MARGIN + SIDE * u32::from(square.file()), MARGIN + SIDE * u32::from(7 - square.rank()));
        put(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"#f3e3c3\" stroke=\"#8a6d3b\"/>\n"
        ));
        let Some(piece) = board.piece_at(square) else { continue };
        let (fill, ink) = if piece.color == Color::White { ("#fffdf7", "#222") } else { ("#333", "#fff") };
        let (x, y) = (x + SIDE / 2, y + SIDE / 2);
        let letter = piece.letter().to_ascii_uppercase();
        put(format_args!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"19\" fill=\"{fill}\" stroke=\"#222\" stroke-width=\"1.5\"/>\
             <text x=\"{x}\" y=\"{}\" font-size=\"22\" fill=\"{ink}\">{letter}</text>\n",
            y + 8
        ));
    }
    for n in 0..8u8 {
        let at = MARGIN + SIDE * u32::from(n) + SIDE / 2;
        let (file, rank) = (char::from(b'a' + n), 8 - n);
        put(format_args!(
            "<text x=\"{at}\" y=\"{}\" font-size=\"13\">{file}</text><text x=\"12\" y=\"{}\" font-size=\"13\">{rank}</text>\n",
            MARGIN + 8 * SIDE + 16,
            at + 5
        ));
    }
    let caption = caption.replace('&', "&amp;").replace('<', "&lt;");
    put(format_args!("<text x=\"{}\" y=\"{}\" font-size=\"15\">{caption}</text>\n</svg>\n", width / 2, height - 10));
    svg
}
