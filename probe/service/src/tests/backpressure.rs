//! Backpressure: clients that send one message a frame, as those of gRPC do, and read their answers slowly or not at
//! all.

use std::time::Duration;

use bytes::Bytes;
use makruk_proto::v1::probe_result::Result as Outcome;
use makruk_proto::v1::{ProbeRequest, ProbeResponse, ProbeStreamRequest, ProbeStreamResponse};

use super::frames::{Call, Frames, framed};
use super::harness::{LONG, ROOK_WINS, Running};
use crate::Limits;

const PROBE_STREAM: &str = "makruk.v1.Tablebase/ProbeStream";
const PROBE: &str = "makruk.v1.Tablebase/Probe";

/// [`ROOK_WINS`] at another move of a game, by which its answer is known.
fn another(fullmove: usize) -> String {
    let (position, _) = ROOK_WINS.rsplit_once(' ').unwrap();
    format!("{position} {fullmove}")
}

fn question(fen: &str) -> Bytes {
    framed(&ProbeStreamRequest { fen: fen.to_owned(), include_moves: false })
}

async fn fen_of_next(call: &mut Call) -> Option<String> {
    let answer: ProbeStreamResponse = call.message().await?;
    match answer.result?.result? {
        Outcome::Position(position) => Some(position.fen),
        Outcome::Error(error) => Some(error.message),
    }
}

async fn is_alive(client: &Frames) -> bool {
    let request = ProbeRequest { fen: ROOK_WINS.to_owned(), include_moves: false };
    client.unary::<ProbeResponse>(PROBE, &request).await.is_ok_and(|answer| answer.fen == ROOK_WINS)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_lives_however_many_messages_are_unread() {
    const STREAMS: usize = 12;
    const MESSAGES: usize = 1100;
    let limits = Limits { deadline: LONG, ..Limits::default() };
    let server = Running::limited(limits).await;
    // Of each answer, a few hundred bytes are taken before it is read.
    let client = Frames::connect(server.address, 1, 600).await;
    // With an answer the server's settings have arrived: streams before them have larger windows.
    assert!(is_alive(&client).await);
    let mut streams = Vec::new();
    for _ in 0..STREAMS {
        let mut call = client.call(PROBE_STREAM).await;
        let (sender, sent) = tokio::sync::oneshot::channel();
        let sending = tokio::spawn(async move {
            // The first that does not fit waits until answers are read.
            let mut sender = Some(sender);
            for number in 1..=MESSAGES {
                let frame = question(&another(number));
                let sent = tokio::time::timeout(Duration::from_millis(300), call.send(frame.clone())).await;
                if let Ok(sent) = sent {
                    sent.unwrap();
                } else {
                    sender.take().into_iter().for_each(|sender| sender.send(number).unwrap());
                    return (call, number);
                }
            }
            (call, MESSAGES + 1)
        });
        streams.push((sending, sent));
    }
    let mut stalled = Vec::new();
    for (sending, sent) in streams {
        assert!(sent.await.is_ok(), "the server reads no faster than its client");
        stalled.push(sending.await.unwrap());
    }
    // All of the connection's other calls live.
    assert!(is_alive(&client).await && !client.has_ended());
    for (mut call, unsent) in stalled {
        let (mut send, mut received) = (unsent, 0);
        while received < MESSAGES {
            // As many are sent as are read; the server owes nothing if all of them are answered.
            let patience = if received + 1 == send { LONG } else { Duration::ZERO };
            let frame = question(&another(send));
            if send <= MESSAGES && tokio::time::timeout(patience, call.send(frame)).await.is_ok() {
                send += 1;
                continue;
            }
            received += 1;
            assert_eq!(fen_of_next(&mut call).await, Some(another(received)));
        }
        call.send.send_data(Bytes::new(), true).unwrap();
        assert_eq!(call.status().await.0, 0);
    }
    assert!(is_alive(&client).await && !client.has_ended());
}
