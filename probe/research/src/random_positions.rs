//! Random positions of materials, with their values.

use fastrand::Rng;
use makruk_probe::judge::moves_in;
use makruk_probe::{Category, ProbeError, Prober, ValueSource, Verdict};
use makruk_rules::{Board, ByColor, Color, Fen, Piece, Position, Role, Square};
use makruk_tables::material::Material;
use rayon::prelude::*;

use crate::error::ResearchError;
use crate::named::named;
use crate::progress::Progress;

/// The positions that are drawn with one state of the random numbers, by one thread.
const CHUNK: u64 = 1 << 10;
/// The chunks that are drawn before they are passed on.
const CHUNKS_AT_A_TIME: u64 = 64;
/// The score of a win in [`PositionFormat::Plain`], before its moves are taken off.
const WIN_SCORE: i32 = 3000;
/// The score that each move up to the conversion takes off a win. At least half of [`WIN_SCORE`] stays.
const MOVE_SCORE: i32 = 10;

named! {
    /// The format of a position with its values.
    #[derive(Default)]
    pub enum PositionFormat("a format of positions") {
        /// A line of four fields with tabs between them: FEN, category, and the signed plies of DTM and DTZ, empty if
        /// there are none.
        #[default]
        Tsv = "tsv",
        /// Six lines, as the training tools of Fairy-Stockfish read them: `fen`, `move` (none), `score`, `ply`,
        /// `result`, `e`.
        Plain = "plain",
    }
}

/// Draws positions of materials: every legal position in which the side to move has a legal move is as likely as any
/// other. A material that differs from its colour-flipped form comes in both.
#[derive(Clone, Debug)]
pub struct PositionDraw {
    materials: Vec<Material>,
    /// The sums of the weights up to each material. A weight is the number of ways to put its men on 64 squares.
    ends: Vec<u64>,
}

impl PositionDraw {
    /// The positions of these materials.
    pub fn new(materials: Vec<Material>) -> PositionDraw {
        let mut end = 0;
        let ends = materials.iter().map(|material| {
            let placements: u64 = (0..material.men() as u64).map(|men| 64 - men).product();
            // Like men are not told apart.
            let orders =
                |color| Role::ALL.map(|role| (1..=u64::from(material.side(color).count(role))).product::<u64>());
            let orders: u64 = Color::ALL.map(orders).concat().into_iter().product();
            let forms = if material.is_color_symmetric() { 1 } else { 2 };
            end += placements / orders * forms;
            end
        });
        PositionDraw { ends: ends.collect(), materials }
    }

    /// A position; `None` if there is no material.
    ///
    /// Men are put on random squares. If the result is no legal position, all is drawn again, the material included.
    pub fn draw(&self, rng: &mut Rng) -> Option<Position> {
        let last = *self.ends.last()?;
        loop {
            let number = rng.u64(..last);
            let material = self.materials[self.ends.partition_point(|&end| end <= number)];
            let mut board = Board::empty();
            for man in Color::ALL.map(|color| Piece::new(color, Role::King)).into_iter().chain(material.pieces()) {
                let mut square = Square::new(rng.u8(..64));
                while board.piece_at(square).is_some() {
                    square = Square::new(rng.u8(..64));
                }
                board.set(square, man);
            }
            let board = if rng.bool() && !material.is_color_symmetric() { board.color_flipped() } else { board };
            let turn = if rng.bool() { Color::White } else { Color::Black };
            if let Ok(position) = Position::new(board, turn)
                && position.has_legal_move()
            {
                return Some(position);
            }
        }
    }
}

impl PositionFormat {
    /// A position without a running count and its values, as text with its line ends.
    pub fn text(self, fen: &Fen, verdict: &Verdict) -> String {
        match self {
            PositionFormat::Tsv => {
                let plies = |plies: Option<i32>| plies.map_or(String::new(), |plies| plies.to_string());
                let (dtm, dtz) = (verdict.dtm.signed_plies(), verdict.dtz.signed_plies());
                format!("{fen}\t{}\t{}\t{}\n", verdict.category.name(), plies(dtm), plies(dtz))
            }
            PositionFormat::Plain => {
                let moves = verdict.dtz.plies().map_or(0, |plies| moves_in(plies) as i32);
                let won = (WIN_SCORE - MOVE_SCORE * moves).max(WIN_SCORE / 2);
                let (score, result) = match verdict.category {
                    Category::Win => (won, 1),
                    Category::Loss => (-won, -1),
                    Category::CursedWin | Category::Draw | Category::BlessedLoss => (0, 0),
                };
                let ply = ByColor { white: 0, black: 1 }[fen.position.turn()];
                format!("fen {fen}\nmove (none)\nscore {score}\nply {ply}\nresult {result}\ne\n")
            }
        }
    }
}

/// The extent and the format of an export of random positions.
#[derive(Clone, Debug)]
pub struct PositionExport {
    /// The positions to draw from.
    pub draw: PositionDraw,
    /// The seed of the draws.
    pub seed: u64,
    /// The number of positions.
    pub number: u64,
    /// The format.
    pub format: PositionFormat,
    /// Threads; all cores if `None`.
    pub threads: Option<usize>,
}

impl PositionExport {
    /// Draws the positions and passes their texts on. The seed alone decides them and their order. Returns the number
    /// of positions that were passed on; it is less if `progress` stopped the work or if there is no material.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged, if the threads cannot be started, and the errors of `sink`.
    pub fn run<S: ValueSource + Sync, E: From<ResearchError>>(
        &self,
        prober: &Prober<S>,
        mut sink: impl FnMut(&str) -> Result<(), E>,
        progress: &mut dyn Progress,
    ) -> Result<u64, E> {
        let threads = self.threads.unwrap_or(0);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(ResearchError::from)?;
        let chunk = |chunk: u64| self.chunk(prober, chunk);
        let number = if self.draw.materials.is_empty() { 0 } else { self.number };
        let chunks = number.div_ceil(CHUNK);
        let mut next = 0;
        while next < chunks && !progress.is_stopped() {
            let end = chunks.min(next + CHUNKS_AT_A_TIME);
            let texts: Result<Vec<String>, _> = pool.install(|| (next..end).into_par_iter().map(chunk).collect());
            for text in texts.map_err(ResearchError::from)? {
                sink(&text)?;
            }
            next = end;
            progress.scanned(number.min(next * CHUNK), number, number.min(next * CHUNK));
        }
        Ok(number.min(next * CHUNK))
    }

    /// The texts of one chunk.
    fn chunk<S: ValueSource>(&self, prober: &Prober<S>, chunk: u64) -> Result<String, ProbeError> {
        let mut rng = Rng::with_seed(self.seed.wrapping_add(chunk.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        let mut text = String::new();
        for _ in chunk * CHUNK..self.number.min((chunk + 1) * CHUNK) {
            let Some(position) = self.draw.draw(&mut rng) else { break };
            let fen = Fen::new(position, None);
            text.push_str(&self.format.text(&fen, &prober.probe(&fen)?));
        }
        Ok(text)
    }
}
