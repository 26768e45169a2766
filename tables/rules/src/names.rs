//! Enums whose values have names.

/// Gives an enum the list of its values and their names, as which they are written.
#[doc(hidden)]
#[macro_export]
macro_rules! names {
    ($type:ident: $($value:ident = $name:literal),* $(,)?) => {
        impl $type {
            /// Every value, in order.
            pub const ALL: [$type; [$($name),*].len()] = [$($type::$value),*];

            /// The name, as programs match it.
            pub const fn name(self) -> &'static str {
                match self {
                    $($type::$value => $name,)*
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}
