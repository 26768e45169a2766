//! The `makruk.v1` protocol, generated from `makruk/v1/*.proto`: messages, a client and the server's trait.
//!
//! The comments of the .proto files document each field; they are the documentation below, too. The crate
//! `makruk-service` is the server. `src/generated` is committed, so that nobody who uses this crate compiles the
//! compiler of .proto files.
//!
//! ```no_run
//! use makruk_proto::v1::{Category, ProbeRequest, tablebase_client::TablebaseClient};
//!
//! # async fn ask() -> Result<(), Box<dyn std::error::Error>> {
//! let mut client = TablebaseClient::connect("http://127.0.0.1:50051").await?;
//! let fen = "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1".to_owned();
//! let answer = client.probe(ProbeRequest { fen, include_moves: true }).await?.into_inner();
//! assert_eq!((answer.category(), answer.dtm_plies), (Category::Win, Some(31)));
//! # Ok(())
//! # }
//! ```

/// Version 1: fields, values and methods are added, never changed or removed.
#[allow(missing_docs, unreachable_pub, clippy::all)]
pub mod v1 {
    include!("generated/makruk.v1.rs");

    /// The protocol's `google.protobuf.FileDescriptorSet`, encoded, comments included: what reflection serves.
    pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!("generated/makruk.v1.descriptors.bin");
}

impl v1::ErrorReason {
    /// The name in `google.rpc.ErrorInfo`: without the prefix.
    pub fn reason(self) -> &'static str {
        let name = self.as_str_name();
        name.strip_prefix("ERROR_REASON_").unwrap_or(name)
    }
}

/// A method of the protocol's services, as the .proto files declare it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MethodDescription {
    /// The method's name: `Probe`.
    pub name: &'static str,
    /// The path of its calls: `/makruk.v1.Tablebase/Probe`.
    pub path: &'static str,
    /// Whether the client sends a stream of requests.
    pub client_streaming: bool,
    /// Whether the server sends a stream of responses.
    pub server_streaming: bool,
}

/// Every method of the protocol, in the order of the .proto files.
pub const METHODS: &[MethodDescription] = include!("generated/makruk.v1.methods.rs");

/// The domain of `google.rpc.ErrorInfo`.
pub const ERROR_DOMAIN: &str = "makruk.v1";
