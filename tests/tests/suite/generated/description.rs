//! `openapi.json`: its paths are written by hand, in `openapi.paths.json`; its schemas are those of the types that the
//! service reads and writes, described by their comments; its examples of answers are those of a server.

use std::fs;
use std::path::Path;

use makruk_answers as answers;
use makruk_research as research;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

use super::{Outcome, ROOT, examples};

/// The most letters of a line that could also be broken.
const WIDTH: usize = 120;
/// The place of the schemas in the paths' file.
const PLACE: &str = "\"schemas\": {}";
/// The keywords that come first in a schema.
const KEYWORDS: [&str; 6] = ["$ref", "type", "const", "enum", "description", "properties"];

/// The whole description.
pub(super) fn text() -> Outcome<String> {
    let paths = fs::read_to_string(Path::new(ROOT).join("probe/service/openapi.paths.json"))?;
    let paths = examples::answered(&paths)?;
    let mut schemas = Value::Object(schemas());
    plain(&mut schemas);
    let (before, after) = paths.split_once(PLACE).ok_or("openapi.paths.json has no place for the schemas")?;
    Ok(format!("{before}\"schemas\": {}{after}", json(&schemas, &[], 4)))
}

/// The schemas of all answers and of the bodies of requests, by name.
fn schemas() -> Map<String, Value> {
    macro_rules! definitions {
        ($settings:expr, $($type:ty),*) => {{
            let mut generator = $settings.into_generator();
            $(generator.subschema_for::<$type>();)*
            generator.take_definitions(true)
        }};
    }

    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
    });
    let mut definitions = definitions!(
        settings.clone().for_serialize(),
        answers::Refusal,
        answers::BatchItem,
        answers::LineAnswer,
        answers::PlayAnswer,
        answers::ExploredAnswer,
        answers::GamesAnswer,
        answers::CategoryAnswer,
        answers::LichessPosition,
        answers::LichessLineAnswer,
        makruk_probe::Policy,
        research::TableList,
        research::TableStatistics,
        research::MaterialList,
        research::ExampleSaves,
        research::FoundPage,
        research::SaveTotals
    );
    definitions.extend(definitions!(settings.for_deserialize(), answers::Analyse, answers::Batch));
    definitions
}

/// Brings schemas into the form of OpenAPI's readers: a description is the first paragraph of a comment, and numbers
/// have no width. What may be left out is never `null`, and words with a comment each are an enumeration.
fn plain(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(plain),
        Value::Object(schema) => {
            schema.values_mut().for_each(plain);
            if schema.get("format").is_some_and(Value::is_string) {
                schema.remove("format");
            }
            if let Some(Value::String(comment)) = schema.get_mut("description") {
                *comment = comment.split("\n\n").next().unwrap_or_default().replace('\n', " ");
            }
            enumerate(schema);
            // Some readers see nothing beside a reference.
            if schema.contains_key("properties")
                && let Some(reference) = schema.remove("$ref")
            {
                let reference = Map::from_iter([("$ref".to_owned(), reference)]);
                schema.insert("allOf".to_owned(), Value::from_iter([reference]));
            }
            // Readers that make a union of all kinds and the fields are told that the fields are common to them.
            if schema.contains_key("properties")
                && let Some(kinds) = schema.remove("anyOf")
            {
                schema.insert("allOf".to_owned(), Value::from_iter([Map::from_iter([("anyOf".to_owned(), kinds)])]));
            }
            let required = schema.get("required").cloned().unwrap_or_default();
            let is_required = |name: &str| required.as_array().is_some_and(|names| names.iter().any(|one| one == name));
            let fields = schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten();
            fields.filter(|(name, _)| !is_required(name)).for_each(|(_, field)| never_null(field));
        }
        _ => {}
    }
}

fn never_null(field: &mut Value) {
    if let Some(Value::Array(types)) = field.get_mut("type") {
        types.retain(|kind| kind != "null");
        if let [kind] = &types[..] {
            field["type"] = kind.clone();
        }
    }
    let Some(Value::Array(kinds)) = field.get("anyOf") else { return };
    if let [kind, Value::Object(null)] = &kinds[..]
        && null.get("type").is_some_and(|kind| kind == "null")
    {
        let mut kind = kind.clone();
        kind["description"] = field["description"].clone();
        *field = kind;
    }
}

/// Words that are described one by one become an enumeration, described as a whole.
fn enumerate(schema: &mut Map<String, Value>) {
    let Some(Value::Array(words)) = schema.get("oneOf") else { return };
    let text = |word: &Value, key| word.get(key).and_then(Value::as_str).map(str::to_owned);
    let words = words.iter().map(|word| text(word, "const").zip(text(word, "description")));
    let Some(words) = words.collect::<Option<Vec<_>>>() else { return };
    let mut sentences = Vec::from_iter(schema.get("description").and_then(Value::as_str).map(str::to_owned));
    sentences.extend(words.iter().map(|(word, comment)| format!("`{word}`: {comment}")));
    schema.remove("oneOf");
    schema.insert("type".to_owned(), "string".into());
    schema.insert("enum".to_owned(), words.into_iter().map(|(word, _)| word).collect());
    schema.insert("description".to_owned(), sentences.join(" ").into());
}

/// JSON, of which a part that fits is on one line. The keys of `order` come first.
fn json(value: &Value, order: &[&str], indent: usize) -> String {
    let (parts, [open, close]): (Vec<String>, _) = match value {
        Value::Object(object) => {
            let required = object.get("required").and_then(Value::as_array).into_iter().flatten();
            let required: Vec<&str> = required.filter_map(Value::as_str).collect();
            let mut entries: Vec<_> = object.iter().collect();
            entries.sort_by_key(|(key, _)| order.iter().position(|first| first == key).unwrap_or(order.len()));
            // An answer has its fields in the order in which they are required.
            let inner = |key: &str| if key == "properties" { &required[..] } else { &KEYWORDS[..] };
            let entry = |(key, value): (&String, &Value)| {
                format!("{}: {}", Value::from(key.as_str()), json(value, inner(key), indent + 2))
            };
            (entries.into_iter().map(entry).collect(), ["{", "}"])
        }
        Value::Array(items) => (items.iter().map(|item| json(item, &KEYWORDS, indent + 2)).collect(), ["[", "]"]),
        value => return value.to_string(),
    };
    let line = format!("{open}{}{close}", parts.join(", "));
    if indent + line.len() <= WIDTH && !line.contains('\n') {
        return line;
    }
    let (inside, outside) = (" ".repeat(indent + 2), " ".repeat(indent));
    format!("{open}\n{inside}{}\n{outside}{close}", parts.join(&format!(",\n{inside}")))
}
