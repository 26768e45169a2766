//! The font of pictures.

/// DejaVu Sans, cut down to ASCII and three signs more. Pictures are drawn with it, so that no font of the system is needed.
pub const FONT: &[u8] = include_bytes!("font/DejaVuSans-subset.ttf");
