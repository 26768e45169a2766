//! Enums whose values have names.

use thiserror::Error;

/// A text that names none of the values of an enum.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{found:?} is not {what}: expected one of {names}")]
pub struct UnknownNameError {
    pub(crate) found: String,
    pub(crate) what: &'static str,
    pub(crate) names: String,
}

/// Defines an enum with all its values, the name of each, and the value of a name.
macro_rules! named {
    ($(#[$about:meta])* pub enum $name:ident($what:literal) { $($(#[$of_value:meta])* $value:ident = $text:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$of_value])* $value,)*
        }

        makruk_rules::names!($name: $($value = $text),*);

        impl std::str::FromStr for $name {
            type Err = $crate::named::UnknownNameError;

            fn from_str(text: &str) -> Result<$name, Self::Err> {
                $name::ALL.into_iter().find(|value| value.name() == text).ok_or_else(|| Self::Err {
                    found: text.chars().take(40).collect(),
                    what: $what,
                    names: [$($text),*].join(", "),
                })
            }
        }
    };
}
pub(crate) use named;
