//! Saves as comma-separated values.

use crate::record::SaveRecord;

/// The columns. Those of a move describe [`SaveDetails::principal_move`](super::SaveDetails::principal_move). Missing
/// values are empty.
pub const CSV_HEADER: &str = "material,side,number,fen,dtm,dtz,short_by,check,legal_moves,saving_moves,uci,san,\
                              move_captures,move_checks,sacrifice,given,offered,capture,needed,left,kind";

/// A save as one line. No field needs quotes.
pub fn csv(record: &SaveRecord) -> String {
    let mut fields =
        vec![record.material.clone(), record.side.to_owned(), record.number.to_string(), record.fen.clone()];
    let number = |number: Option<String>| number.unwrap_or_default();
    if let Some(details) = &record.details {
        let principal = details.principal_move();
        let sacrifice = principal.and_then(|mv| mv.sacrifice.as_ref());
        fields.extend([
            number(details.dtm.map(|plies| plies.to_string())),
            number(details.dtz.map(|plies| plies.to_string())),
            number(details.short_by.map(|moves| moves.to_string())),
            details.check.to_string(),
            details.legal_moves.to_string(),
            details.saving_moves.len().to_string(),
            number(principal.map(|mv| mv.uci.clone())),
            number(principal.map(|mv| mv.san.clone())),
            number(principal.map(|mv| mv.capture.to_string())),
            number(principal.map(|mv| mv.check.to_string())),
            sacrifice.map_or("none", |sacrifice| if sacrifice.last { "last" } else { "any" }).to_owned(),
            number(sacrifice.map(|sacrifice| sacrifice.given.to_string())),
            number(sacrifice.map(|sacrifice| sacrifice.offered.to_string())),
            number(sacrifice.map(|sacrifice| sacrifice.capture.clone())),
            number(sacrifice.map(|sacrifice| sacrifice.needed.to_string())),
            number(sacrifice.and_then(|sacrifice| sacrifice.left).map(|moves| moves.to_string())),
            number(sacrifice.map(|sacrifice| sacrifice.kind.to_string())),
        ]);
    }
    fields.resize(CSV_HEADER.split(',').count(), String::new());
    fields.join(",")
}
