//! The headers and models of a family, in one file.

use std::sync::Arc;

use makruk_format::{Outline, TableId};

use crate::packed::{PackedError, unpack};

/// The header and models of a table, as at the start of its file.
pub(crate) type Head = (TableId, Arc<[u8]>);

/// Reads the file of the tables of a family, in order. `None` if they are others.
pub(crate) fn read_heads(file: &[u8], tables: &[(TableId, &Outline)]) -> Result<Option<Vec<Head>>, PackedError> {
    let bytes = unpack(file)?;
    let mut rest = bytes.as_slice();
    let mut heads = Vec::new();
    for (id, outline) in tables {
        let Some((head, after)) = rest.split_at_checked(outline.head_len() as usize) else { return Ok(None) };
        // The header ends with its checksum.
        let end = outline.header_len() as usize;
        if head.get(end.saturating_sub(4)..end) != Some(&outline.checksum().to_le_bytes()[..]) {
            return Ok(None);
        }
        heads.push((*id, head.into()));
        rest = after;
    }
    Ok(rest.is_empty().then_some(heads))
}
