//! The options of `serve`, from flags, the environment and a file.

use std::convert::Infallible;
use std::ffi::OsString;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, ensure};
use clap::builder::RangedU64ValueParser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches, ValueEnum};
use makruk_service::{Limits, Settings};
use makruk_tables::programs::{TABLES_VARIABLE, argument_error};

use super::address::ListenAddress;

/// The prefix of the environment's variables.
const PREFIX: &str = "MAKRUK_SERVE_";
/// The variable that names the file; it is not an option itself.
const CONFIG_VARIABLE: &str = "MAKRUK_SERVE_CONFIG";

/// The options. Each is a flag, a key of the file, and a variable of the environment: this list is the only one.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub(super) struct ServeOptions {
    /// The folder of the tables; otherwise MAKRUK_TABLES, ./tables/data if it exists, or the user's data folder
    #[arg(long, value_name = "DIR")]
    pub(super) tables: Option<PathBuf>,
    /// Address, or host name, and port to listen on, such as 0.0.0.0:50051 or localhost:50051; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS", default_value_t = ListenAddress::from(([127, 0, 0, 1], 50051)))]
    pub(super) listen: ListenAddress,
    /// Serve /metrics, /healthz and /readyz on a separate address, without tokens; metrics are then served only there
    #[arg(long, value_name = "ADDRESS")]
    pub(super) admin: Option<ListenAddress>,
    /// First build the missing tables of all materials of 3 to N men, kings included
    #[arg(long, alias = "build", value_name = "N", value_parser = clap::value_parser!(u8).range(3..=6))]
    pub(super) build_men: Option<u8>,
    /// Threads that probe, which may wait for the disk; 4 for each core if not given
    #[arg(long, value_name = "THREADS", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) threads: Option<u16>,
    /// Mebibytes of decoded stripes kept in memory
    #[arg(long, value_name = "MIB", default_value_t = mib(makruk_probe::DEFAULT_CACHE_BYTES))]
    cache_mib: u32,
    /// Milliseconds between scans of the folder for tables that were added, removed or replaced; 0 scans only on SIGHUP
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    watch_ms: u32,
    /// File of bearer tokens, one per line; # begins a comment. Calls need one of the tokens, health checks need none
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Origins whose pages may call the server, such as https://example.org, or * for all; several separated by commas
    #[arg(long, value_name = "ORIGINS", value_delimiter = ',', value_parser = trimmed)]
    cors: Vec<String>,
    /// Origins whose pages may embed the page in a frame, such as https://example.org, or * for all; several separated
    /// by commas
    #[arg(long, value_name = "ORIGINS", value_delimiter = ',')]
    embed: Vec<String>,
    /// Format of the log on standard error
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub(super) log_format: LogFormat,
    /// Requests in progress at a time, waiting or running; further requests fail with RESOURCE_EXHAUSTED
    #[arg(long, value_name = "REQUESTS", default_value_t = Limits::DEFAULT.in_flight, value_parser = number(1_000_000))]
    in_flight: usize,
    /// Connections open at a time
    #[arg(long, value_name = "CONNECTIONS", default_value_t = Limits::DEFAULT.connections, value_parser = number(MOST))]
    connections: usize,
    /// Mebibytes of memory for clients, apart from the answers in progress: open connections and calls, unfinished
    /// requests, unread responses
    #[arg(
        long,
        value_name = "MIB",
        default_value_t = mib(Limits::DEFAULT.memory),
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    memory_mib: u32,
    /// Addresses of proxies that are trusted to name their clients in the header x-forwarded-for; several separated by
    /// commas
    #[arg(long, value_name = "ADDRESSES", value_delimiter = ',')]
    trusted_proxies: Vec<IpAddr>,
    /// Positions of one batch; a longer batch fails with INVALID_ARGUMENT. A message has room for the longest batch
    #[arg(long, value_name = "POSITIONS", default_value_t = Limits::DEFAULT.batch, value_parser = number(MOST))]
    batch: usize,
    /// Milliseconds for a request; a slower request fails with DEADLINE_EXCEEDED. A shorter deadline set by the client
    /// takes precedence. After a shutdown was requested, requests in progress have twice this time to end
    #[arg(long, value_name = "MS", default_value_t = ms(Limits::DEFAULT.deadline), value_parser = time())]
    deadline_ms: u32,
    /// Milliseconds between reporting NOT_SERVING and closing the listener, in which load balancers can react
    #[arg(long, value_name = "MS", default_value_t = 0)]
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
/// The greatest number of an option.
const MOST: u64 = u32::MAX as u64;

/// Parses a number from 1.
fn number(most: u64) -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=most)
}

/// Parses a time of at least a millisecond.
fn time() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..)
}

fn mib(bytes: usize) -> u32 {
    (bytes >> 20) as u32
}

fn ms(time: Duration) -> u32 {
    time.as_millis() as u32
}

/// Options from one source: names as the file has them, and values.
type Layer = Vec<(String, String)>;

impl ServeOptions {
    /// The options of these flags, then of the environment, then of the file, then the defaults.
    ///
    /// # Errors
    ///
    /// If a source has an unknown option or a wrong value.
    pub(super) fn read(
        flags: &[OsString],
        environment: impl IntoIterator<Item = (String, String)>,
        file: Option<&Path>,
    ) -> anyhow::Result<ServeOptions> {
        let mut arguments = flags.to_vec();
        let environment = environment.into_iter().filter(|(name, _)| name != CONFIG_VARIABLE);
        // The tables' folder has one variable for all programs.
        let variable = |(name, value): (String, String)| match name.as_str() {
            TABLES_VARIABLE => (!value.is_empty()).then(|| ("tables".to_owned(), value)),
            _ => Some((name.strip_prefix(PREFIX)?.to_lowercase(), value)),
        };
        let environment: Vec<_> = environment.collect();
        ensure!(
            environment.iter().all(|(name, _)| name != "MAKRUK_SERVE_TABLES"),
            "there is no variable MAKRUK_SERVE_TABLES: {TABLES_VARIABLE} names the folder, for every program"
        );
        let variables = environment.into_iter().filter_map(variable).filter(|(name, _)| !is_injected(name));
        let mut layers = vec![(Source::Environment, variables.collect::<Layer>())];
        if let Some(path) = file {
            let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
            let layer = parse_file(&text).with_context(|| format!("cannot parse {}", path.display()))?;
            layers.push((Source::File(path), layer));
        }
        for (source, layer) in layers {
            // Each source must be right by itself, even where another comes first.
            layer.iter().try_for_each(|(name, value)| source.check(name, value))?;
            let known = matches(&arguments)?;
            let missing = layer.iter().filter(|(name, _)| !is_given(&known, name));
            arguments.extend(missing.map(|(name, value)| flag(name, value)));
        }
        Ok(ServeOptions::from_arg_matches(&matches(&arguments)?)?)
    }

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
                message_bytes: Limits::DEFAULT.message_bytes.max(MOST_FEN_BYTES * self.batch),
                deadline: time(self.deadline_ms),
                connections: self.connections,
                in_flight: self.in_flight,
                memory: (self.memory_mib as usize) << 20,
                threads: self.threads(),
                positions: Limits::DEFAULT.positions.max(self.batch),
                drain: 2 * time(self.deadline_ms),
                ..Limits::DEFAULT
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

/// A source of options besides the command line.
enum Source<'a> {
    Environment,
    File(&'a Path),
}

impl Source<'_> {
    /// Checks an option by itself.
    ///
    /// # Errors
    ///
    /// If there is no such option, or the value is wrong. The error names the option as the source has it.
    fn check(&self, name: &str, value: &str) -> anyhow::Result<()> {
        let Err(error) = matches(&[flag(name, value)]) else { return Ok(()) };
        let here = |name: &str| match self {
            Source::Environment if name == "tables" => TABLES_VARIABLE.to_owned(),
            Source::Environment => format!("{PREFIX}{}", name.to_uppercase()),
            Source::File(_) => name.to_owned(),
        };
        let place = match self {
            Source::Environment => "the environment".to_owned(),
            Source::File(path) => path.display().to_string(),
        };
        let option = here(name);
        if error.kind() != ErrorKind::UnknownArgument {
            let sentence = argument_error(&error).unwrap_or_else(|| error.to_string());
            let reason = sentence.split_once(": ").map_or(sentence.as_str(), |(_, reason)| reason);
            anyhow::bail!("{place}: {option}: {reason}");
        }
        let remedy = match error.get(ContextKind::SuggestedArg) {
            Some(ContextValue::String(flag)) => {
                format!("{} is similar", here(&flag.trim_start_matches('-').replace('-', "_")))
            }
            _ => "`makruk-probe serve --help` lists the options".to_owned(),
        };
        anyhow::bail!("{place}: there is no option {option}; {remedy}")
    }
}

/// Parses arguments that may contain the flags of `serve` that are not options.
fn matches(arguments: &[OsString]) -> Result<ArgMatches, clap::Error> {
    super::Serve::augment_args(Command::new("makruk-probe serve")).no_binary_name(true).try_get_matches_from(arguments)
}

/// Whether an option is given as a flag.
fn is_given(matches: &ArgMatches, name: &str) -> bool {
    matches!(matches.try_contains_id(name), Ok(true)) && matches.value_source(name) == Some(ValueSource::CommandLine)
}

/// Whether Kubernetes sets this variable, in containers next to a service that is named `makruk-serve`.
fn is_injected(name: &str) -> bool {
    name == "port" || name.starts_with("port_") || name.starts_with("service_")
}

/// An option as a flag.
fn flag(name: &str, value: &str) -> OsString {
    format!("--{}={value}", name.replace('_', "-")).into()
}

/// Parses a TOML file of options.
fn parse_file(text: &str) -> anyhow::Result<Layer> {
    let table: toml::Table = text.parse().context("texts stand in quotes, such as tables = \"/srv/tables\"")?;
    let scalar = |name: &str, value: &toml::Value| match value {
        toml::Value::String(text) => Ok(text.clone()),
        toml::Value::Integer(number) => Ok(number.to_string()),
        other => Err(anyhow::anyhow!("{name} is a {}: expected a string or a number", other.type_str())),
    };
    let option = |(name, value): (&String, &toml::Value)| {
        // Both are flags of `serve`, but make no sense in a file.
        ensure!(!matches!(name.as_str(), "config" | "check" | "help"), "{name} cannot be set in a file");
        let value = match value {
            toml::Value::Array(many) => {
                many.iter().map(|one| scalar(name, one)).collect::<Result<Vec<_>, _>>()?.join(",")
            }
            one => scalar(name, one)?,
        };
        Ok((name.clone(), value))
    };
    // No origins or proxies: the same as no option.
    let is_given = |(name, value): &(&String, &toml::Value)| {
        !matches!(name.as_str(), "cors" | "embed" | "trusted_proxies")
            || value.as_array().is_none_or(|many| !many.is_empty())
    };
    table.iter().filter(is_given).map(option).collect()
}

/// One of several values, without the blanks around the commas.
fn trimmed(text: &str) -> Result<String, Infallible> {
    Ok(text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(flags: &[&str], environment: &[(&str, &str)], file: Option<&Path>) -> anyhow::Result<ServeOptions> {
        let flags: Vec<OsString> = flags.iter().map(OsString::from).collect();
        let environment = environment.iter().map(|&(name, value)| (name.to_owned(), value.to_owned()));
        ServeOptions::read(&flags, environment, file)
    }

    #[test]
    fn the_defaults_are_those_of_the_service() {
        let mut settings = read(&[], &[], None).unwrap().settings();
        // These follow from the number of cores.
        settings.limits.threads = Limits::DEFAULT.threads;
        assert_eq!(settings, Settings::default());
    }

    #[test]
    fn the_shipped_file_changes_nothing_but_what_it_says() {
        let file = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../service/deploy/makruk-probe.toml"));
        let expected = ServeOptions {
            tables: Some("/var/lib/makruk/tables".into()),
            listen: "127.0.0.1:50051".parse().unwrap(),
            admin: Some("127.0.0.1:9451".parse().unwrap()),
            log_format: LogFormat::Json,
            ..read(&[], &[], None).unwrap()
        };
        assert_eq!(read(&[], &[], Some(file)).unwrap(), expected);
        // The options in its comments have the defaults as their values, but for the tokens and the threads.
        let text = std::fs::read_to_string(file).unwrap();
        let commented: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix('#')).collect();
        let options: Vec<&str> = commented.into_iter().filter(|line| !line.starts_with(' ')).collect();
        let is_default = |line: &&&str| !["token_file", "threads"].iter().any(|name| line.starts_with(name));
        let defaults: Vec<&str> = options.iter().filter(is_default).copied().collect();
        assert!(defaults.len() > 10, "{defaults:?}");
        let folder = tempfile::tempdir().unwrap();
        let uncommented = folder.path().join("serve.toml");
        std::fs::write(&uncommented, defaults.join("\n")).unwrap();
        assert_eq!(read(&[], &[], Some(&uncommented)).unwrap(), read(&[], &[], None).unwrap());
    }

    #[test]
    fn variables_of_kubernetes_are_no_options() {
        for name in ["port", "port_50051_tcp_addr", "service_host", "service_port_grpc"] {
            assert!(is_injected(name), "{name}");
        }
        let command = super::super::Serve::augment_args(Command::new("serve"));
        assert!(command.get_arguments().all(|option| !is_injected(option.get_id().as_str())));
        let injected = [("MAKRUK_SERVE_PORT", "tcp://10.0.0.1:50051"), ("MAKRUK_SERVE_SERVICE_HOST", "10.0.0.1")];
        assert_eq!(read(&[], &injected, None).unwrap(), read(&[], &[], None).unwrap());
    }

    #[test]
    fn flags_come_first_and_mistakes_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("serve.toml");
        let with_file = |text: &str, flags: &[&str], environment: &[(&str, &str)]| {
            std::fs::write(&file, text).unwrap();
            read(flags, environment, Some(&file))
        };
        let text = "in_flight = 7\nbatch = 5\nlame_duck_ms = 3\ncors = \"https://a.example, https://b.example\"";
        let environment = [("MAKRUK_SERVE_BATCH", "6"), ("MAKRUK_SERVE_CONNECTIONS", "8"), ("HOME", "/")];
        let options = with_file(text, &["--batch", "9"], &environment).unwrap();
        assert_eq!((options.in_flight, options.connections, options.batch), (7, 8, 9));
        assert_eq!(options.cors, ["https://a.example", "https://b.example"]);
        assert_eq!(read(&["--cors", " https://a.example ,*"], &[], None).unwrap().cors, ["https://a.example", "*"]);
        assert_eq!(options.lame_duck_ms, 3);
        assert_eq!(with_file(text, &["--lame-duck-ms=4"], &[]).unwrap().lame_duck_ms, 4);
        let list = with_file("cors = [\"https://a.example\", \"*\"]", &[], &[]).unwrap();
        assert_eq!(list.cors, ["https://a.example", "*"]);
        for (text, named) in [
            ("in_fligth = 7", "there is no option in_fligth; in_flight is similar"),
            ("colour = 7", "there is no option colour; `makruk-probe serve --help` lists the options"),
            ("listen = \"localhost\"", "such as 127.0.0.1:50051"),
            ("batch = \"many\"", "serve.toml: batch: \"many\" is not valid: expected a whole number"),
            ("connections = 0", "connections: \"0\" is not valid: expected 1 or more"),
            ("threads = 5000", "threads: \"5000\" is not valid: expected 1 to 1024"),
            ("check = \"true\"", "check cannot be set"),
            ("batch = true", "batch is a boolean"),
            ("= 3", "serve.toml"),
        ] {
            let mistake = format!("{:#}", with_file(text, &[], &[]).unwrap_err());
            assert!(mistake.contains(named), "{text}: {mistake}");
            assert!(named.contains(' ') || mistake.contains("serve.toml"), "{mistake}");
            // A source must be right even where another comes first.
            assert!(text != "connections = 0" || with_file(text, &["--connections=5"], &[]).is_err());
        }
        let mistake = format!("{:#}", read(&[], &[("MAKRUK_SERVE_BATSH", "4")], None).unwrap_err());
        let expected = "there is no option MAKRUK_SERVE_BATSH; MAKRUK_SERVE_BATCH is similar";
        assert!(mistake.contains(expected), "{mistake}");
        // The folder: the option, then the variable of all programs, then the file.
        let folder_of = |flags: &[&str], variables: &[(&str, &str)]| {
            with_file("tables = \"/file\"", flags, variables).unwrap().tables.unwrap()
        };
        assert_eq!(folder_of(&[], &[]), Path::new("/file"));
        assert_eq!(folder_of(&[], &[("MAKRUK_TABLES", "")]), Path::new("/file"));
        assert_eq!(folder_of(&[], &[("MAKRUK_TABLES", "/variable")]), Path::new("/variable"));
        assert_eq!(folder_of(&["--tables=/option"], &[("MAKRUK_TABLES", "/variable")]), Path::new("/option"));
        let mistake = format!("{:#}", read(&[], &[("MAKRUK_SERVE_TABLES", "/x")], None).unwrap_err());
        assert!(mistake.contains("MAKRUK_TABLES names the folder"), "{mistake}");
        assert!(read(&[], &[("MAKRUK_SERVE_CONFIG", "x")], None).is_ok(), "it names the file");
        let nowhere = read(&[], &[], Some(&folder.path().join("missing.toml")));
        assert!(format!("{:#}", nowhere.unwrap_err()).contains("missing.toml"));
    }
}
