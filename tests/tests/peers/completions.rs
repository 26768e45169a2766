//! The completions of both programs in bash: whatever the help lists is offered. The scripts are clap's; that for bash
//! is mended where clap's has a mistake.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use makruk_tests::programs::{GENERATOR, PROBE, program};

/// Asks bash for the completions of the line `$1`, by the function that the script has registered.
const BASH: &str = r#"
source "$2"
line=$1
read -ra COMP_WORDS <<<"$line"
[[ $line != *' ' ]] || COMP_WORDS+=('')
COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE=$line COMP_POINT=${#line}
registered=$(complete -p "${COMP_WORDS[0]}")
function=${registered#*-F }
"${function%% *}" "${COMP_WORDS[0]}" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\n' "${COMPREPLY[@]}"
"#;

/// The completions that bash offers at the end of a line.
fn offered(folder: &Path, name: &str, line: &str) -> BTreeSet<String> {
    let mut command = Command::new("bash");
    command.args(["--norc", "-c", BASH, "bash", line]).arg(folder.join(format!("{name}.bash")));
    let output = command.env("HOME", folder).output().expect("bash runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{line}: {errors}");
    String::from_utf8_lossy(&output.stdout).lines().map(|word| word.trim().to_owned()).collect()
}

/// The commands and the long options of a help.
fn listed(words: &[&str]) -> (Vec<String>, BTreeSet<String>) {
    let output = program(words[0]).args(&words[1..]).arg("--help").output().expect("the program runs");
    let help = String::from_utf8(output.stdout).expect("UTF-8");
    let (mut commands, mut options) = (Vec::new(), BTreeSet::new());
    let mut section = "";
    for line in help.lines() {
        match line.strip_suffix(':').filter(|heading| !heading.starts_with(' ')) {
            Some(heading) => section = heading,
            None if section == "Commands" && line.starts_with("  ") && !line.starts_with("   ") => {
                commands.extend(line.split_whitespace().next().map(str::to_owned));
            }
            None if section == "Options"
                && line.trim_start().starts_with('-')
                && line.len() - line.trim_start().len() <= 6 =>
            {
                let option = line.split([' ', ',']).find(|word| word.starts_with("--"));
                options.extend(option.map(str::to_owned));
            }
            None => {}
        }
    }
    commands.retain(|command| command != "help");
    (commands, options)
}

/// Compares what is offered after a command, and after those below it; returns the number of comparisons.
fn compare(folder: &Path, words: &[&str]) -> usize {
    let (commands, options) = listed(words);
    let line = words.join(" ");
    let found = offered(folder, words[0], &format!("{line} --"));
    assert!(options.is_subset(&found), "{line} --: {:?} of {options:?}", options.intersection(&found));
    let strange: Vec<_> = found.iter().filter(|word| !options.contains(*word) && *word != "--version").collect();
    assert!(strange.is_empty(), "{line} --: {strange:?}");
    let mut compared = 1;
    if !commands.is_empty() {
        let found = offered(folder, words[0], &format!("{line} "));
        assert!(commands.iter().all(|command| found.contains(command)), "{line}: {found:?} for {commands:?}");
        compared += 1;
    }
    for command in &commands {
        compared += compare(folder, &[words, &[command.as_str()]].concat());
    }
    compared
}

#[test]
#[ignore = "needs bash"]
fn bash_completes_every_command_and_option() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, least) in [(PROBE, 17), (GENERATOR, 6)] {
        let status = program(name).arg("manuals").arg(folder.path()).status().expect("the program runs");
        assert!(status.success(), "{name} manuals: {status}");
        let compared = compare(folder.path(), &[name]);
        println!("{compared} lines of {name}");
        assert!(compared >= least, "{compared} lines of {name}");
    }
    // The values of an option.
    let formats = offered(folder.path(), PROBE, "makruk-probe research saves --format ");
    assert!(["epd", "json"].iter().all(|format| formats.contains(*format)), "{formats:?}");
}
