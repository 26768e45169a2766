//! The service as a process, as operators run it.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;

use crate::programs::{PROBE, program};

/// A running server.
pub struct Server {
    child: Child,
    /// Its address.
    pub address: String,
    /// The log, read all the time.
    log: Option<JoinHandle<String>>,
}

impl Server {
    /// The command that starts a server at a free port.
    pub fn command() -> Command {
        let mut command = program(PROBE);
        command.args(["serve", "--listen", "127.0.0.1:0"]);
        command
    }

    /// A server of all tables of up to four men with these options, and a filter of its log.
    ///
    /// # Panics
    ///
    /// If it does not listen.
    pub fn with(options: &[&str], log: &str) -> Server {
        Server::of(test_tables::small().path(), options, log)
    }

    /// The same of other tables.
    ///
    /// # Panics
    ///
    /// If it does not listen.
    pub fn of(tables: &Path, options: &[&str], log: &str) -> Server {
        let mut command = Server::command();
        Server::start(command.args(options).arg("--tables").arg(tables).env("RUST_LOG", log).env("NO_COLOR", "1"))
    }

    /// The server that a command starts.
    ///
    /// # Panics
    ///
    /// If it does not listen.
    pub fn start(command: &mut Command) -> Server {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a server");
        let mut errors = child.stderr.take().expect("its log");
        let log = std::thread::spawn(move || {
            let mut log = Vec::new();
            let _ = errors.read_to_end(&mut log);
            String::from_utf8_lossy(&log).into_owned()
        });
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
        let address = line.trim().strip_prefix("listening on ").expect("an address").to_owned();
        Server { child, address, log: Some(log) }
    }

    /// The number of its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends a signal to the server.
    ///
    /// # Panics
    ///
    /// If it has ended.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([format!("-{name}"), self.pid().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()), "the server has ended by itself");
    }

    /// Ends the server by a signal, as an operator does; returns its exit status and its whole log.
    ///
    /// # Panics
    ///
    /// If it has ended by itself.
    pub fn end(mut self, signal: &str) -> (Option<i32>, String) {
        self.signal(signal);
        let status = self.child.wait().expect("an exit status");
        (status.code(), self.log.take().expect("its log").join().expect("its log"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
