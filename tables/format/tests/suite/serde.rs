//! With the feature `serde`, types are serialized as their text.

use std::fmt::Debug;

use makruk_format::TableId;
use makruk_format::material::Material;
use makruk_format::value::Metric;
use makruk_rules::{Category, Color, Fen, GameResult, Move, Piece, Role, Square};
use serde::{Serialize, de::DeserializeOwned};

fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, json: &str) {
    assert_eq!(serde_json::to_string(&value).unwrap(), json);
    assert_eq!(serde_json::from_str::<T>(json).unwrap(), value);
}

#[test]
fn types_are_their_text() {
    round_trip(Color::White, r#""white""#);
    round_trip(Role::Khon, r#""khon""#);
    round_trip(Piece::new(Color::Black, Role::Met), r#""m""#);
    round_trip("e4".parse::<Square>().unwrap(), r#""e4""#);
    round_trip(Category::BlessedLoss, r#""blessed-loss""#);
    round_trip(GameResult::Draw, r#""1/2-1/2""#);
    round_trip(Metric::Dtz, r#""dtz""#);
    round_trip("KRRvKR".parse::<Material>().unwrap(), r#""KRRvKR""#);
    round_trip("KRRvKR.dtm".parse::<TableId>().unwrap(), r#""KRRvKR.dtm""#);
    let fen = Fen::parse("8/8/8/4P3/8/k7/8/K1R5 w").unwrap();
    let mv = Move::from_uci(&fen.position, "e5e6").unwrap();
    assert_eq!(serde_json::to_string(&mv).unwrap(), r#""e5e6m""#);
    round_trip(fen, r#""8/8/8/4P3/8/k7/8/K1R5 w - - 0 1""#);
}

#[test]
fn other_text_is_refused() {
    let error = serde_json::from_str::<Square>(r#""e9""#).unwrap_err().to_string();
    assert!(error.contains("\"e9\" is not a square"), "{error}");
    let error = serde_json::from_str::<Material>("7").unwrap_err().to_string();
    assert!(error.contains("expected a material such as KRRvKR"), "{error}");
}
