//! The arguments of a program, and what is said of wrong ones.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Error, Parser};

use makruk_rules::{Reading, printable};
use makruk_tables::material::Material;

use super::remedy::warn;

/// The arguments of the process, which is called `program`. Prints what is wrong with them, or the help that they ask
/// for, and exits. Materials named in letters of chess are noted on standard error.
pub fn arguments<P: Parser>(program: &str) -> P {
    let parsed = P::try_parse().unwrap_or_else(|error| {
        let text = match argument_error(&error) {
            Some(sentence) => format!("error: {}\n\nFor more information, try '--help'.", printable(&sentence)),
            None if error.use_stderr() => error.render().to_string(),
            None => error.exit(),
        };
        text.lines().for_each(warn);
        std::process::exit(error.exit_code())
    });
    for note in std::env::args_os().skip(1).filter_map(material_note) {
        warn(&format!("{program}: {note}"));
    }
    parsed
}

/// A sentence for an argument that names a material in letters of chess or of another lettering, such as `KQvK`, which
/// is KMvK.
fn material_note(argument: OsString) -> Option<String> {
    let name = argument.into_string().ok()?;
    let material: Material = name.parse().ok()?;
    name.contains(['B', 'E', 'F', 'Q', 'b', 'e', 'f', 'q'])
        .then(|| format!("note: {name} is {material}: B and E are read as the khon (S), Q and F as the met (M)"))
}

/// An error of an argument in a sentence; `None` if clap's own text serves.
pub fn argument_error(error: &Error) -> Option<String> {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    match error.kind() {
        ErrorKind::ValueValidation => {
            let (option, value) = (context(ContextKind::InvalidArg)?, context(ContextKind::InvalidValue)?);
            let reason = reason(&std::error::Error::source(error)?.to_string(), value);
            Some(format!("{}: {reason}", option.trim_matches(['[', ']', '.'])))
        }
        ErrorKind::InvalidSubcommand => misplaced(context(ContextKind::InvalidSubcommand)?),
        ErrorKind::UnknownArgument if error.get(ContextKind::SuggestedArg).is_none() => {
            let argument = context(ContextKind::InvalidArg)?;
            let is_before_command = error.to_string().contains("<COMMAND>");
            Some(match argument {
                _ if !argument.starts_with('-') => format!("{argument:?} is one argument too many"),
                _ if argument.parse::<f64>().is_ok() => format!("{argument} is not valid: no number here is negative"),
                _ if is_before_command => format!("there is no option {argument} here; options follow the command"),
                _ => format!("there is no option {argument} here"),
            })
        }
        _ => None,
    }
}

/// The reason why a value is wrong, with the value: the standard library's and clap's texts in other words.
fn reason(found: &str, value: &str) -> String {
    let expected = match found {
        "invalid digit found in string" | "cannot parse integer from empty string" => "a whole number".to_owned(),
        "invalid float literal" | "cannot parse float from empty string" => "a number, such as 2 or 0.5".to_owned(),
        "invalid IP address syntax" => "an address, such as 127.0.0.1".to_owned(),
        "number too large to fit in target type" => "a smaller number".to_owned(),
        _ => match found.rsplit_once(" is not in ").and_then(|(_, range)| range.split_once("..")) {
            Some((least, most))
                if most.trim_start_matches('=').parse().is_ok_and(|most: u64| most >= u32::MAX.into()) =>
            {
                format!("{least} or more")
            }
            Some((least, "")) => format!("{least} or more"),
            Some((least, most)) => format!("{least} to {}", most.trim_start_matches('=')),
            None if value.parse::<u8>().is_ok() && found.contains("is not a material") => {
                return format!("{value:?} is not a material; `--men {value}` means all materials of 3 to {value} men");
            }
            None if value.contains('+') && found.contains("is not a material") => {
                return format!("{found}; if it has blanks, put it in quotes: \"K+2R v K+R\"");
            }
            None if found.contains(value) => return found.to_owned(),
            None => return format!("\"{value}\": {found}"),
        },
    };
    format!("\"{value}\" is not valid: expected {expected}")
}

/// The command for an argument that stands where a command belongs.
fn misplaced(value: &str) -> Option<String> {
    let other = match value {
        "build" | "info" | "manifest" | "plan" | "verify" => Some(("makruk-gen", value)),
        "analyze" => Some(("makruk-probe", "analyse")),
        "analyse" | "open" | "query" | "research" | "serve" | "site" | "uci" | "xboard" => {
            Some(("makruk-probe", value))
        }
        _ => None,
    };
    if matches!(value, "tables" | "list") {
        return Some(format!("{value} is not a command of this program; `makruk-gen info` lists the tables"));
    }
    if let Some((program, command)) = other {
        return Some(format!("{value} is not a command of this program; `{program} {command} --help` describes one"));
    }
    if let Ok(material) = value.parse::<Material>() {
        return Some(format!(
            "{value} is a material, not a command: `makruk-gen info {material}` prints its totals, `makruk-probe \
             research stats {material}` its statistics"
        ));
    }
    if Reading::parse(value).is_ok() {
        return Some(format!("that is a position, not a command: `makruk-probe query \"{value}\"` prints its verdict"));
    }
    let is_games = value.to_lowercase().ends_with(".pgn");
    is_games.then(|| format!("{value} is a file, not a command: `makruk-probe analyse {value}` judges its games"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Parser, Debug)]
    enum Program {
        /// Build.
        Build {
            #[arg(long, value_parser = clap::value_parser!(u8).range(3..=7))]
            men: Option<u8>,
            #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
            limit: Option<u32>,
            #[arg(long)]
            memory: Option<f64>,
            #[arg(value_name = "MATERIAL")]
            materials: Vec<Material>,
        },
        /// Ask.
        Ask { material: Material },
    }

    #[test]
    fn wrong_arguments_are_named_with_what_is_expected() {
        for (arguments, said) in [
            (&["build", "--men", "four"][..], "--men <MEN>: \"four\" is not valid: expected a whole number"),
            (&["build", "--men", "8"], "--men <MEN>: \"8\" is not valid: expected 3 to 7"),
            (&["build", "--limit", "0"], "--limit <LIMIT>: \"0\" is not valid: expected 1 or more"),
            (
                &["build", "--memory", "2GB"],
                "--memory <MEMORY>: \"2GB\" is not valid: expected a number, such as 2 or 0.5",
            ),
            (&["build", "4"], "MATERIAL: \"4\" is not a material; `--men 4` means all materials of 3 to 4 men"),
            (&["build", "KXvK"], "MATERIAL: \"KXvK\" is not a material: expected two sides with a king each"),
            (&["build", "K+2R", "v", "K+R"], "put it in quotes: \"K+2R v K+R\""),
            (&["build", "--force"], "there is no option --force here"),
            (&["build", "--limit", "-1"], "-1 is not valid: no number here is negative"),
            (&["--men", "4"], "there is no option --men here; options follow the command"),
            (&["ask", "KRvK", "KSvK"], "\"KSvK\" is one argument too many"),
            (&["query"], "`makruk-probe query --help` describes one"),
            (&["analyze"], "`makruk-probe analyse --help` describes one"),
            (&["tables"], "tables is not a command of this program; `makruk-gen info` lists the tables"),
            (&["KSvKR"], "`makruk-gen info KRvKS` prints its totals"),
            (&["8/8/8/8/8/4s1k1/4R3/K7 w"], "`makruk-probe query \"8/8/8/8/8/4s1k1/4R3/K7 w\"` prints its verdict"),
            (&["games.PGN"], "`makruk-probe analyse games.PGN` judges its games"),
        ] {
            let error = Program::try_parse_from([&["program"], arguments].concat()).unwrap_err();
            let sentence = argument_error(&error).unwrap_or_default();
            assert!(sentence.contains(said), "{arguments:?}: {sentence}");
        }
        for arguments in [&["--help"][..], &["nonsense"], &["build", "--memry", "2"]] {
            let error = Program::try_parse_from([&["program"], arguments].concat()).unwrap_err();
            assert_eq!(argument_error(&error), None, "{arguments:?}");
        }
        assert!(Program::try_parse_from(["program", "build", "K+2R v K+R"]).is_ok());
    }

    #[test]
    fn only_other_letters_are_noted() {
        let notes = ["build", "--men", "KRvK", "KQvK", "KMvKS", "8/8/8 w"].map(OsString::from).into_iter();
        let [note] = &notes.filter_map(material_note).collect::<Vec<_>>()[..] else { panic!("one note") };
        assert!(note.starts_with("note: KQvK is KMvK: "), "{note}");
    }
}
