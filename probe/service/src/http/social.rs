//! The lines of the page by which other programs show a link: a title, a sentence and, for a position, its picture.
//!
//! They give the result in the language of the link (`lang=`), else in that of the reader (`Accept-Language`). Those of
//! a task do not: its link is a puzzle. Words and lessons are those of the page.

use axum::extract::Query;
use http::header::{ACCEPT_LANGUAGE, AUTHORIZATION, HOST, HeaderName};
use http::request::Parts;
use http::{HeaderMap, Uri};
use makruk_answers::FieldValue;
use makruk_format::MaterialTotals;
use makruk_probe::judge::moves_in;
use makruk_probe::{Category, Verdict};
use makruk_research::material_totals;
use makruk_rules::{Color, Fen, Reading};
use makruk_tables::material::{Material, MaterialSide};
use serde::Deserialize;

use crate::admission::jobs::Cost;
use crate::admission::request_context::RequestContext;
use crate::backend::Backend;
use crate::daily::{self, Puzzle};
use crate::page_files::{PREVIEW, Words};
use crate::tables::snapshot::SnapshotProber;

/// The scheme that a proxy was asked with.
const FORWARDED: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// The text of a card, and the position that its picture shows; a task is seen from the side that solves it.
struct CardText {
    title: String,
    description: String,
    picture: Option<(Fen, bool)>,
}

/// The question about a link that only the tables can answer.
enum CardQuery {
    Nothing,
    Verdict(Fen),
    Totals(Material),
    /// The puzzle of the day with this number, as the link writes the day.
    Daily(u64, String),
}

/// The query of a link.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Link {
    lang: Option<String>,
    fen: Option<String>,
    material: Option<String>,
    materials: Option<String>,
    task: Option<String>,
    goal: Option<String>,
    train: Option<String>,
    day: Option<String>,
}

/// The language of the page for the reader of a link.
pub(crate) fn language(request: &Parts) -> String {
    let link = Query::<Link>::try_from_uri(&request.uri).map(|Query(link)| link).unwrap_or_default();
    link.language(&request.headers).to_owned()
}

/// The page with the lines for its address; `None` if the address shows nothing.
pub(crate) async fn page(backend: &Backend, html: &[u8], request: &Parts) -> Option<String> {
    let Query(link) = Query::<Link>::try_from_uri(&request.uri).ok()?;
    let language = link.language(&request.headers);
    let words = PREVIEW.languages.get(language)?;
    let (mut shown, asked) = link.shown(words)?;
    match asked {
        CardQuery::Nothing => {}
        CardQuery::Verdict(fen) => {
            if let Some(verdict) = lookup(backend, request, move |prober| prober.probe(&fen)).await {
                shown.title += &format!(": {}", words.result(&verdict));
                shown.description += &words.figures(&verdict).unwrap_or_default();
            }
        }
        CardQuery::Totals(material) => {
            if let Some(totals) = lookup(backend, request, move |prober| material_totals(prober, material)).await {
                shown.description = words.totals(&totals);
            }
        }
        CardQuery::Daily(number, day) => {
            let found = move |prober: &SnapshotProber| daily::puzzle_of(prober, number).ok_or(());
            if let Some(Puzzle { theme, level, fen }) = lookup(backend, request, found).await {
                let stars = ["★".repeat(level), "☆".repeat(3_usize.saturating_sub(level))].concat();
                let theme = words.themes.get(&theme).map(String::as_str).unwrap_or_default();
                shown.title += &format!(", {day}: {theme} {stars}");
                shown.picture = task(fen).1;
            }
        }
    }
    // The lines take the place of the title and the description that the page has for browsers.
    let html = std::str::from_utf8(html).ok()?;
    let (head, rest) = html.split_once("<meta name=\"description\"")?;
    let (between, rest) = rest.split_once('\n')?.1.split_once("<title>")?;
    let lines = lines(&shown, language, &origin(&request.uri, &request.headers));
    Some([head, between, &lines, rest.split_once("</title>")?.1].concat())
}

/// The side to move of a task, and its picture from there.
fn task(fen: Fen) -> (Color, Option<(Fen, bool)>) {
    let turn = fen.position.turn();
    (turn, Some((fen, turn == Color::Black)))
}

impl Link {
    /// The language of the link, else the first of the reader's that the page has.
    fn language<'a>(&'a self, headers: &'a HeaderMap) -> &'a str {
        let accepted = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let accepted = accepted.split(',').filter_map(|tag| tag.trim().split(['-', ';']).next());
        let mut wanted = self.lang.as_deref().into_iter().chain(accepted);
        wanted.find(|code| PREVIEW.languages.contains_key(*code)).unwrap_or("en")
    }

    /// The preview without the tables, and the question for them.
    fn shown(&self, words: &Words) -> Option<(CardText, CardQuery)> {
        let shown = |title: &str, description: &str, picture| CardText {
            title: title.to_owned(),
            description: description.to_owned(),
            picture,
        };
        if let Some(fen) = &self.fen {
            let Reading { fen, notes } = fen.parse().ok()?;
            let [white, black] = Color::ALL.map(|color| MaterialSide::of(fen.position.board(), color));
            let turn = of_side(&words.tomove, fen.position.turn());
            let shown = shown(&words.ending(&format!("{white}v{black}")), turn, Some((fen.clone(), false)));
            // A preview has no room for notes, and so no verdict that depends on them.
            return Some((shown, if notes.is_empty() { CardQuery::Verdict(fen) } else { CardQuery::Nothing }));
        }
        if let Some(name) = &self.material {
            let material = Material::read(name).ok()?;
            return Some((
                shown(&words.ending(&material.to_string()), &words.description, None),
                CardQuery::Totals(material),
            ));
        }
        if let Some(fen) = &self.task {
            let (turn, picture) = task(fen.parse().ok()?);
            let goal = match self.goal.as_deref() {
                Some("save") => &words.save,
                None | Some("win") => &words.win,
                _ => return None,
            };
            return Some((shown(of_side(goal, turn), &words.description, picture), CardQuery::Nothing));
        }
        let name = if self.materials.is_some() { "materials" } else { self.train.as_deref()? };
        let [title, description] = words.pages.get(name).or_else(|| words.pages.get("course"))?;
        if let ("daily", Some(day)) = (name, &self.day)
            && let Some(number) = daily::number_of(day)
        {
            return Some((shown(title, description, None), CardQuery::Daily(number, day.clone())));
        }
        let lesson = PREVIEW.lessons.get(name).and_then(|fen| fen.parse().ok());
        Some((shown(title, description, lesson.and_then(|fen| task(fen).1)), CardQuery::Nothing))
    }
}

/// The answer of the tables to the question about a link; `None` without a token that the server expects, without a
/// table, or on a busy server.
async fn lookup<T: Send + 'static, E: Send + 'static>(
    backend: &Backend,
    request: &Parts,
    ask: impl FnOnce(&SnapshotProber) -> Result<T, E> + Send + 'static,
) -> Option<T> {
    let context = request.extensions.get::<RequestContext>()?;
    backend.tokens.allow(request.headers.get(AUTHORIZATION)).then_some(())?;
    let (found, _) = backend.run(context, Cost::probes(1, 0), move |prober, _| Some(ask(prober).ok())).await.ok()?;
    found
}

fn of_side(pair: &[String; 2], side: Color) -> &str {
    &pair[usize::from(side == Color::Black)]
}

impl Words {
    /// An ending as players name it: "K+R v K+khon".
    fn ending(&self, material: &str) -> String {
        let name = |role: char| self.ending.get(&role).cloned().unwrap_or_else(|| role.to_string());
        let side = |side: &str| side.chars().map(name).collect::<Vec<String>>().join("+");
        material.split('v').map(side).collect::<Vec<String>>().join(&self.against)
    }

    fn result(&self, verdict: &Verdict) -> &str {
        match (verdict.winner(), verdict.category) {
            (Some(winner), Category::Win | Category::Loss) => of_side(&self.wins, winner),
            (Some(_), _) => &self.by_count,
            (None, _) => &self.draw,
        }
    }

    /// The winner's moves needed and left, where both are known.
    fn figures(&self, verdict: &Verdict) -> Option<String> {
        let (winner, needed) = (verdict.winner()?, verdict.dtz.plies().filter(|plies| *plies > 0)?);
        let left = verdict.count.attacker_moves_left?;
        let moves = |n: u32| self.moves[usize::from(n != 1)].replace("{}", &n.to_string());
        let Words { sides, needs, has, .. } = self;
        let needed = moves(moves_in(needed));
        Some(format!(" · {}: {needs} {needed}, {has} {}", of_side(sides, winner), moves(left)))
    }

    /// The shares of an ending's positions that are won and drawn, and of the wins that the count takes.
    fn totals(&self, MaterialTotals { white, black, drawn, within_count, .. }: &MaterialTotals) -> String {
        let percent = |part: u64, all: u64| format!("{:.1} %", 100.0 * part as f64 / all.max(1) as f64);
        let (wins, all) = (white + black, white + black + drawn);
        let [white_wins, black_wins] = &self.wins;
        let shares = [(white_wins, *white), (&self.draw, *drawn), (black_wins, *black)];
        let mut parts: Vec<String> = shares
            .into_iter()
            .filter(|(_, positions)| positions * 2000 >= all)
            .map(|(name, positions)| format!("{name} {}", percent(positions, all)))
            .collect();
        if *within_count < wins {
            parts.push(self.lost.replace("{}", &percent(wins - within_count, wins)));
        }
        parts.join(" · ")
    }
}

/// The lines: a title and a description for every program, and those for cards.
fn lines(CardText { title, description, picture }: &CardText, language: &str, origin: &str) -> String {
    let site = PREVIEW.languages.get(language).map(|words| words.title.as_str()).unwrap_or_default();
    let meta = |name: &str, content: &str| {
        let content = content.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
        let kind = if name.starts_with("og:") { "property" } else { "name" };
        format!("<meta {kind}=\"{name}\" content=\"{content}\" />\n")
    };
    let title = format!("{title} · {site}");
    let mut lines = format!("<title>{}</title>\n", title.replace('&', "&amp;").replace('<', "&lt;"))
        + &meta("description", description)
        + &meta("og:type", "website")
        + &meta("og:title", &title)
        + &meta("og:description", description);
    if let Some((fen, is_flipped)) = picture {
        let written = fen.to_string();
        let place: Vec<&str> = written.split(' ').take(2).collect();
        let men = if language == "th" { "&men=traditional" } else { "" };
        let flip = if *is_flipped { "&flip" } else { "" };
        lines += &meta("og:image", &format!("{origin}/board.png?fen={}{men}{flip}", place.join("_")));
        lines += &meta("og:image:width", "1200");
        lines += &meta("og:image:height", "630");
        lines += &meta("twitter:card", "summary_large_image");
    }
    lines
}

/// The address by which the page was asked, whose host HTTP/2 has in the URI. Behind a proxy that ends TLS,
/// `X-Forwarded-Proto` has its scheme. Without it, a host with a port, as on one's own machine, is asked by `http`, and
/// any other by `https`.
fn origin(uri: &Uri, headers: &HeaderMap) -> String {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let is_host = |host: &&str| host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte));
    let host = uri.authority().map(|authority| authority.as_str()).or_else(|| text(HOST));
    let Some(host) = host.filter(is_host).filter(|host| !host.is_empty()) else { return String::new() };
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

    #[test]
    fn addresses_without_a_subject_are_those_of_the_page_alone() {
        let title = |query: &str| {
            let Query(link) = Query::<Link>::try_from_uri(&format!("/?{query}").parse().ok()?).ok()?;
            link.shown(&PREVIEW.languages["en"]).map(|(shown, _)| shown.title)
        };
        for query in ["", "thumb", "fen=", "fen=8/8", "fen=%zz", "fen=%ff", "fen=8/8/8/8/8/8/8/8_w", "material=x"] {
            assert_eq!(title(query), None, "{query}");
        }
        assert_eq!(title("embed&fen=8%2F8/8/8/8/4s1k1/4R3/K7%20b").as_deref(), Some("K+R v K+khon"));
        let task = "train&task=8/8/8/8/8/4s1k1/4R3/K7_b&goal=save&as=black";
        assert_eq!(title(task).as_deref(), Some(&*PREVIEW.languages["en"].save[1]));
    }

    #[test]
    fn the_page_has_all_words_and_lessons() {
        assert_eq!(PREVIEW.languages.keys().collect::<Vec<_>>(), ["en", "fr", "th"]);
        for page in ["materials", "daily", "course"] {
            assert!(PREVIEW.languages.values().all(|words| words.pages.contains_key(page)), "{page}");
        }
        for (name, fen) in &PREVIEW.lessons {
            assert!(fen.parse::<Fen>().is_ok(), "{name}: {fen}");
            assert!(PREVIEW.languages.values().all(|words| words.pages.contains_key(name)), "{name}");
        }
    }

    #[test]
    fn the_picture_is_at_the_address_that_was_asked() {
        let origin = |uri: &'static str, headers: &[(HeaderName, &'static str)]| {
            origin(&Uri::from_static(uri), &headers_of(headers))
        };
        assert_eq!(origin("/?fen", &[(HOST, "makruk.example")]), "https://makruk.example");
        assert_eq!(origin("/?fen", &[(HOST, "127.0.0.1:50051")]), "http://127.0.0.1:50051");
        assert_eq!(origin("/?fen", &[(HOST, "a.example:8443"), (FORWARDED, "https")]), "https://a.example:8443");
        // HTTP/2 has no such header.
        assert_eq!(origin("http://makruk.example/?fen", &[]), "https://makruk.example");
        assert_eq!(origin("http://127.0.0.1:50051/?fen", &[]), "http://127.0.0.1:50051");
        // A host that is none is not repeated.
        assert_eq!(origin("/?fen", &[(HOST, "a\"><script>")]), "");
    }

    fn headers_of(headers: &[(HeaderName, &'static str)]) -> HeaderMap {
        headers.iter().map(|(name, value)| (name.clone(), http::HeaderValue::from_static(value))).collect()
    }
}
