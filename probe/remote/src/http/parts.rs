//! Parts of a file, asked for together.

use std::ops::Range;

use crate::Want;

/// Ranges that are at most this number of bytes apart are asked for as one. The head of a part has some hundred bytes.
const GAP: u64 = 1024;

/// The ranges of wants of one file, which are in order; none if the whole file is wanted.
pub(super) fn ranges(wants: &[Want]) -> Vec<Range<u64>> {
    let mut ranges: Vec<Range<u64>> = Vec::new();
    for &Want { offset, len, .. } in wants {
        let Some(end) = len.map(|len| offset.saturating_add(len)) else { continue };
        match ranges.last_mut() {
            Some(last) if offset <= last.end.saturating_add(GAP) => last.end = last.end.max(end),
            _ => ranges.push(offset..end),
        }
    }
    ranges
}

/// The body of an answer, and its parts: where each begins in the file and in the body.
pub(super) struct Parts {
    body: Vec<u8>,
    parts: Vec<(u64, Range<usize>)>,
}

impl Parts {
    /// The part of a file from a place on.
    pub(super) fn one(start: u64, body: Vec<u8>) -> Parts {
        Parts { parts: vec![(start, 0..body.len())], body }
    }

    /// Several parts, each after a head with its `Content-Range` (`multipart/byteranges`), as far as they are whole.
    pub(super) fn several(body: Vec<u8>) -> Parts {
        let (mut parts, mut at) = (Vec::new(), 0);
        while let Some(end) = body[at..].windows(4).position(|end| end == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&body[at..at + end]).to_ascii_lowercase();
            let range = head.lines().find_map(|line| content_range(line.strip_prefix("content-range:")?.trim()));
            let start = at + end + 4;
            let Some(range) = range.filter(|range| range.end - range.start <= (body.len() - start) as u64) else {
                break;
            };
            at = start + (range.end - range.start) as usize;
            parts.push((range.start, start..at));
        }
        Parts { body, parts }
    }

    /// The bytes of a want, if a part has them.
    pub(super) fn of(&self, want: &Want) -> Option<&[u8]> {
        self.parts.iter().find_map(|(start, place)| {
            let bytes = &self.body[place.clone()];
            let from = usize::try_from(want.offset.checked_sub(*start)?).ok()?;
            bytes.get(from..)?.get(..want.len.map_or(Some(bytes.len()), |len| len.try_into().ok())?)
        })
    }
}

/// The range of a header such as `bytes 100-199/5000`.
fn content_range(value: &str) -> Option<Range<u64>> {
    let (first, last) = value.strip_prefix("bytes ")?.split('/').next()?.split_once('-')?;
    let (first, last): (u64, u64) = (first.parse().ok()?, last.parse().ok()?);
    (first <= last).then_some(first..last.checked_add(1)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RemoteFile;

    fn want(offset: u64, len: u64) -> Want {
        Want { file: RemoteFile::Table("KRvK.dtm".parse().unwrap()), offset, len: Some(len) }
    }

    #[test]
    fn near_ranges_are_asked_for_as_one() {
        assert_eq!(ranges(&[want(10, 5), want(12, 9), want(1045, 1), want(2071, 3)]), [10..1046, 2071..2074]);
        assert!(ranges(&[Want { len: None, ..want(0, 0) }]).is_empty());
    }

    #[test]
    fn parts_are_found_and_what_is_cut_short_is_not() {
        let body = b"\r\n--x\r\nContent-Type: a\r\nContent-Range: bytes 3-6/9\r\n\r\na\r\n\r\r\n--x\r\n\
                     content-range: bytes 0-1/9\r\n\r\nbc\r\n--x\r\nContent-Range: bytes 1-99/9\r\n\r\nd\r\n--x--\r\n";
        let parts = Parts::several(body.to_vec());
        for (offset, len, expected) in
            [(3, 4, Some(&b"a\r\n\r"[..])), (4, 2, Some(b"\r\n")), (0, 2, Some(b"bc")), (1, 2, None), (6, 2, None)]
        {
            assert_eq!(parts.of(&want(offset, len)), expected, "{offset} {len}");
        }
        let one = Parts::one(7, b"ef".to_vec());
        assert_eq!((one.of(&want(8, 1)), one.of(&want(8, 2)), one.of(&want(6, 1))), (Some(&b"f"[..]), None, None));
        for wrong in ["bytes 9-8/9", "bytes */9", "bytes 1-18446744073709551615/9", "items 1-2/9", ""] {
            assert_eq!(content_range(wrong), None, "{wrong}");
        }
    }
}
