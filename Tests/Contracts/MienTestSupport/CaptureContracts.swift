internal import MienTestGenerators
internal import MienAuthenticity
internal import MienImaging
internal import MienCore
internal import MienPlatform
public import MienCaptures
internal import Testing

/// Returns a capture for store tests. Equal `photo` values mean equal photos.
public func sampleCapture(
  _ seed: UInt64, photo: UInt8, signature: SignatureOutcome? = nil, hashOnly: Bool = false, at milliseconds: Int64 = 0
) throws -> CaptureRecord {
  var generator = SplitMixGenerator(seed: seed)
  let digest = try #require(ContentDigest(bytes: [UInt8](repeating: photo, count: 32)))
  var file = ImageProvenance()
  (file.wallClock, file.latitude, file.longitude) = (1_767_225_600_000, 52.5, -13.25)
  let claims = CaptureClaims(
    metadata: CaptureMetadata(
      capturedAt: 1_767_225_600_000, place: CaptureMetadata.Place(latitude: 52.5, longitude: -13.25),
      summary: DetectionSummary(available: true, confidenceLevel: .veryHigh, primaryValid: true, signalsAgree: nil)),
    file: seed < 100 ? nil : file)
  return CaptureRecord(
    id: CaptureID(using: &generator), receipt: SecretDigest(of: "receipt \(seed)"),
    received: UnixTime(milliseconds: 1_767_225_600_000 + milliseconds),
    photo: CaptureRecord.File(digest: digest, size: hashOnly ? nil : 1000, blob: hashOnly ? nil : BlobID("b-p\(seed)")),
    photoType: hashOnly ? nil : "image/jpeg",
    depth: hashOnly ? nil : CaptureRecord.File(digest: digest, size: 7, blob: BlobID("b-d\(seed)")),
    motion: seed.isMultiple(of: 2) ? nil : try sampleMotion(seed, digest, hashOnly: hashOnly),
    metadata: Array(#"{"a":1}"#.utf8), detection: nil, claims: claims, signature: signature,
    state: hashOnly ? .hashOnly : .queued)
}

/// Returns a burst for a capture, or a video for every other seed.
private func sampleMotion(_ seed: UInt64, _ digest: ContentDigest, hashOnly: Bool) throws -> CaptureMotionMedia {
  let blob = try #require(BlobID("b-m\(seed)"))
  if hashOnly { return CaptureMotionMedia(kind: .burst, digest: digest) }
  guard seed % 4 == 1 else {
    return CaptureMotionMedia(kind: .clip, digest: digest, size: 9, blob: blob, type: "video/webm")
  }
  return CaptureMotionMedia(
    kind: .burst, digest: digest, size: 9, blob: blob,
    frames: [4, 5].map { CaptureMotionMedia.Frame(size: $0, digest: digest) })
}

/// Conformance test for ``CaptureStore``.
public func checkCaptureStore(_ make: () async throws -> some CaptureStore) async throws {
  let store = try await make()
  try await checkDevices(store)
  try await checkAttestation(store)
  try await checkHistory(store)
  try await checkAnalysis(store)
}

/// Public key that is the generator point of P-256.
func sampleKey() throws -> DeviceKey {
  try #require(
    DeviceKey(
      x: "axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY", y: "T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU"))
}

private func checkDevices(_ store: some CaptureStore) async throws {
  let id = try #require(DeviceID("phone"))
  let device = CaptureDevice(id: id, key: try sampleKey(), counter: 0, created: UnixTime(milliseconds: 5))
  #expect(try await store.device(id) == nil)
  #expect(try await !store.deleteDevice(id))
  try await store.save(device)
  #expect(try await store.device(id) == device)
  let twice = await #expect(throws: StoreError.self) { try await store.save(device) }
  #expect(twice?.code == .duplicate)

  let counters: [(Int64, SignatureOutcome.Standing, [CapturePart], before: Int64?, after: Int64)] = [
    (3, .valid, [], 0, 3), (3, .valid, [], 3, 3), (2, .valid, [], 3, 3), (9, .valid, [.photo], 3, 3),
    (9, .invalid, [], nil, 3), (9, .deviceUnknown, [], nil, 3), (9, .valid, [], 3, 9),
  ]
  for (number, row) in counters.enumerated() {
    let facts = SignatureOutcome(device: id, counter: row.0, standing: row.1, changed: row.2)
    let kept = try await store.save(sampleCapture(100 + UInt64(number), photo: 100 + UInt8(number), signature: facts))
    #expect(kept.history.counter == row.before, "row \(number)")
    #expect(try await store.device(id)?.counter == row.after, "row \(number)")
    #expect(try await store.capture(kept.id) == kept, "all values are restored unchanged")
  }
  #expect(try await store.deleteDevice(id))
  #expect(try await store.device(id) == nil)
}

private func checkHistory(_ store: some CaptureStore) async throws {
  let (first, second) = (try sampleCapture(1, photo: 1), try sampleCapture(2, photo: 1, at: 5))
  let third = try sampleCapture(3, photo: 1, hashOnly: true, at: 9)
  #expect(try await store.capture(first.id) == nil)
  #expect(try await store.save(first).history == CaptureDuplicates(samePhoto: 0))
  #expect(try await store.save(second).history == CaptureDuplicates(samePhoto: 1))
  #expect(try await store.save(third).history == CaptureDuplicates(samePhoto: 2))
  #expect(try await store.capture(third.id)?.photo.blob == nil)
  #expect(try await store.captures(of: first.photo.digest, limit: 2) == [first.id, second.id], "oldest first")
  let from = { (milliseconds: Int64) in first.received.adding(Interval(nanoseconds: milliseconds * 1_000_000)) }
  #expect(try await store.captures(receivedBefore: from(5), limit: 9).contains(first.id))
  #expect(try await !store.captures(receivedBefore: from(5), limit: 9).contains(second.id), "the limit is exclusive")
  let twice = await #expect(throws: StoreError.self) { _ = try await store.save(first) }
  #expect(twice?.code == .duplicate)

  let blob = try #require(first.photo.blob)
  let depth = try #require(first.depth?.blob)
  let motion = try #require(first.motion?.blob)
  for file in [blob, depth, motion] { #expect(try await store.wants(file)) }
  let unknown = try #require(BlobID("b-that-nobody-names"))
  #expect(try await store.wanted(of: [unknown, motion, blob, unknown, depth]) == [blob, depth, motion])
  #expect(try await store.wanted(of: []).isEmpty)
  #expect(try await store.deleteCapture(first.id) == [blob, depth, motion])
  for file in [blob, depth, motion] { #expect(try await !store.wants(file)) }
  #expect(try await store.capture(first.id) == nil)
  #expect(try await store.deleteCapture(first.id) == nil)
  #expect(try await store.deleteCapture(third.id) == [])
}

private func checkAnalysis(_ store: some CaptureStore) async throws {
  let capture = try sampleCapture(20, photo: 20, at: -9)
  let hashOnly = try sampleCapture(21, photo: 21, hashOnly: true, at: -8)
  _ = try await store.save(capture)
  _ = try await store.save(hashOnly)
  #expect(try await store.queuedCaptures(limit: 1) == [capture.id], "the oldest first")
  let results = DetectionResults.unavailable(because: .unreadable)
  let visualization = CaptureVisualization(kind: .depth, bytes: [1, 2, 3])
  let origin = ProvenanceOutcome.credential(
    ContentCredential(
      trust: .invalid, signedAt: "2026-01-02T03:04:05Z", changed: [.content, .statement("c2pa.actions")]))
  let reception = ReceptionCredential(
    signer: ContentCredential.Signer(issuer: "Studio Ltd", commonName: "Studio"), manifest: [0, 255, 7])
  #expect(
    try await store.analyzed(
      capture.id, results, provenance: origin, reception: reception, visualizations: [visualization]))
  #expect(try await store.capture(capture.id)?.reception == reception)
  #expect(try await store.capture(capture.id)?.provenance == origin)
  #expect(try await store.capture(capture.id)?.results == results)
  #expect(try await store.capture(capture.id)?.state == .analyzed)
  #expect(try await store.visualizations(of: capture.id) == [.depth])
  #expect(try await store.visualization(.depth, of: capture.id) == [1, 2, 3])
  #expect(try await store.visualization(.tiles, of: capture.id) == nil)
  #expect(try await !store.queuedCaptures(limit: 99).contains(capture.id))
  #expect(
    try await !store.analyzed(hashOnly.id, results, provenance: .none, reception: nil, visualizations: []),
    "there is nothing to analyze")
  _ = try await store.deleteCapture(capture.id)
  #expect(try await store.visualization(.depth, of: capture.id) == nil, "visualizations are deleted with their capture")
  #expect(
    try await !store.analyzed(
      capture.id, results, provenance: origin, reception: nil, visualizations: [visualization]),
    "deleted in the meantime")
}
