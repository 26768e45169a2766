//! Archives of files, the same bytes on every machine.

use std::io::{self, Read, Write};

/// The length of a header, and of the blocks that contents are filled up to.
const BLOCK: usize = 512;
/// The longest name that a header holds, with the zero byte behind it.
const NAME_LEN: usize = 100;

/// Writes a tar archive in the format of POSIX.1-1988 (ustar). Owners are 0, times are 0 and files are readable by all, so the
/// archive depends on its contents alone.
pub(super) struct TarWriter<W> {
    out: W,
}

impl<W: Write> TarWriter<W> {
    pub(super) const fn new(out: W) -> TarWriter<W> {
        TarWriter { out }
    }

    /// Adds a file of so many bytes.
    ///
    /// # Errors
    ///
    /// If the name or the length does not fit into a header, the contents have another length, or writing fails.
    pub(super) fn add(&mut self, name: &str, len: u64, contents: &mut dyn Read) -> io::Result<()> {
        self.out.write_all(&header(name, len)?)?;
        let copied = io::copy(&mut contents.take(len), &mut self.out)?;
        if copied != len {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, format!("{name} ends after {copied} bytes")));
        }
        let filling = len.next_multiple_of(BLOCK as u64) - len;
        self.out.write_all(&[0; BLOCK][..filling as usize])
    }

    /// Ends the archive and returns the writer below.
    ///
    /// # Errors
    ///
    /// If writing fails.
    pub(super) fn finish(mut self) -> io::Result<W> {
        self.out.write_all(&[0; 2 * BLOCK])?;
        Ok(self.out)
    }
}

/// The header of a file.
fn header(name: &str, len: u64) -> io::Result<[u8; BLOCK]> {
    let refused = |what: &str| io::Error::new(io::ErrorKind::InvalidInput, format!("{name}: {what} for an archive"));
    if name.len() >= NAME_LEN {
        return Err(refused("too long a name"));
    }
    let size = format!("{len:011o}");
    if size.len() > 11 {
        return Err(refused("too large"));
    }
    let mut header = [0; BLOCK];
    let mut put = |at: usize, text: &[u8]| header[at..at + text.len()].copy_from_slice(text);
    put(0, name.as_bytes());
    put(100, b"0000644\0");
    put(108, b"0000000\0");
    put(116, b"0000000\0");
    put(124, size.as_bytes());
    put(136, b"00000000000\0");
    // The checksum is computed with spaces in its own place.
    put(148, b"        ");
    put(156, b"0");
    put(257, b"ustar\x0000");
    let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    Ok(header)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn archives_hold_their_files() {
        let mut tar = TarWriter::new(Vec::new());
        tar.add("a.txt", 3, &mut &b"abc"[..]).unwrap();
        tar.add("b.txt", 512, &mut &[7; 512][..]).unwrap();
        let bytes = tar.finish().unwrap();
        assert_eq!(bytes.len(), BLOCK * (2 + 2 + 2));
        assert_eq!(&bytes[..6], b"a.txt\0");
        assert_eq!(&bytes[124..136], b"00000000003\0");
        assert_eq!(&bytes[BLOCK..BLOCK + 4], b"abc\0");
        assert_eq!(&bytes[2 * BLOCK..2 * BLOCK + 6], b"b.txt\0");
        assert!(bytes[4 * BLOCK..].iter().all(|&byte| byte == 0));
        // The sum of the header's bytes, its own eight counted as spaces.
        let sum = |header: &[u8]| {
            header
                .iter()
                .enumerate()
                .map(|(at, &byte)| match at {
                    148..156 => 32,
                    _ => u32::from(byte),
                })
                .sum::<u32>()
        };
        assert_eq!(&bytes[148..154], format!("{:06o}", sum(&bytes[..BLOCK])).as_bytes());
    }

    #[test]
    fn archives_refuse_what_they_cannot_hold() {
        let mut tar = TarWriter::new(Vec::new());
        assert!(tar.add(&"x".repeat(100), 0, &mut io::empty()).is_err());
        assert!(tar.add("x", 1 << 33, &mut io::empty()).is_err());
        assert!(tar.add("x", 2, &mut &b"a"[..]).is_err());
    }
}
