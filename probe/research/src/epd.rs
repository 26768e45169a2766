//! Saves as extended position descriptions.

use crate::record::SaveRecord;

/// A save as one line of EPD: a FEN's first four fields, then operations:
///
/// - `bm`: the saving moves, best first, in SAN;
/// - `id`: the save's cell, `KRRvKR:black:123456`;
/// - `c0`: the moves that the attacker is short, `short by 1`, if known;
/// - `c1`: the sacrifice, `R taken by Rxb2: 5 needed, 4 left`, if there is one.
pub fn epd(record: &SaveRecord) -> String {
    let mut fields = record.fen.split(' ');
    let mut text = fields.by_ref().take(4).collect::<Vec<_>>().join(" ");
    if let Some(details) = &record.details {
        let moves: Vec<&str> = details.saving_moves.iter().map(|mv| mv.san.as_str()).collect();
        if !moves.is_empty() {
            text.push_str(&format!(" bm {};", moves.join(" ")));
        }
    }
    text.push_str(&format!(" id \"{}\";", record.cursor()));
    if let Some(details) = &record.details {
        if let Some(short) = details.short_by {
            text.push_str(&format!(" c0 \"short by {short}\";"));
        }
        if let Some(sacrifice) = details.principal_move().and_then(|mv| mv.sacrifice.as_ref()) {
            let left = sacrifice.left.map_or("no count".to_owned(), |left| format!("{left} left"));
            text.push_str(&format!(
                " c1 \"{} taken by {}: {} needed, {left}\";",
                sacrifice.given, sacrifice.capture, sacrifice.needed
            ));
        }
    }
    text
}
