//! Pictures of sets: SVG, and PNG without any font of the system.

mod chart;
mod distances;
mod shares;
mod squares;

use makruk_tables::material::Material;
use plotters::prelude::{BitMapBackend, IntoDrawingArea, SVGBackend};
use plotters::style::{FontStyle, RGBColor, register_font};
use thiserror::Error;

use makruk_probe::ProbeError;

pub use distances::Distances as DistancesPlot;
pub use shares::Shares as SharesPlot;
pub use squares::Squares as SquaresPlot;

/// What text in pictures is drawn with. SVG names it; PNG has its glyphs.
const FONT: &[u8] = include_bytes!("plot/DejaVuSans-subset.ttf");
/// The line at a count's limit, and nothing else, has this colour.
pub const LIMIT_COLOR: [u8; 3] = [0xb4, 0x14, 0x28];
/// Pixels, or points.
const WIDTH: u32 = 900;

const LIMIT: RGBColor = RGBColor(LIMIT_COLOR[0], LIMIT_COLOR[1], LIMIT_COLOR[2]);
const IN_TIME: RGBColor = RGBColor(0x2c, 0x6e, 0x9b);
const TAKEN: RGBColor = RGBColor(0xe0, 0x8a, 0x2e);
const INK: RGBColor = RGBColor(0x22, 0x22, 0x22);

/// A picture to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Picture {
    /// How many wins take how many moves, and where the count cuts them off.
    Distances(DistancesPlot),
    /// Of each set, the share of the wins that the count takes.
    Shares(SharesPlot),
    /// How long wins take, by the square of the defender's king.
    Squares(Box<SquaresPlot>),
}

/// Why there is no picture.
#[derive(Debug, Error)]
pub enum PlotError {
    /// The tables can't tell.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// There is nothing to be seen.
    #[error("{0} has no wins to draw a picture of")]
    Nothing(Material),
    /// The side to move is left out of the tables.
    #[error("the tables of {0} leave out the attacker to move; name the other side with --attacker")]
    Absent(Material),
    /// It could not be drawn.
    #[error("the picture can't be drawn: {0}")]
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

    /// As SVG. Its text is text, for the reader's font.
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

    /// As the bytes of a PNG file.
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
    register_font("sans-serif", FontStyle::Normal, FONT).map_err(|_| PlotError::draw("the font can't be read"))
}
