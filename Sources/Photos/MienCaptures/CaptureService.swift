public import MienPlatform
public import MienAuthenticity
public import MienImaging
public import MienCore

/// Use cases of captures: saving, reading, analyzing and deleting them, and verifying files.
public actor CaptureService {
  /// The result of verifying a file.
  public enum FileAnswer: Sendable {
    /// Captures with exactly these bytes, oldest first.
    case known([CaptureID])
    /// The file is not part of a capture; the results of checking it now.
    case unknown(DetectionResults)
  }

  /// A verified file.
  public struct VerifiedFile: Sendable {
    public let digest: ContentDigest
    public let answer: FileAnswer
    public let provenance: ProvenanceOutcome
  }

  /// Returns the server's credential for a photo of this capture, received at this time; `nil` if it cannot be signed.
  /// Called on a worker thread.
  public typealias Signing = @Sendable ([UInt8], CaptureID, UnixTime) -> ReceptionCredential?

  public nonisolated let settings: CaptureSettings
  nonisolated let store: any CaptureStore
  nonisolated let blobs: any BlobStore
  nonisolated let clock: any ServiceClock
  /// `nil` if the server verifies no attestations.
  nonisolated let verifier: (any AttestationVerifier)?
  /// Signs a photo as received; `nil` on a server without a certificate.
  nonisolated let signing: Signing?
  nonisolated let scheduler: AnalysisScheduler
  nonisolated let analysis: CaptureAnalysis
  /// Rate limiters per IP address: for sending captures and for verifying files.
  private var buckets: [CaptureRateClass: TokenBucketRateLimiter<String>]
  private var randomness: any RandomNumberGenerator & Sendable
  /// Captures being analyzed.
  var underWay: Set<CaptureID> = []
  private nonisolated let retention: PurgeCounter
  /// Raised when a capture was queued for analysis.
  public nonisolated let queued = WorkSignal()
  /// Captures whose files could not be read recently, and the time of the next attempt.
  var setAside: [CaptureID: MonotonicInstant] = [:]

  public init(
    store: any CaptureStore, blobs: any BlobStore, clock: any ServiceClock, settings: CaptureSettings,
    reader: any CaptureDecoding, scheduler: AnalysisScheduler, verifier: (any AttestationVerifier)? = nil,
    signing: Signing? = nil, generator: any RandomNumberGenerator & Sendable, retention: PurgeCounter = PurgeCounter()
  ) {
    self.retention = retention
    self.store = store
    self.verifier = verifier
    self.signing = signing
    self.blobs = blobs
    self.clock = clock
    self.settings = settings
    self.scheduler = scheduler
    let rate = settings.capturesPerHour
    buckets =
      rate > 0
      ? Dictionary(
        uniqueKeysWithValues: CaptureRateClass.allCases.map {
          ($0, TokenBucketRateLimiter(burst: min(rate, 120), perHour: rate))
        })
      : [:]
    analysis = CaptureAnalysis(reader: reader, scheduler: scheduler)
    self.randomness = generator
  }

  /// Counts a request without an API key against the rate limit.
  ///
  /// - Parameter caller: one key for all clients behind an address.
  /// - Throws: ``ServiceError`` with `too-many-requests` if the limit is exceeded.
  public func admit(_ request: CaptureRateClass, of caller: String) throws {
    guard let wait = buckets[request]?.take(for: caller, at: clock.now()) else { return }
    let seconds = max(1, Int(wait.inSeconds.rounded(.up)))
    throw ServiceError(
      .tooManyRequests, "Too many requests came from this address. Try again in \(seconds) s.", retryAfter: seconds)
  }

  // MARK: - Devices

  /// Registers a device's key. Registering the same key again changes nothing.
  public func register(_ id: DeviceID, key: DeviceKey) async throws -> CaptureDevice {
    let device = CaptureDevice(id: id, key: key, counter: 0, created: clock.timeOfDay())
    do {
      try await store.save(device)
      return device
    } catch let error as StoreError where error.code == .duplicate {
      guard let kept = try await store.device(id), kept.key == key else {
        throw Self.deviceExists
      }
      return kept
    }
  }

  static var deviceExists: ServiceError {
    ServiceError(
      .deviceExists, "A device of this name is registered with another key. Erase it first, or use another name.")
  }

  /// Returns an unguessable text.
  func secret(prefix: String) -> String { RandomTokens.make(prefix: prefix, count: 43, using: &randomness) }

  public func deleteDevice(_ id: DeviceID) async throws {
    guard try await store.deleteDevice(id) else {
      throw ServiceError(.notFound, "There is no device of this name on this server.")
    }
  }

  // MARK: - Receiving

  /// Throws if a check already has as many captures as its token may send.
  package nonisolated func expectRoom(for check: CheckID) async throws {
    guard try await store.captures(of: check).count < settings.checkLimits.count else {
      throw CheckCaptureLimits.exceeded
    }
  }

  /// Runs work that receives the bytes of files; see ``BlobStore/nearby(_:)``.
  public nonisolated func nearby<Value>(_ work: () async throws -> Value) async throws -> Value {
    try await blobs.nearby(work)
  }

  /// Begins a file of a draft.
  ///
  /// Only its name is created on the actor: inside `nearby`, the caller's thread waits for the disk, and other requests
  /// must not wait with it.
  public nonisolated func begin() async throws -> PendingBlob {
    let id = await newBlob()
    return PendingBlob(blob: id, writer: try await blobs.begin(id))
  }

  private func newBlob() -> BlobID { BlobID(using: &randomness) }

  /// Reads the provenance of a photo from the first bytes of its file.
  public nonisolated func provenance(of head: [UInt8]) -> ImageProvenance { analysis.reader.provenance(of: head) }

  /// Returns the media type of a photo by the first bytes of its file.
  ///
  /// - Throws: ``ServiceError`` with `notAImage` for other files.
  public nonisolated func imageType(of head: [UInt8]) throws -> String {
    do {
      return try analysis.reader.imageType(of: head)
    } catch let error as ServiceError where error.code == .notAImage {
      throw ServiceError(.notAImage, "\"photo\": \(error.reason)")
    }
  }

  /// Measured error rates of the checks, those of this server's versions first.
  public nonisolated var errorRates: [PublishedErrorRates] {
    PublishedErrorRates.shipped(withNetwork: analysis.reader.hasNetwork)
  }

  /// Number of a photo's first bytes that ``imageType(of:)`` and ``provenance(of:)`` need.
  public nonisolated var headBytes: Int { analysis.reader.headBytes }

  /// Saves a capture completely; if it throws, nothing is stored.
  ///
  /// - Parameters:
  ///   - owner: digest of the API key or check that sends it.
  ///   - check: the check whose token sends it; `nil` with an API key or without either.
  /// - Returns: the capture, and the receipt for deleting it, which is not stored.
  public func take(
    _ draft: CaptureDraft, owner: SecretDigest? = nil, check: CheckID? = nil
  ) async throws -> (capture: CaptureRecord, receipt: String) {
    let receipt = secret(prefix: "rcp_")
    let id = CaptureID(in: settings.realm, using: &randomness)
    do {
      try Self.check(draft)
      let photo = try await Self.kept(draft.photo) ?? draft.digests?[.photo].map(Self.absent)
      guard let photo else { throw ServiceError(.badValue, "\"digests\" must include the digest of the photo.") }
      let depth = try await Self.kept(draft.depth) ?? draft.digests?[.depth].map(Self.absent)
      let motion = try await Self.motion(of: draft)
      var capture = CaptureRecord(
        id: id, owner: owner, check: check, receipt: SecretDigest(of: receipt), received: clock.timeOfDay(),
        photo: photo,
        photoType: draft.photoType, depth: depth, motion: motion, metadata: draft.metadata,
        detection: draft.detection, claims: draft.claims,
        signature: try await facts(of: draft, photo: photo, depth: depth, motion: motion),
        state: draft.digests == nil ? .queued : .hashOnly)
      capture = try await keep(capture)
      if capture.state == .queued { queued.raise() }
      return (capture, receipt)
    } catch {
      // Files that were already committed belong to no capture; any that cannot be deleted now are deleted at the next
      // start. If the database did not respond, it may have stored the capture, and the files are kept.
      for file in draft.files {
        await file.writer.discard()
        if (try? await store.wants(file.blob)) == false { _ = try? await blobs.delete(file.blob) }
      }
      throw error
    }
  }

  private nonisolated func keep(_ capture: CaptureRecord) async throws -> CaptureRecord {
    let quota = settings.quotas.bytes(for: capture.check)
    do {
      return try await store.save(
        capture, quota: quota, checkLimits: capture.check == nil ? nil : settings.checkLimits)
    } catch let error as StoreError where error.code == .full {
      if capture.check != nil { throw CheckCaptureLimits.exceeded }
      throw StorageQuotas.exceeded(quota, by: capture.check)
    } catch let error as StoreError where error.code == .missing {
      throw ServiceError(.notFound, "The check of this capture has been erased.")
    }
  }

  private static func check(_ draft: CaptureDraft) throws {
    guard (draft.photo == nil) != (draft.digests == nil) else {
      throw ServiceError(.badValue, "Send either a \"photo\" or, to keep it private, \"digests\".")
    }
    guard draft.digests == nil || (draft.depth ?? draft.burst?.file ?? draft.clip) == nil else {
      throw ServiceError(.badValue, "With \"digests\", do not send a \"depth_map\", \"burst\" or \"clip\".")
    }
    let digests = draft.digests
    guard draft.burst == nil || draft.clip == nil, digests?[.burst] == nil || digests?[.clip] == nil else {
      throw ServiceError(.badValue, "Send either a \"burst\" or a \"clip\".")
    }
    guard draft.assertion == nil || draft.signature != nil else {
      throw ServiceError(.badValue, "An \"assertion\" covers the signed text: send the \"signature\" as well.")
    }
    if let times = draft.claims.metadata?.burstTimes, let burst = draft.burst, times.count != burst.frames.count {
      throw ServiceError(
        .badValue, "\"burst_times\" has \(times.count) times for \(burst.frames.count) pictures of \"burst\".")
    }
  }

  private static func kept(_ file: PendingBlob?) async throws -> CaptureRecord.File? {
    guard let file else { return nil }
    let written = try await file.writer.commit()
    guard let digest = ContentDigest(bytes: written.digest) else { preconditionFailure("a digest has 32 bytes") }
    return CaptureRecord.File(digest: digest, size: written.size, blob: file.blob)
  }

  private static func motion(of draft: CaptureDraft) async throws -> CaptureMotionMedia? {
    if let burst = draft.burst, let file = try await kept(burst.file) {
      return CaptureMotionMedia(
        kind: .burst, digest: CaptureMotionMedia.digest(of: burst.frames), size: file.size, blob: file.blob,
        frames: burst.frames)
    }
    if let file = try await kept(draft.clip) {
      return CaptureMotionMedia(
        kind: .clip, digest: file.digest, size: file.size, blob: file.blob, type: draft.clipType)
    }
    return draft.digests?[.burst].map { CaptureMotionMedia(kind: .burst, digest: $0) }
      ?? draft.digests?[.clip].map { CaptureMotionMedia(kind: .clip, digest: $0) }
  }

  private static func absent(_ digest: ContentDigest) -> CaptureRecord.File {
    CaptureRecord.File(digest: digest, size: nil, blob: nil)
  }

  private func facts(
    of draft: CaptureDraft, photo: CaptureRecord.File, depth: CaptureRecord.File?, motion: CaptureMotionMedia?
  ) async throws -> SignatureOutcome? {
    guard let signature = draft.signature else { return nil }
    guard let device = try await store.device(signature.device) else {
      return SignatureOutcome(
        device: signature.device, counter: signature.counter, standing: .deviceUnknown, changed: [])
    }
    guard signature.isValid(under: device.key) else {
      return SignatureOutcome(device: signature.device, counter: signature.counter, standing: .invalid, changed: [])
    }
    var came = CaptureDigests()
    came[.photo] = photo.digest
    came[.depth] = depth?.digest
    if let motion { came[motion.part] = motion.digest }
    came[.metadata] = draft.metadata.map { ContentDigest(of: $0) }
    came[.detection] = draft.detection.map { ContentDigest(of: $0) }
    return SignatureOutcome(
      device: signature.device, counter: signature.counter, standing: .valid,
      changed: signature.signed.differences(to: came),
      attestation: attestation(of: draft.assertion, by: device, over: signature.text))
  }

  // MARK: - Reading

  /// Returns the capture with this ID.
  public nonisolated func capture(_ text: String) async throws -> CaptureRecord {
    guard let id = CaptureID(text), let capture = try await store.capture(id) else {
      throw ServiceError(.notFound, "There is no such capture on this server, or it has been erased.")
    }
    return capture
  }

  public nonisolated func visualizations(of id: CaptureID) async throws -> [CaptureVisualization.Kind] {
    try await store.visualizations(of: id)
  }

  /// Returns a visualization as PNG.
  public nonisolated func visualization(_ kind: CaptureVisualization.Kind, of id: CaptureID) async throws -> [UInt8] {
    guard let bytes = try await store.visualization(kind, of: id) else {
      throw ServiceError(.notFound, "There is no such visualization of this capture.")
    }
    return bytes
  }

  /// Returns a byte range of a capture's file.
  public nonisolated func bytes(of blob: BlobID, _ range: Range<Int>) async throws -> [UInt8] {
    try await blobs.read(blob, range)
  }

  /// Number of captures and files that this server is analyzing or that wait for a slot; captures queued in the store
  /// do not count.
  public nonisolated func load() async -> Int { await scheduler.load }

  /// Returns the progress of a capture's analysis; `nil` unless its checks are running.
  public nonisolated func progress(of id: CaptureID) async -> AnalysisProgress? { await scheduler.progress(of: id) }

  // MARK: - Deleting

  /// Deletes a capture if the receipt is the right one.
  public nonisolated func delete(_ text: String, receipt: String?) async throws {
    let capture = try await capture(text)
    guard let receipt, capture.receipt == SecretDigest(of: receipt) else {
      throw ServiceError(
        .unauthorized, "This needs the capture's receipt or an API key: send it as \"Authorization: Bearer …\".")
    }
    try await delete(capture.id)
  }

  /// Deletes a capture with its files. The files are deleted first, so that their IDs are still stored if one of them
  /// cannot be deleted.
  public nonisolated func delete(_ id: CaptureID) async throws {
    // A capture that cannot be decrypted is deleted all the same.
    if let capture = try? await store.capture(id) {
      for blob in [capture.photo.blob, capture.depth?.blob, capture.motion?.blob].compactMap({ $0 }) {
        _ = try await blobs.delete(blob)
      }
    }
    guard let files = try await store.deleteCapture(id) else {
      throw ServiceError(.notFound, "There is no such capture on this server, or it has been erased.")
    }
    for file in files { _ = try await blobs.delete(file) }
  }

  /// Deletes the captures made with a check's token.
  package func deleteCaptures(of check: CheckID) async throws -> ErasureCounts {
    try await deleteAll(store.captures(of: check))
  }

  /// Deletes the captures made with tokens of a person's checks.
  package func deleteCaptures(of person: PersonID) async throws -> ErasureCounts {
    try await deleteAll(store.captures(of: person))
  }

  /// Deletes captures whose check no longer exists.
  @discardableResult
  package func deleteCapturesWithoutCheck() async throws -> ErasureCounts {
    try await deleteAll(store.capturesWithoutCheck())
  }

  private nonisolated func deleteAll(_ ids: [CaptureID]) async throws -> ErasureCounts {
    var (deleted, failure): (ErasureCounts, (any Error)?) = (ErasureCounts(), nil)
    for id in ids {
      do {
        let capture = try? await store.capture(id)
        try await delete(id)
        deleted[.captures] += 1
        deleted[.captureFiles] +=
          [capture?.photo.blob, capture?.depth?.blob, capture?.motion?.blob].count { $0 != nil }
      } catch let error as ServiceError where error.code == .notFound {
        continue  // deleted since it was listed
      } catch {
        failure = error  // one that cannot be deleted yet does not stop the others
      }
    }
    if let failure { throw failure }
    return deleted
  }

  /// Deletes files that no capture references. Call it once, before the first request.
  public nonisolated func collectBlobGarbage() async throws {
    _ = try await blobs.collectGarbage { try await self.store.wanted(of: $0) }
  }

  /// Ends every analysis that takes too long, and deletes captures past their retention period.
  public nonisolated func expireAndPurge() async throws {
    await scheduler.expireAndPurge()
    try await deleteCapturesWithoutCheck()
    guard let lifetime = settings.lifetime else { return }
    let time = clock.timeOfDay().adding(Interval(nanoseconds: -lifetime.nanoseconds))
    var failure: (any Error)?
    for id in try await store.captures(receivedBefore: time, limit: 100) {
      do {
        try await delete(id)
        retention.note(.captures, 1)
      } catch let error as ServiceError where error.code == .notFound {
        continue  // deleted since it was listed
      } catch {
        failure = error  // one that cannot be deleted yet does not stop the others
      }
    }
    if let failure { throw failure }
  }
}
