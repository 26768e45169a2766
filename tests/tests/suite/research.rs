//! The scan of an omitted side agrees with the prober's answer for every position.

use std::ops::ControlFlow;

use makruk_probe::{Category, Prober, Tablebase};
use makruk_research::{Order, Part, Scanner, Silent};
use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, Fen};

#[test]
#[ignore = "builds tables of five men: ten seconds"]
fn a_side_left_out_with_like_men_against_it() {
    let material: Material = "KRRvKN".parse().expect("a material");
    let folder = test_tables::usual([material]);
    let prober = Prober::new(Tablebase::new(folder.path()));
    let layout = Layout::new(material);
    let order = Order::new([material], Some(Color::Black));
    // One part with kings on the diagonal, and one without.
    for part in ["1/200", "77/200"] {
        let part: Part = part.parse().expect("a part");
        let places = part.of(0..order.len());
        let mut found = Vec::new();
        let sink = |number| {
            found.push(number);
            Ok::<_, Box<dyn std::error::Error + Send + Sync>>(ControlFlow::Continue(()))
        };
        let scanner = Scanner::new(&prober, &order, places.clone(), Some(2)).expect("threads");
        scanner.run(|save| Ok(Some(save.cursor.number)), sink, &mut Silent).expect("a scan");
        let expected: Vec<u64> = places
            .filter(|&number| {
                let Some(position) = layout.position_at(Color::Black, number) else { return false };
                let is_first = layout.number(&position) == Some((Color::Black, number));
                let fen = Fen { position, count: None, fullmove: 1 };
                is_first && prober.probe(&fen).expect("a verdict").category == Category::BlessedLoss
            })
            .collect();
        assert!(expected.len() > 1000, "{}", expected.len());
        assert!(found == expected, "{} found, {} are", found.len(), expected.len());
    }
}
