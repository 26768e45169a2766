//! Lines on the standard streams.

use std::io::Write;

use anyhow::{Context, Result};

/// Prints text on standard output. The program continues if the reader is gone.
pub(super) fn print(text: &str) {
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
}

/// Prints a value as one line of JSON.
pub(super) fn print_json(value: &impl serde::Serialize) -> Result<()> {
    let mut line = serde_json::to_string(value).context("JSON could not be written")?;
    line.push('\n');
    print(&line);
    Ok(())
}
