//! Messages about errors of tables, for users of the programs.

use std::borrow::Cow;
use std::error::Error;
use std::io::{self, Write};
use std::path::Path;

use super::folder::{TABLES_VARIABLE, locate};
use makruk_format::{Foreign, FormatError, Kind};
use makruk_rules::{CountingRules, printable};
use makruk_tables::listed;
use makruk_tables::material::Material;
use makruk_tables::tablebase::{OtherRules, TableError};

/// An error and its causes as one line. A cause whose text an earlier one already has is left out.
fn message(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text.push_str(": ");
            text.push_str(&cause_text);
        }
        next = cause.source();
    }
    // The system's sentence is for people, its number is not.
    while let Some(start) = text.find(" (os error ") {
        let Some(length) = text[start..].find(')') else { break };
        // Windows ends its sentences with a full stop.
        text.replace_range(text[..start].trim_end_matches('.').len()..=start + length, "");
    }
    text
}

/// An error and its causes as one line, with its remedy if `remedy` knows one. Characters that cannot be seen are
/// escaped.
pub fn sentence(
    error: &(dyn Error + 'static),
    remedy: impl FnOnce(&(dyn Error + 'static)) -> Option<String>,
) -> String {
    let text = message(error);
    printable(&match remedy(error) {
        Some(remedy) => format!("{text}; {remedy}"),
        None => text,
    })
}

/// Prints a line on standard error. Characters that cannot be seen, such as those of a file's name that move a
/// terminal's cursor, are escaped. The program continues if nobody reads it.
pub fn warn(text: &str) {
    let _ = writeln!(io::stderr(), "{}", printable(text));
}

/// The remedy for an error of a table, if there is one: a sentence without a capital and a full stop.
pub fn table_remedy(error: &TableError) -> Option<String> {
    let source = error.source();
    if let Some(error) = source.and_then(|source| source.downcast_ref()) {
        return file_remedy(error);
    }
    if let Some(OtherRules { expected, found, .. }) = source.and_then(|source| source.downcast_ref()) {
        return Some(match expected == CountingRules::MAKRUK.name() {
            true => {
                format!("the table is sound, for the rules {found}; name a folder of {expected}'s tables with --tables")
            }
            false => format!(
                "the table is sound, for the rules {found}; tables of other rules belong in a folder of their own: \
                 --rules {expected} --tables OTHER --build"
            ),
        });
    }
    match error {
        TableError::Missing { id, path, .. } => Some(missing_remedy(id.material, path.parent())),
        TableError::Corrupt { id, path, .. } => {
            let build = build(Some(id.material), path.parent());
            Some(with_cost(format!("delete the file and run {build}"), Some(id.material)))
        }
        _ => None,
    }
}

/// The remedy for a missing table of a material: the commands that build and fetch it, with the cost of each. They name
/// the folder unless it is the one that the programs take anyway.
pub fn missing_remedy(material: Material, folder: Option<&Path>) -> String {
    let cost = match material.men() {
        ..5 => "seconds".to_owned(),
        // The sums of `makruk-gen plan` for a material of five men and all that it leads to.
        5 => "up to 2 minutes of a core, 2 GB of memory".to_owned(),
        men => format!("{men} men: hours, and gigabytes of memory; `makruk-gen plan {material}` estimates them"),
    };
    let fetch = listed_bytes(material).map(|bytes| {
        // Rounded up to a tenth.
        let megabytes = bytes.div_ceil(100_000) as f64 / 10.0;
        let fetch = command("fetch --from URL", Some(material), folder);
        format!(", {fetch} fetches it ({megabytes} MB with all that it leads to)")
    });
    format!("{} makes it ({cost}){}", build(Some(material), folder), fetch.unwrap_or_default())
}

/// The remedy for an address without the catalogue of a site.
pub fn address_remedy(address: &str) -> String {
    let address = shell_word(Path::new(address));
    format!(
        "if it is a folder of tables, `makruk-gen fetch --from {address} MATERIAL` fetches them; `makruk-probe site` makes \
         a site of tables"
    )
}

/// The bytes of the tables of a material and of all that captures and promotions lead to, if the lists have them.
fn listed_bytes(material: Material) -> Option<u64> {
    Material::with_descendants([material]).into_iter().flat_map(Material::tables).map(|id| Some(listed(id)?.0)).sum()
}

/// The remedy for an error of a table's file or of a table folder, if there is one. A file is to be deleted only if it
/// is known to be damaged.
pub fn file_remedy(error: &FormatError) -> Option<String> {
    let found = material_of(error.path());
    let build = || build(found, error.path().parent());
    let remedy = match (error.kind(), error.system_error()) {
        (_, Some((_, source))) if is_too_many_files(source) => "raise the limit of open files (ulimit -n)".to_owned(),
        // A file system such as /proc says of a new folder that it is not found.
        (_, Some(("make the table folder", source))) if source.kind() == io::ErrorKind::NotFound => {
            format!("no folder can be made there: name another with --tables or {TABLES_VARIABLE}")
        }
        (_, Some((_, source))) => return io_remedy(source.kind()),
        (Kind::NoTable, None) => return Some(missing_remedy(found?, error.path().parent())),
        (Kind::NoFolder, None) => {
            format!("name another with --tables or {TABLES_VARIABLE}, or build tables into it")
        }
        (Kind::NotAFolder, None) => format!("name a folder with --tables or {TABLES_VARIABLE}"),
        (Kind::Newer, None) => "update this program".to_owned(),
        (Kind::Older, None) => format!("run {}, which makes it anew", build()),
        (Kind::Truncated, None) => {
            format!("if it is being copied, wait until it is whole; else copy it again, or run {}", build())
        }
        (Kind::Changed, None) => "try again when the file is whole".to_owned(),
        (Kind::Overlong, None) => format!("copy it again, or run {}, which makes it anew", build()),
        (Kind::OtherTable(table), None) => {
            format!("if there is no {table}, rename the file to that; then run {}", build())
        }
        (Kind::OtherBuild, None) => {
            format!("copy both tables from the same place, or run {}, which makes DTZ anew", build())
        }
        (Kind::Foreign(content), None) => {
            let first = match content {
                Foreign::Zeros => "if it is being copied, wait until it is whole; else ",
                Foreign::Compressed => "decompress it, or ",
                Foreign::LfsPointer => "fetch its content with `git lfs pull`, or ",
                _ => "",
            };
            format!("{first}fetch the table again, or move the file elsewhere and run {}", build())
        }
        (Kind::Corrupt, None) => format!("delete the file and run {}", build()),
        (_, None) => return None,
    };
    Some(with_cost(remedy, found))
}

/// The remedy for an error of the system with a table folder or a file in it, if there is one.
fn io_remedy(kind: io::ErrorKind) -> Option<String> {
    match kind {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            Some(format!("free some space, or name another folder with --tables or {TABLES_VARIABLE}"))
        }
        io::ErrorKind::FileTooLarge => Some(
            "raise the limit on the size of files (ulimit -f), or name a folder on another file system with --tables"
                .to_owned(),
        ),
        // Windows replaces no file that a program has open.
        io::ErrorKind::PermissionDenied if cfg!(windows) => Some(format!(
            "end the programs that use the file, such as a server or a player, and run the command again; or change the \
             folder's permissions, or name another folder with --tables or {TABLES_VARIABLE}"
        )),
        io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => {
            Some(format!("change its permissions, or name another folder with --tables or {TABLES_VARIABLE}"))
        }
        io::ErrorKind::NotFound => Some("the folder or file is gone: was it removed meanwhile?".to_owned()),
        _ => None,
    }
}

/// Whether the process, or the system, has too many open files.
fn is_too_many_files(error: &io::Error) -> bool {
    // ENFILE and EMFILE of every Unix; the standard library has no kind for them.
    cfg!(unix) && matches!(error.raw_os_error(), Some(23 | 24))
}

/// The command that builds a material, with the folder unless it is the one that the program takes anyway.
fn build(material: Option<Material>, folder: Option<&Path>) -> String {
    command("build", material, folder)
}

fn command(verb: &str, material: Option<Material>, folder: Option<&Path>) -> String {
    let name = material.map_or_else(|| "MATERIAL".to_owned(), |material| material.to_string());
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty() && *folder != locate(None));
    let option = folder.map_or_else(String::new, |folder| format!(" --tables {}", shell_word(folder)));
    format!("`makruk-gen {verb} {name}{option}`")
}

/// A remedy with the cost of the build that it asks for, if that is much.
fn with_cost(remedy: String, material: Option<Material>) -> String {
    match material {
        Some(material) if material.men() > 5 && remedy.contains("makruk-gen build") => {
            let men = material.men();
            format!("{remedy} ({men} men: hours, and gigabytes of memory; `makruk-gen plan {material}` estimates them)")
        }
        _ => remedy,
    }
}

/// A path as a word of a command line.
pub fn shell_word(path: &Path) -> String {
    let text = path.to_string_lossy();
    if cfg!(windows) {
        // Backslashes before the quotation mark, such as that of a drive's root, would quote it: each is doubled.
        return format!("\"{text}{}\"", &text[text.trim_end_matches('\\').len()..]);
    }
    // No path has the character of number 0, which alone cannot be quoted.
    shlex::try_quote(&text).map_or_else(|_| "DIR".to_owned(), Cow::into_owned)
}

/// The material that a file, finished or temporary, is named for.
fn material_of(path: &Path) -> Option<Material> {
    let name = path.file_name()?.to_str()?;
    name.strip_prefix('.').unwrap_or(name).split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use makruk_format::{AnyValue, FORMAT_VERSION, Table, TableFolder, TableId};

    fn of_bytes(bytes: &[u8]) -> FormatError {
        Table::<_, AnyValue>::from_bytes(bytes, "tables/KRvK.dtm").unwrap_err()
    }

    #[test]
    fn each_kind_of_problem_has_its_remedy() {
        let remedy = |error: &FormatError| file_remedy(error).unwrap_or_default();
        let place = tempfile::tempdir().unwrap();
        let folder = TableFolder::open_existing(place.path()).unwrap();
        assert_eq!(
            remedy(&folder.open::<AnyValue>("KRvK.dtm".parse().unwrap()).unwrap_err()),
            missing_remedy("KRvK".parse().unwrap(), Some(place.path()))
        );
        let nowhere = TableFolder::open_existing(place.path().join("nowhere")).unwrap_err();
        assert_eq!(remedy(&nowhere), "name another with --tables or MAKRUK_TABLES, or build tables into it");
        std::fs::write(place.path().join("file"), "").unwrap();
        let file = TableFolder::open_existing(place.path().join("file")).unwrap_err();
        assert_eq!(remedy(&file), "name a folder with --tables or MAKRUK_TABLES");

        let build = "`makruk-gen build KRvK --tables tables`";
        let with_version = |version: u8| of_bytes(&[&b"\x89MKT\r\n\x1a\n"[..], &[version], &[0; 300][..]].concat());
        assert_eq!(remedy(&with_version(FORMAT_VERSION as u8 - 1)), format!("run {build}, which makes it anew"));
        assert_eq!(remedy(&with_version(FORMAT_VERSION as u8 + 1)), "update this program");
        let moved = format!("fetch the table again, or move the file elsewhere and run {build}");
        for (bytes, first) in [
            (&b"\x7fELF"[..], ""),
            (b"no table", ""),
            (b"<!DOCTYPE html>", ""),
            (b"\x1f\x8b\x08", "decompress it, or "),
            (b"version https://git-lfs.github.com/spec/v1", "fetch its content with `git lfs pull`, or "),
            (&[0; 300], "if it is being copied, wait until it is whole; else "),
        ] {
            assert_eq!(remedy(&of_bytes(bytes)), format!("{first}{moved}"));
        }
    }

    #[test]
    fn a_shell_reads_a_path_as_it_is() {
        for (path, word) in [
            ("/srv/tables-5_men.old", "/srv/tables-5_men.old"),
            ("my tables", "'my tables'"),
            ("x'; touch owned; '", r#""x'; touch owned; '""#),
            ("$(reboot)", "'$(reboot)'"),
        ] {
            assert_eq!(shell_word(Path::new(path)), word);
            assert_eq!(shlex::split(word), Some(vec![path.to_owned()]));
        }
    }

    #[test]
    fn errors_of_the_system_have_remedies_by_their_kind() {
        let remedy = |kind: io::ErrorKind| {
            let path = Path::new("tables/.KRvK.dtm.1-0.tmp");
            file_remedy(&FormatError::io("write the file", path, kind.into()))
        };
        let starts = |kind, start: &str| assert!(remedy(kind).is_some_and(|text| text.starts_with(start)), "{start}");
        starts(io::ErrorKind::StorageFull, "free some space, or name another folder");
        starts(io::ErrorKind::FileTooLarge, "raise the limit on the size of files (ulimit -f)");
        starts(io::ErrorKind::PermissionDenied, "change its permissions");
        starts(io::ErrorKind::NotFound, "the folder or file is gone");
        assert_eq!(remedy(io::ErrorKind::Interrupted), None);
        let unmade = FormatError::io("make the table folder", Path::new("/proc/x"), io::ErrorKind::NotFound.into());
        let remedy_of_unmade = "no folder can be made there: name another with --tables or MAKRUK_TABLES";
        assert_eq!(file_remedy(&unmade).as_deref(), Some(remedy_of_unmade));
        let too_many = FormatError::io("open the file", Path::new("KRvK.dtm"), io::Error::from_raw_os_error(24));
        assert_eq!(file_remedy(&too_many).as_deref(), Some("raise the limit of open files (ulimit -n)"));
    }

    #[test]
    fn tables_that_fail_name_what_to_build() {
        let id: TableId = "KRRvKR.dtz".parse().unwrap();
        let missing = TableError::Missing { id, path: "KRRvKR.dtz".into(), source: None };
        let remedy = "`makruk-gen build KRRvKR` makes it (up to 2 minutes of a core, 2 GB of memory), `makruk-gen fetch \
                      --from URL KRRvKR` fetches it (26.1 MB with all that it leads to)";
        assert_eq!(table_remedy(&missing).as_deref(), Some(remedy));
        let id_of_six: TableId = "KRRvKRR.dtz".parse().unwrap();
        let missing = TableError::Missing { id: id_of_six, path: "a folder/KRRvKRR.dtz".into(), source: None };
        let remedy = "`makruk-gen build KRRvKRR --tables 'a folder'` makes it (6 men: hours, and gigabytes of memory; \
                      `makruk-gen plan KRRvKRR` estimates them)";
        assert_eq!(table_remedy(&missing).as_deref(), Some(remedy));
        let damaged = TableError::Corrupt { id, path: "KRRvKR.dtz".into(), source: "a value that it lacks".into() };
        let rebuild = "delete the file and run `makruk-gen build KRRvKR`";
        assert_eq!(table_remedy(&damaged).as_deref(), Some(rebuild));
        let misuse = TableError::Misuse { id, path: "KRRvKR.dtz".into(), source: "two bare kings".into() };
        assert_eq!(table_remedy(&misuse), None);
        let rules = |expected: &str, found: &str| OtherRules {
            path: "KRRvKR.dtz".into(),
            expected: expected.to_owned(),
            found: found.to_owned(),
        };
        let unsupported = |rules: OtherRules| TableError::Unsupported { id, path: "x".into(), source: rules.into() };
        let own = table_remedy(&unsupported(rules("attackers-men", "makruk"))).unwrap();
        assert!(own.ends_with("a folder of their own: --rules attackers-men --tables OTHER --build"), "{own}");
        let other = table_remedy(&unsupported(rules("makruk", "attackers-men"))).unwrap();
        assert!(other.ends_with("name a folder of makruk's tables with --tables"), "{other}");
    }

    #[test]
    fn the_name_of_a_file_has_its_material() {
        let material = |path: &str| material_of(Path::new(path)).map(|material| material.to_string());
        assert_eq!(material("x/KRvK.dtm").as_deref(), Some("KRvK"));
        assert_eq!(material("x/.KRRvKR.category.12-3.tmp").as_deref(), Some("KRRvKR"));
        assert_eq!(material("tables"), None);
        assert_eq!(material("x/.working.12-3.tmp"), None);
    }

    #[test]
    fn a_cause_is_printed_once() {
        let error = FormatError::io("open", Path::new("KRvK.dtm"), io::Error::from_raw_os_error(2));
        assert!(!message(&error).contains("os error"), "{}", message(&error));
        let error = FormatError::io("open the file", Path::new("KRvK.dtm"), io::Error::other("no such luck"));
        assert!(error.source().is_some());
        assert_eq!(message(&error), "KRvK.dtm: can't open the file: no such luck");
    }
}
