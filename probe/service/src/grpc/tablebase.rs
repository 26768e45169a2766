//! The service `makruk.v1.Tablebase`.

use std::pin::Pin;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::Stream;
use makruk_answers::{Answer, Batch, Line, Play, Probe};
use makruk_proto::v1::tablebase_server::{Tablebase, TablebaseServer};
use makruk_proto::v1::{
    BestLineRequest, BestLineResponse, FindSavesRequest, FindSavesResponse, ListTablesRequest, ListTablesResponse,
    PlayRequest, PlayResponse, ProbeBatchRequest, ProbeBatchResponse, ProbeRequest, ProbeResponse, ProbeStreamRequest,
    ProbeStreamResponse, SaveStatisticsRequest, SaveStatisticsResponse, TableStatisticsRequest,
    TableStatisticsResponse,
};
use prost::Message;
use tonic::{Request, Response, Status, Streaming};

use crate::admission::pool::Grant;
use crate::admission::request_context::RequestContext;
use crate::backend::Backend;
use crate::grpc::convert;
use crate::grpc::find_saves::{self, SaveStream};
use crate::grpc::streams::{LineStream, PositionStream};
use crate::status::Failure;

/// `makruk.v1.Tablebase`, answered by the backend.
#[derive(Clone, Debug)]
pub(crate) struct TablebaseService(Arc<Backend>);

impl TablebaseService {
    pub(crate) fn new(backend: Arc<Backend>) -> TablebaseService {
        TablebaseService(backend)
    }

    /// The tonic service, with bounds for its messages.
    pub(crate) fn into_server(self) -> TablebaseServer<TablebaseService> {
        let bytes = self.0.limits.message_bytes;
        // The limit of positions bounds the messages that are sent.
        TablebaseServer::new(self).max_decoding_message_size(bytes).max_encoding_message_size(usize::MAX)
    }

    /// The answer to a batch, encoded within its job.
    pub(crate) async fn encoded_batch(&self, request: Request<ProbeBatchRequest>) -> Result<Response<Bytes>, Status> {
        let context = self.context(&request);
        let ProbeBatchRequest { fens, include_moves } = request.into_inner();
        let encode = |answer| {
            let Answer::Batch(items) = answer else { unreachable!("a batch is answered by its items") };
            let results = items.into_iter().map(convert::result).collect();
            Bytes::from(ProbeBatchResponse { results }.encode_to_vec())
        };
        let answered = self.0.answer(&context, Batch { fens, moves: include_moves }.into(), encode).await;
        let (encoded, permits) = answered.map_err(fail("a batch"))?;
        Ok(respond(encoded, permits))
    }

    fn context<T>(&self, request: &Request<T>) -> RequestContext {
        let known = request.extensions().get::<RequestContext>().cloned();
        known.unwrap_or_else(|| RequestContext::new(None, self.0.limits.deadline))
    }
}

/// A response that keeps its permits until it has been written.
fn respond<T>(message: T, permits: Grant) -> Response<T> {
    let mut response = Response::new(message);
    response.extensions_mut().insert(Arc::new(permits));
    response
}

fn fail(request: &str) -> impl Fn(Failure) -> Status + '_ {
    move |failure| {
        failure.log(request);
        failure.into()
    }
}

#[tonic::async_trait]
impl Tablebase for TablebaseService {
    type ProbeStreamStream = Pin<Box<dyn Stream<Item = Result<ProbeStreamResponse, Status>> + Send>>;
    type BestLineStream = Pin<Box<dyn Stream<Item = Result<BestLineResponse, Status>> + Send>>;

    type FindSavesStream = Pin<Box<dyn Stream<Item = Result<FindSavesResponse, Status>> + Send>>;

    async fn probe(&self, request: Request<ProbeRequest>) -> Result<Response<ProbeResponse>, Status> {
        let context = self.context(&request);
        let ProbeRequest { fen, include_moves } = request.into_inner();
        let question = Probe { fen: fen.clone(), moves: include_moves }.into();
        let answered = self.0.answer(&context, question, |answer| match answer {
            Answer::Position(position) => convert::position(*position),
            _ => unreachable!("a probe is answered by a position"),
        });
        let answered = answered.await;
        let (answer, permits) = answered.map_err(fail(&fen))?;
        tracing::debug!(fen = %answer.fen, category = ?answer.category(), "answered");
        Ok(respond(answer, permits))
    }

    async fn probe_batch(&self, request: Request<ProbeBatchRequest>) -> Result<Response<ProbeBatchResponse>, Status> {
        // The service `batch` sends the encoded answer as it is; only callers within the process want the message.
        let (metadata, encoded, extensions) = self.encoded_batch(request).await?.into_parts();
        let message = ProbeBatchResponse::decode(encoded).map_err(|error| Status::internal(error.to_string()))?;
        Ok(Response::from_parts(metadata, message, extensions))
    }

    async fn probe_stream(
        &self,
        request: Request<Streaming<ProbeStreamRequest>>,
    ) -> Result<Response<Self::ProbeStreamStream>, Status> {
        let context = self.context(&request);
        let probes = PositionStream::new(Arc::clone(&self.0), context, request.into_inner());
        Ok(Response::new(Box::pin(probes.answers())))
    }

    async fn best_line(&self, request: Request<BestLineRequest>) -> Result<Response<Self::BestLineStream>, Status> {
        let context = self.context(&request);
        let BestLineRequest { fen, defence, max_plies } = request.into_inner();
        let defence = convert::policy(defence).map_err(fail(&fen))?;
        let question = Line { fen: fen.clone(), defence, max_plies }.into();
        let (line, permits) = self.0.begin_line(&context, question).await.map_err(fail(&fen))?;
        let lines = LineStream::new(Arc::clone(&self.0), context, line, permits);
        Ok(Response::new(Box::pin(lines.parts())))
    }

    async fn play(&self, request: Request<PlayRequest>) -> Result<Response<PlayResponse>, Status> {
        let context = self.context(&request);
        let PlayRequest { fen, policy } = request.into_inner();
        let policy = convert::policy(policy).map_err(fail(&fen))?;
        let answered = self.0.answer(&context, Play { fen: fen.clone(), policy }.into(), |answer| match answer {
            Answer::Play(play) => convert::play(*play),
            _ => unreachable!("it is answered by a move"),
        });
        let (response, permits) = answered.await.map_err(fail(&fen))?;
        Ok(respond(response, permits))
    }

    async fn list_tables(&self, request: Request<ListTablesRequest>) -> Result<Response<ListTablesResponse>, Status> {
        let tables = self.0.tables(request.into_inner().men);
        Ok(Response::new(ListTablesResponse { tables: tables.iter().map(convert::table).collect() }))
    }

    async fn table_statistics(
        &self,
        request: Request<TableStatisticsRequest>,
    ) -> Result<Response<TableStatisticsResponse>, Status> {
        let context = self.context(&request);
        let TableStatisticsRequest { material, include_longest } = request.into_inner();
        let statistics = self.0.statistics(&context, &material, include_longest).await;
        Ok(Response::new(convert::statistics(&statistics.map_err(fail(&material))?)))
    }

    async fn find_saves(&self, request: Request<FindSavesRequest>) -> Result<Response<Self::FindSavesStream>, Status> {
        let context = self.context(&request);
        let begun = find_saves::query(request.into_inner()).and_then(|query| self.0.search(&context, &query));
        let search = begun.map_err(fail("saves"))?;
        let finds = SaveStream::new(Arc::clone(&self.0), context, search);
        Ok(Response::new(Box::pin(finds.parts())))
    }

    async fn save_statistics(
        &self,
        request: Request<SaveStatisticsRequest>,
    ) -> Result<Response<SaveStatisticsResponse>, Status> {
        let SaveStatisticsRequest { material, sample } = request.into_inner();
        let counts = self.0.save_statistics(&material, sample).await.map_err(fail(&material))?;
        Ok(Response::new(find_saves::statistics(&counts)))
    }
}
