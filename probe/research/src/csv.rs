//! Saves as comma-separated values.

use super::SaveRecord;

/// The columns. Those of a move are of the saving move that tells most; what there is none of is empty.
pub const CSV_HEADER: &str = "material,side,number,fen,dtm,dtz,short_by,check,legal_moves,saving_moves,uci,san,\
                              move_captures,move_checks,sacrifice,given,offered,capture,needed,left";

/// A save as one line. Nothing in it needs quotes.
pub fn csv(record: &SaveRecord) -> String {
    let mut fields =
        vec![record.material.clone(), record.side.to_owned(), record.number.to_string(), record.fen.clone()];
    let number = |number: Option<String>| number.unwrap_or_default();
    if let Some(details) = &record.details {
        let telling = details.telling();
        let given = telling.and_then(|mv| mv.sacrifice.as_ref());
        fields.extend([
            number(details.dtm.map(|plies| plies.to_string())),
            number(details.dtz.map(|plies| plies.to_string())),
            number(details.short_by.map(|moves| moves.to_string())),
            details.check.to_string(),
            details.legal_moves.to_string(),
            details.saving_moves.len().to_string(),
            number(telling.map(|mv| mv.uci.clone())),
            number(telling.map(|mv| mv.san.clone())),
            number(telling.map(|mv| mv.capture.to_string())),
            number(telling.map(|mv| mv.check.to_string())),
            given.map_or("none", |given| if given.last { "last" } else { "any" }).to_owned(),
            number(given.map(|given| given.given.to_string())),
            number(given.map(|given| given.offered.to_string())),
            number(given.map(|given| given.capture.clone())),
            number(given.map(|given| given.needed.to_string())),
            number(given.and_then(|given| given.left).map(|moves| moves.to_string())),
        ]);
    }
    fields.resize(CSV_HEADER.split(',').count(), String::new());
    fields.join(",")
}
