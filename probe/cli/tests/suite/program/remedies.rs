//! States of a folder, and the sentences that help: a file is to be deleted only if it is known to be damaged.

use std::fs;
use std::path::Path;

use makruk_format::FORMAT_VERSION;

use super::{errors, run};

/// A win of K+R v K+N, whose value needs both tables of distances.
const FEN: &str = "8/8/8/8/8/1K6/8/kn5R w - - 0 1";

/// A change of the sound tables of a folder, the first part of the sentence that is printed, and the remedy. BUILD
/// stands for the command that builds K+R v K+N there.
type State = (fn(&Path), &'static str, &'static str);

fn write(folder: &Path, name: &str, change: impl FnOnce(Vec<u8>) -> Vec<u8>) {
    let path = folder.join(name);
    let bytes = change(fs::read(&path).unwrap());
    fs::write(path, bytes).unwrap();
}

fn with_version(mut bytes: Vec<u8>, version: u32) -> Vec<u8> {
    bytes[8..12].copy_from_slice(&version.to_le_bytes());
    bytes
}

const STATES: [State; 15] = [
    (|folder| fs::remove_file(folder.join("KRvKN.dtm")).unwrap(), "has no table KRvKN.dtm", "; BUILD makes it"),
    (
        |folder| write(folder, "KRvKN.dtm", |bytes| with_version(bytes, FORMAT_VERSION - 1)),
        "cannot use table KRvKN.dtm",
        "an older one; run BUILD, which makes it anew",
    ),
    (
        |folder| write(folder, "KRvKN.dtm", |bytes| with_version(bytes, FORMAT_VERSION + 1)),
        "cannot use table KRvKN.dtm",
        "a newer one; update this program",
    ),
    (
        |folder| write(folder, "KRvKN.dtm", |bytes| [b"\x1f\x8b\x08", &bytes[..]].concat()),
        "not a Makruk table but a compressed file",
        "; decompress it, or fetch the table again, or move the file elsewhere and run BUILD",
    ),
    (
        |folder| write(folder, "KRvKN.dtm", |_| b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n".to_vec()),
        "not a Makruk table but a pointer of Git LFS",
        "; fetch its content with `git lfs pull`, or fetch the table again, or move the file elsewhere and run BUILD",
    ),
    (
        |folder| write(folder, "KRvKN.dtm", |_| b"\n<!DOCTYPE html><title>404</title>".to_vec()),
        "not a Makruk table but a web page",
        "; fetch the table again, or move the file elsewhere and run BUILD",
    ),
    (
        |folder| write(folder, "KRvKN.dtm", |bytes| bytes[..bytes.len() / 2].to_vec()),
        "cannot read table KRvKN.dtm",
        "; if it is being copied, wait until it is whole; else copy it again, or run BUILD",
    ),
    (
        |folder| write(folder, "KRvKN.dtm", |_| Vec::new()),
        "cannot read table KRvKN.dtm",
        "found 0; if it is being copied, wait until it is whole; else copy it again, or run BUILD",
    ),
    (
        |folder| write(folder, "KRvKN.dtm", |bytes| vec![0; bytes.len()]),
        "not a Makruk table but zeros",
        "; if it is being copied, wait until it is whole; else fetch the table again, or move the file elsewhere and run BUILD",
    ),
    (
        |folder| write(folder, "KRvKN.dtm", |bytes| [&bytes[..], b"\n"].concat()),
        "cannot use table KRvKN.dtm",
        "; copy it again, or run BUILD, which makes it anew",
    ),
    (
        |folder| {
            write(folder, "KRvKN.dtm", |mut bytes| {
                bytes[100] ^= 1;
                bytes
            });
        },
        "the table KRvKN.dtm is damaged",
        "; delete the file and run BUILD",
    ),
    (
        |folder| {
            fs::copy(folder.join("KRvK.dtm"), folder.join("KRvKN.dtm")).unwrap();
        },
        "cannot use table KRvKN.dtm",
        "the table inside is KRvK.dtm: expected KRvKN.dtm; if there is no KRvK.dtm, rename the file to that; then run BUILD",
    ),
    (
        |folder| fs::rename(folder.join("KRvKN.dtz"), folder.join("KRvKN.dtm")).unwrap(),
        "cannot use table KRvKN.dtm",
        "the table inside is KRvKN.dtz: expected KRvKN.dtm; if there is no KRvKN.dtz, rename the file to that; then run BUILD",
    ),
    (
        |folder| {
            let other = test_tables::one_sided(test_tables::materials(&["KRvKN"]));
            fs::copy(other.path().join("KRvKN.dtm"), folder.join("KRvKN.dtm")).unwrap();
        },
        "cannot use table KRvKN.dtz",
        "; copy both tables from the same place, or run BUILD, which makes DTZ anew",
    ),
    (
        |folder| {
            fs::remove_file(folder.join("KRvKN.dtm")).unwrap();
            // No file system reads a folder as a file, for any user.
            fs::create_dir(folder.join("KRvKN.dtm")).unwrap();
        },
        "cannot read table KRvKN.dtm",
        "it is not a regular file",
    ),
];

#[test]
fn each_state_of_a_table_has_its_remedy() {
    let materials = test_tables::materials(&["KRvKN"]);
    for (change, said, remedy) in STATES {
        let place = test_tables::own(&test_tables::usual(materials.clone()), materials.clone());
        let folder = place.path().to_str().unwrap();
        let sound = run(&["query", "--json", "--tables", folder, FEN], b"");
        assert!(sound.status.success(), "{said}: {}", errors(&sound));
        change(place.path());
        let failed = run(&["query", "--tables", folder, FEN], b"");
        let text = errors(&failed);
        let remedy = remedy.replace("BUILD", &format!("`makruk-gen build KRvKN --tables {folder}`"));
        assert!(!failed.status.success() && text.contains(said) && text.contains(&remedy), "{said}\n{remedy}\n{text}");
        assert_eq!(text.contains("delete"), said.ends_with("is damaged"), "{text}");
    }
}

#[cfg(feature = "full")]
#[test]
fn tables_of_other_rules_belong_elsewhere() {
    let tables = test_tables::usual(test_tables::materials(&["KRvKN"]));
    let folder = tables.path().to_str().unwrap();
    let rules = ["--rules", "attackers-men"];
    let stats = [&["research", "stats", "--headers", "KRvKN", "--tables", folder][..], &rules].concat();
    let failed = run(&stats, b"");
    let text = errors(&failed);
    assert!(text.contains("counting rules: expected attackers-men, found makruk; the table is sound"), "{text}");
    let option = "belong in a folder of their own: --rules attackers-men --tables OTHER --build";
    assert!(text.trim_end().ends_with(option) && !text.contains("delete"), "{text}");
    // The remedy helps; without the option the folder is refused in turn.
    let own = tempfile::tempdir().unwrap();
    let other = own.path().join("other");
    let other = other.to_str().unwrap();
    let build = [&["research", "stats", "--headers", "KRvKN", "--tables", other, "--build"][..], &rules].concat();
    assert!(run(&build, b"").status.success());
    let text = run(&["query", "--tables", other, FEN], b"");
    assert!(errors(&text).contains("name a folder of makruk's tables with --tables"), "{}", errors(&text));
}

#[cfg(unix)]
#[test]
fn a_folder_of_any_name_is_printed_as_shells_and_people_read_it() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("x'; touch owned; '");
    fs::create_dir(&folder).unwrap();
    let folder = folder.to_str().unwrap();
    let failed = run(&["query", "--tables", folder, FEN], b"");
    let command = errors(&failed).split('`').nth(1).unwrap().to_owned();
    assert_eq!(shlex::split(&command).unwrap(), ["makruk-gen", "build", "KRvKN", "--tables", folder]);
    let folder = place.path().join("\u{1b}[2J\n");
    for arguments in [&["query", FEN, "--tables"][..], &["serve", "--check", "--tables"], &["analyse"]] {
        if arguments[0] == "serve" && cfg!(not(feature = "full")) {
            continue;
        }
        let failed = run(&[arguments, &[folder.to_str().unwrap()]].concat(), b"");
        let text = errors(&failed);
        assert!(text.contains(r"\u{1b}[2J\n") && !text.contains('\u{1b}') && text.lines().count() == 1, "{text:?}");
    }
}
