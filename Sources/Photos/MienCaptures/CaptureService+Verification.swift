public import MienPlatform

/// Verification of files.
extension CaptureService {
  /// Returns the captures with exactly these bytes, or analyzes the file if there are none, and the file's provenance.
  /// Stores nothing of the file.
  ///
  /// - Throws: ``ServiceError`` with `notAImage` and the name of the format for a file that is not a photo, unless it is
  ///   part of a capture. A GIF is not examined, but its content credential is read.
  public nonisolated func verify(_ file: PendingBlob) async throws -> VerifiedFile {
    let outcome: Result<VerifiedFile, any Error>
    do {
      outcome = .success(try await answer(file.blob, try await file.writer.commit()))
    } catch {
      outcome = .failure(error)
    }
    await file.writer.discard()
    _ = try await blobs.delete(file.blob)
    return try outcome.get()
  }

  private nonisolated func answer(
    _ file: BlobID, _ written: BlobInfo
  ) async throws -> VerifiedFile {
    guard let digest = ContentDigest(bytes: written.digest) else { preconditionFailure("a digest has 32 bytes") }
    let known = try await store.captures(of: digest, limit: 8)
    return try await scheduler.atPlace {
      let bytes = try await whole(file, written.size)
      guard known.isEmpty else {
        return VerifiedFile(digest: digest, answer: .known(known), provenance: try await analysis.provenance(of: bytes))
      }
      if !bytes.starts(with: "GIF8".utf8) {
        _ = try analysis.reader.imageType(of: Array(bytes.prefix(analysis.reader.headBytes)))
      }
      let outcome = try await analysis.analyze(at: CaptureAnalysis.Files(photo: bytes))
      return VerifiedFile(digest: digest, answer: .unknown(outcome.results), provenance: outcome.provenance)
    }
  }
}
