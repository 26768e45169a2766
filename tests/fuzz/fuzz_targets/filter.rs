//! Any text as a filter of saves: a filter is printed as it was given; errors name a column of the text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use makruk_research::Filter;

fuzz_target!(|text: &str| match text.parse::<Filter>() {
    Ok(filter) => assert_eq!(filter.to_string(), text),
    Err(error) => assert!((1..=text.chars().count() + 1).contains(&error.column), "{error}"),
});
