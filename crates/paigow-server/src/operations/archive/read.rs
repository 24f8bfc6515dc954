//! Reads archive files.

use super::format::{
    ArchiveEnd, ArchiveHeader, BlockEntry, CONTENT_MAX, FORMAT, MAGIC, RECORD_BYTES, RecordKind,
    SIGNATURE_BYTES, TableEnd, TableStart, signed_message,
};
use crate::store::{HeadVerifier, SealedBlock};
use paigow_table::{Signature, TableId};
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// Reason that a file is not a valid archive.
#[derive(Debug, thiserror::Error)]
pub enum InvalidArchive {
    /// The file cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file does not begin as an archive does.
    #[error("the file is not an archive of paigow")]
    Foreign,
    /// A newer program wrote the file.
    #[error("the archive has format {found}, and this program reads format {FORMAT}: use a newer program")]
    Newer {
        /// Format of the file.
        found: u32,
    },
    /// The file was changed, or is not complete.
    #[error("{why}, at byte {at}")]
    Damaged {
        /// Description of the damage.
        why: String,
        /// Position in the file.
        at: u64,
    },
}

/// A part of an archive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ArchivePart {
    /// A table begins.
    TableStart(Box<TableStart>),
    /// The next block of the table.
    Block(Box<SealedBlock>),
    /// The table ends.
    TableEnd(Box<TableEnd>),
}

/// Reads an archive part by part, with one block in memory.
pub struct ArchiveReader {
    input: BufReader<File>,
    /// Number of bytes before the signature.
    length: u64,
    position: u64,
    digest: [u8; 32],
    signature: Signature,
    header: ArchiveHeader,
    /// Last table, and whether it has ended.
    table: Option<(TableId, bool)>,
    end: Option<ArchiveEnd>,
}

impl ArchiveReader {
    /// Opens a file and reads its header. The whole file is read once to compute its digest.
    ///
    /// # Errors
    /// The file is not an archive, or does not end with a signature.
    pub fn open(path: &Path) -> Result<ArchiveReader, InvalidArchive> {
        let mut file = File::open(path)?;
        let mut magic = [0; MAGIC.len()];
        let is_archive = file.read_exact(&mut magic).is_ok() && magic == *MAGIC;
        if !is_archive {
            return Err(InvalidArchive::Foreign);
        }
        let signed = RECORD_BYTES + SIGNATURE_BYTES;
        let total = file.metadata()?.len();
        let damaged = |why: &str, at: u64| InvalidArchive::Damaged { why: why.to_owned(), at };
        let length = total.checked_sub(signed).filter(|length| *length > MAGIC.len() as u64);
        let length = length.ok_or_else(|| damaged("the file ends too early", total))?;
        file.rewind()?;
        let mut digest = Sha256::new();
        let hashed = hash(&mut (&file).take(length), &mut digest)?;
        let mut record = Vec::new();
        (&file).take(signed + 1).read_to_end(&mut record)?;
        let signature = record
            .strip_prefix(&[RecordKind::Signature.letter()])
            .and_then(|rest| rest.strip_prefix(&SIGNATURE_BYTES.to_be_bytes()))
            .and_then(|bytes| <[u8; 64]>::try_from(bytes).ok())
            .filter(|_| hashed == length)
            .ok_or_else(|| damaged("the file does not end with a signature", length))?;
        file.seek(SeekFrom::Start(MAGIC.len() as u64))?;
        let mut input = BufReader::new(file);
        let mut position = MAGIC.len() as u64;
        let header: ArchiveHeader = match record_of(&mut input, &mut position, length)? {
            (RecordKind::Header, content) => json(&content, position)?,
            _ => return Err(damaged("the header is missing", position)),
        };
        if header.format != FORMAT {
            return Err(InvalidArchive::Newer { found: header.format });
        }
        let digest = digest.finalize().into();
        let signature = Signature(signature);
        Ok(ArchiveReader { input, length, position, digest, signature, header, table: None, end: None })
    }

    /// Header of the archive.
    pub fn header(&self) -> &ArchiveHeader {
        &self.header
    }

    /// SHA-256 of all bytes before the signature, which identifies the archive.
    pub fn digest(&self) -> [u8; 32] {
        self.digest
    }

    /// Returns whether the signature was made with the key in the header. If not, the file was changed.
    pub fn is_intact(&self) -> bool {
        self.header.key.verifies(&signed_message(self.length, &self.digest), &self.signature)
    }

    /// Returns whether one of the verifier's keys made the signature.
    pub fn is_signed_by(&self, verifier: &dyn HeadVerifier) -> bool {
        verifier.verify(&signed_message(self.length, &self.digest), &self.signature.0)
    }

    /// Returns the next part, or `None` after the last.
    ///
    /// # Errors
    /// The file cannot be read, or a record is invalid or out of order.
    pub fn next_part(&mut self) -> Result<Option<ArchivePart>, InvalidArchive> {
        let at = self.position;
        let damaged = |why: &str| InvalidArchive::Damaged { why: why.to_owned(), at };
        let (kind, content) = record_of(&mut self.input, &mut self.position, self.length)?;
        let part = match (kind, &mut self.table) {
            (RecordKind::TableStart, None | Some((_, true))) => {
                let start: TableStart = json(&content, at)?;
                if self.table.as_ref().is_some_and(|(last, _)| last.as_str() >= start.table.as_str()) {
                    return Err(damaged("tables are out of order"));
                }
                self.table = Some((start.table.clone(), false));
                ArchivePart::TableStart(Box::new(start))
            }
            (RecordKind::Block, Some((table, false))) => {
                let entry: BlockEntry = json(&content, at)?;
                let (kind, content) = record_of(&mut self.input, &mut self.position, self.length)?;
                if kind != RecordKind::Content {
                    return Err(damaged("the content of a block is missing"));
                }
                ArchivePart::Block(Box::new(entry.with_content(table, content)))
            }
            (RecordKind::TableEnd, Some((_, ended @ false))) => {
                *ended = true;
                ArchivePart::TableEnd(Box::new(json(&content, at)?))
            }
            (RecordKind::End, None | Some((_, true))) => {
                if self.position != self.length {
                    return Err(damaged("there are records after the end"));
                }
                self.end = Some(json(&content, at)?);
                return Ok(None);
            }
            _ => return Err(damaged("a record is out of order")),
        };
        Ok(Some(part))
    }

    /// Counts and digests at the end of the archive, once all parts are read.
    pub(super) fn end(&self) -> Option<&ArchiveEnd> {
        self.end.as_ref()
    }
}

/// Adds everything that is read to a digest. Returns the number of bytes.
fn hash(input: &mut impl Read, digest: &mut Sha256) -> io::Result<u64> {
    let mut buffer = vec![0; 1 << 16];
    let mut length = 0;
    loop {
        match input.read(&mut buffer)? {
            0 => return Ok(length),
            read => {
                digest.update(&buffer[..read]);
                length += read as u64;
            }
        }
    }
}

/// Reads a record that ends at `length` or before.
fn record_of(
    input: &mut impl Read,
    position: &mut u64,
    length: u64,
) -> Result<(RecordKind, Vec<u8>), InvalidArchive> {
    let at = *position;
    let damaged = |why: &str| InvalidArchive::Damaged { why: why.to_owned(), at };
    let mut start = [0; RECORD_BYTES as usize];
    if length - at < RECORD_BYTES {
        return Err(damaged("the archive ends too early"));
    }
    input.read_exact(&mut start)?;
    let [letter, size @ ..] = start;
    let size = u64::from_be_bytes(size);
    if size > (length - at - RECORD_BYTES).min(CONTENT_MAX) {
        return Err(damaged("a record is longer than the rest of the archive"));
    }
    let mut content = Vec::new();
    input.take(size).read_to_end(&mut content)?;
    if content.len() as u64 != size {
        return Err(damaged("the archive ends too early"));
    }
    *position = at + RECORD_BYTES + size;
    Ok((RecordKind::of(letter).ok_or_else(|| damaged("a record has an unknown kind"))?, content))
}

fn json<T: DeserializeOwned>(content: &[u8], at: u64) -> Result<T, InvalidArchive> {
    serde_json::from_slice(content).map_err(|why| InvalidArchive::Damaged { why: why.to_string(), at })
}
