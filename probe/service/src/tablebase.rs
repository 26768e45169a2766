//! The tables as a gRPC service.

use std::pin::Pin;
use std::sync::Arc;

use futures_util::Stream;
use makruk_proto::v1::best_line_response::Part;
use makruk_proto::v1::tablebase_server::{Tablebase, TablebaseServer};
use makruk_proto::v1::{
    BestLineRequest, BestLineResponse, FindSavesRequest, FindSavesResponse, ListTablesRequest, ListTablesResponse,
    PlayRequest, PlayResponse, ProbeBatchRequest, ProbeBatchResponse, ProbeRequest, ProbeResponse, ProbeStreamRequest,
    ProbeStreamResponse, SaveStatisticsRequest, SaveStatisticsResponse, TableStatisticsRequest,
    TableStatisticsResponse,
};
use tonic::{Request, Response, Status, Streaming};

use super::answer::Unread;
use super::convert;
use super::engine::{Engine, Played};
use super::found::{self, Finds};
use super::jobs::{Asker, Held};
use super::status::Failure;
use super::stream::{Lines, Probes};

/// `makruk.v1.Tablebase`, answered by an engine.
#[derive(Clone, Debug)]
pub(super) struct TablebaseService(Arc<Engine>);

impl TablebaseService {
    /// As a tonic service, its messages limited.
    pub(super) fn new(engine: Arc<Engine>) -> TablebaseServer<TablebaseService> {
        let bytes = engine.limits.message_bytes;
        // What is sent is bounded by the positions that may be asked for.
        TablebaseServer::new(TablebaseService(engine))
            .max_decoding_message_size(bytes)
            .max_encoding_message_size(usize::MAX)
    }

    fn asker<T>(&self, request: &Request<T>) -> Asker {
        let known = request.extensions().get::<Asker>().cloned();
        known.unwrap_or_else(|| Asker::new(None, self.0.limits.deadline))
    }
}

/// An answer whose positions count until it has been written.
fn respond<T>(message: T, held: Held) -> Response<T> {
    let mut response = Response::new(message);
    response.extensions_mut().insert(Unread::new(held));
    response
}

fn fail(asked: &str) -> impl Fn(Failure) -> Status + '_ {
    move |failure| {
        failure.log(asked);
        failure.into()
    }
}

#[tonic::async_trait]
impl Tablebase for TablebaseService {
    type ProbeStreamStream = Pin<Box<dyn Stream<Item = Result<ProbeStreamResponse, Status>> + Send>>;
    type BestLineStream = Pin<Box<dyn Stream<Item = Result<BestLineResponse, Status>> + Send>>;

    type FindSavesStream = Pin<Box<dyn Stream<Item = Result<FindSavesResponse, Status>> + Send>>;

    async fn probe(&self, request: Request<ProbeRequest>) -> Result<Response<ProbeResponse>, Status> {
        let asker = self.asker(&request);
        let ProbeRequest { fen, include_moves } = request.into_inner();
        let text: Arc<str> = fen.into();
        let answered = self.0.probe(&asker, Arc::clone(&text), include_moves, convert::response).await;
        let (answer, held) = answered.map_err(fail(&text))?;
        tracing::debug!(fen = %answer.fen, category = ?answer.category(), "answered");
        Ok(respond(answer, held))
    }

    async fn probe_batch(&self, request: Request<ProbeBatchRequest>) -> Result<Response<ProbeBatchResponse>, Status> {
        let asker = self.asker(&request);
        let ProbeBatchRequest { fens, include_moves } = request.into_inner();
        let answered = self.0.batch(&asker, fens, include_moves, convert::result).await;
        let (results, held) = answered.map_err(fail("a batch"))?;
        Ok(respond(ProbeBatchResponse { results }, held))
    }

    async fn probe_stream(
        &self,
        request: Request<Streaming<ProbeStreamRequest>>,
    ) -> Result<Response<Self::ProbeStreamStream>, Status> {
        let asker = self.asker(&request);
        let probes = Probes::new(Arc::clone(&self.0), asker, request.into_inner());
        Ok(Response::new(Box::pin(probes.answers())))
    }

    async fn best_line(&self, request: Request<BestLineRequest>) -> Result<Response<Self::BestLineStream>, Status> {
        let asker = self.asker(&request);
        let BestLineRequest { fen, defence, max_plies } = request.into_inner();
        let text: Arc<str> = fen.into();
        let defence = convert::policy(defence).map_err(fail(&text))?;
        let begun = self.0.line(&asker, Arc::clone(&text), defence, max_plies, convert::response).await;
        let ((start, walk), held) = begun.map_err(fail(&text))?;
        let start = BestLineResponse { part: Some(Part::Start(start)) };
        let lines = Lines::new(Arc::clone(&self.0), asker, start, walk, held);
        Ok(Response::new(Box::pin(lines.parts())))
    }

    async fn play(&self, request: Request<PlayRequest>) -> Result<Response<PlayResponse>, Status> {
        let asker = self.asker(&request);
        let PlayRequest { fen, policy } = request.into_inner();
        let text: Arc<str> = fen.into();
        let policy = convert::policy(policy).map_err(fail(&text))?;
        let played = self.0.play(&asker, Arc::clone(&text), policy, convert::response).await;
        let (Played { position, made }, held) = played.map_err(fail(&text))?;
        let mut response = PlayResponse { position: Some(position), ..PlayResponse::default() };
        if let Some((mv, before, after)) = made {
            response.r#move = Some(convert::ranked_move(&before.position, &mv));
            response.count = Some(convert::count_after(&mv, &after.position));
            response.fen = Some(after.to_string());
        }
        Ok(respond(response, held))
    }

    async fn list_tables(&self, request: Request<ListTablesRequest>) -> Result<Response<ListTablesResponse>, Status> {
        let tables = self.0.tables(request.into_inner().men);
        Ok(Response::new(ListTablesResponse { tables: tables.iter().map(convert::table).collect() }))
    }

    async fn table_statistics(
        &self,
        request: Request<TableStatisticsRequest>,
    ) -> Result<Response<TableStatisticsResponse>, Status> {
        let asker = self.asker(&request);
        let TableStatisticsRequest { material, include_longest } = request.into_inner();
        let statistics = self.0.statistics(&asker, &material, include_longest).await;
        Ok(Response::new(convert::statistics(&statistics.map_err(fail(&material))?)))
    }

    async fn find_saves(&self, request: Request<FindSavesRequest>) -> Result<Response<Self::FindSavesStream>, Status> {
        let asker = self.asker(&request);
        let begun = found::asked(request.into_inner()).and_then(|asked| self.0.search(&asked));
        let search = begun.map_err(fail("saves"))?;
        let finds = Finds::new(Arc::clone(&self.0), asker, search);
        Ok(Response::new(Box::pin(finds.parts())))
    }

    async fn save_statistics(
        &self,
        request: Request<SaveStatisticsRequest>,
    ) -> Result<Response<SaveStatisticsResponse>, Status> {
        let asker = self.asker(&request);
        let SaveStatisticsRequest { material, sample } = request.into_inner();
        let counts = self.0.save_statistics(&asker, &material, sample).await;
        Ok(Response::new(found::statistics(&counts.map_err(fail(&material))?)))
    }
}
