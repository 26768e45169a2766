//! The version.

use std::ffi::{CStr, c_char};

/// The version of this interface. A change that breaks programs raises it; it is the number in the shared library's name.
pub const MAKRUK_VERSION_MAJOR: i32 = 1;
/// Raised by what is added to the interface.
pub const MAKRUK_VERSION_MINOR: i32 = 3;

const VERSION: &CStr = c"1.3";

/// The version of the interface, such as "1.3". The text lives as long as the program.
#[unsafe(no_mangle)]
pub extern "C" fn makruk_version() -> *const c_char {
    VERSION.as_ptr()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_that_of_the_numbers() {
        assert_eq!(VERSION.to_str().unwrap_or_default(), format!("{MAKRUK_VERSION_MAJOR}.{MAKRUK_VERSION_MINOR}"));
    }
}
