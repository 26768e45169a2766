//! The completions of both programs, in each shell: whatever the help lists is offered.

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

/// Asks zsh: a shell within the shell has a terminal, completes the line, and writes what is offered to the file `$3`.
const ZSH: &str = r#"
zmodload zsh/zpty
zpty inner zsh -f -i
begin() { zpty -w inner "$1"; }
begin 'PROMPT= RPROMPT=; unsetopt beep; setopt no_list_ambiguous; stty columns 500'
begin "fpath=(${(q)2:h} \$fpath); autoload -Uz compinit; compinit -u -D; compdef _${(q)4} ${(q)4}"
begin "out=${(q)3}"
begin 'compadd() {
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
  local -a offered; builtin compadd -O offered "$@"; print -rl -- $offered >>$out; builtin compadd "$@"
}
finish() { _main_complete; print -r -- finished >>$out; }
zle -C finish list-choices finish; bindkey "^T" finish; print -r -- ready >>$out'
wait_for() { repeat 600; do [[ -f $1 ]] && grep -qx -- "$2" $1 && return; sleep 0.05; done; print -u2 "no $2"; exit 1; }
wait_for $3 ready
zpty -w -n inner "$1"$'\x14'
wait_for $3 finished
zpty -d inner
grep -vx -e ready -e finished -- $3 || true
"#;

/// Asks fish.
const FISH: &str = r#"source "$argv[2]"; complete -C "$argv[1]" | string replace -r '\t.*' ''"#;

/// What a shell offers at the end of a line.
fn offered(shell: &str, folder: &Path, name: &str, line: &str) -> BTreeSet<String> {
    let script = |file: String| folder.join(file);
    let out = tempfile::NamedTempFile::new().expect("a temporary file");
    let mut command = Command::new(shell);
    match shell {
        "bash" => command.args(["--norc", "-c", BASH, "bash", line]).arg(script(format!("{name}.bash"))),
        "zsh" => command.args(["-f", "-c", ZSH, "zsh", line]).arg(script(format!("_{name}"))).arg(out.path()).arg(name),
        _ => command.args(["--no-config", "-c", FISH, "--", line]).arg(script(format!("{name}.fish"))),
    };
    command.env("PATH", path_with(folder)).env("TERM", "xterm").env("HOME", folder);
    let output = command.output().unwrap_or_else(|error| panic!("{shell}: {error}"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{shell}: {line}: {errors}");
    String::from_utf8_lossy(&output.stdout).lines().map(|word| word.trim().to_owned()).collect()
}

/// The search path with the folder of the programs first: some shells complete the arguments of existing programs
/// alone.
fn path_with(folder: &Path) -> String {
    format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default())
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

/// Compares what the shell offers after a command, and after those below it; returns the number of comparisons.
fn compare(shell: &str, folder: &Path, words: &[&str]) -> usize {
    let (commands, options) = listed(words);
    let line = words.join(" ");
    let found = offered(shell, folder, words[0], &format!("{line} --"));
    assert!(options.is_subset(&found), "{shell}: {line} --: {:?} of {options:?}", options.intersection(&found));
    let strange: Vec<_> = found.iter().filter(|word| !options.contains(*word) && *word != "--version").collect();
    assert!(strange.is_empty(), "{shell}: {line} --: {strange:?}");
    let mut compared = 1;
    if !commands.is_empty() {
        let found = offered(shell, folder, words[0], &format!("{line} "));
        assert!(commands.iter().all(|command| found.contains(command)), "{shell}: {line}: {found:?} for {commands:?}");
        compared += 1;
    }
    for command in &commands {
        compared += compare(shell, folder, &[words, &[command.as_str()]].concat());
    }
    compared
}

fn complete_in(shell: &str) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, least) in [(PROBE, 17), (GENERATOR, 6)] {
        let status = program(name).arg("manuals").arg(folder.path()).status().expect("the program runs");
        assert!(status.success(), "{name} manuals: {status}");
        #[cfg(unix)]
        std::os::unix::fs::symlink(program(name).get_program(), folder.path().join(name)).expect("a link");
        let compared = compare(shell, folder.path(), &[name]);
        println!("{shell}: {compared} lines of {name}");
        assert!(compared >= least, "{shell}: {compared} lines of {name}");
    }
    // The values of an option.
    let formats = offered(shell, folder.path(), PROBE, "makruk-probe research saves --format ");
    assert!(["epd", "json"].iter().all(|format| formats.contains(*format)), "{shell}: {formats:?}");
}

#[test]
#[ignore = "needs bash"]
fn bash_completes_every_command_and_option() {
    complete_in("bash");
}

#[test]
#[ignore = "needs zsh"]
fn zsh_completes_every_command_and_option() {
    complete_in("zsh");
}

#[test]
#[ignore = "needs fish"]
fn fish_completes_every_command_and_option() {
    complete_in("fish");
}
