//! Tables change under a server: no call is lost, no answer is wrong, and the server does not crash.

use std::collections::HashMap;
use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use makruk_probe::{Prober, Tablebase};
use makruk_rules::Fen;

use super::harness::{Client, LONG, ROOK_WINS, Running, failure, own_tables, reason, tables};
use super::http;
use crate::Settings;

/// Positions of K+R v K+R all over the table, and their DTM.
fn expected() -> Vec<(String, Option<i32>)> {
    let prober = Prober::new(Tablebase::new(tables()));
    let squares: Vec<(u8, u8)> = (0..64).map(|at| (at % 8, at / 8)).collect();
    let fens = (0..4000usize).filter_map(|number| {
        let mut board = [['1'; 8]; 8];
        for (man, at) in
            ['K', 'R', 'k', 'r'].into_iter().zip([number * 7, number * 13 + 5, number * 29 + 33, number * 3 + 17])
        {
            let (file, rank) = squares[at % 64];
            board[rank as usize][file as usize] = man;
        }
        let text: Vec<String> = board.iter().map(|rank| rank.iter().collect()).collect();
        let fen: Fen = format!("{} {}", text.join("/"), if number % 2 == 0 { "w" } else { "b" }).parse().ok()?;
        let verdict = prober.probe(&fen).ok()?;
        (verdict.material.to_string() == "KRvKR").then(|| (fen.to_string(), verdict.dtm.signed_plies()))
    });
    let all: Vec<_> = fens.collect();
    assert!(all.len() > 500, "{}", all.len());
    all
}

/// Probes nearly without a pause until it is stopped, compares every answer with the expected one, and counts failures
/// by reason.
struct Asking {
    stop: Arc<AtomicBool>,
    /// The number of probes that were answered, errors included.
    asked: Arc<AtomicU64>,
    tasks: Vec<tokio::task::JoinHandle<(u64, HashMap<String, u64>)>>,
}

impl Asking {
    async fn begin(address: SocketAddr, expected: &Arc<Vec<(String, Option<i32>)>>) -> Asking {
        let (stop, asked) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let mut tasks = Vec::new();
        for part in 0..4 {
            let client = Client::connect(address).await;
            let (stop, asked, expected) = (Arc::clone(&stop), Arc::clone(&asked), Arc::clone(expected));
            tasks.push(tokio::spawn(async move {
                let (mut answered, mut failed) = (0, HashMap::new());
                for (fen, dtm) in expected.iter().cycle().skip(part * 100) {
                    if stop.load(Ordering::Relaxed) {
                        break;
                    }
                    match client.probe(fen, part == 0).await {
                        Ok(answer) => {
                            assert_eq!((&answer.fen, answer.dtm_plies), (fen, *dtm), "a wrong answer");
                            answered += 1;
                        }
                        Err(status) => *failed.entry(reason(&status)).or_default() += 1,
                    }
                    asked.fetch_add(1, Ordering::Relaxed);
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
                (answered, failed)
            }));
        }
        Asking { stop, asked, tasks }
    }

    /// Waits until some hundred more probes are answered, however busy the machine is.
    async fn go_on(&self) {
        let (begun, enough) = (Instant::now(), self.asked.load(Ordering::Relaxed) + 150);
        while self.asked.load(Ordering::Relaxed) < enough {
            assert!(begun.elapsed() < LONG, "nobody answers");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    async fn end(self) -> (u64, HashMap<String, u64>) {
        self.stop.store(true, Ordering::Relaxed);
        let (mut answered, mut failed) = (0, HashMap::new());
        for task in self.tasks {
            let (more, reasons) = task.await.unwrap();
            answered += more;
            reasons.into_iter().for_each(|(reason, times)| *failed.entry(reason).or_default() += times);
        }
        (answered, failed)
    }
}

/// Waits until a probe has this value, or fails for this reason.
pub(crate) async fn until(client: &Client, fen: &str, wanted: Result<(), &str>) {
    let begun = Instant::now();
    loop {
        let outcome = client.probe(fen, false).await.map(|_| ()).map_err(|status| reason(&status));
        if outcome.as_ref().map(|_| ()).map_err(String::as_str) == wanted {
            return;
        }
        assert!(begun.elapsed() < LONG, "{outcome:?}, not {wanted:?}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

fn put(table: &str, folder: &Path) {
    let temporary = folder.join(format!(".{table}.tmp"));
    fs::copy(tables().join(table), &temporary).unwrap();
    fs::rename(temporary, folder.join(table)).unwrap();
}

fn quick() -> Settings {
    Settings { watch: Some(Duration::from_millis(10)), cache_bytes: 1 << 20, ..Settings::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_is_replaced_costs_no_request() {
    let folder = own_tables();
    let server = Running::with(folder.path(), quick()).await;
    let expected = Arc::new(expected());
    let asking = Asking::begin(server.address, &expected).await;
    for _ in 0..10 {
        tokio::time::sleep(Duration::from_millis(30)).await;
        asking.go_on().await;
        put("KRvKR.dtm", folder.path());
        put("KRvKR.dtz", folder.path());
    }
    asking.go_on().await;
    let (answered, failed) = asking.end().await;
    assert!(answered > 100 && failed.is_empty(), "{answered} {failed:?}");
    let reloads = http::metric(server.address, "makruk_table_reloads_total").await;
    assert!(reloads.parse::<f64>().unwrap() >= 5.0, "{reloads:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_is_corrupted_in_place_is_never_wrong() {
    let folder = own_tables();
    let settings = Settings { cache_bytes: 0, ..quick() };
    let server = Running::with(folder.path(), settings).await;
    let client = server.client().await;
    let expected = Arc::new(expected());
    let asking = Asking::begin(server.address, &expected).await;
    asking.go_on().await;
    let path = folder.path().join("KRvKR.dtm");
    let sound = fs::read(&path).unwrap();
    // One bit of every hundredth byte of the blocks, written over what is mapped.
    let mut damaged = sound.clone();
    damaged.iter_mut().skip(4096).step_by(100).for_each(|byte| *byte ^= 1);
    fs::write(&path, &damaged).unwrap();
    until(&client, &expected[0].0, Err("CORRUPT_TABLE")).await;
    assert!(client.probe(ROOK_WINS, true).await.is_ok(), "others answer");
    put("KRvKR.dtm", folder.path());
    until(&client, &expected[0].0, Ok(())).await;
    asking.go_on().await;
    let (answered, failed) = asking.end().await;
    // While it is overwritten, it may have any length.
    let expected = ["CORRUPT_TABLE", "UNREADABLE_TABLE"];
    assert!(answered > 100 && failed.keys().all(|reason| expected.contains(&reason.as_str())), "{answered} {failed:?}");
    assert!(failed["CORRUPT_TABLE"] > 0);
    let metrics = http::get(server.address, "/metrics").await;
    assert!(metrics.text().contains("makruk_corrupt_blocks_total{table=\"KRvKR.dtm\"}"));
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_is_cut_short_under_a_probe_fails_and_no_other() {
    let folder = own_tables();
    // Without a cache and without scans, every probe reads the file that was mapped.
    let server = Running::with(folder.path(), Settings { cache_bytes: 0, watch: None, ..Settings::default() }).await;
    let client = server.client().await;
    let expected = Arc::new(expected());
    let asking = Asking::begin(server.address, &expected).await;
    asking.go_on().await;
    let file = fs::OpenOptions::new().write(true).open(folder.path().join("KRvKR.dtm")).unwrap();
    let length = file.metadata().unwrap().len();
    for part in [length - 5000, length / 2, 8192, 100, 0] {
        file.set_len(part).unwrap();
        asking.go_on().await;
    }
    until(&client, &expected[0].0, Err("UNREADABLE_TABLE")).await;
    assert!(client.probe(ROOK_WINS, true).await.is_ok(), "others answer");
    // Restored and scanned, it answers again.
    put("KRvKR.dtm", folder.path());
    server.reload.notify_one();
    until(&client, &expected[0].0, Ok(())).await;
    let (answered, failed) = asking.end().await;
    assert!(answered > 100 && failed.keys().all(|reason| reason == "UNREADABLE_TABLE"), "{answered} {failed:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_is_gone_comes_back() {
    let parent = tempfile::tempdir().unwrap();
    let (here, away) = (parent.path().join("here"), parent.path().join("away"));
    fs::create_dir(&here).unwrap();
    put("KRvK.dtm", &here);
    let server = Running::with(&here, quick()).await;
    let client = server.client().await;
    until(&client, ROOK_WINS, Ok(())).await;
    fs::rename(&here, &away).unwrap();
    // A folder that is away for a moment leaves open tables open.
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_millis(200) {
        assert!(client.probe(ROOK_WINS, true).await.is_ok());
    }
    until(&client, ROOK_WINS, Err("MISSING_TABLE")).await;
    // The tables may be opened again for another reason before the folder is given up.
    let begun = Instant::now();
    while http::get(server.address, "/readyz").await.status != 503 {
        assert!(begun.elapsed() < LONG, "the server is ready without tables");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    fs::rename(&away, &here).unwrap();
    until(&client, ROOK_WINS, Ok(())).await;
}

/// A table that is a pipe, as a disk that does not answer: opening it would keep a thread for ever.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_is_no_file_keeps_no_thread() {
    let folder = own_tables();
    let pipe = folder.path().join("KNvK.dtm");
    fs::remove_file(&pipe).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let server = Running::tables(folder.path()).await;
    let client = server.client().await;
    for _ in 0..40 {
        let status = failure(&client, "8/8/8/8/3k4/8/8/N3K3 w - - 0 1").await;
        assert_eq!(reason(&status), "UNREADABLE_TABLE");
    }
    assert!(client.probe(ROOK_WINS, true).await.is_ok());
    assert_eq!(http::get(server.address, "/readyz").await.status, 200);
}
