//! The boundary: no panic leaves it, and texts are written into the caller's buffers.

use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::result::MAKRUK_INTERNAL_ERROR;

/// Runs the body of a function. A failure is its result; a panic is [`MAKRUK_INTERNAL_ERROR`].
pub(crate) fn guarded(work: impl FnOnce() -> Result<i32, i32>) -> i32 {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(value) | Err(value)) => value,
        Err(_) => MAKRUK_INTERNAL_ERROR,
    }
}

/// Writes a text with a null at its end, cut off if there is no room, and returns the length of the whole without the null.
///
/// # Safety
///
/// `buffer` is null, or points to `size` bytes that may be written.
pub(crate) unsafe fn write_text(text: &str, buffer: *mut c_char, size: usize) -> i32 {
    if !buffer.is_null() && size > 0 {
        let mut kept = text.len().min(size - 1);
        while !text.is_char_boundary(kept) {
            kept -= 1;
        }
        // SAFETY: the caller has promised `size` bytes, of which `kept` and one are written; the text is not part of them.
        unsafe {
            std::ptr::copy_nonoverlapping(text.as_ptr(), buffer.cast(), kept);
            buffer.add(kept).write(0);
        }
    }
    i32::try_from(text.len()).unwrap_or(i32::MAX)
}
