//! The programs for Windows, under Wine, beside those of this machine: the same input and tables give the same output.
//!
//! `MAKRUK_WINDOWS` is the folder of the programs that `.ci/cross` has compiled, `WINEPREFIX` what `.ci/run` has made.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use makruk_tables::material::Material;
use makruk_tests::programs::{GENERATOR, PROBE, program};

const FEN: &str = "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1";

/// A new folder whose name has Thai letters and a blank, with the tables of three men and of some of four in `tables`.
fn place() -> (tempfile::TempDir, PathBuf) {
    let outer = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let place = outer.path().join("หมากรุก ไทย");
    fs::create_dir_all(place.join("tables")).expect("a folder");
    let materials = (3..=4).flat_map(Material::all).filter(|material| !material.to_string().contains('P'));
    test_tables::link(&test_tables::small(), materials, &place.join("tables"));
    (outer, place)
}

/// A program for Windows, in a folder.
fn wine(name: &str, place: &Path) -> Command {
    let programs = PathBuf::from(std::env::var_os("MAKRUK_WINDOWS").expect("MAKRUK_WINDOWS: a folder of programs"));
    let mut command = Command::new("wine");
    command.arg(programs.join(format!("{name}.exe"))).env("WINEDEBUG", "-all").env("LC_ALL", "C.UTF-8");
    command.env_remove("MAKRUK_TABLES").current_dir(place);
    command
}

fn output(mut command: Command, input: &str) -> Output {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a program");
    child.stdin.take().expect("its input").write_all(input.as_bytes()).expect("a reader");
    child.wait_with_output().expect("its output")
}

/// The output of both programs, which is the same, and whose status is the same. Windows' has lines that end in CR LF.
fn both(name: &str, place: &Path, arguments: &[&str], input: &str) -> String {
    let mut here = program(name);
    here.current_dir(place).args(arguments);
    let mut there = wine(name, place);
    there.args(arguments);
    let (here, there) = (output(here, input), output(there, &input.replace('\n', "\r\n")));
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    assert_eq!(text(&there.stdout), text(&here.stdout), "{arguments:?}: {}", text(&there.stderr));
    assert_eq!(there.status.code(), here.status.code(), "{arguments:?}");
    text(&there.stdout)
}

#[test]
#[ignore = "needs wine, and MAKRUK_WINDOWS"]
fn positions_games_and_players_are_those_of_this_machine() {
    let (_outer, place) = place();
    let positions = format!("{FEN}\nK+2R v K+R\n8/8/4k3/8/8/8/K7/R6R b - 16 8\n");
    let answers = both(PROBE, &place, &["query", "--json", "--moves", "--tables", "tables"], &positions);
    assert!(answers.contains("\"dtm\":31") && answers.lines().count() == 3, "{answers}");
    both(PROBE, &place, &["query", "--tables", "tables", FEN], "");
    fs::write(place.join("เกม.pgn"), format!("[FEN \"{FEN}\"]\r\n\r\n1. รจ1 Kf2 2. Rb1 *\r\n")).expect("a game");
    let game = both(PROBE, &place, &["analyse", "--tables", "tables", "เกม.pgn"], "");
    assert!(game.contains("Rb1"), "{game}");
    // A drive letter and the separator of lists.
    let path = format!("C:\\nowhere;Z:{}", place.join("tables").display().to_string().replace('/', "\\"));
    let uci = format!("uci\nsetoption name MakrukPath value {path}\nposition fen {FEN}\ngo nodes 100\n");
    let mut engine = wine(PROBE, &place);
    engine.arg("uci");
    let said = talk(engine, &uci, "bestmove");
    assert!(said.contains("24 materials of up to 4 men") && said.contains("White wins"), "{said}");
    assert!(said.contains("\nbestmove e2e1"), "{said}");
    let mut engine = wine(PROBE, &place);
    engine.args(["xboard", "--tables", "tables"]);
    let xboard = format!("xboard\nprotover 2\nvariant makruk\nsetboard {FEN}\ngo\n");
    assert!(talk(engine, &xboard, "move ").ends_with("\nmove e2e1\n"));
}

/// The lines that a player answers, up to one with this beginning.
fn talk(mut engine: Command, input: &str, last: &str) -> String {
    let mut child = engine.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a player");
    let mut to = child.stdin.take().expect("its input");
    to.write_all(input.replace('\n', "\r\n").as_bytes()).expect("a reader");
    let mut said = String::new();
    for line in BufReader::new(child.stdout.take().expect("its output")).lines() {
        let line = line.expect("UTF-8");
        said += &format!("{line}\n");
        if line.starts_with(last) {
            break;
        }
    }
    drop(to);
    assert!(child.wait().expect("a status").success(), "{said}");
    said
}

#[test]
#[ignore = "needs wine, and MAKRUK_WINDOWS"]
fn plans_totals_and_sites_are_those_of_this_machine() {
    let (_outer, place) = place();
    // With the memory that the machine has.
    let plan = both(GENERATOR, &place, &["plan", "--men", "4", "--tables", "tables"], "");
    assert!(plan.contains("a build here may take "), "{plan}");
    both(GENERATOR, &place, &["info", "--json", "KRvKS", "--tables", "tables"], "");
    both(GENERATOR, &place, &["verify", "KSvK", "--tables", "tables"], "");
    fs::create_dir(place.join("three")).expect("a folder");
    test_tables::link(&test_tables::small(), Material::all(3), &place.join("three"));
    let mut sites =
        [program(PROBE), wine(PROBE, &place)].into_iter().zip(["here", "there"]).map(|(mut command, out)| {
            command.current_dir(&place).args(["site", "--tables", "three", "--out", out]);
            let made = output(command, "");
            assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
            place.join(out)
        });
    let (here, there) = (sites.next().expect("a site"), sites.next().expect("a site"));
    let same = Command::new("diff").args(["-r".as_ref(), here.as_os_str(), there.as_os_str()]).output().expect("diff");
    assert!(same.status.success(), "{}", String::from_utf8_lossy(&same.stdout));
}

/// A program on a terminal, to which keys are sent.
struct Terminal {
    child: Child,
    output: PathBuf,
}

impl Terminal {
    fn start(command: &Command, place: &Path) -> Terminal {
        let words = std::iter::once(command.get_program()).chain(command.get_args());
        let words: Vec<_> = words.map(|word| format!("'{}'", word.to_str().expect("UTF-8"))).collect();
        let output = place.join("terminal");
        let mut script = Command::new("script");
        script.args(["--quiet", "--flush", "--return", "--command", &words.join(" ")]).arg(&output).current_dir(place);
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => script.env(name, value),
                None => script.env_remove(name),
            };
        }
        let child = script.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().expect("script");
        Terminal { child, output }
    }

    /// Waits until a condition holds, as long as a busy machine may take.
    fn wait(&self, holds: impl Fn(&str) -> bool) -> String {
        let begun = Instant::now();
        loop {
            let text = String::from_utf8_lossy(&fs::read(&self.output).unwrap_or_default()).into_owned();
            if holds(&text) {
                return text;
            }
            assert!(begun.elapsed() < Duration::from_secs(120), "{text}");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Sends a key, and returns the exit status.
    fn end(mut self, key: &str) -> Option<i32> {
        self.child.stdin.as_mut().expect("its input").write_all(key.as_bytes()).expect("a reader");
        let status = self.child.wait().expect("a status");
        status.code()
    }
}

#[test]
#[ignore = "needs wine, and MAKRUK_WINDOWS"]
fn a_build_that_ctrl_c_stops_goes_on_and_makes_the_same_bytes() {
    let (_outer, place) = place();
    let build = || {
        let mut command = wine(GENERATOR, &place);
        command.args(["build", "KRRvK", "--threads", "1", "--tables", "built"]);
        command
    };
    let terminal = Terminal::start(&build(), &place);
    terminal.wait(|text| text.contains("2/2"));
    assert_eq!(terminal.end("\u{3}"), Some(130));
    let built = |name: &str| fs::read(place.join("built").join(name)).ok();
    assert!(built("KRvK.dtm").is_some() && built("KRRvK.dtm").is_none());
    let ended = output(build(), "");
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    for name in ["KRvK.dtm", "KRvK.category", "KRRvK.dtm", "KRRvK.category"] {
        assert_eq!(built(name), fs::read(place.join("tables").join(name)).ok(), "{name}");
    }
    let files = fs::read_dir(place.join("built")).expect("a folder").count();
    assert_eq!(files, 4, "temporary files are gone");
}

#[test]
#[ignore = "needs wine, and MAKRUK_WINDOWS"]
fn a_double_click_opens_the_page_on_the_tables_beside_the_program() {
    let (_outer, place) = place();
    let programs = std::env::var("MAKRUK_WINDOWS").expect("MAKRUK_WINDOWS: a folder of programs");
    fs::copy(Path::new(&programs).join("makruk-probe.exe"), place.join("makruk-probe.exe")).expect("the program");
    // Wine gives addresses to this machine's browser.
    let bin = place.join("bin");
    fs::create_dir(&bin).expect("a folder");
    fs::write(bin.join("xdg-open"), format!("#!/bin/sh\necho \"$@\" >'{}/asked'\n", place.display())).expect("a file");
    fs::set_permissions(bin.join("xdg-open"), fs::Permissions::from_mode(0o755)).expect("a file");
    let mut command = Command::new("wine");
    command.arg("makruk-probe.exe").env("WINEDEBUG", "-all").env("LC_ALL", "C.UTF-8").env_remove("MAKRUK_TABLES");
    command.env("PATH", format!("{}:{}", bin.display(), std::env::var("PATH").expect("a path")));
    let terminal = Terminal::start(&command, &place);
    let text = terminal.wait(|text| text.contains("Enter ends") && place.join("asked").exists());
    assert!(text.contains("5 and Enter builds"), "{text}");
    let page = fs::read_to_string(place.join("asked")).expect("an address");
    let address = page.trim().strip_prefix("http://").expect("an address").trim_end_matches('/');
    let get = |path: &str| {
        let mut stream = TcpStream::connect(address).expect("a server");
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").expect("a server");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("an answer");
        String::from_utf8_lossy(&answer).into_owned()
    };
    assert!(get("/").contains("<html"), "the page");
    let answer = get(&format!("/v1/probe?fen={}", FEN.replace(' ', "_")));
    assert!(answer.contains("\"dtm\":31"), "{answer}");
    assert_eq!(terminal.end("\r"), Some(0));
}
