//! The page of the protocol, `proto/README.md`: what the .proto files declare, with their comments.

use std::collections::BTreeMap;
use std::fmt::Write;

use protox::prost_reflect::prost_types::field_descriptor_proto::{Label, Type};
use protox::prost_reflect::prost_types::{
    DescriptorProto, EnumDescriptorProto, FieldDescriptorProto, FileDescriptorProto, FileDescriptorSet,
    ServiceDescriptorProto,
};

/// Numbers of fields in descriptors, of which the paths of comments are made.
const MESSAGES: i32 = 4;
const ENUMS: i32 = 5;
const SERVICES: i32 = 6;
const SYNTAX: i32 = 12;
const CHILDREN: i32 = 2;

/// The comments of a file, by the path of what they stand before.
struct Comments(BTreeMap<Vec<i32>, String>);

impl Comments {
    fn of(file: &FileDescriptorProto) -> Comments {
        let locations = file.source_code_info.as_ref().expect("comments").location.iter();
        Comments(locations.map(|place| (place.path.clone(), place.leading_comments().trim().to_owned())).collect())
    }

    /// The paragraphs of a comment, each in one line. Everything has a comment.
    fn paragraphs(&self, path: &[i32], name: &str) -> Vec<String> {
        let text = self.0.get(path).map(String::as_str).unwrap_or_default();
        assert!(!text.is_empty(), "{name} has no comment");
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        lines.split(|line| line.is_empty()).map(|lines| lines.join(" ").replace('|', "\\|")).collect()
    }

    fn line(&self, path: &[i32], name: &str) -> String {
        self.paragraphs(path, name).join("<br>")
    }
}

/// Lines of at most this number of characters, unless a word is longer.
fn wrapped(text: &str) -> String {
    const COLUMNS: usize = 128;
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("a line");
        match line.is_empty() {
            true => line.push_str(word),
            false if line.len() + 1 + word.len() <= COLUMNS => line.extend([" ", word]),
            false => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

/// A name of `makruk.v1` as a link.
fn link(full: &str) -> String {
    let name = full.strip_prefix(".makruk.v1.").expect("a name of this package");
    format!("[{name}](#{})", name.to_ascii_lowercase())
}

/// The type of a field as the page writes it.
fn kind(field: &FieldDescriptorProto, message: &DescriptorProto) -> String {
    let entry = message.nested_type.iter().find(|nested| field.type_name().ends_with(&format!(".{}", nested.name())));
    if let Some(entry) = entry {
        let [key, value] = &entry.field[..] else { panic!("a map") };
        return format!("map of {} to {}", kind(key, entry), kind(value, entry));
    }
    let one = match field.r#type() {
        Type::Message | Type::Enum => link(field.type_name()),
        plain => plain.as_str_name().trim_start_matches("TYPE_").to_ascii_lowercase(),
    };
    match field.label() {
        Label::Repeated => format!("repeated {one}"),
        _ if field.proto3_optional() => format!("optional {one}"),
        _ if field.oneof_index.is_some() => format!("{one}, one of"),
        _ => one,
    }
}

fn service(page: &mut String, service: &ServiceDescriptorProto, comments: &Comments, at: i32) -> std::fmt::Result {
    writeln!(page, "\n## Calls of `makruk.v1.{}`", service.name())?;
    for paragraph in comments.paragraphs(&[SERVICES, at], service.name()) {
        writeln!(page, "\n{}", wrapped(&paragraph))?;
    }
    writeln!(page, "\n| call | request | answer | |\n|---|---|---|---|")?;
    for (number, method) in (0..).zip(&service.method) {
        let stream = |is_stream: bool| if is_stream { "stream of " } else { "" };
        writeln!(
            page,
            "| `{}` | {}{} | {}{} | {} |",
            method.name(),
            stream(method.client_streaming()),
            link(method.input_type()),
            stream(method.server_streaming()),
            link(method.output_type()),
            comments.line(&[SERVICES, at, CHILDREN, number], method.name()),
        )?;
    }
    Ok(())
}

fn message(page: &mut String, message: &DescriptorProto, comments: &Comments, at: i32) -> std::fmt::Result {
    writeln!(page, "\n### {}", message.name())?;
    for paragraph in comments.paragraphs(&[MESSAGES, at], message.name()) {
        writeln!(page, "\n{}", wrapped(&paragraph))?;
    }
    writeln!(page, "\n| field | type | |\n|---|---|---|")?;
    for (number, field) in (0..).zip(&message.field) {
        let text = comments.line(&[MESSAGES, at, CHILDREN, number], field.name());
        writeln!(page, "| `{}` = {} | {} | {text} |", field.name(), field.number(), kind(field, message))?;
    }
    Ok(())
}

fn enumeration(page: &mut String, values: &EnumDescriptorProto, comments: &Comments, at: i32) -> std::fmt::Result {
    writeln!(page, "\n### {}", values.name())?;
    for paragraph in comments.paragraphs(&[ENUMS, at], values.name()) {
        writeln!(page, "\n{}", wrapped(&paragraph))?;
    }
    writeln!(page, "\n| value | |\n|---|---|")?;
    for (number, value) in (0..).zip(&values.value) {
        let text = comments.line(&[ENUMS, at, CHILDREN, number], value.name());
        writeln!(page, "| `{}` = {} | {text} |", value.name(), value.number())?;
    }
    Ok(())
}

/// The page that the .proto files make.
pub(super) fn page(descriptors: &FileDescriptorSet) -> Result<String, std::fmt::Error> {
    let mut page = String::from(
        "# The protocol `makruk.v1`\n\n\
         The interface of [the service](../probe/service/README.md) over gRPC. This page is made from the comments of\n\
         [tablebase.proto](makruk/v1/tablebase.proto); after a change of that file, regenerate the code and this page:\n\n\
         ```sh no_run\ncargo regenerate\n```\n",
    );
    for file in descriptors.file.iter().filter(|file| file.package() == "makruk.v1") {
        let comments = Comments::of(file);
        for paragraph in comments.paragraphs(&[SYNTAX], file.name()) {
            writeln!(page, "\n{}", wrapped(&paragraph))?;
        }
        for (at, declared) in (0..).zip(&file.service) {
            service(&mut page, declared, &comments, at)?;
        }
        writeln!(page, "\n## Messages")?;
        for (at, declared) in (0..).zip(&file.message_type) {
            message(&mut page, declared, &comments, at)?;
        }
        writeln!(page, "\n## Enumerations")?;
        for (at, declared) in (0..).zip(&file.enum_type) {
            enumeration(&mut page, declared, &comments, at)?;
        }
    }
    Ok(page)
}
