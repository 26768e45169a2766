//! What can be called, as metrics and logs name it.

use super::page;

/// A method of either interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Method {
    /// Its name.
    pub(super) name: &'static str,
    /// How it is let in.
    pub(super) kind: Kind,
}

/// How a method is let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// One request, one answer, within the deadline.
    Plain,
    /// As long as something moves.
    Stream,
    /// Always, token or not, load or not: whether the service is well, and the page, which holds nothing of it.
    Open,
}

impl Method {
    /// The method of a path. Clients can make up paths; these are all one.
    pub(super) fn of(path: &str) -> Method {
        let plain = |name| Method { name, kind: Kind::Plain };
        let stream = |name| Method { name, kind: Kind::Stream };
        let open = |name| Method { name, kind: Kind::Open };
        match path.strip_prefix("/makruk.v1.Tablebase/") {
            Some("Probe") => return plain("Probe"),
            Some("ProbeBatch") => return plain("ProbeBatch"),
            Some("ProbeStream") => return stream("ProbeStream"),
            Some("BestLine") => return stream("BestLine"),
            Some("Play") => return plain("Play"),
            Some("ListTables") => return plain("ListTables"),
            Some("TableStatistics") => return plain("TableStatistics"),
            Some("FindSaves") => return stream("FindSaves"),
            Some("SaveStatistics") => return plain("SaveStatistics"),
            _ => {}
        }
        match path {
            "/v1/probe" => plain("GET probe"),
            "/v1/batch" => plain("POST batch"),
            "/v1/line" => plain("GET line"),
            "/v1/play" => plain("GET play"),
            "/v1/tables" => plain("GET tables"),
            "/v1/explore" => plain("GET explore"),
            "/v1/analyse" => plain("POST analyse"),
            "/v1/sets" => plain("GET sets"),
            "/v1/saves" => plain("GET find saves"),
            "/metrics" => plain("metrics"),
            "/healthz" | "/readyz" => open("health"),
            _ if page::is_part(path) => open("page"),
            _ if path.starts_with("/v1/tables/") && path.ends_with("/saves") => plain("GET saves"),
            _ if path.starts_with("/v1/saves/") => plain("GET save statistics"),
            _ if path.starts_with("/v1/tables/") => plain("GET statistics"),
            _ if path.starts_with("/grpc.health.v1.Health/") => open("health"),
            _ if path.starts_with("/grpc.reflection.") => stream("reflection"),
            _ => plain("other"),
        }
    }
}
