//! Blocks of commands in Markdown.

use std::fmt;
use std::path::{Path, PathBuf};

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

/// A block of commands.
pub(super) struct Block {
    document: PathBuf,
    line: usize,
    /// Whether its commands are run.
    pub is_run: bool,
    /// Its commands in order.
    pub steps: Vec<Step>,
}

/// A command with its output, if that is shown.
pub(super) struct Step {
    pub command: String,
    pub shown: Option<Vec<String>>,
}

impl Block {
    /// The blocks of a document.
    pub(super) fn read(root: &Path, path: &Path) -> Vec<Block> {
        let text = std::fs::read_to_string(path).expect("a document");
        let document = path.strip_prefix(root).expect("a document of the repository");
        let mut blocks = Vec::new();
        let mut open: Option<(usize, String, String)> = None;
        for (event, range) in Parser::new(&text).into_offset_iter() {
            match event {
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                    open = Some((1 + text[..range.start].matches('\n').count(), info.to_string(), String::new()));
                }
                Event::Text(part) => {
                    if let Some((.., code)) = &mut open {
                        code.push_str(&part);
                    }
                }
                Event::End(TagEnd::CodeBlock) => {
                    let Some((line, info, code)) = open.take() else { continue };
                    let mut words = info.split_whitespace();
                    let steps = match words.next() {
                        Some("sh") => script(&code),
                        Some("console") => session(&code),
                        _ => continue,
                    };
                    let words: Vec<&str> = words.collect();
                    assert!(words.is_empty() || words == ["no_run"], "{}:{line}: {info}", document.display());
                    assert!(!steps.is_empty(), "{}:{line}: no command", document.display());
                    blocks.push(Block { document: document.to_owned(), line, is_run: words.is_empty(), steps });
                }
                _ => {}
            }
        }
        blocks
    }
}

impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.document.display(), self.line)
    }
}

/// The commands of a script: a line each, unless a backslash continues it.
fn script(code: &str) -> Vec<Step> {
    let code = code.replace("\\\n", " ");
    let lines = code.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines.map(|line| Step { command: line.to_owned(), shown: None }).collect()
}

/// The commands of a session, each with the lines that follow it.
fn session(code: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for line in code.replace("\\\n", " ").lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            steps.push(Step { command: command.to_owned(), shown: Some(Vec::new()) });
        } else {
            let step = steps.last_mut().expect("a session begins with a command");
            step.shown.get_or_insert_default().push(line.to_owned());
        }
    }
    steps
}
