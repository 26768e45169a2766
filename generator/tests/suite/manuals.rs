//! The manual pages of `makruk-gen`, and what its commands print.

use std::fs;
use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_makruk-gen")).args(arguments).output().expect("the program runs")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

#[test]
fn each_page_has_examples_that_the_program_accepts_and_exit_statuses() {
    let place = tempfile::tempdir().expect("a temporary folder");
    let folder = place.path().to_str().expect("UTF-8");
    assert!(run(&["manuals", folder]).status.success());
    for command in ["build", "fetch", "verify", "info", "manifest", "plan"] {
        let page = std::fs::read_to_string(place.path().join(format!("makruk-gen-{command}.1"))).expect("a page");
        for section in [".SH EXAMPLES\n", ".SH \"EXIT STATUS\"\n"] {
            assert!(page.contains(section), "{command} has no {section}: {page}");
        }
        let help = run(&[command, "--help"]);
        let help = text(&help.stdout).split("Examples:\n").nth(1).expect("examples");
        let mut examples = 0;
        for example in help.lines().take_while(|line| !line.is_empty()) {
            let words = shlex::split(example).expect("words");
            assert_eq!(words[..2], ["makruk-gen", command]);
            // Arguments that are wrong fail before the help.
            let arguments: Vec<&str> = words[1..].iter().map(String::as_str).chain(["--help"]).collect();
            assert!(run(&arguments).status.success(), "{example}");
            examples += 1;
        }
        assert!(examples > 1, "{command}");
    }
    let page = std::fs::read_to_string(place.path().join("makruk-gen-verify.1")).expect("a page");
    assert!(page.contains("[MATERIAL]..."), "{page}");
}

#[test]
fn one_thing_is_singular_and_quiet_prints_nothing() {
    let place = tempfile::tempdir().expect("a temporary folder");
    let folder = place.path().to_str().expect("UTF-8");
    let quiet = run(&["build", "--quiet", "KRvK", "--tables", folder]);
    assert!(quiet.status.success());
    assert_eq!((text(&quiet.stdout), text(&quiet.stderr)), ("", ""));
    assert_eq!(run(&["verify", "--quiet", "--tables", folder]).stdout, b"");
    let built = run(&["build", "KMvK", "--tables", folder, "--json"]);
    let line: serde_json::Value = serde_json::from_slice(&built.stdout).expect("an object");
    let parts = line["parts"].as_object().expect("parts");
    let sum: f64 = parts.values().filter_map(serde_json::Value::as_f64).sum();
    let seconds = line["seconds"].as_f64().expect("seconds");
    assert!(parts.len() == 5 && sum > 0.0 && sum <= seconds, "{line}");
    assert_eq!((&line["material"], line["mate_moves"].as_u64()), (&"KMvK".into(), Some(0)));
    fs::remove_file(place.path().join("KMvK.dtm")).expect("a table");
    let built = run(&["build", "KMvK", "--tables", folder]);
    assert!(text(&built.stdout).contains("\nof which exits "), "{}", text(&built.stdout));
    assert!(text(&built.stdout).contains("\n1 material, "), "{}", text(&built.stdout));
    assert!(text(&built.stderr).contains("KMvK: dtm longest win 0 moves, "), "{}", text(&built.stderr));
    // The longest win in the report is that in the table below: whoever moves.
    let built = run(&["build", "KRRvK", "--tables", folder]);
    assert!(text(&built.stderr).contains("KRRvK: dtm longest win 16 moves, "), "{}", text(&built.stderr));
    assert!(text(&built.stdout).contains("\nKRRvK        16 "), "{}", text(&built.stdout));
    for (arguments, expected) in [
        (&["plan", "KRvK"][..], "\n1 material, 1 built, "),
        (&["manifest", "KRvK", "--check", "MANIFEST"], "2 tables compared, 0 differ\n"),
        (&["info", "KRvK"], "Black to move: 0 won (longest mate 0 moves)"),
    ] {
        let list = place.path().join("MANIFEST");
        std::fs::write(&list, run(&["manifest", "KRvK", "--tables", folder]).stdout).expect("a list");
        let arguments =
            arguments.iter().map(|&word| if word == "MANIFEST" { list.to_str().expect("UTF-8") } else { word });
        let output = run(&arguments.chain(["--tables", folder]).collect::<Vec<_>>());
        assert!(text(&output.stdout).contains(expected), "{}{}", text(&output.stdout), text(&output.stderr));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_made() {
    let output = run(&["build", "KRvK", "--tables", "/proc/tables"]);
    assert_eq!(output.status.code(), Some(1));
    let error = text(&output.stderr);
    assert!(error.contains("no folder can be made there: name another with --tables or MAKRUK_TABLES"), "{error}");
}
