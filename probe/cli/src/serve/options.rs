//! The options of `serve`, from flags and the environment.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::ensure;
use clap::builder::RangedU64ValueParser;
use clap::{Arg, Args, Command, ValueEnum};
use makruk_service::{Limits, Settings, origin};

/// The prefix of the environment's variables.
const PREFIX: &str = "MAKRUK_SERVE_";

/// The options. Each is a flag and a variable of the environment: [`with_variable`].
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub(super) struct ServeOptions {
    /// The folder of the tables; otherwise MAKRUK_TABLES, ./tables/data or `tables` beside the program if it exists, or
    /// the user's data folder
    #[arg(long, value_name = "DIR")]
    pub(super) tables: Option<PathBuf>,
    /// Address, or host name, and port to listen on, such as 0.0.0.0:50051 or localhost:50051; port 0 takes a free one.
    /// Of a name's addresses one is taken, IPv4 first
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:50051", value_parser = listen_address)]
    pub(super) listen: SocketAddr,
    /// Serve /metrics, /healthz and /readyz on a separate address, without tokens; metrics are then served only there
    #[arg(long, value_name = "ADDRESS", value_parser = listen_address)]
    pub(super) admin: Option<SocketAddr>,
    /// First build the missing tables of all materials of 3 to N men, kings included
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(3..=6))]
    pub(super) build: Option<u8>,
    /// Threads that probe, which may wait for the disk; 4 for each core if not given
    #[arg(long, value_name = "THREADS", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) threads: Option<u16>,
    /// Mebibytes of decoded stripes kept in memory
    #[arg(
        long,
        value_name = "MIB",
        default_value_t = mib(makruk_probe::DEFAULT_CACHE_BYTES),
        value_parser = number::<u32>(0..=MOST_MIB)
    )]
    cache_mib: u32,
    /// Milliseconds between scans of the folder for tables that were added, removed or replaced; 0 scans only on SIGHUP
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = number::<u32>(0..=MOST_MS))]
    watch_ms: u32,
    /// File of bearer tokens, one per line; # begins a comment. Calls need one of the tokens, health checks need none
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Origins whose pages may call the server, such as https://example.org, or * for all; several separated by commas
    #[arg(long, value_name = "ORIGINS", value_delimiter = ',', value_parser = origin)]
    cors: Vec<String>,
    /// Origins whose pages may embed the page in a frame, such as https://example.org, or * for all; several separated
    /// by commas
    #[arg(long, value_name = "ORIGINS", value_delimiter = ',', value_parser = origin)]
    embed: Vec<String>,
    /// Format of the log on standard error
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub(super) log_format: LogFormat,
    /// Requests in progress at a time, waiting or running; further requests fail with RESOURCE_EXHAUSTED
    #[arg(long, value_name = "REQUESTS", default_value_t = Limits::default().in_flight, value_parser = number::<usize>(1..=MOST_CLIENTS))]
    in_flight: usize,
    /// Connections open at a time
    #[arg(
        long,
        value_name = "CONNECTIONS",
        default_value_t = Limits::default().connections,
        value_parser = number::<usize>(1..=MOST_CLIENTS)
    )]
    connections: usize,
    /// Mebibytes of memory for clients, apart from the answers in progress: open connections and calls, unfinished
    /// requests, unread responses
    #[arg(
        long,
        value_name = "MIB",
        default_value_t = mib(Limits::default().memory),
        value_parser = number::<u32>(1..=MOST_MIB)
    )]
    memory_mib: u32,
    /// Addresses of proxies that are trusted to name their clients in the header x-forwarded-for; several separated by
    /// commas
    #[arg(long, value_name = "ADDRESSES", value_delimiter = ',')]
    trusted_proxies: Vec<IpAddr>,
    /// Positions of one batch; a longer batch fails with INVALID_ARGUMENT. A message has room for the longest batch
    #[arg(
        long,
        value_name = "POSITIONS",
        default_value_t = Limits::default().batch,
        value_parser = number::<usize>(1..=Limits::default().positions as u64)
    )]
    batch: usize,
    /// Milliseconds for a request; a slower request fails with DEADLINE_EXCEEDED. A shorter deadline set by the client
    /// takes precedence. After a shutdown was requested, requests in progress have twice this time to end
    #[arg(long, value_name = "MS", default_value_t = ms(Limits::default().deadline), value_parser = number::<u32>(1..=MOST_MS))]
    deadline_ms: u32,
    /// Milliseconds between reporting NOT_SERVING and closing the listener, in which load balancers can react
    #[arg(long, value_name = "MS", default_value_t = 0, value_parser = number::<u32>(0..=MOST_MS))]
    lame_duck_ms: u32,
}

/// The format of the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum LogFormat {
    /// A line for people
    #[default]
    Text,
    /// One object per line
    Json,
}

/// Bytes of a position in a batch, at most.
const MOST_FEN_BYTES: usize = 128;
/// The most requests or connections.
const MOST_CLIENTS: u64 = 1_000_000;
/// The most memory, in mebibytes: 1 TiB.
const MOST_MIB: u64 = 1 << 20;
/// The longest time, in milliseconds: a day.
const MOST_MS: u64 = 24 * 60 * 60 * 1000;

/// Parses a number within bounds that a machine can hold.
fn number<T: TryFrom<u64> + Clone + Send + Sync>(bounds: RangeInclusive<u64>) -> RangedU64ValueParser<T> {
    RangedU64ValueParser::new().range(bounds)
}

fn mib(bytes: usize) -> u32 {
    (bytes >> 20) as u32
}

fn ms(time: Duration) -> u32 {
    time.as_millis() as u32
}

impl ServeOptions {
    /// The number of threads that probe.
    pub(super) fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(|| 4 * cores(), usize::from)
    }

    /// The settings of the server.
    pub(super) fn settings(&self) -> Settings {
        let time = |ms: u32| Duration::from_millis(ms.into());
        Settings {
            limits: Limits {
                batch: self.batch,
                message_bytes: Limits::default().message_bytes.max(MOST_FEN_BYTES * self.batch),
                deadline: time(self.deadline_ms),
                connections: self.connections,
                in_flight: self.in_flight,
                memory: (self.memory_mib as usize) << 20,
                threads: self.threads(),
                positions: Limits::default().positions.max(self.batch),
                drain: 2 * time(self.deadline_ms),
                ..Limits::default()
            },
            cache_bytes: (self.cache_mib as usize) << 20,
            watch: (self.watch_ms > 0).then(|| time(self.watch_ms)),
            token_file: self.token_file.clone(),
            trusted_proxies: self.trusted_proxies.clone(),
            cors: self.cors.clone(),
            embed: self.embed.clone(),
            lame_duck: time(self.lame_duck_ms),
        }
    }
}

/// Gives an option its variable of the environment, but for `--check` and for `--tables`, whose variable is that of
/// all programs.
pub(super) fn with_variable(option: Arg) -> Arg {
    match option.get_id().as_str() {
        "check" | "tables" => option,
        name => {
            let variable = format!("{PREFIX}{}", name.to_uppercase());
            option.env(variable)
        }
    }
}

/// Fails if a variable with this prefix names no option of the command: its name may be misspelt.
pub(super) fn check_environment(command: &Command, names: impl IntoIterator<Item = String>) -> anyhow::Result<()> {
    for name in names {
        let Some(rest) = name.strip_prefix(PREFIX) else { continue };
        ensure!(rest != "TABLES", "there is no variable {name}: MAKRUK_TABLES names the folder, for every program");
        let is_option = command.get_arguments().any(|option| option.get_env().is_some_and(|known| known == &*name));
        ensure!(
            is_option || is_injected(rest),
            "the environment: there is no option {name}; `makruk-probe serve --help` lists the variables"
        );
    }
    Ok(())
}

/// Whether Kubernetes sets this variable, in containers next to a service that is named `makruk-serve`.
fn is_injected(name: &str) -> bool {
    name == "PORT" || name.starts_with("PORT_") || name.starts_with("SERVICE_")
}

/// An address and a port, or a host name and a port: of the addresses of a name one of IPv4 if there is one.
fn listen_address(text: &str) -> Result<SocketAddr, String> {
    const EXPECTED: &str = "expected an address and a port, such as 127.0.0.1:50051, [::1]:50051 or localhost:50051";
    if let Ok(address) = text.parse::<SocketAddr>() {
        return Ok(address);
    }
    // A port alone, as other servers have it, but of this machine alone.
    if let Ok(port) = text.strip_prefix(':').unwrap_or(text).parse::<u16>() {
        return Ok((Ipv4Addr::LOCALHOST, port).into());
    }
    let (host, port) = text.rsplit_once(':').ok_or(EXPECTED)?;
    if host.is_empty() || host.contains(['[', ':', '/']) || port.parse::<u16>().is_err() {
        return Err(EXPECTED.to_owned());
    }
    let found = text.to_socket_addrs().map_err(|error| format!("the host {host} has no address: {error}"))?;
    found.min_by_key(SocketAddr::is_ipv6).ok_or_else(|| format!("the host {host} has no address"))
}

#[cfg(test)]
mod tests {
    use clap::FromArgMatches;
    use makruk_console::argument_error;

    use super::*;

    fn read(flags: &[&str]) -> Result<ServeOptions, clap::Error> {
        let command = ServeOptions::augment_args(Command::new("serve")).no_binary_name(true);
        ServeOptions::from_arg_matches(&command.try_get_matches_from(flags)?)
    }

    #[test]
    fn the_defaults_are_those_of_the_service() {
        let mut settings = read(&[]).unwrap().settings();
        // These follow from the number of cores.
        settings.limits.threads = Limits::default().threads;
        assert_eq!(settings, Settings::default());
    }

    #[test]
    fn the_shipped_variables_are_options_and_those_in_comments_have_the_defaults() {
        let text = include_str!("../../../service/deploy/makruk-probe.default");
        let flags = |start: &str| {
            let lines = text.lines().filter_map(|line| line.strip_prefix(start)?.strip_prefix(PREFIX));
            let flag = |(name, value): (&str, &str)| format!("--{}={value}", name.to_lowercase().replace('_', "-"));
            lines.map(|line| flag(line.split_once('=').unwrap())).collect::<Vec<String>>()
        };
        assert!(text.lines().any(|line| line == "MAKRUK_TABLES=/var/lib/makruk/tables"));
        let read = |flags: &[String]| read(&flags.iter().map(String::as_str).collect::<Vec<_>>()).unwrap();
        let expected =
            ServeOptions { admin: Some("127.0.0.1:9451".parse().unwrap()), log_format: LogFormat::Json, ..read(&[]) };
        assert_eq!(read(&flags("")), expected);
        // The tokens and the threads have no default.
        let defaults: Vec<String> = flags("#");
        let is_default = |flag: &&String| !["--token-file", "--threads"].iter().any(|name| flag.starts_with(name));
        let defaults: Vec<String> = defaults.iter().filter(is_default).cloned().collect();
        assert!(defaults.len() > 7, "{defaults:?}");
        assert_eq!(read(&defaults), read(&[]));
    }

    #[test]
    fn each_number_has_a_largest_value() {
        let command = ServeOptions::augment_args(Command::new("serve"));
        let numbers = command.get_arguments().filter(|option| {
            let name = option.get_value_names().map(|names| names.concat());
            name.is_some_and(|name| {
                ["MIB", "MS", "CONNECTIONS", "REQUESTS", "POSITIONS", "THREADS", "N"].contains(&&*name)
            })
        });
        let numbers: Vec<_> = numbers.filter_map(|option| option.get_long()).collect();
        assert!(numbers.len() > 8, "{numbers:?}");
        for number in numbers {
            for value in ["4294967295", "18446744073709551615"] {
                let error = read(&[&format!("--{number}"), value]).unwrap_err();
                let sentence = argument_error(&error).unwrap();
                assert!(sentence.contains(" to ") || sentence.ends_with("expected a smaller number"), "{sentence}");
            }
        }
        assert!(read(&["--batch", "65536"]).is_ok() && read(&["--batch", "65537"]).is_err());
        for list in [",,", "localhost"] {
            let sentence = argument_error(&read(&["--trusted-proxies", list]).unwrap_err()).unwrap();
            assert!(sentence.ends_with("expected an address, such as 127.0.0.1"), "{sentence}");
        }
    }

    #[test]
    fn variables_that_are_no_options_are_named() {
        let command = super::super::Serve::augment_args(Command::new("serve"));
        let check = |names: &[&str]| check_environment(&command, names.iter().map(|&name| name.to_owned()));
        check(&["HOME", "MAKRUK_TABLES", "MAKRUK_SERVE_BATCH", "MAKRUK_SERVE_LAME_DUCK_MS"]).unwrap();
        // Kubernetes sets these.
        check(&["MAKRUK_SERVE_PORT", "MAKRUK_SERVE_PORT_50051_TCP_ADDR", "MAKRUK_SERVE_SERVICE_HOST"]).unwrap();
        for (wrong, named) in
            [("MAKRUK_SERVE_BATSH", "no option MAKRUK_SERVE_BATSH"), ("MAKRUK_SERVE_TABLES", "MAKRUK_TABLES")]
        {
            let error = check(&[wrong]).unwrap_err().to_string();
            assert!(error.contains(named), "{error}");
        }
    }

    #[test]
    fn values_are_lists_and_addresses() {
        let origins = read(&["--cors", " https://a.example ,*"]).unwrap().cors;
        assert_eq!(origins, ["https://a.example", "*"]);
        for wrong in [["--cors", ","], ["--embed", "https://a.example/,*"]] {
            let sentence = argument_error(&read(&wrong).unwrap_err()).unwrap();
            assert!(sentence.contains("is not a valid origin: expected something like https://"), "{sentence}");
        }
        for (text, address) in [
            ("localhost:50051", "127.0.0.1:50051"),
            ("[::1]:7", "[::1]:7"),
            ("8080", "127.0.0.1:8080"),
            (":8080", "127.0.0.1:8080"),
        ] {
            assert_eq!(listen_address(text), Ok(address.parse().unwrap()), "{text}");
        }
        for text in ["", "localhost", ":", "localhost:port", "localhost:70000", "http://localhost:80", "::1:80"] {
            let error = listen_address(text).unwrap_err();
            assert!(error.contains("localhost:50051"), "{text}: {error}");
        }
        let nowhere = listen_address("nowhere.invalid:80").unwrap_err();
        assert!(nowhere.starts_with("the host nowhere.invalid has no address"), "{nowhere}");
    }
}
