//! Every attack of `makruk-torture` against a server in this process: innocent clients are answered meanwhile, memory
//! stays bounded, and no place stays taken.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use makruk_benches::torture::attacks::LONG_FILE;
use makruk_benches::torture::innocent::{get, metric};
use makruk_benches::torture::report::HEAD;
use makruk_benches::torture::{ATTACKS, Target, run};
use makruk_service::{Limits, Server, Settings, Shutdown};
use makruk_tables::material::Material;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// Long enough for anything that happens at all.
const LONG: Duration = Duration::from_secs(300);
/// The time after which a shutdown cuts off who is not done.
const DRAIN: Duration = Duration::from_secs(30);
/// The time for which a client may stall: longer than a busy machine lets an innocent one wait.
const IDLE: Duration = Duration::from_secs(5);

fn tables() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let mut materials = test_tables::materials(&["KRvKR"]);
        materials.extend(Material::all(3));
        test_tables::alone(&test_tables::usual(materials.clone()), materials)
    })
}

struct Running {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    task: JoinHandle<Shutdown>,
}

async fn start(limits: Limits) -> Running {
    let server = Server::new(tables(), Settings { limits, ..Settings::default() }).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel();
    let task = tokio::spawn(async move { server.run(listener, async { drop(stopped.await) }).await });
    Running { address, stop, task }
}

impl Running {
    /// Waits until a metric has a value.
    async fn until(&self, name: &str, value: u64) {
        let begun = Instant::now();
        loop {
            let now = metric(self.address, name).await;
            if now == Some(value) {
                return;
            }
            assert!(begun.elapsed() < LONG, "{name} stays {now:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

/// Attacks a server: it holds its bounds, and has no place taken when the attack is over.
async fn attack(name: &str, addresses: &[usize]) {
    // One attack at a time: the innocent client of one must not wait for the attackers of another.
    static TURN: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());
    let _turn = TURN.lock().await;
    // The attackers could fill the server's bounds many times over.
    let limits = Limits {
        idle: IDLE,
        drain: DRAIN,
        memory: 64 << 20,
        connections: 600,
        calls: 600,
        watches: 256,
        ..Limits::default()
    };
    let server = start(limits).await;
    // Caches are filled before the attack.
    assert!(get(server.address, "/v1/probe?fen=8/8/8/8/3k4/8/8/R3K3_w_-_-_0_1").await.unwrap().contains(" 200 "));
    let attack = ATTACKS.iter().find(|attack| attack.name == name).unwrap();
    println!("{HEAD}");
    for &addresses in addresses {
        let target = Target {
            address: server.address,
            pid: None,
            time: Duration::from_millis(600),
            connections: 12,
            addresses,
            crowd: 800,
            // Attackers and unoptimized code are in the same process.
            most_growth: 300 << 20,
            // How fast it answers is for `makruk-torture`, against a process of its own.
            most_latency: LONG,
        };
        let outcome = run(attack, target).await;
        println!("{outcome}");
        assert!(outcome.calls > 0 && !outcome.innocent.latencies.is_empty(), "{outcome}");
        assert!(outcome.broken.is_empty(), "{outcome}");
        // The request for the metric is open itself.
        server.until("makruk_calls_open", 1).await;
    }
    server.stop.send(()).unwrap();
    assert_eq!(tokio::time::timeout(LONG, server.task).await.unwrap().unwrap(), Shutdown::Drained, "{name}");
}

macro_rules! attacks {
    ($($test:ident: $name:literal,)*) => {
        $(
            #[tokio::test(flavor = "multi_thread")]
            #[ignore = "three seconds for each attack"]
            async fn $test() {
                attack($name, &[2, 100]).await;
            }
        )*

        #[test]
        fn every_attack_is_tried() {
            let tried = [$($name),*];
            assert!(ATTACKS.iter().all(|attack| tried.contains(&attack.name)));
        }
    };
}

attacks! {
    unread_crowd: "unread-crowd",
    window_zero: "window-zero",
    headers_only: "headers-only",
    no_games: "no-games",
    dear_requests: "dear-requests",
    pictures: "pictures",
    statistics_flood: "statistics-flood",
    idle_connections: "idle-connections",
    held_calls: "held-calls",
    held_searches: "held-searches",
    busy_lane: "busy-lane",
    short_frames: "short-frames",
}

/// Answers that fill a socket.
#[tokio::test(flavor = "multi_thread")]
async fn the_file_of_the_attacks_is_long() {
    let server = start(Limits::default()).await;
    assert!(get(server.address, LONG_FILE).await.unwrap().len() > 50_000);
}

/// The two attacks that took most from a server without limits.
#[tokio::test(flavor = "multi_thread")]
async fn crowds_leave_room_to_others() {
    for name in ["unread-crowd", "idle-connections"] {
        attack(name, &[10]).await;
    }
}

/// Clients that do not read are cut off although other responses of theirs move, and do not hold up a shutdown.
#[tokio::test(flavor = "multi_thread")]
async fn unread_clients_do_not_hold_up_a_shutdown() {
    use makruk_benches::torture::attacker::{Attacker, Body, Windows};

    let server = start(Limits { drain: DRAIN, ..Limits::default() }).await;
    let mut attackers = Vec::new();
    for _ in 0..4 {
        let mut attacker =
            Attacker::connect(server.address, 1, Windows { stream: 0, connection: 1 << 20 }).await.unwrap();
        for path in [LONG_FILE, "/v1/tables"] {
            assert!(attacker.call(path, Body::Get).await);
        }
        assert!(attacker.call("/grpc.health.v1.Health/Watch", Body::Grpc(bytes::Bytes::new())).await);
        attackers.push(attacker);
    }
    // Three calls of each, and the request for the metric.
    server.until("makruk_calls_open", 13).await;
    server.stop.send(()).unwrap();
    assert_eq!(tokio::time::timeout(LONG, server.task).await.unwrap().unwrap(), Shutdown::Drained);
}
