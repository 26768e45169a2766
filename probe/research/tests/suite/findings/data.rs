//! The data of the findings, and expressions over them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

/// A row, by column.
type Row = HashMap<String, String>;

/// The data files.
pub(crate) struct Data {
    folder: PathBuf,
    /// By name; the rows in order.
    files: BTreeMap<String, Vec<Row>>,
}

impl Data {
    /// Reads all CSV files of a folder.
    pub(crate) fn read(folder: &Path) -> Data {
        let mut files = BTreeMap::new();
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "csv") {
                let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
                files.insert(name, rows(&fs::read_to_string(&path).unwrap()));
            }
        }
        Data { folder: folder.to_owned(), files }
    }

    /// The value of an expression: terms, with `+`, `-`, `*` and `/` between them, from left to right.
    pub(crate) fn value(&self, expression: &str) -> f64 {
        let words: Vec<&str> = expression.split(' ').collect();
        let mut value = None;
        let mut operator = "";
        for part in words.split_inclusive(|word| ["+", "-", "*", "/"].contains(word)) {
            let (term, next) = match part.split_last() {
                Some((last, term)) if ["+", "-", "*", "/"].contains(last) => (term, *last),
                _ => (part, ""),
            };
            let term = self.term(term);
            value = Some(match (value, operator) {
                (None, _) => term,
                (Some(value), "+") => value + term,
                (Some(value), "-") => value - term,
                (Some(value), "*") => value * term,
                (Some(value), _) => value / term,
            });
            operator = next;
        }
        value.unwrap_or_else(|| panic!("an empty expression"))
    }

    fn term(&self, words: &[&str]) -> f64 {
        match words {
            [number] => number.parse().unwrap_or_else(|_| panic!("{number} is not a number")),
            // Sums over the materials, each once.
            ["sum", "bare", column] => {
                self.once().filter(|row| row["material"].ends_with("vK")).filter_map(|row| number(row, column)).sum()
            }
            ["sum", column] => self.once().filter_map(|row| number(row, column)).sum(),
            ["max", column] => self.files["materials"].iter().filter_map(|row| number(row, column)).fold(0.0, f64::max),
            // The largest error of the captures of some materials' White.
            ["maxcap", materials @ ..] => {
                let errors =
                    materials.iter().filter_map(|name| number(self.row("materials", name, "white"), "captures_error"));
                errors.fold(0.0, f64::max)
            }
            ["count", "totals", column] => {
                let has = |row: &&Row| number(row, column).is_some_and(|number| number > 0.0);
                self.materials().filter(has).map(|row| &row["material"]).collect::<BTreeSet<_>>().len() as f64
            }
            // Materials with wins, of which the count takes none.
            ["count", "untaken"] => {
                let mut taken: BTreeMap<&str, f64> = BTreeMap::new();
                for row in self.materials() {
                    *taken.entry(&row["material"]).or_default() += number(row, "taken").unwrap();
                }
                taken.values().filter(|&&taken| taken == 0.0).count() as f64
            }
            // Materials whose kinds of sacrifice were counted.
            ["count", "checked"] => {
                let rows = self.files["materials"].iter().filter(|row| number(row, "won_distinct").is_some());
                rows.map(|row| &row["material"]).collect::<BTreeSet<_>>().len() as f64
            }
            // A number that is written in a picture.
            ["picture", file, text] => {
                let picture = fs::read_to_string(self.folder.join(file)).unwrap();
                assert!(picture.lines().any(|line| line.trim() == *text), "{file} does not have {text}");
                match text.strip_suffix('%') {
                    Some(percent) => percent.parse::<f64>().unwrap() / 100.0,
                    None => text.parse().unwrap(),
                }
            }
            // A number of a file with tabs: the last field but `at` of the line that begins with these fields.
            ["tsv", file, key, column] => {
                let text = fs::read_to_string(self.folder.join(file)).unwrap();
                let mut lines = text.lines();
                let at = lines.next().unwrap().split('\t').position(|name| name == *column);
                let at = at.unwrap_or_else(|| panic!("{file} has no column {column}"));
                let is_asked = |line: &&str| {
                    key.split(':').zip(line.split('\t')).all(|(key, field)| key.replace('_', " ") == field)
                };
                let line = lines.find(is_asked).unwrap_or_else(|| panic!("{file} has no line {key}"));
                line.split('\t').nth(at).unwrap().parse().unwrap()
            }
            [file, material, attacker, column] => {
                let row = self.row(file, material, attacker);
                number(row, column).unwrap_or_else(|| panic!("{file} {material} {attacker} has no {column}"))
            }
            _ => panic!("no term: {words:?}"),
        }
    }

    fn row(&self, file: &str, material: &str, attacker: &str) -> &Row {
        let rows = self.files.get(file).unwrap_or_else(|| panic!("no file {file}"));
        let row = rows.iter().find(|row| row["material"] == material && row["attacker"] == attacker);
        row.unwrap_or_else(|| panic!("{file} has no {material} {attacker}"))
    }

    /// The first row of each material.
    fn once(&self) -> impl Iterator<Item = &Row> {
        let mut seen = BTreeSet::new();
        self.files["materials"].iter().filter(move |row| seen.insert(row["material"].clone()))
    }

    /// The totals of each material and attacker.
    fn materials(&self) -> impl Iterator<Item = &Row> {
        self.files["totals"].iter().filter(|row| row["material"] != "all")
    }
}

fn number(row: &Row, column: &str) -> Option<f64> {
    let field = row.get(column).unwrap_or_else(|| panic!("no column {column}"));
    field.parse().ok()
}

fn rows(text: &str) -> Vec<Row> {
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().unwrap().split(',').collect();
    let row =
        |line: &str| columns.iter().map(|&column| column.to_owned()).zip(line.split(',').map(str::to_owned)).collect();
    lines.map(row).collect()
}
