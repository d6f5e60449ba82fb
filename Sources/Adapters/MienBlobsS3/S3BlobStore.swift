public import MienCore
public import MienPlatform
internal import NIOHTTP1
internal import Synchronization

/// Stores blobs as objects of an S3-compatible store, each under its ID within the address's prefix.
///
/// A blob becomes visible with its single `PUT` or the completion of its multipart upload; neither overwrites another object. Requests
/// are signed together with the digest of their content, retried where that may help, and finally fail with
/// ``StoreError/Code/unavailable``. Error messages contain no blob ID, key, or signature.
public struct S3BlobStore: BlobStore, HealthCheckable {
  /// Reserved object name that is never a blob: garbage collection ignores it.
  public static let installationMarker = BlobID("mien-installation")

  private static let headBytes = 128

  private let client: S3Client
  private let prefix: String
  private let previews = S3ObjectMetadataCache()
  private let drafts = PendingMultipartUploads()
  /// Minimum age at which garbage collection deletes an unreferenced object.
  private let grace: Interval

  /// Creates a store.
  ///
  /// - Parameter grace: Minimum age for garbage collection, since another server on the same bucket may just have written an object.
  public init(
    _ address: S3Address, credentials: S3Credentials, surroundings: any S3ClientEnvironment,
    grace: Interval = .seconds(86_400)
  ) {
    self.init(
      S3Client(S3Signer(address: address, credentials: credentials), surroundings), prefix: address.prefix, grace: grace
    )
  }

  init(_ client: S3Client, prefix: String, grace: Interval) {
    self.client = client
    self.prefix = prefix
    self.grace = grace
  }

  public func begin(_ id: BlobID) async throws -> any BlobWriter { try await begin(id, isDigested: true) }

  public func begin(_ id: BlobID, isDigested: Bool) async throws -> any BlobWriter {
    let writer = S3BlobWriter(client, key: key(of: id), drafts: drafts, isDigested: isDigested)
    drafts.add(writer)
    return writer
  }

  public func size(of id: BlobID) async throws -> Int? { try await metadata(id)?.size }

  public func read(_ id: BlobID, _ range: Range<Int>) async throws -> [UInt8] {
    guard let preview = try await metadata(id) else { throw Self.missing }
    let wanted = range.clamped(to: 0..<preview.size)
    if wanted.upperBound <= preview.head.count { return Array(preview.head[wanted]) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(wanted.count)
    while bytes.count < wanted.count {
      let start = wanted.lowerBound + bytes.count
      let piece = start..<min(start + client.limits.reading, wanted.upperBound)
      guard let read = try await get(id, piece) else {
        previews.remove(id)
        throw Self.missing
      }
      guard read.bytes.count == piece.count else { throw Self.error("Reading a file", .broken) }
      bytes += read.bytes
    }
    return bytes
  }

  /// Rewrites the whole object: an object is never modified in part, and the new one becomes visible only when it is complete.
  public func overwrite(_ id: BlobID, beginningWith head: [UInt8]) async throws {
    guard let size = try await size(of: id) else { throw Self.missing }
    guard (0...min(size, 512)).contains(head.count) else {
      throw StoreError(.unavailable, reason: "A file is shorter than its new beginning.")
    }
    let writer = S3BlobWriter(client, key: key(of: id), drafts: drafts, replaces: true)
    drafts.add(writer)
    do {
      try await writer.write(head)
      var place = head.count
      while place < size {
        let piece = try await read(id, place..<min(place + client.limits.reading, size))
        guard !piece.isEmpty else { throw Self.error("Reading a file", .broken) }
        try await writer.write(piece)
        place += piece.count
      }
      _ = try await writer.commit()
    } catch {
      await writer.discard()
      throw error
    }
    previews.remove(id)
  }

  public func delete(_ id: BlobID) async throws -> Bool {
    // Runs in an unstructured task, so that the deletion completes even if the caller is canceled.
    try await Task {
      previews.remove(id)
      do throws(S3Error) {
        _ = try await client.send(S3Request(.HEAD, key(of: id)))
        _ = try await client.send(S3Request(.DELETE, key(of: id)))
        return true
      } catch {
        guard case .status(404, _) = error else { throw Self.error("Deleting a file", error) }
        return false
      }
    }.value
  }

  public func collectGarbage(keeping wanted: @Sendable ([BlobID]) async throws -> Set<BlobID>) async throws -> Int {
    var count = 0
    for writer in drafts.takeAll() {
      await writer.discard()
      count += 1
    }
    do {
      let listing = S3Listing(client: client, prefix: prefix)
      for entry in try await listing.uploads() where isOld(entry) && id(of: entry.key) != nil {
        try await remove(S3Request(.DELETE, entry.key, query: [("uploadId", entry.upload ?? "")]))
        count += 1
      }
      // Objects that are not blobs are ignored.
      let ours = try await listing.objects().filter(isOld).compactMap { entry in
        id(of: entry.key).map { (id: $0, entry: entry) }
      }
      .filter { $0.id != Self.installationMarker }
      for start in stride(from: 0, to: ours.count, by: BlobID.mostAsked) {
        let some = ours[start...].prefix(BlobID.mostAsked)
        let kept = try await wanted(some.map(\.id))
        for (id, entry) in some where !kept.contains(id) {
          previews.remove(id)
          try await remove(S3Request(.DELETE, entry.key))
          count += 1
        }
      }
    } catch let fault as S3Error {
      throw Self.error("Listing files", fault)
    }
    return count
  }

  /// Returns all committed blobs in key order.
  public func kept() async throws -> [BlobID] {
    do throws(S3Error) {
      return try await S3Listing(client: client, prefix: prefix).objects().compactMap { id(of: $0.key) }
        .filter { $0 != Self.installationMarker }
    } catch {
      throw Self.error("Listing files", error)
    }
  }

  /// Returns a presigned URL that grants read access to a blob without authentication. The content is as stored: ciphertext for encrypted
  /// blobs.
  ///
  /// - Parameter lifetime: 1 second to 7 days; clamped.
  public func presigned(_ id: BlobID, for lifetime: Interval) -> String {
    client.signer.presigned(key(of: id), for: lifetime, at: client.surroundings.clock.timeOfDay())
  }

  /// Checks availability with a `HEAD` request for the installation marker; a missing marker also counts as available.
  public func reach() async throws {
    guard let marker = Self.installationMarker else { preconditionFailure("the marker's name is a valid blob ID") }
    do throws(S3Error) {
      try await client.reach(S3Request(.HEAD, key(of: marker)))
    } catch {
      guard case .status(404, _) = error else { throw Self.error("Probing the object store", error) }
    }
  }

  /// Returns `true` if the bucket retains deleted objects as old versions, or `nil` if the store does not report it.
  public func keepsOldVersions() async throws -> Bool? {
    do throws(S3Error) {
      let reply = try await client.send(S3Request(.GET, nil, query: [("versioning", "")])).reply
      guard let document = try? S3XMLNode.read(reply.body) else { return nil }
      return document["Status"]?.text == "Enabled"
    } catch {
      // Some access keys lack the permission, and some stores do not support the request.
      if case .status = error, !error.isPassing { return nil }
      throw Self.error("Reading the bucket's versioning", error)
    }
  }

  /// Returns the size and first bytes of a blob, or `nil` if it does not exist.
  private func metadata(_ id: BlobID) async throws -> S3ObjectMetadata? {
    if let known = previews[id] { return known }
    guard let read = try await get(id, 0..<Self.headBytes) else { return nil }
    let preview = S3ObjectMetadata(size: read.size, head: read.bytes)
    previews.keep(preview, of: id)
    return preview
  }

  /// Returns bytes of a blob and its total size, or `nil` if it does not exist.
  private func get(_ id: BlobID, _ range: Range<Int>) async throws -> (bytes: [UInt8], size: Int)? {
    var request = S3Request(.GET, key(of: id))
    request.headers = [("range", "bytes=\(range.lowerBound)-\(range.upperBound - 1)")]
    request.limit = max(range.count, 64 << 10)
    do throws(S3Error) {
      let reply = try await client.send(request).reply
      guard reply.status == 206 else {
        // Some stores send a small object in full despite the range.
        guard range.lowerBound == 0, reply.body.count <= range.count else { throw .broken }
        return (reply.body, reply.body.count)
      }
      guard let said = reply.headers.first(name: "content-range"),
        let size = said.split(separator: "/").last.flatMap({ Int($0) }),
        said.hasPrefix("bytes \(range.lowerBound)-\(range.lowerBound + reply.body.count - 1)/"),
        !reply.body.isEmpty, size >= range.lowerBound + reply.body.count
      else { throw .broken }
      return (reply.body, size)
    } catch {
      switch error {
      case .status(404, "NoSuchKey"?), .status(404, nil): return nil
      // An empty object has no first byte.
      case .status(416, _) where range.lowerBound == 0: return ([], 0)
      default: throw Self.error("Reading a file", error)
      }
    }
  }

  private func remove(_ request: S3Request) async throws(S3Error) {
    do throws(S3Error) {
      _ = try await client.send(request)
    } catch {
      guard case .status(404, _) = error else { throw error }
    }
  }

  private func isOld(_ entry: S3Listing.Entry) -> Bool {
    guard let time = entry.time else { return false }
    return time.adding(grace) <= client.surroundings.clock.timeOfDay()
  }

  private func key(of id: BlobID) -> String { prefix + id.text }

  private func id(of key: String) -> BlobID? {
    key.hasPrefix(prefix) ? BlobID(String(key.dropFirst(prefix.count))) : nil
  }

  private static var missing: StoreError { StoreError(.missing, reason: "There is no such file.") }

  /// Converts an S3 error to the error that blob stores throw.
  static func error(_ what: String, _ fault: S3Error) -> any Error {
    fault == .cancelled ? CancellationError() : StoreError(.unavailable, reason: "\(what) failed. \(fault.reason)")
  }
}

/// Size and first bytes of a blob.
struct S3ObjectMetadata: Sendable {
  let size: Int
  let head: [UInt8]
}

/// Cache of blob metadata, so that reading a blob in pieces takes one request per piece. A blob is immutable and IDs are never reused, so
/// an entry can be stale only after a deletion, and then requests for its bytes fail.
final class S3ObjectMetadataCache: Sendable {
  private static let most = 512
  private let known = Mutex<[BlobID: S3ObjectMetadata]>([:])

  subscript(id: BlobID) -> S3ObjectMetadata? { known.withLock { $0[id] } }

  func keep(_ preview: S3ObjectMetadata, of id: BlobID) {
    known.withLock { known in
      if known.count >= Self.most { known.removeAll(keepingCapacity: true) }
      known[id] = preview
    }
  }

  func remove(_ id: BlobID) { known.withLock { _ = $0.removeValue(forKey: id) } }
}
