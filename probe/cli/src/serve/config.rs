//! How `serve` is set up: flags, environment, file, defaults.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, ensure};
use clap::{Args, ValueEnum};
use figment::Figment;
use figment::providers::{Env, Format, Serialized, Toml};
use makruk_service::{Limits, Settings, TlsFiles};
use serde::{Deserialize, Deserializer, Serialize};

/// What the environment's names begin with.
const ENVIRONMENT: &str = "MAKRUK_SERVE_";

/// The flags. Each may also be a line of the file and a variable of the environment.
#[derive(Args, Clone, Debug, Default, Serialize)]
pub(super) struct Flags {
    /// The folder of the tables; else MAKRUK_TABLES, ./tables/data if it is there, or the user's data folder
    #[arg(long, value_name = "DIR")]
    #[serde(skip_serializing_if = "Option::is_none")]
    tables: Option<PathBuf>,
    /// Address and port to listen on; port 0 takes a free one [default: 127.0.0.1:50051]
    #[arg(long, value_name = "ADDRESS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    listen: Option<SocketAddr>,
    /// Have /metrics, /healthz and /readyz on an address of their own, plain and without token, and metrics only there
    #[arg(long, value_name = "ADDRESS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    admin: Option<SocketAddr>,
    /// First build what is missing of all sets of 3 to N men, kings included
    #[cfg(feature = "build")]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(3..=makruk_generator::MOST_MEN as i64))]
    #[serde(skip_serializing_if = "Option::is_none")]
    build: Option<u8>,
    /// Threads that probe, which may wait for the disk; 4 for each core if not given
    #[arg(long, value_name = "THREADS", value_parser = clap::value_parser!(u16).range(1..=1024))]
    #[serde(skip_serializing_if = "Option::is_none")]
    threads: Option<u16>,
    /// Mebibytes of decoded blocks kept in memory [default: 64]
    #[arg(long, value_name = "MIB")]
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_mib: Option<u32>,
    /// How often to look whether tables have come, gone or been replaced, in milliseconds; 0 looks only on SIGHUP
    /// [default: 1000]
    #[arg(long, value_name = "MS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    watch_ms: Option<u32>,
    /// PEM file of the server's certificate and those between it and the root: speak TLS
    #[arg(long, value_name = "FILE")]
    #[serde(skip_serializing_if = "Option::is_none")]
    tls_certificate: Option<PathBuf>,
    /// PEM file of the certificate's private key
    #[arg(long, value_name = "FILE")]
    #[serde(skip_serializing_if = "Option::is_none")]
    tls_key: Option<PathBuf>,
    /// PEM file of the authorities that clients' certificates must come from: mutual TLS
    #[arg(long, value_name = "FILE")]
    #[serde(skip_serializing_if = "Option::is_none")]
    tls_client_ca: Option<PathBuf>,
    /// File of bearer tokens, one a line, # before a remark: calls need one of them; health needs none
    #[arg(long, value_name = "FILE")]
    #[serde(skip_serializing_if = "Option::is_none")]
    token_file: Option<PathBuf>,
    /// Origins whose pages may ask, such as https://example.org, or * for all; several with commas
    #[arg(long, value_name = "ORIGINS", value_delimiter = ',')]
    #[serde(skip_serializing_if = "Option::is_none")]
    cors: Option<Vec<String>>,
    /// Form of the log on standard error [default: text]
    #[arg(long, value_name = "FORM")]
    #[serde(skip_serializing_if = "Option::is_none")]
    log_format: Option<LogFormat>,
    /// Requests in work at a time, waiting or running; more are turned away with RESOURCE_EXHAUSTED [default: 256]
    #[arg(long, value_name = "REQUESTS", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    in_flight: Option<u32>,
    /// Searches for saves open at a time; each may keep a thread busy [default: 4]
    #[arg(long, value_name = "SEARCHES")]
    #[serde(skip_serializing_if = "Option::is_none")]
    searches: Option<u32>,
    /// Positions in work or unread at a time, in all [default: 65536]
    #[arg(long, value_name = "POSITIONS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<u32>,
    /// Positions in work or unread at a time, of one connection [default: 16384]
    #[arg(long, value_name = "POSITIONS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    connection_positions: Option<u32>,
    /// Calls open at a time, in all [default: 4096]
    #[arg(long, value_name = "CALLS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    calls: Option<u32>,
    /// Calls open at a time on one connection; a client waits with more [default: 256]
    #[arg(long, value_name = "CALLS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    connection_calls: Option<u32>,
    /// Connections open at a time; more are closed as they come [default: 12000]
    #[arg(long, value_name = "CONNECTIONS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    connections: Option<u32>,
    /// Mebibytes of responses that one connection has not read; a response beyond them fails with RESOURCE_EXHAUSTED [default: 16]
    #[arg(long, value_name = "MIB")]
    #[serde(skip_serializing_if = "Option::is_none")]
    connection_unread_mib: Option<u32>,
    /// Mebibytes of responses that clients have not read, in all [default: 256]
    #[arg(long, value_name = "MIB")]
    #[serde(skip_serializing_if = "Option::is_none")]
    unread_mib: Option<u32>,
    /// Share of all connections, calls and positions that one address may have; 100 behind a proxy [default: 50]
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(1..=100))]
    #[serde(skip_serializing_if = "Option::is_none")]
    peer_percent: Option<u8>,
    /// Age at which a connection is asked to end; 0 lets it live for ever [default: 3600]
    #[arg(long, value_name = "SECONDS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    connection_age_s: Option<u32>,
    /// Health watches open at a time, in all [default: 256]
    #[arg(long, value_name = "WATCHES")]
    #[serde(skip_serializing_if = "Option::is_none")]
    watches: Option<u32>,
    /// Positions of one batch; more fail with INVALID_ARGUMENT [default: 1000]
    #[arg(long, value_name = "POSITIONS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    batch: Option<u32>,
    /// Bytes of a request's message; a longer one fails with OUT_OF_RANGE [default: 131072]
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u32).range(256..=1 << 24))]
    #[serde(skip_serializing_if = "Option::is_none")]
    message_bytes: Option<u32>,
    /// Milliseconds for a request; a slower one fails with DEADLINE_EXCEEDED. A client's own deadline holds if it is shorter
    /// [default: 5000]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u32).range(1..))]
    #[serde(skip_serializing_if = "Option::is_none")]
    deadline_ms: Option<u32>,
    /// Milliseconds in which nothing moves in a stream, or in an answer that a client does not read; then it is ended
    /// [default: 60000]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u32).range(1..))]
    #[serde(skip_serializing_if = "Option::is_none")]
    idle_ms: Option<u32>,
    /// Milliseconds for a new connection to begin as HTTP does, TLS included; then it is closed [default: 5000]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u32).range(1..))]
    #[serde(skip_serializing_if = "Option::is_none")]
    handshake_ms: Option<u32>,
    /// Milliseconds between saying that it is going (health) and taking no more calls, for who balances load [default: 0]
    #[arg(long, value_name = "MS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    leave_ms: Option<u32>,
    /// Milliseconds that requests under way have to end when the server is told to [default: 10000]
    #[arg(long, value_name = "MS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    drain_ms: Option<u32>,
}

/// The form of the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(super) enum LogFormat {
    /// A line for people.
    #[default]
    Text,
    /// An object a line.
    Json,
}

/// What holds in the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Config {
    pub(super) tables: Option<PathBuf>,
    pub(super) listen: SocketAddr,
    pub(super) admin: Option<SocketAddr>,
    /// Read everywhere, so that a file serves programs with and without the generator.
    pub(super) build: Option<u8>,
    pub(super) threads: Option<u16>,
    pub(super) log_format: LogFormat,
    cache_mib: u32,
    watch_ms: u32,
    tls_certificate: Option<PathBuf>,
    tls_key: Option<PathBuf>,
    tls_client_ca: Option<PathBuf>,
    token_file: Option<PathBuf>,
    #[serde(deserialize_with = "one_or_many")]
    cors: Vec<String>,
    in_flight: u32,
    searches: u32,
    positions: u32,
    connection_positions: u32,
    connection_unread_mib: u32,
    unread_mib: u32,
    peer_percent: u8,
    connection_age_s: u32,
    watches: u32,
    calls: u32,
    connection_calls: u32,
    connections: u32,
    batch: u32,
    message_bytes: u32,
    deadline_ms: u32,
    idle_ms: u32,
    handshake_ms: u32,
    leave_ms: u32,
    drain_ms: u32,
}

impl Default for Config {
    fn default() -> Config {
        let limits = Limits::DEFAULT;
        let ms = |time: Duration| time.as_millis() as u32;
        Config {
            tables: None,
            listen: SocketAddr::from(([127, 0, 0, 1], 50051)),
            admin: None,
            build: None,
            threads: None,
            log_format: LogFormat::Text,
            cache_mib: (makruk_probe::DEFAULT_CACHE_BYTES >> 20) as u32,
            watch_ms: 1000,
            tls_certificate: None,
            tls_key: None,
            tls_client_ca: None,
            token_file: None,
            cors: Vec::new(),
            in_flight: limits.in_flight as u32,
            searches: limits.searches as u32,
            positions: limits.positions as u32,
            connection_positions: limits.connection_positions as u32,
            connection_unread_mib: (limits.connection_unread_bytes >> 20) as u32,
            unread_mib: (limits.unread_bytes >> 20) as u32,
            peer_percent: limits.peer_percent,
            connection_age_s: limits.connection_age.map_or(0, |age| age.as_secs() as u32),
            watches: limits.watches as u32,
            calls: limits.calls as u32,
            connection_calls: limits.connection_calls,
            connections: limits.connections as u32,
            batch: limits.batch as u32,
            message_bytes: limits.message_bytes as u32,
            deadline_ms: ms(limits.deadline),
            idle_ms: ms(limits.idle),
            handshake_ms: ms(limits.handshake),
            leave_ms: 0,
            drain_ms: ms(limits.drain),
        }
    }
}

impl Config {
    /// Flags come before the environment, this before the file, and that before the defaults.
    pub(super) fn read(flags: &Flags, file: Option<&Path>) -> anyhow::Result<Config> {
        let mut figment = Figment::from(Serialized::defaults(Config::default()));
        if let Some(file) = file {
            // A file that is named must be there.
            let text = std::fs::read_to_string(file).with_context(|| format!("{} can't be read", file.display()))?;
            let checked: Config = Figment::from(Serialized::defaults(Config::default()))
                .merge(Toml::string(&text))
                .extract()
                .with_context(|| format!("{} is not as expected", file.display()))?;
            figment = figment.merge(Serialized::defaults(checked));
        }
        let environment = Env::prefixed(ENVIRONMENT).ignore(&["config"]).filter(|name| !is_injected(name.as_str()));
        let config: Config = figment
            .merge(environment)
            .merge(Serialized::defaults(flags))
            .extract()
            .with_context(|| format!("the variables {ENVIRONMENT}... are not as expected"))?;
        config.check()?;
        Ok(config)
    }

    /// What the types don't say.
    fn check(&self) -> anyhow::Result<()> {
        for (name, value) in [
            ("in_flight", self.in_flight),
            ("searches", self.searches),
            ("positions", self.positions),
            ("connection_positions", self.connection_positions),
            ("connection_unread_mib", self.connection_unread_mib),
            ("unread_mib", self.unread_mib),
            ("watches", self.watches),
            ("calls", self.calls),
            ("connection_calls", self.connection_calls),
            ("connections", self.connections),
            ("batch", self.batch),
            ("deadline_ms", self.deadline_ms),
            ("idle_ms", self.idle_ms),
            ("handshake_ms", self.handshake_ms),
        ] {
            ensure!(value > 0, "{name} is 0: expected at least 1");
        }
        ensure!(
            (256..=1 << 24).contains(&self.message_bytes),
            "message_bytes is {}: expected 256 to {}",
            self.message_bytes,
            1 << 24
        );
        ensure!(
            self.batch <= self.positions.min(self.connection_positions),
            "batch is {}: no more than positions and connection_positions, or the longest batches never fit",
            self.batch
        );
        ensure!(
            (1..=100).contains(&self.peer_percent),
            "peer_percent is {}: expected 1 to 100",
            self.peer_percent
        );
        ensure!(
            self.tls_certificate.is_some() == self.tls_key.is_some(),
            "tls_certificate and tls_key belong together: one is there without the other"
        );
        ensure!(
            self.tls_client_ca.is_none() || self.tls_certificate.is_some(),
            "tls_client_ca needs tls_certificate and tls_key"
        );
        Ok(())
    }

    /// The number of threads that probe.
    pub(super) fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(|| 4 * cores(), usize::from)
    }

    /// As the server takes it.
    pub(super) fn settings(&self) -> Settings {
        let ms = |ms: u32| Duration::from_millis(ms.into());
        let tls = self.tls_certificate.clone().zip(self.tls_key.clone()).map(|(certificate, key)| TlsFiles {
            certificate,
            key,
            client_authorities: self.tls_client_ca.clone(),
        });
        Settings {
            limits: Limits {
                batch: self.batch as usize,
                message_bytes: self.message_bytes as usize,
                deadline: ms(self.deadline_ms),
                idle: ms(self.idle_ms),
                connection_calls: self.connection_calls,
                connection_positions: self.connection_positions as usize,
                handshake: ms(self.handshake_ms),
                connections: self.connections as usize,
                calls: self.calls as usize,
                in_flight: self.in_flight as usize,
                searches: self.searches as usize,
                connection_unread_bytes: (self.connection_unread_mib as usize) << 20,
                connection_watches: Limits::DEFAULT.connection_watches,
                connection_age: (self.connection_age_s > 0).then(|| Duration::from_secs(self.connection_age_s.into())),
                unread_bytes: (self.unread_mib as usize) << 20,
                peer_percent: self.peer_percent,
                watches: self.watches as usize,
                batch_threads: (self.threads() / 2).max(1),
                scan_threads: (self.threads() / 8).max(1),
                positions: self.positions as usize,
                drain: ms(self.drain_ms),
            },
            cache_bytes: (self.cache_mib as usize) << 20,
            watch: (self.watch_ms > 0).then(|| ms(self.watch_ms)),
            tls,
            token_file: self.token_file.clone(),
            cors: self.cors.clone(),
            lame_duck: ms(self.leave_ms),
        }
    }
}

/// Whether Kubernetes sets this variable, for containers beside a service that is named `makruk-serve`.
fn is_injected(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name == "port" || name.starts_with("port_") || name.starts_with("service_")
}

/// A list, or one text with commas, as the environment has it.
fn one_or_many<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum OneOrMany {
        One(String),
        Many(Vec<String>),
    }
    Ok(match OneOrMany::deserialize(deserializer)? {
        OneOrMany::One(text) => text.split(',').map(|part| part.trim().to_owned()).collect(),
        OneOrMany::Many(many) => many,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_shipped_is_read_and_changes_nothing_but_what_it_says() {
        let file = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../service/deploy/makruk-probe.toml"));
        let config = Config::read(&Flags::default(), Some(file)).unwrap();
        let said = Config {
            tables: Some("/var/lib/makruk/tables".into()),
            listen: "0.0.0.0:50051".parse().unwrap(),
            admin: Some("127.0.0.1:9451".parse().unwrap()),
            log_format: LogFormat::Json,
            ..Config::default()
        };
        assert_eq!(config, said);
    }

    #[test]
    fn variables_of_kubernetes_are_no_options() {
        for name in ["PORT", "port", "PORT_50051_TCP_ADDR", "SERVICE_HOST", "SERVICE_PORT_GRPC"] {
            assert!(is_injected(name), "{name}");
        }
        for option in serde_json::to_value(Config::default()).unwrap().as_object().unwrap().keys() {
            assert!(!is_injected(option), "{option}");
        }
    }

    #[test]
    fn flags_come_first_and_mistakes_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("serve.toml");
        let read = |text: &str, flags: &Flags| {
            std::fs::write(&file, text).unwrap();
            Config::read(flags, Some(&file))
        };
        let text = "in_flight = 7\nbatch = 5\ncors = \"https://a.example, https://b.example\"";
        let config = read(text, &Flags { batch: Some(9), ..Flags::default() }).unwrap();
        assert_eq!((config.in_flight, config.batch, config.positions), (7, 9, 65_536));
        assert_eq!(config.cors, ["https://a.example", "https://b.example"]);
        let mistake = |text: &str| format!("{:#}", read(text, &Flags::default()).unwrap_err());
        for (text, named) in [
            ("in_fligth = 7", "in_fligth"),
            ("batch = \"many\"", "batch"),
            ("batch = 70000", "batch is 70000"),
            ("calls = 0", "calls is 0"),
            ("message_bytes = 5", "message_bytes is 5"),
            ("tls_key = \"key.pem\"", "tls_certificate and tls_key"),
            ("= 3", "serve.toml"),
        ] {
            let mistake = mistake(text);
            assert!(mistake.contains(named), "{text}: {mistake}");
        }
        let nowhere = Config::read(&Flags::default(), Some(&folder.path().join("missing.toml")));
        assert!(format!("{:#}", nowhere.unwrap_err()).contains("missing.toml"));
    }
}
