//! The requests of a load, and the check of their answers.

use std::time::Instant;

use clap::ValueEnum;
use makruk_proto::v1::probe_result::Result as Outcome;
use makruk_proto::v1::tablebase_client::TablebaseClient;
use makruk_proto::v1::{Category, ProbeBatchRequest, ProbeRequest, ProbeResponse};
use tonic::transport::Channel;

use crate::tally::Tally;

/// The kind of request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Ask {
    /// One position per call.
    Probe,
    /// Many positions per call.
    Batch,
}

/// Positions that are requested in turn.
pub(crate) struct Questions {
    fens: Vec<String>,
    ask: Ask,
    batch: usize,
    include_moves: bool,
}

impl Questions {
    pub(crate) fn new(fens: Vec<String>, ask: Ask, batch: usize, include_moves: bool) -> Questions {
        Questions { fens, ask, batch, include_moves }
    }

    fn fen(&self, number: u64) -> &str {
        // A step that is coprime to the number of positions, so that consecutive requests concern different materials.
        &self.fens[(number.wrapping_mul(1_000_003) % self.fens.len() as u64) as usize]
    }

    /// Makes one call.
    pub(crate) async fn ask(&self, channel: &Channel, number: u64, due: Instant, tally: &mut Tally) {
        let include_moves = self.include_moves;
        let client = &mut TablebaseClient::new(channel.clone()).max_decoding_message_size(usize::MAX);
        let outcome = match self.ask {
            Ask::Probe => {
                let fen = self.fen(number);
                let answer = client.probe(ProbeRequest { fen: fen.to_owned(), include_moves }).await;
                answer.map(|answer| u64::from(is_answer(fen, &answer.into_inner())))
            }
            Ask::Batch => {
                let numbers = number * self.batch as u64..(number + 1) * self.batch as u64;
                let fens: Vec<String> = numbers.map(|number| self.fen(number).to_owned()).collect();
                let answer = client.probe_batch(ProbeBatchRequest { fens: fens.clone(), include_moves }).await;
                answer.map(|answer| {
                    let results = answer.into_inner().results;
                    let right = fens.iter().zip(&results).filter(|(fen, result)| match &result.result {
                        Some(Outcome::Position(answer)) => is_answer(fen, answer),
                        _ => false,
                    });
                    if results.len() == fens.len() { right.count() as u64 } else { 0 }
                })
            }
        };
        let expected = if self.ask == Ask::Batch { self.batch as u64 } else { 1 };
        tally.count(outcome, expected, due.elapsed());
    }
}

/// Whether the answer belongs to this request.
fn is_answer(fen: &str, answer: &ProbeResponse) -> bool {
    let is_decided = answer.category() != Category::Draw;
    answer.fen == fen && answer.category() != Category::Unspecified && answer.dtm_plies.is_some() == is_decided
}
