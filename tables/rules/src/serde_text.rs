//! Serialization as text, with the feature `serde`: each type as the text that it is written and read as.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

pub use serde::de::{Deserialize, Deserializer, Error, Visitor};
pub use serde::ser::{Serialize, Serializer};

use crate::{Category, Color, Fen, GameResult, Move, Piece, Reading, Role, Square};

/// Reads a type from a string.
pub struct TextVisitor<T>(pub &'static str, pub PhantomData<T>);

impl<T: FromStr<Err: fmt::Display>> Visitor<'_> for TextVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

/// Types that are deserialized from the text that [`FromStr`] reads.
#[doc(hidden)]
#[macro_export]
macro_rules! deserialize_text {
    ($($type:ty: $expecting:literal),* $(,)?) => {$(
        impl<'de> $crate::serde_text::Deserialize<'de> for $type {
            fn deserialize<D: $crate::serde_text::Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                deserializer.deserialize_str($crate::serde_text::TextVisitor($expecting, std::marker::PhantomData))
            }
        }
    )*};
}

/// Types that are serialized as the text that [`fmt::Display`] writes.
#[doc(hidden)]
#[macro_export]
macro_rules! serialize_text {
    ($($type:ty),* $(,)?) => {$(
        impl $crate::serde_text::Serialize for $type {
            fn serialize<S: $crate::serde_text::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
    )*};
}

deserialize_text! {
    Category: "a category such as blessed-loss",
    Color: "white or black",
    Fen: "a FEN",
    Reading: "a FEN",
    GameResult: "a result such as 1-0",
    Piece: "a piece's letter",
    Role: "a role such as rook",
    Square: "a square such as e4",
}

serialize_text!(Category, Fen, GameResult, Move, Piece, Role, Square);

/// In small letters, as in the programs' JSON.
impl Serialize for Color {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
