//! Writes archive files.

use super::format::{
    ArchiveEnd, ArchiveHeader, BlockEntry, MAGIC, RecordKind, TableEnd, TableStart, signed_message,
};
use crate::store::{ArchiveCounts, BlockIndex, CheckpointRow, DigestBuilder, HeadSigner, SealedBlock};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::io::{self, Write};

/// Writes the records of an archive, and computes its digests. It keeps no content in memory.
pub(super) struct ArchiveWriter<W> {
    out: W,
    digest: Sha256,
    length: u64,
    kept: DigestBuilder,
    counts: ArchiveCounts,
}

impl<W: Write> ArchiveWriter<W> {
    /// Starts an archive.
    pub(super) fn begin(out: W, header: &ArchiveHeader) -> io::Result<ArchiveWriter<W>> {
        let mut writer = ArchiveWriter {
            out,
            digest: Sha256::new(),
            length: 0,
            kept: DigestBuilder::default(),
            counts: ArchiveCounts::default(),
        };
        writer.bytes(MAGIC)?;
        writer.json(RecordKind::Header, header)?;
        Ok(writer)
    }

    /// Starts a table. Tables must be in the order of their ids.
    pub(super) fn table(&mut self, start: &TableStart) -> io::Result<()> {
        self.json(RecordKind::TableStart, start)
    }

    /// Writes the next block of the table. `index` is that of its rows.
    pub(super) fn block(&mut self, sealed: &SealedBlock, index: &BlockIndex) -> io::Result<()> {
        self.kept.block(&sealed.head, &sealed.digest, index);
        self.json(RecordKind::Block, &BlockEntry::of(sealed))?;
        self.record(RecordKind::Content, &sealed.content)
    }

    /// Ends the table.
    pub(super) fn end_table(&mut self, row: &CheckpointRow, end: &TableEnd) -> io::Result<()> {
        self.kept.checkpoint(row);
        self.counts.add(&end.counts);
        self.json(RecordKind::TableEnd, end)
    }

    /// Ends and signs the archive. Returns the output, which is not flushed.
    pub(super) fn finish(mut self, signer: &dyn HeadSigner) -> io::Result<W> {
        let end = ArchiveEnd { counts: self.counts, digests: self.kept.clone().finish() };
        self.json(RecordKind::End, &end)?;
        let digest: [u8; 32] = self.digest.clone().finalize().into();
        let signature = signer.sign(&signed_message(self.length, &digest));
        let signature =
            signature.ok_or_else(|| io::Error::other("there is no key to sign the archive with"))?;
        self.record(RecordKind::Signature, &signature)?;
        Ok(self.out)
    }

    fn json(&mut self, kind: RecordKind, value: &impl Serialize) -> io::Result<()> {
        self.record(kind, &serde_json::to_vec(value)?)
    }

    fn record(&mut self, kind: RecordKind, content: &[u8]) -> io::Result<()> {
        self.bytes(&[kind.letter()])?;
        self.bytes(&(content.len() as u64).to_be_bytes())?;
        self.bytes(content)
    }

    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.digest.update(bytes);
        self.length += bytes.len() as u64;
        self.out.write_all(bytes)
    }
}
