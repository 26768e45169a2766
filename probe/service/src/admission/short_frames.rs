//! Short frames of HTTP/2: each that is not read takes much more memory than it has bytes.
//!
//! The library of HTTP/2 closes a connection that leaves too many small frames unread, as clients of gRPC do that send
//! one message a frame and read slowly. So its bound is set far away, and this one counts only frames that are shorter
//! than any message of gRPC. The others are bounded by the windows of their streams, and counted as
//! [`stream_bytes`](crate::admission::limits::stream_bytes).

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::admission::limits::{FIRST_WINDOW_BYTES, LEAST_FRAME_BYTES, SHORT_FRAMES, STREAM_WINDOW_BYTES};

/// The preface of HTTP/2 (RFC 9113, section 3.4).
const PREFACE: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// The length of a frame's header, and the type of a frame of data.
const HEADER_BYTES: usize = 9;
const DATA: u8 = 0;
/// The type of the frame, and its flag, by which a client accepts the server's settings.
const SETTINGS: u8 = 4;
const ACCEPTED: u8 = 1;

/// The bytes by which unread frames of a connection are too short, and the window of its streams.
#[derive(Debug, Default)]
pub(crate) struct ShortFrames {
    missing: AtomicUsize,
    has_settings: AtomicBool,
    has_preface: AtomicBool,
}

impl ShortFrames {
    /// Counts a frame that has arrived; false if there are too many.
    fn add(&self, bytes: usize) -> bool {
        let short = missing(bytes);
        self.missing.fetch_add(short, Ordering::Relaxed) + short <= SHORT_FRAMES * (LEAST_FRAME_BYTES - 1)
    }

    /// The bytes that a client may send on a stream that begins now.
    pub(crate) fn window_bytes(&self) -> usize {
        if self.has_settings.load(Ordering::Relaxed) { STREAM_WINDOW_BYTES } else { FIRST_WINDOW_BYTES }
    }

    /// Whether the client has sent as much as a preface; no request of HTTP/1.1 is shorter.
    pub(crate) fn has_preface(&self) -> bool {
        self.has_preface.load(Ordering::Relaxed)
    }

    /// Counts a frame that was read.
    pub(crate) fn remove(&self, bytes: usize) {
        let short = missing(bytes);
        if short > 0 {
            let _ =
                self.missing.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |all| Some(all.saturating_sub(short)));
        }
    }

    /// Restarts the count: nothing is unread.
    pub(crate) fn clear(&self) {
        self.missing.store(0, Ordering::Relaxed);
    }
}

/// The bytes by which a frame is too short. Empty frames are bounded by the library.
fn missing(bytes: usize) -> usize {
    if bytes == 0 { 0 } else { LEAST_FRAME_BYTES.saturating_sub(bytes) }
}

/// Finds the frames in what a client sends.
#[derive(Debug, Default)]
pub(crate) struct FrameReader {
    /// Bytes of the preface, or of another protocol's beginning, that were seen.
    begun: usize,
    is_other: bool,
    header: [u8; HEADER_BYTES],
    /// Bytes of the header that were seen.
    seen: usize,
    /// Bytes of the payload that are to come.
    payload: usize,
}

impl FrameReader {
    /// Reads on; false if too many frames are short.
    pub(crate) fn read(&mut self, mut bytes: &[u8], frames: &ShortFrames) -> bool {
        let preface = &PREFACE[self.begun..];
        if !preface.is_empty() {
            let begun = bytes.split_off(..bytes.len().min(preface.len())).unwrap_or_default();
            self.is_other |= !preface.starts_with(begun);
            self.begun += begun.len();
            frames.has_preface.store(self.begun == PREFACE.len(), Ordering::Relaxed);
        }
        if self.is_other {
            return true;
        }
        while !bytes.is_empty() {
            let skipped = bytes.len().min(self.payload);
            self.payload -= skipped;
            bytes = &bytes[skipped..];
            let more = bytes.len().min(HEADER_BYTES - self.seen);
            self.header[self.seen..self.seen + more].copy_from_slice(&bytes[..more]);
            self.seen += more;
            bytes = &bytes[more..];
            if self.seen == HEADER_BYTES {
                self.seen = 0;
                let [a, b, c, kind, flags, ..] = self.header;
                self.payload = u32::from_be_bytes([0, a, b, c]) as usize;
                if kind == SETTINGS && flags & ACCEPTED != 0 {
                    frames.has_settings.store(true, Ordering::Relaxed);
                }
                if kind == DATA && !frames.add(self.payload) {
                    return false;
                }
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(kind: u8, payload: usize) -> Vec<u8> {
        let length = (payload as u32).to_be_bytes();
        [&length[1..], &[kind, 0, 0, 0, 0, 1], &vec![7; payload]].concat()
    }

    #[test]
    fn short_frames_are_found_however_they_arrive() {
        let text: Vec<u8> =
            [PREFACE.to_vec(), frame(4, 18), frame(DATA, 1), frame(1, 1), frame(DATA, 0), frame(DATA, 300)].concat();
        let text = [text, frame(DATA, 3), frame(DATA, 5)].concat();
        for step in 1..text.len() {
            let (mut reader, frames) = (FrameReader::default(), ShortFrames::default());
            assert!(text.chunks(step).all(|part| reader.read(part, &frames)));
            assert_eq!(frames.missing.load(Ordering::Relaxed), 4 + 2, "in steps of {step}");
            frames.remove(3);
            frames.remove(1);
            assert_eq!(frames.missing.load(Ordering::Relaxed), 0);
        }
    }

    #[test]
    fn too_many_end_a_connection_unless_they_are_read() {
        let (mut reader, frames) = (FrameReader::default(), ShortFrames::default());
        assert!(reader.read(PREFACE, &frames));
        for _ in 0..10 * SHORT_FRAMES {
            assert!(reader.read(&frame(DATA, 5), &frames) && reader.read(&frame(DATA, 1), &frames));
            frames.remove(1);
        }
        let allowed = (0..).take_while(|_| reader.read(&frame(DATA, 1), &frames)).count();
        assert_eq!(allowed, SHORT_FRAMES);
    }

    #[test]
    fn a_client_that_has_accepted_the_settings_has_a_small_window() {
        let (mut reader, frames) = (FrameReader::default(), ShortFrames::default());
        assert!(reader.read(PREFACE, &frames) && reader.read(&frame(SETTINGS, 6), &frames));
        assert_eq!(frames.window_bytes(), FIRST_WINDOW_BYTES);
        assert!(reader.read(&[0, 0, 0, SETTINGS, ACCEPTED, 0, 0, 0, 0], &frames));
        assert_eq!(frames.window_bytes(), STREAM_WINDOW_BYTES);
    }

    #[test]
    fn other_protocols_have_no_frames() {
        let (mut reader, frames) = (FrameReader::default(), ShortFrames::default());
        assert!(reader.read(b"POST / HTTP/1.1\r\n", &frames) && reader.read(&[0; 4096], &frames));
        assert_eq!(frames.missing.load(Ordering::Relaxed), 0);
    }
}
