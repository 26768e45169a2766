//! The service `makruk.v1.Tablebase`.

use std::pin::Pin;
use std::sync::Arc;

use futures_util::Stream;
use makruk_answers::{Answer, Batch, FieldValue, Line, Longest, Play, Probe, SaveStatistics, Statistics, Tables};
use makruk_proto::v1::tablebase_server::{Tablebase, TablebaseServer};
use makruk_proto::v1::{
    BestLineRequest, BestLineResponse, FindSavesRequest, FindSavesResponse, ListTablesRequest, ListTablesResponse,
    PlayRequest, PlayResponse, Policy, ProbeBatchRequest, ProbeBatchResponse, ProbeRequest, ProbeResponse,
    ProbeStreamRequest, ProbeStreamResponse, SaveStatisticsRequest, SaveStatisticsResponse, TableStatisticsRequest,
    TableStatisticsResponse,
};
use makruk_tables::material::Material;
use tonic::{Request, Response, Status, Streaming};

use crate::admission::pool::Grant;
use crate::admission::request_context::RequestContext;
use crate::backend::Backend;
use crate::grpc::convert::{self, fail};
use crate::grpc::{find_saves, streams};

/// The limit of a search that names none.
const DEFAULT_SAVES: u64 = 100;

/// `makruk.v1.Tablebase`, answered by the backend.
#[derive(Clone)]
pub(crate) struct TablebaseService(Arc<Backend>);

impl TablebaseService {
    pub(crate) fn new(backend: Arc<Backend>) -> TablebaseService {
        TablebaseService(backend)
    }

    /// The tonic service, with bounds for its messages.
    pub(crate) fn into_server(self) -> TablebaseServer<TablebaseService> {
        let bytes = self.0.pools.limits.message_bytes;
        // The limit of positions bounds the messages that are sent.
        TablebaseServer::new(self).max_decoding_message_size(bytes).max_encoding_message_size(usize::MAX)
    }

    fn context<T>(&self, request: &Request<T>) -> RequestContext {
        let known = request.extensions().get::<RequestContext>().cloned();
        known.unwrap_or_else(|| self.0.context(None))
    }
}

fn material_of(name: &str) -> Result<Material, Status> {
    Material::read(name).map_err(|refusal| fail(name)(refusal.into()))
}

/// The answer to the question of this name.
macro_rules! answer {
    ($answer:expr, $question:ident) => {
        match $answer {
            Answer::$question(answer) => answer,
            _ => unreachable!("a question has the answer of its name"),
        }
    };
}

/// A response that keeps its permits until it has been written.
fn respond<T>(message: T, permits: Grant) -> Response<T> {
    let mut response = Response::new(message);
    response.extensions_mut().insert(Arc::new(permits));
    response
}

#[tonic::async_trait]
impl Tablebase for TablebaseService {
    type ProbeStreamStream = Pin<Box<dyn Stream<Item = Result<ProbeStreamResponse, Status>> + Send>>;
    type BestLineStream = Pin<Box<dyn Stream<Item = Result<BestLineResponse, Status>> + Send>>;

    type FindSavesStream = Pin<Box<dyn Stream<Item = Result<FindSavesResponse, Status>> + Send>>;

    async fn probe(&self, request: Request<ProbeRequest>) -> Result<Response<ProbeResponse>, Status> {
        let context = self.context(&request);
        let ProbeRequest { fen, include_moves } = request.into_inner();
        let question = Probe { fen: fen.as_str().into(), moves: include_moves };
        let answered = self.0.answer(&context, question, |answer| convert::probed(*answer!(answer, Probe))).await;
        let (answer, permits) = answered.map_err(fail(&fen))?;
        tracing::debug!(fen = %answer.fen, category = ?answer.category(), "answered");
        Ok(respond(answer, permits))
    }

    async fn probe_batch(&self, request: Request<ProbeBatchRequest>) -> Result<Response<ProbeBatchResponse>, Status> {
        let context = self.context(&request);
        let ProbeBatchRequest { fens, include_moves } = request.into_inner();
        let fens = fens.iter().map(|fen| fen.as_str().into()).collect();
        let answered = self.0.answer(&context, Batch { fens, moves: include_moves }, |items| ProbeBatchResponse {
            results: answer!(items, Batch).into_iter().map(convert::result).collect(),
        });
        let (answer, permits) = answered.await.map_err(fail("a batch"))?;
        Ok(respond(answer, permits))
    }

    async fn probe_stream(
        &self,
        request: Request<Streaming<ProbeStreamRequest>>,
    ) -> Result<Response<Self::ProbeStreamStream>, Status> {
        let context = self.context(&request);
        Ok(Response::new(Box::pin(streams::answers(Arc::clone(&self.0), context, request.into_inner()))))
    }

    async fn best_line(&self, request: Request<BestLineRequest>) -> Result<Response<Self::BestLineStream>, Status> {
        let context = self.context(&request);
        let BestLineRequest { fen, defence, max_plies } = request.into_inner();
        let defence = convert::name(defence, Policy::as_str_name, "POLICY_");
        let question = Line { fen: fen.as_str().into(), defence, max_plies };
        let (line, permits) = self.0.begin_line(&context, question).await.map_err(fail(&fen))?;
        Ok(Response::new(Box::pin(streams::line_parts(Arc::clone(&self.0), context, line, permits))))
    }

    async fn play(&self, request: Request<PlayRequest>) -> Result<Response<PlayResponse>, Status> {
        let context = self.context(&request);
        let PlayRequest { fen, policy } = request.into_inner();
        let policy = convert::name(policy, Policy::as_str_name, "POLICY_");
        let question = Play { fen: fen.as_str().into(), policy };
        let answered = self.0.answer(&context, question, |play| convert::play(*answer!(play, Play)));
        let (response, permits) = answered.await.map_err(fail(&fen))?;
        Ok(respond(response, permits))
    }

    async fn list_tables(&self, request: Request<ListTablesRequest>) -> Result<Response<ListTablesResponse>, Status> {
        let men = request.into_inner().men.map(|men| men as usize);
        let kept = self.0.kept_answer(Tables { men }).await.map_err(fail("the tables"))?;
        let tables = answer!(&kept.0, Tables).tables.iter().map(convert::table).collect();
        Ok(Response::new(ListTablesResponse { tables }))
    }

    async fn table_statistics(
        &self,
        request: Request<TableStatisticsRequest>,
    ) -> Result<Response<TableStatisticsResponse>, Status> {
        let TableStatisticsRequest { material, include_longest } = request.into_inner();
        let longest = include_longest.then_some(Longest::Known);
        let question = Statistics { material: material_of(&material)?, longest };
        let kept = self.0.kept_answer(question).await.map_err(fail(&material))?;
        Ok(Response::new(convert::statistics(answer!(&kept.0, Statistics))))
    }

    async fn find_saves(&self, request: Request<FindSavesRequest>) -> Result<Response<Self::FindSavesStream>, Status> {
        let context = self.context(&request);
        let query = find_saves::query(request.into_inner());
        let search = self.0.search(&context, query, DEFAULT_SAVES).map_err(fail("saves"))?;
        Ok(Response::new(Box::pin(find_saves::parts(Arc::clone(&self.0), context, search))))
    }

    async fn save_statistics(
        &self,
        request: Request<SaveStatisticsRequest>,
    ) -> Result<Response<SaveStatisticsResponse>, Status> {
        let SaveStatisticsRequest { material, sample } = request.into_inner();
        let question = SaveStatistics { material: material_of(&material)?, sample };
        let kept = self.0.kept_answer(question).await.map_err(fail(&material))?;
        Ok(Response::new(find_saves::statistics(answer!(&kept.0, SaveStatistics))))
    }
}
