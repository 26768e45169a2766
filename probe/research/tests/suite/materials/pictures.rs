//! Pictures are valid files, and show the numbers of the tables.

use makruk_research::{DistancesPlot, LIMIT_COLOR, Picture, PlotError, SharesPlot, SquaresPlot};
use makruk_tables::rules::Color;

use super::{material, prober};

/// The lines and bars of an SVG that have the limit's colour.
fn limits(svg: &str) -> usize {
    let parsed = roxmltree::Document::parse(svg).unwrap();
    let color = LIMIT_COLOR.map(|part| format!("{part:02X}")).concat();
    let has = |node: &roxmltree::Node<'_, '_>| {
        ["stroke", "fill"].iter().any(|name| node.attribute(*name) == Some(&format!("#{color}")))
    };
    parsed.descendants().filter(has).count()
}

/// The columns of a PNG in which the limit's colour stands at least so high.
fn columns(png: &[u8], (width, height): (u32, u32), high: usize) -> Vec<usize> {
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height, info.color_type), (width, height, png::ColorType::Rgb));
    let of = |x: usize| {
        let column = (0..height as usize).map(|y| (y * width as usize + x) * 3);
        column.filter(|&at| pixels[at..at + 3] == LIMIT_COLOR).count()
    };
    (0..width as usize).filter(|&x| of(x) >= high).collect()
}

#[test]
fn a_histogram_has_its_limit_drawn_in() {
    let plot = DistancesPlot::read(&prober(), material("KRRvK"), Color::White).unwrap();
    // 8 less four men, and one more with the attacker to move.
    assert_eq!((plot.limit, plot.without), (Some(5), 0));
    assert_eq!(plot.bars.last().unwrap().0, 7);
    let (late, limit) = (plot.bars.iter().filter(|bar| bar.0 > 5).count(), plot.limit);
    assert!(late > 0);
    let picture = Picture::Distances(plot.clone());
    let svg = picture.svg().unwrap();
    assert_eq!(limits(&svg), 1);
    assert!(svg.contains("the count: 5 moves"), "{limit:?}");
    let columns = columns(&picture.png().unwrap(), picture.size(), 200);
    assert!((1..=3).contains(&columns.len()), "{columns:?}");
    // With a higher limit no win is late, and the line moves with the limit.
    let far = Picture::Distances(DistancesPlot { limit: Some(60), ..plot });
    assert!(far.svg().unwrap().contains("the count: 60 moves"));
    let further = self::columns(&far.png().unwrap(), far.size(), 200);
    assert!(further[0] > columns[0] + 100, "{columns:?} {further:?}");
}

#[test]
fn an_armed_material_counts_to_the_conversion() {
    let plot = DistancesPlot::read(&prober(), material("KRvKN"), Color::White).unwrap();
    assert_eq!((plot.limit, plot.bars.last().unwrap().0), (Some(65), 30));
    assert!(plot.without > 0);
    let picture = Picture::Distances(plot);
    assert_eq!(limits(&picture.svg().unwrap()), 1);
    let error = DistancesPlot::read(&prober(), material("KRRvK"), Color::Black).unwrap_err();
    assert!(matches!(error, PlotError::Nothing(nothing) if nothing == material("KRRvK")));
}

#[test]
fn shares_are_in_order() {
    let plot = SharesPlot::read(&prober(), &["KRvKN", "KRvK", "KSvK", "KRRvK"].map(material)).unwrap();
    let names: Vec<String> = plot.shares.iter().map(|share| share.material.to_string()).collect();
    assert_eq!(names, ["KRRvK", "KRvKN", "KRvK"], "of K+S v K the count takes nothing");
    let svg = Picture::Shares(plot).svg().unwrap();
    let at = |name: &str| svg.find(name).unwrap();
    assert!(at("KRRvK") < at("KRvKN"));
    assert!(matches!(SharesPlot::read(&prober(), &[material("KSvK")]).unwrap_err(), PlotError::Nothing(_)));
}

#[test]
fn squares_add_up() {
    let prober = prober();
    let [rooks, khon] = ["KRRvK", "KSvK"].map(|name| {
        let plot = SquaresPlot::read(&prober, material(name), Color::White).unwrap();
        let distances = DistancesPlot::read(&prober, material(name), Color::White).unwrap();
        let limit = distances.limit.unwrap();
        let won: u64 = plot.wins.iter().map(|wins| wins.won).sum();
        assert_eq!(won, distances.bars.iter().map(|bar| bar.1).sum::<u64>());
        let taken: u64 = plot.wins.iter().map(|wins| wins.taken).sum();
        assert_eq!(taken, distances.bars.iter().filter(|bar| u32::from(bar.0) > limit).map(|bar| bar.1).sum::<u64>());
        assert_eq!(taken > 0, name == "KRRvK");
        let moves: u64 = plot.wins.iter().map(|wins| wins.moves).sum();
        assert_eq!(moves, distances.bars.iter().map(|bar| u64::from(bar.0) * bar.1).sum::<u64>());
        plot
    });
    // The picture is the same in the mirror of the files, with a khon not in that of the ranks.
    assert_eq!(khon.wins[0], khon.wins[7]);
    assert_ne!(khon.wins[0], khon.wins[56]);
    let plot = rooks;
    let picture = Picture::Squares(Box::new(plot));
    roxmltree::Document::parse(&picture.svg().unwrap()).unwrap();
    assert!(columns(&picture.png().unwrap(), picture.size(), 1).is_empty());
    // Without khons, all corners are alike.
    let rook = SquaresPlot::read(&prober, material("KRvKN"), Color::White).unwrap();
    assert!([7, 56, 63].iter().all(|&corner| rook.wins[corner] == rook.wins[0]));
    let error = SquaresPlot::read(&prober, material("KRvKN"), Color::Black).unwrap_err();
    assert!(matches!(error, PlotError::Omitted(_)), "{error}");
}
