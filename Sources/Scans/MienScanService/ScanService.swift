public import MienPlatform
public import MienCore

/// The use cases of depth scans: receive files, process, query, list and delete them.
public actor ScanService {
  public nonisolated let settings: ScanSettings
  nonisolated let store: any ScanStore
  nonisolated let blobs: any BlobStore
  nonisolated let clock: any ServiceClock
  nonisolated let processor: any ScanProcessor
  /// Traces scan processing.
  nonisolated let traces: TracingContext
  var randomness: any RandomNumberGenerator & Sendable
  /// Uploads for which a request is sending bytes.
  var busy: Set<UploadID> = []
  /// Digests of what unfinished uploads have, with the number of bytes.
  var digests: [UploadID: (offset: Int, digest: ContentDigest.Running)] = [:]
  /// Number of scans being created, by owner.
  private var beginning: [SecretDigest?: Int] = [:]
  /// Current processing tasks.
  var running: [ScanID: Task<Void, any Error>] = [:]
  /// Time at which a scan's progress was last stored.
  var told: [ScanID: MonotonicInstant] = [:]
  /// Interrupted scans whose outcome is not stored yet, with the reason.
  var unsettled: [(scan: ScanRecord, reason: any Error)] = []
  /// Time since which stores or the disk have failed a scan.
  var troubled: [ScanID: MonotonicInstant] = [:]
  /// Time before which no scan is acquired after a failure of stores or the disk.
  var restsUntil: MonotonicInstant?
  /// `true` if the store may have failed while acquiring a scan.
  var mayHaveTaken = false
  /// The most recently opened bundle.
  var opened: (blob: BlobID, images: any ScanDepthImages)?
  /// Time of the last cleanup.
  var tidied: MonotonicInstant?
  nonisolated let retention: PurgeCounter
  private nonisolated let queued: WorkSignal

  /// - Parameter queued: raised when a scan was queued for processing.
  public init(
    store: any ScanStore, blobs: any BlobStore, clock: any ServiceClock,
    settings: ScanSettings, processor: any ScanProcessor, generator: any RandomNumberGenerator & Sendable,
    traces: TracingContext = .off,
    retention: PurgeCounter = PurgeCounter(), queued: WorkSignal = WorkSignal()
  ) {
    self.queued = queued
    self.retention = retention
    self.store = store
    self.blobs = blobs
    self.clock = clock
    self.settings = settings
    self.processor = processor
    self.traces = traces
    self.randomness = generator
  }

  nonisolated var uploads: UploadStore {
    UploadStore(store, blobs: blobs, clock: clock) { await self.newBlob() }
  }

  // MARK: - Creating

  /// A file announced by the client.
  public struct Announced: Hashable, Sendable {
    public let name: String
    public let bytes: Int
    public let type: String?

    public init(name: String, bytes: Int, type: String?) {
      self.name = name
      self.bytes = bytes
      self.type = type
    }
  }

  /// Creates a scan whose files arrive by uploads.
  ///
  /// - Parameters:
  ///   - check: the check whose token creates the scan; `nil` with an API key or without authentication.
  ///   - request: the client's idempotency key; if it was used before, the scan created then is returned.
  ///   - maximumBytes: maximum total size of all files; `nil` for the server's limit.
  public func create(
    _ files: [Announced], subject: String?, label: String?, kind: ScanRecord.Kind, photosExpected: Int,
    options: ScanRecord.Options = ScanRecord.Options(), owner: SecretDigest?, check: CheckID? = nil,
    request: String? = nil, maximumBytes: Int? = nil
  ) async throws -> (scan: ScanRecord, isNew: Bool) {
    if let request {
      guard IdentifierRules.isPlain(request) else {
        throw ServiceError(.badValue, "Idempotency-Key must be 1 to 64 characters of A–Z a–z 0–9 - _.")
      }
      if let known = try await store.scan(of: owner, request: request) {
        return (try await scan(known.text), false)
      }
    }
    // Concurrent requests may not be in the store yet.
    let ahead = beginning[owner, default: 0]
    beginning[owner] = ahead + 1
    defer { beginning[owner] = beginning[owner].flatMap { $0 > 1 ? $0 - 1 : nil } }
    guard try await store.openScans(of: owner) + ahead < settings.maximumOpen else {
      throw ServiceError(
        .tooManyRequests,
        "\(settings.maximumOpen) scans are waiting for their files, the maximum per key. Submit or delete some.",
        retryAfter: 60)
    }
    try checkFiles(files, within: maximumBytes ?? settings.maximumBytes)
    let scan = ScanRecord(
      id: ScanID(of: settings.realm, using: &randomness), check: check, subject: try subjectID(subject),
      label: try Self.checked(label),
      kind: kind, photosExpected: photosExpected, options: options, created: clock.timeOfDay(),
      changed: clock.timeOfDay(), status: .uploading, files: files.map { announced($0) })
    do {
      try await keep(scan, owner, request)
    } catch let error as StoreError where error.code == .duplicate {
      // The same request was received twice concurrently.
      guard let request, let known = try await store.scan(of: owner, request: request) else { throw error }
      return (try await self.scan(known.text), false)
    }
    return (try await self.scan(scan.id.text), true)
  }

  private func announced(_ file: Announced) -> ScanRecord.File {
    ScanRecord.File(
      name: file.name, bytes: file.bytes, received: 0, type: file.type ?? "application/octet-stream",
      upload: UploadID(of: settings.realm, using: &randomness))
  }

  /// Adds a file to a scan that accepts files.
  ///
  /// - Parameter maximumBytes: maximum total size of all files; `nil` for the server's limit.
  public func announce(_ file: Announced, to text: String, maximumBytes: Int? = nil) async throws -> UploadID {
    let maximumBytes = maximumBytes ?? settings.maximumBytes
    let scan = try await scan(text)
    try checkFiles(
      scan.files.map { Announced(name: $0.name, bytes: $0.bytes, type: nil) } + [file], within: maximumBytes)
    let added = announced(file)
    guard let upload = added.upload else { preconditionFailure("what is announced has an upload") }
    let outcome: AddFileResult
    do {
      let limits = ScanFileLimits(
        files: settings.maximumFiles, bytes: maximumBytes, ownerBytes: settings.quotas.bytes(for: scan.check))
      outcome = try await store.addFile(added, to: scan.id, within: limits, at: clock.timeOfDay())
    } catch let error as StoreError where error.code == .duplicate {
      throw Self.duplicateName(file.name)
    }
    switch outcome {
    case .added: return upload
    case .closed: throw ServiceError(.wrongState, "This scan accepts no more files: it is \(scan.status.rawValue).")
    case .overQuota: throw StorageQuotas.exceeded(settings.quotas.bytes(for: scan.check), by: scan.check)
    // Other files were added since the scan was loaded.
    case .full:
      throw ServiceError(
        .bodyTooLarge,
        "A scan has at most \(settings.maximumFiles) files and \(maximumBytes) bytes; send it as an archive.")
    }
  }

  private static func duplicateName(_ name: String) -> ServiceError {
    ServiceError(.badValue, "\"\(name)\" appears twice.")
  }

  private func checkFiles(_ files: [Announced], within maximumBytes: Int) throws {
    guard files.count <= settings.maximumFiles else {
      throw ServiceError(.bodyTooLarge, "A scan has at most \(settings.maximumFiles) files; send it as an archive.")
    }
    var names: Set<String> = []
    var total = 0
    for file in files {
      guard ScanNameRules.isFileName(file.name) else {
        throw ServiceError(
          .badValue, "\"name\" of a file must be a plain name or a relative path of up to four parts.")
      }
      guard names.insert(file.name).inserted else {
        throw Self.duplicateName(file.name)
      }
      guard file.type.map({ (1...100).contains($0.utf8.count) }) != false else {
        throw ServiceError(.badValue, "\"type\" of a file must be 1 to 100 characters.")
      }
      guard file.bytes >= 1 else { throw ServiceError(.badValue, "\"\(file.name)\" is empty.") }
      total = total.addingReportingOverflow(file.bytes).overflow ? .max : total + file.bytes
      guard total <= maximumBytes else {
        throw ServiceError(.bodyTooLarge, "A scan may have \(maximumBytes) bytes at most.")
      }
    }
  }

  private static func checked(_ label: String?) throws -> String? {
    guard let label, !label.isEmpty else { return nil }
    guard label.utf8.count <= 200 else { throw ServiceError(.badValue, "\"label\" must be at most 200 bytes long.") }
    try refuseZero(in: label, "label")
    return label
  }

  /// Rejects null characters, which not every store can hold.
  static func refuseZero(in text: String?, _ name: String) throws {
    guard text?.utf8.contains(0) != true else {
      throw ServiceError(.badValue, "\"\(name)\" must not contain a null character.")
    }
  }

  private func subjectID(_ text: String?) throws -> ScanSubjectID? {
    guard let text, !text.isEmpty else { return nil }
    guard let id = ScanSubjectID(text) else { throw Self.noSubject }
    return id
  }

  private static var noCheck: ServiceError { ServiceError(.notFound, "The check of this scan has been erased.") }

  static var noSubject: ServiceError { ServiceError(.badValue, "There is no such subject on this server.") }

  private nonisolated func keep(_ scan: ScanRecord, _ owner: SecretDigest?, _ request: String?) async throws {
    let quota = settings.quotas.bytes(for: scan.check)
    do {
      try await store.save(scan, owner: owner, request: request, quota: quota)
    } catch let error as StoreError where error.code == .missing {
      throw scan.subject == nil ? Self.noCheck : Self.noSubject
    } catch let error as StoreError where error.code == .full {
      throw StorageQuotas.exceeded(quota, by: scan.check)
    }
  }

  // MARK: - Receiving whole scans

  /// Runs work that writes blob bytes; see ``BlobStore/nearby(_:)``.
  public nonisolated func nearby<Value>(_ work: () async throws -> Value) async throws -> Value {
    try await blobs.nearby(work)
  }

  /// Creates the blob of a draft's file or a result.
  ///
  /// Only its ID is generated on the actor: waiting for the disk there would block all other requests.
  public nonisolated func begin() async throws -> PendingBlob {
    let id = await newBlob()
    return PendingBlob(blob: id, writer: try await blobs.begin(id))
  }

  /// Returns an unguessable blob ID.
  func newBlob() -> BlobID { BlobID(using: &randomness) }

  /// Stores a whole scan and queues it; nothing is stored if it throws. If a scan of exactly the same files exists,
  /// that scan is returned instead.
  ///
  /// - Parameter request: as in ``create(_:subject:label:kind:photosExpected:options:owner:check:request:maximumBytes:)``;
  ///   rejected if it already created a scan.
  public func take(
    _ draft: ScanDraft, owner: SecretDigest?, check: CheckID? = nil, request: String? = nil
  ) async throws -> ScanRecord {
    let id = ScanID(of: settings.realm, using: &randomness)
    do {
      guard !draft.files.isEmpty else { throw ServiceError(.badValue, "The form contains no file.") }
      let now = clock.timeOfDay()
      var files: [ScanRecord.File] = []
      for part in draft.files {
        let written = try await part.file.writer.commit()
        files.append(
          ScanRecord.File(
            name: part.name, bytes: written.size, received: written.size, type: part.type, blob: part.file.blob,
            digest: ContentDigest(bytes: written.digest)))
      }
      let content = Self.content(of: files)
      // Data of a check is deleted with it, so it is not shared with other owners in either direction.
      if check == nil, let known = try await store.scan(ofContent: content), let scan = try await store.scan(known) {
        await remove(draft, of: id)
        return scan
      }
      let scan = ScanRecord(
        id: id, check: check, subject: try subjectID(draft.subject), label: try Self.checked(draft.label), kind: .face,
        photosExpected: 3, created: now, changed: now, status: .queued, files: files)
      do {
        try await keep(scan, owner, request)
      } catch let error as StoreError where error.code == .duplicate {
        throw ServiceError(.wrongState, "This request has already created a scan.")
      }
      queued.raise()
      // The scan is stored: only duplicate detection depends on this.
      if check == nil { try? await store.setContent(content, of: scan.id) }
      return scan
    } catch {
      // A database that did not respond may have stored it. In a separate task: a store does nothing for a canceled
      // one.
      await Task { await remove(draft, of: id) }.value
      throw error
    }
  }

  /// Deletes a scan's received files, unless it was stored after all. Files that cannot be deleted now are deleted at
  /// the next start.
  private func remove(_ draft: ScanDraft, of id: ScanID) async {
    for part in draft.files { await part.file.writer.discard() }
    await deleteUnwanted(draft.files.map(\.file.blob), of: id)
  }

  /// Returns the digest of a set of files, by their names and digests.
  static func content(of files: [ScanRecord.File]) -> ContentDigest {
    let lines = files.map { "\($0.name)\n\($0.digest.map(\.description) ?? "")\n" }.sorted()
    return ContentDigest(of: Array(lines.joined().utf8))
  }

  // MARK: - Submitting

  /// Queues a scan whose files are complete. A scan that was already submitted is returned unchanged.
  public func submit(_ text: String) async throws -> ScanRecord {
    let scan = try await scan(text)
    guard scan.status == .uploading else { return scan }
    guard !scan.files.isEmpty else { throw ServiceError(.filesIncomplete, "The scan has no file yet.") }
    for file in scan.files where !file.isWhole && file.received == file.bytes {
      do {
        if let upload = file.upload { try await complete(upload, file, digest: nil) }
      } catch let error as ServiceError where error.code == .offsetMismatch {
        // The received bytes are lost: the file is reported as missing below.
      }
    }
    guard
      try await store.move(scan.id, from: [.uploading], to: .queued, problem: nil, at: clock.timeOfDay())
    else {
      let now = try await self.scan(text)
      guard now.status == .uploading else { return now }
      let missing = now.files.filter { !$0.isWhole }.map(\.name)
      let named =
        missing.prefix(5).joined(separator: ", ") + (missing.count > 5 ? " and \(missing.count - 5) more" : "")
      throw ServiceError(.filesIncomplete, "Some files are incomplete: \(named).")
    }
    queued.raise()
    return try await self.scan(text)
  }

  /// Cancels a scan.
  public func cancel(_ text: String) async throws -> ScanRecord {
    let scan = try await scan(text)
    let moved = try await store.move(
      scan.id, from: [.uploading, .queued, .working], to: .cancelled, problem: nil, at: clock.timeOfDay())
    if moved { running[scan.id]?.cancel() }
    guard moved || scan.status == .cancelled else {
      throw ServiceError(.wrongState, "The scan is \(scan.status.rawValue): there is nothing to cancel.")
    }
    return try await self.scan(text)
  }

  /// Processes a scan again.
  public func retry(_ text: String) async throws -> ScanRecord {
    let scan = try await scan(text)
    guard !scan.files.isEmpty, scan.files.allSatisfy(\.isWhole) else {
      throw ServiceError(.filesIncomplete, "Some files of this scan are incomplete.")
    }
    try await store.setAttempts(0, of: scan.id)
    guard
      try await store.move(
        scan.id, from: [.done, .failed, .cancelled], to: .queued, problem: nil, at: clock.timeOfDay())
    else { throw ServiceError(.wrongState, "The scan is \(scan.status.rawValue) already.") }
    queued.raise()
    return try await self.scan(text)
  }

  /// Sets subject and label; `nil` leaves a value unchanged, an empty text removes it.
  public func describe(_ text: String, subject: String?, label: String?) async throws -> ScanRecord {
    let scan = try await scan(text)
    let newSubject = subject == nil ? scan.subject : try subjectID(subject)
    let newLabel = label == nil ? scan.label : try Self.checked(label)
    do {
      guard try await store.describe(scan.id, subject: newSubject, label: newLabel) else { throw Self.noScan }
    } catch let error as StoreError where error.code == .missing {
      throw Self.noSubject
    }
    return try await self.scan(text)
  }

  // MARK: - Querying

  static var noScan: ServiceError {
    ServiceError(.notFound, "There is no such scan on this server, or it has been erased.")
  }

  /// Returns the scan with this ID.
  public nonisolated func scan(_ text: String) async throws -> ScanRecord {
    guard let id = ScanID(text), let scan = try await store.scan(id) else { throw Self.noScan }
    return scan
  }

  public nonisolated func scans(_ query: ScanQuery) async throws -> ScanPage<ScanRecord> {
    try Self.refuseZero(in: query.text, "text")
    try Self.refuseZero(in: query.label, "label")
    return try await store.scans(query)
  }

  /// Opens a complete file for reading.
  public nonisolated func open(_ file: ScanRecord.File) async throws -> StoredFile {
    guard let blob = file.blob else { throw StoreError(.missing, reason: "A file is incomplete.") }
    if let upload = file.upload { return try await uploads.file(upload) }
    return StoredFile([StoredChunk(range: 0..<file.bytes, blob: blob)], in: blobs)
  }

  /// Returns an image (PNG) of one of a scan's depth maps.
  public func depthImage(of frame: Int, scan text: String) async throws -> [UInt8] {
    let scan = try await scan(text)
    guard let bundle = scan.results.first(where: { $0.name == ScanProcessingJob.bundleName }), let blob = bundle.blob
    else {
      throw ServiceError(.notFound, "The scan has no depth maps to show.")
    }
    let images = depthImages(of: blob, bytes: bundle.bytes)
    guard frame >= 0, let image = try await images.image(of: frame) else {
      throw ServiceError(.notFound, "The scan has no such frame.")
    }
    return image
  }

  private func depthImages(of blob: BlobID, bytes: Int) -> any ScanDepthImages {
    if let opened, opened.blob == blob { return opened.images }
    let images = processor.depthImages(of: StoredFile([StoredChunk(range: 0..<bytes, blob: blob)], in: blobs))
    opened = (blob, images)
    return images
  }

  // MARK: - Deleting

  /// Deletes a scan with all its files.
  public func delete(_ text: String) async throws {
    guard let id = ScanID(text), try await delete(id) else { throw Self.noScan }
  }

  /// Deletes a scan after its files, so that their IDs are not lost if one of them cannot be deleted.
  ///
  /// - Returns: `false` if there is no such scan.
  func delete(_ id: ScanID) async throws -> Bool {
    // Prevents processing and duplicate matching while its files are being deleted. A scan that accepts files keeps its
    // status, by which it is found again.
    _ = try await store.move(id, from: [.queued, .working, .done], to: .cancelled, problem: nil, at: clock.timeOfDay())
    running[id]?.cancel()
    var files = DeletedScanBlobs()
    // A scan that cannot be decrypted is deleted as well.
    if let scan = try? await store.scan(id) {
      files.blobs = (scan.files + scan.results).compactMap(\.blob)
      files.uploads = scan.files.compactMap(\.upload)
    }
    try await remove(files)
    guard var deleted = try await store.deleteScan(id) else { return false }
    // Files received in the meantime.
    deleted.blobs.removeAll(where: Set(files.blobs).contains)
    try await remove(deleted)
    return true
  }

  func remove(_ deleted: DeletedScanBlobs) async throws {
    opened = nil
    for blob in deleted.blobs { _ = try await blobs.delete(blob) }
    try await uploads.delete(deleted.uploads)
    for upload in deleted.uploads { digests[upload] = nil }
  }
}
