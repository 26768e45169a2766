//! The backlog of a listening socket: connections that the system has established and nobody has accepted.

use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

/// Time in which no connection comes after which the backlog is empty: the handshakes under way when the socket was closed to
/// new ones have ended by then.
const QUIET: Duration = Duration::from_millis(100);
/// The most time for all of it, should the system not let the socket be closed to new connections.
const MOST: Duration = Duration::from_secs(1);

/// Closes a listening socket without resetting connections that are established: accepts those in the backlog, while new
/// ones are kept out.
pub(super) async fn drain(listener: TcpListener, mut accept: impl FnMut(TcpStream, std::net::SocketAddr)) {
    keep_out_new_connections(&listener);
    let drain = async {
        while let Ok(Ok((stream, peer))) = timeout(QUIET, listener.accept()).await {
            accept(stream, peer);
        }
    };
    let _ = timeout(MOST, drain).await;
}

/// Has the system drop the first packet of every new connection. Its client sends it again after a second or so, and is then
/// refused, as the socket is closed.
#[cfg(target_os = "linux")]
fn keep_out_new_connections(listener: &TcpListener) {
    use socket2::{SockFilter, SockRef};

    /// The flags of a packet of TCP, and those that tell a first packet.
    const FLAGS_OFFSET: u32 = 13;
    const SYN: u32 = 0x02;
    const ACK: u32 = 0x10;
    let instruction = |code: u32, jt: u8, jf: u8, k: u32| SockFilter::new(code as u16, jt, jf, k);
    let filter = [
        instruction(libc::BPF_LD | libc::BPF_B | libc::BPF_ABS, 0, 0, FLAGS_OFFSET),
        instruction(libc::BPF_ALU | libc::BPF_AND | libc::BPF_K, 0, 0, SYN | ACK),
        instruction(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, 0, 1, SYN),
        instruction(libc::BPF_RET | libc::BPF_K, 0, 0, 0),
        instruction(libc::BPF_RET | libc::BPF_K, 0, 0, u32::MAX),
    ];
    if let Err(error) = SockRef::from(listener).attach_filter(&filter) {
        tracing::debug!("new connections cannot be kept out while the listener closes: {error}");
    }
}

#[cfg(not(target_os = "linux"))]
fn keep_out_new_connections(_: &TcpListener) {}
