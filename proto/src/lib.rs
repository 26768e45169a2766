//! The `makruk.v1` protocol, generated from `makruk/v1/*.proto`: messages, a client and the server's trait.
//!
//! The .proto files say what each field means; their comments are the documentation below.
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

/// Version 1: fields, values and methods are added, never changed or taken away.
#[allow(missing_docs, unreachable_pub, clippy::all)]
pub mod v1 {
    tonic::include_proto!("makruk.v1");

    /// The protocol's `google.protobuf.FileDescriptorSet`, encoded, comments included: what reflection serves.
    pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/makruk.v1.descriptors.bin"));
}

impl v1::ErrorReason {
    /// The name in `google.rpc.ErrorInfo`: without the prefix.
    pub fn reason(self) -> &'static str {
        let name = self.as_str_name();
        name.strip_prefix("ERROR_REASON_").unwrap_or(name)
    }
}

/// The domain of `google.rpc.ErrorInfo`.
pub const ERROR_DOMAIN: &str = "makruk.v1";

#[cfg(test)]
mod tests {
    use super::v1::ErrorReason;

    #[test]
    fn reasons_have_no_prefix() {
        assert_eq!(ErrorReason::BadFen.reason(), "BAD_FEN");
        assert_eq!(ErrorReason::DeadlineExceeded.reason(), "DEADLINE_EXCEEDED");
    }
}
