//! Serialization as text, with the feature `serde`: each type as the text that it is written and read as.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::material::Material;
use crate::rules::{Category, Color, Fen, GameResult, Move, Piece, Role, Square};
use crate::tablebase::TableId;
use crate::value::Metric;

/// Reads a type from a string.
struct TextVisitor<T>(&'static str, PhantomData<T>);

impl<T: FromStr<Err: fmt::Display>> Visitor<'_> for TextVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

macro_rules! deserialize_text {
    ($($type:ty: $expecting:literal),* $(,)?) => {$(
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                deserializer.deserialize_str(TextVisitor($expecting, PhantomData))
            }
        }
    )*};
}

macro_rules! serialize_text {
    ($($type:ty),* $(,)?) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
    )*};
}

deserialize_text! {
    Category: "a category such as blessed-loss",
    Color: "white or black",
    Fen: "a FEN",
    GameResult: "a result such as 1-0",
    Material: "a material such as KRRvKR",
    Metric: "dtm, dtz or category",
    Piece: "a piece's letter",
    Role: "a role such as rook",
    Square: "a square such as e4",
    TableId: "a table such as KRRvKR.dtm",
}

serialize_text!(Category, Fen, GameResult, Material, Metric, Move, Piece, Role, Square, TableId);

/// In small letters, as in the programs' JSON.
impl Serialize for Color {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
