internal import MienCore
internal import MienPlatform
internal import NIOCore
internal import NIOHTTP1
internal import Synchronization

/// Writes one blob: a small one with a single request on commit, a large one as a multipart upload while data arrives.
///
/// At most one part is buffered. Every blob carries a tag of its writer, so that after a lost reply the writer can recognize its own
/// object.
actor S3BlobWriter: BlobWriter {
  private static let tagHeader = "x-amz-meta-mien-writer"

  private let client: S3Client
  private let drafts: PendingMultipartUploads
  private let key: String
  /// Writer tag of 32 hexadecimal digits, unique to this writer.
  private let writerTag: String
  /// `true` if the writer may replace an existing blob.
  private let replaces: Bool
  private var isOpen = true
  private var size = 0
  private var blobDigest: ContentDigest.Running?
  private var part = ByteBuffer()
  private var partDigest = ContentDigest.Running()
  /// Upload ID of the multipart upload, once there is one.
  private var upload: String?
  /// Entity tags of the uploaded parts.
  private var parts: [String] = []

  init(
    _ client: S3Client, key: String, drafts: PendingMultipartUploads, isDigested: Bool = false, replaces: Bool = false
  ) {
    self.replaces = replaces
    blobDigest = isDigested ? ContentDigest.Running() : nil
    self.client = client
    self.key = key
    self.drafts = drafts
    writerTag = Hexadecimal.encode(client.surroundings.randomBytes(16))
  }

  deinit { drafts.remove(self) }

  func write(_ bytes: [UInt8]) async throws {
    guard isOpen else { throw Self.closed }
    blobDigest?.take(bytes[...])
    size += bytes.count
    var rest = bytes[...]
    while !rest.isEmpty {
      // A full part is sent only when more data follows, because a blob that ends with it needs no multipart upload.
      if part.readableBytes == client.limits.part { try await sendPart() }
      let piece = rest.prefix(client.limits.part - part.readableBytes)
      part.writeBytes(piece)
      partDigest.take(piece)
      rest = rest.dropFirst(piece.count)
    }
  }

  func commit() async throws -> BlobInfo {
    guard isOpen else { throw Self.closed }
    do {
      if upload == nil {
        try await put()
      } else {
        try await sendPart()
        try await complete()
      }
    } catch {
      await discard()
      throw error
    }
    close()
    return BlobInfo(size: size, digest: blobDigest?.digest.bytes ?? [])
  }

  func discard() async {
    guard isOpen else { return }
    close()
    guard let upload else { return }
    let (client, key) = (client, key)
    // Runs in an unstructured task, so that a canceled caller also leaves nothing behind. An upload that cannot be aborted now is aborted
    // by garbage collection.
    await Task { _ = try? await client.send(S3Request(.DELETE, key, query: [("uploadId", upload)])) }.value
  }

  private func close() {
    isOpen = false
    part = ByteBuffer()
    drafts.remove(self)
  }

  /// Uploads the whole blob with one request.
  private func put() async throws {
    var request = S3Request(.PUT, key)
    request.headers = [("content-type", "application/octet-stream"), (Self.tagHeader, writerTag)]
    request.body = part
    request.digest = partDigest.digest
    try await finish(request)
  }

  /// Uploads the buffered part, and starts the multipart upload with the first one.
  private func sendPart() async throws {
    guard parts.count < client.limits.parts else {
      throw StoreError(.unavailable, reason: "A file has more parts than the object store allows.")
    }
    do {
      let upload = try await beginUpload()
      var request = S3Request(.PUT, key, query: [("partNumber", "\(parts.count + 1)"), ("uploadId", upload)])
      request.body = part
      request.digest = partDigest.digest
      let reply = try await client.send(request).reply
      guard let tag = reply.headers.first(name: "etag"), Self.isTag(tag) else { throw S3Error.broken }
      parts.append(tag)
    } catch let fault as S3Error {
      throw S3BlobStore.error("Writing a file", fault)
    }
    // Garbage collection may have aborted the upload meanwhile.
    guard isOpen else { throw Self.closed }
    part.clear()
    partDigest = ContentDigest.Running()
  }

  private func beginUpload() async throws -> String {
    if let upload { return upload }
    var request = S3Request(.POST, key, query: [("uploads", "")])
    request.headers = [("content-type", "application/octet-stream"), (Self.tagHeader, writerTag)]
    // Runs in an unstructured task: an upload whose ID was lost to cancellation could not be aborted before the garbage collection.
    let (client, beginning) = (client, request)
    let reply = try await Task { try await client.send(beginning).reply }.value
    guard let document = try? S3XMLNode.read(reply.body), document.name == "InitiateMultipartUploadResult",
      let upload = document["UploadId"]?.text, (1...1024).contains(upload.utf8.count)
    else { throw S3Error.broken }
    self.upload = upload
    return upload
  }

  private func complete() async throws {
    guard let upload else { return }
    let list = parts.enumerated().map { number, tag in
      "<Part><PartNumber>\(number + 1)</PartNumber><ETag>\(tag)</ETag></Part>"
    }
    let body = Array(
      "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">\(list.joined())</CompleteMultipartUpload>"
        .utf8)
    var request = S3Request(.POST, key, query: [("uploadId", upload)])
    request.headers = [("content-type", "application/xml")]
    request.body = ByteBuffer(bytes: body)
    request.digest = ContentDigest(of: body)
    try await finish(request)
  }

  /// Sends the request that makes the blob visible, unless its name is taken.
  private func finish(_ request: S3Request) async throws {
    var request = request
    do {
      if replaces {
        _ = try await client.send(request)
        return
      }
      do throws(S3Error) {
        var conditional = request
        conditional.headers.append(("if-none-match", "*"))
        _ = try await client.send(conditional)
      } catch {
        switch error {
        // The result is uncertain: the object may exist from an earlier attempt whose reply was lost, so check for the writer tag.
        case .status(412, _), .status(404, _), .status(409, _), .broken, .timeout, .noConnection:
          guard try await isOurs() else { throw error }
        case .status(501, _):
          // The store does not support conditional requests: check first. IDs are unguessable, so no race is expected.
          if try await existingTag() != nil { throw S3Error.status(412, nil) }
          request.headers.removeAll { $0.name == "if-none-match" }
          _ = try await client.send(request)
        default: throw error
        }
      }
    } catch let fault as S3Error {
      if case .status(412, _) = fault {
        throw StoreError(.duplicate, reason: "A file with this name already exists.")
      }
      throw S3BlobStore.error("Committing a file", fault)
    }
  }

  private func isOurs() async throws(S3Error) -> Bool { try await existingTag() == writerTag }

  /// Returns the writer tag of the existing blob, an empty string if it has none, or `nil` if there is no blob.
  private func existingTag() async throws(S3Error) -> String? {
    do throws(S3Error) {
      return try await client.send(S3Request(.HEAD, key)).reply.headers.first(name: Self.tagHeader) ?? ""
    } catch {
      guard case .status(404, _) = error else { throw error }
      return nil
    }
  }

  /// Validates an entity tag, which is sent back to the store within an XML document.
  private static func isTag(_ text: String) -> Bool {
    (1...256).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x21...0x7e).contains($0) && ![UInt8(ascii: "<"), UInt8(ascii: "&")].contains($0) }
  }

  private static var closed: StoreError { StoreError(.unavailable, reason: "The file has been closed.") }
}

/// Writers of blobs that were begun by this process and neither committed nor discarded.
final class PendingMultipartUploads: Sendable {
  private struct Draft {
    weak var writer: S3BlobWriter?
  }

  private let drafts = Mutex<[ObjectIdentifier: Draft]>([:])

  func add(_ writer: S3BlobWriter) {
    drafts.withLock { $0[ObjectIdentifier(writer)] = Draft(writer: writer) }
  }

  func remove(_ writer: S3BlobWriter) { drafts.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(writer)) } }

  /// Removes and returns all writers.
  func takeAll() -> [S3BlobWriter] {
    drafts.withLock { drafts in
      defer { drafts.removeAll() }
      return drafts.values.compactMap(\.writer)
    }
  }
}
