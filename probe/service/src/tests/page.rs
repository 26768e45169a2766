//! The page for people.

use std::collections::HashMap;
use std::fs;
use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;

use super::harness::{Running, tables};
use super::http;
use crate::Settings;

/// The files of the page as they were built, each with its type; the HTML has the address of the server.
fn parts() -> Vec<(String, &'static str)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let parts: Vec<(String, &str)> = names
        .filter(|name| !["site.js", "makruk.wasm", "element.js", "preview.json"].contains(&name.as_str()))
        .map(|name| match name.rsplit_once('.').unwrap().1 {
            "html" => ("/".to_owned(), "text/html"),
            "js" => (format!("/{name}"), "text/javascript"),
            "css" => (format!("/{name}"), "text/css"),
            "txt" => (format!("/{name}"), "text/plain"),
            "svg" => (format!("/{name}"), "image/svg+xml"),
            "webmanifest" => (format!("/{name}"), "application/manifest+json"),
            other => panic!("{name}: no type for .{other}"),
        })
        .collect();
    for name in ["/", "/page.js", "/main.js", "/views.js", "/views.css", "/th.js", "/worker.js"] {
        assert!(parts.iter().any(|(path, _)| path == name), "{name} was not built");
    }
    parts
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_is_all_there_and_takes_nothing_from_elsewhere() {
    let server = Running::tables(tables()).await;
    for (path, kind) in &parts() {
        let answer = http::get(server.address, path).await;
        assert!(answer.status == 200 && !answer.body.is_empty(), "{path}");
        assert!(answer.header("content-type").unwrap().starts_with(kind), "{path}");
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert!(policy.contains("manifest-src 'self'") && policy.contains("worker-src 'self'"), "{policy}");
        let text = String::from_utf8_lossy(&answer.body).replace("http://www.w3.org/2000/svg", "");
        assert!(!text.contains("http://") && !text.contains("https://"), "{path} names another server");
    }
    for part_of_sites in ["/site.js", "/makruk.wasm", "/element.js", "/preview.json"] {
        assert_eq!(http::get(server.address, part_of_sites).await.status, 404, "{part_of_sites}");
    }
    let html = http::get(server.address, "/?fen=8/8/8/8/3k4/8/8/R3K3_w").await;
    for part in ["page.js", "page.css", "icon.svg", "manifest.webmanifest"] {
        assert!(html.text().contains(&format!("\"{part}\"")), "{part}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_is_kept() {
    let server = Running::tables(tables()).await;
    for (path, _) in &parts() {
        let plain = http::get(server.address, path).await;
        let tag = plain.header("etag").unwrap();
        let known = http::send(server.address, "GET", path, &[("if-none-match", tag)], b"").await;
        assert_eq!((known.status, known.body.len()), (304, 0), "{path}");
        let other = http::send(server.address, "GET", path, &[("if-none-match", "W/\"0\"")], b"").await;
        assert_eq!((other.status, other.body.len()), (200, plain.body.len()), "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_comes_compressed() {
    let server = Running::tables(tables()).await;
    let mut sizes = HashMap::new();
    for (path, _) in &parts() {
        let plain = http::get(server.address, path).await;
        assert_eq!(plain.header("content-encoding"), None, "{path}");
        let said = [("accept-encoding", "gzip, deflate, br")];
        let packed = http::send(server.address, "GET", path, &said, b"").await;
        assert_eq!(packed.header("content-encoding"), Some("gzip"), "{path}");
        assert!(packed.header("vary").unwrap().contains("accept-encoding"), "{path}");
        let mut text = Vec::new();
        GzDecoder::new(&packed.body[..]).read_to_end(&mut text).unwrap();
        assert_eq!(text, plain.body, "{path}");
        // Both stand for the same file, so a browser that has one has the other.
        assert_eq!(packed.header("etag"), plain.header("etag"), "{path}");
        sizes.insert(path.clone(), packed.body.len());
    }
    // The words of the reader's language are fetched beside the scripts.
    for (query, accepted, words) in
        [("", "de, en", "/en.js"), ("", "th-TH,en;q=0.9", "/th.js"), ("?lang=fr", "th", "/fr.js")]
    {
        let said = [("accept-language", accepted), ("sec-fetch-dest", "document")];
        let html = http::send(server.address, "GET", &format!("/{query}"), &said, b"").await;
        assert_eq!(html.header("link"), Some(&*format!("<{}>; rel=\"modulepreload\"", &words[1..])));
        let first_visit: usize = ["/", "/page.css", "/page.js", "/main.js", words].map(|path| sizes[path]).iter().sum();
        assert!(first_visit < 45_000, "a first visit with {words} has {first_visit} bytes");
    }
    assert_eq!(http::get(server.address, "/main.js").await.header("link"), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_is_there_before_a_token_is() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "a-token-of-some-length\n").unwrap();
    let settings = Settings { token_file: Some(file.path().to_owned()), ..Settings::default() };
    let server = Running::with(tables(), settings).await;
    for (path, _) in &parts() {
        assert_eq!(http::get(server.address, path).await.status, 200, "{path}");
    }
    // Programs that show links have no token either.
    assert_eq!(http::get(server.address, "/board.png?fen=8/8/8/8/3k4/8/8/R3K3_w").await.status, 200);
    for path in ["/v1/explore?fen=8/8/8/8/3k4/8/8/R3K3_w", "/v1/materials", "/v1/tables/KRvK/saves", "/page"] {
        assert_eq!(http::get(server.address, path).await.status, 401, "{path}");
    }
    // A preview with an answer of the tables needs a token, as every probe does.
    for (query, told) in [("fen=8/8/8/8/3k4/8/8/R3K3_w", "White wins"), ("material=KRvK", "White wins 94.4 %")] {
        for (token, is_told) in [("a-token-of-some-length", true), ("another", false)] {
            let bearer = format!("Bearer {token}");
            let path = format!("/?{query}");
            let html = http::send(server.address, "GET", &path, &[("authorization", &bearer)], b"").await;
            assert!(html.text().contains("og:title") && html.text().contains(told) == is_told, "{query}: {html:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_named_origins_may_embed_the_page() {
    let settings = Settings { embed: vec!["https://club.example".to_owned()], ..Settings::default() };
    let server = Running::with(tables(), settings).await;
    let answer = http::get(server.address, "/").await;
    let policy = answer.header("content-security-policy").unwrap();
    assert!(policy.ends_with("frame-ancestors https://club.example"), "{policy}");
    // A page that isolates itself embeds nothing without these, be it the page or a part of it.
    let isolated = ["cross-origin-embedder-policy", "cross-origin-resource-policy"];
    for path in ["/", "/page.js", "/page.css"] {
        let answer = http::get(server.address, path).await;
        assert_eq!(isolated.map(|name| answer.header(name)), [Some("require-corp"), Some("cross-origin")], "{path}");
    }
    let alone = http::get(Running::tables(tables()).await.address, "/").await;
    assert!(alone.header("content-security-policy").unwrap().ends_with("frame-ancestors 'none'"));
    assert_eq!(isolated.map(|name| alone.header(name)), [None, None]);
    let settings = Settings { embed: vec!["club.example; script-src *".to_owned()], ..Settings::default() };
    assert!(crate::Server::new(tables(), settings).is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_to_a_position_has_a_title_and_a_picture() {
    let server = Running::tables(tables()).await;
    let html = http::get(server.address, "/?fen=8/8/8/8/3k4/8/8/R3K3_w_-_-_0_1").await;
    assert!(html.text().contains("<meta property=\"og:title\" content=\"K+R v K: White wins · Makruk endings\""));
    let figures = "og:description\" content=\"White to move · White: needs 14 moves, has 14 moves\"";
    assert!(html.text().contains(figures), "{}", html.text());
    assert!(html.header("content-security-policy").is_some() && html.header("cache-control") == Some("no-cache"));
    // The harness asks for the host "test".
    let address = "https://test";
    let picture = html.text().split("og:image\" content=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let path = picture.strip_prefix(address).unwrap_or_else(|| panic!("{picture} is not below {address}"));
    let png = http::get(server.address, path).await;
    assert_eq!((png.status, png.header("content-type")), (200, Some("image/png")));
    assert!(png.header("cache-control").unwrap().starts_with("public"));
    // A size that programs show without cutting anything off.
    assert_eq!(&png.body[1..4], b"PNG");
    assert_eq!(png.body[16..24], [1200u32.to_be_bytes(), 630u32.to_be_bytes()].concat());
    assert!(png.body.len() < 100_000, "{} bytes", png.body.len());
    // The same again, seen from the other side, and texts that are not positions.
    assert_eq!(http::get(server.address, path).await.body, png.body);
    assert_ne!(http::get(server.address, &format!("{path}&flip")).await.body, png.body);
    for wrong in ["/board.png", "/board.png?fen=8/8", "/board.png?fen=8/8/8/8/8/8/8/8_w"] {
        assert_eq!(http::get(server.address, wrong).await.status, 400, "{wrong}");
    }
    // Thai has the result in Thai, and the men of a Thai board.
    let thai = http::get(server.address, "/?fen=8/8/8/8/3k4/8/8/R3K3_w&lang=th").await;
    assert!(thai.text().contains("ขุน+เรือ กับ ขุน: ขาวชนะ") && thai.text().contains("&amp;men=traditional\""), "{thai:?}");
    assert_ne!(http::get(server.address, &format!("{path}&men=traditional")).await.body, png.body);
    // So it is to readers who ask for it.
    let said = [("accept-language", "de-CH, fr-FR;q=0.9,th;q=0.8")];
    for (query, title) in [
        ("fen=8/8/8/8/3k4/8/8/R3K3_w", "R+T contre R: Les Blancs gagnent"),
        ("train=daily", "Problème du jour"),
        ("train=rook", "Roi et tour"),
        ("materials", "Finales"),
        ("train=daily&lang=th", "โจทย์ประจำวัน"),
        ("train=daily&lang=xx", "Problème du jour"),
    ] {
        let html = http::send(server.address, "GET", &format!("/?{query}"), &said, b"").await;
        assert!(html.text().contains(&format!("og:title\" content=\"{title} · ")), "{query}: {}", html.text());
    }
    // Without a table the result is left out, as it is of a puzzle, a task and a lesson.
    for (query, title) in [
        ("fen=8/8/8/3k4/3n4/3r4/8/KRR5_w", "K+R+R v K+R+N · Makruk endings"),
        (
            "train&task=8/8/8/8/8/4s1k1/4R3/K7_w_-_-_0_1&goal=win&as=white",
            "You play White: mate before the count has run out. · Makruk endings",
        ),
        ("train=rook", "King and rook · Makruk endings"),
        ("train=daily", "Puzzle of the day · Makruk endings"),
        ("train", "Training · Makruk endings"),
        ("materials", "Endings · Makruk endings"),
        ("material=KRvKR", "K+R v K+R · Makruk endings"),
    ] {
        let html = http::get(server.address, &format!("/?{query}")).await;
        let html = html.text();
        assert!(html.contains(&format!("og:title\" content=\"{title}\"")), "{query}: {html}");
        // Programs that read the page's own title and description get the same.
        assert!(html.contains(&format!("<title>{title}</title>")), "{query}: {html}");
        assert_eq!(html.matches("<meta name=\"description\"").count(), 1, "{query}: {html}");
        let lines = html.split("<header").next().unwrap();
        let tells = lines.contains("White wins") || lines.contains("needs");
        assert_eq!(tells, query == "material=KRvKR", "{query}: {html}");
    }
    // The puzzle of a day has its date, its theme and its picture, in the reader's language. A day to come has none.
    let puzzles = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/page/puzzles.txt")).unwrap();
    let lines: Vec<&str> = puzzles.lines().collect();
    let number = 20_785; // 2026-11-28
    let days = lines.iter().cycle().skip(number % lines.len());
    let list = http::get(server.address, "/v1/materials").await.json();
    let here = list["materials"].as_array().unwrap().iter().filter(|entry| !entry["totals"].is_null());
    let here: Vec<&str> = here.filter_map(|entry| entry["material"].as_str()).collect();
    let men = |board: &str, roles: &str| roles.chars().flat_map(|role| board.matches(role)).collect::<String>();
    let is_here = |board: &str| {
        let (white, black) = (men(board, "KRNSMP"), men(board, "krnsmp").to_uppercase());
        [format!("{white}v{black}"), format!("{black}v{white}")].iter().any(|name| here.contains(&&**name))
    };
    let board_of = |line: &&&str| line.split(' ').nth(2).is_some_and(is_here);
    let board = days.take(lines.len()).find(board_of).unwrap().split(' ').nth(2).unwrap();
    for (day, lang, title) in
        [("2026-11-28", "en", "Puzzle of the day, 2026-11-28: "), ("2026-11-28", "fr", "Problème du jour, 2026-11-28")]
    {
        let html = http::get(server.address, &format!("/?train=daily&day={day}&lang={lang}")).await;
        assert!(html.text().contains(&format!("og:title\" content=\"{title}")), "{}", html.text());
        assert!(html.text().contains(&format!("board.png?fen={board}_")), "{board}: {}", html.text());
    }
    let later = http::get(server.address, "/?train=daily&day=9999-01-01").await;
    assert!(later.text().contains("content=\"Puzzle of the day · ") && !later.text().contains("og:image"));
    // Browsers, which say that they load a document, get the file itself.
    let said = [("sec-fetch-dest", "document")];
    let browser = http::send(server.address, "GET", "/?fen=8/8/8/8/8/4s1k1/4R3/K7_w", &said, b"").await;
    assert!(!browser.text().contains("og:") && browser.header("etag").is_some());
    // The page alone has none of it.
    assert!(!http::get(server.address, "/").await.text().contains("og:image"));
}
