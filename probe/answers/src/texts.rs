//! The texts of questions.

use makruk_probe::Policy;
use makruk_rules::Reading;

use crate::{Door, Refusal};

/// Begins a question about the position of a text.
pub(crate) fn about<T>(
    text: String,
    door: Door,
    begin: impl FnOnce(&str, Reading) -> Result<T, Box<Refusal>>,
) -> Result<T, Box<Refusal>> {
    let reading = Reading::parse(&text).map_err(|error| Box::new(Refusal::of(error.into(), door.remedy)));
    reading.and_then(|reading| begin(&text, reading)).map_err(|refusal| Box::new(refusal.about(&text)))
}

/// The policy of a name.
pub(crate) fn policy(name: Option<&str>, text: &str) -> Result<Policy, Box<Refusal>> {
    let Some(name) = name else { return Ok(Policy::default()) };
    Policy::from_name(name).ok_or_else(|| Box::new(Refusal::of_policy(name).about(text)))
}
