//! Saves as extended position descriptions.

use super::SaveRecord;

/// A save as one line of EPD: a FEN's first four fields, then operations:
///
/// - `bm`: the saving moves, best first, in SAN;
/// - `id`: where the save is found, `KRRvKR:black:123456`;
/// - `c0`: how many moves the attacker is short by, `short by 1`, if that can be told;
/// - `c1`: what a sacrifice comes to, `R taken by Rxb2: 5 needed, 4 left`, if there is one.
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
        if let Some(given) = details.telling().and_then(|mv| mv.sacrifice.as_ref()) {
            let left = given.left.map_or("no count".to_owned(), |left| format!("{left} left"));
            text.push_str(&format!(
                " c1 \"{} taken by {}: {} needed, {left}\";",
                given.given, given.capture, given.needed
            ));
        }
    }
    text
}
