//! `/line.gif`: a line as an animated picture, which shows the board after each move. Chat programs play GIF and hardly any other format.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use axum::body::Bytes;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use http::StatusCode;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use makruk_tables::material::MaterialSide;
use makruk_tables::rules::{Color, CountingRules, Fen, Move, Square};
use moka::future::Cache;
use serde::Deserialize;

use crate::admission::jobs::Cost;
use crate::admission::request_context::{CancellationCheck, RequestContext};
use crate::backend::Backend;
use crate::http::canvas::{HEIGHT, Sheet, UNCHANGED, View, WIDTH};
use crate::http::response::{UrlQuery, failure_response, logged_failure};
use crate::status::Failure;
use crate::tables::snapshot::SnapshotProber;

/// The most moves of a line: those that the page shows at most.
const MOST_MOVES: usize = 400;
/// Bytes of the animations that are kept.
const KEPT_BYTES: u64 = 16 << 20;
/// The time for which a position is shown, in hundredths of a second: the first, each other, and the last.
const DELAYS: [u16; 3] = [150, 100, 400];

static SHEET: LazyLock<Option<Sheet>> = LazyLock::new(Sheet::draw);
static DRAWN: LazyLock<Cache<Line, Bytes>> = LazyLock::new(|| {
    let weight = |line: &Line, gif: &Bytes| u32::try_from(gif.len() + size_of_val(&line.moves[..])).unwrap_or(u32::MAX);
    Cache::builder().weigher(weight).max_capacity(KEPT_BYTES).build()
});

#[derive(Debug, Deserialize)]
pub(crate) struct AnimationQuery {
    fen: String,
    /// The moves in SAN or UCI notation, with commas or spaces between them.
    moves: Option<String>,
    /// Present if the board is seen from Black's side.
    flip: Option<String>,
}

/// A line to be drawn.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Line {
    first: Fen,
    moves: Vec<Move>,
    is_flipped: bool,
}

/// The animated picture of a line. It needs no table: the line is the client's.
pub(crate) async fn line(
    State(backend): State<Arc<Backend>>,
    Extension(context): Extension<RequestContext>,
    UrlQuery(query): UrlQuery<AnimationQuery>,
) -> Response {
    let line = match query.line(backend.tables.rules()) {
        Ok(line) => line,
        Err(failure) => return failure_response(&query.fen, failure),
    };
    if let Some(gif) = DRAWN.get(&line).await {
        return gif_response(gif);
    }
    let (drawn, rules) = (line.clone(), backend.tables.rules().clone());
    let work = move |_: &SnapshotProber, check: &CancellationCheck| drawn.animation(&rules, check).transpose();
    match backend.run(&context, Cost::batch(1), work).await {
        Ok((Ok(gif), permits)) => {
            DRAWN.insert(line, gif.clone()).await;
            let mut response = gif_response(gif);
            response.extensions_mut().insert(Arc::new(permits));
            response
        }
        Ok((Err(_), _)) => (StatusCode::INTERNAL_SERVER_ERROR, "the line cannot be drawn\n").into_response(),
        Err(failure) => logged_failure("an animation", &line.first.to_string(), failure),
    }
}

fn gif_response(gif: Bytes) -> Response {
    // A line looks the same for ever.
    ([(CONTENT_TYPE, "image/gif"), (CACHE_CONTROL, "public, max-age=604800")], gif).into_response()
}

impl AnimationQuery {
    fn line(&self, rules: &CountingRules) -> Result<Line, Failure> {
        let first = Fen::parse(&self.fen).map_err(|error| Failure::Probe(error.into()))?;
        let given = self.moves.as_deref().unwrap_or_default();
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let texts: Vec<&str> = given.split([',', ' ', '_']).filter(|text| !is_number(text)).collect();
        if texts.is_empty() {
            let problem = format!("the line has no moves: expected 1 to {MOST_MOVES}, such as moves=Rb2,Rxb2");
            return Err(Failure::Moves { problem, found: None });
        }
        if texts.len() > MOST_MOVES {
            let problem = format!("the line has {} moves: expected at most {MOST_MOVES}", texts.len());
            return Err(Failure::Moves { problem, found: None });
        }
        let (mut moves, mut fen) = (Vec::with_capacity(texts.len()), first.clone());
        for (at, text) in texts.into_iter().enumerate() {
            let mv = Move::from_san(&fen.position, text).map_err(|problem| Failure::Moves {
                problem: format!("move {} of the line cannot be played: {problem}", at + 1),
                found: Some(text.chars().take(40).collect()),
            })?;
            fen = fen.play(rules, mv);
            moves.push(mv);
        }
        Ok(Line { first, moves, is_flipped: self.flip.is_some() })
    }
}

impl Line {
    /// The animation; `None` if nobody waits for it any more.
    fn animation(&self, rules: &CountingRules, check: &CancellationCheck) -> Result<Option<Bytes>, EncodingError> {
        let sheet = SHEET.as_ref().ok_or(EncodingError::OutOfMemory)?;
        let mut gif = Encoder::new(Vec::new(), WIDTH as u16, HEIGHT as u16, &sheet.palette)?;
        gif.set_repeat(Repeat::Infinite)?;
        let mut fen = self.first.clone();
        let [white, black] = Color::ALL.map(|color| MaterialSide::of(fen.position.board(), color));
        let mut before = self.pixels(sheet, &fen, &[], &format!("{white}v{black}"));
        let whole = Frame { width: WIDTH as u16, height: HEIGHT as u16, ..Frame::default() };
        gif.write_frame(&Frame { delay: DELAYS[0], buffer: Cow::Borrowed(&before), ..whole })?;
        for (at, &mv) in self.moves.iter().enumerate() {
            if check.is_cancelled() {
                return Ok(None);
            }
            let caption = numbered(&fen, mv);
            fen = fen.play(rules, mv);
            let after = self.pixels(sheet, &fen, &[mv.from, mv.to], &caption);
            let delay = DELAYS[if at + 1 == self.moves.len() { 2 } else { 1 }];
            gif.write_frame(&Frame { delay, ..changed(&before, &after) })?;
            before = after;
        }
        Ok(Some(Bytes::from(gif.into_inner()?)))
    }

    fn pixels(&self, sheet: &Sheet, fen: &Fen, marked: &[Square], caption: &str) -> Vec<u8> {
        let captions = [caption, &count_text(fen)];
        sheet.board(&View { board: fen.position.board(), marked, is_flipped: self.is_flipped, captions })
    }
}

/// A move with its number: `3. Rxb2`, `1... Rb2`.
fn numbered(fen: &Fen, mv: Move) -> String {
    let dots = if fen.position.turn() == Color::White { "." } else { "..." };
    format!("{}{dots} {}", fen.fullmove, mv.to_san(&fen.position))
}

/// The moves counted and the limit, `4/8`, and `=` if the count has run out; empty if no count runs.
fn count_text(fen: &Fen) -> String {
    let Some(count) = fen.running_count() else { return String::new() };
    let limit = count.limit() / 2;
    let counted = count.ply().div_ceil(2).min(limit);
    let end = if count.draws(fen.position.is_checkmate()) { " =" } else { "" };
    format!("{counted}/{limit}{end}")
}

/// The part of a picture that differs from the picture before.
fn changed(before: &[u8], after: &[u8]) -> Frame<'static> {
    let rows = || before.chunks_exact(WIDTH).zip(after.chunks_exact(WIDTH)).enumerate();
    // Left, right, top and bottom of the part; one pixel if nothing differs.
    let mut part: Option<[usize; 4]> = None;
    for (row, (before, after)) in rows().filter(|(_, (before, after))| before != after) {
        let mut pairs = before.iter().zip(after);
        let first = pairs.position(|(before, after)| before != after).unwrap_or(0);
        let last = before.iter().zip(after).rposition(|(before, after)| before != after).unwrap_or(first);
        let [left, right, top, _] = part.unwrap_or([first, last, row, row]);
        part = Some([left.min(first), right.max(last), top, row]);
    }
    let [left, right, top, bottom] = part.unwrap_or_default();
    let buffer: Vec<u8> = rows()
        .filter(|(row, _)| (top..=bottom).contains(row))
        .flat_map(|(_, (before, after))| before[left..=right].iter().zip(&after[left..=right]))
        .map(|(before, after)| if before == after { UNCHANGED } else { *after })
        .collect();
    // All are at most the picture's width and height.
    let [left, top, width, height] = [left, top, right + 1 - left, bottom + 1 - top].map(|number| number as u16);
    let dispose = DisposalMethod::Keep;
    Frame {
        left,
        top,
        width,
        height,
        dispose,
        transparent: Some(UNCHANGED),
        buffer: Cow::Owned(buffer),
        ..Frame::default()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use gif::{ColorOutput, DecodeOptions};
    use tokio::time::Instant;
    use tokio_util::sync::CancellationToken;

    use super::*;

    const SAVE: &str = "1K6/8/5k2/8/1R6/4R3/7r/8 b - - 0 1";
    const MOVES: &str = "Rb2,Rxb2,Kf5,Rf2+,Kg4,Ka7,Kg5,Rg3+,Kh4,Rfg2,Kh5,Rh2#";

    fn line(fen: &str, moves: &str) -> Result<Line, Failure> {
        let query = AnimationQuery { fen: fen.to_owned(), moves: Some(moves.to_owned()), flip: None };
        query.line(&CountingRules::MAKRUK)
    }

    fn animation(line: &Line) -> Bytes {
        let deadline = Instant::now() + Duration::from_secs(60);
        let check = CancellationCheck { cancelled: CancellationToken::new(), deadline };
        line.animation(&CountingRules::MAKRUK, &check).unwrap().unwrap()
    }

    #[test]
    fn each_frame_shows_the_board_after_a_move() {
        let line = line(SAVE, MOVES).unwrap();
        let bytes = animation(&line);
        assert!(bytes.len() < 60_000, "{} bytes", bytes.len());
        let mut options = DecodeOptions::new();
        options.set_color_output(ColorOutput::Indexed);
        let mut gif = options.read_info(&bytes[..]).unwrap();
        assert_eq!(
            (usize::from(gif.width()), usize::from(gif.height()), gif.repeat()),
            (WIDTH, HEIGHT, Repeat::Infinite)
        );
        let sheet = SHEET.as_ref().unwrap();
        assert_eq!(gif.global_palette().unwrap(), sheet.palette);
        let (mut shown, mut fen) = (vec![UNCHANGED; WIDTH * HEIGHT], line.first.clone());
        let mut delays = Vec::new();
        while let Some(frame) = gif.read_next_frame().unwrap() {
            let (left, top) = (usize::from(frame.left), usize::from(frame.top));
            for (row, pixels) in frame.buffer.chunks_exact(usize::from(frame.width)).enumerate() {
                for (column, &pixel) in pixels.iter().enumerate().filter(|(_, pixel)| **pixel != UNCHANGED) {
                    shown[(top + row) * WIDTH + left + column] = pixel;
                }
            }
            let expected = match delays.len().checked_sub(1).map(|at| line.moves[at]) {
                None => line.pixels(sheet, &fen, &[], "KRRvKR"),
                Some(mv) => {
                    let caption = numbered(&fen, mv);
                    fen = fen.play(&CountingRules::MAKRUK, mv);
                    line.pixels(sheet, &fen, &[mv.from, mv.to], &caption)
                }
            };
            assert!(shown == expected, "frame {} is not the board at {fen}", delays.len());
            delays.push(frame.delay);
        }
        assert_eq!(
            delays,
            [&[150][..], &[100; 11], &[400]].concat(),
            "a frame for the position, and one for each move"
        );
        assert!(fen.position.is_checkmate());
    }

    #[test]
    fn captions_have_the_move_and_the_count() {
        let mut fen = line(SAVE, MOVES).unwrap().first;
        let mut captions = vec![count_text(&fen)];
        for mv in line(SAVE, MOVES).unwrap().moves {
            let numbered = numbered(&fen, mv);
            fen = fen.play(&CountingRules::MAKRUK, mv);
            captions.push(format!("{numbered}  {}", count_text(&fen)));
        }
        assert_eq!(captions[..3], ["", "1... Rb2  0/64", "2. Rxb2  4/8"]);
        // The last move mates after the count has run out.
        assert_eq!(captions[10..], ["6. Rfg2  8/8", "6... Kh5  8/8 =", "7. Rh2#  8/8 ="]);
    }

    #[test]
    fn moves_are_read_in_either_notation_with_their_numbers() {
        let san = line(SAVE, "1... Rb2 2. Rxb2 Kf5").unwrap();
        // An unescaped + of a query is a space.
        assert_eq!(line(SAVE, "h2b2,b4b2 ,f6f5").unwrap(), san);
        assert_eq!(line(&SAVE.replace(' ', "_"), "Rb2_Rxb2_Kf5").unwrap(), san);
    }

    #[test]
    fn each_refusal_names_the_move_and_what_is_expected() {
        let message = |moves: &str| line(SAVE, moves).unwrap_err().view().message;
        assert_eq!(message(""), "the line has no moves: expected 1 to 400, such as moves=Rb2,Rxb2");
        assert!(
            message("Rb2,Rh8")
                .starts_with("move 2 of the line cannot be played: \"Rh8\" is illegal: the legal rook moves")
        );
        assert!(message("e2e4").contains("no man stands on e2"));
        assert!(message("Rb2,nonsense").contains("\"nonsense\" is not a move"));
        assert_eq!(message(&"Kf5,".repeat(401)), "the line has 401 moves: expected at most 400");
        let place = line(SAVE, "Kh1").unwrap_err().view().place();
        assert_eq!((place.field, place.found.as_deref()), (Some("moves"), Some("Kh1")));
        assert!(matches!(line("8/8 w", "Kf5"), Err(Failure::Probe(_))));
    }

    #[test]
    fn a_move_takes_few_bytes_and_is_not_drawn_for_nobody() {
        let moves = ["Kc1", "Kf5", "Kb1", "Kf6"].repeat(10).join(",");
        let line = line("8/8/5k2/8/1R6/4R3/7r/1K6 w - - 0 1", &moves).unwrap();
        let bytes = animation(&line);
        // So the longest line has less than 2 MB.
        assert!(bytes.len() < 40 * 5000, "{} bytes", bytes.len());
        // Nobody waits any more.
        let cancelled = CancellationCheck { cancelled: CancellationToken::new(), deadline: Instant::now() };
        assert!(line.animation(&CountingRules::MAKRUK, &cancelled).unwrap().is_none());
    }
}
