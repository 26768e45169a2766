//! The properties of Python's stub that are fields of an answer: those of the classes in `probe/python/src/verdict.rs`,
//! with their comments. All else in the stub is written by hand.

use std::fs;
use std::path::Path;

use super::{Outcome, ROOT};

/// The most columns of a line.
const WIDTH: usize = 120;

/// The stub, in which the fields of each class stand before its other members.
pub(super) fn text() -> Outcome<String> {
    let folder = Path::new(ROOT).join("probe/python");
    let source = fs::read_to_string(folder.join("src/verdict.rs"))?;
    let mut stub = fs::read_to_string(folder.join("makruk_probe.pyi"))?;
    let macros = source.split("\nclass! {\n").skip(1);
    for class in macros.map(|class| class.split("\n}\n").next().unwrap_or_default()) {
        let (head, fields) = class.split_once(";\n").ok_or("a class without fields")?;
        let name =
            head.lines().last().and_then(|line| line.trim().split(',').next()).ok_or("a class without a name")?;
        let start = stub.find(&format!("\nclass {name}:\n")).ok_or_else(|| format!("the stub has no class {name}"))?;
        let members = start + stub[start..].find("\"\"\"\n\n").ok_or_else(|| format!("{name} has no comment"))? + 5;
        let after =
            members + stub[members..].find(&format!("    {END}")).ok_or_else(|| format!("{name} has no end"))?;
        stub.replace_range(members..after, &properties(fields)?);
    }
    Ok(stub)
}

/// The line after the last field of a class.
const END: &str = "# By hand:\n";

/// The fields of a class as properties.
fn properties(fields: &str) -> Outcome<String> {
    let (mut text, mut comment) = (String::new(), Vec::new());
    for line in fields.lines().map(str::trim) {
        if let Some(explained) = line.strip_prefix("///") {
            comment.push(explained.trim());
        } else if let Some((field, _)) = line.split_once(" =") {
            let (name, kind) = field.split_once(": ").ok_or_else(|| format!("a field without a type: {field}"))?;
            let name = name.trim_start_matches("pub(crate) ");
            let explained = broken(&format!("\"\"\"{}\"\"\"", comment.join(" ")));
            text += &format!("    @property\n    def {name}(self) -> {}:\n{explained}", python(kind)?);
            comment.clear();
        } else if !comment.is_empty() {
            return Err(format!("a comment of no field: {line}").into());
        }
    }
    Ok(text)
}

/// The type of Python that a type of Rust becomes.
fn python(kind: &str) -> Outcome<String> {
    let of = |kind: &str, outer: &str| kind.strip_prefix(outer)?.strip_suffix('>').map(python);
    Ok(match kind {
        "String" => "str".to_owned(),
        "bool" => kind.to_owned(),
        "i32" | "u32" => "int".to_owned(),
        "Category" | "Count" => kind.to_owned(),
        _ if kind.ends_with("Name") => format!("_{kind}"),
        _ => match (of(kind, "Option<"), of(kind, "Vec<"), of(kind, "BTreeMap<String, ")) {
            (Some(inner), _, _) => format!("Optional[{}]", inner?),
            (_, Some(inner), _) => format!("list[{}]", inner?),
            (_, _, Some(inner)) => format!("dict[str, {}]", inner?),
            _ => return Err(format!("the type {kind} has no name of Python's here").into()),
        },
    })
}

/// A comment within a method, on as many lines as it needs.
fn broken(comment: &str) -> String {
    let (mut lines, mut line) = (String::new(), String::from("       "));
    for word in comment.split(' ') {
        if line.len() + 1 + word.len() > WIDTH {
            lines += &line;
            lines.push('\n');
            line = String::from("       ");
        }
        line.push(' ');
        line += word;
    }
    lines + &line + "\n"
}
