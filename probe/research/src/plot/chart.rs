//! The elements of pictures.

use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, DrawingBackend, IntoFont, PathElement, Rectangle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, RGBColor, TextStyle};

use super::{INK, PlotError};

/// The area of a picture, in pixels.
pub(super) type Area<B> = DrawingArea<B, Shift>;

/// A text style of a size; the text is placed by this point of it.
pub(super) fn style(size: u32, across: HPos) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&INK).pos(Pos::new(across, VPos::Center))
}

pub(super) fn text<B: DrawingBackend>(
    area: &Area<B>,
    text: &str,
    at: (i32, i32),
    style: TextStyle<'static>,
) -> Result<(), PlotError> {
    area.draw(&Text::new(text.to_owned(), at, style)).map_err(PlotError::draw)
}

pub(super) fn bar<B: DrawingBackend>(
    area: &Area<B>,
    corners: [(i32, i32); 2],
    color: RGBColor,
) -> Result<(), PlotError> {
    area.draw(&Rectangle::new(corners, color.filled())).map_err(PlotError::draw)
}

pub(super) fn line<B: DrawingBackend>(
    area: &Area<B>,
    ends: [(i32, i32); 2],
    color: RGBColor,
    width: u32,
) -> Result<(), PlotError> {
    area.draw(&PathElement::new(ends.to_vec(), color.stroke_width(width))).map_err(PlotError::draw)
}

/// The smallest round step with which at most `steps` steps reach `most`.
pub(super) fn step(most: u64, steps: u64) -> u64 {
    let least = most.div_ceil(steps).max(1);
    let ten = 10u64.pow(least.ilog10());
    [1, 2, 5, 10].map(|times| times * ten).into_iter().find(|&step| step >= least).unwrap_or(least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        assert_eq!(
            [(0, 5), (4, 5), (51, 10), (128, 10), (129, 5), (7_000_000, 5)].map(|(most, n)| step(most, n)),
            [1, 1, 10, 20, 50, 2_000_000]
        );
    }
}
