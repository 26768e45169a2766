//! The tables as a service.

use std::sync::Arc;

use makruk_proto::v1::tablebase_server::{Tablebase, TablebaseServer};
use makruk_proto::v1::{ProbeRequest, ProbeResponse};
use makruk_tables::rules::Fen;
use tonic::{Request, Response, Status};

use super::jobs::Jobs;
use super::{Limits, convert};
use crate::{ProbeError, Prober, Tables, ValueSource};

/// `makruk.v1.Tablebase`, answered by a prober.
#[derive(Clone, Debug)]
pub struct TablebaseService<S = Tables> {
    prober: Arc<Prober<S>>,
    jobs: Jobs,
    limits: Limits,
}

impl<S: ValueSource + Send + Sync + 'static> TablebaseService<S> {
    /// A service. It must run within a tokio runtime, whose blocking threads do the work.
    pub fn new(prober: Prober<S>, limits: Limits) -> TablebaseService<S> {
        TablebaseService { prober: Arc::new(prober), jobs: Jobs::new(limits), limits }
    }

    /// As a tonic service, its messages limited.
    pub fn into_server(self) -> TablebaseServer<TablebaseService<S>> {
        let bytes = self.limits.message_bytes;
        TablebaseServer::new(self).max_decoding_message_size(bytes)
    }
}

#[tonic::async_trait]
impl<S: ValueSource + Send + Sync + 'static> Tablebase for TablebaseService<S> {
    async fn probe(&self, request: Request<ProbeRequest>) -> Result<Response<ProbeResponse>, Status> {
        let ProbeRequest { fen, include_moves } = request.into_inner();
        let prober = Arc::clone(&self.prober);
        let text: Arc<str> = fen.into();
        let asked = Arc::clone(&text);
        match self.jobs.run(move || answer(&prober, &asked, include_moves)).await {
            Ok(answer) => {
                tracing::debug!(fen = %answer.fen, category = ?answer.category(), "answered");
                Ok(Response::new(answer))
            }
            Err(failure) => {
                failure.log(&text);
                Err(failure.into())
            }
        }
    }
}

/// One position's answer. May block on the disk.
fn answer<S: ValueSource>(prober: &Prober<S>, text: &str, include_moves: bool) -> Result<ProbeResponse, ProbeError> {
    let fen = Fen::parse(text)?;
    let verdict = prober.probe(&fen)?;
    let moves = if include_moves { prober.moves(&fen)? } else { Vec::new() };
    Ok(convert::response(&fen, &verdict, &moves))
}
