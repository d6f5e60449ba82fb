public import MienCore
public import MienService
internal import NIOHTTP1

/// Keeps blobs as objects of an S3-compatible store, each under its name within the address's prefix.
///
/// A blob is seen when its one `PUT` or the completion of its upload is; neither goes over another object. Requests are signed
/// with the digest of what they carry, tried again where that may help, and given up in the end with
/// ``StoreError/Code/unavailable``; nothing that is told names a blob, a key or a signature.
public struct S3BlobStore: BlobStore, HealthCheckable {
  /// A name that is nobody's blob: the sweep leaves it, whatever it is asked to keep.
  public static let installationMarker = BlobID("mien-installation")

  private static let headBytes = 128

  private let client: S3Client
  private let prefix: String
  private let previews = S3ObjectMetadataCache()
  private let drafts = PendingMultipartUploads()
  /// How old what nobody wants has to be before the sweep takes it away.
  private let grace: Interval

  /// - Parameter grace: what is younger the sweep leaves alone, since another server on the same bucket may just have written
  ///   it.
  public init(
    _ address: S3Address, credentials: S3Credentials, surroundings: S3ClientEnvironment,
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

  public func begin(_ id: BlobID) async throws -> any BlobWriter {
    let writer = S3BlobWriter(client, key: key(of: id), drafts: drafts)
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
        previews.forget(id)
        throw Self.missing
      }
      guard read.bytes.count == piece.count else { throw Self.error("Reading a file", .broken) }
      bytes += read.bytes
    }
    return bytes
  }

  /// Writes the whole object anew: an object is never changed in part, and the new one is seen when it is whole.
  public func overwrite(_ id: BlobID, beginningWith head: [UInt8]) async throws {
    guard let size = try await size(of: id) else { throw Self.missing }
    guard (0...min(size, 512)).contains(head.count) else {
      throw StoreError(.unavailable, reason: "A file is shorter than what should begin it.")
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
    previews.forget(id)
  }

  public func delete(_ id: BlobID) async throws -> Bool {
    // In a task of its own: what is to go goes, though whoever asked for it has left.
    try await Task {
      previews.forget(id)
      do throws(S3Error) {
        _ = try await client.send(S3Request(.HEAD, key(of: id)))
        _ = try await client.send(S3Request(.DELETE, key(of: id)))
        return true
      } catch {
        guard case .status(404, _) = error else { throw Self.error("Erasing a file", error) }
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
      // What is no blob of ours is none of our business.
      let ours = try await listing.objects().filter(isOld).compactMap { entry in
        id(of: entry.key).map { (id: $0, entry: entry) }
      }
      .filter { $0.id != Self.installationMarker }
      for start in stride(from: 0, to: ours.count, by: BlobID.mostAsked) {
        let some = ours[start...].prefix(BlobID.mostAsked)
        let kept = try await wanted(some.map(\.id))
        for (id, entry) in some where !kept.contains(id) {
          previews.forget(id)
          try await remove(S3Request(.DELETE, entry.key))
          count += 1
        }
      }
    } catch let fault as S3Error {
      throw Self.error("Listing files", fault)
    }
    return count
  }

  /// All kept blobs, in the order of their names.
  public func kept() async throws -> [BlobID] {
    do throws(S3Error) {
      return try await S3Listing(client: client, prefix: prefix).objects().compactMap { id(of: $0.key) }
        .filter { $0 != Self.installationMarker }
    } catch {
      throw Self.error("Listing files", error)
    }
  }

  /// An address under which anybody can read a blob for a while. The bytes are what is kept: of sealed blobs, noise.
  ///
  /// - Parameter lifetime: 1 second to 7 days; clamped.
  public func presigned(_ id: BlobID, for lifetime: Interval) -> String {
    client.signer.presigned(key(of: id), for: lifetime, at: client.surroundings.clock.timeOfDay())
  }

  /// Asks for the head of the installation's mark, whether it is there or not.
  public func reach() async throws {
    guard let mark = Self.installationMarker else { preconditionFailure("the mark's name is one of a blob") }
    do throws(S3Error) {
      try await client.reach(S3Request(.HEAD, key(of: mark)))
    } catch {
      guard case .status(404, _) = error else { throw Self.error("Looking at the object store", error) }
    }
  }

  /// True when the bucket keeps what is erased as old versions; nil when the store does not tell.
  public func keepsOldVersions() async throws -> Bool? {
    do throws(S3Error) {
      let reply = try await client.send(S3Request(.GET, nil, query: [("versioning", "")])).reply
      guard let document = try? S3XMLNode.read(reply.body) else { return nil }
      return document["Status"]?.text == "Enabled"
    } catch {
      // Not every key may ask, and not every store knows the question.
      if case .status = error, !error.isPassing { return nil }
      throw Self.error("Asking for the bucket's versioning", error)
    }
  }

  /// Size and first bytes of a blob; nil when there is none.
  private func metadata(_ id: BlobID) async throws -> S3ObjectMetadata? {
    if let known = previews[id] { return known }
    guard let read = try await get(id, 0..<Self.headBytes) else { return nil }
    let preview = S3ObjectMetadata(size: read.size, head: read.bytes)
    previews.keep(preview, of: id)
    return preview
  }

  /// Bytes of a blob, and how many it has in all; nil when there is none.
  private func get(_ id: BlobID, _ range: Range<Int>) async throws -> (bytes: [UInt8], size: Int)? {
    var request = S3Request(.GET, key(of: id))
    request.headers = [("range", "bytes=\(range.lowerBound)-\(range.upperBound - 1)")]
    request.limit = max(range.count, 64 << 10)
    do throws(S3Error) {
      let reply = try await client.send(request).reply
      guard reply.status == 206 else {
        // Of a small object some stores send the whole, though a part of it was asked for.
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

  /// What a fault is to those who keep blobs.
  static func error(_ what: String, _ fault: S3Error) -> any Error {
    fault == .cancelled ? CancellationError() : StoreError(.unavailable, reason: "\(what) failed. \(fault.reason)")
  }
}
