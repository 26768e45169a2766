//! The lines of the page by which other programs show a link to a position: its title, a sentence and a picture.
//!
//! They tell nothing of the result: a link may be a puzzle.

use http::HeaderMap;
use http::header::{HOST, HeaderName};
use makruk_tables::material::MaterialSide;
use makruk_tables::rules::{Color, Fen};

/// The scheme that a proxy was asked with.
const FORWARDED: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// The page for a position of its address; `None` if the address has no valid one.
pub(crate) fn page(html: &[u8], query: Option<&str>, headers: &HeaderMap) -> Option<String> {
    let field = |name: &str| query?.split('&').filter_map(|pair| pair.split_once('=')).find(|(key, _)| *key == name);
    let (_, text) = field("fen")?;
    let fen: Fen = text.parse().ok()?;
    let html = std::str::from_utf8(html).ok()?;
    let side = fen.position.turn().name();
    let board = fen.position.board();
    let [white, black] = Color::ALL.map(|color| MaterialSide::of(board, color));
    let side = capital(side);
    let written = fen.to_string();
    let mut fields = written.split(' ');
    let (squares, turn) = (fields.next()?, fields.next()?);
    let picture = format!("{}/board.png?fen={squares}_{turn}", origin(headers));
    let lines = format!(
        "<meta property=\"og:type\" content=\"website\" />\n\
         <meta property=\"og:title\" content=\"{white}v{black}, {side} to move · Makruk endings\" />\n\
         <meta property=\"og:description\" content=\"The result of this position, with the count and without it\" />\n\
         <meta property=\"og:image\" content=\"{picture}\" />\n\
         <meta property=\"og:image:width\" content=\"1200\" />\n\
         <meta property=\"og:image:height\" content=\"630\" />\n\
         <meta name=\"twitter:card\" content=\"summary_large_image\" />\n<title>"
    );
    html.contains("<title>").then(|| html.replacen("<title>", &lines, 1))
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

/// The address by which the page was asked. Behind a proxy that ends TLS, `X-Forwarded-Proto` has its scheme. Without
/// it, a host with a port, as on one's own machine, is asked by `http`, and any other by `https`.
fn origin(headers: &HeaderMap) -> String {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let is_host = |host: &&str| host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte));
    let Some(host) = text(HOST).filter(is_host).filter(|host| !host.is_empty()) else { return String::new() };
    let scheme = match text(FORWARDED) {
        Some("http") => "http",
        Some("https") => "https",
        _ if host.contains(':') => "http",
        _ => "https",
    };
    format!("{scheme}://{host}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const HTML: &[u8] = b"<head><title>Makruk endings</title></head>";

    fn asked(query: &str, headers: &[(HeaderName, &'static str)]) -> Option<String> {
        let headers = headers.iter().map(|(name, value)| (name.clone(), http::HeaderValue::from_static(value)));
        page(HTML, Some(query), &headers.collect())
    }

    #[test]
    fn a_position_has_a_title_and_a_picture() {
        let html = asked("fen=8/8/8/8/8/4s1k1/4R3/K7_w_-_-_0_1", &[(HOST, "makruk.example")]).unwrap();
        assert!(html.contains("og:title\" content=\"KRvKS, White to move · Makruk endings\""), "{html}");
        assert!(html.contains("content=\"https://makruk.example/board.png?fen=8/8/8/8/8/4s1k1/4R3/K7_w\""), "{html}");
        assert!(html.ends_with("<title>Makruk endings</title></head>"), "{html}");
        let escaped = asked("embed&fen=8%2F8/8/8/8/4s1k1/4R3/K7%20b", &[]).unwrap();
        assert!(escaped.contains("Black to move") && escaped.contains("content=\"/board.png?"), "{escaped}");
    }

    #[test]
    fn addresses_without_a_position_are_those_of_the_page_alone() {
        for query in
            ["", "materials", "fen=", "fen=8/8", "fen=%zz", "fen=%ff", "fen=\"><script>", "fen=8/8/8/8/8/8/8/8_w"]
        {
            assert_eq!(asked(query, &[(HOST, "a.example")]), None, "{query}");
        }
        assert_eq!(page(HTML, None, &HeaderMap::new()), None);
    }

    #[test]
    fn the_picture_is_at_the_address_that_was_asked() {
        let fen = "fen=8/8/8/8/8/4s1k1/4R3/K7_w";
        let picture = |headers: &[(HeaderName, &'static str)]| asked(fen, headers).unwrap();
        assert!(picture(&[(HOST, "127.0.0.1:50051")]).contains("http://127.0.0.1:50051/board.png"));
        assert!(
            picture(&[(HOST, "a.example:8443"), (FORWARDED, "https")]).contains("https://a.example:8443/board.png")
        );
        // A host that is none is not repeated.
        assert!(!picture(&[(HOST, "a\"><script>")]).contains("<script"));
    }
}
