//! A field of a question.

use std::fmt;

use makruk_probe::Policy;
use makruk_rules::{Color, Fen, Reading};
use serde::de::{Deserialize, Deserializer, Error, Visitor};

use crate::{Door, Reason, Refusal};

/// A field of a question, which was read once: its value, or the refusal of a text that has none. The question is
/// refused when it begins.
#[derive(Clone, Debug)]
pub struct Field<T>(Result<T, Box<Refusal>>);

/// A value that a field of a question may have.
pub trait FieldValue: Sized {
    /// Reads a text.
    ///
    /// # Errors
    ///
    /// If the text has no such value.
    fn read(text: &str) -> Result<Self, Box<Refusal>>;
}

impl FieldValue for Reading {
    fn read(text: &str) -> Result<Reading, Box<Refusal>> {
        Reading::parse(text).map_err(|error| Box::new(Refusal::of_fen(error, text)))
    }
}

impl FieldValue for Policy {
    fn read(name: &str) -> Result<Policy, Box<Refusal>> {
        let what = "policy: expected fastest, safest, stubborn or tricky";
        Policy::from_name(name).ok_or_else(|| Refusal::of_word(Reason::BadPolicy, "policy", name, what).into())
    }
}

impl FieldValue for Color {
    fn read(name: &str) -> Result<Color, Box<Refusal>> {
        let what = "side: expected white or black";
        Color::from_name(name).ok_or_else(|| Refusal::of_word(Reason::BadSide, "side", name, what).into())
    }
}

impl<T: FieldValue> From<&str> for Field<T> {
    fn from(text: &str) -> Field<T> {
        Field(T::read(text))
    }
}

impl From<Reading> for Field<Reading> {
    fn from(reading: Reading) -> Field<Reading> {
        Field(Ok(reading))
    }
}

impl From<Fen> for Field<Reading> {
    fn from(fen: Fen) -> Field<Reading> {
        Field(Ok(Reading { fen, notes: Vec::new() }))
    }
}

impl<T> Field<T> {
    /// The value, if the text has one.
    pub fn value(&self) -> Option<&T> {
        self.0.as_ref().ok()
    }

    /// The value.
    ///
    /// # Errors
    ///
    /// If the text has none, with the remedy of the door.
    pub fn read(self, door: Door) -> Result<T, Box<Refusal>> {
        self.0.map_err(|refusal| Box::new(refusal.worded(door.remedy)))
    }

    /// The value in a question about a position.
    pub(crate) fn of(self, reading: &Reading, door: Door) -> Result<T, Box<Refusal>> {
        self.read(door).map_err(|refusal| Box::new(refusal.about(&reading.fen)))
    }
}

impl Field<Reading> {
    /// The position, normalised, or the text that is none: for messages.
    pub fn text(&self) -> String {
        match &self.0 {
            Ok(reading) => reading.fen.to_string(),
            Err(refusal) => refusal.fen.clone().unwrap_or_default(),
        }
    }
}

impl<'de, T: FieldValue> Deserialize<'de> for Field<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Field<T>, D::Error> {
        struct Text<T>(std::marker::PhantomData<T>);

        impl<T: FieldValue> Visitor<'_> for Text<T> {
            type Value = Field<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Field<T>, E> {
                Ok(Field::from(text))
            }
        }

        deserializer.deserialize_str(Text(std::marker::PhantomData))
    }
}

#[cfg(feature = "schema")]
impl<T> schemars::JsonSchema for Field<T> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "String".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        String::json_schema(generator)
    }
}
