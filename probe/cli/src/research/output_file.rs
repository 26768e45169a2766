//! A file that is there when it is complete.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

/// Writes a file under a temporary name beside it, which is removed unless the file is published.
pub(super) struct OutputFile {
    path: PathBuf,
    temporary: PathBuf,
    writer: BufWriter<File>,
}

impl OutputFile {
    /// Creates the temporary file.
    pub(super) fn create(path: &Path) -> anyhow::Result<OutputFile> {
        let name = path.file_name().with_context(|| format!("{} is not the name of a file", path.display()))?;
        let temporary = path.with_file_name(format!(".{}.{}.tmp", name.to_string_lossy(), std::process::id()));
        let file = File::create(&temporary).with_context(|| format!("cannot write {}", temporary.display()))?;
        Ok(OutputFile { path: path.to_owned(), temporary, writer: BufWriter::with_capacity(1 << 20, file) })
    }

    /// Gives the file its name; it replaces a file of that name.
    pub(super) fn publish(mut self) -> anyhow::Result<()> {
        let published = self.writer.flush().and_then(|()| self.writer.get_ref().sync_all());
        published
            .and_then(|()| fs::rename(&self.temporary, &self.path))
            .with_context(|| format!("cannot write {}", self.path.display()))
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        // A published file has no temporary name any more.
        let _ = fs::remove_file(&self.temporary);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_there_when_it_is_published_and_nothing_is_otherwise() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data.bin");
        let names = || fs::read_dir(folder.path()).unwrap().count();
        let mut file = OutputFile::create(&path).unwrap();
        file.write_all(b"half").unwrap();
        assert_eq!((names(), path.exists()), (1, false));
        drop(file);
        assert_eq!(names(), 0);
        for text in ["whole", "another"] {
            let mut file = OutputFile::create(&path).unwrap();
            file.write_all(text.as_bytes()).unwrap();
            file.publish().unwrap();
            assert_eq!((names(), fs::read_to_string(&path).unwrap()), (1, text.to_owned()));
        }
        assert!(OutputFile::create(&folder.path().join("missing/data.bin")).is_err());
        assert!(OutputFile::create(Path::new("/")).is_err());
    }
}
