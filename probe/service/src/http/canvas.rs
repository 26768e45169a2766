//! Boards in the colours of one palette, as animations need them.
//!
//! Every square that a board may have is drawn once: empty and with each man, plain and marked. A board is put together from these.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt::Write;
use std::sync::LazyLock;

use ab_glyph::{Font, FontRef, PxScale, ScaleFont, point};
use makruk_research::FONT;
use makruk_tables::rules::{Board, Color, Piece, Role, Square};

use crate::http::picture::{cell_of, draw_man, rendered};

/// A square, and the room around the board, in pixels.
const CELL: usize = 60;
const MARGIN: usize = 24;
/// The room for the caption, below the board.
const CAPTION: usize = 36;
/// The frame of the board.
const FRAME: usize = 3;
/// The size of a picture, in pixels.
pub(crate) const WIDTH: usize = 8 * CELL + 2 * MARGIN;
pub(crate) const HEIGHT: usize = WIDTH + CAPTION;

/// The colour of pixels that stay as they were in the picture before.
pub(crate) const UNCHANGED: u8 = 255;
/// The first colours of the palette: from paper to ink, for letters, then the frame of the board.
const SHADES: u8 = 9;
const PAPER: u8 = 0;
const WOOD_FRAME: u8 = SHADES;

type Rgb = [u8; 3];
const PAPER_RGB: Rgb = [0xf5, 0xef, 0xe3];
const INK_RGB: Rgb = [0x2a, 0x20, 0x18];
const FRAME_RGB: Rgb = [0x7a, 0x4c, 0x22];

/// The sizes of letters, in pixels: of the caption, and of the names of files and ranks.
const TEXT: f32 = 24.0;
const NAMES: f32 = 14.0;

static LETTERS: LazyLock<Option<FontRef<'static>>> = LazyLock::new(|| FontRef::try_from_slice(FONT).ok());

/// A board to be drawn.
#[derive(Clone, Debug)]
pub(crate) struct View<'a> {
    pub(crate) board: &'a Board,
    /// The squares of the last move.
    pub(crate) marked: &'a [Square],
    pub(crate) is_flipped: bool,
    /// The caption at the left, and that at the right, in ASCII.
    pub(crate) captions: [&'a str; 2],
}

/// The squares that boards are put together from, and their palette.
#[derive(Debug)]
pub(crate) struct Sheet {
    /// Red, green and blue of each of 256 colours.
    pub(crate) palette: Vec<u8>,
    /// The pixels of each square, row by row, by [`look`].
    squares: Vec<Vec<u8>>,
}

/// The number of the men that a square may have, and of the looks of a square.
const MEN: usize = 12;
const LOOKS: usize = 2 * (MEN + 1);

/// The place of a square's look on the sheet: without a man, then with each; first plain, then marked.
fn look(piece: Option<Piece>, is_marked: bool) -> usize {
    let man = piece.map_or(0, |Piece { color, role }| 1 + 6 * usize::from(color == Color::Black) + role as usize);
    man + if is_marked { MEN + 1 } else { 0 }
}

impl Sheet {
    /// Draws all squares; `None` if that fails.
    pub(crate) fn draw() -> Option<Sheet> {
        let drawn = rendered(&sheet_svg(), (LOOKS * CELL) as u32, CELL as u32)?;
        // Nothing is transparent.
        let pixels: Vec<Rgb> = drawn.pixels().iter().map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect();
        let (colors, indices) = quantised(&pixels);
        let square = |at: usize| -> Vec<u8> {
            let row =
                |row: &[Rgb]| row[at * CELL..(at + 1) * CELL].iter().map(|color| indices[color]).collect::<Vec<_>>();
            pixels.chunks_exact(LOOKS * CELL).flat_map(row).collect()
        };
        let mut palette: Vec<u8> = colors.into_iter().flatten().collect();
        palette.resize(3 * 256, 0);
        Some(Sheet { palette, squares: (0..LOOKS).map(square).collect() })
    }

    /// The pixels of a board with its caption, row by row.
    pub(crate) fn board(&self, view: &View<'_>) -> Vec<u8> {
        let mut pixels = vec![PAPER; WIDTH * HEIGHT];
        let side = 8 * CELL + 2 * FRAME;
        for row in pixels.chunks_exact_mut(WIDTH).skip(MARGIN - FRAME).take(side) {
            row[MARGIN - FRAME..][..side].fill(WOOD_FRAME);
        }
        for square in Square::all() {
            let (column, row) = cell_of(square, view.is_flipped);
            let (left, top) = (MARGIN + column as usize * CELL, MARGIN + row as usize * CELL);
            let drawn = &self.squares[look(view.board.piece_at(square), view.marked.contains(&square))];
            for (into, from) in pixels.chunks_exact_mut(WIDTH).skip(top).zip(drawn.chunks_exact(CELL)) {
                into[left..left + CELL].copy_from_slice(from);
            }
            let middle = (CELL / 2) as f32;
            let name = square.to_string();
            let (file, rank) = name.split_at(1);
            if row == 7 {
                let below = (MARGIN + 8 * CELL + 17) as f32;
                write_text(&mut pixels, file, NAMES, left as f32 + middle, below, 0.5);
            }
            if column == 0 {
                write_text(&mut pixels, rank, NAMES, (MARGIN / 2 - 1) as f32, top as f32 + middle + 5.0, 0.5);
            }
        }
        let [left, right] = view.captions;
        let baseline = (HEIGHT - 16) as f32;
        write_text(&mut pixels, left, TEXT, MARGIN as f32, baseline, 0.0);
        write_text(&mut pixels, right, TEXT, (WIDTH - MARGIN) as f32, baseline, 1.0);
        pixels
    }
}

/// Writes a text whose left end (`align` 0), middle (0.5) or right end (1) is at `x`.
fn write_text(pixels: &mut [u8], text: &str, size: f32, x: f32, baseline: f32, align: f32) {
    let Some(font) = LETTERS.as_ref() else { return };
    let font = font.as_scaled(PxScale::from(size));
    let width: f32 = text.chars().map(|letter| font.h_advance(font.glyph_id(letter))).sum();
    let mut at = x - width * align;
    for letter in text.chars() {
        let glyph = font.glyph_id(letter);
        let place = glyph.with_scale_and_position(size, point(at.round(), baseline));
        at += font.h_advance(glyph);
        let Some(outline) = font.outline_glyph(place) else { continue };
        let corner = outline.px_bounds().min;
        outline.draw(|column, row, cover| {
            let (column, row) = (corner.x as usize + column as usize, corner.y as usize + row as usize);
            let Some(pixel) = pixels.chunks_exact_mut(WIDTH).nth(row).and_then(|row| row.get_mut(column)) else {
                return;
            };
            if *pixel < SHADES {
                *pixel = (*pixel).max((cover * f32::from(SHADES - 1)).round() as u8);
            }
        });
    }
}

/// All looks of a square, side by side.
fn sheet_svg() -> String {
    let width = LOOKS * CELL;
    let mut svg = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{CELL}\">");
    let plain = (MEN + 1) * CELL;
    // Writing to a string cannot fail.
    let _ = write!(
        svg,
        "<path d=\"M0 0h{plain}v{CELL}h-{plain}z\" fill=\"#e5bd81\"/><path d=\"M{plain} 0h{plain}v{CELL}h-{plain}z\" fill=\"#f5de8e\"/>"
    );
    for at in 0..LOOKS {
        let left = at * CELL;
        let _ = write!(
            svg,
            "<path d=\"M{left} 0h{CELL}v{CELL}h-{CELL}z\" fill=\"none\" stroke=\"#7a4c22\" stroke-width=\"1.5\"/>"
        );
    }
    for is_marked in [false, true] {
        for (color, role) in Color::ALL.into_iter().flat_map(|color| Role::ALL.map(|role| (color, role))) {
            let piece = Piece::new(color, role);
            draw_man(&mut svg, piece, ((look(Some(piece), is_marked) * CELL) as u32, 0), CELL as u32);
        }
    }
    svg.push_str("</svg>");
    svg
}

/// The colours of a palette: those of letters and of the frame, and the most frequent ones of these pixels. And for each colour of
/// the pixels the nearest of them.
fn quantised(pixels: &[Rgb]) -> (Vec<Rgb>, HashMap<Rgb, u8>) {
    let mut counts: HashMap<Rgb, usize> = HashMap::new();
    for &color in pixels {
        *counts.entry(color).or_default() += 1;
    }
    let mut frequent: Vec<(Rgb, usize)> = counts.into_iter().collect();
    frequent.sort_unstable_by_key(|&(color, count)| (Reverse(count), color));
    let shade = |shade: u8| {
        let blend = |paper: u8, ink: u8| {
            let (paper, ink) = (u32::from(paper), u32::from(ink));
            let (shade, most) = (u32::from(shade), u32::from(SHADES - 1));
            ((paper * (most - shade) + ink * shade) / most) as u8
        };
        [0, 1, 2].map(|at: usize| blend(PAPER_RGB[at], INK_RGB[at]))
    };
    let mut colors: Vec<Rgb> = (0..SHADES).map(shade).chain([FRAME_RGB]).collect();
    let room = usize::from(UNCHANGED) - colors.len();
    colors.extend(frequent.iter().take(room).map(|&(color, _)| color));
    let nearest = |of: &Rgb| {
        let distance = |color: &Rgb| color.iter().zip(of).map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2)).sum::<u32>();
        // There are at most 255 colours.
        (0..UNCHANGED).zip(&colors).min_by_key(|(_, color)| distance(color)).map_or(PAPER, |(at, _)| at)
    };
    let indices = frequent.iter().map(|(color, _)| (*color, nearest(color))).collect();
    (colors, indices)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use makruk_tables::rules::Fen;

    use super::*;

    fn rgb(sheet: &Sheet, index: u8) -> &[u8] {
        &sheet.palette[3 * usize::from(index)..][..3]
    }

    #[test]
    fn each_square_looks_different_and_flat_colours_are_exact() {
        let sheet = Sheet::draw().unwrap();
        assert_eq!(sheet.squares.iter().collect::<HashSet<_>>().len(), LOOKS);
        assert!(sheet.squares.iter().all(|square| square.len() == CELL * CELL && !square.contains(&UNCHANGED)));
        // The wood beside a man, the mark, and the body of a white rook.
        let corner = 4 * CELL + 4;
        assert_eq!(rgb(&sheet, sheet.squares[look(None, false)][corner]), [0xe5, 0xbd, 0x81]);
        assert_eq!(rgb(&sheet, sheet.squares[look(None, true)][corner]), [0xf5, 0xde, 0x8e]);
        let rook = &sheet.squares[look(Some(Piece::new(Color::White, Role::Rook)), false)];
        assert_eq!(rgb(&sheet, rook[27 * CELL + CELL / 2]), [0xfd, 0xf6, 0xe6]);
    }

    #[test]
    fn a_colour_is_near_to_what_is_drawn() {
        let drawn = rendered(&sheet_svg(), (LOOKS * CELL) as u32, CELL as u32).unwrap();
        let pixels: Vec<Rgb> = drawn.pixels().iter().map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect();
        let (colors, indices) = quantised(&pixels);
        assert!(colors.len() <= usize::from(UNCHANGED) && drawn.pixels().iter().all(|pixel| pixel.alpha() == 255));
        for (color, index) in indices {
            let near = colors[usize::from(index)];
            assert!(color.iter().zip(near).all(|(a, b)| a.abs_diff(b) <= 24), "{color:?} becomes {near:?}");
        }
    }

    #[test]
    fn captions_and_sides_are_drawn() {
        let sheet = Sheet::draw().unwrap();
        let fen: Fen = "1K6/8/5k2/8/1R6/4R3/7r/8 b".parse().unwrap();
        let view = View { board: fen.position.board(), marked: &[], is_flipped: false, captions: ["", ""] };
        let plain = sheet.board(&view);
        assert_eq!(plain.len(), WIDTH * HEIGHT);
        let captioned = sheet.board(&View { captions: ["1... Rb2", "4/8"], ..view.clone() });
        let differs = |row: usize| plain[row * WIDTH..][..WIDTH] != captioned[row * WIDTH..][..WIDTH];
        let rows: Vec<usize> = (0..HEIGHT).filter(|&row| differs(row)).collect();
        assert!(rows.len() > 10 && rows[0] > MARGIN + 8 * CELL, "{rows:?}");
        assert_ne!(sheet.board(&View { is_flipped: true, ..view.clone() }), plain);
        // The names of the files are there: the row through them has ink.
        let names = &plain[(MARGIN + 8 * CELL + 12) * WIDTH..][..WIDTH];
        assert!(names.iter().any(|&pixel| pixel > PAPER && pixel < SHADES));
    }
}
