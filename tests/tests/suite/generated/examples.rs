//! The examples of answers in `openapi.json`: those of a server of all tables of up to four men to the example of a request.

use std::fmt::Write;

use makruk_tables::material::Material;
use serde_json::Value;

use super::Outcome;
use crate::doors::service::{answer, escaped, serve};

/// The place of an answer in the paths' file.
const PLACE: &str = "\"asked\"";
/// The items of a list that an example shows.
const ITEMS: usize = 2;

/// The paths with the answers in their places.
pub(super) fn answered(paths: &str) -> Outcome<String> {
    let description: Value = serde_json::from_str(paths)?;
    let runtime = tokio::runtime::Runtime::new()?;
    let tables = test_tables::alone((3..=4).flat_map(Material::all));
    let server = runtime.block_on(serve(&tables));
    let mut parts = paths.split(PLACE);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (path, body) = question(&description, &text)?;
        let (status, answer) = runtime.block_on(answer(server, &path, body));
        if status != 200 {
            return Err(format!("the example of a request has no answer: {path}: {answer}").into());
        }
        text += &shortened(&answer);
        text += part;
    }
    Ok(text)
}

/// The request of the last path in a text, and its body: each parameter that has an example has that value.
fn question<'a>(description: &'a Value, text: &str) -> Outcome<(String, Option<&'a Value>)> {
    let (_, path) = text.rsplit_once("\n    \"/").ok_or("an answer of no path")?;
    let mut path = format!("/{}", path.split('"').next().unwrap_or_default());
    let operations = &description["paths"][&path];
    if let Some(body) = operations.pointer("/post/requestBody/content/application~1json/example") {
        return Ok((path, Some(body)));
    }
    let mut query = String::new();
    for parameter in operations["get"]["parameters"].as_array().into_iter().flatten() {
        let reference = parameter["$ref"].as_str().and_then(|reference| description.pointer(&reference[1..]));
        let parameter = reference.unwrap_or(parameter);
        let name = parameter["name"].as_str().ok_or("a parameter without a name")?;
        let value = match &parameter["schema"]["examples"][0] {
            Value::Null => continue,
            Value::String(text) => text.clone(),
            value => value.to_string(),
        };
        if parameter["in"] == "path" {
            path = path.replace(&format!("{{{name}}}"), &value);
        } else {
            write!(query, "{}{name}={}", if query.is_empty() { '?' } else { '&' }, escaped(&value))?;
        }
    }
    Ok((path + &query, None))
}

/// JSON whose lists are cut off.
fn shortened(json: &str) -> String {
    // The commas so far of each list that is open, and `None` for each object.
    let mut open: Vec<Option<usize>> = Vec::new();
    let (mut text, mut is_quoted, mut is_escaped) = (String::new(), false, false);
    for letter in json.chars() {
        match letter {
            '"' if !is_escaped => is_quoted = !is_quoted,
            _ if is_quoted => {}
            ']' | '}' => _ = open.pop(),
            ',' => open.last_mut().into_iter().flatten().for_each(|commas| *commas += 1),
            _ => {}
        }
        if open.iter().flatten().all(|&commas| commas < ITEMS) {
            text.push(letter);
        }
        match letter {
            '[' if !is_quoted => open.push(Some(0)),
            '{' if !is_quoted => open.push(None),
            _ => {}
        }
        is_escaped = is_quoted && letter == '\\' && !is_escaped;
    }
    text
}
