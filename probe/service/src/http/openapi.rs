//! The OpenAPI description of the interface.
//!
//! Its paths and parameters are written by hand, in `openapi.paths.json`. Its schemas are generated from the types of
//! the answers and from the comments of their fields, by `makruk-tests`. Here tests hold the paths, methods and
//! parameters to the code.
//! Another test, of `tests/clients`, asks a running server and holds every answer to the schemas.

use axum::body::Bytes;
use axum::response::Response;

use crate::http::response::json_response;

/// The description.
const DESCRIPTION: &str = include_str!("../../openapi.json");

pub(crate) async fn describe() -> Response {
    json_response(Bytes::from_static(DESCRIPTION.as_bytes()))
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use makruk_answers::{Analyse, Batch, Explore, Lichess, LichessLine, Line, Play};
    use serde::Deserialize;
    use serde::de::value::Error;
    use serde::de::{Deserializer, Error as _, Visitor};
    use serde::forward_to_deserialize_any;
    use serde_json::{Value, from_str};

    use super::*;
    use crate::admission::layer::CallKind;
    use crate::backend::save_search::SaveQuery;
    use crate::http::routes::{health, interface, metrics};
    use crate::http::{picture, questions};
    use crate::page_files;

    fn description() -> Value {
        from_str(DESCRIPTION).expect("JSON")
    }

    /// The names of a structure's fields, as JSON and queries spell them.
    fn fields<'de, T: Deserialize<'de>>() -> BTreeSet<&'static str> {
        struct Fields<'a>(&'a mut BTreeSet<&'static str>);

        impl<'de> Deserializer<'de> for Fields<'_> {
            type Error = Error;

            fn deserialize_struct<V: Visitor<'de>>(
                self,
                _: &'static str,
                fields: &'static [&'static str],
                _: V,
            ) -> Result<V::Value, Error> {
                self.0.extend(fields);
                Err(Error::custom("only the names"))
            }

            fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
                Err(Error::custom("no structure"))
            }

            forward_to_deserialize_any! {
                bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct
                newtype_struct seq tuple tuple_struct map enum identifier ignored_any
            }
        }

        let mut names = BTreeSet::new();
        assert!(T::deserialize(Fields(&mut names)).is_err());
        assert!(!names.is_empty());
        names
    }

    #[test]
    fn paths_are_those_of_the_routes() {
        let routes =
            interface().into_iter().chain(health()).chain([metrics(CallKind::Request)]).map(|route| route.path);
        let served: BTreeSet<String> = routes.collect();
        let description = description();
        let described = description["paths"].as_object().expect("paths").keys().cloned().collect::<BTreeSet<_>>();
        assert_eq!(described, served);
        assert!(
            page_files::files().all(|(path, _)| !described.contains(&path)),
            "the page's files are not part of the interface"
        );
        assert_eq!(description["info"]["version"], env!("CARGO_PKG_VERSION"));
    }

    #[test]
    fn parameters_are_those_that_are_read() {
        let none = BTreeSet::new;
        let expected = BTreeMap::from([
            ("/v1/probe", fields::<questions::ProbeQuery>()),
            ("/v1/batch", fields::<Batch>()),
            ("/v1/line", fields::<Line>()),
            ("/v1/play", fields::<Play>()),
            ("/v1/tables", fields::<questions::OfMen>()),
            ("/v1/tables/{material}", fields::<questions::StatisticsQuery>()),
            ("/v1/tables/{material}/saves", none()),
            ("/v1/explore", fields::<Explore>()),
            ("/v1/analyse", fields::<Analyse>()),
            ("/v1/materials", fields::<questions::OfMen>()),
            ("/v1/saves", fields::<SaveQuery>()),
            ("/v1/saves/{material}", fields::<questions::SavesQuery>()),
            ("/makruk", fields::<Lichess>()),
            ("/makruk/mainline", fields::<LichessLine>()),
            ("/v1/openapi.json", none()),
            ("/board.png", fields::<picture::PictureQuery>()),
        ]);
        let routes = interface();
        assert_eq!(
            routes.iter().map(|route| route.path.as_str()).collect::<BTreeSet<_>>(),
            expected.keys().copied().collect()
        );
        let description = description();
        let resolved = |value: &Value| match value["$ref"].as_str() {
            Some(reference) => description.pointer(&reference[1..]).expect(reference).clone(),
            None => value.clone(),
        };
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        for (path, expected) in expected {
            let item = description["paths"][path].as_object().expect("methods");
            let (method, operation) = item.iter().next().expect("a method");
            let mut found = BTreeSet::new();
            for parameter in operation["parameters"].as_array().into_iter().flatten().map(resolved) {
                match parameter["in"].as_str() {
                    Some("query") => assert!(found.insert(text(&parameter["name"]))),
                    place => assert!(place == Some("path") && path.contains("{material}"), "{path}: {parameter}"),
                }
            }
            if method == "post" {
                let body = resolved(&operation["requestBody"]["content"]["application/json"]["schema"]);
                found.extend(body["properties"].as_object().expect("properties").keys().cloned());
            }
            assert_eq!(found.iter().map(String::as_str).collect::<BTreeSet<_>>(), expected, "{path}");
        }
    }
}
