//! The manual pages of a program, and its completions for shells.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

/// The section of a manual page for text without a heading.
const NOTES: &str = "Notes";

/// Writes a page for a program and for each of its commands, and the completions for bash, zsh and fish, to a folder.
///
/// The help after a command's options (`after_long_help`) becomes sections of its page. A paragraph `Examples:` begins
/// the section EXAMPLES. Indented lines keep their form.
///
/// # Errors
///
/// If the folder does not exist, or a file cannot be written.
pub fn write_manuals(command: &Command, folder: &Path) -> io::Result<()> {
    let mut built = command.clone().disable_help_subcommand(true);
    built.build();
    let name = command.get_name();
    let program = format!("{name} {}", command.get_version().unwrap_or_default());
    write_pages(&built, program.trim_end(), folder)?;
    let completions = [
        (Shell::Bash, format!("{name}.bash")),
        (Shell::Zsh, format!("_{name}")),
        (Shell::Fish, format!("{name}.fish")),
    ];
    for (shell, file) in completions {
        std::fs::write(folder.join(file), completion(shell, command))?;
    }
    Ok(())
}

/// The completions of a program for a shell.
fn completion(shell: Shell, command: &Command) -> String {
    let name = command.get_name();
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command.clone(), name, &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    // For bash, clap_complete 4.6 sets a state such as `makruk__probe__subcmd__query`, and compares it with
    // `makruk__subcmd__probe__subcmd__query`, if the program's name has a hyphen. It also offers commands that are
    // hidden.
    let script = script.replace(&name.replace('-', "__subcmd__"), &name.replace('-', "__"));
    let is_hidden = |word: &str| command.get_subcommands().any(|inner| inner.is_hide_set() && inner.get_name() == word);
    // The command that a line offers: `'query:` for zsh, `-a "query"` for fish. A line for bash offers several.
    let is_offer = |line: &&str| {
        let zsh = line.trim_start().strip_prefix('\'').and_then(|rest| rest.split_once(':'));
        let fish = || line.split_once("-a \"").and_then(|(_, rest)| rest.split_once('"'));
        zsh.or_else(fish).is_some_and(|(name, _)| is_hidden(name))
    };
    let lines = script.lines().filter(|line| !is_offer(line));
    let shown = |line: &str| match line.contains("opts=\"") {
        true => line.split(' ').filter(|word| !is_hidden(word)).collect::<Vec<_>>().join(" ") + "\n",
        false => format!("{line}\n"),
    };
    lines.map(shown).collect()
}

/// Writes the pages of a command and of those below it. A page ends with the name and the version of the program.
fn write_pages(command: &Command, program: &str, folder: &Path) -> io::Result<()> {
    for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set()) {
        write_pages(inner, program, folder)?;
    }
    // The synopsis is the usage that the help shows: it has the dots of arguments that may be repeated.
    let usage = command.clone().render_usage().to_string();
    let usage = usage.strip_prefix("Usage: ").unwrap_or(&usage).to_owned();
    let page = Man::new(command.clone().override_usage(usage)).source(program);
    let mut file = File::create(folder.join(page.get_filename()))?;
    page.render_title(&mut file)?;
    page.render_name_section(&mut file)?;
    page.render_synopsis_section(&mut file)?;
    page.render_description_section(&mut file)?;
    if command.get_arguments().any(|argument| !argument.is_hide_set()) {
        page.render_options_section(&mut file)?;
    }
    if command.get_subcommands().any(|inner| !inner.is_hide_set()) {
        page.render_subcommands_section(&mut file)?;
    }
    if let Some(help) = command.get_after_long_help().or_else(|| command.get_after_help()) {
        sections(&help.to_string()).to_writer(&mut file)?;
    }
    if command.get_version().is_some() {
        page.render_version_section(&mut file)?;
    }
    file.flush()
}

/// The sections of a page that the help after the options has.
fn sections(help: &str) -> Roff {
    let mut page = Roff::new();
    let mut section = "";
    for paragraph in help.split("\n\n").filter(|paragraph| !paragraph.trim().is_empty()) {
        let (first, rest) = paragraph.split_once('\n').unwrap_or((paragraph, ""));
        let (heading, lines) = match first.strip_suffix(':').filter(|heading| !heading.starts_with(' ')) {
            Some(heading) if rest.lines().all(|line| line.starts_with(' ')) => (heading, rest),
            _ if section.is_empty() => (NOTES, paragraph),
            _ => (section, paragraph),
        };
        if heading == section {
            page.control("PP", []);
        } else {
            page.control("SH", [heading.to_uppercase().as_str()]);
            section = heading;
        }
        let is_literal = lines.lines().all(|line| line.starts_with(' '));
        if is_literal {
            page.control("nf", []);
        }
        for line in lines.lines() {
            page.text([roman(line.strip_prefix("  ").unwrap_or(line))]);
        }
        if is_literal {
            page.control("fi", []);
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use clap::Arg;

    use super::*;

    fn program() -> Command {
        let examples = "A table is whole.\n\nExamples:\n  some-program ask one   # a remark\n\nExit status:\n  0  it's well\n  1  .no";
        let ask = Command::new("ask").arg(Arg::new("FEN").num_args(0..)).after_long_help(examples);
        let hidden = Command::new("write").hide(true);
        Command::new("some-program")
            .version("1.0")
            .subcommand(ask.arg(Arg::new("deep").long("deep")))
            .subcommand(hidden)
    }

    #[test]
    fn the_help_after_the_options_becomes_sections() {
        let folder = tempfile::tempdir().unwrap();
        write_manuals(&program(), folder.path()).unwrap();
        let page = std::fs::read_to_string(folder.path().join("some-program-ask.1")).unwrap();
        let order = [".SH SYNOPSIS", "[FEN]...", ".SH OPTIONS", ".SH NOTES", ".SH EXAMPLES", r#".SH "EXIT STATUS""#];
        let places: Vec<usize> =
            order.iter().map(|text| page.find(text).unwrap_or_else(|| panic!("{text}: {page}"))).collect();
        assert!(places.is_sorted(), "{page}");
        assert!(page.contains("\nsome\\-program ask one   # a remark\n"), "{page}");
        assert!(!page.contains("\n.no"), "a line of text is not a request: {page}");
        let title = page.lines().find(|line| line.starts_with(".TH"));
        assert_eq!(title, Some(".TH some-program-ask 1  \"some-program 1.0\" "), "the program and its version");
    }

    #[test]
    fn hidden_commands_are_not_offered() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let script = completion(shell, &program());
            let is_offer = |line: &str| {
                line.contains("'write:")
                    || line.contains("-a \"write\"")
                    || line.contains("opts=") && line.contains(" write ")
            };
            assert!(!script.lines().any(is_offer), "{shell}: {script}");
            assert!(script.contains("ask"), "{shell}: {script}");
        }
    }

    #[test]
    fn a_hyphen_in_the_name_is_written_in_one_way() {
        let script = completion(Shell::Bash, &program());
        assert!(script.contains("        some__program__subcmd__ask)\n"), "{script}");
        assert!(!script.contains("some__subcmd__program"), "{script}");
    }

    #[test]
    fn a_folder_that_does_not_exist() {
        let error = write_manuals(&program(), Path::new("/nonexistent")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}
