//! `ProbeBatch`, whose answers are encoded within their jobs: a long answer takes longer to encode than a thread that
//! serves
//! connections may be busy.

use std::convert::Infallible;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::Body;
use bytes::{BufMut, Bytes};
use makruk_proto::v1::ProbeBatchRequest;
use makruk_proto::v1::tablebase_server::SERVICE_NAME;
use prost::Message;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::server::{Grpc, NamedService, UnaryService};
use tonic::{Request, Response, Status};
use tower::Service;

use crate::grpc::tablebase::TablebaseService;

/// The method `ProbeBatch` as a service.
#[derive(Clone, Debug)]
pub(crate) struct BatchService {
    tablebase: TablebaseService,
    message_bytes: usize,
}

impl BatchService {
    /// The name of the method.
    pub(crate) const METHOD: &'static str = "ProbeBatch";

    pub(crate) fn new(tablebase: TablebaseService, message_bytes: usize) -> BatchService {
        BatchService { tablebase, message_bytes }
    }
}

type BoxFuture<T, E> = Pin<Box<dyn Future<Output = Result<T, E>> + Send>>;

impl NamedService for BatchService {
    const NAME: &'static str = SERVICE_NAME;
}

impl Service<http::Request<tonic::body::Body>> for BatchService {
    type Response = http::Response<tonic::body::Body>;
    type Error = Infallible;
    type Future = BoxFuture<Self::Response, Infallible>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<tonic::body::Body>) -> Self::Future {
        let answer = EncodedBatches(self.tablebase.clone());
        let mut grpc = Grpc::new(EncodedCodec::default())
            .apply_max_message_size_config(Some(self.message_bytes), Some(usize::MAX));
        Box::pin(async move { Ok(grpc.unary(answer, request.map(Body::new)).await) })
    }
}

struct EncodedBatches(TablebaseService);

impl UnaryService<ProbeBatchRequest> for EncodedBatches {
    type Response = Bytes;
    type Future = BoxFuture<Response<Bytes>, Status>;

    fn call(&mut self, request: Request<ProbeBatchRequest>) -> Self::Future {
        let tablebase = self.0.clone();
        Box::pin(async move { tablebase.encoded_batch(request).await })
    }
}

/// A codec of requests that are decoded and responses that are encoded already.
struct EncodedCodec<T>(PhantomData<T>);

impl<T> Default for EncodedCodec<T> {
    fn default() -> EncodedCodec<T> {
        EncodedCodec(PhantomData)
    }
}

impl<T: Message + Default + 'static> Codec for EncodedCodec<T> {
    type Encode = Bytes;
    type Decode = T;
    type Encoder = EncodedCodec<T>;
    type Decoder = EncodedCodec<T>;

    fn encoder(&mut self) -> EncodedCodec<T> {
        EncodedCodec::default()
    }

    fn decoder(&mut self) -> EncodedCodec<T> {
        EncodedCodec::default()
    }
}

impl<T> Encoder for EncodedCodec<T> {
    type Item = Bytes;
    type Error = Status;

    fn encode(&mut self, message: Bytes, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        buffer.reserve(message.len());
        buffer.put(message);
        Ok(())
    }
}

impl<T: Message + Default> Decoder for EncodedCodec<T> {
    type Item = T;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<T>, Status> {
        // As tonic reports it; admission gives it the details.
        T::decode(buffer).map(Some).map_err(|error| Status::internal(error.to_string()))
    }
}
