//! A text's lines, with a bound on each.

use std::io::{self, BufRead, Read};

/// The lines of a text, one by one, without their ends. At most a fixed number of bytes of a line is kept and the rest
/// is skipped, so that a stream without line ends fills no memory. Bytes that are not UTF-8 become replacement
/// characters, which no FEN has.
pub fn lines(mut input: impl BufRead, max_bytes: u64) -> impl Iterator<Item = io::Result<String>> {
    std::iter::from_fn(move || read_line(&mut input, max_bytes).transpose())
}

fn read_line(input: &mut impl BufRead, max_bytes: u64) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    input.by_ref().take(max_bytes).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.last() != Some(&b'\n') && line.len() as u64 == max_bytes {
        skip_line(input)?;
    }
    let text = String::from_utf8_lossy(&line);
    Ok(Some(text.trim_end_matches(['\n', '\r']).to_owned()))
}

fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        let (used, done) = match buffer.iter().position(|&byte| byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        input.consume(used);
        if done {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Vec<String> {
        lines(bytes, 4096).map(Result::unwrap).collect()
    }

    #[test]
    fn lines_of_all_kinds() {
        assert_eq!(read(b""), [""; 0]);
        assert_eq!(read(b"a\nb\r\n\nc"), ["a", "b", "", "c"]);
        assert_eq!(read(b"\xff\n"), ["\u{fffd}"]);
        let long = [vec![b'x'; 100_000], b"\nnext\n".to_vec()].concat();
        let read = read(&long);
        assert_eq!((read.len(), read[0].len(), read[1].as_str()), (2, 4096, "next"));
    }
}
