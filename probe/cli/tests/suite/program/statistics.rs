//! `research stats`, `list`, `pack` and `plot`.

use std::collections::HashMap;
use std::process::Output;

use sha2::{Digest, Sha256};

use super::{command, errors, text};

fn run(arguments: &[&str]) -> Output {
    command(&["research"]).args(arguments).output().unwrap()
}

/// The rows of some CSV by column.
fn rows(csv: &str) -> Vec<HashMap<&str, &str>> {
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let columns = lines.next().unwrap();
    let row = |fields: Vec<_>| {
        assert_eq!(fields.len(), columns.len());
        columns.iter().copied().zip(fields).collect()
    };
    lines.map(row).collect()
}

#[test]
fn statistics_are_a_table_or_csv() {
    let [table, csv, headers] = [&[][..], &["--csv"], &["--csv", "--headers"]].map(|format| {
        let output = run(&[&["stats", "KRvKR", "KRvK"], format].concat());
        assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
        text(&output).to_owned()
    });
    assert!(table.contains("KRvKR") && table.contains("3211696") && table.contains("16.7%"), "{table}");
    assert!(!table.contains('~') && table.lines().all(|line| line.len() <= 125), "{table}");
    let (scanned, headers) = (rows(&csv), rows(&headers));
    assert_eq!((scanned.len(), headers.len()), (4, 4));
    assert_eq!((scanned[0]["material"], scanned[0]["saves"]), ("KRvKR", "29920"));
    assert!(scanned[0]["short_by"].contains(':'), "{}", scanned[0]["short_by"]);
    // Headers alone have the same totals.
    assert_eq!(headers[0]["taken"], scanned[0]["taken"]);
    assert_eq!(headers[0]["sacrifice_share"], "");
}

/// Shares of samples are marked, and the line below the table has the samples' sizes.
#[test]
fn samples_look_like_samples() {
    let options = ["--sample", "3000", "--captures", "10000"];
    let [table, csv] = [&[][..], &["--csv"]].map(|format| {
        let output = run(&[&["stats", "KRvKR", "KRvKN", "--no-longest"], &options[..], format].concat());
        assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
        text(&output).to_owned()
    });
    let rows = rows(&csv);
    let mut marked = 0;
    for (line, row) in table.lines().skip(1).zip(&rows) {
        let cells: Vec<&str> = line.split_whitespace().collect();
        assert!(!cells[4].contains('~'), "totals are exact: {line}");
        let saves_are_sampled = row["saves_looked_at"] != row["saves"];
        let captures_are_sampled = row["captures_error"].parse().is_ok_and(|error: f64| error > 0.0);
        for (at, column, is_sampled) in [
            (7, "sacrifice_share", saves_are_sampled),
            (8, "forced_sacrifice_share", saves_are_sampled),
            (9, "capture_draws_share", captures_are_sampled),
        ] {
            let (is_marked, number) = (cells[at].starts_with('~'), cells[at].trim_matches(['~', '%']));
            match row[column].parse::<f64>() {
                // The CSV has four decimals, from which the last digit may be rounded otherwise.
                Ok(share) => assert!((number.parse::<f64>().unwrap() - 100.0 * share).abs() < 0.11, "{column}: {line}"),
                Err(_) => assert_eq!(number, "-", "{column}: {line}"),
            }
            assert_eq!(is_marked, is_sampled && number != "-", "{column}: {line}");
            marked += u32::from(is_marked);
        }
    }
    assert!(marked > 5, "{table}");
    let all = &rows[rows.len() - 1];
    let number = |row: &HashMap<&str, &str>, column| row[column].parse::<u64>().ok();
    let captures: u64 =
        rows.iter().filter_map(|row| Some(number(row, "captures")? * number(row, "captures_stride")?)).sum();
    let sizes = format!(
        "~: an estimate from an evenly spaced sample. {} of {} saves were analysed (--sample); \
         {} of about {captures} wins in time with such a capture (--captures).\n",
        all["saves_looked_at"], all["saves"], all["captures"]
    );
    assert!(table.ends_with(&sizes), "{table}");
}

#[test]
fn pictures_are_written() {
    let home = tempfile::tempdir().unwrap();
    let svg = home.path().join("a.svg");
    let output = run(&["plot", "distances", "KRRvK", "--out", svg.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    assert!(std::fs::read(&svg).unwrap().starts_with(b"<svg"));
}

#[test]
fn lists_and_archives_have_manifests() {
    let home = tempfile::tempdir().unwrap();
    let folder = |name: &str| home.path().join(name).to_str().unwrap().to_owned();
    let output = run(&["list", "KRvKR", "KRvK", "--out", &folder("lists"), "--quiet"]);
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    let manifest: Vec<Vec<String>> =
        text(&output).lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect();
    assert_eq!(manifest[0], ["kind", "material", "positions", "bytes", "sha256"]);
    for line in &manifest[1..] {
        let [kind, material, positions, bytes, sha256] = &line[..] else { panic!("{line:?}") };
        let list =
            std::fs::read_to_string(home.path().join("lists").join(kind).join(format!("{material}.epd"))).unwrap();
        assert_eq!((list.lines().count().to_string(), list.len().to_string()), (positions.clone(), bytes.clone()));
        let digest: String = Sha256::digest(&list).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(*sha256, digest);
        assert!(list.lines().all(|line| line.contains(&format!(" - - id \"{material}:")) && line.ends_with("\";")));
    }
    let found: Vec<(&str, &str)> = manifest[1..].iter().map(|line| (&*line[0], &*line[1])).collect();
    let armed =
        ["longest-mates", "longest-conversions", "deepest-saves", "wasteful-captures"].map(|kind| (kind, "KRvKR"));
    let bare = ["longest-mates", "deepest-saves", "tightest-wins"].map(|kind| (kind, "KRvK"));
    assert_eq!(found, [armed.to_vec(), bare.to_vec()].concat());
    let printed = run(&["list", "--kind", "deepest-saves", "KRvK", "--quiet"]);
    let list = std::fs::read_to_string(home.path().join("lists/deepest-saves/KRvK.epd")).unwrap();
    assert_eq!(text(&printed), list);
    for (kind, material) in [("deepest-saves", "KRvK"), ("zugzwangs", "KRvKN")] {
        let all = run(&["list", "--kind", kind, material, "--quiet"]);
        let some = run(&["list", "--kind", kind, material, "--quiet", "--limit", "2"]);
        assert_eq!(text(&all).lines().take(2).collect::<Vec<_>>(), text(&some).lines().collect::<Vec<_>>(), "{kind}");
    }

    let pack = || run(&["pack", "KRvKR", "KRvK", "--out", &folder("archives")]);
    let output = pack();
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    let archive = std::fs::read(home.path().join("archives/KRvKR.tar")).unwrap();
    let lines: Vec<Vec<&str>> = text(&output).lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(lines[0], ["archive", "bytes", "sha256", "tables"]);
    assert_eq!(lines[1][..2], ["KRvKR.tar", &archive.len().to_string()]);
    assert_eq!((lines[1][3], lines[2][3]), ("KRvKR.dtm KRvKR.dtz KRvKR.category", "KRvK.dtm KRvK.category"));
    let mut packed = tar::Archive::new(&*archive);
    let names = packed.entries().unwrap().map(|entry| entry.unwrap().path().unwrap().into_owned());
    assert_eq!(names.collect::<Vec<_>>(), lines[1][3].split(' ').map(std::path::PathBuf::from).collect::<Vec<_>>());
    assert_eq!(text(&pack()), text(&output), "the same archives again");
}

#[test]
fn other_rules_take_other_wins() {
    let taken = |rules: &str, material: &str| {
        let output = run(&["stats", "--headers", "--csv", "--rules", rules, material]);
        assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
        rows(text(&output))[0]["taken"].parse::<u64>().unwrap()
    };
    // 13 moves are left in Makruk with the defender to move and 14 with the attacker to move, then one more and one
    // less.
    let all = ["attackers-men", "makruk", "khon-first", "no-last-move", "ouk"].map(|rules| taken(rules, "KRvK"));
    assert_eq!(all, [21_256, 62_872, 62_872, 112_524, 112_524]);
}
