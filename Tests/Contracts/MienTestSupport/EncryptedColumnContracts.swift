internal import MienAuthenticity
internal import MienLiveness
internal import MienCore
internal import MienPlatform
public import MienSecurity
public import MienWebhooks
public import MienChecks
public import MienCaptures
public import MienScanService
internal import Testing

/// Store with encrypted columns.
public typealias EncryptingStore = CheckStore & ClipStore & ImageStore & EnrollmentStore & CaptureStore & ScanStore
  & WebhookStore & EncryptedColumnStore & TemplateStore

/// Conformance test for ``EncryptedColumnStore``: face images and measurements are encrypted, and no value can be
/// decrypted in another record.
///
/// - Parameter make: opens the same store each time; it is empty at first.
public func checkEncryptedColumnStore(_ make: (MasterKeyring?) async throws -> some EncryptingStore) async throws {
  let rotation = try await KeyRotationFixture()
  let (keyring, other) = (rotation.during, try sampleKeyring(3))
  let (old, store) = (try await make(rotation.before), try await make(keyring))
  for column in EncryptedColumn.all {
    let none = try await store.values(of: column, notBeginningWith: nil, after: nil, window: 9, limit: 9)
    #expect(none == EncryptedBatch(values: [], last: nil))
  }
  try await fill(old, "a")
  try await fill(store, "b")
  let before = try await read(store, "a")
  #expect(try await read(store, "b") == before, "values under either key are readable")
  #expect(before.contains { $0.contains("31.25") } && before.contains { $0.contains("noseRelief") })

  let prefixes = ColumnCipher(keyring)
  var left = 0
  for column in EncryptedColumn.all {
    let prefix = try #require(prefixes.prefix(of: column))
    let all = try await values(of: column, in: store)
    #expect(all.count >= 2, "the contract fills \(column.table).\(column.name)")
    let outdated = try await values(of: column, in: store, notBeginningWith: prefix)
    #expect(outdated.count * 2 == all.count, "\(column.table).\(column.name): half is under the newest key")
    left += outdated.count
    // Reading in steps returns the same values as reading at once, whichever of the two limits ends a step.
    for (window, limit) in [(1, 1), (1, 9), (2, 1), (2, 9), (3, 2), (99, 1)] {
      #expect(try await values(of: column, in: store, window: window, limit: limit) == all)
      let some = try await values(
        of: column, in: store, notBeginningWith: prefix, window: window, limit: limit)
      #expect(some == outdated, "\(column.table).\(column.name), \(window) and \(limit) at a time")
    }
    let first = try await store.values(of: column, notBeginningWith: nil, after: nil, window: 9, limit: 9)
    #expect(!"\(all) \(first)".contains(all[0].record[0]) && !all.isEmpty)
  }

  let sweep = ColumnReencryptionJob(store, keyring: keyring)
  // Steps are shorter than the tables.
  let narrow = ColumnReencryptionJob(MinimalStore(store: store), keyring: keyring)
  // Replacing values during the iteration does not skip others.
  let mark = try #require(prefixes.prefix(of: .image))
  var (replaced, last) = (0, [String]?.none)
  repeat {
    let seen = try await store.values(of: .image, notBeginningWith: mark, after: last, window: 2, limit: 1)
    for value in seen.values {
      let face = try prefixes.open(value.bytes, .image, of: value.record[0], value.record[1])
      let new = prefixes.close(face, .image, of: value.record[0], value.record[1])
      replaced += try await store.replace([EncryptedReplacement(value, by: new)], of: .image)
    }
    last = seen.last
  } while last != nil
  #expect(replaced == 2)
  #expect(try await narrow.run() == ColumnReencryptionJob.Outcome(sealed: left - replaced))
  for column in EncryptedColumn.all {
    let prefix = try #require(prefixes.prefix(of: column))
    let step = try await store.values(of: column, notBeginningWith: prefix, after: nil, window: 1, limit: 1)
    #expect(step.values == [] && step.last != nil, "a step without matches ends as well")
  }
  #expect(try await sweep.run() == ColumnReencryptionJob.Outcome(), "values under the newest key are unchanged")
  #expect(try await read(store, "a") == before)

  // Without the master keys, or with a different one, nothing is decrypted or disclosed.
  for wrong in [try await make(nil), try await make(other)] {
    let error = await #expect(throws: StoreError.self) { _ = try await wrong.check(try checkID("a")) }
    #expect(error?.code == .unavailable && error?.reason.contains("keyring") == true)
    await #expect(throws: StoreError.self) { _ = try await wrong.images(of: try checkID("a")) }
    await #expect(throws: StoreError.self) { _ = try await wrong.capture(try capture("a").id) }
  }
  #expect(
    try await ColumnReencryptionJob(store, keyring: other).run() == ColumnReencryptionJob.Outcome(strange: 2 * left))
  #expect(try await read(store, "a") == before, "a caller that cannot decrypt it changed nothing")

  // A value cannot be decrypted in another record.
  for column in EncryptedColumn.all {
    let all = try await values(of: column, in: store)
    let (two, one) = (all[0], all[all.count - 1])
    #expect(try await store.replace([EncryptedReplacement(one, by: two.bytes)], of: column) == 1)
    #expect(
      try await store.replace([EncryptedReplacement(one, by: one.bytes)], of: column) == 0,
      "the value has changed in the meantime"
    )
    await #expect(throws: StoreError.self, "\(column.table).\(column.name)") {
      _ = try await read(store, "a")
      _ = try await read(store, "b")
    }
    let moved = EncryptedValue(record: one.record, bytes: two.bytes)
    #expect(try await store.replace([EncryptedReplacement(moved, by: one.bytes)], of: column) == 1)
  }
  #expect(try await read(store, "a") == before)
}

/// Returns all values of a column, read in steps.
private func values(
  of column: EncryptedColumn, in store: some EncryptedColumnStore, notBeginningWith prefix: [UInt8]? = nil,
  window: Int = 99,
  limit: Int = 99
) async throws -> [EncryptedValue] {
  var (found, last) = ([EncryptedValue](), [String]?.none)
  repeat {
    let seen = try await store.values(
      of: column, notBeginningWith: prefix, after: last, window: window, limit: limit)
    #expect(seen.values.count <= min(window, limit))
    found += seen.values
    last = seen.last
  } while last != nil
  return found
}

/// Store that returns one record per step, whatever the requested window.
private struct MinimalStore: EncryptedColumnStore {
  let store: any EncryptedColumnStore

  func values(
    of column: EncryptedColumn, notBeginningWith prefix: [UInt8]?, after record: [String]?, window: Int, limit: Int
  ) async throws -> EncryptedBatch {
    try await store.values(of: column, notBeginningWith: prefix, after: record, window: 1, limit: limit)
  }

  func replace(_ changes: [EncryptedReplacement], of column: EncryptedColumn) async throws -> Int {
    try await store.replace(changes, of: column)
  }

  func lockedMessages(createdBy time: UnixTime) async throws -> Int {
    try await store.lockedMessages(createdBy: time)
  }

  func purgeReplaced() async throws { try await store.purgeReplaced() }
}

/// Returns a keyring with one key.
public func sampleKeyring(_ byte: UInt8) throws -> MasterKeyring {
  try #require(MasterKeyring(key: [UInt8](repeating: byte, count: 32)))
}

private func checkID(_ letter: String) throws -> CheckID { try #require(CheckID("chk_\(letter)")) }
private func scanID(_ letter: String) throws -> ScanID {
  try #require(ScanID("scn_" + String(repeating: letter, count: 32)))
}
private func person(_ letter: String) throws -> PersonID { try #require(PersonID("person_\(letter)")) }

private func capture(_ letter: String) throws -> CaptureRecord {
  let sample = try sampleCapture(letter == "a" ? 1 : 5, photo: 7)
  return CaptureRecord(
    id: sample.id, receipt: sample.receipt, received: sample.received, photo: sample.photo, photoType: sample.photoType,
    depth: sample.depth, motion: sample.motion, metadata: [UInt8](repeating: 123, count: 65_536),
    detection: [UInt8](repeating: 9, count: 262_144), claims: sample.claims, signature: nil, state: .queued)
}

/// Stores a value of full length in every encrypted column.
private func fill(_ store: some EncryptingStore, _ letter: String) async throws {
  let (id, time) = (try checkID(letter), UnixTime(milliseconds: 1000))
  let options = TaskOptions(kind: "blink")
  try await store.create(
    CheckRecord(
      id: id, token: SecretDigest(of: "t"), created: time, expires: UnixTime(milliseconds: 9000), side: .subjectLeft,
      person: nil, expectsDepth: false, reference: nil,
      tasks: CheckTasks(requested: [options], seed: [UInt8](repeating: 5, count: 32)), keepsClip: true))
  let box = FaceBox(x: 0.1, y: 0.25, width: 0.3, height: 0.5)
  try await store.decide(
    id, sampleResult(),
    keeping: [
      StoredImage(kind: .audit, bytes: [UInt8](repeating: 77, count: StoredImage.maximumBytes), box: box),
      StoredImage(kind: .audit, bytes: [1], box: box),
    ], template: FaceReference(stored: [UInt8](repeating: 55, count: 528)), counting: nil, under: nil)
  try await store.enroll(
    person(letter),
    EnrolledTemplate(
      model: "model-1", created: time, check: nil, face: FaceReference(stored: [UInt8](repeating: 66, count: 528))))
  try await store.endClip(of: id, [UInt8](repeating: 99, count: 3_000_000))
  for _ in 0..<2 {
    let thresholds = try #require(
      DepthThresholds(
        shape: DepthThresholds.Shape(noseRelief: 8.25, planeResidual: 3, sheetResidual: 1.5, centerToRim: 9),
        validFraction: 0.6, nearest: 150, farthest: 1000, revision: 0))
    _ = try await store.enroll(person(letter), thresholds, at: time)
  }
  // A reference is stored until the verdict, so it needs a check without one.
  try await store.create(
    CheckRecord(
      id: try checkID(letter + "_open"), token: SecretDigest(of: "t"), created: time,
      expires: UnixTime(milliseconds: 9000), side: .subjectLeft, person: nil, expectsDepth: false, reference: nil,
      faceReference: FaceReference(stored: [UInt8](repeating: 44, count: 528))))
  let capture = try capture(letter)
  _ = try await store.save(capture)
  let results = DetectionResults.unavailable(because: .unreadable)
  #expect(
    try await store.analyzed(
      capture.id, results, provenance: .credential(ContentCredential(trust: .trusted)),
      reception: ReceptionCredential(signer: ContentCredential.Signer(), manifest: [UInt8](repeating: 5, count: 40)),
      visualizations: [CaptureVisualization(kind: .depth, bytes: [UInt8](repeating: 3, count: 4_194_304))]))
  let scan = try scanID(letter)
  try await store.save(
    ScanRecord(
      id: scan, subject: nil, label: nil, kind: .face, photosExpected: 0, created: time, changed: time,
      status: .uploading, files: []), owner: nil, request: nil)
  #expect(try await store.move(scan, from: [.uploading], to: .queued, problem: nil, at: time))
  #expect(try await store.acquire(at: time)?.id == scan)
  let remark = ScanReport.Remark(code: "note", values: ["nose": "31.25"], text: "a note")
  #expect(
    try await store.finish(scan, outcome: ScanReport(remarks: [remark]), results: [], at: time)
      != nil)
  let webhook = try sampleWebhook("wh_\(letter)")
  #expect(try await store.add(webhook, atMost: 9))
  let message = try #require(WebhookDeliveryID("msg_\(letter)"))
  try await store.post(
    WebhookDelivery(
      id: message, webhook: webhook.id, check: nil, event: .ping, created: time))
  #expect(try await store.save(body: Array("the body".utf8), of: message) == Array("the body".utf8))
}

/// Returns all values as texts for comparison.
private func read(_ store: some EncryptingStore, _ letter: String) async throws -> [String] {
  let id = try checkID(letter)
  let check = try #require(try await store.check(id))
  let result = try #require(check.result)
  #expect(result == (try sampleResult()))
  let images = try await store.images(of: id)
  let found = try #require(try await store.capture(capture(letter).id))
  #expect(found.claims == (try capture(letter).claims) && found.motion != nil && found.results != nil)
  let thresholds = try #require(try await store.thresholds(of: person(letter)))
  let webhook = try #require(WebhookID("wh_\(letter)"))
  let bodies = try await store.messages(of: webhook, limit: 9).compactMap(\.body)
  var texts = [
    "\(check.record.tasks?.requested.map(\.kind) ?? [])", "31.25 \(result.outboundPath) \(result.returnPath)",
    "noseRelief \(thresholds.shape.noseRelief)",
  ]
  texts += images.map { "\($0.bytes.count) \($0.bytes.first ?? 0) \($0.box.x) \($0.box.height)" }
  guard case .ready(let film) = try await store.clip(of: id) else { return [] }
  texts.append("\(film.count) \(film.first ?? 0)")
  texts.append("\(found.metadata?.count ?? 0) \(found.detection?.count ?? 0)")
  let drawing = try await store.visualization(.depth, of: found.id)
  texts.append("\(drawing?.count ?? 0) \(drawing?.first ?? 0)")
  texts.append("\(try await store.scan(scanID(letter))?.outcome?.remarks.first?.values ?? [:])")
  texts.append("\(bodies)")
  let open = try #require(try await store.check(checkID(letter + "_open"))).record.faceReference
  texts.append("\(open?.bytes.count ?? 0) \(open?.bytes.first ?? 0)")
  let faces = [try await store.keptTemplate(of: id), try await store.template(of: person(letter))?.face]
  texts += faces.map { "\($0?.bytes.count ?? 0) \($0?.bytes.first ?? 0)" }
  return texts
}
