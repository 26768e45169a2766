//! Pictures of materials, as SVG and as PNG. PNG is drawn with a built-in font; SVG leaves the font to the viewer.

mod chart;
mod distances;
mod shares;
mod squares;

use makruk_probe::ProbeError;
use makruk_tables::material::Material;
use plotters::prelude::{BitMapBackend, IntoDrawingArea, SVGBackend};
use plotters::style::{FontStyle, RGBColor, register_font};
use thiserror::Error;

use crate::font::FONT;

pub use distances::DistancesPlot;
pub use shares::{MaterialShare, SharesPlot};
pub use squares::{SquareWins, SquaresPlot};

/// The colour of the line at a count's limit, and of the share that board's honour takes.
pub const LIMIT_COLOR: [u8; 3] = [0xb4, 0x14, 0x28];
/// In pixels.
const WIDTH: u32 = 900;

const LIMIT: RGBColor = RGBColor(LIMIT_COLOR[0], LIMIT_COLOR[1], LIMIT_COLOR[2]);
const IN_TIME: RGBColor = RGBColor(0x2c, 0x6e, 0x9b);
const TAKEN: RGBColor = RGBColor(0xe0, 0x8a, 0x2e);
const INK: RGBColor = RGBColor(0x22, 0x22, 0x22);

/// A picture to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Picture {
    /// The wins by their moves, and the limit of the count.
    Distances(DistancesPlot),
    /// The share of each material's wins that the count takes.
    Shares(SharesPlot),
    /// The length of wins by the square of the defender's king.
    Squares(Box<SquaresPlot>),
}

/// The reason why there is no picture.
#[derive(Debug, Error)]
pub enum PlotError {
    /// A table is missing or damaged.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The picture would be empty.
    #[error("{0} has no wins to draw")]
    Nothing(Material),
    /// No material is named.
    #[error("no material is named")]
    NoMaterial,
    /// The tables omit the attacker to move.
    #[error("the tables of {0} omit the attacker to move")]
    Omitted(Material),
    /// The picture could not be drawn.
    #[error("cannot draw the picture: {0}")]
    Draw(String),
}

impl PlotError {
    fn draw(error: impl std::fmt::Display) -> PlotError {
        PlotError::Draw(error.to_string())
    }
}

impl Picture {
    /// Width and height, in pixels.
    pub fn size(&self) -> (u32, u32) {
        match self {
            Picture::Distances(_) => (WIDTH, 460),
            Picture::Shares(shares) => (WIDTH, shares.height()),
            Picture::Squares(_) => (squares::WIDTH, squares::HEIGHT),
        }
    }

    /// The picture as SVG, with text as text.
    ///
    /// # Errors
    ///
    /// [`PlotError::Draw`].
    pub fn svg(&self) -> Result<String, PlotError> {
        prepare()?;
        let mut text = String::new();
        self.draw(&SVGBackend::with_string(&mut text, self.size()).into_drawing_area())?;
        Ok(text)
    }

    /// The picture as a PNG file.
    ///
    /// # Errors
    ///
    /// [`PlotError::Draw`].
    pub fn png(&self) -> Result<Vec<u8>, PlotError> {
        prepare()?;
        let (width, height) = self.size();
        let mut pixels = vec![0; 3 * width as usize * height as usize];
        self.draw(&BitMapBackend::with_buffer(&mut pixels, (width, height)).into_drawing_area())?;
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::High);
        let mut writer = encoder.write_header().map_err(PlotError::draw)?;
        writer.write_image_data(&pixels).map_err(PlotError::draw)?;
        writer.finish().map_err(PlotError::draw)?;
        Ok(bytes)
    }

    fn draw<B>(&self, area: &chart::Area<B>) -> Result<(), PlotError>
    where
        B: plotters::prelude::DrawingBackend,
    {
        area.fill(&plotters::style::WHITE).map_err(PlotError::draw)?;
        match self {
            Picture::Distances(distances) => distances.draw(area)?,
            Picture::Shares(shares) => shares.draw(area)?,
            Picture::Squares(squares) => squares.draw(area)?,
        }
        area.present().map_err(PlotError::draw)
    }
}

fn prepare() -> Result<(), PlotError> {
    register_font("sans-serif", FontStyle::Normal, FONT).map_err(|_| PlotError::draw("the font is damaged"))
}
